// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BITS_DRAW_H_
#define RDP_TESTS_BITS_DRAW_H_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "tests/bits/operation.h"
#include "tests/support/valid_draw.h"

// Draws the cases of operations without running them. This shows for many more cases that drawing
// ends for every seed, and that the known cases of test::draw_valid() are valid.
namespace rdp::bits {

// Rows of the table that main() prints at the end.
inline std::vector<std::string>& draw_rows() {
  static std::vector<std::string> rows = {
      "| operation | hard | by lot | draws rejected | known cases taken | seconds | longest |",
      "|---|---:|---:|---:|---:|---:|---:|"};
  return rows;
}

template <typename Operation>
void draw_cases() {
  using Clock = std::chrono::steady_clock;
  const auto seconds_since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  test::DrawCounts& counts = test::draw_counts();
  const std::uint64_t rejected = counts.rejected;
  const std::uint64_t fallbacks = counts.fallbacks;
  const bool all = scale() >= 1;
  const Clock::time_point start = Clock::now();
  double longest = 0;
  Random table(seed_of(Operation::kName, -1));
  const std::vector<typename Operation::Spec> hard = Operation::hard(&table, all);
  const int hard_count = static_cast<int>(hard.size());
  for (int number = 0; number < hard_count + draws(); ++number) {
    if (only_case() >= 0 && only_case() != number) continue;
    const Clock::time_point begin = Clock::now();
    Random by_lot(seed_of(Operation::kName, number) ^ 1);
    NumberedSpec<Operation> chosen{number, {}};
    chosen.spec =
        number < hard_count ? hard[static_cast<std::size_t>(number)] : Operation::any(&by_lot, all);
    Random random(seed_of(Operation::kName, number));
    try {
      (void)Operation::draw(chosen.spec, &random);
    } catch (const std::exception& error) {
      FAIL() << error.what() << ": " << words<Operation>(chosen);
    }
    longest = std::max(longest, seconds_since(begin));
  }
  char row[200];
  std::snprintf(row, sizeof row, "| %s | %d | %d | %llu | %llu | %.1f | %.3f |", Operation::kName,
                hard_count, draws(), static_cast<unsigned long long>(counts.rejected - rejected),
                static_cast<unsigned long long>(counts.fallbacks - fallbacks), seconds_since(start),
                longest);
  draw_rows().push_back(row);
}

template <typename Operation>
void add_draws() {
  add_test(Operation::kName, "Draw", draw_cases<Operation>);
}

}  // namespace rdp::bits

#endif  // RDP_TESTS_BITS_DRAW_H_
