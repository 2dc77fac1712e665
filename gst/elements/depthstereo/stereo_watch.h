// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_WATCH_H_
#define RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_WATCH_H_

#include <gst/gst.h>

#include <limits>
#include <optional>

#include "common/stereo/diagnosis.h"
#include "common/stereo/parameters.h"
#include "common/stereo/views.h"
#include "gst/elements/base/pairing.h"

namespace rdp::gst {

// Warns the user of suspicious pairs. None of this prevents matching, so all are warnings, each
// posted once per cause. One object for each run from READY to PAUSED and back. Streaming thread
// only; allocates only to post a warning.
class StereoWatch {
 public:
  // `element` posts the messages and outlives the object.
  explicit StereoWatch(GstElement* element) : element_(element) {}

  // Call after a flush, a gap in the stream or new caps.
  void reset() noexcept {
    little_known_ = 0;
    first_.reset();
  }

  // Takes the counts of a pair.
  void note(const stereo::Counts& counts, int width, int height,
            const stereo::Parameters& parameters);
  // True for the first pair of low density, and after stereo::kLittleKnownFrames of them in a row.
  // The caller then diagnoses the pair and calls take(). Once each.
  bool wants_diagnosis() const {
    if (diagnosed_) return false;
    return little_known_ >= stereo::kLittleKnownFrames || (little_known_ == 1 && !looked_);
  }
  // Evaluates a pair's diagnosis. A single pair warns only of clearly swapped views; a textureless
  // scene may cause the other signs.
  void take(const stereo::Diagnosis& diagnosis);
  // End of stream: reports the first pair's diagnosis if density stayed low to the end.
  void end();

  // Warns if the streams keep missing each other.
  void look_at(const PairingMisses& misses);

 private:
  void tell(const stereo::Diagnosis& diagnosis);
  void warn_of_width(int width, const stereo::Parameters& parameters);
  void warn_of_range(const stereo::Counts& counts, const stereo::Parameters& parameters);

  GstElement* const element_;
  int little_known_ = 0;  // pairs in a row
  bool diagnosed_ = false;
  bool looked_ = false;                     // a first pair was diagnosed
  std::optional<stereo::Diagnosis> first_;  // its diagnosis
  bool said_width_ = false;
  // Largest disparity already reported as too small.
  int said_range_ = std::numeric_limits<int>::min();
  bool said_misses_ = false;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_WATCH_H_
