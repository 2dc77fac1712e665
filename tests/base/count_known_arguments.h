// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BASE_COUNT_KNOWN_ARGUMENTS_H_
#define RDP_TESTS_BASE_COUNT_KNOWN_ARGUMENTS_H_

#include <cstdint>

#include "common/host_device.h"

namespace rdp::test {

// Arguments of the kernels count_known_u8 and count_known_u16.
struct CountKnownArguments {
  const unsigned char* frame;
  std::int64_t pitch;
  std::int32_t width;
  std::int32_t height;
  std::uint32_t first;  // known samples: first <= sample <= last
  std::uint32_t last;
  std::uint32_t* counts;  // one for each column
};

// Arguments of the kernel count_known_paint.
struct PaintCountsArguments {
  const std::uint32_t* counts;
  unsigned char* picture;
  std::int64_t pitch;
  std::int32_t width;
  std::int32_t height;
};

constexpr int kCountThreads = 128;  // one for each column

// The pixel of a bar that stands on the lowest row: R, G, B, A from the lowest byte on.
RDP_HOST_DEVICE inline std::uint32_t bar_pixel(std::uint32_t count, int row, int height) {
  return static_cast<std::uint32_t>(height - row) <= count ? 0xFFFFFFFFU : 0xFF000000U;
}

}  // namespace rdp::test

#endif  // RDP_TESTS_BASE_COUNT_KNOWN_ARGUMENTS_H_
