// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/content.h"

#include <cstring>
#include <stdexcept>

#include "common/scene/hash_random.h"

namespace rdp::endurance {

std::string describe(const Shape& shape) {
  return std::to_string(shape.width) + "x" + std::to_string(shape.height) + " " +
         gst_video_format_to_string(shape.format) +
         (shape.stride == 0 ? "" : ", stride " + std::to_string(shape.stride)) +
         (shape.offset == 0 ? "" : ", offset " + std::to_string(shape.offset));
}

GstBuffer* make_buffer(const Content& content) {
  GstBuffer* buffer = frames::new_buffer(content);
  if (buffer == nullptr) {
    throw std::runtime_error("no memory for a frame of " + describe(content.shape));
  }
  return buffer;
}

std::uint64_t checksum(const void* data, std::ptrdiff_t stride, std::size_t row_bytes, int rows) {
  std::uint64_t sum = 0;
  for (int row = 0; row < rows; ++row) {
    const std::byte* start = static_cast<const std::byte*>(data) + row * stride;
    // Each step is a bijection of the sum, so only a later coincidence can cancel a difference.
    for (std::size_t i = 0; i < row_bytes; i += sizeof(sum)) {
      std::uint64_t word = 0;
      std::memcpy(&word, start + i, std::min(sizeof(word), row_bytes - i));
      sum = (sum ^ word) * kGoldenRatio64;
      sum ^= sum >> 32;
    }
  }
  return sum;
}

}  // namespace rdp::endurance
