// SPDX-License-Identifier: LGPL-2.1-or-later
// The steps after the labels of height maps: speckles, heads, samples, the raster on the ground.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/heightmap/area.h"
#include "common/heightmap/geometry.h"
#include "common/heightmap/ground.h"
#include "common/heightmap/reference.h"
#include "common/heightmap/rules.h"
#include "kernels/heightmap/ground_engine.h"
#include "tests/bits/register.h"
#include "tests/heightmap/heightmap_cases.h"
#include "tests/support/valid_draw.h"

namespace rdp::bits {
namespace {

using heightmap::Area;
using heightmap::GroundGrid;
using heightmap::Head;
using heightmap::Parameters;
using heightmap::Rig;

enum class Labels {
  kUnknown,
  kOne,      // one label everywhere
  kNoise,    // random labels
  kFew,      // few labels and unknown: components of any shape that wind through tiles
  kRows,     // every other row
  kColumns,  // every other column
  kChecks,   // single pixels
  kRamp,     // neighbours that differ by 1: one component of many labels
  kSteps,    // neighbours that differ by 2: many components
  kPeople,   // spots of several labels each
  kSparse,   // single pixels, far apart
};
constexpr int kLabelKinds = 11;

enum class Sight {
  kAbove,   // the camera looks down
  kLevel,   // the horizon is in the picture
  kNarrow,  // all pixels see the same cells
  kWide,    // no two pixels see cells of the same head
  kEnd,     // some pixels see places out of range
};
constexpr int kSights = 5;

struct GroundSpec {
  int width = 1;
  int height = 1;
  Labels labels = Labels::kPeople;
  Sight sight = Sight::kAbove;
  int speckle = -1;  // heightmap::Parameters::speckle
  int heights = 24;
  bool large_raster = false;
};

// The images are labels, heights, depths and the raster.
struct GroundCase : Case {
  Rig rig;
  Parameters parameters;
  GroundGrid grid;
  std::vector<Area> areas;
  std::vector<std::vector<Head>> heads = {};  // within each area
  std::int64_t known = 0;
};

double between(Random* random, double low, double high) {
  return low + (high - low) * random->below(1 << 20) / (1 << 20);
}

// A camera with this view of the ground. The picture is about `metres` wide.
heightmap::View view_of(const GroundSpec& spec, Random* random) {
  const int side = std::max(spec.width, spec.height);
  double up = between(random, 3.0, 12.0);
  double away = between(random, 0.5, 10.0);
  double metres = 0.3 * std::pow(40.0, between(random, 0.0, 1.0));
  double first_x = between(random, -50.0, 50.0);
  double target = 1.0;
  if (spec.sight == Sight::kLevel) {
    up = between(random, 2.2, 4.0);
    target = up - between(random, 0.05, 0.3);
    metres = away * between(random, 0.5, 3.0);
  } else if (spec.sight == Sight::kNarrow) {
    metres = between(random, 0.02, 0.2);
  } else if (spec.sight == Sight::kWide) {
    metres = 0.6 * side;
    up = metres;
  } else if (spec.sight == Sight::kEnd) {
    first_x = 1000.0 - between(random, 0.0, metres / 2.0);
  }
  const double at[3] = {first_x, -away, up};
  const double towards[3] = {first_x + between(random, -0.5, 0.5), 0.0, target};
  const double distance = std::hypot(away, up);
  heightmap::View view =
      test::view_of(at, towards, distance / metres * side, spec.width, spec.height);
  const double scale = random->of({1.0, 1.0, -1.0, 0.03, -250.0});
  for (auto& row : view.projection) {
    for (double& value : row) value *= scale;
  }
  return view;
}

void draw_labels(const GroundSpec& spec, int unknown, Random* random, MutableDepthView labels) {
  const int one = random->below(unknown);
  const int few = 1 + random->below(std::min(3, unknown));
  const int known_of = 1 + random->below(4);
  const auto label_at = [&](int row, int column) {
    switch (spec.labels) {
      case Labels::kUnknown:
        return unknown;
      case Labels::kOne:
      case Labels::kPeople:
        return one;
      case Labels::kNoise:
        return random->below(unknown + 1);
      case Labels::kFew:
        return random->one_in(known_of + 1) ? unknown
                                            : std::min(one + 2 * random->below(few), unknown - 1);
      case Labels::kRows:
        return row % 2 == 0 ? one : unknown;
      case Labels::kColumns:
        return column % 2 == 0 ? one : unknown;
      case Labels::kChecks:
        return (row + column) % 2 == 0 ? one : unknown;
      case Labels::kRamp:
        return std::abs((row + column) % std::max(1, 2 * unknown - 1) - unknown + 1);
      case Labels::kSteps:
        return (row / 3 + column) * 2 % unknown;
      case Labels::kSparse:
        return row % 7 == 3 && column % 9 == 4 ? random->below(unknown) : unknown;
    }
    return unknown;
  };
  const bool people = spec.labels == Labels::kPeople;
  for (int row = 0; row < spec.height; ++row) {
    for (int column = 0; column < spec.width; ++column) {
      labels.set(row, column, static_cast<std::uint16_t>(people ? unknown : label_at(row, column)));
    }
  }
  for (int i = 0; people && i < 2 + spec.width * spec.height / 400; ++i) {
    const int left = random->below(spec.width);
    const int top = random->below(spec.height);
    const int across = 1 + random->below(14);
    const int down = 1 + random->below(20);
    const int label = random->below(unknown);
    for (int row = top; row < std::min(top + down, spec.height); ++row) {
      for (int column = left; column < std::min(left + across, spec.width); ++column) {
        if (random->one_in(12)) continue;
        labels.set(row, column,
                   static_cast<std::uint16_t>(std::min(label + random->below(3), unknown - 1)));
      }
    }
  }
}

// A raster around the place of a random pixel.
GroundGrid any_grid(const GroundSpec& spec, const GroundCase& made, Random* random) {
  GroundGrid grid;
  grid.cell = random->of({1, 3, 17, 50, 100, 1000, 65535});
  grid.columns = 1 + random->below(90);
  grid.rows = 1 + random->below(90);
  if (spec.large_raster) (random->one_in(2) ? grid.columns : grid.rows) = heightmap::kMaxCells;
  const heightmap::Geometry geometry = geometry_of(made.rig);
  const heightmap::Plane plane = geometry.plane(heightmap::metres(made.parameters.min_height));
  int x = 0;
  int y = 0;
  ground_of(plane, random->below(spec.width), random->below(spec.height), &x, &y);
  const auto first = [&](int place, std::int64_t cells) {
    const auto before = static_cast<std::int64_t>(random->below(static_cast<int>(cells)));
    return static_cast<int>((heightmap::floor_div(place, grid.cell) - before) * grid.cell);
  };
  grid.x = first(x, grid.columns);
  grid.y = first(y, grid.rows);
  return grid;
}

struct HeightGround {
  static constexpr const char* kName = "HeightGround";
  static constexpr Counts kCounts{
      .host = 0, .device = 1500, .few = 60, .always = 14, .in_place = true};
  using Spec = GroundSpec;
  using Case = GroundCase;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    const auto add = [&](int width, int height) -> Spec& {
      specs.push_back({width, height, static_cast<Labels>(random->below(kLabelKinds)),
                       static_cast<Sight>(random->below(kSights)), random->of({-1, 0, 1, 5, 40}),
                       random->of({1, 2, 24, heightmap::kMaxHeights})});
      return specs.back();
    };
    // Each kind of labels once; always run.
    for (int kind = 0; kind < kLabelKinds; ++kind) {
      add(45, 33).labels = static_cast<Labels>(kind);
    }
    // As many heads as pixels; heads of nearly all pixels; one head of all.
    for (const Sight sight : {Sight::kWide, Sight::kNarrow, Sight::kAbove}) {
      Spec& spec = add(40, 20);
      spec.labels = sight == Sight::kWide ? Labels::kNoise : Labels::kRamp;
      spec.sight = sight;
      spec.speckle = 0;
    }
    for (int kind = 0; kind < kLabelKinds; ++kind) {
      for (int sight = 0; sight < kSights; ++sight) {
        for (const int speckle : {-1, 0, 1, 7, 1 << 28}) {
          Spec& spec = add(2 + random->below(80), 2 + random->below(60));
          spec.labels = static_cast<Labels>(kind);
          spec.sight = static_cast<Sight>(sight);
          spec.speckle = speckle;
        }
      }
    }
    // One pixel, single lines, and sizes near those of tiles.
    for (const int width : {1, 2, 31, 32, 33, 63, 64, 65, 257}) {
      for (const int height : {1, 2, 7, 8, 9, 17}) add(width, height);
    }
    for (const int side : {100, 1000}) {
      add(side, 1);
      add(1, side);
    }
    add(20, 20).large_raster = true;
    if (!all) return specs;
    for (int kind = 0; kind < kLabelKinds; ++kind) {
      add(300, 220).labels = static_cast<Labels>(kind);
    }
    for (int sight = 0; sight < kSights; ++sight) {
      Spec& spec = add(230, 170);
      spec.labels = Labels::kNoise;
      spec.sight = static_cast<Sight>(sight);
      spec.speckle = 0;
    }
    if (!has_device()) return specs;
    for (const auto& [width, height] : {std::pair{kMaxSide, 3}, {2, kMaxSide}}) {
      add(width, height).labels = Labels::kFew;
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    Spec spec{1 + random->below(all ? 150 : 70),
              1 + random->below(all ? 120 : 50),
              static_cast<Labels>(random->below(kLabelKinds)),
              static_cast<Sight>(random->below(kSights)),
              random->of({-1, 0, random->below(30), random->below(2000)}),
              1 + random->below(heightmap::kMaxHeights)};
    return spec;
  }
  static Spec usual() { return {781, 621, Labels::kPeople, Sight::kAbove, -1, 24}; }
  static std::string text(const Spec& spec) {
    return std::to_string(spec.width) + " x " + std::to_string(spec.height) + ", labels " +
           std::to_string(static_cast<int>(spec.labels)) + ", sight " +
           std::to_string(static_cast<int>(spec.sight)) + ", speckle " +
           std::to_string(spec.speckle) + ", " + std::to_string(spec.heights) + " heights" +
           (spec.large_raster ? ", large raster" : "");
  }

