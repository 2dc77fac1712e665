// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_VALID_DRAW_H_
#define RDP_TESTS_SUPPORT_VALID_DRAW_H_

#include <atomic>
#include <cstdint>
#include <stdexcept>

// Random cases that must be valid: invalid ones are drawn again, a limited number of times.
namespace rdp::test {

// The number of draws before the known case is used.
inline constexpr int kMaxTries = 1000;

// Counts of this process, for reports.
struct DrawCounts {
  std::atomic<std::uint64_t> cases{0};
  std::atomic<std::uint64_t> rejected{0};  // invalid draws
  std::atomic<std::uint64_t> fallbacks{0};
  std::atomic<int> most_tries{0};  // 0: always the known case, to test its validity
};
inline DrawCounts& draw_counts() {
  static DrawCounts counts{{}, {}, {}, kMaxTries};
  return counts;
}

// The first draw() that is valid(), or known() after kMaxTries invalid ones. Throws
// std::logic_error if known() is not valid.
template <typename Draw, typename Valid, typename Known>
auto draw_valid(const Draw& draw, const Valid& valid, const Known& known) {
  DrawCounts& counts = draw_counts();
  ++counts.cases;
  for (int tries = 0; tries < counts.most_tries; ++tries) {
    auto drawn = draw();
    if (valid(drawn)) return drawn;
    ++counts.rejected;
  }
  ++counts.fallbacks;
  auto fallback = known();
  if (!valid(fallback)) {
    throw std::logic_error("expected the known case to be valid, which stands for random ones");
  }
  return fallback;
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_VALID_DRAW_H_
