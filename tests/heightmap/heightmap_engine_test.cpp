// SPDX-License-Identifier: LGPL-2.1-or-later
// The steps of the engine compared with the reference's, on values that pictures rarely give: any
// costs, rises and labels. tests/bits compares whole sets of pictures.
#include "common/heightmap/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "common/heightmap/belief_field.h"
#include "common/heightmap/census_rows.h"
#include "common/heightmap/head_votes.h"
#include "common/heightmap/label_energy.h"
#include "common/heightmap/place_rows.h"
#include "common/heightmap/potential.h"
#include "common/heightmap/reference.h"
#include "common/image/simd.h"
#include "tests/heightmap/heightmap_cases.h"

namespace rdp::heightmap {
namespace {

using test::HeightsCase;

std::size_t size_of(int count) { return static_cast<std::size_t>(count); }

int between(std::mt19937* random, int low, int high) {
  return low + static_cast<int>((*random)() % static_cast<unsigned>(high - low + 1));
}

// Calls check() with each SIMD target of this machine.
template <typename Check>
void on_all_targets(const Check& check) {
  for (const std::string& target : simd_targets()) {
    SCOPED_TRACE(target);
    ASSERT_TRUE(use_simd_target(target));
    check();
    use_simd_target("");
    if (::testing::Test::HasFatalFailure()) return;
  }
}

// Any costs and any potential, often at the ends of their ranges.
reference::Field random_field(std::mt19937* random, int width, int height, int labels) {
  reference::Field field{width, height, {}, {}, {}};
  const int kind = between(random, 0, 2);
  const int spread = between(random, 0, 3);
  for (int i = 0; i < width * height; ++i) {
    field.potential.push_back(i / 5 + between(random, -spread, spread));
    for (int l = 0; l < labels; ++l) {
      const int cost = kind == 0   ? between(random, 0, 127)
                       : kind == 1 ? 127 * between(random, 0, 1)
                                   : between(random, 60, 64);
      field.costs.push_back(static_cast<std::uint8_t>(cost));
    }
  }
  return field;
}

Parameters random_parameters(std::mt19937* random) {
  Parameters p;
  p.height_step = 25;
  p.max_height = p.min_height + 25 * (between(random, 1, kMaxHeights) - 1);
  const auto end_or_any = [&](int low, int high) {
    return between(random, 0, 1) == 0 ? between(random, low, high)
                                      : (between(random, 0, 1) == 0 ? low : high);
  };
  p.smoothness = end_or_any(1, 15);
  p.max_jump = end_or_any(1, 31);
  p.unknown_jump = end_or_any(1, 31);
  p.edge_contrast = between(random, 0, 2) * 100;
  p.edge_jump = end_or_any(1, 31);
  p.max_slope = between(random, 1, 2);
  return p;
}

TEST(HeightmapEngine, MessagesOfAnyCosts) {
  std::mt19937 random(1);
  for (int number = 0; number < 40; ++number) {
    const int width = number % 4 == 0 ? between(&random, 1, 6) : between(&random, 1, 150);
    const int height = between(&random, 1, 12);
    const Parameters parameters = random_parameters(&random);
    const int labels = parameters.heights() + 1;
    reference::Field field = random_field(&random, width, height, labels);
    std::vector<std::uint8_t> pixels;
    for (int i = 0; i < width * height; ++i) {
      pixels.push_back(static_cast<std::uint8_t>(between(&random, 0, 255)));
    }
    const DepthView picture{reinterpret_cast<const std::byte*>(pixels.data()), width, width, height,
                            SampleType::kU8};
    field.edges = reference::edges(picture, parameters);
    SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height) + ", number " +
                 std::to_string(number));
    constexpr int kSteps = 7;
    std::vector<std::vector<std::uint8_t>> expected;  // by half-iterations
    std::vector<std::int64_t> expected_energy;
    reference::Messages messages;
    reference::start(field, parameters, &messages);
    for (int k = 0; k <= kSteps; ++k) {
      expected.push_back(reference::labels_of(field, parameters, messages));
      expected_energy.push_back(reference::energy(field, parameters, expected.back()));
      reference::half_iteration(field, parameters, k, &messages);
    }
    on_all_targets([&] {
      BeliefField beliefs;
      beliefs.prepare(width, height, parameters, field.potential.data());
      if (parameters.edge_contrast > 0) {
        beliefs.find_jumps(picture, height / 2, height);
        beliefs.find_jumps(picture, 0, height / 2);
      }
      const MessageLayout& layout = beliefs.layout();
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          for (int l = 0; l < labels; ++l) {
            beliefs.costs()[layout.costs(y, (x + y) & 1) + l * layout.stride + x / 2] =
                field.costs[size_of((y * width + x) * labels + l)];
          }
        }
      }
      EdgeTable edges;
      edges.prepare(parameters);
      std::vector<std::uint8_t> decided(size_of(width * height));
      for (int k = 0; k <= kSteps; ++k) {
        std::int64_t energy = 0;
        for (int row = 0; row < height; ++row) {
          energy += beliefs.decide(k, row, decided.data() + row * width);
        }
        energy += edges.sum_rows(decided.data(), field.potential.data(), picture, 0, height);
        ASSERT_EQ(decided, expected[size_of(k)]) << k << " half-iterations";
        ASSERT_EQ(energy, expected_energy[size_of(k)]) << k << " half-iterations";
        // In any order.
        for (int i = 0; i < height; ++i) {
          beliefs.half_iteration(k, k % 2 == 0 ? i : height - 1 - i);
        }
      }
    });
  }
}

