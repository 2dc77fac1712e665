// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/placed_painter.h"

#include <cstddef>
#include <cstdint>

extern "C" const unsigned char rdp_placed_segments_fatbin[];

namespace rdp::cuda {
namespace {

void start(const Kernel& kernel, PlacedArguments arguments, const BlendedPicture& picture,
           CUstream stream) {
  if (arguments.count == 0) return;
  arguments.picture = picture;
  kernel.start(tiled(picture.width, picture.height, kPlacedColumns, kPlacedRows, kPlacedThreads),
               stream, arguments);
}

}  // namespace

PlacedPainter::PlacedPainter()
    : module_(rdp_placed_segments_fatbin),
      rgba_(module_, "rdp_placed_rgba"),
      nv12_(module_, "rdp_placed_nv12") {}

void PlacedArrays::take(const PlacedSegments& segments, int width, int height, CUstream stream) {
  const std::size_t most = segments.size();
  const bool boxes_alone = segments.upright();
  arrays_.clear();
  const std::size_t boxes = arrays_.add_room<PlacedBox>(most);
  const std::size_t lines = arrays_.add_room<PlacedLine>(most);
  const std::size_t corners = arrays_.add_room<PlacedCorners>(boxes_alone ? 0 : most);
  arrays_.prepare();
  arguments_.count = 0;
  for (const PlacedSegments::Quad& quad : segments.quads()) {
    const PlacedBox box = segments.box_of(quad);
    if (box.right <= 0 || box.left >= width || box.bottom <= 0 || box.top >= height) continue;
    const std::size_t i = arguments_.count++;
    arrays_.room<PlacedBox>(boxes)[i] = box;
    arrays_.room<PlacedLine>(lines)[i] = segments.line_of(quad);
    if (!boxes_alone) arrays_.room<PlacedCorners>(corners)[i] = quad.corners;
  }
  arrays_.run("copying the segments of a picture to the GPU", stream);
  arguments_.boxes = arrays_.at<PlacedBox>(boxes);
  arguments_.lines = arrays_.at<PlacedLine>(lines);
  arguments_.corners = boxes_alone ? nullptr : arrays_.at<PlacedCorners>(corners);
  const OverlayLook& look = segments.look();
  arguments_.alpha = segments.alpha();
  arguments_.frame_height = segments.frame_height();
  arguments_.classes = look.style == OverlayStyle::kClasses ? 1 : 0;
  arguments_.ground = look.ground;
  arguments_.plane = look.plane;
  arguments_.rules = look.rules;
  arguments_.range = look.range;
}

void PlacedPainter::run(const PlacedArrays& segments, const DeviceRgbaView& picture,
                        CUstream stream) const {
  start(rgba_, segments.arguments_, blended_picture(picture), stream);
}

void PlacedPainter::run(const PlacedArrays& segments, const YuvMatrix& matrix,
                        const DeviceNv12View& picture, CUstream stream) const {
  start(nv12_, segments.arguments_, blended_picture(picture, matrix), stream);
}

}  // namespace rdp::cuda
