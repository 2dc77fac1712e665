// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_SEGMENT_LAYOUT_H_
#define RDP_KERNELS_RDP_SEGMENT_LAYOUT_H_

// How a block of segment.cu lays out its shared memory, for the kernel and for whoever starts it.
namespace rdp::cuda {

#ifdef __CUDACC__
#define RDP_HOST_DEVICE __host__ __device__
#else
#define RDP_HOST_DEVICE
#endif

inline constexpr int kSegmentThreads = 256;
inline constexpr int kSegmentWarps = kSegmentThreads / 32;

// Rows are counted in chunks of 8, which one 16-byte access reads, and in words of 32, for which
// there is one bit each in a mask.
inline constexpr int kChunkRows = 8;
inline constexpr int kWordRows = 32;
inline constexpr int kChunksPerWord = kWordRows / kChunkRows;

// Of frames of this height at most, a distance leaves three bits of its word free.
inline constexpr int kShortHeight = 8192;

// A segment of at most this many rows (last - first) is split by a single thread.
inline constexpr int kTinyLength = 8;
// One within at most this many chunks is split by as many threads, a longer one by a warp.
inline constexpr int kMiddleLanes = 8;

struct SegmentLayout {
  int words;            // of a column
  int column_bytes;     // from the samples of a column to those of the next
  int middle_capacity;  // of the block's queue of middle tasks
  int wide_capacity;    // of its queue of wide tasks

  int samples;  // the offsets of the arrays, in bytes
  int known;
  int cuts;
  int fresh;
  int middle_tasks;
  int wide_tasks;
  int bytes;

  RDP_HOST_DEVICE constexpr SegmentLayout(int height, int columns)
      : words((height + kWordRows - 1) / kWordRows),
        // 16 bytes more than needed keep the columns out of each other's banks.
        column_bytes(words * kWordRows * 2 + 16),
        // A task is queued only when another part of the same segment is long enough to be a task
        // too, so that there are never more than disjoint segments of that length.
        middle_capacity(columns * (height / (kTinyLength + 1) + 1)),
        wide_capacity(columns * (words * kChunksPerWord / kMiddleLanes + 1)),
        samples(0),
        known(samples + columns * column_bytes),
        cuts(known + columns * words * 4),
        fresh(cuts + columns * words * 4),
        middle_tasks(fresh + columns * words * 4),
        wide_tasks(middle_tasks + middle_capacity * 4),
        bytes(wide_tasks + wide_capacity * 4) {}
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_SEGMENT_LAYOUT_H_
