// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_PEAK_PLANES_H_
#define RDP_COMMON_PLANES_PEAK_PLANES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/planes/cell_rules.h"
#include "common/planes/vote_space.h"

namespace rdp::planes {

// Turns peaks of votes into planes, for frames and clouds. Each node that voted joins the nearest
// peak; the peak's largest node is its first plane. The plane is then refitted to the nodes near
// it, several times with ever smaller limits. A `Plane` has moments, a fit and votes; a node has
// moments, statistics and a fit. Allocates only for more of them than before.
template <typename Plane>
class PeakPlanes {
 public:
  // least: minimum number of points that a peak's nodes need together. narrowing: multiples of T,
  // one for each fit. tolerance2(node): T^2 of a node; reach(node, k): its maximum squared distance
  // from a plane, at k times T.
  template <typename Node, std::size_t kFits, typename Tolerance2, typename Reach>
  void find(const std::vector<Node*>& voters, const std::vector<VotePeak>& peaks,
            const BallCells& cells, double angle_step, std::uint64_t least,
            const double (&narrowing)[kFits], Tolerance2 tolerance2, Reach reach) {
    choose_peaks(voters, peaks, cells, angle_step, tolerance2);
    planes_.resize(peaks.size());
    taken_.resize(peaks.size());
    for (std::size_t p = 0; p < peaks.size(); ++p) {
      taken_[p] = largest_[p] >= 0 && points_[p] >= least ? 1 : 0;
      if (taken_[p] == 0) continue;
      planes_[p].fit = voters[largest_[p]]->fit;
      planes_[p].votes = peaks[p].votes;
    }
    for (const double k : narrowing) {
      for (Plane& plane : planes_) plane.moments = Moments();
      for (std::size_t v = 0; v < voters.size(); ++v) {
        const std::int32_t p = peak_of_[v];
        if (p < 0 || taken_[p] == 0) continue;
        const Node& node = *voters[v];
        if (static_cast<std::int32_t>(v) == largest_[p] ||
            squared_distance(node.statistics, planes_[p].fit) <= reach(node, k)) {
          planes_[p].moments.add(node.moments);
        }
      }
      for (std::size_t p = 0; p < peaks.size(); ++p) {
        if (taken_[p] != 0) planes_[p].fit = fit_of(statistics_of(planes_[p].moments));
      }
    }
  }

  // The plane of each peak; valid if the peak is taken().
  const std::vector<Plane>& planes() const { return planes_; }
  bool taken(std::size_t peak) const { return taken_[peak] != 0; }

 private:
  template <typename Node, typename Tolerance2>
  void choose_peaks(const std::vector<Node*>& voters, const std::vector<VotePeak>& peaks,
                    const BallCells& cells, double angle_step, Tolerance2 tolerance2) {
    peak_of_.assign(voters.size(), -1);
    points_.assign(peaks.size(), 0);
    largest_.assign(peaks.size(), -1);
    for (std::size_t v = 0; v < voters.size(); ++v) {
      const Node& node = *voters[v];
      const double of_node = tolerance2(node);
      double best = 1.0;
      for (std::size_t p = 0; p < peaks.size(); ++p) {
        const double near =
            nearness(node.fit, of_node, cells.ball.centres + 3 * peaks[p].direction,
                     cells.centre_distance(peaks[p].distance), angle_step, cells.step);
        if (near < best || (near == best && peak_of_[v] < 0)) {
          best = near;
          peak_of_[v] = static_cast<std::int32_t>(p);
        }
      }
      const std::int32_t peak = peak_of_[v];
      if (peak < 0) continue;
      points_[peak] += node.moments.n;
      if (largest_[peak] < 0 || node.moments.n > voters[largest_[peak]]->moments.n) {
        largest_[peak] = static_cast<std::int32_t>(v);
      }
    }
  }

  std::vector<std::int32_t> peak_of_;  // of each voter; -1: it is near to none
  std::vector<std::uint64_t> points_;  // of the voters of each peak
  std::vector<std::int32_t> largest_;  // largest voter of each peak; -1: none
  std::vector<std::uint8_t> taken_;
  std::vector<Plane> planes_;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_PEAK_PLANES_H_
