// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_KEY_TABLE_H_
#define RDP_KERNELS_PRIMITIVES_KEY_TABLE_H_

#include <cstdint>

namespace rdp::cuda {

// Keys in device memory, see key_table.cuh; all of them kNoKey at first.
struct KeyTable {
  std::uint32_t* keys;
  std::uint32_t size;
};
constexpr std::uint32_t kNoKey = 0;
constexpr std::uint32_t kNoPlace = 0xFFFFFFFFU;

// Places of a table for so many keys; at most two thirds get taken.
constexpr std::int64_t places_for(std::int64_t keys) { return keys + keys / 2 + 1; }

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_KEY_TABLE_H_
