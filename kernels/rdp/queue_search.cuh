// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_QUEUE_SEARCH_CUH_
#define RDP_KERNELS_RDP_QUEUE_SEARCH_CUH_

#include <cstdint>

#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/queue_layout.h"

namespace rdp::cuda {

// The line through both ends of a segment, times its length: the exact integers of reference.h.
struct Line {
  int first, length, rise, origin;  // origin = y[first] * length

  __device__ __forceinline__ Line(int f, int l, int yf, int yl)
      : first(f), length(l - f), rise(yl - yf), origin(yf * (l - f)) {}
  // length times the line's value in `row`. Fits for every row of the segment's chunks.
  __device__ __forceinline__ int scaled_value(int row) const {
    return rise * (row - first) + origin;
  }
  // The largest |c| that is not split: split_threshold() of common/rdp/parameters.h.
  __device__ __forceinline__ int threshold(unsigned eps256) const {
    const unsigned long long t =
        static_cast<unsigned long long>(eps256) * static_cast<unsigned>(length) >> 8;
    return t > 0x7FFFFFFFULL ? 0x7FFFFFFF : static_cast<int>(t);
  }
};

// The distances of a chunk's samples to the line. Rows that are not between the ends of the line,
// or unknown, have 0.
struct ChunkDistances {
  int values[kChunkRows];

  // Beyond the segment, whose last chunk is `last_chunk`, nothing counts and nothing is read.
  __device__ __forceinline__ ChunkDistances(const Line& line, const std::uint16_t* samples,
                                            const unsigned char* known, int chunk, int last_chunk) {
    const int place = min(chunk, last_chunk);
    const uint4 v = reinterpret_cast<const uint4*>(samples)[place];
    const unsigned words[4] = {v.x, v.y, v.z, v.w};
    const int from = line.first - chunk * kChunkRows;
    const unsigned rows =
        known[place] & bits_from(max(from + 1, 0)) & ~bits_from(max(from + line.length, 0));
    const int base = line.scaled_value(chunk * kChunkRows);
#pragma unroll
    for (int i = 0; i < kChunkRows; ++i) {
      const int sample = static_cast<int>(i % 2 == 0 ? words[i / 2] & 0xFFFFU : words[i / 2] >> 16);
      const int distance = abs(base + i * line.rise - sample * line.length);
      values[i] = (rows >> i & 1) != 0 ? distance : 0;
    }
  }

  // The largest distance, which must be below 2^29, times 8, and in the lowest bits the place of
  // its first row, counted from the end of the chunk: of equal distances the first row has the
  // largest key.
  __device__ __forceinline__ unsigned key() const {
    unsigned keys[kChunkRows];
#pragma unroll
    for (int i = 0; i < kChunkRows; ++i) {
      keys[i] = static_cast<unsigned>(values[i]) * 8 + (kChunkRows - 1 - i);
    }
#pragma unroll
    for (int n = kChunkRows / 2; n > 0; n /= 2) {
#pragma unroll
      for (int i = 0; i < n; ++i) keys[i] = max(keys[i], keys[i + n]);
    }
    return keys[0];
  }
};

// The farthest sample of a segment and its distance, in all threads. Of equally far ones it is the
// first.
struct FarthestOfSegment {
  int max_distance, row;
};

// Searches a segment with a warp: each thread takes a chunk of every 32. kShort: the frame has no
// more than kShortHeight rows.
template <bool kShort>
__device__ __forceinline__ FarthestOfSegment find_farthest(const unsigned char* known,
                                                           const std::uint16_t* samples,
                                                           const Line& line, int lane) {
  const int last_chunk = (line.first + line.length) >> 3;
  int largest = 0;
  int row = 0;
  unsigned best = 0;
  int best_chunk = 0;
#pragma unroll 2
  for (int chunk = (line.first >> 3) + lane; chunk - lane <= last_chunk; chunk += 32) {
    const ChunkDistances distances(line, samples, known, chunk, last_chunk);
    if (kShort) {
      const unsigned key = distances.key();
      if (key > (best | 7)) {
        best = key;
        best_chunk = chunk;
      }
    } else {
#pragma unroll
      for (int i = 0; i < kChunkRows; ++i) {
        if (distances.values[i] <= largest) continue;
        largest = distances.values[i];
        row = chunk * kChunkRows + i;
      }
    }
  }
  if (kShort) {
    largest = static_cast<int>(best >> 3);
    row = best_chunk * kChunkRows + kChunkRows - 1 - static_cast<int>(best & 7);
  }
  const int max_distance = warp_max(largest);
  return {max_distance, warp_min(largest == max_distance ? row : 0x7FFFFFFF)};
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_QUEUE_SEARCH_CUH_
