// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/cost_tiles.h"

#include <algorithm>
#include <cstring>

#include "common/heightmap/place_rows.h"
#include "common/heightmap/plain_costs.h"
#include "common/heightmap/rules.h"
#include "common/image/carver.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/heightmap/cost_tiles.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/lanes-inl.h"

#ifndef RDP_HEIGHTMAP_COST_TILES
#define RDP_HEIGHTMAP_COST_TILES
namespace rdp::heightmap {

// Low heights whose windows are summed at a time.
inline constexpr int kLowChunk = 32;
inline constexpr std::ptrdiff_t kTileVector = 64;  // the longest one
// Rows whose sum of bits fits a byte.
inline constexpr int kByteRows = 255 / kCensusBits;

inline std::ptrdiff_t whole_vectors(std::ptrdiff_t count) {
  return (count + kTileVector - 1) / kTileVector * kTileVector;
}

// The layout of a tile's scratch memory.
struct TileLayout {
  TileLayout(const Parameters& parameters, int views_, int spread)
      : views(views_),
        reach(parameters.window / 2),
        ring(parameters.window + 1),
        parts(parameters.window > kByteRows ? 2 : 1),
        labels(std::max(parameters.heights(), std::min(parameters.low_heights(), kLowChunk))),
        steps(std::max(labels, parameters.heights() + spread)),
        stride(whole_vectors(kTileColumns + 2 * reach) + 2 * kTileVector) {
    // A block writes this far beside its tile.
    static_assert(kTileVector >= kPlaceBlock + kMaxWindow / 2);
  }

  // Bytes of a row of bits: one view with all steps, and all views.
  std::ptrdiff_t view() const { return steps * stride; }
  std::ptrdiff_t row() const { return views * view(); }

  int views;
  int reach;
  int ring;   // rows of bits that are kept
  int parts;  // of a window's rows; each part's sums fit bytes
  int labels;
  int steps;  // of the coordinate j in a row
  std::ptrdiff_t stride;
};

// Columns [first, end) of a row that have the same potential.
struct Run {
  int first, end;
  int potential;
};

// The coordinates j that a row has.
struct Range {
  int first = 0;
  int last = -1;

  int clamped(int j) const { return j < first ? first : j > last ? last : j; }
  bool has(int j) const { return j >= first && j <= last; }
};

struct TileScratch {
  TileScratch(const TileLayout& layout, std::byte* memory) {
    Carver carver(memory);
    const auto take = [&carver]<typename T>(T** array, std::ptrdiff_t count) {
      *array = carver.take<T>(static_cast<std::size_t>(count));
    };
    // Blocks begin before their tile.
    take(&ring, kTileVector + layout.ring * layout.row());
    take(&bits, kTileVector + layout.views * layout.labels * layout.stride);
    if (memory != nullptr) {
      ring += kTileVector;
      bits += kTileVector;
    }
    take(&sums, layout.parts * layout.row());
    take(&step_costs, layout.steps * layout.stride);
    take(&line, layout.stride);
    take(&places, layout.labels * kPlaceBlock);
    take(&found, layout.labels * kPlaceBlock);
    take(&runs, layout.stride);
    take(&ranges, layout.ring);
    bytes = carver.used();
  }

  std::uint8_t* ring = nullptr;        // bits by row, view and step
  std::uint8_t* sums = nullptr;        // over the rows of a window, by part, view and step
  std::uint8_t* bits = nullptr;        // of a row, by view and label
  std::uint8_t* step_costs = nullptr;  // of a row, even columns, then odd ones
  std::uint8_t* line = nullptr;
  std::int32_t* places = nullptr;
  std::uint32_t* found = nullptr;
  Run* runs = nullptr;
  Range* ranges = nullptr;  // of the ring's rows
  std::size_t bytes;
};

// window_cost() by multiplication, if its numbers fit 16 bits.
struct CostScale {
  CostScale(int views_, int pixels)
      : views(views_), bits(kCensusBits * views_ * pixels), half(bits / 2) {
    // (31 a + half) / bits, where a <= 4 * bits. The first guess is a little too small: by less
    // than 1, as (a + more) / 65536 + 31 / bits < 1.
    more = half / 31;
    factor = 65536 * 31 / bits;
    narrow = bits <= 32767 && 4 * bits + more < 65536 &&
             (4.0 * bits + more) / 65536.0 + 31.0 / bits < 1.0;
  }

