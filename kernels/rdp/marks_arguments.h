// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_MARKS_ARGUMENTS_H_
#define RDP_KERNELS_RDP_MARKS_ARGUMENTS_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/rdp/legend.h"
#include "common/rdp/overlay_pixels.h"
#include "common/rdp/painted_marks.h"
#include "kernels/rdp/segment_list_view.h"

namespace rdp::cuda {

// The palette's range of a picture.
struct PictureRange {
  PaletteRange chosen;
  const PaletteRange* of_frame;  // on the device; replaces `chosen` if not null
  std::uint32_t backwards;       // 1: of_frame is reversed

  RDP_HOST_DEVICE PaletteRange get() const {
    return of_frame == nullptr ? chosen : backwards != 0 ? rdp::backwards(*of_frame) : *of_frame;
  }
};

// Arguments of the kernel rdp_paint_texts, which starts after the picture. It paints nothing if the
// list is truncated; a list without frames never is.
struct TextArguments {
  unsigned char* picture;
  std::int64_t picture_pitch;
  const PaintedText* texts;  // in the picture, a block each; no two touch
  std::int32_t count;
  SegmentListView list;
};

// Arguments of the kernel rdp_paint_legend, which starts last: see common/rdp/legend.h.
struct LegendArguments {
  unsigned char* picture;
  std::int64_t picture_pitch;
  Legend legend;
  PictureRange range;
  SegmentListView list;  // as in TextArguments
};

constexpr int kTextThreads = 128;
// The part of a legend that a block of threads paints.
constexpr int kLegendThreads = 256;
constexpr int kLegendColumns = 32;
constexpr int kLegendRows = 32;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_MARKS_ARGUMENTS_H_
