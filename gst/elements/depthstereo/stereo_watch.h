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

// Tells the user what looks wrong with pairs: nothing that keeps them from being matched, so all of
// it are warnings, each of which is posted once for what it is about. One for each time between
// READY and PAUSED. Streaming thread only; allocates only to say something.
class StereoWatch {
 public:
  // The element that messages come from lives longer.
  explicit StereoWatch(GstElement* element) : element_(element) {}

  // After a flush, a gap in the stream, new caps.
  void reset() noexcept {
    little_known_ = 0;
    first_.reset();
  }

  // Takes the counts of a pair.
  void note(const stereo::Counts& counts, int width, int height,
            const stereo::Parameters& parameters);
  // Little is known of the first pair, or has been for so long that somebody should find out why,
  // and then take(). Once each.
  bool wants_diagnosis() const {
    if (diagnosed_) return false;
    return little_known_ >= stereo::kLittleKnownFrames || (little_known_ == 1 && !looked_);
  }
  // Takes the diagnosis of a pair. A single pair warns only of exchanged views, and only if that is
  // clear. Other signs may come from a scene that shows nothing.
  void take(const stereo::Diagnosis& diagnosis);
  // No pair comes any more: what the first one has shown is told, if little was known to the end.
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
  bool looked_ = false;                     // at the first of them
  std::optional<stereo::Diagnosis> first_;  // what that has shown
  bool said_width_ = false;
  // The largest disparity that was said to be too small.
  int said_range_ = std::numeric_limits<int>::min();
  bool said_misses_ = false;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_WATCH_H_
