// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/gpu/segment_tester.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "common/rdp/reference.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

namespace rdp::test {
namespace {

using cuda::check;
using cuda::driver;

constexpr unsigned char kPattern = 0xCD;
// The number of slots checked after the last segment.
constexpr std::size_t kSlotsBehind = 2048;

CUdeviceptr address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

void fill_memory(const void* device, std::size_t bytes, CUstream stream) {
  check(driver().cuMemsetD8Async(address(device), kPattern, bytes, stream), "filling memory");
}

bool untouched(const Segment& segment) {
  unsigned char bytes[sizeof segment];
  std::memcpy(bytes, &segment, sizeof segment);
  return std::all_of(std::begin(bytes), std::end(bytes),
                     [](unsigned char byte) { return byte == kPattern; });
}

}  // namespace

void download(void* host, const void* device, std::size_t bytes, CUstream stream) {
  if (bytes == 0) return;
  check(driver().cuMemcpyDtoHAsync_v2(host, address(device), bytes, stream), "copying a result");
  check(driver().cuStreamSynchronize(stream), "copying a result");
}

void DeviceFrame::upload(const DepthView& host, Layout layout, CUstream stream) {
  const std::size_t row_bytes = static_cast<std::size_t>(host.width) * bytes_per_sample(host.type);
  const std::size_t pitch = row_bytes + static_cast<std::size_t>(layout.padding);
  const std::size_t total = static_cast<std::size_t>(layout.offset) +
                            pitch * static_cast<std::size_t>(host.height - 1) + row_bytes;
  // Allocate the exact size, so that reading beyond the last sample is an error.
  if (total != memory_.size()) memory_ = cuda::DeviceBuffer();
  memory_.ensure(total);
  check(driver().cuMemsetD8Async(memory_.get(), kPattern, total, stream), "filling memory");
  view_ = {memory_.get() + static_cast<CUdeviceptr>(layout.offset),
           static_cast<std::int64_t>(pitch), host.width, host.height, host.type};
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host.data;
  copy.srcPitch = static_cast<std::size_t>(host.stride);
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = view_.data;
  copy.dstPitch = pitch;
  copy.WidthInBytes = row_bytes;
  copy.Height = static_cast<std::size_t>(host.height);
  check(driver().cuMemcpy2DAsync_v2(&copy, stream), "copying a frame to the GPU");
}

std::string SegmentTester::compare(const SegmentCase& question) {
  using Kernels = cuda::Segmenter::Kernels;
  const std::string with_warps = compare_with(Kernels::kWarps, question);
  if (!with_warps.empty()) return "with warps: " + with_warps;
  const std::string with_queues = compare_with(Kernels::kQueues, question);
  if (!with_queues.empty()) return "with queues: " + with_queues;
  return {};
}

std::string SegmentTester::compare_with(cuda::Segmenter::Kernels kernels,
                                        const SegmentCase& question) {
  kernels_ = kernels;
  segmenter_.use(kernels);
  start(question);
  std::string wrong = finish();
  kernels_ = cuda::Segmenter::Kernels::kChosen;
  segmenter_.use(kernels_);
  return wrong;
}

void SegmentTester::start(const SegmentCase& question) {
  question_ = question;
  const DepthView& frame = question.frame;
  frame_.upload(frame, question.layout, stream_.get());
  segmenter_.prepare(frame.width, frame.height);
  if (question.room > 0) list_ = cuda::DeviceSegmentList();
  list_.prepare(frame.width, question.room > 0 ? question.room : frame.height);
  run();
}

void SegmentTester::run() {
  const cuda::SegmentListView view = list_.view();
  fill_memory(view.offsets, (std::size_t{view.columns} + 1) * sizeof(std::uint32_t), stream_.get());
  fill_memory(view.segments, std::size_t{view.capacity} * sizeof(Segment), stream_.get());
  // The host and the device use the same address of page-locked memory.
  *static_cast<volatile std::uint32_t*>(view.report) = 0xCDCDCDCD;
  if (question_.rules.plain() || kernels_ != cuda::Segmenter::Kernels::kQueues) {
    SegmentRules rules = question_.rules;
    rules.epsilon256 = question_.eps256;
    segmenter_.segment(frame_.view(), question_.known, rules, &list_, stream_.get());
    return;
  }
  const std::size_t bytes =
      cuda::Segmenter::vertex_words(frame_.view().width, frame_.view().height) * 4;
  // The exact size, as in DeviceFrame.
  if (bytes != vertices_.size()) vertices_ = cuda::DeviceBuffer();
  vertices_.ensure(bytes);
  fill_memory(vertices_.as<void>(), bytes, stream_.get());
  segmenter_.find_vertices(frame_.view(), question_.known, question_.eps256,
                           question_.rules.max_gap, vertices_.get(), stream_.get());
  work_.ensure(sizeof(cuda::SegmentWork));
  fitter_.run(frame_.view(), question_.known, question_.rules, vertices_.get(), &list_,
              reinterpret_cast<cuda::SegmentWork*>(work_.device_pointer()), stream_.get());
  if (question_.rules.refine && question_.rules.fit == Fit::kAbsolute) {
    refitter_.run(frame_.view(), question_.known, question_.rules, list_, stream_.get());
  }
}

std::string SegmentTester::finish() {
  SegmentRules rules = question_.rules;
  rules.epsilon256 = question_.eps256;
  reference::segment(question_.frame, question_.known, rules, &expected_);
  stream_.synchronize();
  if (list_.segment_count() == cuda::kRetryWithQueues) {
    // A column has too many pieces for its warp: the second attempt selects queues.
    ++done_again_;
    if (!list_.grow_if_truncated()) return "a list to be done again counts as complete";
    segmenter_.use(cuda::Segmenter::Kernels::kChosen);
    run();
    stream_.synchronize();
    if (!segmenter_.used_queues()) return "the same kernel was chosen again";
  }
  const bool fits = expected_.segment_count() <= list_.view().capacity;
  // A separate launch for Fit::kAbsolute leaves a truncated list unchanged. Queues always need that
  // launch; warps need it if the frames fill the device.
  const bool queues = kernels_ == cuda::Segmenter::Kernels::kQueues || segmenter_.used_queues();
  SegmentRules before = rules;
  before.fit = Fit::kSquares;
  if (!fits && queues) reference::segment(question_.frame, question_.known, before, &expected_);
  std::string wrong = look();
  if (!wrong.empty() && !fits && !queues) {
    reference::segment(question_.frame, question_.known, before, &expected_);
    wrong = look();
  }
  if (!wrong.empty()) return (fits ? "" : "truncated list: ") + wrong;
  if (list_.grow_if_truncated() == fits) {
    return fits ? "the list grew although everything had room" : "the list did not grow";
  }
  if (fits) return {};
  ++truncated_;
  reference::segment(question_.frame, question_.known, rules, &expected_);
  run();
  stream_.synchronize();
  wrong = look();
  if (!wrong.empty()) return "after growing: " + wrong;
  return list_.grow_if_truncated() ? "the list grew twice" : "";
}

std::string SegmentTester::look() {
  const cuda::SegmentListView view = list_.view();
  const auto expected_offsets = expected_.offsets();
  const auto expected_segments = expected_.segments();
  std::vector<std::uint32_t> offsets(expected_offsets.size());
  download(offsets.data(), view.offsets, offsets.size() * sizeof(std::uint32_t), stream_.get());
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] == expected_offsets[i]) continue;
    return "offsets[" + std::to_string(i) + "] is " + std::to_string(offsets[i]) + ", not " +
           std::to_string(expected_offsets[i]);
  }
  if (list_.segment_count() != expected_.segment_count()) {
    return "the report says " + std::to_string(list_.segment_count()) + " segments, not " +
           std::to_string(expected_.segment_count());
  }
  const std::size_t count = expected_segments.size();
  const bool truncated = count > view.capacity;
  std::vector<Segment> slots(std::min<std::size_t>(view.capacity, count + kSlotsBehind));
  download(slots.data(), view.segments, slots.size() * sizeof(Segment), stream_.get());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const bool right = i < count && same_bits(slots[i], expected_segments[i]);
    // A truncated list need not be filled to its end.
    if (right || ((truncated || i >= count) && untouched(slots[i]))) continue;
    const auto column = std::upper_bound(offsets.begin(), offsets.end(), i) - offsets.begin() - 1;
    return "segments[" + std::to_string(i) + "] (column " + std::to_string(column) + ") is " +
           text_of(slots[i]) + ", not " +
           (i < count ? text_of(expected_segments[i]) : std::string("left alone"));
  }
  if (truncated) return {};
  // Compare again through copy_to(), the public interface.
  list_.copy_to(&actual_, stream_.get());
  const auto same_segment = [](const Segment& a, const Segment& b) { return same_bits(a, b); };
  if (!std::ranges::equal(actual_.offsets(), expected_offsets) ||
      !std::ranges::equal(actual_.segments(), expected_segments, same_segment)) {
    return "copy_to() gives something else than what is in device memory";
  }
  return {};
}

}  // namespace rdp::test
