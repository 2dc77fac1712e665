// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_JOIN_COLUMNS_ARGUMENTS_H_
#define RDP_KERNELS_FILTERS_JOIN_COLUMNS_ARGUMENTS_H_

#include <cstdint>

#include "kernels/filters/filter_arguments.h"

namespace rdp::cuda {

// Arguments of the kernels rdp_join_columns_<sample>. `out` has samples like those of `in`, in
// width / column_width columns, rounded up.
struct JoinColumnsArguments : FilterArguments {
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
