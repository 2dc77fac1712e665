// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_PLANES_SECOND_PASSES_H_
#define RDP_TESTS_PLANES_SECOND_PASSES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "common/planes/planes.h"
#include "tests/planes/second_numbers.h"

// "Passes" of the section "Merging" of docs/internals/planes-definition.md, for frames and clouds.
namespace rdp::test::second {

// Borders are ordered by their planes, the lower plane first. `may_be_one(border, p, q)` decides
// for the planes as merged so far. Planes have sums, a fit and votes. Returns, for each plane, the
// plane it was merged into, or itself.
template <typename Border, typename Plane, typename MayBeOne>
std::vector<int> merge_in_passes(const std::map<std::pair<int, int>, Border>& borders, int passes,
                                 std::vector<Plane>* all, const MayBeOne& may_be_one,
                                 planes::Counts* counts) {
  std::vector<int> became;
  for (std::size_t p = 0; p < all->size(); ++p) became.push_back(static_cast<int>(p));
  const auto now = [&](int plane) { return became[static_cast<std::size_t>(plane)]; };
  const auto plane_of = [&](int plane) -> Plane& {
    return (*all)[static_cast<std::size_t>(plane)];
  };
  for (int pass = 0; pass < passes; ++pass) {
    struct Best {
      std::pair<int, int> border;
      std::int64_t pixels;
    };
    std::map<int, Best> best;
    for (const auto& [planes, border] : borders) {
      const int p = std::min(now(planes.first), now(planes.second));
      const int q = std::max(now(planes.first), now(planes.second));
      if (p == q || !may_be_one(border, plane_of(p), plane_of(q))) continue;
      const std::int64_t pixels = plane_of(p).sums.n + plane_of(q).sums.n;
      for (const int plane : {p, q}) {
        const auto kept = best.find(plane);
        if (kept == best.end() || pixels > kept->second.pixels) best[plane] = {planes, pixels};
      }
    }
    bool any = false;
    for (const auto& [planes, border] : borders) {
      const int p = std::min(now(planes.first), now(planes.second));
      const int q = std::max(now(planes.first), now(planes.second));
      const auto of_p = best.find(p);
      const auto of_q = best.find(q);
      if (p == q || of_p == best.end() || of_q == best.end()) continue;
      if (of_p->second.border != planes || of_q->second.border != planes) continue;
      Plane& one = plane_of(p);
      one.sums.add(plane_of(q).sums);
      one.fit = fit_of(one.sums);
      one.votes = std::max(one.votes, plane_of(q).votes);
      for (int& number : became) {
        if (number == q) number = p;
      }
      counts->merged += 1;
      any = true;
    }
    if (!any) break;
  }
  return became;
}

}  // namespace rdp::test::second

#endif  // RDP_TESTS_PLANES_SECOND_PASSES_H_
