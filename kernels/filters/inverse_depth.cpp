// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/filters/inverse_depth.h"

#include <cstring>

#include "kernels/filters/inverse_depth_arguments.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

extern "C" const unsigned char rdp_inverse_depth_fatbin[];

namespace rdp::cuda {

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

}  // namespace rdp::cuda
