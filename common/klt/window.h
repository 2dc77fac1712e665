// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_WINDOW_H_
#define RDP_COMMON_KLT_WINDOW_H_

#include "common/klt/parameters.h"
#include "common/klt/picture.h"
#include "common/klt/step.h"
#include "common/klt/track.h"

// Windows of pictures, with SIMD: bit-identical to common/klt/reference.h.
namespace rdp::klt {

// The inputs of a search, beside the feature.
struct Search {
  const Picture* from;
  const Picture* to;
  StepRules rules;
  int coarsest;  // level of the pyramid
  int stride;    // levels of the pyramid from one that is used to the next
};

// See reference::find_and_check(). `iterations`, where not null, counts them.
Found find_and_check(const Search& search, Place place, Place start, long* iterations);

// The normal equations of the window around a place of a level.
Equations equations_at(const LevelView& level, Place centre, const StepRules& rules);

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_WINDOW_H_
