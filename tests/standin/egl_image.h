// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STANDIN_EGL_IMAGE_H_
#define RDP_TESTS_STANDIN_EGL_IMAGE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

// The EGL image shared by the two stand-ins: libnvbufsurface makes it, libcuda registers it.
struct EglImage {
  static constexpr std::uint32_t kMagic = 0x45474C49;

  std::uint32_t magic = kMagic;
  std::byte* data = nullptr;
  unsigned width = 0;
  unsigned height = 0;
  unsigned pitch = 0;
  unsigned sample_bytes = 0;
  bool block_linear = false;
  std::atomic<int> registrations{0};
};

#endif  // RDP_TESTS_STANDIN_EGL_IMAGE_H_