  int views;
  int bits;
  int half;
  int more;
  int factor;
  bool narrow;
};

}  // namespace rdp::heightmap
#endif

HWY_BEFORE_NAMESPACE();
namespace rdp::heightmap {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using rdp::HWY_NAMESPACE::Di32;
using rdp::HWY_NAMESPACE::Du32;
using rdp::HWY_NAMESPACE::kLanes;
using ByteTag = hn::ScalableTag<std::uint8_t>;
using WordTag = hn::ScalableTag<std::uint16_t>;
using Bytes = hn::Vec<ByteTag>;
using Words = hn::Vec<WordTag>;
inline constexpr std::ptrdiff_t kByteLanes = static_cast<std::ptrdiff_t>(hn::MaxLanes(ByteTag()));
inline constexpr std::ptrdiff_t kWordLanes = static_cast<std::ptrdiff_t>(hn::MaxLanes(WordTag()));

HWY_INLINE Bytes load(const std::uint8_t* from) { return hn::LoadU(ByteTag(), from); }
HWY_INLINE void store(Bytes v, std::uint8_t* to) { hn::StoreU(v, ByteTag(), to); }
HWY_INLINE Words all_words(int value) {
  return hn::Set(WordTag(), static_cast<std::uint16_t>(value));
}

// Numbers of two neighbours for each lane.
struct Pair {
  Words even, odd;
};

HWY_INLINE Pair load_pair(const std::uint8_t* from) {
  const WordTag d;
  const Words both = hn::BitCast(d, load(from));
  return {hn::And(both, hn::Set(d, std::uint16_t{255})), hn::ShiftRight<8>(both)};
}

// Counts differing bits; kOutsideBits for elements of `in` with the highest bit set (outside).
HWY_INLINE void count_bits(const std::uint32_t* of, const std::uint32_t* in, std::uint8_t* out) {
  const Du32 d;
  const Di32 di;
  const hn::Rebind<std::uint8_t, Di32> bytes;
  const auto other = hn::LoadU(d, in);
  const auto differ = hn::Xor(other, hn::LoadU(d, of));
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
  const auto bits = hn::BitCast(di, hn::PopulationCount(differ));
#else
  const hn::Repartition<std::uint8_t, Du32> d8;
  const auto of_bytes = hn::BitCast(d, hn::PopulationCount(hn::BitCast(d8, differ)));
  const auto sum =
      hn::Add(of_bytes, hn::Add(hn::ShiftRight<8>(of_bytes), hn::ShiftRight<16>(of_bytes)));
  const auto bits = hn::BitCast(di, hn::And(sum, hn::Set(d, 255U)));
#endif
  const auto outside = hn::Lt(hn::BitCast(di, other), hn::Zero(di));
  const auto known = hn::IfThenElse(outside, hn::Set(di, kOutsideBits), bits);
  hn::StoreU(hn::DemoteTo(bytes, known), bytes, out);
}

// Looks up the census at the places of a block's columns, `count` labels of them. Gather
// instructions are no faster than single loads on some machines, and much slower on others.
HWY_INLINE void look_up(const std::uint32_t* census, const std::int32_t* HWY_RESTRICT places,
                        int count, std::uint32_t* HWY_RESTRICT found) {
  constexpr std::ptrdiff_t kAhead = 32 * kPlaceBlock;
  for (int l = 0; l < count; ++l, places += kPlaceBlock, found += kPlaceBlock) {
    hwy::Prefetch(places + kAhead);
    RDP_UNROLL
    for (int i = 0; i < kPlaceBlock; ++i) found[i] = census[places[i]];
  }
}

HWY_INLINE void count_block(const std::uint32_t* of, const std::uint32_t* found, int count,
                            std::uint8_t* out, std::ptrdiff_t stride) {
  for (int l = 0; l < count; ++l, found += kPlaceBlock, out += stride) {
    RDP_UNROLL
    for (int i = 0; i < kPlaceBlock; i += kLanes) count_bits(of + i, found + i, out + i);
  }
}

// `count` is a multiple of the longest vector.
HWY_INLINE void add_row(std::uint8_t* sums, const std::uint8_t* more, std::ptrdiff_t count) {
  for (std::ptrdiff_t x = 0; x < count; x += kByteLanes) {
    store(hn::Add(load(sums + x), load(more + x)), sums + x);
  }
}
HWY_INLINE void move_row(std::uint8_t* sums, const std::uint8_t* more, const std::uint8_t* less,
                         std::ptrdiff_t count) {
  for (std::ptrdiff_t x = 0; x < count; x += kByteLanes) {
    store(hn::Add(load(sums + x), hn::Sub(load(more + x), load(less + x))), sums + x);
  }
}

// The sums of windows whose columns begin here.
HWY_INLINE Pair across(const std::uint8_t* sums, int reach) {
  const Pair first = load_pair(sums);
  if (reach == 0) return first;
  Words middle = hn::Zero(WordTag());
  for (int d = 2; d < 2 * reach; d += 2) {
    const Pair next = load_pair(sums + d);
    middle = hn::Add(middle, hn::Add(next.even, next.odd));
  }
  const Pair last = load_pair(sums + 2 * reach);
  return {hn::Add(middle, hn::Add(hn::Add(first.even, first.odd), last.even)),
          hn::Add(middle, hn::Add(hn::Add(last.even, last.odd), first.odd))};
}

HWY_INLINE Words cost_of(const CostScale& scale, Words sum, Words least) {
  if (scale.narrow) {
    const Words a =
        hn::Add(hn::Add(hn::Add(sum, sum), sum), hn::Mul(least, all_words(scale.views)));
    const Words guess = hn::MulHigh(hn::Add(a, all_words(scale.more)), all_words(scale.factor));
    const Words bits = all_words(scale.bits);
    const Words left =
        hn::Sub(hn::Add(hn::Mul(a, all_words(31)), all_words(scale.half)), hn::Mul(guess, bits));
    const auto one_more = hn::Eq(hn::Max(left, bits), left);
    return hn::Add(guess, hn::IfThenElseZero(one_more, all_words(1)));
  }
  alignas(64) std::uint16_t sums[kWordLanes];
  alignas(64) std::uint16_t leasts[kWordLanes];
  hn::Store(sum, WordTag(), sums);
  hn::Store(least, WordTag(), leasts);
  for (std::ptrdiff_t i = 0; i < kWordLanes; ++i) {
    sums[i] = static_cast<std::uint16_t>(
        window_cost(sums[i], leasts[i], scale.views, scale.bits / kCensusBits / scale.views));
  }
  return hn::Load(WordTag(), sums);
}

// The costs of windows whose columns begin here, of the same step of all views.
HWY_INLINE Pair costs_at(const TileLayout& layout, const CostScale& scale,
                         const std::uint8_t* sums) {
  Pair all{};
  Pair least{};
  for (int view = 0; view < layout.views; ++view, sums += layout.view()) {
    Pair window = across(sums, layout.reach);
    if (layout.parts == 2) {
      const Pair more = across(sums + layout.row(), layout.reach);
      window = {hn::Add(window.even, more.even), hn::Add(window.odd, more.odd)};
    }
    all = view == 0 ? window : Pair{hn::Add(all.even, window.even), hn::Add(all.odd, window.odd)};
    least =
        view == 0 ? window : Pair{hn::Min(least.even, window.even), hn::Min(least.odd, window.odd)};
  }
  return {cost_of(scale, all.even, least.even), cost_of(scale, all.odd, least.odd)};
}

HWY_INLINE void store_words(Words v, std::uint8_t* to) {
  const hn::Repartition<std::int16_t, WordTag> d;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  hn::StoreU(hn::DemoteTo(bytes, hn::BitCast(d, v)), bytes, to);
}
HWY_INLINE Words load_words(const std::uint8_t* from) {
  return hn::PromoteTo(WordTag(), hn::LoadU(hn::Rebind<std::uint8_t, WordTag>(), from));
}

// Copies a run's bytes, and some after them.
HWY_INLINE void copy_run(const std::uint8_t* from, std::ptrdiff_t count, std::uint8_t* to) {
  for (std::ptrdiff_t i = 0; i < count; i += kByteLanes) store(load(from + i), to + i);
}

// A pass over some planes of a tile: the heights in upright windows, or low heights in flat ones.
class TilePass {
 public:
  TilePass(const CostField& field, const Tile& tile, const TileLayout& layout,
           const TileScratch& scratch, int first_plane, int count)
      : field_(field),
        tile_(tile),
        layout_(layout),
        scratch_(scratch),
        scale_(layout.views, field.parameters.window * field.parameters.window),
        first_plane_(first_plane),
        count_(count),
        upright_(first_plane == 0),
        begin_(tile.left - layout.reach),
        columns_(tile.right - tile.left + 2 * layout.reach) {}

