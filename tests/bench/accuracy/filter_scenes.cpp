// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/accuracy/filter_scenes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "common/scene/hash_random.h"
#include "common/scene/room_depth.h"
#include "common/scene/test_labels.h"
#include "common/scene/test_pattern.h"
#include "tests/bench/gray_png.h"

namespace rdp::bench {
namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 480;
constexpr double kFocal = 525.0;
constexpr double kFocalBaseline = 525.0 * 75.0;  // px mm

std::size_t at(int x, int y, int width = kWidth) {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
         static_cast<std::size_t>(x);
}

std::uint16_t rounded(double mm) {
  return static_cast<std::uint16_t>(std::clamp(std::floor(mm + 0.5), 0.0, 65535.0));
}

// Gaussian weights up to four sigma. Rounding to 2^-30 hides differences between libraries' exp().
std::vector<double> gauss(double sigma) {
  const int reach = static_cast<int>(4.0 * sigma + 0.5);
  std::vector<double> taps;
  double sum = 0.0;
  for (int i = -reach; i <= reach; ++i) {
    taps.push_back(std::exp(-i * i / (2.0 * sigma * sigma)));
    sum += taps.back();
  }
  for (double& tap : taps) tap = std::floor(tap / sum * 0x1p30 + 0.5) * 0x1p-30;
  return taps;
}

// Border pixels are repeated.
std::vector<double> blurred(std::vector<double> values, int width, double sigma) {
  const std::vector<double> taps = gauss(sigma);
  const int height = static_cast<int>(values.size()) / width;
  const int reach = static_cast<int>(taps.size()) / 2;
  for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}}) {
    std::vector<double> out(values.size());
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        double sum = 0.0;
        for (int i = -reach; i <= reach; ++i) {
          sum += taps[static_cast<std::size_t>(i + reach)] *
                 values[at(std::clamp(x + i * dx, 0, width - 1),
                           std::clamp(y + i * dy, 0, height - 1), width)];
        }
        out[at(x, y, width)] = sum;
      }
    }
    values = std::move(out);
  }
  return values;
}

// Noise with a standard deviation of 1.
class Noise {
 public:
  explicit Noise(std::uint64_t key) : state_(mix_bits(key)) {}
  double next() { return sum_of_bytes(mix_bits(state_ += kGoldenRatio64)) / kSumOfBytesDeviation; }
  std::vector<double> smooth(int width, int height, double sigma) {
    std::vector<double> white(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (double& value : white) value = next();
    double gain = 0.0;  // the sum of the squares, in both directions
    for (const double tap : gauss(sigma)) gain += tap * tap;
    std::vector<double> smooth = blurred(std::move(white), width, sigma);
    for (double& value : smooth) value /= gain;
    return smooth;
  }

 private:
  std::uint64_t state_;
};

// Pixels in the projector's shadow: the projector is one baseline to the right, and something
// nearer by over 15/km covers their projector column.
std::vector<bool> shadowed(const std::vector<double>& depth) {
  constexpr int kLeft = 400;
  std::vector<bool> out(depth.size(), false);
  for (int y = 0; y < kHeight; ++y) {
    std::vector<double> nearest(kWidth + kLeft + 2, 1e9);
    const auto column = [&](int x) {
      const double place = std::floor(x - kFocalBaseline / depth[at(x, y)] + 0.5);
      return static_cast<std::size_t>(std::clamp(place + kLeft, 0.0, double{kWidth + kLeft}));
    };
    for (int x = 0; x < kWidth; ++x) {
      if (depth[at(x, y)] <= 0.0) continue;
      for (std::size_t i = column(x); i < column(x) + 2; ++i) {
        nearest[i] = std::min(nearest[i], depth[at(x, y)]);
      }
    }
    for (int x = 0; x < kWidth; ++x) {
      const double mm = depth[at(x, y)];
      if (mm > 0.0) out[at(x, y)] = 1e6 / nearest[column(x)] - 1e6 / mm > 15.0;
    }
  }
  return out;
}

// Pixels whose 7x7 window, clipped at the frame, contains more than one label.
std::vector<bool> edges_of(const std::vector<std::uint8_t>& labels) {
  std::vector<std::uint8_t> low = labels, high = labels;
  for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}}) {
    const auto from_low = low, from_high = high;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        for (int i = -3; i <= 3; ++i) {
          const std::size_t from =
              at(std::clamp(x + i * dx, 0, kWidth - 1), std::clamp(y + i * dy, 0, kHeight - 1));
          low[at(x, y)] = std::min(low[at(x, y)], from_low[from]);
          high[at(x, y)] = std::max(high[at(x, y)], from_high[from]);
        }
      }
    }
  }
  std::vector<bool> edges(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) edges[i] = low[i] != high[i];
  return edges;
}

FilterScene scene_of_room(reference::Frame frame, const std::vector<double>& truth,
                          const std::vector<std::uint8_t>& labels) {
  FilterScene scene{std::move(frame), truth, {}, labels};
  const std::vector<bool> edges = edges_of(labels);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    scene.classes.push_back(edges[i] ? kEdge : labels[i] > 0 ? kSurface : 0);
  }
  return scene;
}

}  // namespace

