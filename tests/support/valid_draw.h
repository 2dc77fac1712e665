// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_VALID_DRAW_H_
#define RDP_TESTS_SUPPORT_VALID_DRAW_H_

#include <atomic>
#include <cstdint>
#include <stdexcept>

// Random cases that have to be valid: drawn again where they are not, and never without an end.
namespace rdp::test {

// Draws after which a known case is taken.
inline constexpr int kMaxTries = 1000;

// Counts of this process, for reports.
struct DrawCounts {
  std::atomic<std::uint64_t> cases{0};
  std::atomic<std::uint64_t> rejected{0};  // draws that were not valid
  std::atomic<std::uint64_t> fallbacks{0};
  std::atomic<int> most_tries{0};  // 0: every case is the known one, which tests that it is valid
};
inline DrawCounts& draw_counts() {
  static DrawCounts counts{{}, {}, {}, kMaxTries};
  return counts;
}

// The first case of draw() for which valid() holds; known() where kMaxTries of them do not. It is
// an error of the test if known() is not valid.
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
