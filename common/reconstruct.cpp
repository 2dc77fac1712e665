// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/reconstruct.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "common/line.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/reconstruct.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/load_samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Columns are worked on in strips as wide as a cache line of 16-bit samples. The lines of a strip
// are first drawn into columns that are contiguous in memory, then turned around tile by tile, a
// tile being kTileRows rows of the strip.
constexpr int kStripColumns = 32;
constexpr int kTileRows = 8;

// The most samples of a segment that are drawn at a time.
constexpr std::size_t kMaxLanes = 16;

// Draws a segment of 16-bit samples, line[row] being the place of each row: line_value() of its
// rows. Up to a vector less one sample beyond the last row is overwritten.
//
// In row i after the first the value is floor(n / q), where q = 2 * length and
// n = 2 * first_value * length + 2 * (last_value - first_value) * i + length fits int32 (line.h).
// The quotient in single precision, of which no more than four roundings and the factor below take
// part, is within (1 - 2^-20, 1) times the exact one, which is below 2^16: cut off, it is right or
// one too small, and the integer remainder tells which.
HWY_INLINE void draw_line(const Segment& segment, std::uint16_t* line) {
  const hn::CappedTag<std::int32_t, kMaxLanes> d;
  const hn::RebindToFloat<decltype(d)> df;
  const hn::Rebind<std::uint16_t, decltype(d)> d16;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int length = segment.last_row - segment.first_row;
  const auto first = static_cast<std::int32_t>(segment.first_value);
  const std::int32_t rise = static_cast<std::int32_t>(segment.last_value) - first;
  constexpr float kSmaller = 1.0F - 1.0F / (1 << 21);
  const auto q = hn::Set(d, 2 * length);
  const auto q_less_1 = hn::Set(d, 2 * length - 1);
  const auto reciprocal = hn::Set(df, kSmaller / static_cast<float>(2 * length));
  auto n = hn::Add(hn::Set(d, 2 * first * length + length),
                   hn::Mul(hn::Set(d, 2 * rise), hn::Iota(d, 0)));
  const auto step = hn::Set(d, 2 * rise * lanes);
  for (int i = 0; i <= length; i += lanes) {
    const auto value = hn::ConvertTo(d, hn::Mul(hn::ConvertTo(df, n), reciprocal));
    const auto remainder = hn::Sub(n, hn::Mul(value, q));
    const auto one_more = hn::VecFromMask(d, hn::Gt(remainder, q_less_1));  // -1 where true
    hn::StoreU(hn::DemoteTo(d16, hn::Sub(value, one_more)), d16, line + segment.first_row + i);
    n = hn::Add(n, step);
  }
}

// The same for a segment of inverse depths: depth_on_line() of its rows.
HWY_INLINE void draw_depths(const Segment& segment, const Parameters& parameters,
                            std::uint32_t largest, std::uint16_t* line) {
#if HWY_HAVE_FLOAT64
  const hn::CappedTag<double, 8> df;
  const hn::Rebind<std::int32_t, decltype(df)> d;
  const hn::Rebind<std::uint16_t, decltype(df)> d16;
  const int lanes = static_cast<int>(hn::Lanes(df));
  const int length = segment.last_row - segment.first_row;
  const auto first = static_cast<std::int32_t>(segment.first_value);
  const std::int32_t rise = static_cast<std::int32_t>(segment.last_value) - first;
  const KnownRange known = input_known_range(parameters);
  const auto nearest = hn::Set(df, static_cast<double>(known.first));
  const auto farthest = hn::Set(df, static_cast<double>(std::min(known.last, largest)));
  const auto scale = hn::Set(df, parameters.inverse_scale * length);
  const auto half = hn::Set(df, 0.5);
  const auto one = hn::Set(df, 1.0);
  auto scaled = hn::Add(hn::Set(d, first * length), hn::Mul(hn::Set(d, rise), hn::Iota(d, 0)));
  const auto step = hn::Set(d, rise * lanes);
  for (int i = 0; i <= length; i += lanes) {
    const auto z = hn::Div(scale, hn::PromoteTo(df, scaled));
    const auto whole = hn::Floor(z);
    const auto up = hn::Ge(hn::Sub(z, whole), half);
    const auto rounded = hn::Add(whole, hn::IfThenElseZero(up, one));
    const auto kept = hn::Min(hn::Max(rounded, nearest), farthest);
    hn::StoreU(hn::DemoteTo(d16, hn::DemoteTo(d, kept)), d16, line + segment.first_row + i);
    scaled = hn::Add(scaled, step);
  }
#else
  for (int row = segment.first_row; row <= segment.last_row; ++row) {
    line[row] = depth_on_line(segment, row, parameters, largest);
  }
#endif
}

