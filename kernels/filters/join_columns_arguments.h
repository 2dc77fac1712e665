// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_JOIN_COLUMNS_ARGUMENTS_H_
#define RDP_KERNELS_FILTERS_JOIN_COLUMNS_ARGUMENTS_H_

#include <cstdint>

namespace rdp::cuda {

// What the kernels rdp_join_columns_<sample> take. Pitches in bytes; `in` and `out` have samples of
// the same size and do not overlap.
struct JoinColumnsArguments {
  const unsigned char* in;
  std::int64_t in_pitch;
  unsigned char* out;  // width / column_width columns, rounded up
  std::int64_t out_pitch;
  std::int32_t width;  // of `in`
  std::int32_t height;
  std::int32_t column_width;  // 1..16
  std::uint32_t known_first;
  std::uint32_t known_last;
  std::uint32_t unknown;  // what is written where too few are known
};

// The part of the joined frame that a block of threads works on.
constexpr int kJoinThreads = 128;
constexpr int kJoinColumns = 32;
constexpr int kJoinRows = kJoinThreads / 32;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FILTERS_JOIN_COLUMNS_ARGUMENTS_H_
