// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_FUZZ_FUZZ_INPUT_H_
#define RDP_TESTS_FUZZ_FUZZ_INPUT_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <span>
#include <vector>

// Input bytes and the failure check of all harnesses.

// Processes one input. Every harness defines it; libFuzzer or replay.cpp calls it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// Called once before the first input. Every harness defines it; those that need nothing return at
// once.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);

// Aborts if `condition` is false, as libFuzzer expects of a finding. Further arguments are
// printf's.
#define FUZZ_CHECK(condition, ...)                                                       \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      std::fprintf(stderr, "%s:%d: %s does not hold: ", __FILE__, __LINE__, #condition); \
      std::fprintf(stderr, __VA_ARGS__);                                                 \
      std::fputc('\n', stderr);                                                          \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)

namespace rdp::fuzz {

// Reads bytes in order as numbers and choices. Past the end it returns zeros, so that every input
// is valid and short inputs are simple.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : left_(data, size) {}

  bool empty() const { return left_.empty(); }
  std::span<const std::uint8_t> rest() const { return left_; }

  template <typename T>
  T bits() {
    T value{};
    const std::size_t count = std::min(sizeof value, left_.size());
    if (count > 0) std::memcpy(&value, left_.data(), count);
    left_ = left_.subspan(count);
    return value;
  }
  std::uint8_t byte() { return bits<std::uint8_t>(); }
  bool flag() { return (byte() & 1) != 0; }
  // 0..n-1. Uses one byte if n <= 256.
  std::uint32_t below(std::uint32_t n) {
    return n <= 256     ? byte() % n
           : n <= 65536 ? bits<std::uint16_t>() % n
                        : bits<std::uint32_t>() % n;
  }
  int between(int first, int last) {
    return first + static_cast<int>(below(static_cast<std::uint32_t>(last - first) + 1));
  }
  template <typename T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<std::uint32_t>(values.size()))];
  }
  // A value of a double property: from `smallest` to the largest double.
  double real(double smallest) {
    double value = 0.0;
    switch (below(8)) {
      case 0:
        value = byte();
        break;
      case 1:
        value = bits<std::uint16_t>() / 256.0;
        break;
      case 2:
        value = pick({0.0, 1.0, 1.0 / 256, 0.5, 1e6, 65535.0, 65536.0, 1e12, 1e-12});
        break;
      case 3:
        value = std::ldexp(1.0 + byte() / 256.0, between(-1080, 1023));
        break;
      case 4:
        value = bits<double>();
        break;
      default:
        value = below(64) / 4.0;
    }
    // GObject clamps, too, but refuses NaN.
    if (std::isnan(value)) value = 1.0;
    return std::clamp(value, smallest, 1.7976931348623157e308);
  }

 private:
  std::span<const std::uint8_t> left_;
};

// Truncates `bytes`, or inserts or changes a byte, as long as there is input, and passes each
// result to `check`. The vector has no spare capacity, so that sanitizers detect reads past its
// end.
template <typename Check>
void damage(Input* input, std::vector<std::uint8_t>* bytes, Check check) {
  while (!input->empty()) {
    const std::size_t at = input->below(static_cast<std::uint32_t>(bytes->size() + 1));
    switch (input->below(4)) {
      case 0:
        bytes->resize(at);
        break;
      case 1:
        bytes->insert(bytes->begin() + static_cast<std::ptrdiff_t>(at), input->byte());
        break;
      default:
        if (at < bytes->size()) (*bytes)[at] = input->byte();
    }
    bytes->shrink_to_fit();
    check(*bytes);
  }
}

}  // namespace rdp::fuzz

#endif  // RDP_TESTS_FUZZ_FUZZ_INPUT_H_
