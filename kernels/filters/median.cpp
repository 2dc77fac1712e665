// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/filters/median.h"

#include "kernels/filters/median_arguments.h"

extern "C" const unsigned char rdp_median_fatbin[];

namespace rdp::cuda {
namespace {

constexpr const char* kNames[2][2] = {{"rdp_median_3_u8", "rdp_median_3_u16"},
                                      {"rdp_median_5_u8", "rdp_median_5_u16"}};

}  // namespace

MedianFilter::MedianFilter() : module_(rdp_median_fatbin) {
  for (int side = 0; side < 2; ++side) {
    for (int type = 0; type < 2; ++type) kernels_[side][type] = module_.kernel(kNames[side][type]);
  }
}

void MedianFilter::run(const DeviceDepthView& in, int side, const DeviceDepthView& out,
                       CUstream stream) const {
  MedianArguments arguments{};
  arguments.in = reinterpret_cast<const unsigned char*>(in.data);
  arguments.in_pitch = in.pitch;
  arguments.out = reinterpret_cast<unsigned char*>(out.data);
  arguments.out_pitch = out.pitch;
  arguments.width = in.width;
  arguments.height = in.height;
  const int of_side = side == 3 ? 0 : 1;
  const int of_type = in.type == SampleType::kU8 ? 0 : 1;
  launch(kernels_[of_side][of_type], kNames[of_side][of_type],
         tiled(in.width, in.height, kMedianColumns, kMedianRows, kMedianThreads), stream,
         arguments);
}

}  // namespace rdp::cuda
