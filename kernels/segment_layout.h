// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_SEGMENT_LAYOUT_H_
#define RDP_KERNELS_SEGMENT_LAYOUT_H_

// How a block of segment.cu lays out its shared memory, for the kernel and for whoever starts it.
namespace rdp::cuda {

#ifdef __CUDACC__
#define RDP_HOST_DEVICE __host__ __device__
#else
#define RDP_HOST_DEVICE
#endif

inline constexpr int kChunkRows = 8;  // one 16-byte access
inline constexpr int kSegmentThreads = 256;
// A segment of at most this many rows (last - first) is split by a single thread.
inline constexpr int kTinyLength = 16;
// A segment within at most this many chunks is looked at by eight threads, a longer one by a warp.
inline constexpr int kShortChunks = 8;

struct SegmentLayout {
  int chunks;         // of a column
  int words;          // of 32 rows of a column, an even number
  int column_bytes;   // samples of a column
  int long_capacity;  // tasks of the block
  int short_capacity;

  int samples;  // the offsets of the arrays, in bytes
  int summaries;
  int known;
  int cuts;
  int long_tasks;
  int short_tasks;
  int bytes;

  RDP_HOST_DEVICE constexpr SegmentLayout(int height, int columns)
      : chunks((height + kChunkRows - 1) / kChunkRows),
        words((height + 63) / 64 * 2),
        // 16 bytes more than needed keep the columns out of each other's banks.
        column_bytes(chunks * 16 + 16),
        // Tasks of a level share no row but their ends.
        long_capacity(columns * (chunks / kShortChunks + 2)),
        short_capacity(columns * (height / (kTinyLength + 1) + 1)),
        samples(0),
        summaries(samples + columns * column_bytes),
        // Later the place of as many words.
        known(summaries + columns * (chunks > words ? chunks : words) * 4),
        cuts(known + columns * words * 4),
        long_tasks(cuts + columns * words * 4),
        short_tasks(long_tasks + 2 * long_capacity * 4),
        bytes(short_tasks + 2 * short_capacity * 4) {}
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_SEGMENT_LAYOUT_H_
