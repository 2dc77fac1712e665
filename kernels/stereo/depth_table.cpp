// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/stereo/depth_table.h"

#include <cstddef>

#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "kernels/stereo/stereo_arguments.h"

extern "C" const unsigned char rdp_depth_table_fatbin[];

namespace rdp::cuda {

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
