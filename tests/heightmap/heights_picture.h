// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_HEIGHTMAP_HEIGHTS_PICTURE_H_
#define RDP_TESTS_HEIGHTMAP_HEIGHTS_PICTURE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/heightmap/overlay.h"
#include "common/scene/hash_random.h"
#include "tests/support/painted_picture.h"

// Sets with height maps for tests of their overlays, and cameras with simple numbers.
namespace rdp::heightmap::test {

using Picture = rdp::test::PaintedPicture;

// Camera centre in metres, and camera axes: it looks along `ahead`.
struct Pose {
  double centre[3];
  double right[3];
  double down[3];
  double ahead[3];
};
inline constexpr Pose kFromAbove = {{0, 0, 11}, {1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
inline constexpr Pose kTilted = {{0, -11, 8}, {1, 0, 0}, {0, -0.6, -0.8}, {0, 0.8, -0.6}};
// Sees the horizon.
inline constexpr Pose kLow = {{0, 0, 3.5}, {1, 0, 0}, {0, -0.28, -0.96}, {0, 0.96, -0.28}};

inline View view_of(const Pose& pose, double focal, int width, int height) {
  View view;
  view.width = width;
  view.height = height;
  const double middle[2] = {static_cast<double>(width / 2), static_cast<double>(height / 2)};
  for (int c = 0; c < 3; ++c) {
    view.projection[0][c] = focal * pose.right[c] + middle[0] * pose.ahead[c];
    view.projection[1][c] = focal * pose.down[c] + middle[1] * pose.ahead[c];
    view.projection[2][c] = pose.ahead[c];
  }
  for (auto& row : view.projection) {
    row[3] = -(row[0] * pose.centre[0] + row[1] * pose.centre[1] + row[2] * pose.centre[2]);
  }
  return view;
}

// Two cameras side by side, `apart` metres along X.
inline Rig rig_of(Pose pose, double focal, int width, int height, double apart = 1.0) {
  Rig rig;
  rig.views.push_back(view_of(pose, focal, width, height));
  pose.centre[0] += apart;
  rig.views.push_back(view_of(pose, focal, width, height));
  return rig;
}

// Input of an overlay.
struct HeightsSet {
  explicit HeightsSet(const Rig& of)
      : rig(of),
        samples(
            static_cast<std::size_t>(of.seen().width) * static_cast<std::size_t>(of.seen().height),
            std::byte{200}),
        labels(samples.size(), 0) {
    unknown();
  }
  int width() const { return rig.seen().width; }
  int height() const { return rig.seen().height; }
  // Makes all pixels unknown.
  void unknown() { labels.assign(labels.size(), static_cast<std::uint8_t>(parameters.heights())); }
  void set(int column, int row, int label) {
    labels[static_cast<std::size_t>(row * width() + column)] = static_cast<std::uint8_t>(label);
  }
  OverlayScene scene() const {
    return {{&rig, &parameters, &area, cell, heads},
            {samples.data(), width(), width(), height(), SampleType::kU8},
            labels};
  }

  Rig rig;
  Parameters parameters;
  Area area;
  int cell = 50;
  std::vector<std::byte> samples;
  std::vector<std::uint8_t> labels;
  std::vector<Head> heads;
};

// A random set that has some of everything.
inline HeightsSet random_set(const Rig& rig, std::uint64_t seed) {
  HeightsSet set(rig);
  HashSequence random(sub_key(seed, 1));
  const auto below = [&](int end) {
    return static_cast<int>(random.bits() % static_cast<std::uint64_t>(end));
  };
  for (std::byte& sample : set.samples) sample = static_cast<std::byte>(below(256));
  constexpr int kSide = 9;
  for (int top = 0; top < set.height(); top += kSide) {
    for (int left = 0; left < set.width(); left += kSide) {
      if (random.happens(0.5)) continue;
      const int label = below(set.parameters.heights());
      for (int row = top; row < top + kSide && row < set.height(); ++row) {
        for (int c = left; c < left + kSide && c < set.width(); ++c) set.set(c, row, label);
      }
    }
  }
  const int heads = below(60);
  for (int i = 0; i < heads; ++i) {
    set.heads.push_back({below(set.width()), below(set.height()), below(8000) - 4000,
                         below(8000) - 4000, 1400 + below(576), 1 + below(500)});
  }
  if (seed % 2 == 1) set.area = {{-2000, -2000}, {2500, -2500}, {3000, 2000}, {0, 1000}};
  return set;
}

}  // namespace rdp::heightmap::test

#endif  // RDP_TESTS_HEIGHTMAP_HEIGHTS_PICTURE_H_
