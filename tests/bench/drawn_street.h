// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_DRAWN_STREET_H_
#define RDP_TESTS_BENCH_DRAWN_STREET_H_

#include <cstddef>
#include <vector>

#include "common/rdp/engine.h"
#include "common/rdp/placed_segments.h"
#include "tests/support/depth_patterns.h"

namespace rdp::bench {

// The pictures for rdpoverlay's benchmarks.
inline constexpr int kDrawnWidth = 1280;
inline constexpr int kDrawnHeight = 720;

// The segments of depthtestsrc's street, and their placement on such a picture.
class DrawnStreet {
 public:
  DrawnStreet(int width, int height, double epsilon) : width_(width), height_(height) {
    std::vector<std::byte> samples(std::size_t{2} * static_cast<std::size_t>(width) *
                                   static_cast<std::size_t>(height));
    const MutableDepthView view{samples.data(), std::ptrdiff_t{2} * width, width, height,
                                SampleType::kU16};
    TestPatternRenderer().draw(0, test::matched_street(), view);
    parameters_.epsilon = epsilon;
    parameters_.sample_scale = 1.0 / 256;
    Engine(1).segment(view, parameters_, &segments_);
  }

  int width() const { return width_; }
  int height() const { return height_; }
  std::size_t segments() const { return segments_.segment_count(); }

  // In the element's default style, or in the colours of classes.
  void place(PlacedSegments* painter, OverlayStyle style = OverlayStyle::kSegments) const {
    const FramePlacement placement{static_cast<double>(kDrawnWidth) / width_,
                                   static_cast<double>(kDrawnHeight) / height_, 0.0, 0.0};
    painter->place(segments_, parameters_, width_, height_, placement, look(style));
  }
  // As seen by a camera 10 cm beside.
  void project(PlacedSegments* painter, OverlayStyle style = OverlayStyle::kSegments) const {
    FrameProjection projection;
    MetricCamera& frame = projection.frame;
    frame.focal_x = frame.focal_y = 0.58 * width_;
    frame.principal_x = width_ / 2.0;
    frame.principal_y = height_ / 2.0;
    frame.depth = {true, frame.focal_x * 0.54, 1.0 / 256, 0.0};
    projection.between.m[3] = -0.1;
    projection.picture.focal_x = projection.picture.focal_y = 0.58 * kDrawnWidth;
    projection.picture.principal_x = kDrawnWidth / 2.0;
    projection.picture.principal_y = kDrawnHeight / 2.0;
    painter->project(segments_, parameters_, width_, height_, projection, look(style));
  }

 private:
  static PlacedLook look(OverlayStyle style) {
    PlacedLook look;
    look.options.style = style;
    look.alpha = 153;
    return look;
  }

  const int width_;
  const int height_;
  Parameters parameters_;
  SegmentList segments_;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_DRAWN_STREET_H_