std::vector<FilterRoom> read_filter_rooms(const std::filesystem::path& folder) {
  std::vector<FilterRoom> rooms;
  for (int number = 1; number <= kFilterRooms; ++number) {
    const std::string name = folder.string() + "/room0" + std::to_string(number) + "_";
    const reference::Frame clean = read_gray_png(name + "clean_depth.png");
    const reference::Frame planes = read_gray_png(name + "planes.png");
    if (clean.width != kWidth || planes.width != kWidth) return {};
    std::vector<double> truth;
    for (const std::uint16_t fifths : clean.samples) truth.push_back(fifths / 5.0);
    std::vector<std::uint8_t> labels;
    for (const std::uint16_t label : planes.samples) {
      labels.push_back(static_cast<std::uint8_t>(label));
    }
    rooms.emplace_back();
    for (const char* variant : kRoomVariants) {
      reference::Frame frame = read_gray_png(name + variant + "_depth.png");
      if (frame.width != kWidth) return {};
      rooms.back().variants.push_back(scene_of_room(std::move(frame), truth, labels));
    }
  }
  return rooms;
}

std::vector<FilterRoom> draw_filter_rooms() {
  struct Variant {
    double noise, bend;
  };
  std::vector<FilterRoom> rooms;
  TestPatternRenderer renderer;
  TestLabelRenderer labeller;
  RoomDepth exact;
  for (std::uint32_t seed = 1; seed <= kFilterRooms; ++seed) {
    TestPatternOptions options{
        .pattern = TestPattern::kRoom, .domain = TestDomain::kDepth, .seed = seed};
    std::vector<std::uint8_t> labels(std::size_t{kWidth} * kHeight);
    labeller.draw(
        0, options,
        {reinterpret_cast<std::byte*>(labels.data()), kWidth, kWidth, kHeight, SampleType::kU8});
    std::vector<double> truth;
    const double metre = RoomScene::camera(kWidth, kHeight).disparity(1.0) * 0x1p24;
    exact.begin(0, {.seed = seed}, kWidth, kHeight);
    for (int y = 0; y < kHeight; ++y) {
      for (const std::uint32_t disparity : exact.next_row()) {
        truth.push_back(disparity == 0 ? 0.0 : 1000.0 * metre / disparity);
      }
    }
    rooms.emplace_back();
    for (const auto& [noise, bend] : {Variant{0.020, 0.0}, {0.045, 0.0}, {0.030, 0.08}}) {
      options.noise = noise;
      options.bend = bend;
      reference::Frame frame{kWidth, kHeight, {}};
      frame.samples.resize(labels.size());
      renderer.draw(0, options,
                    {reinterpret_cast<std::byte*>(frame.samples.data()), 2 * kWidth, kWidth,
                     kHeight, SampleType::kU16});
      rooms.back().variants.push_back(scene_of_room(std::move(frame), truth, labels));
    }
  }
  return rooms;
}

namespace {

struct Box {
  double x, y, z;        // the middle of its front in frame 0, mm
  double width, height;  // mm
  double dx, dz;         // mm a frame
};
constexpr Box kBoxes[] = {{-900, -100, 1500, 500, 800, 25, 0},
                          {500, -300, 2000, 400, 900, 0, -12},
                          {-200, -500, 2300, 250, 400, 8, 4}};

// Draws depths and labels: a wall at 3 m, a floor 1.2 m below the camera, the boxes.
void draw_boxes(int number, FilterScene* scene) {
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const double across = (x - 319.5) / kFocal;
      const double down = (y - 239.5) / kFocal;
      double depth = down > 0.02 ? std::min(3000.0, 1200.0 / down) : 3000.0;
      std::uint8_t label = 0;
      for (std::uint8_t i = 0; i < std::size(kBoxes); ++i) {
        const Box& box = kBoxes[i];
        const double z = box.z + box.dz * number;
        if (std::abs(across * z - (box.x + box.dx * number)) >= box.width / 2) continue;
        if (std::abs(down * z - box.y) >= box.height / 2 || z >= depth) continue;
        depth = z;
        label = static_cast<std::uint8_t>(i + 1);
      }
      scene->truth.push_back(depth);
      scene->labels.push_back(label);
    }
  }
}

// The sensor's frame: edges shift by up to 2 px along rows, disparities have smooth noise and steps
// of 1/16 px. The projector's shadow and 1.9 % in blots are unknown.
reference::Frame sensed(const std::vector<double>& depth, double sigma, Noise* noise) {
  const std::vector<double> smooth = noise->smooth(kWidth, kHeight, 1.0);
  const std::vector<double> blots = noise->smooth(kWidth, kHeight, 1.5);
  const std::vector<bool> shadow = shadowed(depth);
  reference::Frame frame{kWidth, kHeight, {}};
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const double aside = std::floor(0.4 * noise->next() + 0.5);
      const int from = std::clamp(x + static_cast<int>(aside), 0, kWidth - 1);
      const double disparity = kFocalBaseline / depth[at(from, y)] + sigma * smooth[at(x, y)];
      const double step = std::floor(disparity * 16.0 + 0.5) / 16.0;
      const bool unknown = shadow[at(x, y)] || blots[at(x, y)] > 2.07;
      frame.samples.push_back(unknown ? 0 : rounded(kFocalBaseline / step));
    }
  }
  return frame;
}

