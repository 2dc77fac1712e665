// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_KLTTRACK_MASK_FILE_H_
#define RDP_GST_ELEMENTS_KLTTRACK_MASK_FILE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "common/image/depth_view.h"

namespace rdp::gst {

// An 8-bit image: features may be found only where it is not 0.
struct Mask {
  std::vector<std::byte> pixels;
  int width = 0;  // 0: there is none
  int height = 0;

  DepthView view() const {
    return width == 0 ? DepthView{}
                      : DepthView{pixels.data(), width, width, height, SampleType::kU8};
  }
};

// Reads a file of binary PGM (P5) with at most 8 bits a pixel. False: *reason says what was
// expected and what came. Throws std::bad_alloc.
bool read_mask(const char* file, Mask* mask, std::string* reason);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_KLTTRACK_MASK_FILE_H_
