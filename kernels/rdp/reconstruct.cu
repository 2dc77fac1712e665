// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes the segments' lines back into their frame: see common/rdp/line.h, whose arithmetic this
// is. Each thread walks down a few rows of one column, and a warp along 32 neighbouring columns, so
// that rows are read and written together.
#include <cstdint>

#include "kernels/rdp/segment_arguments.h"
#include "kernels/rdp/segment_cursor.cuh"

namespace rdp::cuda {
namespace {

// The line of one segment. Its values are multiples of 1/256.
struct DrawnLine {
  int first, rise, first_row;  // in 1/256 sample steps
  int length;

  __device__ explicit DrawnLine(const SegmentCursor& s)
      : first(static_cast<int>(s.first_value * 256.0F)),
        rise(static_cast<int>(s.last_value * 256.0F) - first),
        first_row(s.first_row),
        length(s.length()) {}

  // 256 * length times the value in `row`: an exact integer below 2^39.
  __device__ double scaled(int row) const {
    return static_cast<double>(first) * length + static_cast<double>(rise) * (row - first_row);
  }
  __device__ std::uint32_t value(int row, const ReconstructArguments& a) const {
    int value;
    if (length == 0) {
      value = (first + 128) / 256;
    } else if (((first | rise) & 255) == 0 && first >= 0 && first + rise >= 0) {
      // Whole samples fit 32 bits.
      const int whole = (first >> 8) * length + (rise >> 8) * (row - first_row);
      value = static_cast<int>((2U * static_cast<unsigned>(whole) + static_cast<unsigned>(length)) /
                               (2U * static_cast<unsigned>(length)));
    } else {
      // Unless the quotient is a whole number it is farther from one than 1 / (512 * length), which
      // rounding does not reach: cutting off is exact.
      value = static_cast<int>((2.0 * scaled(row) + 256.0 * length) / (512.0 * length));
    }
    // Lines that were fitted may leave the known range.
    const int largest = static_cast<int>(a.known_last < 65535U ? a.known_last : 65535U);
    return static_cast<std::uint32_t>(min(max(value, static_cast<int>(a.known_first)), largest));
  }
  __device__ std::uint32_t depth(int row, const ReconstructArguments& a) const {
    const double at = length == 0 ? first / 256.0 : scaled(row) / 256.0;
    // An inverse depth that is not above 0 gives the farthest one.
    if (!(at > 0.0)) return static_cast<std::uint32_t>(a.depth_last);
    const double z = a.inverse_scale * (length > 0 ? length : 1) / at;
    const double whole = floor(z);
    const double rounded = z - whole >= 0.5 ? whole + 1.0 : whole;
    return static_cast<std::uint32_t>(rounded < a.depth_first  ? a.depth_first
                                      : rounded > a.depth_last ? a.depth_last
                                                               : rounded);
  }
};

// Filtered: type of the samples that tell known rows. Sample: type of the frame's samples.
template <typename Filtered, typename Sample, bool kInverse>
__device__ void reconstruct(const ReconstructArguments& a, int x, int y) {
  constexpr int kRows = kReconstructRowsOfThread;
  const int column = x / a.column_width;
  const int rows = min(kRows, a.height - y);
  const std::int64_t from_pitch = a.filtered.pitch[blockIdx.z];
  const unsigned char* from =
      a.filtered.data[blockIdx.z] + y * from_pitch + column * sizeof(Filtered);
  // The known rows, all loaded before anything is written: it may be the same memory.
  std::uint32_t known = 0;
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const std::uint32_t sample =
        *reinterpret_cast<const Filtered*>(from + min(i, rows - 1) * from_pitch);
    if (i < rows && sample >= a.known_first && sample <= a.known_last) known |= 1U << i;
  }
  if (known == 0) return;
  SegmentCursor segment(a.list.of_frame(blockIdx.z), column, y);
  DrawnLine line(segment);
  // Unrolling so long a body would cost more in fetching it than it saves.
#pragma unroll 1
  for (int row = y; known != 0; ++row, known >>= 1) {
    if (segment.advance(row)) line = DrawnLine(segment);
    if ((known & 1) != 0 && segment.has(row)) {
      const std::uint32_t value = kInverse ? line.depth(row, a) : line.value(row, a);
      unsigned char* const to = a.frames.data[blockIdx.z] + row * a.frames.pitch[blockIdx.z];
      reinterpret_cast<Sample*>(to)[x] = static_cast<Sample>(value);
    }
  }
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kReconstructThreads)
    rdp_reconstruct(const rdp::cuda::ReconstructArguments a) {
  using namespace rdp::cuda;
  using U8 = std::uint8_t;
  using U16 = std::uint16_t;
  const int x =
      static_cast<int>(blockIdx.x) * kReconstructColumns + static_cast<int>(threadIdx.x % 32);
  const int y = static_cast<int>(blockIdx.y) * kReconstructRows +
                static_cast<int>(threadIdx.x / 32) * kReconstructRowsOfThread;
  const bool truncated = is_truncated(a.list);  // before any thread of the warp is gone
  if (truncated || x >= a.width || y >= a.height) return;
  if (a.inverse != 0) {
    if (a.sample_bytes == 1) {
      reconstruct<U16, U8, true>(a, x, y);
    } else {
      reconstruct<U16, U16, true>(a, x, y);
    }
  } else if (a.sample_bytes == 1) {
    reconstruct<U8, U8, false>(a, x, y);
  } else {
    reconstruct<U16, U16, false>(a, x, y);
  }
}
