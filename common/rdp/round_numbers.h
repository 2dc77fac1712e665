// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_ROUND_NUMBERS_H_
#define RDP_COMMON_RDP_ROUND_NUMBERS_H_

#include <cstdint>

#include "common/host_device.h"

// Round numbers for scales and grids, and their text. Shared by the painters on the CPU and on the
// GPU: integers, and IEEE 754 operations in the order that is written here.
namespace rdp {

// digit * 10^exponent; digit 0: no number.
struct RoundNumber {
  int digit = 0;
  int exponent = 0;
};

inline constexpr int kLeastExponent = -7;
inline constexpr int kMaxExponent = 7;

// count * number. Powers of ten are exact up to 10^22; division by one, for negative exponents, is
// correctly rounded.
RDP_HOST_DEVICE inline double times(std::int64_t count, const RoundNumber& number) {
  double power = 1.0;
  const int zeros = number.exponent < 0 ? -number.exponent : number.exponent;
  for (int i = 0; i < zeros; ++i) power = power * 10.0;
  const auto product = static_cast<double>(count * number.digit);
  return number.exponent < 0 ? product / power : product * power;
}

// The smallest of 1, 2 and 5 times a power of ten that is `least` or more.
RDP_HOST_DEVICE inline RoundNumber round_step(double least) {
  for (int exponent = kLeastExponent; exponent <= kMaxExponent; ++exponent) {
    for (int digit = 1; digit <= 5; digit += digit == 1 ? 1 : 3) {
      const RoundNumber step{digit, exponent};
      if (times(1, step) >= least) return step;
    }
  }
  return {};
}

// The most characters of a number's text, which has no terminating 0.
inline constexpr int kNumberText = 9;

// Writes count * number in decimal, with as many decimals as the number has; returns the length of
// the text, 0 where it does not fit.
RDP_HOST_DEVICE inline int write_number(std::int64_t count, const RoundNumber& number, char* text) {
  const std::int64_t product = count * number.digit;
  std::int64_t rest = product < 0 ? -product : product;
  const int decimals = number.exponent < 0 ? -number.exponent : 0;
  constexpr std::int64_t kTooLarge = 1000000000;
  for (int i = 0; i < number.exponent && rest < kTooLarge; ++i) rest *= 10;
  if (rest >= kTooLarge) return 0;
  int digits = 1;
  for (std::int64_t above = rest / 10; above > 0; above /= 10) ++digits;
  if (digits <= decimals) digits = decimals + 1;
  const int length = digits + (decimals > 0 ? 1 : 0) + (product < 0 ? 1 : 0);
  if (length > kNumberText) return 0;
  int at = length;
  for (int i = 0; i < digits; ++i) {
    if (i == decimals && i > 0) text[--at] = '.';
    text[--at] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  }
  if (product < 0) text[--at] = '-';
  return length;
}

}  // namespace rdp

#endif  // RDP_COMMON_RDP_ROUND_NUMBERS_H_
