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

// Two planes that may be one; `steps` sums their border steps over `pairs` of adjacent cells.
struct PlaneBorder {
  int p = 0;  // the lower number
  int q = 0;
  std::int64_t steps = 0;
  std::int64_t pairs = 0;
};

// Merges planes over their borders, which are sorted by p and q, in passes that do not depend on
// order. Every plane chooses its best border: the one with the most points on both sides, then the
// first. Two planes that choose the same border merge and keep the lower number. one(border, p, q):
// true if two planes, in their present state, are one. Absorbed planes keep no moments; `root` maps
// each plane to the one it belongs to.
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
