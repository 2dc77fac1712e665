// SPDX-License-Identifier: LGPL-2.1-or-later
// The reference's octree of a cloud, and the first votes of its nodes, as JSON for draw_clouds.py.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "common/planes/clouds/planes.h"
#include "common/planes/clouds/reference.h"
#include "common/planes/frames/reference.h"
#include "tests/bench/bench_clouds.h"

namespace rdp::bench {
namespace {

using namespace planes::reference;

int gathered(std::uint32_t key, int axis) {
  return static_cast<int>(planes::gather_bits(key >> axis));
}

// Rows of numbers, "name": [[1,2],[3,4]].
template <typename Items, typename Print>
void print_rows(const char* name, const Items& items, Print print) {
  std::printf(",\n\"%s\":[", name);
  const char* comma = "";
  for (const auto& item : items) {
    std::printf("%s[", comma);
    print(item);
    std::printf("]");
    comma = ",";
  }
  std::printf("]");
}

// The votes of a direction over all distances.
struct Direction {
  const double* centre;
  std::uint64_t votes;
};
std::vector<Direction> votes_of(const Octree& octree, const planes::Ball& ball) {
  const planes::CloudRules& rules = octree.rules;
  const planes::BallCells cells{ball.view(), rules.distances, rules.distance_step};
  std::vector<Voter> voters;
  for (const CloudNode& node : octree.planar) {
    voters.push_back({node.fit, squared_reach(rules, 1.0), node.moments.n});
  }
  const std::vector<std::uint32_t> votes = vote(voters, rules.angle_step, cells);
  std::vector<Direction> directions;
  for (int d = 0; d < cells.ball.directions; ++d) {
    Direction direction{cells.ball.centres + 3 * d, 0};
    for (int i = 0; i < cells.distances; ++i) {
      direction.votes += votes[static_cast<std::size_t>(cells.cell(d, i))];
    }
    directions.push_back(direction);
  }
  return directions;
}

void print(const Cloud& cloud) {
  const planes::CloudView view = cloud.view();
  const planes::Parameters parameters;
  planes::Counts counts;
  Octree octree = make_octree(view, planes::cloud_settings(view, parameters), &counts);
  if (octree.cells.empty()) {
    std::fprintf(stderr, "the cloud has no points that have a place\n");
    std::exit(1);
  }
  const planes::CloudRules& rules = octree.rules;
  const planes::Ball ball(rules.directions);
  const std::vector<Direction> votes = votes_of(octree, ball);
  const double edge = static_cast<double>(std::int64_t{1} << rules.bits) / rules.scale;
  std::printf("{\"depth\":%d,\"edge\":%.9g,\"corner\":[%.9g,%.9g,%.9g]", rules.depth, edge,
              rules.centre[0] - edge / 2, rules.centre[1] - edge / 2, rules.centre[2] - edge / 2);
  print_rows("cells", octree.cells, [](const CloudCell& cell) {
    std::printf("%d,%d,%d", gathered(cell.key, 0), gathered(cell.key, 1), gathered(cell.key, 2));
  });
  find_node_planes(&octree, &counts);
  print_rows("planar", octree.planar, [&](const CloudNode& node) {
    const std::uint32_t key = octree.cells[node.first].key >> 3 * (rules.depth - node.level);
    std::printf("%d,%d,%d,%d,%d", node.level, gathered(key, 0), gathered(key, 1), gathered(key, 2),
                octree.cells[node.first].owner);
  });
  print_rows("votes", votes, [](const Direction& direction) {
    std::printf("%.6f,%.6f,%.6f,%llu", direction.centre[0], direction.centre[1],
                direction.centre[2], static_cast<unsigned long long>(direction.votes));
  });
  std::vector<std::uint8_t> labels(cloud.points());
  find_in_cloud(view, parameters, labels.data());
  std::vector<std::size_t> shown;  // a sample of the file's points
  for (std::uint64_t i = 0; i < 20000 && i < cloud.points(); ++i) {
    shown.push_back(i * 2654435761U % cloud.points());
  }
  print_rows("points", shown, [&](std::size_t i) {
    const float* p = cloud.values.data() + 3 * i;
    const bool known = octree.cell_of[i] >= 0;
    std::printf("%.5g,%.5g,%.5g,%d", known ? p[0] : 0.0, known ? p[1] : 0.0, known ? p[2] : 0.0,
                known ? labels[i] : -1);
  });
  std::printf("}\n");
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) {
  if (argc != 2 || std::strcmp(argv[1], "--help") == 0) {
    std::fprintf(stderr, "usage: cloud_parts FILE > PARTS.json\nFILE: PCD, PLY or KITTI .bin\n");
    return argc == 2 ? 0 : 1;
  }
  rdp::bench::print(rdp::bench::read_cloud(argv[1]));
}
