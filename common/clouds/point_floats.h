// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_POINT_FLOATS_H_
#define RDP_COMMON_CLOUDS_POINT_FLOATS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Raw files say nowhere how many floats a point has: their own numbers show it.
namespace rdp::clouds {

inline constexpr unsigned kFewestFloats = 3;  // x, y and z
inline constexpr unsigned kMaxFloats = 8;
inline constexpr unsigned kKittiFloats = 4;

// The windows of a file to look at, spread over it: all of a small file, the same size each.
struct FloatWindows {
  std::size_t count = 1;
  std::size_t bytes = 0;  // of one
  std::uint64_t step = 0;

  std::uint64_t offset(std::size_t window) const { return window * step; }
};
FloatWindows windows_of(std::uint64_t size);

struct PointFloats {
  unsigned count = kKittiFloats;
  bool decided = false;  // false: count is no more than the usual one
};

// Finds how many floats a point has. Points that follow one another are alike, so that floats
// repeat best at their distance: its median difference is the least. Keeps its memory.
class PointFloatsFinder {
 public:
  // `bytes` are those of all windows of `window` bytes, one behind the other. Throws
  // std::bad_alloc.
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
