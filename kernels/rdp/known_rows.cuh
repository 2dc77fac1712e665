// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_KNOWN_ROWS_CUH_
#define RDP_KERNELS_RDP_KNOWN_ROWS_CUH_

#include <cstdint>

#include "kernels/primitives/frame_arguments.h"

namespace rdp::cuda {

// Two neighbouring samples of a row, which are aligned together, as 16-bit halves.
template <typename Sample>
__device__ __forceinline__ unsigned load_two(const unsigned char* from) {
  if (sizeof(Sample) == 2) return __ldg(reinterpret_cast<const unsigned*>(from));
  return __byte_perm(__ldg(reinterpret_cast<const std::uint16_t*>(from)), 0, 0x4140);
}
// Loads the first `valid` of the two, one after the other.
template <typename Sample>
__device__ __forceinline__ unsigned load_some(const unsigned char* from, int valid) {
  const auto* s = reinterpret_cast<const Sample*>(from);
  return (valid > 0 ? s[0] : 0U) | (valid > 1 ? static_cast<unsigned>(s[1]) << 16 : 0U);
}

// Says which samples of a chunk of eight rows are known.
class KnownRows {
 public:
  __device__ __forceinline__ KnownRows(const FrameArguments& a, unsigned sample_bytes) {
    const unsigned last = min(a.known_last, sample_bytes == 1 ? 255U : 65535U);
    // An empty range needs this flag: limiting a sample to it would say nothing.
    none_ = a.known_first > last;
    not_zero_ = a.known_first == 1 && last == (sample_bytes == 1 ? 255U : 65535U);
    first2_ = a.known_first * 0x10001U;
    last2_ = last * 0x10001U;
  }

  // True if all samples but 0 are known, as in most frames: a faster case.
  __device__ __forceinline__ bool not_zero() const { return not_zero_; }

  // A bit for each known row of the chunk, of which the frame has `rows`. `samples` has two rows in
  // each word. kNotZero: what not_zero() says.
  template <bool kNotZero = false>
  __device__ __forceinline__ unsigned of(const unsigned (&samples)[4], int rows) const {
    unsigned flags = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      // A sample is known when limiting it to the known range does not change it.
      const unsigned difference =
          kNotZero ? samples[i] : __vminu2(__vmaxu2(samples[i], first2_), last2_) ^ samples[i];
      const unsigned differs =
          (((difference & 0x7FFF7FFFU) + 0x7FFF7FFFU) | difference) & 0x80008000U;
      flags |= differs >> (15 - 2 * i);
    }
    const unsigned inside = rows >= 8 ? 0xFFU : (1U << max(rows, 0)) - 1;
    if (kNotZero) return (flags | flags >> 15) & inside;
    return none_ ? 0 : ~(flags | flags >> 15) & inside;
  }

 private:
  bool none_;
  bool not_zero_;
  unsigned first2_;
  unsigned last2_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_KNOWN_ROWS_CUH_
