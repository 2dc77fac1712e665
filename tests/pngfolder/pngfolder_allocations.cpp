// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures of one size: after the first ones nothing is allocated per picture, not even by libpng.
#include "tests/support/allocation_count.h"

// After it, because it includes gst-check.
#include "tests/pngfolder/png_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/meta_allocations.h"
#include "tests/support/steady_stream.h"

using namespace rdp::test;

CHECK_TEST(test_steady_state) {
#if RDP_COUNTS_ALLOCATIONS
  for (const bool interlaced : {false, true}) {
    for (const int colour : {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_PALETTE, PNG_COLOR_TYPE_RGBA}) {
      Folder folder;
      for (unsigned i = 0; i < 3; ++i) {
        const PngPicture picture = {.width = 60,
                                    .height = 40,
                                    .bits = 8,
                                    .colour = colour,
                                    .interlaced = interlaced,
                                    .decorated = true,
                                    .seed = i};
        folder.write(std::to_string(i) + ".png", picture.file());
      }
      const std::uint64_t count =
          steady_allocations("pngfoldersrc", "location=" + folder.path(), "fakesink");
      // Metadata with the file name.
      fail_unless(count <= meta_allocations(kCountedBuffers),
                  "colour type %d, interlaced %d: %d allocations", colour, interlaced,
                  static_cast<int>(count));
    }
  }
  fail_unless(allocation_count::count > 0, "allocations are not counted");
#endif
}

CHECK_CASE(pngfolder_allocations)