// The order of the bits is free: only the Hamming distance between two pixels matters.
TEST(HeightmapEngine, Census) {
  std::mt19937 random(2);
  for (const int width : {1, 2, 3, 15, 16, 17, 31, 33, 64, 65, 130}) {
    for (const int height : {1, 2, 5, 19}) {
      std::vector<std::uint8_t> pixels;
      const int levels = between(&random, 0, 1) == 0 ? 3 : 256;
      for (int i = 0; i < width * height; ++i) {
        pixels.push_back(static_cast<std::uint8_t>(between(&random, 0, levels - 1)));
      }
      const DepthView picture{reinterpret_cast<const std::byte*>(pixels.data()), width, width,
                              height, SampleType::kU8};
      const std::vector<std::uint32_t> expected = reference::census(picture);
      SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height));
      on_all_targets([&] {
        std::vector<std::uint16_t> scratch(census_scratch(width));
        std::vector<std::uint32_t> census(expected.size());
        const int middle = height / 2;
        census_rows(picture, middle, height, scratch.data(), census.data());
        census_rows(picture, 0, middle, scratch.data(), census.data());
        for (std::size_t i = 0; i < census.size(); ++i) {
          const std::size_t other = (i * 7 + 3) % census.size();
          ASSERT_EQ(std::popcount(census[i]), std::popcount(expected[i])) << i;
          ASSERT_EQ(std::popcount(census[i] ^ census[other]),
                    std::popcount(expected[i] ^ expected[other]))
              << i;
        }
      });
    }
  }
}

