// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/segment_copy.h"

#include <algorithm>
#include <limits>

#include "kernels/rdp/segment_arguments.h"

extern "C" const unsigned char rdp_segment_copy_fatbin[];

namespace rdp::cuda {

void SegmentCopy::prepare(int columns, int frames, std::size_t segments) {
  columns_ = columns;
  frames_ = frames;
  if (memory_.get() != nullptr && room() >= segments) return;
  const std::size_t of_frame = copied_offset_bytes(static_cast<std::size_t>(columns)) +
                               (segments + segments / 2 + 1) * sizeof(Segment);
  memory_.ensure(static_cast<std::size_t>(frames) * of_frame);
}

// Multiples of a word.
std::size_t SegmentCopy::stride() const {
  return memory_.size() / static_cast<std::size_t>(frames_) / sizeof(std::uint32_t) *
         sizeof(std::uint32_t);
}

std::size_t SegmentCopy::room() const {
  const std::size_t offsets = copied_offset_bytes(static_cast<std::size_t>(columns_));
  return stride() < offsets ? 0 : (stride() - offsets) / sizeof(Segment);
}

SegmentArrays SegmentCopy::frame(int frame, std::size_t segments) const {
  const auto columns = static_cast<std::size_t>(columns_);
  const std::byte* at = memory_.get() + static_cast<std::size_t>(frame) * stride();
  return {{reinterpret_cast<const std::uint32_t*>(at), columns + 1},
          {reinterpret_cast<const Segment*>(at + copied_offset_bytes(columns)), segments}};
}

SegmentCopier::SegmentCopier()
    : module_(rdp_segment_copy_fatbin), kernel_(module_, "rdp_copy_segments") {}

void SegmentCopier::run(const DeviceSegmentList& list, const SegmentCopy& copy,
                        CUstream stream) const {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  CopySegmentsArguments arguments{};
  arguments.list = list.view();
  arguments.host = reinterpret_cast<unsigned char*>(copy.memory_.device_pointer());
  arguments.stride = copy.stride();
  arguments.room = static_cast<std::uint32_t>(std::min(copy.room(), kMost));
  LaunchShape shape;
  shape.blocks_x = kCopyBlocks;
  shape.blocks_y = static_cast<unsigned>(list.frames());
  shape.threads = kCopyThreads;
  kernel_.start(shape, stream, arguments);
}

}  // namespace rdp::cuda
