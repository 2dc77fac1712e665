// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_GRAY_PNG_H_
#define RDP_TESTS_BENCH_GRAY_PNG_H_

#include <filesystem>

#include "common/rdp/reference.h"

namespace rdp::bench {

// The samples of a PNG with one channel of 8 or 16 bits; empty (width 0) if the file is missing or
// of another kind. Uses libpng, because OpenCV's imgcodecs depends on a hundred megabytes of
// libraries.
reference::Frame read_gray_png(const std::filesystem::path& path);

// The brightness of an 8-bit PNG, grey or colour (ITU-R BT.601, halves rounded up); empty as above.
reference::Frame read_brightness_png(const std::filesystem::path& path);

// The samples of a PNG with three channels of 8 or 16 bits, interleaved: the frame is three times
// as wide as the picture. Empty as above.
reference::Frame read_colour_png(const std::filesystem::path& path);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_GRAY_PNG_H_