  void run() {
    const int last = field_.geometry->height - 1;
    int made = std::max(tile_.top - layout_.reach, 0);
    Range before;
    for (int row = tile_.top; row < tile_.bottom; ++row) {
      for (; made <= std::min(row + layout_.reach, last); ++made) make_row(made);
      const Range range = range_of(tile_.left, tile_.right, row);
      sum_rows(row, range, before);
      before = range;
      upright_ ? finish_heights(row, range) : finish_low(row);
    }
  }

 private:
  std::ptrdiff_t slot(int j) const {
    const int steps = layout_.steps;
    const int rest = j % steps;
    return (rest < 0 ? rest + steps : rest) * layout_.stride;
  }
  const std::int32_t* potential_row(int row) const {
    return field_.potential + static_cast<std::ptrdiff_t>(row) * field_.geometry->width;
  }

  // The steps that pixels of columns [first, end) need.
  Range range_of(int first, int end, int row) const {
    if (!upright_) return {0, count_ - 1};
    const int width = field_.geometry->width;
    const std::int32_t* const potential = potential_row(row);
    const auto [least, most] =
        std::minmax_element(potential + std::max(first, 0), potential + std::min(end, width));
    return {-*most, count_ - 1 - *least};
  }

  // Columns of the same potential; numbers from `first` on.
  int find_runs(int first, int end, int row) const {
    const std::int32_t* const potential = potential_row(row);
    const int last = field_.geometry->width - 1;
    int runs = 0;
    for (int x = first; x < end; ++x) {
      const std::int32_t here = potential[std::clamp(x, 0, last)];
      if (runs == 0 || scratch_.runs[runs - 1].potential != here) {
        scratch_.runs[runs++] = {x - first, x - first + 1, here};
      } else {
        ++scratch_.runs[runs - 1].end;
      }
    }
    return runs;
  }

