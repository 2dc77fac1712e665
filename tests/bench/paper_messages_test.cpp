// SPDX-License-Identifier: LGPL-2.1-or-later
// The kernels of the paper's belief propagation on the emulator: with whole labels as rises they
// give the definition's labels, with fractions those of a plain loop.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "common/heightmap/reference.h"
#include "common/heightmap/rules.h"
#include "tests/bench/height_field.h"
#include "tests/emulation/cuda_emulation.h"
#include "tests/heightmap/heightmap_cases.h"

#include "tests/bench/paper_messages.cuh"

namespace rdp::bench {
namespace {

namespace reference = heightmap::reference;

constexpr int kLabels = kPaperHeights + 1;
constexpr int kDx[] = {-1, 1, 0, 0};
constexpr int kDy[] = {0, 0, -1, 1};

struct Sent {
  std::vector<float> costs, rises, messages;
  std::vector<unsigned char> labels;
  PaperArguments arguments{};

  Sent(const HeightField& field, const heightmap::Parameters& parameters,
       std::vector<float> its_rises)
      : rises(std::move(its_rises)), labels(field.potential.size()) {
    const std::size_t pixels = labels.size();
    costs.resize(pixels * kPaperLanes);
    messages.resize(pixels * kPaperLanes * kPaperMessages);
    for (std::size_t p = 0; p < pixels; ++p) {
      for (std::size_t l = 0; l < kLabels; ++l) {
        costs[p * kPaperLanes + l] = field.costs[p * kLabels + l];
      }
    }
    arguments = {costs.data(),
                 rises.data(),
                 messages.data(),
                 labels.data(),
                 field.width,
                 field.height,
                 0,
                 static_cast<float>(parameters.smoothness),
                 static_cast<float>(parameters.max_jump),
                 static_cast<float>(parameters.unknown_jump)};
  }

