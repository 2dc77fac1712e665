// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/segmenter.h"

#include "kernels/rdp/column_kernels.h"
#include "kernels/rdp/segment_arguments.h"
#include "kernels/rdp/segment_layout.h"
#include "kernels/runtime/device_memory.h"

extern "C" const unsigned char rdp_segment_fatbin[];

namespace rdp::cuda {

struct Segmenter::Impl {
  ColumnKernels kernels{
      rdp_segment_fatbin,
      {{"rdp_segment_4_u8", "rdp_segment_4_u16"}, {"rdp_segment_1_u8", "rdp_segment_1_u16"}}};
  DeviceBuffer scratch;
  int tile_stride = 0;

  // How many columns a block takes. More of them would read wider rows, but the deepest column of a
  // block keeps all its warps, so that fewer are faster (measured on an H200: four rather than
  // eight or two). Columns above kShortHeight, or too tall for the shared memory, are taken one by
  // one.
  int columns(int height) const {
    constexpr int kSeveral = ColumnKernels::kColumns;
    const bool fits =
        height <= kShortHeight && SegmentLayout(height, kSeveral).bytes <= kernels.shared_limit();
    return fits ? kSeveral : 1;
  }
};

Segmenter::Segmenter() : impl_(std::make_unique<Impl>()) {}

Segmenter::~Segmenter() = default;

void Segmenter::prepare(int width, int height) {
  const int blocks = blocks_of(width, impl_->columns(height));
  // The kernels expect zeros where no frame has been before. Whenever a frame's words move, all of
  // the scratch is new.
  if (blocks <= impl_->tile_stride) return;
  impl_->scratch.ensure_zeros(kMostFrames * (static_cast<std::size_t>(blocks) + 1) *
                              sizeof(std::uint64_t));
  impl_->tile_stride = blocks;
}

void Segmenter::segment(const DeviceFrames& frames, const KnownRange& known, std::int64_t eps256,
                        DeviceSegmentList* result, CUstream stream) {
  SegmentArguments arguments{frame_arguments(frames, known)};
  arguments.eps256 = static_cast<std::uint32_t>(eps256);
  arguments.list = result->view();
  start(frames.type(), &arguments, stream);
}

void Segmenter::find_vertices(const DeviceFrames& frames, const KnownRange& known,
                              std::int64_t eps256, int max_gap, CUdeviceptr vertices,
                              CUstream stream) {
  SegmentArguments arguments{frame_arguments(frames, known)};
  arguments.eps256 = static_cast<std::uint32_t>(eps256);
  arguments.max_gap = max_gap;
  arguments.vertices = reinterpret_cast<std::uint32_t*>(vertices);
  start(frames.type(), &arguments, stream);
}

void Segmenter::start(SampleType type, SegmentArguments* arguments, CUstream stream) {
  prepare(arguments->width, arguments->height);
  auto* const scratch = impl_->scratch.as<std::uint64_t>();
  arguments->launches = reinterpret_cast<std::uint32_t*>(scratch);
  arguments->tiles = reinterpret_cast<unsigned long long*>(scratch + kMostFrames);
  arguments->tile_stride = impl_->tile_stride;
  const int columns = impl_->columns(arguments->height);
  LaunchShape shape;
  shape.blocks_x = static_cast<unsigned>(blocks_of(arguments->width, columns));
  shape.blocks_y = static_cast<unsigned>(arguments->frame_count);
  shape.threads = kSegmentThreads;
  shape.shared_bytes = static_cast<unsigned>(SegmentLayout(arguments->height, columns).bytes);
  impl_->kernels.start(columns, type, shape, stream, *arguments);
}

}  // namespace rdp::cuda
