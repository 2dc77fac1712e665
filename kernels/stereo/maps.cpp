// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/stereo/maps.h"

#include <cstddef>

#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "kernels/stereo/stereo_arguments.h"

extern "C" const unsigned char rdp_rectifier_fatbin[];
extern "C" const unsigned char rdp_depth_table_fatbin[];

namespace rdp::cuda {

static_assert(sizeof(DeviceMapPoint) == sizeof(stereo::MapPoint) &&
              kMapNotSeen == stereo::kNotSeen && stereo::kMapOne == 32);

Rectifier::Rectifier() : module_(rdp_rectifier_fatbin), rectify_(module_, "rdp_rectify") {}

void Rectifier::set_map(const stereo::RectificationMap& map) {
  // Until both are there, there is no map.
  width_ = height_ = 0;
  const std::size_t point_bytes = map.points.size() * sizeof(stereo::MapPoint);
  points_.ensure(point_bytes);
  mask_.ensure(map.mask.size());
  const Stream stream;
  check(driver().cuMemcpyHtoDAsync_v2(points_.get(), map.points.data(), point_bytes, stream.get()),
        "copying a rectification's map to the GPU");
  check(driver().cuMemcpyHtoDAsync_v2(mask_.get(), map.mask.data(), map.mask.size(), stream.get()),
        "copying a rectification's mask to the GPU");
  stream.synchronize();
  width_ = map.width;
  height_ = map.height;
}

DeviceDepthView Rectifier::mask() const {
  return {mask_.get(), width_, width_, height_, SampleType::kU8};
}

void Rectifier::rectify(const DeviceDepthView& picture, const DeviceDepthView& out,
                        CUstream stream) {
  const RectifyArguments arguments{picture.bytes(), out.bytes(), points_.as<DeviceMapPoint>(),
                                   picture.pitch,   out.pitch,   width_,
                                   height_};
  rectify_.start(tiled(width_, height_, kRectifyColumns, kRectifyRows, kRectifyThreads), stream,
                 arguments);
}

DepthTable::DepthTable()
    : module_(rdp_depth_table_fatbin), to_depth_(module_, "rdp_disparity_to_depth") {}

void DepthTable::set_table(const std::vector<std::uint16_t>& table) {
  const std::size_t bytes = table.size() * sizeof(std::uint16_t);
  const Stream stream;
  check(driver().cuMemcpyHtoDAsync_v2(table_.ensure(bytes), table.data(), bytes, stream.get()),
        "copying the table of distances to the GPU");
  stream.synchronize();
}

void DepthTable::to_depth(const DeviceDepthView& disparity, CUstream stream) {
  const DepthTableArguments arguments{disparity.bytes(), table_.as<std::uint16_t>(),
                                      disparity.pitch, disparity.width, disparity.height};
  to_depth_.start(tiled(disparity.width, disparity.height, kDepthTableColumns, kDepthTableRows,
                        kDepthTableThreads),
                  stream, arguments);
}

}  // namespace rdp::cuda
