// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/reconstruct.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "common/rdp/line.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/rdp/reconstruct.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/exchange-inl.h"
#include "common/image/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Columns are worked on in strips as wide as a cache line of 16-bit samples. The lines of a strip
// are first drawn into columns that are contiguous in memory, then transposed by tiles of kTileRows
// rows.
constexpr int kStripColumns = 32;
constexpr int kTileRows = 8;

// The most samples of a segment that are drawn at a time.
constexpr std::size_t kMaxLanes = 16;

// Draws line_value() of a segment's rows, in 16 bits, to line[row]. Overwrites up to a vector less
// one sample beyond the last row.
//
// In row i after the first the value is floor(n / q), where q = 2 * length and
// n = 2 * first_value * length + 2 * (last_value - first_value) * i + length fits int32 (line.h).
// The quotient in single precision, with at most four roundings and the factor kSmaller, is within
// (1 - 2^-20, 1) times the exact one, which is < 2^16. Truncated, it is right or one too small; the
// integer remainder tells which.
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

// The same for fitted lines: floor(n / q), both 256 times as large and exact in double precision,
// clamped to the known range. A fractional quotient is at least 1 / q > 2^-24 from whole numbers
// and below 2^16, so that rounding does not reach one.
HWY_INLINE void draw_fitted_line(const Segment& segment, const KnownRange& known,
                                 std::uint16_t* line) {
  const hn::CappedTag<double, 8> df;
  const hn::Rebind<std::int32_t, decltype(df)> d;
  const hn::Rebind<std::uint16_t, decltype(df)> d16;
  const int lanes = static_cast<int>(hn::Lanes(df));
  const int length = segment.last_row - segment.first_row;
  const double first = segment.first_value * 256.0;
  const double rise = segment.last_value * 256.0 - first;
  const auto q = hn::Set(df, 512.0 * length);
  auto n = hn::Add(hn::Set(df, 2.0 * first * length + 256.0 * length),
                   hn::Mul(hn::Set(df, 2.0 * rise), hn::PromoteTo(df, hn::Iota(d, 0))));
  const auto step = hn::Set(df, 2.0 * rise * lanes);
  // Both fit: with an empty range there would be no segment.
  const auto least = hn::Set(d, static_cast<std::int32_t>(known.first));
  const auto largest = hn::Set(d, static_cast<std::int32_t>(std::min(known.last, 65535U)));
  for (int i = 0; i <= length; i += lanes) {
    const auto value = hn::DemoteTo(d, hn::Div(n, q));  // cuts off
    const auto kept = hn::Min(hn::Max(value, least), largest);
    hn::StoreU(hn::DemoteTo(d16, kept), d16, line + segment.first_row + i);
    n = hn::Add(n, step);
  }
}

// The same for a segment of inverse depths: depth_on_line() of its rows.
HWY_INLINE void draw_depths(const Segment& segment, const Parameters& parameters,
                            std::uint32_t largest, std::uint16_t* line) {
  const hn::CappedTag<double, 8> df;
  const hn::Rebind<std::int32_t, decltype(df)> d;
  const hn::Rebind<std::uint16_t, decltype(df)> d16;
  const int lanes = static_cast<int>(hn::Lanes(df));
  const int length = segment.last_row - segment.first_row;
  // Multiples of 1/256 below 2^30: all that follows is exact, up to the division.
  const double first = segment.first_value;
  const double rise = segment.last_value - first;
  const KnownRange known = input_known_range(parameters);
  const auto nearest = hn::Set(df, static_cast<double>(known.first));
  const auto farthest = hn::Set(df, static_cast<double>(std::min(known.last, largest)));
  const auto scale = hn::Set(df, parameters.inverse_scale * length);
  const auto half = hn::Set(df, 0.5);
  const auto one = hn::Set(df, 1.0);
  const auto beyond = hn::Set(df, kBeyondDepths);
  auto scaled = hn::Add(hn::Set(df, first * length),
                        hn::Mul(hn::Set(df, rise), hn::PromoteTo(df, hn::Iota(d, 0))));
  const auto step = hn::Set(df, rise * lanes);
  for (int i = 0; i <= length; i += lanes) {
    const auto is_near = hn::Gt(scaled, hn::Zero(df));  // nearer than infinitely far
    // Masked, so that no lane divides by 0; cut off, so that no infinity is rounded.
    const auto z = hn::Min(
        hn::Div(hn::IfThenElse(is_near, scale, beyond), hn::IfThenElse(is_near, scaled, one)),
        beyond);
    const auto whole = hn::Floor(z);
    const auto up = hn::Ge(hn::Sub(z, whole), half);
    const auto rounded = hn::Add(whole, hn::IfThenElseZero(up, one));
    const auto kept = hn::Min(hn::Max(rounded, nearest), farthest);
    hn::StoreU(hn::DemoteTo(d16, hn::DemoteTo(d, kept)), d16, line + segment.first_row + i);
    scaled = hn::Add(scaled, step);
  }
}

