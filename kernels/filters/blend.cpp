// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/filters/blend.h"

#include "kernels/filters/blend_arguments.h"

extern "C" const unsigned char rdp_blend_fatbin[];

namespace rdp::cuda {

Blender::Blender()
    : module_(rdp_blend_fatbin),
      rgba_(module_, "rdp_blend_rgba"),
      nv12_(module_, "rdp_blend_nv12") {}

void Blender::run(const DeviceRgbaView& drawing, const DeviceRgbaView& picture,
                  CUstream stream) const {
  BlendArguments arguments{};
  arguments.drawing = drawing.bytes();
  arguments.drawing_pitch = drawing.pitch;
  arguments.picture = picture.bytes();
  arguments.picture_pitch = picture.pitch;
  arguments.width = picture.width;
  arguments.height = picture.height;
  rgba_.start(tiled(picture.width, picture.height, kBlendColumns, kBlendRows, kBlendThreads),
              stream, arguments);
}

void Blender::run(const DeviceRgbaView& drawing, const YuvMatrix& matrix,
                  const DeviceNv12View& picture, CUstream stream) const {
  BlendArguments arguments{};
  arguments.drawing = drawing.bytes();
  arguments.drawing_pitch = drawing.pitch;
  arguments.picture = reinterpret_cast<unsigned char*>(picture.luma);
  arguments.picture_pitch = picture.luma_pitch;
  arguments.width = picture.width;
  arguments.height = picture.height;
  arguments.chroma = reinterpret_cast<unsigned char*>(picture.chroma);
  arguments.chroma_pitch = picture.chroma_pitch;
  arguments.matrix = matrix;
  nv12_.start(
      tiled(picture.width, picture.height, 2 * kBlendColumns, 2 * kBlendRows, kBlendThreads),
      stream, arguments);
}

}  // namespace rdp::cuda
