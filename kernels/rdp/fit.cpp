// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/fit.h"

#include <algorithm>

#include "kernels/rdp/column_kernels.h"
#include "kernels/rdp/fit_arguments.h"
#include "kernels/rdp/fit_layout.h"
#include "kernels/rdp/warp_layout.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/device_memory.h"

extern "C" const unsigned char rdp_fit_fatbin[];

namespace rdp::cuda {
namespace {

static_assert(kFitColumns == ColumnKernels::kColumns);
// Most resident blocks of a multiprocessor.
constexpr int kBlocksPerMultiprocessor = 12;
// Every block has room for the pieces of unusual columns, so tall frames have fewer blocks.
constexpr std::int64_t kMaxPieceBytes = std::int64_t{128} << 20;
// 64-bit words of the scratch memory before those of the tiles.
constexpr int kCounterWords = 2;

}  // namespace

struct LineFitter::Impl {
  ColumnKernels kernels{rdp_fit_fatbin,
                        {{"rdp_fit_4_u8", "rdp_fit_4_u16"}, {"rdp_fit_1_u8", "rdp_fit_1_u16"}}};
  int most_blocks =
      current_device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) * kBlocksPerMultiprocessor;
  DeviceBuffer scratch;
  DeviceBuffer pieces;
};

LineFitter::LineFitter() : impl_(std::make_unique<Impl>()) {}

LineFitter::~LineFitter() = default;

void LineFitter::run(const DeviceFrames& frames, const KnownRange& known, const SegmentRules& rules,
                     CUdeviceptr vertices, DeviceSegmentList* result, SegmentWork* work,
                     CUstream stream) {
  // Low frames come here because of columns with many pieces, which lie in global memory. Fewer
  // columns per block spread them better, and leave more shared memory to the cache.
  const bool several =
      frames.height() > kWarpRows &&
      FitLayout(frames.height(), kFitColumns).bytes <= impl_->kernels.shared_limit();
  const int columns = several ? kFitColumns : 1;
  const int tiles = blocks_of(frames.width(), columns) * frames.count();
  const std::int64_t pieces_bytes = PiecesLayout(frames.height()).bytes * columns;
  const std::int64_t blocks = std::clamp<std::int64_t>(kMaxPieceBytes / pieces_bytes, 1,
                                                       std::min(impl_->most_blocks, tiles));
  // The kernels expect zeros where no frame has been before.
  impl_->scratch.ensure_zeros((static_cast<std::size_t>(tiles) + kCounterWords) *
                              sizeof(std::uint64_t));
  impl_->pieces.ensure(static_cast<std::size_t>(pieces_bytes * blocks));

  FitArguments arguments{frame_arguments(frames, known)};
  arguments.max_gap = rules.max_gap;
  arguments.refine = rules.refine ? 1 : 0;
  arguments.merge = rules.merge ? 1 : 0;
  arguments.truncation2 = rules.truncation2;
  arguments.price = rules.price;
  arguments.margin = rules.margin;
  arguments.vertices = reinterpret_cast<const std::uint32_t*>(vertices);
  auto* const scratch = impl_->scratch.as<std::uint64_t>();
  arguments.counters = reinterpret_cast<std::uint32_t*>(scratch);
  arguments.tiles = reinterpret_cast<unsigned long long*>(scratch + kCounterWords);
  arguments.pieces = impl_->pieces.as<unsigned char>();
  arguments.pieces_bytes = pieces_bytes;
  arguments.work = work;
  arguments.list = result->view();
  LaunchShape shape;
  shape.blocks_x = static_cast<unsigned>(blocks);
  shape.threads = static_cast<unsigned>(columns * kFitColumnThreads);
  shape.shared_bytes = static_cast<unsigned>(FitLayout(frames.height(), columns).bytes);
  impl_->kernels.start(columns, frames.type(), shape, stream, arguments);
}

}  // namespace rdp::cuda
