// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RVL_FAULTS_H_
#define RDP_COMMON_RVL_FAULTS_H_

#include "common/rvl/rvl.h"

// The faults of a code, and other parts that both decoders share.
namespace rdp::rvl {

// 30 bits: the largest frame has 2^28 samples, a difference has 17 bits.
inline constexpr int kMaxNibbles = 10;

// Offsets are of the word in which the number at fault begins.
[[noreturn]] inline void throw_long_number(std::size_t offset) {
  throw RvlError(offset, "found a number of more than 10 nibbles, expected one of at most 10");
}
[[noreturn]] inline void throw_end(std::size_t offset, std::size_t left) {
  throw RvlError(offset, "found the end of the code, expected it after " + std::to_string(left) +
                             " samples more");
}
[[noreturn]] inline void throw_count(std::size_t offset, std::size_t count, std::size_t left) {
  throw RvlError(offset, "found a run of " + std::to_string(count) + " samples, expected at most " +
                             std::to_string(left) + ", which the frame has left");
}

// used: the bytes of the words that the samples are in.
inline void check_end(std::size_t used, std::size_t size) {
  if (size <= used + 4) return;
  throw RvlError(used, "found " + std::to_string(size - used) +
                           " bytes behind the last sample, expected at most 4");
}

}  // namespace rdp::rvl

#endif  // RDP_COMMON_RVL_FAULTS_H_
