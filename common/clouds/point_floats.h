// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_POINT_FLOATS_H_
#define RDP_COMMON_CLOUDS_POINT_FLOATS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Estimates the number of floats a point has in a raw file, which does not state it.
namespace rdp::clouds {

inline constexpr unsigned kFewestFloats = 3;  // x, y and z
inline constexpr unsigned kMaxFloats = 8;
inline constexpr unsigned kKittiFloats = 4;

// Equal windows spread over a file, from which the estimate is made; one covers all of a small
// file.
struct FloatWindows {
  std::size_t count = 1;
  std::size_t bytes = 0;  // of one
  std::uint64_t step = 0;

  std::uint64_t offset(std::size_t window) const { return window * step; }
};
FloatWindows windows_of(std::uint64_t size);

struct PointFloats {
  unsigned count = kKittiFloats;
  bool decided = false;  // false: count is only the default
};

// Finds the number of floats a point has. Consecutive points are alike, so the median difference
// between floats is least at a distance of one point. Keeps its memory.
class PointFloatsFinder {
 public:
  // `bytes` holds all windows, of `window` bytes each, one after another. Throws std::bad_alloc.
  PointFloats find(std::span<const std::byte> bytes, std::size_t window);

 private:
  void take(std::span<const std::byte> bytes);
  double median_difference(std::size_t distance);
  bool are_two(std::size_t half, double factor) const;

  std::size_t window_ = 1;  // floats
  std::vector<float> floats_;
  std::vector<double> differences_;
};

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_POINT_FLOATS_H_