// Draws all segments of a column, top to bottom: a row that two segments share gets the lower one's
// value, as in the reference.
void draw_column(std::span<const Segment> segments, const Parameters& parameters,
                 const KnownRange& known, std::uint32_t largest, std::uint16_t* line) {
  const bool inverse = parameters.domain == Domain::kInverse;
  for (const Segment& segment : segments) {
    const int row = segment.first_row;
    if (row == segment.last_row) {
      line[row] = inverse ? depth_on_line(segment, row, parameters, largest)
                          : line_value(segment, row, known);
    } else if (inverse) {
      draw_depths(segment, parameters, largest, line);
    } else if (is_whole_within(segment, known)) {
      draw_line(segment, line);
    } else {
      draw_fitted_line(segment, known, line);
    }
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

// The samples for one row of a strip, and their place.
struct StripRow {
  static constexpr int kMaxSamples = kStripColumns * kMaxColumnWidth;
  static constexpr int kPadding = 64;  // overrun of broadcasts and sums of neighbours

  std::uint16_t values[kMaxSamples + kPadding];
  std::uint16_t known[kMaxSamples + kPadding];   // 1 for each known sample
  std::uint16_t counts[kMaxSamples + kPadding];  // for each sample, how many of its group are known
};

// flags[i] = 1 where sample i is known, else 0.
template <typename Source>
HWY_INLINE void find_known(const std::byte* from, int samples, const KnownRange& known,
                           std::uint16_t* flags) {
  const hn::CappedTag<std::uint16_t, kStripColumns> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  // Both fit: with an empty range there would be no segment.
  const auto first = hn::Set(d, static_cast<std::uint16_t>(known.first));
  const auto last = hn::Set(d, static_cast<std::uint16_t>(std::min(known.last, 65535U)));
  const auto one = hn::Set(d, 1);
  int i = 0;
  for (; i + lanes <= samples; i += lanes) {
    const auto s = load_as_u16<Source>(d, from + i * sizeof(Source));
    const auto is_known = hn::Eq(smaller(larger(s, first), last), s);
    hn::StoreU(hn::And(hn::VecFromMask(d, is_known), one), d, flags + i);
  }
  for (; i < samples; ++i) {
    Source s;
    std::memcpy(&s, from + i * sizeof s, sizeof s);
    flags[i] = known.contains(s) ? 1 : 0;
  }
}

// Gives all samples of a group the group's value and its number of known samples.
HWY_INLINE void spread_groups(const std::uint16_t* group_values, int samples, int column_width,
                              StripRow* row) {
  const hn::CappedTag<std::uint16_t, kStripColumns> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  // Sums column_width flags from each sample on; only the sums of the groups' first samples are
  // used.
  std::uint16_t* sums = row->known;
  std::fill_n(sums + samples, StripRow::kPadding, std::uint16_t{0});
  for (int i = 0; i < samples; i += lanes) {
    auto sum = hn::LoadU(d, sums + i);
    for (int j = 1; j < column_width; ++j) sum = hn::Add(sum, hn::LoadU(d, sums + i + j));
    hn::StoreU(sum, d, sums + i);
  }
  const int rest = samples % column_width;
  if (rest != 0) {
    // A narrower group needs fewer known samples: its sum becomes a full group's, or 0.
    std::uint16_t& sum = sums[samples - rest];
    sum = static_cast<std::uint16_t>(2 * sum >= rest ? column_width : 0);
  }
  // Each group overwrites what the one before it wrote too far.
  for (int i = 0; i < samples; i += column_width) {
    const auto value = hn::Set(d, *group_values++);
    const auto count = hn::Set(d, sums[i]);
    for (int j = 0; j < column_width; j += lanes) {
      hn::StoreU(value, d, row->values + i + j);
      hn::StoreU(count, d, row->counts + i + j);
    }
  }
}

// Writes the values over the samples whose count is `enough` or more.
template <typename Sample>
HWY_INLINE void write_counted(const std::uint16_t* values, const std::uint16_t* counts, int enough,
                              int samples, std::byte* to) {
  const hn::CappedTag<std::uint16_t, kStripColumns> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto least = hn::Set(d, static_cast<std::uint16_t>(enough));
  int i = 0;
  for (; i + lanes <= samples; i += lanes) {
    std::byte* at = to + i * sizeof(Sample);
    const auto count = hn::LoadU(d, counts + i);
    const auto counted = hn::Eq(larger(count, least), count);
    const auto old = load_as_u16<Sample>(d, at);
    store_from_u16<Sample>(d, hn::IfThenElse(counted, hn::LoadU(d, values + i), old), at);
  }
  for (; i < samples; ++i) {
    if (counts[i] < enough) continue;
    const auto value = static_cast<Sample>(values[i]);
    std::memcpy(to + i * sizeof value, &value, sizeof value);
  }
}

// Writes rows [row, end_row) of the strip of segmented columns that starts with `first` from a
// tile.
template <typename Source, typename Sample>
void write_tile(const std::uint16_t* tile, const DepthView& source, const KnownRange& known,
                int row, int end_row, int first, int columns, int column_width,
                const MutableDepthView& frame) {
  const int first_sample = first * column_width;
  const int samples = std::min(columns * column_width, frame.width - first_sample);
  const int enough = (column_width + 1) / 2;
  StripRow strip;
  for (; row < end_row; ++row, tile += kStripColumns) {
    const std::byte* from = source.row(row) + first_sample * sizeof(Source);
    std::byte* to = frame.row(row) + first_sample * sizeof(Sample);
    find_known<Source>(from, samples, known, strip.known);
    if (column_width == 1) {
      write_counted<Sample>(tile, strip.known, enough, samples, to);
    } else {
      spread_groups(tile, samples, column_width, &strip);
      write_counted<Sample>(strip.values, strip.counts, enough, samples, to);
    }
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
  using U8 = std::uint8_t;
  using U16 = std::uint16_t;
  const auto write = source.type == SampleType::kU8  ? &write_tile<U8, U8>
                     : frame.type == SampleType::kU8 ? &write_tile<U16, U8>
                                                     : &write_tile<U16, U16>;
  for (int strip = first_column; strip < end_column; strip += kStripColumns) {
    const int columns = std::min(kStripColumns, end_column - strip);
    bool empty = true;
    for (int i = 0; i < columns; ++i) {
      const std::span<const Segment> column = segments.column(strip + i);
      empty = empty && column.empty();
      draw_column(column, parameters, known, largest, lines + i * pitch);
    }
    if (empty) continue;
    for (int row = 0; row < frame.height; row += kTileRows) {
      for (int i = 0; i < columns; i += 8) {
        transpose_block<U16>(
            hn::FixedTag<U16, 8>(), reinterpret_cast<const std::byte*>(lines + i * pitch + row),
            static_cast<std::ptrdiff_t>(pitch * sizeof(U16)), tile + i, kStripColumns);
      }
      write(tile, source, known, row, std::min(row + kTileRows, frame.height), strip, columns,
            parameters.column_width, frame);
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
