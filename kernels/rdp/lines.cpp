// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/lines.h"

#include <algorithm>

#include "kernels/rdp/column_kernels.h"
#include "kernels/rdp/segment_arguments.h"

extern "C" const unsigned char rdp_refit_fatbin[];
extern "C" const unsigned char rdp_reconstruct_fatbin[];

namespace rdp::cuda {

LineRefitter::LineRefitter()
    : module_(rdp_refit_fatbin), kernels_(module_, "rdp_refit_u8", "rdp_refit_u16") {}

void LineRefitter::run(const DeviceFrames& frames, const KnownRange& known,
                       const SegmentRules& rules, const DeviceSegmentList& list,
                       CUstream stream) const {
  RefitArguments arguments{frame_arguments(frames, known)};
  arguments.max_gap = rules.max_gap;
  arguments.near = rules.near;
  arguments.list = list.view();
  const int columns = frames.height() > kRefitRows ? 1 : kRefitColumns;
  LaunchShape shape;
  shape.blocks_x = static_cast<unsigned>(blocks_of(frames.width(), columns));
  shape.blocks_y = static_cast<unsigned>(frames.count());
  shape.threads = static_cast<unsigned>(columns) * 32;
  shape.shared_bytes = static_cast<unsigned>(columns * refit_column_bytes(frames.height()));
  start_(kernels_.of(frames.type()), shape, stream, arguments);
}

Reconstructor::Reconstructor()
    : module_(rdp_reconstruct_fatbin), kernel_(module_, "rdp_reconstruct") {}

void Reconstructor::run(const DeviceFrames& filtered, const SegmentListView& segments,
                        const Parameters& parameters, const DeviceFrames& frames,
                        CUstream stream) const {
  const KnownRange known = segmented_known_range(parameters, frames.type());
  const KnownRange depths = input_known_range(parameters);
  ReconstructArguments arguments{};
  arguments.filtered = frame_list(filtered);
  arguments.frames = frame_list(frames);
  arguments.width = frames.width();
  arguments.height = frames.height();
  arguments.column_width = parameters.column_width;
  arguments.sample_bytes = static_cast<std::uint32_t>(bytes_per_sample(frames.type()));
  arguments.known_first = known.first;
  arguments.known_last = known.last;
  arguments.inverse = parameters.domain == Domain::kInverse ? 1 : 0;
  arguments.inverse_scale = parameters.inverse_scale;
  arguments.depth_first = depths.first;
  arguments.depth_last = std::min(depths.last, max_sample(frames.type()));
  arguments.list = segments;
  kernel_.start(tiled(frames.width(), frames.height(), kReconstructColumns, kReconstructRows,
                      kReconstructThreads, frames.count()),
                stream, arguments);
}

}  // namespace rdp::cuda
