// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_KLT_KLT_FRAMES_H_
#define RDP_TESTS_KLT_KLT_FRAMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "common/klt/reference.h"
#include "tests/support/test_frame.h"

// Pictures for tracking tests.
namespace rdp::test {

enum class PictureKind {
  kTexture,  // blurred noise, which moves with its offset
  kNoise,
  kFlat,
  kWhite,
  kChecks,  // 0 and 255, squares of 1 to 9 px that move with the offset
  kEdges,   // vertical stripes: one direction alone
  kFewLevels,
  kStripes,  // columns of 0 and 255, two px each, that change places every 16 rows
  kCount,
};

// A picture moved by whole pixels. `seed` also determines the layout of its rows.
TestFrame klt_picture(PictureKind kind, int width, int height, unsigned seed, int dx = 0,
                      int dy = 0);

// The first difference, to the bit; "" if equal.
std::string first_difference(const klt::reference::Result& expected,
                             const std::vector<klt::Track>& tracks,
                             const std::vector<klt::Lost>& lost);

}  // namespace rdp::test

#endif  // RDP_TESTS_KLT_KLT_FRAMES_H_