void classify(const std::vector<FilterScene>& scenes, const std::vector<std::vector<bool>>& edges,
              std::size_t now, FilterScene* scene) {
  for (std::size_t i = 0; i < scene->labels.size(); ++i) {
    bool edge = false;
    bool same = true;
    bool still = true;
    for (std::size_t before = now - 4; before <= now; ++before) {
      edge = edge || edges[before][i];
      same = same && scenes[before].labels[i] == scene->labels[i];
      still = still && std::abs(1e6 / scenes[before].truth[i] - 1e6 / scene->truth[i]) < 0.01;
    }
    int classes = (edges[now][i] ? kEdge : 0) | (same ? 0 : kUncovered);
    if (same && !edge) {
      const std::uint8_t label = scene->labels[i];
      classes |= label == 0 ? (still ? kStill : 0) : label == 2 ? kApproaching : 0;
      classes |= label == 3 ? kReceding : 0;
    }
    scene->classes[i] = static_cast<std::uint8_t>(classes);
  }
}

}  // namespace

std::vector<FilterScene> moving_scene(double sigma) {
  std::vector<FilterScene> scenes(kMovingFrames);
  std::vector<std::vector<bool>> edges;
  Noise noise(3);
  for (std::size_t i = 0; i < kMovingFrames; ++i) {
    FilterScene& scene = scenes[i];
    draw_boxes(static_cast<int>(i), &scene);
    scene.frame = sensed(scene.truth, sigma, &noise);
    scene.classes.resize(scene.labels.size());
    edges.push_back(edges_of(scene.labels));
    if (i >= kFirstScored) classify(scenes, edges, i, &scene);
  }
  return scenes;
}

FilterScene mixed_scene(const FilterRoom& room, int blur, int number) {
  const std::vector<double>& exact = room.variants[0].truth;
  const std::vector<double> from = blur > 0 ? blurred(exact, kWidth, blur) : exact;
  constexpr int kHalf = kWidth / 2;
  FilterScene scene{{kHalf, kHeight / 2, {}}, {}, {}, {}};
  const std::uint64_t key =
      sub_key(sub_key(11, static_cast<std::uint64_t>(blur)), static_cast<std::uint64_t>(number));
  const std::vector<double> noise = Noise(key).smooth(kHalf, kHeight / 2, 0.7);
  for (int y = 0; y < kHeight; y += 2) {
    for (int x = 0; x < kWidth; x += 2) {
      const double mixed =
          (from[at(x, y)] + from[at(x + 1, y)] + from[at(x, y + 1)] + from[at(x + 1, y + 1)]) / 4.0;
      const double inverse = 1e6 / std::max(mixed, 1.0);
      bool unknown = false;
      double best = 1e9;
      const int reach = 3 * blur;
      for (int j = y - reach; j < y + reach + 2; ++j) {
        for (int i = x - reach; i < x + reach + 2; ++i) {
          const double mm = exact[at(std::clamp(i, 0, kWidth - 1), std::clamp(j, 0, kHeight - 1))];
          unknown = unknown || mm == 0.0;
          if (mm > 0.0) best = std::min(best, std::abs(1e6 / mm - inverse));
        }
      }
      const double noisy = inverse + 0.5 * noise[at(x / 2, y / 2, kHalf)];
      scene.frame.samples.push_back(unknown ? 0 : rounded(1e6 / noisy));
      scene.classes.push_back(unknown || (best > 2.0 && best <= 10.0) ? 0
                              : best > 10.0                           ? kFlying
                                                                      : kMade);
    }
  }
  return scene;
}

FilterScene pole_scene() {
  FilterScene scene{{100, 100, {}}, {}, {}, {}};
  Noise noise(12);
  for (int i = 0; i < 100 * 100; ++i) {
    const bool pole = i % 100 == 50 || i / 100 == 50;
    scene.frame.samples.push_back(rounded(1e6 / (1000 / (pole ? 1.5 : 3.0) + 0.5 * noise.next())));
    scene.classes.push_back(pole ? kMade : 0);
  }
  return scene;
}

FilterScene holes_scene(const FilterRoom& room, int number) {
  FilterScene scene = room.variants[0];
  const std::vector<bool> shadow = shadowed(scene.truth);
  HashSequence random(mix_bits(static_cast<std::uint64_t>(number)));
  for (std::size_t i = 0; i < shadow.size(); ++i) {
    std::uint16_t& sample = scene.frame.samples[i];
    if (sample == 0) sample = rounded(scene.truth[i]);
    const bool hole = random.happens(0.02) || shadow[i];
    if (hole) sample = 0;
    scene.classes[i] = hole && scene.truth[i] > 0.0 ? kMade : 0;
  }
  return scene;
}

}  // namespace rdp::bench
