// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/filters/filters.h"

#include <cstring>

#include "kernels/filters/filter_arguments.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

extern "C" const unsigned char rdp_inverse_depth_fatbin[];
extern "C" const unsigned char rdp_join_columns_fatbin[];
extern "C" const unsigned char rdp_median_fatbin[];
extern "C" const unsigned char rdp_blend_fatbin[];

namespace rdp::cuda {
namespace {

FilterArguments filter_arguments(const DeviceFrames& in, const DeviceFrames& out) {
  return {frame_list(in), frame_list(out), in.count(), in.width(), in.height()};
}

}  // namespace

InverseDepth::InverseDepth()
    : module_(rdp_inverse_depth_fatbin),
      kernels_(module_, "rdp_inverse_depth_u8", "rdp_inverse_depth_u16") {}

void InverseDepth::update_table(const Parameters& parameters, SampleType type, CUstream stream) {
  if (table_.update(inverse_depth_of(parameters), type)) uploaded_ = false;
  if (uploaded_) return;
  const std::size_t bytes = table_.size() * sizeof(std::uint16_t);
  device_table_.ensure(bytes);
  staging_read_.synchronize();
  std::memcpy(staging_.ensure(bytes), table_.data(), bytes);
  check(driver().cuMemcpyHtoDAsync_v2(device_table_.get(), staging_.get(), bytes, stream),
        "copying the table of inverse depths to the GPU");
  staging_read_.record(stream);
  uploaded_ = true;
}

void InverseDepth::run(const DeviceFrames& in, const Parameters& parameters,
                       const DeviceFrames& out, CUstream stream) {
  update_table(parameters, in.type(), stream);
  const InverseDepthArguments arguments{filter_arguments(in, out),
                                        device_table_.as<std::uint16_t>()};
  kernels_.of(in.type()).start(tiled(in.width(), in.height(), kInverseDepthColumns,
                                     kInverseDepthRows, kInverseDepthThreads, in.count()),
                               stream, arguments);
}

ColumnJoiner::ColumnJoiner()
    : module_(rdp_join_columns_fatbin),
      kernels_(module_, "rdp_join_columns_u8", "rdp_join_columns_u16") {}

void ColumnJoiner::run(const DeviceFrames& in, const KnownRange& known, int column_width,
                       const DeviceFrames& out, CUstream stream) const {
  JoinColumnsArguments arguments{filter_arguments(in, out)};
  arguments.column_width = column_width;
  arguments.known_first = known.first;
  arguments.known_last = known.last;
  arguments.unknown = unknown_sample(known);
  kernels_.of(in.type()).start(
      tiled(out.width(), out.height(), kJoinColumns, kJoinRows, kJoinThreads, out.count()), stream,
      arguments);
}

MedianFilter::MedianFilter()
    : module_(rdp_median_fatbin),
      of_3x3_(module_, "rdp_median_3_u8", "rdp_median_3_u16"),
      of_5x5_(module_, "rdp_median_5_u8", "rdp_median_5_u16") {}

void MedianFilter::run(const DeviceFrames& in, int side, const DeviceFrames& out,
                       CUstream stream) const {
  const SampleKernels& kernels = side == 3 ? of_3x3_ : of_5x5_;
  kernels.of(in.type()).start(
      tiled(in.width(), in.height(), kMedianColumns, kMedianRows, kMedianThreads, in.count()),
      stream, MedianArguments{filter_arguments(in, out)});
}

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
