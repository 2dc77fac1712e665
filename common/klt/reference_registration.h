// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_REFERENCE_REGISTRATION_H_
#define RDP_COMMON_KLT_REFERENCE_REGISTRATION_H_

#include <cstdint>
#include <vector>

#include "common/klt/reference_window.h"
#include "common/klt/registration.h"

// The definition of Warp::kAffine: plain scalar code that is meant to be read.
//
// J. Shi, C. Tomasi, "Good Features to Track", CVPR 1994; S. Baker, I. Matthews, "Lucas-Kanade 20
// Years On: A Unifying Framework", IJCV 2004.
namespace rdp::klt::reference {

// Registers a track that moved from `place` in one frame to `found` in the next (both fixed) to its
// patch. Takes the patch first if the track has none and `may_take`. Appends the solution to *trace
// if not null: d of the patch, and z of each step.
Registered register_track(const Level& from, const Level& to, Place place, Place found,
                          bool may_take, const StepRules& rules, Shape* shape,
                          std::vector<double>* trace);

}  // namespace rdp::klt::reference

#endif  // RDP_COMMON_KLT_REFERENCE_REGISTRATION_H_