// Draws all segments of a column, top to bottom: a row that two segments share gets the lower one's
// value, as in the reference.
void draw_column(std::span<const Segment> segments, const Parameters& parameters,
                 std::uint32_t largest, std::uint16_t* line) {
  const bool inverse = parameters.domain == Domain::kInverse;
  for (const Segment& segment : segments) {
    const int row = segment.first_row;
    if (row == segment.last_row) {
      line[row] =
          inverse ? depth_on_line(segment, row, parameters, largest) : line_value(segment, row);
    } else if (inverse) {
      draw_depths(segment, parameters, largest, line);
    } else {
      draw_line(segment, line);
    }
  }
}

// Turns eight columns of eight samples, `pitch` samples apart, into eight rows of a tile.
HWY_INLINE void transpose_8x8(const std::uint16_t* columns, std::size_t pitch,
                              std::uint16_t* rows) {
#if HWY_TARGET == HWY_SCALAR
  for (int i = 0; i < 64; ++i) {
    rows[i / 8 * kStripColumns + i % 8] = columns[i % 8 * pitch + i / 8];
  }
#else
  const hn::FixedTag<std::uint16_t, 8> d;
  const hn::Repartition<std::uint32_t, decltype(d)> d32;
  const hn::Repartition<std::uint64_t, decltype(d)> d64;
  using V = hn::Vec<decltype(d)>;
  const auto column = [&](int i) HWY_ATTR { return hn::LoadU(d, columns + i * pitch); };
  const auto low = [&](V a, V b)
                       HWY_ATTR { return hn::BitCast(d32, hn::InterleaveLower(d, a, b)); };
  const auto high = [&](V a, V b)
                        HWY_ATTR { return hn::BitCast(d32, hn::InterleaveUpper(d, a, b)); };
  const V c0 = column(0), c1 = column(1), c2 = column(2), c3 = column(3);
  const V c4 = column(4), c5 = column(5), c6 = column(6), c7 = column(7);
  // Named after the columns that a vector holds and the rows that it holds of them.
  const auto c01_r03 = low(c0, c1), c01_r47 = high(c0, c1);
  const auto c23_r03 = low(c2, c3), c23_r47 = high(c2, c3);
  const auto c45_r03 = low(c4, c5), c45_r47 = high(c4, c5);
  const auto c67_r03 = low(c6, c7), c67_r47 = high(c6, c7);
  const auto two_rows = [&](auto left, auto right, std::uint16_t* to) HWY_ATTR {
    const auto a = hn::BitCast(d64, left);
    const auto b = hn::BitCast(d64, right);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d64, a, b)), d, to);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d64, a, b)), d, to + kStripColumns);
  };
  two_rows(hn::InterleaveLower(d32, c01_r03, c23_r03), hn::InterleaveLower(d32, c45_r03, c67_r03),
           rows);
  two_rows(hn::InterleaveUpper(d32, c01_r03, c23_r03), hn::InterleaveUpper(d32, c45_r03, c67_r03),
           rows + 2 * kStripColumns);
  two_rows(hn::InterleaveLower(d32, c01_r47, c23_r47), hn::InterleaveLower(d32, c45_r47, c67_r47),
           rows + 4 * kStripColumns);
  two_rows(hn::InterleaveUpper(d32, c01_r47, c23_r47), hn::InterleaveUpper(d32, c45_r47, c67_r47),
           rows + 6 * kStripColumns);
#endif
}

// 8-bit or 16-bit samples of a frame as a vector of 16-bit ones.
template <typename T, class D>
HWY_INLINE hn::Vec<D> load_as_u16(D d, const std::byte* from) {
  if constexpr (sizeof(T) == 1) {
    const hn::Rebind<std::uint8_t, D> d8;
    return hn::PromoteTo(d, hn::LoadU(d8, reinterpret_cast<const std::uint8_t*>(from)));
  } else {
    return load_samples(d, from);
  }
}

template <typename T, class D>
HWY_INLINE void store_from_u16(D d, hn::Vec<D> v, std::byte* to) {
  if constexpr (sizeof(T) == 1) {
    const hn::Rebind<std::uint8_t, D> d8;
    // All samples are below 256, where signed and unsigned agree.
    const auto narrow = hn::DemoteTo(d8, hn::BitCast(hn::RebindToSigned<D>(), v));
    hn::StoreU(narrow, d8, reinterpret_cast<std::uint8_t*>(to));
  } else {
    store_samples(d, v, to);
  }
}

