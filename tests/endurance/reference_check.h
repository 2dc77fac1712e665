// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_REFERENCE_CHECK_H_
#define RDP_TESTS_ENDURANCE_REFERENCE_CHECK_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/rdp/overlay.h"
#include "common/rdp/parameters.h"
#include "common/rdp/segment_list.h"
#include "tests/endurance/content.h"

// What the element must make of a frame, by the scalar reference, and whether it did.
namespace rdp::endurance {

struct Setting {
  Parameters parameters;
  bool reconstruct = false;
  OverlayStyle style = OverlayStyle::kSegments;
};

// Sets the element's properties, but not those of its overlay.
void apply(GstElement* element, const Setting& setting);

// Checksums stand for what would take too much memory.
struct Expected {
  SegmentList segments;
  std::vector<std::uint8_t> classes;  // of each segment, where they have any
  std::uint64_t samples = 0;          // as they leave
  std::uint64_t picture = 0;
};

Expected expect(const Content& content, const Setting& setting);

// Whether `info` says that the segments were made with these parameters.
bool made_with(const GstRdpSegmentationInfo& info, const Parameters& parameters);

// The following say what is wrong, in which the frame is called `name`; empty: nothing is.

// Segments, their classes, and what is said about them. `frame`: the number that the element
// counts.
std::string check_segments(GstBuffer* output, const Content& content, const Setting& setting,
                           const Expected& expected, std::uint64_t frame);
// The samples, in whatever memory.
std::string check_samples(GstBuffer* output, const Shape& shape, const Expected& expected);
std::string check_picture(GstBuffer* picture, const Shape& shape, const Expected& expected);

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_REFERENCE_CHECK_H_
