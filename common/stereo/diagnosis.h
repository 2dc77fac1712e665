// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_DIAGNOSIS_H_
#define RDP_COMMON_STEREO_DIAGNOSIS_H_

#include <cstdint>

#include "common/stereo/engine.h"
#include "common/stereo/parameters.h"
#include "common/stereo/views.h"

namespace rdp::stereo {

// Diagnosis of a pair with few known pixels: tries swapped views, and vertical offsets of the right
// view, on 64 of its rows. Allocates, and takes as long as matching a thousand rows: call it once,
// when something is wrong.
struct Diagnosis {
  enum class Finding : std::uint8_t {
    // No trial knows twice as many pixels and at least kEnoughKnown: views may not be rectified.
    kNothing,
    kSwapped,
    kRowsOff,  // the right view's rows belong to those `rows` above (negative: below)
  };
  Finding finding = Finding::kNothing;
  int rows = 0;
  double known = 0.0;       // share of the tried pixels that are known, as the pair is
  double known_then = 0.0;  // and with the finding applied
};
inline constexpr int kMaxRowsOff = 8;
inline constexpr double kLittleKnown = 0.3;
inline constexpr int kLittleKnownFrames = 10;
// Unrelated views never reach this share, not even in the best of many trials.
inline constexpr double kEnoughKnown = 0.4;

Diagnosis diagnose(const Pair& pair, const Parameters& parameters, Engine* engine);

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_DIAGNOSIS_H_
