// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_SEGMENTER_H_
#define RDP_KERNELS_RDP_SEGMENTER_H_

#include <cuda.h>

#include <cstdint>
#include <memory>

#include "common/rdp/parameters.h"
#include "kernels/rdp/device_segment_list.h"
#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

struct SegmentArguments;

// reference::segment() on the GPU: splits every column of one or more frames and writes the
// compacted results (column offsets, segments) to device memory, in one launch. The bits are those
// of the reference.
//
// An object belongs to the context that was current when it was made, and works on one launch at a
// time: frames on different streams need an object each. It allocates only when a frame is wider
// than any before. Everything throws CudaError.
class Segmenter {
 public:
  Segmenter();
  ~Segmenter();
  Segmenter(const Segmenter&) = delete;
  Segmenter& operator=(const Segmenter&) = delete;

  // Makes what a frame of this size takes ready, so that segment() does not allocate and can be
  // captured into a CUDA graph.
  void prepare(int width, int height);

  // Starts the segmentation of `frames` (1..kMaxSide rows and columns) on `stream`; asynchronous.
  // `known` and `eps256` are those of reference::segment(). `result` was prepared for as many
  // frames of so many columns, and may turn out truncated (see DeviceSegmentList).
  void segment(const DeviceFrames& frames, const KnownRange& known, std::int64_t eps256,
               DeviceSegmentList* result, CUstream stream);

  // The same, for a LineFitter: writes to `vertices` (device memory, vertex_words() of them), for
  // each column of each frame, a bit for each row, whether it is a vertex of the split, the lowest
  // bit of a column's first word being row 0. Runs between which more than `max_gap` rows are
  // unknown are split each for itself; 0: there is one run.
  void find_vertices(const DeviceFrames& frames, const KnownRange& known, std::int64_t eps256,
                     int max_gap, CUdeviceptr vertices, CUstream stream);

  static std::size_t vertex_words(int width, int height) {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>((height + 31) / 32);
  }

 private:
  void start(SampleType type, SegmentArguments* arguments, CUstream stream);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_SEGMENTER_H_
