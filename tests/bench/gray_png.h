// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_GRAY_PNG_H_
#define RDP_TESTS_BENCH_GRAY_PNG_H_

#include <filesystem>

#include "common/rdp/reference.h"

namespace rdp::bench {

// The samples of a PNG with one channel of 8 or 16 bits; empty (width 0) when there is no such file
// or it is another kind. libpng rather than OpenCV's imgcodecs, which brings a hundred megabytes of
// libraries.
reference::Frame read_gray_png(const std::filesystem::path& path);

// The brightness of a PNG of 8 bits, grey or in colours (ITU-R BT.601, halves rounded up); empty as
// above.
reference::Frame read_brightness_png(const std::filesystem::path& path);

// The samples of a PNG with three channels of 8 or 16 bits, side by side: the frame is three times
// as wide as the picture; empty as above.
reference::Frame read_colour_png(const std::filesystem::path& path);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_GRAY_PNG_H_
