// SPDX-License-Identifier: LGPL-2.1-or-later
// The accuracy of height maps: the found part of a crowd, false detections, and counted people. It
// uses the recorded crowd, with and without errors of its rig, and generated crowds.
//
// A pixel counts as true if it shows something from 1.4 m to less than 1.99 m high. In percent:
// "found" are the known ones of these, "right" those within a step and a half, "false" the known
// ones of all others. Heads are matched one-to-one with people within 15 cm on the ground.
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/heightmap/engine.h"
#include "tests/bench/accuracy/heightmap_score.h"
#include "tests/bench/accuracy/recorded_table.h"
#include "tests/bench/crowd_sets.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

using heightmap::Parameters;

constexpr double kFalse = 3.0;  // percent, the operating point for comparisons
constexpr int kMaxUnknownCost = 127;
constexpr std::uint64_t kMaxTable = std::uint64_t{1} << 30;

struct Score {
  HeightScore pixels;
  HeadScore heads;
};

class Measure {
 public:
  Score score(const CrowdSet& set, const Parameters& parameters) {
    engine_.prepare(set.rig, parameters, {}, kMaxTable);
    const std::vector<DepthView> pictures = set.pictures();
    const heightmap::Result result = engine_.run(pictures);
    return {score_heights(parameters, result.labels, set.truth),
            score_heads(result.heads, set.people)};
  }
  std::string row(const std::string& name, const CrowdSet& set, const Parameters& parameters) {
    return row_of(name, score(set, parameters));
  }
  static std::string row_of(const std::string& name, const Score& score) {
    return formatted("%-38s %6.2f %6.2f %6.2f   %2d of %2d  %3d  %4.0f  %4.0f", name.c_str(),
                     score.pixels.found, score.pixels.right, score.pixels.mistaken,
                     score.heads.found, score.heads.people, score.heads.mistaken,
                     score.heads.distance, score.heads.height);
  }

 private:
  heightmap::Engine engine_;
};

// Scores at the `unknown_cost` with 3 percent false pixels, interpolated between two costs.
void add_at_three_percent(const std::string& name, const CrowdSet& set, Parameters parameters,
                          Measure* measure, RecordedTable* table) {
  std::map<int, Score> known;
  const auto at = [&](int cost) -> const Score& {
    if (known.count(cost) == 0) {
      parameters.unknown_cost = cost;
      known[cost] = measure->score(set, parameters);
    }
    return known[cost];
  };
  int cost = parameters.unknown_cost;
  while (cost > 0 && at(cost).pixels.mistaken > kFalse) --cost;
  while (cost + 1 < kMaxUnknownCost && at(cost + 1).pixels.mistaken <= kFalse) ++cost;
  const HeightScore& low = at(cost).pixels;
  const HeightScore& high = at(cost + 1).pixels;
  table->line(Measure::row_of(formatted("%s, unknown-cost %d", name.c_str(), cost), at(cost)));
  table->line(
      Measure::row_of(formatted("%s, unknown-cost %d", name.c_str(), cost + 1), at(cost + 1)));
  const double part = (kFalse - low.mistaken) / (high.mistaken - low.mistaken);
  const double found = low.found + part * (high.found - low.found);
  const double right = low.right + part * (high.right - low.right);
  table->line(formatted("%s, 3 %% false at %.2f: %.2f %% found, %.2f %% of these right",
                        name.c_str(), cost + part, found, 100.0 * right / found));
}

// Shifts a view's projection by x, y pixels to the right and down.
void shift_view(double x, double y, heightmap::View* view) {
  for (int column = 0; column < 4; ++column) {
    view->projection[0][column] += x * view->projection[2][column];
    view->projection[1][column] += y * view->projection[2][column];
  }
}

void add_rig_errors(const CrowdSet& set, Measure* measure, RecordedTable* table) {
  for (const bool vertical : {false, true}) {
    for (const double pixels : {0.5, -0.5, 1.0, -1.0, 2.0, -2.0}) {
      CrowdSet shifted = set;
      shift_view(vertical ? 0.0 : pixels, vertical ? pixels : 0.0, &shifted.rig.views[1]);
      shift_view(vertical ? 0.0 : -pixels, vertical ? -pixels : 0.0, &shifted.rig.views[2]);
      table->line(measure->row(formatted("recorded, apart by %+.1f px %s", pixels,
                                         vertical ? "vertically" : "horizontally"),
                               shifted, {}));
    }
  }
}

void add_recorded(const CrowdSet& set, Measure* measure, RecordedTable* table) {
  table->line(measure->row("recorded", set, {}));
  Parameters tuned;
  tuned.speckle = 200;
  table->line(measure->row("recorded, speckle 200", set, tuned));
  add_at_three_percent("recorded", set, {}, measure, table);
  Parameters without_edges;
  without_edges.edge_contrast = 0;
  table->line(measure->row("recorded, edges off", set, without_edges));
  add_at_three_percent("recorded, edges off", set, without_edges, measure, table);
  table->line(measure->row("recorded, drawn anew", drawn_again(set), {}));
  const CrowdSet noisy = with_noise(set, 8.0);
  table->line(measure->row("recorded, noise 8 more", noisy, {}));
  add_at_three_percent("recorded, noise 8 more", noisy, {}, measure, table);
  add_rig_errors(set, measure, table);
}

