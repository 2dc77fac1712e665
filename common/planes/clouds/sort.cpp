// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/clouds/sort.h"

#include <algorithm>

namespace rdp::planes {
namespace {

constexpr int kFirstBits = 10;
constexpr std::size_t kChunk = 1 << 16;   // minimum points of a thread's unit of work
constexpr std::uint32_t kFew = 24;        // up to so many points: insertion sort
constexpr std::uint32_t kMany = 16384;    // above so many points, counters for all keys pay
constexpr std::size_t kAtOnce = 1 << 19;  // points that fit a cache and are sorted in one go
constexpr int kFewBits = 12;              // bits of counters that fit the L1 cache

// Turns counts into start positions.
std::uint32_t sum_up(std::uint32_t* counts, std::size_t values) {
  std::uint32_t place = 0;
  for (std::size_t i = 0; i < values; ++i) {
    const std::uint32_t count = counts[i];
    counts[i] = place;
    place += count;
  }
  return place;
}

unsigned chunks_of(std::size_t points, unsigned threads) {
  return static_cast<unsigned>(std::clamp<std::size_t>(points / kChunk, 1, threads));
}

}  // namespace

std::uint64_t* CloudSort::start(std::size_t points) {
  other_packed_.ensure(points);
  other_indices_.ensure(points);
  indices_.ensure(points);
  return packed_.ensure(points);
}

void CloudSort::sort(std::size_t points, const PointPacking& packing, ThreadPool* pool) {
  Digits digits;
  const bool at_once =
      chunks_of(points, pool->size()) == 1 && points <= kAtOnce && packing.key <= 2 * kFewBits;
  digits.first_bits = at_once ? (packing.key + 1) / 2 : std::min(kFirstBits, packing.key);
  digits.second_bits = packing.key - digits.first_bits;
  digits.second_shift = 3 * packing.part;
  digits.first_shift = digits.second_shift + digits.second_bits;
  if (at_once) {
    sort_at_once(points, digits);
    find_runs(digits, packing, pool);
    return;
  }
  partition(points, digits, pool);
  // For all keys, or for the two halves of one.
  const std::size_t counters = std::max<std::size_t>(4, std::size_t{1} << digits.second_bits);
  digit_counts_.resize(pool->size() * counters);
  between_.resize(pool->size() * std::size_t{kMany});
  between_indices_.resize(pool->size() * std::size_t{kMany});
  const auto buckets = static_cast<unsigned>(buckets_.size() - 1);
  pool->run(buckets, chunks_of(points, pool->size()),
            [&](unsigned bucket, unsigned, unsigned worker) {
              sort_bucket(buckets_[bucket], buckets_[bucket + 1], digits,
                          digit_counts_.data() + worker * counters,
                          between_.data() + worker * std::size_t{kMany},
                          between_indices_.data() + worker * std::size_t{kMany});
            });
  find_runs(digits, packing, pool);
}

// Sorts by the lower bits of the key to other_packed_, and by the upper ones back. Reads and writes
// all points once less than buckets do.
void CloudSort::sort_at_once(std::size_t points, const Digits& digits) {
  const std::size_t lows = std::size_t{1} << digits.second_bits;
  const std::size_t highs = std::size_t{1} << digits.first_bits;  // and one for unused points
  std::uint64_t* const packed = packed_.data();
  std::uint64_t* const other = other_packed_.data();
  digit_counts_.assign(lows, 0);
  counts_.assign(highs + 1, 0);
  for (std::size_t i = 0; i < points; ++i) {
    const std::uint64_t high = packed[i] >> digits.first_shift;
    ++counts_[high];
    if (high < highs) ++digit_counts_[packed[i] >> digits.second_shift & (lows - 1)];
  }
  sum_up(digit_counts_.data(), lows);
  sum_up(counts_.data(), highs + 1);
  buckets_.assign(counts_.begin(), counts_.end());
  used_ = buckets_.back();
  for (std::size_t i = 0; i < points; ++i) {
    if (packed[i] >> digits.first_shift == highs) continue;
    const std::uint32_t at = digit_counts_[packed[i] >> digits.second_shift & (lows - 1)]++;
    other[at] = packed[i];
    other_indices_.data()[at] = static_cast<std::uint32_t>(i);
  }
  for (std::size_t i = 0; i < used_; ++i) {
    const std::uint32_t at = counts_[other[i] >> digits.first_shift]++;
    packed[at] = other[i];
    indices_.data()[at] = other_indices_.data()[i];
  }
}

// From packed_ to other_packed_.
void CloudSort::partition(std::size_t points, const Digits& digits, ThreadPool* pool) {
  const std::size_t buckets = (std::size_t{1} << digits.first_bits) + 1;  // and what is not used
  const unsigned chunks = chunks_of(points, pool->size());
  const std::uint64_t* const from = packed_.data();
  const auto first_of = [&](unsigned chunk) { return points * chunk / chunks; };
  counts_.assign(buckets * chunks, 0);
  pool->run(chunks, chunks, [&](unsigned chunk, unsigned, unsigned) {
    std::uint32_t* const counts = counts_.data() + chunk * buckets;
    for (std::size_t i = first_of(chunk); i < first_of(chunk + 1); ++i) {
      ++counts[from[i] >> digits.first_shift];
    }
  });
  buckets_.resize(buckets);
  std::uint32_t place = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    buckets_[bucket] = place;
    for (unsigned chunk = 0; chunk < chunks; ++chunk) {
      const std::uint32_t count = counts_[chunk * buckets + bucket];
      counts_[chunk * buckets + bucket] = place;
      place += count;
    }
  }
  used_ = buckets_.back();
  pool->run(chunks, chunks, [&](unsigned chunk, unsigned, unsigned) {
    std::uint32_t* const places = counts_.data() + chunk * buckets;
    std::uint64_t* const to = other_packed_.data();
    std::uint32_t* const indices = other_indices_.data();
    for (std::size_t i = first_of(chunk); i < first_of(chunk + 1); ++i) {
      const std::uint64_t packed = from[i];
      const std::uint32_t at = places[packed >> digits.first_shift]++;
      to[at] = packed;
      indices[at] = static_cast<std::uint32_t>(i);
    }
  });
}

