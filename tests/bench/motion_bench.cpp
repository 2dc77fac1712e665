// SPDX-License-Identifier: LGPL-2.1-or-later
// Times of rdpmotion's estimation on one core: 3,300 segments and 1,500 tracks, and twice as many
// of either.
//
// The camera drives along a synthetic street: two walls and the ground. A seventh of the tracks are
// outliers. Each case runs once per round, so that changes of clock or load affect all of them.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "common/motion/engine.h"
#include "tests/bench/race.h"

namespace rdp::bench {
namespace {

constexpr int kWidth = 1100;
constexpr int kHeight = 375;
constexpr int kFrames = 8;
constexpr int kFirstTimed = 4;  // the first frame after one with old enough tracks
constexpr double kStep = 1.2;   // m a frame
constexpr motion::Camera kCamera = {700.0, 700.0, 550.0, 187.0, 0.5};

struct Frame {
  std::vector<std::uint32_t> offsets;
  std::vector<Segment> segments;
  std::vector<klt::Track> tracks;
};

// The street `ahead` metres before its last frame: a distant wall, a nearer one below it in the
// picture, and the ground.
struct Street {
  double far, near, near_top, ground_top;  // m, m, rows
  static constexpr double kHeightOfCamera = 1.65;
  static constexpr double kTopOfWall = -1.4;

  explicit Street(double ahead) : far(30.0 + ahead), near(15.0 + ahead) {
    near_top = kCamera.principal_y + kCamera.focal_y * kTopOfWall / near;
    ground_top = kCamera.principal_y + kCamera.focal_y * kHeightOfCamera / near;
  }
  double distance(double row) const {
    if (row < near_top) return far;
    if (row < ground_top) return near;
    return kCamera.focal_y * kHeightOfCamera / (row - kCamera.principal_y);
  }
  float value(double row, double within) const {
    return static_cast<float>(
        256.0 * kCamera.focal_x * kCamera.baseline / distance(within) *
        (within < ground_top ? 1.0 : (row - kCamera.principal_y) / (within - kCamera.principal_y)));
  }
};

std::vector<Frame> frames_of(int segments, int tracks) {
  std::vector<Frame> frames(kFrames);
  std::mt19937 random(1);
  const int parts = segments / kWidth;  // segments per column
  const int columns = static_cast<int>(std::sqrt(tracks * double{kWidth} / kHeight));
  for (int k = 0; k < kFrames; ++k) {
    Frame& frame = frames[static_cast<std::size_t>(k)];
    const double ahead = kStep * (kFrames - 1 - k);
    const Street street(ahead);
    const int ends[] = {static_cast<int>(street.near_top), static_cast<int>(street.ground_top),
                        kHeight - 1};
    frame.offsets.push_back(0);
    for (int c = 0; c < kWidth; ++c) {
      int row = 0;
      for (const int end : ends) {
        for (int i = 0, n = parts / 3; i < n; ++i) {
          const int last = i == n - 1 ? end : row + (end - row) / (n - i);
          const double middle = (row + last) / 2.0;
          frame.segments.push_back({static_cast<std::uint16_t>(row),
                                    static_cast<std::uint16_t>(last), street.value(row, middle),
                                    street.value(last, middle)});
          row = last + 1;
        }
      }
      frame.offsets.push_back(static_cast<std::uint32_t>(frame.segments.size()));
    }
    // Tracks form a grid in the last frame.
    const Street end(0.0);
    for (int i = 0; i < tracks; ++i) {
      const double u = (i % columns + 0.5) * kWidth / columns;
      const double v = (i / columns + 0.5) * kHeight * columns / tracks;
      const double before = end.distance(v);
      const double scale = before / (before + ahead);
      const bool stray = i % 7 == 0;
      const auto noise = [&] {
        return ((random() >> 8) / 16777216.0 - 0.5) * (stray ? 16.0 : 1.0);
      };
      const double x = kCamera.principal_x + (u - kCamera.principal_x) * scale + noise();
      const double y = kCamera.principal_y + (v - kCamera.principal_y) * scale + noise();
      frame.tracks.push_back({static_cast<std::uint32_t>(i + 1), static_cast<std::uint32_t>(k),
                              static_cast<float>(x), static_cast<float>(y), 0.0F, 0.0F, 1.0F,
                              10.0F});
    }
  }
  return frames;
}

struct Case {
  const char* name;
  int segments;
  int tracks;
  motion::EgoMotion ego;
  std::vector<Frame> frames = {};
  Turns turns = {};
  motion::Engine engine = {};
  motion::Counts counts = {};

  void run() {
    motion::Parameters parameters;
    parameters.ego_motion = ego;
    engine.reset();
    for (int k = 0; k < kFrames; ++k) {
      const Frame& frame = frames[static_cast<std::size_t>(k)];
      motion::Input in;
      in.width = kWidth;
      in.height = kHeight;
      in.segments = {frame.offsets, frame.segments};
      in.values.unit = 1.0 / 256.0;
      in.pts = static_cast<std::uint64_t>(k) * 100000000;
      in.has_camera = true;
      in.camera = kCamera;
      in.tracks = frame.tracks;
      const auto advance = [&] { counts = engine.advance(in, parameters).counts; };
      k < kFirstTimed ? advance() : turns.take(advance);
    }
  }
};

int measure(int argc, char** argv) {
  const int rounds = read_rounds(
      argc, argv, "How long it takes to find the motion of segments of made frames, on one core.",
      25);
  using motion::EgoMotion;
  Case cases[] = {{"none", 3300, 1500, EgoMotion::kNone},
                  {"estimate", 3300, 1500, EgoMotion::kEstimate},
                  {"estimate, segments doubled", 6600, 1500, EgoMotion::kEstimate},
                  {"estimate, tracks doubled", 3300, 3000, EgoMotion::kEstimate}};
  for (Case& c : cases) c.frames = frames_of(c.segments, c.tracks);
  for (int round = 0; round < rounds; ++round) {
    for (Case& c : cases) c.run();
  }
  std::printf("%dx%d, one thread, %d rounds; ms a frame\n\n", kWidth, kHeight, rounds);
  std::puts(
      "| ego-motion | segments | tracks | median | least | known | inliers |\n"
      "|---|---|---|---|---|---|---|");
  for (Case& c : cases) {
    std::printf("| %s | %d | %d | %.2f | %.2f | %d | %d |\n", c.name, c.segments, c.tracks,
                c.turns.median(), c.turns.least(), c.counts.known, c.counts.ego_inliers);
    if (c.counts.known < c.segments / 2) {
      std::fprintf(stderr,
                   "motion_bench: expected most of %d segments to have a velocity, got %d\n",
                   c.segments, c.counts.known);
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) { return rdp::bench::measure(argc, argv); }