  void half_iteration(int step) {
    arguments.step = step;
    emulation::run(
        {{static_cast<unsigned>(arguments.width + 1) / 2, static_cast<unsigned>(arguments.height),
          1},
         {kPaperThreads, 1, 1},
         0},
        [](const void* a) { rdp_bench_paper_messages(*static_cast<const PaperArguments*>(a)); },
        &arguments, nullptr, 0);
  }
  void find_labels() {
    const auto blocks = static_cast<unsigned>((labels.size() + 3) / 4);
    emulation::run(
        {{blocks, 1, 1}, {kPaperThreads, 1, 1}, 0},
        [](const void* a) { rdp_bench_paper_labels(*static_cast<const PaperArguments*>(a)); },
        &arguments, nullptr, 0);
  }
  float message(std::size_t from, std::size_t pixel, int label) const {
    return messages[(from * labels.size() + pixel) * kPaperLanes + static_cast<std::size_t>(label)];
  }
};

HeightField random_field(int width, int height, std::mt19937* random) {
  HeightField field{width, height, {}, {}};
  for (int i = 0; i < width * height; ++i) {
    field.potential.push_back(static_cast<std::int32_t>((*random)() % 4));
    for (int l = 0; l < kLabels; ++l) {
      field.costs.push_back(static_cast<std::uint8_t>((*random)() % 128));
    }
  }
  return field;
}

TEST(PaperMessages, WholeLabelsGiveTheDefinition) {
  std::mt19937 random(1);
  const heightmap::Parameters parameters;
  for (const auto& [width, height] : {std::pair{1, 5}, {6, 1}, {7, 6}, {12, 5}}) {
    const HeightField field = random_field(width, height, &random);
    Sent sent(field, parameters, whole_rises(field, parameters));
    const reference::Field defined{width, height, field.potential, field.costs, {}};
    reference::Messages messages;
    reference::start(defined, parameters, &messages);
    for (int step = 0; step < 5; ++step) {
      sent.half_iteration(step);
      reference::half_iteration(defined, parameters, step, &messages);
      for (std::size_t from = 0; from < 4; ++from) {
        for (std::size_t p = 0; p < field.potential.size(); ++p) {
          for (int l = 0; l < kLabels; ++l) {
            ASSERT_EQ(sent.message(from, p, l),
                      messages[from][p * kLabels + static_cast<std::size_t>(l)])
                << width << "x" << height << ", step " << step << ", from " << from << ", pixel "
                << p << ", label " << l;
          }
        }
      }
    }
    sent.find_labels();
    EXPECT_EQ(sent.labels, reference::labels_of(defined, parameters, messages));
  }
}

TEST(PaperMessages, FractionsGiveTheLeastOverAllPairs) {
  std::mt19937 random(2);
  heightmap::Parameters parameters;
  const HeightField field = random_field(8, 5, &random);
  std::vector<float> rises;
  std::uniform_real_distribution<float> slopes(-1.5F, 1.5F);
  for (std::size_t i = 0; i < 4 * field.potential.size(); ++i) rises.push_back(slopes(random));
  Sent sent(field, parameters, rises);
  for (int step = 0; step < 4; ++step) {
    const Sent before = sent;
    sent.half_iteration(step);
    for (int y = 0; y < field.height; ++y) {
      for (int x = (y + step) % 2; x < field.width; x += 2) {
        const auto p = static_cast<std::size_t>(y * field.width + x);
        for (std::size_t to = 0; to < 4; ++to) {
          const int nx = x + kDx[to];
          const int ny = y + kDy[to];
          if (nx < 0 || nx >= field.width || ny < 0 || ny >= field.height) continue;
          double told[kLabels];
          double lowest = 1e9;
          for (int b = 0; b < kLabels; ++b) {
            told[b] = 1e9;
            for (int a = 0; a < kLabels; ++a) {
              double cost = field.costs[p * kLabels + static_cast<std::size_t>(a)];
              for (std::size_t from = 0; from < 4; ++from) {
                if (from != to) cost += static_cast<double>(before.message(from, p, a));
              }
              const bool unknown_a = a == kPaperHeights;
              const bool unknown_b = b == kPaperHeights;
              const double difference = b - a - static_cast<double>(rises[p * 4 + to]);
              cost += unknown_a && unknown_b ? 0.0
                      : unknown_a || unknown_b
                          ? parameters.unknown_jump
                          : std::min<double>(parameters.max_jump,
                                             parameters.smoothness * std::abs(difference));
              told[b] = std::min(told[b], cost);
            }
            lowest = std::min(lowest, told[b]);
          }
          const auto q = static_cast<std::size_t>(ny * field.width + nx);
          for (int b = 0; b < kLabels; ++b) {
            ASSERT_NEAR(static_cast<double>(sent.message(to ^ 1, q, b)), told[b] - lowest, 1e-3);
          }
        }
      }
    }
  }
}

// Costs computed in tiles, and those of textureless pixels, equal the reference's.
TEST(HeightField, HasTheCostsOfTheDefinition) {
  const heightmap::Rig rig = test::crowd_rig(3, 40, 30, 90.0);
  heightmap::Parameters parameters;
  ASSERT_EQ(heightmap::check_rig(rig, parameters).fault, heightmap::RigFault::kNone);
  std::mt19937 random(3);
  std::vector<std::vector<std::byte>> pixels(3, std::vector<std::byte>(40 * 30));
  std::vector<DepthView> pictures;
  for (auto& each : pixels) {
    for (std::byte& pixel : each) pixel = static_cast<std::byte>(random() >> 24);
    for (std::size_t row = 0; row < 24; ++row) {
      std::fill_n(each.begin() + static_cast<std::ptrdiff_t>(40 * row), 25, std::byte{90});
    }
    pictures.push_back({each.data(), 40, 40, 30, SampleType::kU8});
  }
  for (const int low_step : {50, 0}) {
    parameters.low_step = low_step;
    const HeightField field = height_field(rig, parameters, pictures);
    EXPECT_EQ(field.costs, reference::costs(heightmap::geometry_of(rig), rig, parameters,
                                            field.potential, pictures));
  }
}

}  // namespace
}  // namespace rdp::bench
