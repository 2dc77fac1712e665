// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_CONTENT_H_
#define RDP_TESTS_ENDURANCE_CONTENT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/support/gst_frames.h"

// Content of the frames of long runs, and a checksum to distinguish them.
namespace rdp::endurance {

using frames::Content;
using frames::row_bytes;
using frames::Shape;
using test::kScenes;
using test::Scene;

std::string describe(const Shape& shape);

// A buffer in system memory. Throws std::runtime_error.
GstBuffer* make_buffer(const Content& content);

// Distinguishes frames that differ in a sample. Row padding does not count.
std::uint64_t checksum(const void* data, std::ptrdiff_t stride, std::size_t row_bytes, int rows);
inline std::uint64_t checksum(const Content& content) {
  return checksum(content.samples.data(), static_cast<std::ptrdiff_t>(row_bytes(content.shape)),
                  row_bytes(content.shape), content.shape.height);
}

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_CONTENT_H_