  std::uint8_t* ring_row(int row) const {
    return scratch_.ring + row % layout_.ring * layout_.row();
  }

  // The first place of a row's bits; those of flat windows stay there.
  std::uint8_t* bits_of(int row, int view) const {
    return upright_ ? scratch_.bits + view * layout_.labels * layout_.stride
                    : ring_row(row) + view * layout_.view();
  }

  // The bits of a block of columns. It may begin before the tile's, and end after them.
  void make_block(int row, int block) {
    const int width = field_.geometry->width;
    const std::uint32_t* const of =
        field_.of + static_cast<std::ptrdiff_t>(row) * width + block * kPlaceBlock;
    for (int view = 0; view < layout_.views; ++view) {
      const std::int32_t* places = scratch_.places;
      if (field_.table != nullptr) {
        const std::ptrdiff_t number = (row * place_blocks(width) + block) * layout_.views + view;
        places = field_.table + (number * field_.plane_count() + first_plane_) * kPlaceBlock;
      } else {
        rdp::heightmap::place_rows(*field_.geometry,
                                   field_.geometry->others[static_cast<std::size_t>(view)],
                                   field_.planes + first_plane_, count_, row, block * kPlaceBlock,
                                   (block + 1) * kPlaceBlock, scratch_.places, kPlaceBlock);
      }
      look_up(field_.in[view], places, count_, scratch_.found);
      count_block(of, scratch_.found, count_, bits_of(row, view) + block * kPlaceBlock - begin_,
                  layout_.stride);
    }
  }

