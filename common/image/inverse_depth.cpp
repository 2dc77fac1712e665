// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/inverse_depth.h"

#include <cstring>

namespace rdp {

bool InverseDepthTable::update(const InverseDepth& inverse, SampleType type) {
  const std::uint32_t size = max_sample(type) + 1;
  if (size == size_ && inverse == inverse_) return false;
  size_ = 0;  // the table is invalid if the allocation fails
  std::uint16_t* values = values_.ensure(size);
  for (std::uint32_t z = 0; z < size; ++z) {
    values[z] = inverse_of_depth(static_cast<std::uint16_t>(z), inverse);
  }
  size_ = size;
  inverse_ = inverse;
  return true;
}

void inverse_depth_rows(const DepthView& in, const InverseDepthTable& table, int first_row,
                        int end_row, const MutableDepthView& out) {
  const std::uint16_t* values = table.data();
  for (int row = first_row; row < end_row; ++row) {
    const std::byte* from = in.row(row);
    std::byte* to = out.row(row);
    if (in.type == SampleType::kU8) {
      for (std::ptrdiff_t x = 0; x < in.width; ++x) {
        std::memcpy(to + 2 * x, values + std::to_integer<std::size_t>(from[x]), 2);
      }
    } else {
      for (std::ptrdiff_t x = 0; x < in.width; ++x) {
        std::uint16_t z;
        std::memcpy(&z, from + 2 * x, sizeof z);
        std::memcpy(to + 2 * x, values + z, sizeof z);
      }
    }
  }
}

}  // namespace rdp
