// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/filters/blend.h"

#include "kernels/filters/blend_arguments.h"

extern "C" const unsigned char rdp_blend_fatbin[];

namespace rdp::cuda {

Blender::Blender()
    : module_(rdp_blend_fatbin),
      rgba_(module_, "rdp_blend_rgba"),
      nv12_(module_, "rdp_blend_nv12") {}

BlendedPicture blended_picture(const DeviceRgbaView& picture) {
  BlendedPicture blended{};
  blended.pixels = picture.bytes();
  blended.pitch = picture.pitch;
  blended.width = picture.width;
  blended.height = picture.height;
  return blended;
}

BlendedPicture blended_picture(const DeviceNv12View& picture, const YuvMatrix& matrix) {
  BlendedPicture blended{};
  blended.pixels = reinterpret_cast<unsigned char*>(picture.luma);
  blended.pitch = picture.luma_pitch;
  blended.width = picture.width;
  blended.height = picture.height;
  blended.chroma = reinterpret_cast<unsigned char*>(picture.chroma);
  blended.chroma_pitch = picture.chroma_pitch;
  blended.matrix = matrix;
  return blended;
}

void Blender::run(const DeviceRgbaView& drawing, const DeviceRgbaView& picture,
                  CUstream stream) const {
  const BlendArguments arguments{drawing.bytes(), drawing.pitch, blended_picture(picture)};
  rgba_.start(tiled(picture.width, picture.height, kBlendColumns, kBlendRows, kBlendThreads),
              stream, arguments);
}

void Blender::run(const DeviceRgbaView& drawing, const YuvMatrix& matrix,
                  const DeviceNv12View& picture, CUstream stream) const {
  const BlendArguments arguments{drawing.bytes(), drawing.pitch, blended_picture(picture, matrix)};
  nv12_.start(
      tiled(picture.width, picture.height, 2 * kBlendColumns, 2 * kBlendRows, kBlendThreads),
      stream, arguments);
}

}  // namespace rdp::cuda
