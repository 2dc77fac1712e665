// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/filters/join_columns.h"

#include "kernels/filters/join_columns_arguments.h"

extern "C" const unsigned char rdp_join_columns_fatbin[];

namespace rdp::cuda {
namespace {

constexpr const char* kNames[2] = {"rdp_join_columns_u8", "rdp_join_columns_u16"};

}  // namespace

ColumnJoiner::ColumnJoiner() : module_(rdp_join_columns_fatbin) {
  for (int type = 0; type < 2; ++type) kernels_[type] = module_.kernel(kNames[type]);
}

void ColumnJoiner::run(const DeviceDepthView& in, const KnownRange& known, int column_width,
                       const DeviceDepthView& out, CUstream stream) const {
  JoinColumnsArguments arguments{};
  arguments.in = reinterpret_cast<const unsigned char*>(in.data);
  arguments.in_pitch = in.pitch;
  arguments.out = reinterpret_cast<unsigned char*>(out.data);
  arguments.out_pitch = out.pitch;
  arguments.width = in.width;
  arguments.height = in.height;
  arguments.column_width = column_width;
  arguments.known_first = known.first;
  arguments.known_last = known.last;
  arguments.unknown = unknown_sample(known);
  const int of_type = in.type == SampleType::kU8 ? 0 : 1;
  launch(kernels_[of_type], kNames[of_type],
         tiled(out.width, out.height, kJoinColumns, kJoinRows, kJoinThreads), stream, arguments);
}

}  // namespace rdp::cuda