  // The bits of a row, with those beside the picture.
  void make_row(int row) {
    const int width = field_.geometry->width;
    const int first = std::max(begin_, 0);
    const int end = std::min(begin_ + columns_, width);
    const int before = first - begin_;
    const int after = begin_ + columns_ - end;
    const Range range = range_of(begin_, begin_ + columns_, row);
    scratch_.ranges[row % layout_.ring] = range;
    const int runs = upright_ ? find_runs(begin_, begin_ + columns_, row) : 0;
    for (int block = first / kPlaceBlock; block * kPlaceBlock < end; ++block)
      make_block(row, block);
    for (int view = 0; view < layout_.views; ++view) {
      std::uint8_t* const to = ring_row(row) + view * layout_.view();
      const std::uint8_t* const bits = bits_of(row, view);
      for (int l = 0; l < count_ && before + after > 0; ++l) {
        std::uint8_t* const line = bits_of(row, view) + l * layout_.stride;
        const std::ptrdiff_t inside = end - first;
        std::memset(line, line[before], static_cast<std::size_t>(before));
        std::memset(line + before + inside, line[before + inside - 1],
                    static_cast<std::size_t>(after));
      }
      if (!upright_) continue;
      for (int j = range.first; j <= range.last; ++j) {
        std::uint8_t* const line = to + (j - range.first) * layout_.stride;
        for (int i = 0; i < runs; ++i) {
          const Run& run = scratch_.runs[i];
          const int label = clamp_to(j + run.potential, 0, count_ - 1);
          copy_run(bits + label * layout_.stride + run.first, run.end - run.first,
                   line + run.first);
        }
      }
    }
  }

  // The sums over the rows of a window, for each part and view.
  void sum_rows(int row, const Range& range, const Range& before) {
    const int last_row = field_.geometry->height - 1;
    const auto line = [&](int y, int view, int j) {
      const int from = clamp_to(y, 0, last_row);
      const Range& its = scratch_.ranges[from % layout_.ring];
      return ring_row(from) + view * layout_.view() + (its.clamped(j) - its.first) * layout_.stride;
    };
    const std::ptrdiff_t count = whole_vectors(columns_);
    for (int part = 0; part < layout_.parts; ++part) {
      const int first = part == 0 ? -layout_.reach : 1;
      const int end = layout_.parts == 2 && part == 0 ? 0 : layout_.reach;
      for (int view = 0; view < layout_.views; ++view) {
        std::uint8_t* const sums = scratch_.sums + part * layout_.row() + view * layout_.view();
        for (int j = range.first; j <= range.last; ++j) {
          std::uint8_t* const sum = sums + slot(j);
          if (before.has(j)) {
            move_row(sum, line(row + end, view, j), line(row - 1 + first, view, j), count);
            continue;
          }
          std::memcpy(sum, line(row + first, view, j), static_cast<std::size_t>(count));
          for (int dy = first + 1; dy <= end; ++dy) add_row(sum, line(row + dy, view, j), count);
        }
      }
    }
  }

  // The start of the tile's costs of a label, for the pixels with even or odd columns.
  std::uint8_t* costs(int row, int label, int odd) const {
    const int colour = MessageLayout::even_colour(row) ^ odd;
    return field_.costs + field_.layout.costs(row, colour) + label * field_.layout.stride +
           tile_.left / 2;
  }
  // The number of these pixels.
  std::ptrdiff_t count(int odd) const { return (tile_.right - tile_.left + 1 - odd) / 2; }
  std::ptrdiff_t half() const { return layout_.stride / 2; }

  void finish_heights(int row, const Range& range) {
    const std::ptrdiff_t columns = tile_.right - tile_.left;
    for (int j = range.first; j <= range.last; ++j) {
      const std::uint8_t* const sums = scratch_.sums + slot(j);
      std::uint8_t* const to = scratch_.step_costs + (j - range.first) * layout_.stride;
      for (std::ptrdiff_t x = 0; x < columns; x += 2 * kWordLanes) {
        const Pair cost = costs_at(layout_, scale_, sums + x);
        store_words(cost.even, to + x / 2);
        store_words(cost.odd, to + half() + x / 2);
      }
    }
    const int runs = find_runs(tile_.left, tile_.right, row);
    for (int l = 0; l < count_; ++l) {
      for (int odd = 0; odd < 2; ++odd) {
        const std::uint8_t* from = nullptr;
        for (int i = 0; i < runs; ++i) {
          const Run& run = scratch_.runs[i];
          from = scratch_.step_costs + (l - run.potential - range.first) * layout_.stride +
                 odd * half();
          if (runs == 1) break;
          const std::ptrdiff_t first = (run.first + 1 - odd) / 2;
          copy_run(from + first, (run.end + 1 - odd) / 2 - first, scratch_.line + first);
        }
        std::memcpy(costs(row, l, odd), runs == 1 ? from : scratch_.line,
                    static_cast<std::size_t>(count(odd)));
      }
    }
  }

