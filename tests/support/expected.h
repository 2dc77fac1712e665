// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_EXPECTED_H_
#define RDP_TESTS_SUPPORT_EXPECTED_H_

#include <cstdint>
#include <cstring>
#include <vector>

#include "common/rdp/ground.h"
#include "common/rdp/overlay.h"
#include "common/rdp/reference.h"

namespace rdp::test {

// The scalar reference's results for a frame, which an element must reproduce for any memory type.
// Rows have no gaps.
struct Expected {
  SegmentList segments;
  std::vector<std::uint8_t> classes;        // one per segment, if there are any
  std::vector<std::uint8_t> samples;        // unchanged input
  std::vector<std::uint8_t> reconstructed;  // with output=reconstruct
  std::vector<std::uint8_t> picture;        // RGBA
};

// The samples of a frame, without row padding.
inline std::vector<std::uint8_t> tight_samples(const DepthView& frame) {
  const auto row_bytes = static_cast<std::size_t>(frame.width * bytes_per_sample(frame.type));
  std::vector<std::uint8_t> samples(row_bytes * static_cast<std::size_t>(frame.height));
  for (int row = 0; row < frame.height; ++row) {
    std::memcpy(samples.data() + static_cast<std::size_t>(row) * row_bytes, frame.row(row),
                row_bytes);
  }
  return samples;
}

// The painted segments of a frame, as RGBA.
inline std::vector<std::uint8_t> expect_picture(const DepthView& frame, const SegmentList& segments,
                                                const Parameters& parameters,
                                                const OverlayOptions& options) {
  std::vector<std::uint8_t> picture(4 * static_cast<std::size_t>(frame.width) *
                                    static_cast<std::size_t>(frame.height));
  OverlayLook look = overlay_look(frame, segments, parameters, options);
  std::vector<std::uint32_t> seen;
  if (look.style == OverlayStyle::kBirdsEye) {
    seen.resize(birdseye_words(static_cast<std::size_t>(segments.columns()), frame.height));
    see_columns(segments, look, frame.height, 0, segments.columns(), seen.data());
    look.seen = seen.data();
  }
  paint_overlay(frame, segments, parameters, look, 0, frame.width,
                {reinterpret_cast<std::byte*>(picture.data()), std::ptrdiff_t{4} * frame.width,
                 frame.width, frame.height});
  return picture;
}

inline Expected expect(const DepthView& frame, const Parameters& parameters,
                       const OverlayOptions& options = {}) {
  Expected expected;
  const reference::Frame filtered = reference::filter(frame, parameters);
  reference::segment(filtered.view(), segmented_known_range(parameters, frame.type),
                     segment_rules(parameters), &expected.segments);
  if (parameters.classify) {
    const ClassRules rules = class_rules(parameters);
    const Ground ground = find_ground(expected.segments, frame.height, rules);
    expected.classes.resize(expected.segments.segment_count());
    classify_segments(expected.segments, ground, rules, expected.classes.data());
  }
  expected.samples = tight_samples(frame);
  expected.reconstructed = expected.samples;
  const std::ptrdiff_t stride = std::ptrdiff_t{frame.width} * bytes_per_sample(frame.type);
  reference::reconstruct(filtered, expected.segments, parameters,
                         {reinterpret_cast<std::byte*>(expected.reconstructed.data()), stride,
                          frame.width, frame.height, frame.type});
  expected.picture = expect_picture(frame, expected.segments, parameters, options);
  return expected;
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_EXPECTED_H_
