// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/device_segment_list.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

namespace rdp::cuda {
namespace {

// What a column gets room for at first: more than recorded frames have at sensible tolerances.
constexpr std::size_t kFirstGuess = 48;

}  // namespace

void DeviceSegmentList::prepare(int columns, int height) {
  const auto count = static_cast<std::size_t>(columns);
  const std::size_t guess =
      count * std::min<std::size_t>(static_cast<std::size_t>(height), kFirstGuess);
  offsets_.ensure((count + 1) * sizeof(std::uint32_t));
  segments_.ensure(guess * sizeof(DeviceSegment));
  report_.ensure(sizeof(std::uint32_t));
  columns_ = columns;
}

SegmentListView DeviceSegmentList::view() const {
  const std::size_t capacity = segments_.size() / sizeof(DeviceSegment);
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  return {offsets_.as<std::uint32_t>(), segments_.as<DeviceSegment>(),
          reinterpret_cast<std::uint32_t*>(report_.device_pointer()),
          static_cast<std::uint32_t>(columns_),
          static_cast<std::uint32_t>(std::min(capacity, kMost))};
}

std::uint32_t DeviceSegmentList::segment_count() const {
  // Written by the device.
  return *reinterpret_cast<const volatile std::uint32_t*>(report_.get());
}

bool DeviceSegmentList::grow_if_truncated() {
  const std::size_t count = segment_count();
  if (count <= view().capacity) return false;
  // A quarter more, so that slowly growing frames do not each grow the list.
  segments_.ensure((count + count / 4) * sizeof(DeviceSegment));
  return true;
}

void DeviceSegmentList::copy_to(SegmentList* host, CUstream stream) const {
  const std::size_t offset_bytes = (static_cast<std::size_t>(columns_) + 1) * sizeof(std::uint32_t);
  std::uint32_t* offsets = host->resize_columns(columns_);
  offsets[columns_] = segment_count();
  Segment* segments = host->resize_segments();
  const std::size_t segment_bytes = host->segment_count() * sizeof(Segment);
  check(driver().cuMemcpyDtoHAsync_v2(offsets, offsets_.get(), offset_bytes, stream),
        "copying segments from the GPU");
  if (segment_bytes > 0) {
    check(driver().cuMemcpyDtoHAsync_v2(segments, segments_.get(), segment_bytes, stream),
          "copying segments from the GPU");
  }
  check(driver().cuStreamSynchronize(stream), "copying segments from the GPU");
}

}  // namespace rdp::cuda