// Writes values[0 .. columns) over the known samples of one row, for a column width of 1.
template <typename Source, typename Sample>
void write_row(const DepthView& source, const KnownRange& known, int row, int first_column,
               int columns, const std::uint16_t* values, const MutableDepthView& frame) {
  const hn::CappedTag<std::uint16_t, kStripColumns> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  // Not empty: there would be no segment.
  const auto first = hn::Set(d, static_cast<std::uint16_t>(known.first));
  const auto last = hn::Set(d, static_cast<std::uint16_t>(std::min(known.last, 65535U)));
  const std::byte* from = source.row(row) + first_column * sizeof(Source);
  std::byte* to = frame.row(row) + first_column * sizeof(Sample);
  int i = 0;
  for (; i + lanes <= columns; i += lanes) {
    const auto s = load_as_u16<Source>(d, from + i * sizeof(Source));
    const auto is_known = hn::Eq(hn::Min(hn::Max(s, first), last), s);
    const auto old = load_as_u16<Sample>(d, to + i * sizeof(Sample));
    store_from_u16<Sample>(d, hn::IfThenElse(is_known, hn::LoadU(d, values + i), old),
                           to + i * sizeof(Sample));
  }
  for (; i < columns; ++i) {
    if (!known.contains(source.at(row, first_column + i))) continue;
    frame.set(row, first_column + i, values[i]);
  }
}

// Writes the value of each of `groups` joined columns over its frame columns, where they are known.
void write_joined_row(const DepthView& source, const KnownRange& known, int row, int first_group,
                      int groups, int column_width, const std::uint16_t* values,
                      const MutableDepthView& frame) {
  for (int g = 0; g < groups; ++g) {
    const int first_column = (first_group + g) * column_width;
    const int end_column = std::min(first_column + column_width, frame.width);
    int count = 0;
    for (int column = first_column; column < end_column; ++column) {
      count += known.contains(source.at(row, column)) ? 1 : 0;
    }
    if (count == 0 || 2 * count < end_column - first_column) continue;
    for (int column = first_column; column < end_column; ++column) {
      frame.set(row, column, values[g]);
    }
  }
}

void write_tile_row(const DepthView& source, const KnownRange& known, int row, int first, int count,
                    int column_width, const std::uint16_t* values, const MutableDepthView& frame) {
  if (column_width > 1) {
    write_joined_row(source, known, row, first, count, column_width, values, frame);
  } else if (source.type == SampleType::kU16 && frame.type == SampleType::kU16) {
    write_row<std::uint16_t, std::uint16_t>(source, known, row, first, count, values, frame);
  } else if (source.type == SampleType::kU16) {
    write_row<std::uint16_t, std::uint8_t>(source, known, row, first, count, values, frame);
  } else {
    write_row<std::uint8_t, std::uint8_t>(source, known, row, first, count, values, frame);
  }
}

void reconstruct_columns(const DepthView& source, const SegmentList& segments,
                         const Parameters& parameters, int first_column, int end_column,
                         const MutableDepthView& frame, ReconstructScratch* scratch) {
  const KnownRange known = segmented_known_range(parameters, frame.type);
  const std::uint32_t largest = max_sample(frame.type);
  // Room for whole tiles and for what a drawn segment may overwrite beyond the last row; an odd
  // number of cache lines, so that the same row of all columns does not fall into the same set of
  // the cache.
  constexpr std::size_t kCacheLine = 64 / sizeof(std::uint16_t);
  const std::size_t room = static_cast<std::size_t>(frame.height) + kMaxLanes;
  const std::size_t pitch = (room / kCacheLine + 1) * kCacheLine | kCacheLine;
  std::uint16_t* lines = scratch->lines.ensure(kStripColumns * pitch + kTileRows * kStripColumns);
  std::uint16_t* tile = lines + kStripColumns * pitch;
  for (int strip = first_column; strip < end_column; strip += kStripColumns) {
    const int columns = std::min(kStripColumns, end_column - strip);
    bool empty = true;
    for (int i = 0; i < columns; ++i) {
      const std::span<const Segment> column = segments.column(strip + i);
      empty = empty && column.empty();
      draw_column(column, parameters, largest, lines + i * pitch);
    }
    if (empty) continue;
    for (int row = 0; row < frame.height; row += kTileRows) {
      for (int i = 0; i < columns; i += 8) {
        transpose_8x8(lines + i * pitch + row, pitch, tile + i);
      }
      for (int r = 0; r < std::min(kTileRows, frame.height - row); ++r) {
        write_tile_row(source, known, row + r, strip, columns, parameters.column_width,
                       tile + r * kStripColumns, frame);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp {

HWY_EXPORT(reconstruct_columns);

void reconstruct_columns(const DepthView& source, const SegmentList& segments,
                         const Parameters& parameters, int first_column, int end_column,
                         const MutableDepthView& frame, ReconstructScratch* scratch) {
  HWY_DYNAMIC_DISPATCH(reconstruct_columns)
  (source, segments, parameters, first_column, end_column, frame, scratch);
}

}  // namespace rdp
#endif  // HWY_ONCE
