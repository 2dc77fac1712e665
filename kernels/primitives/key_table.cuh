// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_KEY_TABLE_CUH_
#define RDP_KERNELS_PRIMITIVES_KEY_TABLE_CUH_

#include <cstdint>

#include "kernels/primitives/key_table.h"

// Hash table with open addressing, larger than the number of keys. The place of a key depends on
// the order of insertion, so no result may depend on it.
namespace rdp::cuda {

// The first place to probe for a key. Neighbouring keys lie apart.
__device__ __forceinline__ std::uint32_t first_place(const KeyTable& table, std::uint32_t key) {
  std::uint32_t mixed = key * 2654435761U;
  mixed = (mixed ^ mixed >> 15) * 2654435761U;
  mixed ^= mixed >> 13;
  return static_cast<std::uint32_t>(static_cast<unsigned long long>(mixed) * table.size >> 32);
}
__device__ __forceinline__ std::uint32_t next_place(const KeyTable& table, std::uint32_t place) {
  return place + 1 == table.size ? 0 : place + 1;
}

// Returns the place of a key, which is inserted if missing. Then *is_new is true for one of the
// threads that insert it.
__device__ __forceinline__ std::uint32_t put_key(const KeyTable& table, std::uint32_t key,
                                                 bool* is_new) {
  const volatile std::uint32_t* const latest = table.keys;
  std::uint32_t place = first_place(table, key);
  *is_new = false;
  while (true) {
    std::uint32_t there = latest[place];
    if (there == kNoKey) {
      there = atomicCAS(&table.keys[place], kNoKey, key);
      *is_new = there == kNoKey;
      if (*is_new) return place;
    }
    if (there == key) return place;
    place = next_place(table, place);
  }
}

// The same while no thread inserts; kNoPlace: the key is missing. `place` is its first place and
// `there` the key read there, so that several reads can overlap.
__device__ __forceinline__ std::uint32_t find_key(const KeyTable& table, std::uint32_t key,
                                                  std::uint32_t place, std::uint32_t there) {
  while (there != key) {
    if (there == kNoKey) return kNoPlace;
    place = next_place(table, place);
    there = table.keys[place];
  }
  return place;
}
__device__ __forceinline__ std::uint32_t find_key(const KeyTable& table, std::uint32_t key) {
  const std::uint32_t place = first_place(table, key);
  return find_key(table, key, place, table.keys[place]);
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_KEY_TABLE_CUH_
