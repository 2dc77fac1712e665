// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_SPLIT_COLUMNS_H_
#define RDP_COMMON_RDP_SPLIT_COLUMNS_H_

#include <cstddef>
#include <cstdint>

#include "common/image/grow_buffer.h"
#include "common/image/transpose.h"
#include "common/rdp/parameters.h"

namespace rdp {

// A known sample in 32 bits: its row in the upper half, its value in the lower half as a signed
// number (value - 32768). One multiply-add of 16-bit pairs gives the distance from a line. The
// known samples of a column are contiguous, so that unknown ones cost nothing and are bridged
// implicitly.
using PackedSample = std::uint32_t;

inline constexpr std::uint32_t kPackedValueBias = 0x8000;

inline int packed_row(PackedSample sample) { return static_cast<int>(sample >> 16); }
inline int packed_value(PackedSample sample) {
  return static_cast<int>((sample & 0xFFFF) ^ kPackedValueBias);
}

// The number of samples past the last one of a column that vectors may read or write. They are
// ignored, and are 0 once a column is split: memory checkers would report reads of unwritten
// samples, and hide real errors.
inline constexpr std::ptrdiff_t kPackedSlack = 16;

// Splits some columns of a frame at vertices. Holds the memory for it: one object for each thread,
// kept between frames. Call prepare(), then pack() for all rows from top to bottom, then split().
class ColumnSplitter {
 public:
  // Makes room for `columns` columns of `rows` samples, still empty. Throws std::bad_alloc.
  void prepare(int columns, int rows);

  // Forgets the samples, for the next columns of the same frame.
  void clear();

  // Appends the known samples of rows [first_row, first_row + rows) of the first `count` columns.
  // `block` starts with `first_row`, and must be readable up to the next multiple of 32 rows.
  void pack(const ColumnBlock& block, int count, int first_row, int rows, const KnownRange& known);

  // Splits the columns as reference::segment() does. Writes the vertices (the ends of the segments)
  // of the first `count` columns one after the other, top to bottom, to `vertices`, which has room
  // for count * rows + kPackedSlack, and how many each column has to vertex_counts[0..count).
  // Returns the sum of these counts. A column without known samples has no vertex; one with a
  // single known sample has one. If `max_gap` is not 0, the same holds for each run: samples with
  // gaps of at most max_gap rows.
  std::size_t split(int count, std::int64_t eps256, int max_gap, PackedSample* vertices,
                    std::uint32_t* vertex_counts);

  // The known samples of a column.
  const PackedSample* samples(int column) const { return memory_.known[column].begin; }

  // The number of lists of pending segments, one for each range of lengths: see split_columns.cpp.
  static constexpr int kLists = 8;

  // The known samples that a column has so far.
  struct Known {
    PackedSample* begin;
    PackedSample* end;
  };

  // Memory that the SIMD code works on.
  struct Memory {
    int columns = 0;
    int group_columns = 0;  // split at a time
    std::ptrdiff_t stride = 0;
    std::size_t list_stride = 0;
    PackedSample* samples = nullptr;    // column c from c * stride on
    Known* known = nullptr;             // of each column
    std::uint8_t* is_vertex = nullptr;  // of each sample of a group
    std::uint32_t* lists = nullptr;     // list i from i * list_stride on
  };

 private:
  Memory memory_;
  GrowBuffer<PackedSample> samples_;
  GrowBuffer<Known> known_;
  GrowBuffer<std::uint8_t> is_vertex_;
  GrowBuffer<std::uint32_t> lists_;
};

}  // namespace rdp

#endif  // RDP_COMMON_RDP_SPLIT_COLUMNS_H_
