// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_SEGMENT_LIST_H_
#define RDP_COMMON_RDP_SEGMENT_LIST_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/image/grow_buffer.h"

namespace rdp {

// A straight line from one known row of a column to another, both included. Neighbouring segments
// of a split share their end; refine and merge make them disjoint. A single known sample has the
// segment (r, r).
struct Segment {
  std::uint16_t first_row;
  std::uint16_t last_row;
  float first_value;  // in sample steps (u with Domain::kInverse)
  float last_value;

  bool operator==(const Segment&) const = default;
};
static_assert(sizeof(Segment) == 12);

// A read-only view of a frame's segments in memory that somebody else owns. A SegmentList, whose
// layout it has, converts to one.
class SegmentArrays {
 public:
  SegmentArrays() = default;
  // `offsets` has one element more than there are columns; the last one is the size of `segments`.
  SegmentArrays(std::span<const std::uint32_t> offsets, std::span<const Segment> segments)
      : offsets_(offsets), segments_(segments) {}

  int columns() const { return static_cast<int>(offsets_.size()) - 1; }
  std::span<const std::uint32_t> offsets() const { return offsets_; }
  std::span<const Segment> segments() const { return segments_; }
  std::size_t segment_count() const { return segments_.size(); }
  std::span<const Segment> column(int c) const {
    const auto i = static_cast<std::size_t>(c);
    return segments_.subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }

 private:
  std::span<const std::uint32_t> offsets_;
  std::span<const Segment> segments_;
};

// The segments of a frame: those of column c are segments()[offsets()[c] .. offsets()[c + 1]), top
// to bottom. Keeps its memory between frames, so that a list that is used again stops allocating
// once it has seen its largest frame.
class SegmentList {
 public:
  int columns() const { return columns_; }
  std::span<const std::uint32_t> offsets() const { return {offsets_.data(), offset_count()}; }
  std::span<const Segment> segments() const { return {segments_.data(), segment_count()}; }
  std::size_t segment_count() const { return columns_ < 0 ? 0 : offsets_.data()[columns_]; }

  std::span<const Segment> column(int c) const {
    const std::uint32_t* offset = offsets_.data() + c;
    return {segments_.data() + offset[0], offset[1] - offset[0]};
  }

  // To fill the list: first write columns + 1 offsets with offsets[0] = 0, then as many segments as
  // the last offset says. Both throw std::bad_alloc; without memory for the offsets the list is
  // empty, as before its first frame.
  std::uint32_t* resize_columns(int columns) {
    columns_ = -1;
    std::uint32_t* offsets = offsets_.ensure(static_cast<std::size_t>(columns) + 1);
    columns_ = columns;
    return offsets;
  }
  Segment* resize_segments() { return segments_.ensure(segment_count()); }

  // Valid until the list is filled again.
  operator SegmentArrays() const { return {offsets(), segments()}; }

 private:
  std::size_t offset_count() const { return static_cast<std::size_t>(columns_ + 1); }

  int columns_ = -1;  // before the first frame there is not even offsets()[0]
  GrowBuffer<std::uint32_t> offsets_;
  GrowBuffer<Segment> segments_;
};

}  // namespace rdp

#endif  // RDP_COMMON_RDP_SEGMENT_LIST_H_
