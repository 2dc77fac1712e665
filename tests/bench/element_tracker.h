// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ELEMENT_TRACKER_H_
#define RDP_TESTS_BENCH_ELEMENT_TRACKER_H_

#include <span>

#include "common/image/depth_view.h"
#include "common/klt/parameters.h"
#include "common/klt/track.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstharness.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

namespace rdp::bench {

// klttrack as applications use it: pictures as buffers, tracks as metadata.
class ElementTracker {
 public:
  explicit ElementTracker(const klt::Parameters& parameters);
  ~ElementTracker();
  ElementTracker(const ElementTracker&) = delete;
  ElementTracker& operator=(const ElementTracker&) = delete;

  // Tracks the next picture; the result is valid until the following one. Exits without tracks.
  std::span<const klt::Track> track(const DepthView& picture);

 private:
  GstHarness* harness_;
  GstBuffer* out_ = nullptr;
  int width_ = 0;
  int height_ = 0;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ELEMENT_TRACKER_H_
