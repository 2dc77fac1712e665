// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_EXPAND_SEGMENTS_H_
#define RDP_COMMON_RDP_EXPAND_SEGMENTS_H_

#include <cstdint>

#include "common/rdp/segment_list.h"
#include "common/rdp/split_columns.h"

namespace rdp {

// The number of segments between `vertices` vertices: a single vertex is a segment of one row.
inline std::uint32_t segments_of_vertices(std::uint32_t vertices) {
  return vertices > 1 ? vertices - 1 : vertices;
}

// Writes the segments between the `count` vertices of one column to `out`.
inline void expand_segments(const PackedSample* vertices, std::uint32_t count, Segment* out) {
  if (count == 0) return;
  auto row = static_cast<std::uint16_t>(packed_row(vertices[0]));
  auto value = static_cast<float>(packed_value(vertices[0]));
  if (count == 1) {
    *out = {row, row, value, value};
    return;
  }
  for (std::uint32_t i = 1; i < count; ++i) {
    const auto last_row = static_cast<std::uint16_t>(packed_row(vertices[i]));
    const auto last_value = static_cast<float>(packed_value(vertices[i]));
    *out++ = {row, last_row, value, last_value};
    row = last_row;
    value = last_value;
  }
}

}  // namespace rdp

#endif  // RDP_COMMON_RDP_EXPAND_SEGMENTS_H_
