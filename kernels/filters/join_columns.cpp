// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/filters/join_columns.h"

#include "kernels/filters/join_columns_arguments.h"

extern "C" const unsigned char rdp_join_columns_fatbin[];

namespace rdp::cuda {

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

}  // namespace rdp::cuda
