// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_RIVALS_H_
#define RDP_TESTS_BENCH_RIVALS_H_

#include <cuda.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/image/depth_view.h"
#include "common/rdp/parameters.h"
#include "common/rdp/segment_list.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"
#include "tests/bench/rivals_arguments.h"

namespace rdp::bench {

// The launch shape of the floor kernel; the fastest one depends on device and size.
struct FloorShape {
  unsigned blocks = 1;
  unsigned threads = 1;
};
std::vector<FloorShape> floor_shapes(std::uint32_t frame_words);

// The kernels of rivals.cu.
class Rivals {
 public:
  Rivals();

  void empty(CUstream stream) const;
  void spin(unsigned nanoseconds, CUstream stream) const;
  void floor(const FloorArguments& arguments, FloorShape shape, CUstream stream) const;
  void algorithm3(const Algorithm3Arguments& arguments, int columns, CUstream stream) const;
  // The 3x3 median of 16-bit samples; `pairs`: two samples per thread.
  void median(const cuda::DeviceDepthView& in, const cuda::DeviceDepthView& out, bool pairs,
              CUstream stream) const;

 private:
  cuda::KernelModule module_;
  CUfunction empty_;
  CUfunction spin_;
  CUfunction floor_;
  CUfunction algorithm3_;
  CUfunction median_one_;
  CUfunction median_two_;
};

// A frame in Algorithm 3's layout: samples in column-major order, and each column's first and last
// known row.
struct ColumnMajorFrame {
  std::vector<std::uint16_t> columns;
  std::vector<std::uint32_t> ends;
};
ColumnMajorFrame column_major(const DepthView& frame, const KnownRange& known);

// An assessment of Algorithm 3's vertices. `wrong` describes their fault as a segmentation: a known
// sample farther from its segment than epsilon and float errors allow, or a missing end. Empty:
// none. `differing` counts rows that are a vertex in only one of this and the exact result.
struct VertexJudgement {
  std::string wrong;
  std::int64_t differing = 0;
  std::int64_t vertices = 0;
};
VertexJudgement judge_vertices(const DepthView& frame, const KnownRange& known, double epsilon,
                               const std::vector<unsigned char>& vertices,
                               const SegmentList& exact);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_RIVALS_H_