  // `unknown`, from the least of these low heights and those before.
  void finish_low(int row) {
    const Parameters& parameters = field_.parameters;
    const int unknown = parameters.heights();
    const bool is_first = first_plane_ == unknown;
    const bool is_last = first_plane_ + count_ == field_.plane_count();
    std::uint8_t* const line = scratch_.line;
    if (!is_first) {
      for (int odd = 0; odd < 2; ++odd) {
        std::memcpy(line + odd * half(), costs(row, unknown, odd),
                    static_cast<std::size_t>(count(odd)));
      }
    }
    const std::ptrdiff_t columns = tile_.right - tile_.left;
    const Words more = all_words(std::max(parameters.low_bias, 0));
    const Words less = all_words(std::max(-parameters.low_bias, 0));
    const Words constant = all_words(parameters.unknown_cost);
    for (std::ptrdiff_t x = 0; x < columns; x += 2 * kWordLanes) {
      Pair least{all_words(kMaxCost), all_words(kMaxCost)};
      if (!is_first) least = {load_words(line + x / 2), load_words(line + half() + x / 2)};
      for (int l = 0; l < count_; ++l) {
        const Pair cost = costs_at(layout_, scale_, scratch_.sums + slot(l) + x);
        least = {hn::Min(least.even, cost.even), hn::Min(least.odd, cost.odd)};
      }
      if (is_last) {
        const auto finished = [&](Words low) HWY_ATTR {
          return hn::Min(constant, hn::SaturatedSub(hn::Add(low, more), less));
        };
        least = {finished(least.even), finished(least.odd)};
      }
      store_words(least.even, line + x / 2);
      store_words(least.odd, line + half() + x / 2);
    }
    for (int odd = 0; odd < 2; ++odd) {
      std::memcpy(costs(row, unknown, odd), line + odd * half(),
                  static_cast<std::size_t>(count(odd)));
    }
  }

  const CostField& field_;
  const Tile& tile_;
  const TileLayout& layout_;
  const TileScratch& scratch_;
  CostScale scale_;
  int first_plane_;
  int count_;
  bool upright_;
  int begin_;    // the first column that a window reaches; may be negative
  int columns_;  // and how many
};

void tile_costs(const CostField& field, const Tile& tile, int spread, std::byte* memory) {
  const Parameters& parameters = field.parameters;
  const TileLayout layout(parameters, field.views(), spread);
  const TileScratch scratch(layout, memory);
  const int heights = parameters.heights();
  TilePass(field, tile, layout, scratch, 0, heights).run();
  const bool lows = field.plane_count() > heights;
  if (!lows) fill_unknown(parameters.unknown_cost, tile, field.layout, field.costs);
  for (int first = heights; first < field.plane_count(); first += kLowChunk) {
    const int count = std::min(kLowChunk, field.plane_count() - first);
    TilePass(field, tile, layout, scratch, first, count).run();
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::heightmap
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::heightmap {

HWY_EXPORT(tile_costs);

int most_spread(const std::int32_t* potential, int width, int height, int window) {
  // As if tiles began anywhere.
  const int columns = kTileColumns + 2 * (window / 2);
  int most = 0;
  for (int row = 0; row < height; ++row, potential += width) {
    for (int first = 0; first < width; first += columns) {
      const std::int32_t* const end = potential + std::min(first + 2 * columns, width);
      const auto [low, high] = std::minmax_element(potential + first, end);
      most = std::max(most, *high - *low);
    }
  }
  return most;
}

std::size_t tile_scratch(const Parameters& parameters, int views, int spread) {
  const TileLayout layout(parameters, views, spread);
  return TileScratch(layout, nullptr).bytes;
}

void tile_costs(const CostField& field, const Tile& tile, int spread, std::byte* scratch) {
  HWY_DYNAMIC_DISPATCH(tile_costs)(field, tile, spread, scratch);
}

}  // namespace rdp::heightmap
#endif  // HWY_ONCE
