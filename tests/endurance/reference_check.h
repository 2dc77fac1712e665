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

// The scalar reference's result for a frame, and comparisons of the element's output with it.
namespace rdp::endurance {

struct Setting {
  Parameters parameters;
  bool reconstruct = false;
  OverlayStyle style = OverlayStyle::kSegments;
};

// Sets the element's properties, but not those of its overlay.
void apply(GstElement* element, const Setting& setting);

// The reference's result. Checksums replace samples and pictures to save memory.
struct Expected {
  SegmentList segments;
  std::vector<std::uint8_t> classes;  // of each segment, if any
  std::uint64_t samples = 0;          // checksum of the output samples
  std::uint64_t picture = 0;
};

Expected expect(const Content& content, const Setting& setting);

// True if `info` states these parameters.
bool made_with(const GstRdpSegmentationInfo& info, const Parameters& parameters);

// The following return an error text; empty: no error.

// Checks segments, classes and info. `frame`: the element's frame number.
std::string check_segments(GstBuffer* output, const Content& content, const Setting& setting,
                           const Expected& expected, std::uint64_t frame);
// Checks the samples, in any memory.
std::string check_samples(GstBuffer* output, const Shape& shape, const Expected& expected);
std::string check_picture(GstBuffer* picture, const Shape& shape, const Expected& expected);

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_REFERENCE_CHECK_H_