void add_drawn(Measure* measure, RecordedTable* table) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    DrawnCrowd crowd;
    crowd.seed = seed;
    crowd.people = 40 + 4 * (static_cast<int>(seed) - 1);
    const std::string name = formatted("crowd %u", seed);
    table->line(measure->row(name, draw_crowd(crowd), {}));
    crowd.noise = 8.0;
    table->line(measure->row(name + ", noise 8", draw_crowd(crowd), {}));
    crowd.noise = 2.0;
    crowd.contrast = 0.6;
    table->line(measure->row(name + ", contrast 0.6", draw_crowd(crowd), {}));
  }
  for (const auto& [first, second] : {std::pair{5, 10}, {10, 20}, {20, 40}}) {
    DrawnCrowd crowd;
    crowd.late = {0, first, second};
    table->line(measure->row(formatted("crowd 1, views %d and %d ms late", first, second),
                             draw_crowd(crowd), {}));
  }
  // The scale of pictures; heads are 17 cm across.
  for (const int width : {750, 536, 375, 321, 268, 214, 188}) {
    DrawnCrowd crowd;
    crowd.width = width;
    crowd.height = width * 621 / 781;
    const CrowdSet set = draw_crowd(crowd);
    table->line(measure->row(formatted("crowd 1, %.0f px a metre", pixels_a_metre(set)), set, {}));
  }
}

// The distance and the number of cameras. Closer cameras see a head more alike; more distant ones
// are less sensitive to calibration errors.
void add_placements(Measure* measure, RecordedTable* table) {
  for (const int angle : {5, 8, 12, 17, 25, 30, 45}) {
    DrawnCrowd crowd;
    crowd.angle = angle;
    const CrowdSet set = draw_crowd(crowd);
    for (const double apart : {0.0, 0.5, 1.0}) {
      CrowdSet shifted = set;
      shift_view(apart, 0.0, &shifted.rig.views[1]);
      shift_view(-apart, 0.0, &shifted.rig.views[2]);
      table->line(measure->row(formatted("crowd 1, %d degrees, apart by %.1f px", angle, apart),
                               shifted, {}));
    }
  }
  for (const auto& [views, angle] :
       {std::pair{2, 8}, {2, 17}, {4, 8}, {4, 17}, {5, 8}, {5, 17}, {6, 8}, {6, 17}}) {
    DrawnCrowd crowd;
    crowd.late.assign(static_cast<std::size_t>(views), 0);
    crowd.angle = angle;
    table->line(measure->row(formatted("crowd 1, %d views, %d degrees", views, angle),
                             draw_crowd(crowd), {}));
  }
}

// Places of heads from cameras that see their tops to a different extent. `aside`: from the first
// camera to the others, in metres.
void add_eyes(Measure* measure, RecordedTable* table) {
  struct Eyes {
    double away, up, aside, focal;
  };
  for (const Eyes& eyes : {Eyes{14.0, 5.0, 3.0, 2100.0},
                           {11.0, 8.0, 3.0, 1750.0},
                           {6.0, 9.0, 2.5, 1400.0},
                           {2.0, 9.0, 2.0, 1200.0},
                           {0.01, 9.0, 2.0, 1200.0}}) {
    DrawnCrowd crowd;
    crowd.eyes = {{0.0, -eyes.away, eyes.up},
                  {eyes.aside, -eyes.away, eyes.up},
                  {-eyes.aside, -eyes.away, eyes.up}};
    crowd.focal = eyes.focal;
    table->line(measure->row(formatted("crowd 1, from %.0f m away, %.0f m up", eyes.away, eyes.up),
                             draw_crowd(crowd), {}));
  }
}

// Without texture and noise there is nothing to match.
void add_plain(Measure* measure, RecordedTable* table) {
  for (const double contrast : {0.0, 0.02, 0.05}) {
    DrawnCrowd crowd;
    crowd.noise = 0.0;
    crowd.contrast = contrast;
    table->line(measure->row(formatted("crowd 1, contrast %.2f, no noise", contrast),
                             draw_crowd(crowd), {}));
  }
}

int run(int argc, char** argv) {
  std::string expected;
  test::CommandLine line("How much of a crowd height maps find, and who is counted.",
                         "The recorded crowd is in `stereo/crowd-synthetic` of the folder of "
                         "RDPSEGMENT_TEST_DATA.");
  line.file("expected", &expected, "compare with this file");
  line.read(argc, argv);
  const auto recorded = recorded_crowd();
  if (!recorded.has_value()) {
    std::puts("RDPSEGMENT_TEST_DATA has no stereo/crowd-synthetic");
    return 77;
  }
  RecordedTable table;
  Measure measure;
  table.line(
      "                                        found  right  false      heads more   off height");
  add_recorded(*recorded, &measure, &table);
  add_drawn(&measure, &table);
  add_placements(&measure, &table);
  add_eyes(&measure, &table);
  add_plain(&measure, &table);
  return table.compare(expected);
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) { return rdp::bench::run(argc, argv); }
