// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_HASH_RANDOM_H_
#define RDP_COMMON_SCENE_HASH_RANDOM_H_

#include <cstdint>

// Random numbers that depend on their purpose ("row 7 of frame 12 with seed 3"), not on previous
// numbers. So any part of any frame can be made alone. Integers make them bit-identical on every
// machine.
namespace rdp {

// The output function of SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable
// Pseudorandom Number Generators", OOPSLA 2014, with the constants of its variant 13.
inline constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

inline constexpr std::uint64_t kGoldenRatio64 = 0x9E3779B97F4A7C15U;

// A new key for the part of `key` that has this number.
inline constexpr std::uint64_t sub_key(std::uint64_t key, std::uint64_t number) {
  return mix_bits(key + (number + 1) * kGoldenRatio64);
}

// A short sequence of numbers that belongs to one key.
class HashSequence {
 public:
  explicit constexpr HashSequence(std::uint64_t key) : state_(key) {}

  constexpr std::uint64_t bits() { return mix_bits(state_ += kGoldenRatio64); }

  // Uniform in [low, high), in steps of 2^-53 of the difference.
  constexpr double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
  }

  // True with this probability.
  constexpr bool happens(double probability) { return uniform(0.0, 1.0) < probability; }

 private:
  std::uint64_t state_;
};

// Eight uniform bytes summed, less their mean: nearly Gaussian (Irwin-Hall), within 4.88 standard
// deviations, for the price of one multiplication.
inline constexpr std::int32_t sum_of_bytes(std::uint64_t bits) {
  constexpr std::uint64_t kEven = 0x00FF00FF00FF00FFU;
  const std::uint64_t pairs = (bits & kEven) + ((bits >> 8) & kEven);
  return static_cast<std::int32_t>((pairs * 0x0001000100010001U) >> 48) - 1020;
}
// Its standard deviation, sqrt(8 * (256^2 - 1) / 12).
inline constexpr double kSumOfBytesDeviation = 209.02152999152983;

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_HASH_RANDOM_H_
