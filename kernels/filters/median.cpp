// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/filters/median.h"

#include "kernels/filters/median_arguments.h"

extern "C" const unsigned char rdp_median_fatbin[];

namespace rdp::cuda {

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

}  // namespace rdp::cuda