// Includes pixels above the horizon and outside the other view.
TEST(HeightmapEngine, Places) {
  std::mt19937 random(3);
  int inside = 0;
  int outside = 0;
  for (int number = 0; number < 30; ++number) {
    const int width = between(&random, 2, 40);
    const int height = between(&random, 2, 30);
    const HeightsCase made = test::random_case(&random, width, height);
    const Geometry geometry = geometry_of(made.rig);
    std::vector<Plane> planes;
    for (int i = 0; i < 5; ++i) planes.push_back(geometry.plane(metres(i * 300)));
    on_all_targets([&] {
      for (const Sight& sight : geometry.others) {
        for (int row = 0; row < height; ++row) {
          const int first = row % 3;
          std::vector<std::int32_t> places(planes.size() * size_of(width));
          place_rows(geometry, sight, planes.data(), static_cast<int>(planes.size()), row, first,
                     width, places.data(), width);
          for (std::size_t i = 0; i < planes.size(); ++i) {
            for (int x = first; x < width; ++x) {
              const Plane& plane = planes[i];
              const std::int32_t expected =
                  plane.before(row_times(geometry.horizon, x, row))
                      ? place_of(times(sight.h0, x, row), times(sight.h1, x, row), plane.height,
                                 plane.determinant < 0.0, sight.width, sight.height)
                      : kOutside;
              (expected == kOutside ? outside : inside) += 1;
              ASSERT_EQ(places[i * size_of(width) + size_of(x - first)], expected)
                  << x << ", " << row << ", plane " << i;
            }
          }
        }
      }
    });
  }
  EXPECT_GT(inside, 1000);
  EXPECT_GT(outside, 1000);
}

// Labels at random, the same label everywhere (so every pixel votes), and mostly unknown ones.
TEST(HeightmapEngine, HeadsOfAnyLabels) {
  std::mt19937 random(4);
  std::size_t found = 0;
  HeadFinder finder;
  for (int number = 0; number < 60; ++number) {
    const HeightsCase made =
        test::random_case(&random, between(&random, 2, 60), between(&random, 2, 60));
    const Geometry geometry = geometry_of(made.rig);
    const int heights = made.parameters.heights();
    std::vector<Plane> planes;
    for (int l = 0; l < heights; ++l) {
      planes.push_back(geometry.plane(metres(made.parameters.height_of(l))));
    }
    std::vector<std::uint8_t> labels;
    const int kind = between(&random, 0, 2);
    for (int i = 0; i < geometry.width * geometry.height; ++i) {
      const int label = kind == 0   ? between(&random, 0, heights)
                        : kind == 1 ? heights / 2
                                    : (between(&random, 0, 9) == 0 ? i % heights : heights);
      labels.push_back(static_cast<std::uint8_t>(label));
    }
    const int least = number % 3 == 0 ? 1 : between(&random, 1, 30);
    const Area area = number % 4 == 0 ? Area{{-3000, -3000}, {500, -2500}, {900, 4000}} : Area{};
    const std::vector<Head> expected =
        reference::heads(geometry, made.parameters, least, area, labels);
    finder.prepare(labels.size(), least);
    for (int turn = 0; turn < 2; ++turn) {
      const auto heads = finder.find(geometry, planes.data(), made.parameters, area, labels.data());
      ASSERT_EQ(std::vector<Head>(heads.begin(), heads.end()), expected) << made.text();
    }
    found += expected.size();
  }
  EXPECT_GT(found, 500U);
}

struct Whole {
  explicit Whole(const HeightsCase& made)
      : set(made),
        expected(reference::height_map(set.rig, set.parameters, set.area, set.pictures())) {}

  void check(const Result& result) const {
    ASSERT_EQ(std::vector<std::uint8_t>(result.labels.begin(), result.labels.end()),
              expected.labels);
    ASSERT_EQ(std::vector<Head>(result.heads.begin(), result.heads.end()), expected.heads);
    ASSERT_EQ(result.energy, expected.energy);
    ASSERT_EQ(result.iterations, expected.iterations);
    ASSERT_EQ(result.known, expected.known);
  }

  HeightsCase set;
  reference::HeightMap expected;
};