  static Case draw(const Spec& spec, Random* random) {
    Case made = test::draw_valid(
        [&] {
          Case drawn;
          Parameters& p = drawn.parameters;
          p.min_height = random->of({0, 1, random->below(2000)});
          p.height_step = 1 + random->below(spec.sight == Sight::kWide ? 40 : 30);
          p.max_height = p.height_of(spec.heights - 1) + random->below(p.height_step);
          p.speckle = spec.speckle;
          const heightmap::View view = view_of(spec, random);
          drawn.rig.views = {view, view};
          return drawn;
        },
        [](const Case& drawn) { return test::is_valid(drawn.rig, drawn.parameters); },
        [&] {
          Case known;
          Parameters& p = known.parameters;
          p.min_height = 0;
          p.height_step = 20;
          p.max_height = p.height_of(spec.heights - 1);
          p.speckle = spec.speckle;
          known.rig = test::known_rig(spec.width, spec.height);
          return known;
        });
    const Parameters& p = made.parameters;
    made.grid = any_grid(spec, made, random);

    Image labels =
        array(static_cast<std::size_t>(spec.width) * static_cast<std::size_t>(spec.height), 1);
    labels.draw();
    draw_labels(spec, p.heights(), random,
                {labels.before.data(), spec.width, spec.width, spec.height, SampleType::kU8});
    const auto of = [](std::int64_t columns, std::int64_t rows) {
      return samples(static_cast<int>(columns), static_cast<int>(rows), SampleType::kU16);
    };
    made.images = {std::move(labels), of(spec.width, spec.height), of(spec.width, spec.height),
                   of(made.grid.columns, made.grid.rows)};
    // No area limit; the raster's area; a part of it.
    const GroundGrid& g = made.grid;
    const auto right = static_cast<int>(std::min<std::int64_t>(g.x + g.columns * g.cell, 1 << 30));
    const auto back = static_cast<int>(std::min<std::int64_t>(g.y + g.rows * g.cell, 1 << 30));
    made.areas = {{},
                  {{g.x, g.y}, {right, g.y}, {right, back}, {g.x, back}},
                  {{g.x, g.y}, {right, back}, {g.x, back}}};
    return made;
  }

