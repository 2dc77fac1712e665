// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/column_kernels.h"

#include <algorithm>

#include "kernels/runtime/context.h"

namespace rdp::cuda {
namespace {

// Shared memory that the kernels have besides: tests/kernels/bounds.txt.
constexpr int kStaticShared = 1024;

}  // namespace

FrameArguments frame_arguments(const DeviceFrames& frames, const KnownRange& known) {
  const bool empty = known.first > known.last || known.first > 65535;
  return {frame_list(frames),
          frames.count(),
          frames.width(),
          frames.height(),
          empty ? 1U : known.first,
          empty ? 0U : std::min(known.last, 65535U),
          static_cast<std::uint32_t>(bytes_per_sample(frames.type()))};
}

ColumnKernels::ColumnKernels(const unsigned char* fat_binary, const Names& names)
    : module_(fat_binary),
      shared_limit_(
          current_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) -
          kStaticShared),
      several_(module_, names.several[0], names.several[1], static_cast<unsigned>(shared_limit_)),
      single_(module_, names.single[0], names.single[1], static_cast<unsigned>(shared_limit_)) {}

}  // namespace rdp::cuda
