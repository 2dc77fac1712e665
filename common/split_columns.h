// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SPLIT_COLUMNS_H_
#define RDP_COMMON_SPLIT_COLUMNS_H_

#include <cstddef>
#include <cstdint>

#include "common/grow_buffer.h"
#include "common/parameters.h"
#include "common/transpose.h"

namespace rdp {

// A known sample in 32 bits: its row in the upper half, its value in the lower half as a signed
// number (value - 32768). One multiply-add of 16-bit pairs takes both to the distance from a line,
// and the known samples of a column stand side by side, so that unknown ones cost nothing and are
// bridged by themselves.
using PackedSample = std::uint32_t;

inline constexpr std::uint32_t kPackedValueBias = 0x8000;

inline int packed_row(PackedSample sample) { return static_cast<int>(sample >> 16); }
inline int packed_value(PackedSample sample) {
  return static_cast<int>((sample & 0xFFFF) ^ kPackedValueBias);
}

// How many samples past the last one vectors may read or write.
inline constexpr std::ptrdiff_t kPackedSlack = 16;

// What split_columns() works in: one for each thread, kept between frames.
class SplitScratch {
 public:
  // Makes room for columns of `rows` samples. Throws std::bad_alloc.
  void prepare(int rows);

  // Segments still to be looked at are kept in lists of similar length: see split_columns.cpp.
  static constexpr int kLists = 8;

  int columns() const { return columns_; }  // worked on at a time
  std::ptrdiff_t stride() const { return stride_; }
  PackedSample* samples() { return samples_.data(); }
  std::uint8_t* is_vertex() { return is_vertex_.data(); }
  std::uint32_t* list(int i) { return lists_.data() + static_cast<std::size_t>(i) * list_stride_; }

 private:
  int columns_ = 0;
  std::ptrdiff_t stride_ = 0;
  std::size_t list_stride_ = 0;
  GrowBuffer<PackedSample> samples_;
  GrowBuffer<std::uint8_t> is_vertex_;
  GrowBuffer<std::uint32_t> lists_;
};

// Splits `count` columns of `rows` samples as reference::segment() does. Writes the vertices (the
// ends of the segments) of all columns one after the other, top to bottom, to `vertices`, which has
// room for count * rows + kPackedSlack, and how many each column has to vertex_counts[0..count).
// Returns the sum of these counts. A column without known samples has no vertex; one with a single
// known sample has one. `scratch` was prepared for `rows`.
std::size_t split_columns(const ColumnBlock& columns, int count, int rows, const KnownRange& known,
                          std::int64_t eps256, SplitScratch* scratch, PackedSample* vertices,
                          std::uint32_t* vertex_counts);

}  // namespace rdp

#endif  // RDP_COMMON_SPLIT_COLUMNS_H_
