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

// GPU version of reference::segment(); bit-identical. Splits every column of one or more frames and
// writes the compacted results (column offsets, segments) to device memory. One launch. Frames of
// more than kWarpRows rows, and noise, take a second one if SegmentRules ask for more than the
// split. Fit::kAbsolute takes one more, unless the device has room for the warps of all columns at
// once: then they do it with the split.
//
// An object belongs to the context that was current when it was made, and works on one launch at a
// time: frames on different streams need an object each. It allocates only when frames are larger
// than any before. Everything throws CudaError.
class Segmenter {
 public:
  // The kernels that segment: see kernels/README.md.
  enum class Kernels {
    kChosen,  // by what the last frames were (SegmentChoice)
    kWarps,   // a warp for each column, where the frame allows it
    kQueues,
  };

  Segmenter();
  ~Segmenter();
  Segmenter(const Segmenter&) = delete;
  Segmenter& operator=(const Segmenter&) = delete;

  // For tests and benchmarks.
  void use(Kernels kernels);
  // True if the last frames were segmented with queues.
  bool used_queues() const;

  // Allocates for frames of this size, so that the split alone allocates nothing and can be
  // captured into a CUDA graph.
  void prepare(int width, int height);

  // Starts the segmentation of `frames` (1..kMaxSide rows and columns) on `stream`; asynchronous.
  // `known` and `rules` are those of reference::segment(). `result` was prepared for as many frames
  // of so many columns, and may turn out truncated (see DeviceSegmentList).
  void segment(const DeviceFrames& frames, const KnownRange& known, const SegmentRules& rules,
               DeviceSegmentList* result, CUstream stream);
  // The split alone.
  void segment(const DeviceFrames& frames, const KnownRange& known, std::int64_t eps256,
               DeviceSegmentList* result, CUstream stream);

  // For a LineFitter: writes the vertices of the split to `vertices` (device memory, vertex_words()
  // of them). Each column of each frame has a bit for each row; row 0 is the lowest bit of its
  // first word. Runs more than `max_gap` unknown rows apart are split separately; 0: there is one
  // run.
  void find_vertices(const DeviceFrames& frames, const KnownRange& known, std::int64_t eps256,
                     int max_gap, CUdeviceptr vertices, CUstream stream);

  // For one frame.
  static std::size_t vertex_words(int width, int height) {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>((height + 31) / 32);
  }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_SEGMENTER_H_
