// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/refit.h"

#include "kernels/rdp/column_kernels.h"
#include "kernels/rdp/segment_arguments.h"

extern "C" const unsigned char rdp_refit_fatbin[];

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

}  // namespace rdp::cuda
