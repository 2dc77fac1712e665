// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_ROW_BANDS_H_
#define RDP_COMMON_IMAGE_ROW_BANDS_H_

#include <algorithm>
#include <type_traits>

#include "common/image/thread_pool.h"

namespace rdp {

// Calls body(first_row, end_row) or body(first_row, end_row, worker) for bands of `rows` rows that
// make up a picture, in `threads` threads of the pool. Throws what a body throws.
template <typename Body>
void for_bands(ThreadPool* pool, int height, int rows, unsigned threads, const Body& body) {
  const auto bands = static_cast<unsigned>((height + rows - 1) / rows);
  pool->run(bands, threads, [&](unsigned band, unsigned, unsigned worker) {
    const int first = static_cast<int>(band) * rows;
    const int end = std::min(first + rows, height);
    if constexpr (std::is_invocable_v<Body, int, int, unsigned>) {
      body(first, end, worker);
    } else {
      body(first, end);
    }
  });
}

// The same in all threads of the pool.
template <typename Body>
void for_bands(ThreadPool* pool, int height, int rows, const Body& body) {
  for_bands(pool, height, rows, pool->size(), body);
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_ROW_BANDS_H_
