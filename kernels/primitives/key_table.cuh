// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_KEY_TABLE_CUH_
#define RDP_KERNELS_PRIMITIVES_KEY_TABLE_CUH_

#include <cstdint>

#include "kernels/primitives/key_table.h"

// Keys in a table of open addresses, which has room for more than there are. Where a key lies
// depends on the order in which they come, so that no result may depend on its place.
namespace rdp::cuda {

// The first place to look for a key. Neighbouring keys lie apart.
__device__ __forceinline__ std::uint32_t first_place(const KeyTable& table, std::uint32_t key) {
  std::uint32_t mixed = key * 2654435761U;
  mixed = (mixed ^ mixed >> 15) * 2654435761U;
  mixed ^= mixed >> 13;
  return static_cast<std::uint32_t>(static_cast<unsigned long long>(mixed) * table.size >> 32);
}
__device__ __forceinline__ std::uint32_t next_place(const KeyTable& table, std::uint32_t place) {
  return place + 1 == table.size ? 0 : place + 1;
}

// The place of a key, which is put there if it is not in the table yet: is_new says so to one of
// the threads that come with it.
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

// The same while nobody puts keys; kNoPlace: it is not there. `there`: the key at `place`, which is
// its first place, so that several can be on their way together.
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
