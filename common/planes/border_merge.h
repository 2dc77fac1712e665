// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_BORDER_MERGE_H_
#define RDP_COMMON_PLANES_BORDER_MERGE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "common/planes/eigen.h"
#include "common/planes/moments.h"

namespace rdp::planes {

// Two planes that may be one; where they meet, sums over the pairs of cells that do.
struct PlaneBorder {
  int p = 0;  // the lower number
  int q = 0;
  std::int64_t steps = 0;
  std::int64_t pairs = 0;
};

// Merges planes over their borders, which are in the order of p and q, in passes that need no
// order: every plane looks for the best of its borders, that with the most points on both sides,
// then the first; where it is the best one of both sides, they merge and keep the lower number.
// one(border, p, q): whether two planes, as they are by now, are one. What became part of another
// plane keeps no moments; `root` has, for each plane, the one that it is now.
template <typename Border, typename Plane, typename One>
int merge_over_borders(const std::vector<Border>& borders, int passes, const One& one,
                       std::vector<Plane>* planes, std::vector<int>* root,
                       std::vector<std::int64_t>* best) {
  int merged = 0;
  root->resize(planes->size());
  std::iota(root->begin(), root->end(), 0);
  const auto size = [&](const Border& b) {
    return (*planes)[(*root)[b.p]].moments.n + (*planes)[(*root)[b.q]].moments.n;
  };
  for (int pass = 0; pass < passes; ++pass) {
    best->assign(planes->size(), -1);
    for (std::size_t b = 0; b < borders.size(); ++b) {
      const int p = (*root)[borders[b].p];
      const int q = (*root)[borders[b].q];
      if (p == q) continue;
      if (!one(borders[b], (*planes)[p], (*planes)[q])) continue;
      for (const int side : {p, q}) {
        std::int64_t& own = (*best)[side];
        if (own < 0 || size(borders[b]) > size(borders[own])) own = static_cast<std::int64_t>(b);
      }
    }
    bool any = false;
    for (std::size_t b = 0; b < borders.size(); ++b) {
      const int p = (*root)[borders[b].p];
      const int q = (*root)[borders[b].q];
      const auto number = static_cast<std::int64_t>(b);
      if (p == q || (*best)[p] != number || (*best)[q] != number) continue;
      Plane& kept = (*planes)[std::min(p, q)];
      Plane& absorbed = (*planes)[std::max(p, q)];
      kept.moments.add(absorbed.moments);
      absorbed.moments = Moments();
      kept.fit = fit_of(statistics_of(kept.moments));
      kept.votes = std::max(kept.votes, absorbed.votes);
      std::replace(root->begin(), root->end(), std::max(p, q), std::min(p, q));
      ++merged;
      any = true;
    }
    if (!any) break;
  }
  return merged;
}

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_BORDER_MERGE_H_
