// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_DIAGNOSIS_H_
#define RDP_COMMON_STEREO_DIAGNOSIS_H_

#include <cstdint>

#include "common/stereo/engine.h"
#include "common/stereo/parameters.h"
#include "common/stereo/views.h"

namespace rdp::stereo {

// Why little of a pair is known: what it gives with the views exchanged, and with the right view
// moved up and down, tried on 64 of its rows. Allocates, and takes as long as a match of a thousand
// rows: for once, when something is wrong.
struct Diagnosis {
  enum class Finding : std::uint8_t {
    // None of it gives twice as much, and more than little: are the views rectified at all?
    kNothing,
    kSwapped,
    kRowsOff,  // the right view's rows belong to those `rows` above (negative: below)
  };
  Finding finding = Finding::kNothing;
  int rows = 0;
  double known = 0.0;       // share of the tried pixels, as the pair is
  double known_then = 0.0;  // and with what was found
};
inline constexpr int kMaxRowsOff = 8;
inline constexpr double kLittleKnown = 0.3;
inline constexpr int kLittleKnownFrames = 10;
// So much is never known of views that do not belong together, not even of the best of many trials.
inline constexpr double kEnoughKnown = 0.4;

Diagnosis diagnose(const Pair& pair, const Parameters& parameters, Engine* engine);

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_DIAGNOSIS_H_