// One engine is reused with changing rigs, properties, thread counts and tables.
TEST(HeightmapEngine, WhateverCameBefore) {
  std::mt19937 random(5);
  std::vector<Whole> sets;
  for (int i = 0; i < 6; ++i) {
    HeightsCase made = test::random_case(&random, between(&random, 2, 40), between(&random, 2, 30));
    if (i == 3) made.parameters.speckle = INT_MAX;  // removes every component
    sets.emplace_back(made);
  }
  Engine engine(1);
  for (int turn = 0; turn < 60; ++turn) {
    const Whole& whole = sets[size_of(between(&random, 0, 5))];
    const std::uint64_t most_table = turn % 3 == 0 ? 0 : UINT64_MAX;
    engine.set_threads(static_cast<unsigned>(between(&random, 1, 5)));
    engine.prepare(whole.set.rig, whole.set.parameters, whole.set.area, most_table);
    engine.set_threads(static_cast<unsigned>(between(&random, 1, 5)));
    for (int again = 0; again < 2; ++again) {
      whole.check(engine.run(whole.set.pictures()));
      ASSERT_FALSE(HasFatalFailure()) << whole.set.text();
    }
  }
}

// Textureless pictures give no heights, and leave no trace in the next set's costs.
TEST(HeightmapEngine, PlainPictures) {
  std::mt19937 random(9);
  for (const int low_step : {50, 0}) {
    HeightsCase made;
    made.rig = test::crowd_rig(3, 61, 47, 150.0);
    made.parameters.low_step = low_step;
    made.pixels.assign(3, std::vector<std::uint8_t>(61 * 47, 128));
    const Whole plain(made);
    EXPECT_EQ(plain.expected.known, 0);
    for (auto& pixels : made.pixels) {
      for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (i % 61 < 35) pixels[i] = static_cast<std::uint8_t>(between(&random, 0, 255));
      }
    }
    const Whole half(made);
    for (auto& pixels : made.pixels) {
      for (std::uint8_t& pixel : pixels)
        pixel = static_cast<std::uint8_t>(between(&random, 0, 255));
    }
    const Whole textured(made);
    Engine engine(2);
    engine.prepare(made.rig, made.parameters, made.area, 0);
    for (const Whole* whole : {&plain, &textured, &half, &textured}) {
      whole->check(engine.run(whole->set.pictures()));
      ASSERT_FALSE(HasFatalFailure()) << "low step " << low_step;
    }
  }
}

// Pipelined half-iterations of many threads, in many groups.
TEST(HeightmapEngine, ManyThreads) {
  std::mt19937 random(6);
  HeightsCase made = test::random_case(&random, 61, 90);
  made.parameters.max_height = made.parameters.min_height + 7 * made.parameters.height_step;
  made.parameters.iterations = 101;
  made.parameters.tolerance = 0;
  const Whole whole(made);
  for (const unsigned threads : {2U, 3U, 4U, 8U}) {
    Engine engine(threads);
    engine.prepare(made.rig, made.parameters, made.area, 0);
    for (int again = 0; again < 5; ++again) {
      whole.check(engine.run(made.pictures()));
      ASSERT_FALSE(HasFatalFailure()) << threads << " threads";
    }
  }
}

TEST(HeightmapEngine, MemoryIsKnownBefore) {
  const Rig rig = test::crowd_rig(3, 200, 150, 400.0);
  Parameters parameters;
  const Memory memory = Engine::memory_of(rig, parameters, UINT64_MAX);
  // A number of 32 bits for each of 24 + 27 heights, two views and the pixels of whole blocks.
  EXPECT_EQ(memory.table, 4U * 51 * 2 * 208 * 150);
  EXPECT_EQ(Engine::memory_of(rig, parameters, memory.table).table, memory.table);
  EXPECT_EQ(Engine::memory_of(rig, parameters, memory.table - 1).table, 0U);
  EXPECT_EQ(Engine::memory_of(rig, parameters, 0).work, memory.work);
  // 125 bytes of costs and messages per pixel, plus overhead.
  EXPECT_GT(memory.work, 125U * 200 * 150);
  EXPECT_LT(memory.work, 300U * 200 * 150 + 1000000U + 2000000U);
  EXPECT_EQ(Engine(1).speckle(), 0);
}

}  // namespace
}  // namespace rdp::heightmap
