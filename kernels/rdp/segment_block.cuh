// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_SEGMENT_BLOCK_CUH_
#define RDP_KERNELS_SEGMENT_BLOCK_CUH_

#include <cstdint>

#include "kernels/primitives/compaction.cuh"
#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/segment_arguments.h"
#include "kernels/rdp/segment_layout.h"

// What the parts of segment.cu share.
namespace rdp::cuda {

// The line through both ends of a segment, times its length: the exact integers of reference.h.
struct Line {
  int first, length, rise, origin;  // origin = y[first] * length

  __device__ __forceinline__ Line(int f, int l, int yf, int yl)
      : first(f), length(l - f), rise(yl - yf), origin(yf * (l - f)) {}
  // length times the line's value in `row`. Fits for every row of the segment's chunks.
  __device__ __forceinline__ int at(int row) const { return rise * (row - first) + origin; }
  // The largest |c| that is not split: split_threshold() of common/rdp/parameters.h.
  __device__ __forceinline__ int threshold(unsigned eps256) const {
    const unsigned long long t =
        static_cast<unsigned long long>(eps256) * static_cast<unsigned>(length) >> 8;
    return t > 0x7FFFFFFFULL ? 0x7FFFFFFF : static_cast<int>(t);
  }
};

// A queue of tasks that is read while it is written. Whoever waits has a place of its own in it, so
// that nobody contends for a task. All is done when as many tasks are done as were put.
struct Queue {
  int put;    // how many tasks there were so far
  int taken;  // how many places were given away
  int done;   // how many tasks are done
};

// What the threads of a block share besides the arrays.
struct Shared {
  Queue wide;
  Queue middle;
  unsigned vertices[4];  // of each column
  LookBack look_back;
};

// The arrays of a block's columns.
struct Columns {
  SegmentLayout layout;
  unsigned char* memory;

  __device__ std::uint16_t* samples(int column) const {
    return reinterpret_cast<std::uint16_t*>(memory + layout.samples + column * layout.column_bytes);
  }
  // A bit for each row: whether its sample is known; whether it is a vertex.
  __device__ unsigned* known(int column) const {
    return reinterpret_cast<unsigned*>(memory + layout.known) + column * layout.words;
  }
  __device__ unsigned* cuts(int column) const {
    return reinterpret_cast<unsigned*>(memory + layout.cuts) + column * layout.words;
  }
  // The vertices that single threads find.
  __device__ unsigned* fresh(int column) const {
    return reinterpret_cast<unsigned*>(memory + layout.fresh) + column * layout.words;
  }
  __device__ unsigned* middle_tasks() const {
    return reinterpret_cast<unsigned*>(memory + layout.middle_tasks);
  }
  __device__ unsigned* wide_tasks() const {
    return reinterpret_cast<unsigned*>(memory + layout.wide_tasks);
  }
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_SEGMENT_BLOCK_CUH_
