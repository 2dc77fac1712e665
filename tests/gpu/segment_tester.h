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

// A frame in device memory: an allocation of exactly its size, with a pattern between its rows.
class DeviceFrame {
 public:
  // Asynchronous: `host` must stay unchanged until the stream is synchronized. `layout` gives
  // padding and offset on the device, in multiples of the sample size.
  void upload(const DepthView& host, Layout layout, CUstream stream);
  const cuda::DeviceDepthView& view() const { return view_; }

 private:
  cuda::DeviceBuffer memory_;
  cuda::DeviceDepthView view_;
};

// The input of one segmentation.
struct SegmentCase {
  DepthView frame;
  KnownRange known{1, 65535};
  std::int64_t eps256 = 1024;
  Layout layout = {};  // on the device
  // Initial capacity of the list in segments per column; 0 = chosen by prepare().
  int room = 0;
  // Rules beyond the split; eps256 replaces its epsilon.
  SegmentRules rules = {};
};

// Segments frames with one rdp::cuda::Segmenter, and a LineFitter if the rules need one. Results
// must be bit-identical to reference::segment(). Belongs to the current context.
class SegmentTester {
 public:
  // Runs both kernels: a warp per column, and queues. Returns the first difference; empty if equal.
  std::string compare(const SegmentCase& question);

  // compare() in two steps, with the kernel that the segmenter chooses: several testers can have
  // work in flight at once.
  void start(const SegmentCase& question);
  std::string finish();

  // The number of comparisons that met a truncated list.
  int truncated() const { return truncated_; }
  // The number of comparisons that met a column with too many pieces for its warp.
  int done_again() const { return done_again_; }

  const cuda::Stream& stream() const { return stream_; }
  cuda::Segmenter& segmenter() { return segmenter_; }
  cuda::DeviceSegmentList& list() { return list_; }

 private:
  void run();
  std::string compare_with(cuda::Segmenter::Kernels kernels, const SegmentCase& question);
  // The first difference between the list on the device and `expected_`; empty if equal.
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

// Copies `bytes` bytes from device memory, after all earlier work on `stream`.
void download(void* host, const void* device, std::size_t bytes, CUstream stream);

}  // namespace rdp::test

#endif  // RDP_TESTS_GPU_SEGMENT_TESTER_H_
