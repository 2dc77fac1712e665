// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/marks.h"

extern "C" const unsigned char rdp_marks_fatbin[];

namespace rdp::cuda {

MarksPainter::MarksPainter()
    : module_(rdp_marks_fatbin),
      texts_(module_, "rdp_paint_texts"),
      legend_(module_, "rdp_paint_legend") {}

void MarksPainter::paint_texts(const PaintedText* texts, int count, const DeviceRgbaView& picture,
                               CUstream stream, const SegmentListView& list) const {
  if (count == 0) return;
  LaunchShape shape;
  shape.blocks_x = static_cast<unsigned>(count);
  shape.threads = kTextThreads;
  texts_.start(shape, stream, TextArguments{picture.bytes(), picture.pitch, texts, count, list});
}

void MarksPainter::paint_legend(const Legend& legend, const PictureRange& range,
                                const DeviceRgbaView& picture, CUstream stream,
                                const SegmentListView& list) const {
  if (legend.zoom == 0) return;
  legend_.start(tiled(legend.columns * legend.zoom, legend.rows * legend.zoom, kLegendColumns,
                      kLegendRows, kLegendThreads),
                stream, LegendArguments{picture.bytes(), picture.pitch, legend, range, list});
}

}  // namespace rdp::cuda