// From other_packed_ to packed_.
void CloudSort::sort_bucket(std::uint32_t first, std::uint32_t end, const Digits& digits,
                            std::uint32_t* counts, std::uint64_t* between,
                            std::uint32_t* between_indices) {
  const std::uint64_t* const from = other_packed_.data();
  const std::uint32_t* const from_indices = other_indices_.data();
  std::uint64_t* const to = packed_.data();
  std::uint32_t* const to_indices = indices_.data();
  const std::uint32_t n = end - first;
  if (n <= kFew) {
    for (std::uint32_t i = first; i < end; ++i) {
      const std::uint64_t key = from[i] >> digits.second_shift;
      std::uint32_t at = i;
      for (; at > first && to[at - 1] >> digits.second_shift > key; --at) {
        to[at] = to[at - 1];
        to_indices[at] = to_indices[at - 1];
      }
      to[at] = from[i];
      to_indices[at] = from_indices[i];
    }
    return;
  }
  const int shift = digits.second_shift;
  if (n > kMany) {
    const std::uint64_t keys = std::uint64_t{1} << digits.second_bits;
    std::fill_n(counts, keys, 0u);
    for (std::uint32_t i = first; i < end; ++i) ++counts[from[i] >> shift & (keys - 1)];
    sum_up(counts, keys);
    for (std::uint32_t i = first; i < end; ++i) {
      const std::uint32_t at = first + counts[from[i] >> shift & (keys - 1)]++;
      to[at] = from[i];
      to_indices[at] = from_indices[i];
    }
    return;
  }
  // Few points: two passes over halves of the key, which need fewer counters.
  const int low_bits = digits.second_bits / 2;
  const std::uint64_t lows = std::uint64_t{1} << low_bits;
  const std::uint64_t highs = std::uint64_t{1} << (digits.second_bits - low_bits);
  std::uint32_t* const low_counts = counts;
  std::uint32_t* const high_counts = counts + lows;
  std::fill_n(counts, lows + highs, 0u);
  for (std::uint32_t i = first; i < end; ++i) {
    const std::uint64_t key = from[i] >> shift;
    ++low_counts[key & (lows - 1)];
    ++high_counts[key >> low_bits & (highs - 1)];
  }
  sum_up(low_counts, lows);
  sum_up(high_counts, highs);
  for (std::uint32_t i = first; i < end; ++i) {
    const std::uint32_t at = low_counts[from[i] >> shift & (lows - 1)]++;
    between[at] = from[i];
    between_indices[at] = from_indices[i];
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t at = first + high_counts[between[i] >> shift >> low_bits & (highs - 1)]++;
    to[at] = between[i];
    to_indices[at] = between_indices[i];
  }
}

void CloudSort::find_runs(const Digits& digits, const PointPacking& packing, ThreadPool* pool) {
  const auto buckets = static_cast<unsigned>(buckets_.size() - 1);
  const unsigned threads = chunks_of(used_, pool->size());
  const std::uint64_t* const keys = packed_.data();
  const int shift = digits.second_shift;
  bucket_runs_.resize(buckets + 1);
  pool->run(buckets, threads, [&](unsigned bucket, unsigned, unsigned) {
    std::uint32_t runs = 0;
    const std::uint32_t first = buckets_[bucket];
    const std::uint32_t end = buckets_[bucket + 1];
    for (std::uint32_t i = first + 1; i < end; ++i) {
      runs += keys[i] >> shift != keys[i - 1] >> shift ? 1 : 0;
    }
    bucket_runs_[bucket] = end > first ? runs + 1 : 0;
  });
  std::uint32_t count = 0;
  for (unsigned bucket = 0; bucket < buckets; ++bucket) {
    const std::uint32_t runs = bucket_runs_[bucket];
    bucket_runs_[bucket] = count;
    count += runs;
  }
  run_count_ = count;
  runs_.ensure(count);
  pool->run(buckets, threads, [&](unsigned bucket, unsigned, unsigned) {
    PointRun* run = runs_.data() + bucket_runs_[bucket];
    const std::uint32_t end = buckets_[bucket + 1];
    for (std::uint32_t i = buckets_[bucket]; i < end;) {
      run->key = packing.key_of(keys[i]);
      run->first = i;
      while (i < end && packing.key_of(keys[i]) == run->key) ++i;
      run->end = i;
      ++run;
    }
  });
}

}  // namespace rdp::planes
