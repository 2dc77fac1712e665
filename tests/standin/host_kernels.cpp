// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/standin/host_kernels.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "common/reference.h"
#include "kernels/segment_arguments.h"

namespace {

using namespace rdp;
using namespace rdp::cuda;

DepthView view_of(const unsigned char* data, std::int64_t pitch, int width, int height,
                  SampleType type) {
  return {reinterpret_cast<const std::byte*>(data), pitch, width, height, type};
}

SampleType type_of(std::uint32_t sample_bytes) {
  return sample_bytes == 1 ? SampleType::kU8 : SampleType::kU16;
}

// What the segmenter's kernels do: all offsets, as many segments as there is room for, and the
// number of segments for the host.
void run_segment(const void* arguments) {
  const auto& a = *static_cast<const SegmentArguments*>(arguments);
  SegmentList list;
  reference::segment(view_of(a.frame, a.pitch, a.width, a.height, type_of(a.sample_bytes)),
                     {a.known_first, a.known_last}, a.eps256, &list);
  const auto offsets = list.offsets();
  std::copy(offsets.begin(), offsets.end(), a.list.offsets);
  static_assert(sizeof(Segment) == sizeof(DeviceSegment));
  const std::size_t fit = std::min<std::size_t>(list.segment_count(), a.list.capacity);
  if (fit > 0) std::memcpy(a.list.segments, list.segments().data(), fit * sizeof(Segment));
  *a.list.report = offsets.back();
}

}  // namespace

HostKernel find_host_kernel(const char* name) {
  const std::string_view wanted = name;
  // Whatever the segmenter calls its kernels, for one size of columns or another.
  if (wanted.starts_with("rdp_segment")) return run_segment;
  return nullptr;
}
