// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_QUEUE_LAYOUT_H_
#define RDP_KERNELS_RDP_QUEUE_LAYOUT_H_

#include "common/host_device.h"

// The layout of the shared memory of a block of segment_queues.cu, for the kernel and for the host
// code that starts it.
namespace rdp::cuda {

inline constexpr int kQueueThreads = 256;
inline constexpr int kQueueWarps = kQueueThreads / 32;

// Rows are counted in chunks of 8, which one 16-byte access reads, and in words of 32, for which
// there is one bit each in a mask.
inline constexpr int kChunkRows = 8;
inline constexpr int kWordRows = 32;
inline constexpr int kChunksPerWord = kWordRows / kChunkRows;

// Most rows for which a distance leaves three bits of its word free.
inline constexpr int kShortHeight = 8192;

// A segment of at most this many rows (last - first) is split by a single thread.
inline constexpr int kThreadLength = 8;
// A segment within at most so many chunks is split by an octet, a group of as many threads. A
// longer one is split by a warp.
inline constexpr int kOctet = 8;

struct QueueLayout {
  int words;           // of a column
  int column_bytes;    // from the samples of a column to those of the next
  int octet_capacity;  // of the block's queue of tasks for octets
  int warp_capacity;   // of its queue of tasks for warps

  int samples;  // the offsets of the arrays, in bytes
  int known;
  int vertices;
  int thread_vertices;  // see Columns
  int octet_tasks;
  int warp_tasks;
  int bytes;

  RDP_HOST_DEVICE constexpr QueueLayout(int height, int columns)
      : words((height + kWordRows - 1) / kWordRows),
        // 16 bytes more than needed keep the columns out of each other's banks.
        column_bytes(words * kWordRows * 2 + 16),
        // A task is queued only if another part of the same segment is long enough for a task, too.
        // So there are never more tasks than disjoint segments of that length.
        octet_capacity(columns * (height / (kThreadLength + 1) + 1)),
        warp_capacity(columns * (words * kChunksPerWord / kOctet + 1)),
        samples(0),
        known(samples + columns * column_bytes),
        vertices(known + columns * words * 4),
        thread_vertices(vertices + columns * words * 4),
        octet_tasks(thread_vertices + columns * words * 4),
        warp_tasks(octet_tasks + octet_capacity * 4),
        bytes(warp_tasks + warp_capacity * 4) {}
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_QUEUE_LAYOUT_H_
