// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/reconstruct.h"

#include <algorithm>

#include "kernels/rdp/reconstruct_arguments.h"

extern "C" const unsigned char rdp_reconstruct_fatbin[];

namespace rdp::cuda {

Reconstructor::Reconstructor()
    : module_(rdp_reconstruct_fatbin), kernel_(module_, "rdp_reconstruct") {}

void Reconstructor::run(const DeviceDepthView& filtered, const SegmentListView& segments,
                        const Parameters& parameters, const DeviceDepthView& frame,
                        CUstream stream) const {
  const KnownRange known = segmented_known_range(parameters, frame.type);
  const KnownRange depths = input_known_range(parameters);
  ReconstructArguments arguments{};
  arguments.filtered = filtered.bytes();
  arguments.filtered_pitch = filtered.pitch;
  arguments.frame = frame.bytes();
  arguments.frame_pitch = frame.pitch;
  arguments.width = frame.width;
  arguments.height = frame.height;
  arguments.column_width = parameters.column_width;
  arguments.sample_bytes = static_cast<std::uint32_t>(bytes_per_sample(frame.type));
  arguments.known_first = known.first;
  arguments.known_last = known.last;
  arguments.inverse = parameters.domain == Domain::kInverse ? 1 : 0;
  arguments.inverse_scale = parameters.inverse_scale;
  arguments.depth_first = depths.first;
  arguments.depth_last = std::min(depths.last, max_sample(frame.type));
  arguments.list = segments;
  kernel_.start(
      tiled(frame.width, frame.height, kReconstructColumns, kReconstructRows, kReconstructThreads),
      stream, arguments);
}

}  // namespace rdp::cuda
