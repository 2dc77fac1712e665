// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_CLOUDS_SORT_H_
#define RDP_COMMON_PLANES_CLOUDS_SORT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/image/grow_buffer.h"
#include "common/image/thread_pool.h"
#include "common/planes/clouds/points.h"

namespace rdp::planes {

// A run of sorted points of one key.
struct PointRun {
  std::uint32_t key = 0;
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};

// Sorts packed points stably by their keys. First into buckets by the upper bits of the key, then
// each bucket, which fits a cache, by the other bits. A single thread sorts few points in one go.
// Work is spread over threads; memory is kept.
class CloudSort {
 public:
  // Returns room for so many points, which the caller fills with packed ones.
  std::uint64_t* start(std::size_t points);
  void sort(std::size_t points, const PointPacking& packing, ThreadPool* pool);

  // After sort(): the used points, their original indices, and their runs by key.
  const std::uint64_t* packed() const { return packed_.data(); }
  const std::uint32_t* indices() const { return indices_.data(); }
  std::size_t used() const { return used_; }
  std::span<const PointRun> runs() const { return {runs_.data(), run_count_}; }
  // Memory of one number for each point, free for the caller after sort().
  std::uint16_t* numbers() { return reinterpret_cast<std::uint16_t*>(other_packed_.data()); }

 private:
  struct Digits {
    int first_shift = 0, first_bits = 0;
    int second_shift = 0, second_bits = 0;
  };

  void sort_at_once(std::size_t points, const Digits& digits);
  void partition(std::size_t points, const Digits& digits, ThreadPool* pool);
  void sort_bucket(std::uint32_t first, std::uint32_t end, const Digits& digits,
                   std::uint32_t* counts, std::uint64_t* between, std::uint32_t* between_indices);
  void find_runs(const Digits& digits, const PointPacking& packing, ThreadPool* pool);

  GrowBuffer<std::uint64_t> packed_, other_packed_;
  GrowBuffer<std::uint32_t> indices_, other_indices_;
  std::vector<std::uint32_t> counts_;   // of each chunk of points, of each bucket
  std::vector<std::uint32_t> buckets_;  // where they begin
  std::vector<std::uint32_t> bucket_runs_;
  std::vector<std::uint32_t> digit_counts_;  // of each worker
  std::vector<std::uint64_t> between_;       // of each worker
  std::vector<std::uint32_t> between_indices_;
  GrowBuffer<PointRun> runs_;
  std::size_t run_count_ = 0;
  std::size_t used_ = 0;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_CLOUDS_SORT_H_