  static void reference(const Spec& spec, Case* made) {
    const Parameters& p = made->parameters;
    const int speckle = speckle_of(made->rig, p);
    std::vector<std::uint8_t> labels(made->images[0].size());
    const auto* const before = reinterpret_cast<const std::uint8_t*>(made->images[0].before.data());
    std::copy_n(before, labels.size(), labels.begin());
    heightmap::reference::remove_speckles(spec.width, spec.height, p.heights(), speckle, &labels);
    const MutableDepthView after = made->images[0].expect();
    for (std::size_t i = 0; i < labels.size(); ++i) {
      after.set(0, static_cast<int>(i), labels[i]);
    }
    made->known = static_cast<std::int64_t>(labels.size()) -
                  std::count(labels.begin(), labels.end(), p.heights());
    const heightmap::Geometry geometry = geometry_of(made->rig);
    const std::vector<Head> all =
        heightmap::reference::heads(geometry, p, std::max(1, speckle), {}, labels);
    for (const Area& area : made->areas) {
      made->heads.emplace_back();
      std::copy_if(all.begin(), all.end(), std::back_inserter(made->heads.back()),
                   [&](const Head& head) { return contains(area, head.x, head.y); });
    }
    heightmap::write_heights(p, labels, made->images[1].expect());
    heightmap::write_depths(made->rig, p, labels, made->images[2].expect());
    heightmap::draw_ground(made->rig, p, labels, made->grid, made->images[3].expect());
  }

