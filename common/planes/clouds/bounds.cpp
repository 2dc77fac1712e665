// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/clouds/bounds.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "common/planes/clouds/planes.h"

namespace rdp::planes {
namespace {

constexpr std::size_t kChunk = 1 << 15;  // points of a thread's share

unsigned chunks_of(std::size_t points) {
  return static_cast<unsigned>((points + kChunk - 1) / kChunk);
}

// Calls body(values) for each point with a known position until it returns false.
template <typename Body>
void for_each_place(const CloudView& cloud, const CloudSettings& settings, std::size_t first,
                    std::size_t end, const Body& body) {
  for (std::size_t i = first; i < end; ++i) {
    float v[3];
    read_point(cloud, i, v);
    if (has_place(v[0], v[1], v[2], settings.zero_is_unknown) && !body(v)) return;
  }
}

// True if the values of the ranks are surely too far apart to be the bounds. It counts the values
// on the longest axis in a few bins, as soon as these suffice.
bool far_apart(const CloudView& cloud, const CloudSettings& settings, const PointRange& range) {
  const std::int64_t rank = bound_rank(range.finite);
  if (rank == 0) return true;
  const auto extent = [&](int k) {
    return static_cast<double>(range.greatest[k]) - static_cast<double>(range.least[k]);
  };
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (extent(k) > extent(axis)) axis = k;
  }
  const float least = range.least[axis];
  const double bins_per_unit = kValueBins / extent(axis);
  // All points nearly in one place, or too far apart for a float.
  if (!(bins_per_unit < 1e30 && bins_per_unit > 1e-30)) return false;
  const auto scale = static_cast<float>(bins_per_unit);
  std::uint32_t counts[kValueBins + 1] = {};
  const auto enough = [&] {
    int low = 0;
    int high = kValueBins - 1;
    std::int64_t below = counts[low];
    std::int64_t above = counts[high];
    while (below <= rank && low + 1 < kValueBins) below += counts[++low];
    while (above <= rank && high > 0) above += counts[--high];
    if (below <= rank || above <= rank) return false;
    // From the end of the one to the start of the other, with the margins.
    const double first = low + 1;
    const double margin = 0.1 * (high - first);
    const double bins = std::min<double>(kValueBins, high + margin) - std::max(0.0, first - margin);
    return bins > 0.505 * kValueBins;  // rounding does not matter
  };
  for (std::size_t first = 0; first < cloud.points; first += kChunk) {
    count_values(cloud, first, std::min(cloud.points, first + kChunk), settings.zero_is_unknown,
                 axis, least, scale, counts);
    if (enough()) return true;
  }
  return false;
}

// Maps the bits of a float to an integer of the same order, and back.
std::uint32_t ordered(float v) {
  const auto bits = std::bit_cast<std::uint32_t>(v);
  return (bits >> 31) != 0 ? ~bits : bits | 0x80000000u;
}

float from_ordered(std::uint32_t v) {
  return std::bit_cast<float>((v >> 31) != 0 ? v & 0x7fffffffu : ~v);
}

}  // namespace

CloudBounds CloudBoundsFinder::find(const CloudView& cloud, const CloudSettings& settings,
                                    ThreadPool* pool) {
  ranges_.assign(pool->size(), PointRange());
  pool->run(chunks_of(cloud.points), pool->size(), [&](unsigned chunk, unsigned, unsigned worker) {
    const std::size_t first = chunk * kChunk;
    ranges_[worker].add(range_of_points(cloud, first, std::min(cloud.points, first + kChunk),
                                        settings.zero_is_unknown));
  });
  PointRange range;
  for (const PointRange& other : ranges_) range.add(other);
  if (range.finite == 0) return {};
  if (far_apart(cloud, settings, range)) {
    return choose_bounds(range.finite, range.least, range.greatest, range.least, range.greatest);
  }
  float low[3], high[3];
  select(cloud, settings, range.finite, pool, low, high);
  return choose_bounds(range.finite, range.least, range.greatest, low, high);
}

// Radix selection from the highest digit: counts values with the prefix of the wanted one.
void CloudBoundsFinder::select(const CloudView& cloud, const CloudSettings& settings,
                               std::int64_t finite, ThreadPool* pool, float low[3], float high[3]) {
  constexpr int kWanted = 6;  // two of each axis
  constexpr int kDigitBits = 11;
  constexpr std::uint32_t kDigits = 1 << kDigitBits;
  std::int64_t rank[kWanted];
  std::uint32_t prefix[kWanted] = {};
  for (int w = 0; w < kWanted; ++w) {
    rank[w] = w % 2 == 0 ? bound_rank(finite) : finite - 1 - bound_rank(finite);
  }
  for (int shift = 32 - kDigitBits;; shift = std::max(0, shift - kDigitBits)) {
    const int bits = shift == 0 ? 32 - 2 * kDigitBits : kDigitBits;
    const std::uint32_t mask = (1u << bits) - 1;
    const int known = shift + bits;  // all bits from this one up are known
    counts_.assign(std::size_t{kWanted} * kDigits * pool->size(), 0);
    pool->run(
        chunks_of(cloud.points), pool->size(), [&](unsigned chunk, unsigned, unsigned worker) {
          std::uint32_t* const counts = counts_.data() + std::size_t{kWanted} * kDigits * worker;
          const std::size_t first = chunk * kChunk;
          for_each_place(cloud, settings, first, std::min(cloud.points, first + kChunk),
                         [&](const float v[3]) {
                           for (int w = 0; w < kWanted; ++w) {
                             const std::uint32_t key = ordered(v[w / 2]);
                             if (known < 32 && key >> known != prefix[w]) continue;
                             ++counts[w * kDigits + (key >> shift & mask)];
                           }
                           return true;
                         });
        });
    for (int w = 0; w < kWanted; ++w) {
      for (std::uint32_t digit = 0; digit <= mask; ++digit) {
        std::int64_t count = 0;
        for (unsigned worker = 0; worker < pool->size(); ++worker) {
          count += counts_[(std::size_t{kWanted} * worker + w) * kDigits + digit];
        }
        if (rank[w] < count) {
          prefix[w] = prefix[w] << bits | digit;
          break;
        }
        rank[w] -= count;
      }
    }
    if (shift == 0) break;
  }
  for (int k = 0; k < 3; ++k) {
    low[k] = from_ordered(prefix[2 * k]);
    high[k] = from_ordered(prefix[2 * k + 1]);
  }
}

}  // namespace rdp::planes
