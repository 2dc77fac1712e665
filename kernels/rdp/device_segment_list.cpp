// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/device_segment_list.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

namespace rdp::cuda {
namespace {

// The initial room of a column: more than recorded frames have at sensible tolerances.
constexpr std::size_t kFirstGuess = 48;

}  // namespace

void DeviceSegmentList::prepare(int columns, int height, int frames) {
  const auto count = static_cast<std::size_t>(columns);
  const auto slices = static_cast<std::size_t>(frames);
  const std::size_t guess =
      count * std::min<std::size_t>(static_cast<std::size_t>(height), kFirstGuess);
  offsets_.ensure(slices * (count + 1) * sizeof(std::uint32_t));
  segments_.ensure(slices * guess * sizeof(DeviceSegment));
  report_.ensure(slices * sizeof(std::uint32_t));
  columns_ = columns;
  frames_ = frames;
}

SegmentListView DeviceSegmentList::view() const {
  const std::size_t capacity =
      segments_.size() / sizeof(DeviceSegment) / static_cast<std::size_t>(frames_);
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  return {offsets_.as<std::uint32_t>(),
          segments_.as<DeviceSegment>(),
          reinterpret_cast<std::uint32_t*>(report_.device_pointer()),
          static_cast<std::uint32_t>(columns_),
          static_cast<std::uint32_t>(std::min(capacity, kMost)),
          static_cast<std::uint32_t>(frames_)};
}

std::uint32_t DeviceSegmentList::segment_count(int frame) const {
  // Written by the device.
  return reinterpret_cast<const volatile std::uint32_t*>(report_.get())[frame];
}

bool DeviceSegmentList::grow_if_truncated() {
  std::size_t count = 0;
  for (int i = 0; i < frames_; ++i) count = std::max<std::size_t>(count, segment_count(i));
  // Room is not the problem: the Segmenter must choose another kernel.
  is_to_do_again_ = count == kRetryWithQueues;
  if (is_to_do_again_) return true;
  if (count <= view().capacity) return false;
  // A quarter more, so that slowly growing frames do not each grow the list.
  segments_.ensure(static_cast<std::size_t>(frames_) * (count + count / 4) * sizeof(DeviceSegment));
  return true;
}

void DeviceSegmentList::copy_to(SegmentList* host, CUstream stream, int frame) const {
  const SegmentListView slice = view().of_frame(static_cast<std::uint32_t>(frame));
  const auto address = [](const void* data) { return reinterpret_cast<CUdeviceptr>(data); };
  const std::size_t offset_bytes = (static_cast<std::size_t>(columns_) + 1) * sizeof(std::uint32_t);
  std::uint32_t* offsets = host->resize_columns(columns_);
  offsets[columns_] = segment_count(frame);
  Segment* segments = host->resize_segments();
  const std::size_t segment_bytes = host->segment_count() * sizeof(Segment);
  check(driver().cuMemcpyDtoHAsync_v2(offsets, address(slice.offsets), offset_bytes, stream),
        "copying segments from the GPU");
  if (segment_bytes > 0) {
    check(driver().cuMemcpyDtoHAsync_v2(segments, address(slice.segments), segment_bytes, stream),
          "copying segments from the GPU");
  }
  check(driver().cuStreamSynchronize(stream), "copying segments from the GPU");
}

}  // namespace rdp::cuda