  struct Device {
    void prepare(const Spec&, const Case& made) { engine.prepare(made.rig, made.parameters); }
    void start(const Spec&, const Case& made, const DeviceJob& job, CUstream stream) {
      engine.prepare(made.rig, made.parameters);
      const CUdeviceptr labels = job[0].data();
      engine.start(labels, stream);
      engine.write_heights(labels, job[1].samples(), stream);
      engine.write_depths(labels, job[2].samples(), stream);
      engine.draw_ground(labels, made.grid, job[3].samples(), stream);
    }
    std::string wrong(const Spec&, const Case& made) {
      if (engine.known() != made.known) {
        return "expected " + std::to_string(made.known) + " known pixels, got " +
               std::to_string(engine.known());
      }
      for (std::size_t i = 0; i < made.areas.size(); ++i) {
        const std::string text = difference(made.heads[i], engine.heads(made.areas[i]));
        if (!text.empty()) return "area " + std::to_string(i) + ": " + text;
      }
      return {};
    }
    cuda::GroundEngine engine;
  };

 private:
  static std::string text_of(const Head& head) {
    return std::to_string(head.votes) + " votes at " + std::to_string(head.x) + ", " +
           std::to_string(head.y) + ", height " + std::to_string(head.height) + ", pixel " +
           std::to_string(head.column) + ", " + std::to_string(head.row);
  }
  static std::string difference(const std::vector<Head>& expected, std::span<const Head> found) {
    const auto [want, got] =
        std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
    if (want == expected.end() && got == found.end()) return {};
    return "expected " + std::to_string(expected.size()) + " heads, got " +
           std::to_string(found.size()) + "; number " + std::to_string(want - expected.begin()) +
           ": expected " + (want == expected.end() ? "none" : text_of(*want)) + ", got " +
           (got == found.end() ? "none" : text_of(*got));
  }
};
const bool kHeightGround = add<HeightGround>();

}  // namespace
}  // namespace rdp::bits
