// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_ROW_BANDS_H_
#define RDP_COMMON_IMAGE_ROW_BANDS_H_

#include <algorithm>

#include "common/image/thread_pool.h"

namespace rdp {

// Calls body(first_row, end_row) for all rows of a picture, in bands of so many, in all threads of
// the pool. Throws what a body throws.
template <typename Body>
void for_bands(ThreadPool* pool, int height, int rows, const Body& body) {
  const auto bands = static_cast<unsigned>((height + rows - 1) / rows);
  pool->run(bands, pool->size(), [&](unsigned band, unsigned, unsigned) {
    const int first = static_cast<int>(band) * rows;
    body(first, std::min(first + rows, height));
  });
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_ROW_BANDS_H_
