// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_GPU_SEGMENT_TESTER_H_
#define RDP_TESTS_GPU_SEGMENT_TESTER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "common/image/depth_view.h"
#include "common/rdp/parameters.h"
#include "common/rdp/segment_list.h"
#include "kernels/rdp/device_segment_list.h"
#include "kernels/rdp/fit.h"
#include "kernels/rdp/lines.h"
#include "kernels/rdp/segmenter.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/device_view.h"
#include "tests/support/test_frame.h"

namespace rdp::test {

// A frame in device memory: no byte more than it needs, and a pattern between its rows.
class DeviceFrame {
 public:
  // Asynchronous; `host` must stay as it is until the stream has been waited for. The padding and
  // the offset of `layout` are those on the device, multiples of the sample's bytes.
  void upload(const DepthView& host, Layout layout, CUstream stream);
  const cuda::DeviceDepthView& view() const { return view_; }

 private:
  cuda::DeviceBuffer memory_;
  cuda::DeviceDepthView view_;
};

// What is asked of a segmentation.
struct SegmentCase {
  DepthView frame;
  KnownRange known{1, 65535};
  std::int64_t eps256 = 1024;
  Layout layout = {};  // on the device
  // For how many segments a column the list has room at first; 0 leaves that to prepare().
  int room = 0;
  // What is asked for beyond the split; eps256 stands for its epsilon.
  SegmentRules rules = {};
};

// Segments frames with one rdp::cuda::Segmenter, and a LineFitter where it takes one, and compares
// what comes with reference::segment(), bit by bit. Belongs to the current context.
class SegmentTester {
 public:
  // With a warp for each column, and with queues. What is wrong, in words; empty where nothing is.
  std::string compare(const SegmentCase& question);

  // The same in two steps, so that work of several testers can be on its way at once, with the
  // kernels that the segmenter uses.
  void start(const SegmentCase& question);
  std::string finish();

  // How many comparisons met a truncated list.
  int truncated() const { return truncated_; }
  // How many met a column with too many pieces for its warp.
  int done_again() const { return done_again_; }

  const cuda::Stream& stream() const { return stream_; }
  cuda::Segmenter& segmenter() { return segmenter_; }
  cuda::DeviceSegmentList& list() { return list_; }

 private:
  void run();
  std::string compare_with(cuda::Segmenter::Kernels kernels, const SegmentCase& question);
  // What differs in the list on the device from `expected_`.
  std::string look();

  cuda::Stream stream_;
  cuda::Segmenter segmenter_;
  cuda::Segmenter::Kernels kernels_ = cuda::Segmenter::Kernels::kChosen;
  cuda::LineFitter fitter_;
  cuda::LineRefitter refitter_;
  cuda::DeviceBuffer vertices_;
  cuda::PinnedBuffer work_;
  cuda::DeviceSegmentList list_;
  DeviceFrame frame_;
  SegmentCase question_;
  SegmentList expected_;
  SegmentList actual_;
  int truncated_ = 0;
  int done_again_ = 0;
};

// `count` elements from device memory, once `stream` has come so far.
void download(void* host, const void* device, std::size_t bytes, CUstream stream);

}  // namespace rdp::test

#endif  // RDP_TESTS_GPU_SEGMENT_TESTER_H_
