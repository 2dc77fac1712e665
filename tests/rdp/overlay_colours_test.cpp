// SPDX-License-Identifier: LGPL-2.1-or-later
// Class colours stay distinguishable at any brightness, also for the colour-blind. Any two colours
// of different classes differ by at least kLeastDifference of CIEDE2000 for each kind of sight.
// Different brightness levels are compared, too: touching segments may have different depths, and
// bridged rows are slightly darker.
#include <gtest/gtest.h>

#include <vector>

#include "common/rdp/birdseye.h"
#include "tests/support/colour_vision.h"

namespace rdp {
namespace {

// Ten times the just noticeable difference.
constexpr double kLeastDifference = 12.0;

// A class's colours at every fifth brightness, including bridged rows.
std::vector<Pixel> colours_of(int segment_class) {
  static constexpr ClassColours kColours = make_class_colours();
  std::vector<Pixel> all;
  for (int i = 0; i < 256; i += 5) {
    all.push_back(kColours.of[segment_class].entry[i]);
    all.push_back(bridged(all.back()));
  }
  return all;
}

// The smallest difference of a colour of one list from one of the other.
double least_difference(const std::vector<Pixel>& some, const std::vector<Pixel>& others,
                        const test::Sight& sight) {
  double least = 1e9;
  for (const Pixel one : some) {
    const test::Lab lab = test::seen(one, sight);
    for (const Pixel other : others) {
      least = std::min(least, test::difference(lab, test::seen(other, sight)));
    }
  }
  return least;
}

// Two of the test pairs published by the formula's authors.
TEST(ColourVision, KnownDifferences) {
  EXPECT_NEAR(test::difference({50, 2.6772, -79.7751}, {50, 0, -82.7485}), 2.0425, 1e-4);
  EXPECT_NEAR(test::difference({50, 2.5, 0}, {58, 24, 15}), 19.4535, 1e-4);
  EXPECT_NEAR(test::difference({22.7233, 20.0904, -46.6940}, {23.0331, 14.9730, -42.5619}), 2.0373,
              1e-4);
}

// Colours that the colour-blind confuse are detected.
TEST(ColourVision, RedAndGreen) {
  const Pixel red = pixel(190, 90, 60), green = pixel(110, 125, 60);
  EXPECT_GT(least_difference({red}, {green}, test::kSights[0]), 30);
  EXPECT_LT(least_difference({red}, {green}, test::kSights[2]), kLeastDifference);
}

TEST(OverlayColours, ClassesAreToldApart) {
  for (const test::Sight& sight : test::kSights) {
    for (int one = 1; one < kSegmentClasses; ++one) {
      for (int other = 0; other < one; ++other) {
        const double least = least_difference(colours_of(one), colours_of(other), sight);
        EXPECT_GE(least, kLeastDifference)
            << "classes " << one << " and " << other << " with " << sight.name;
      }
    }
  }
}

// Colours of the bird's-eye view: ground, obstacles, unseen space, grid, and the legend's paper and
// ink.
TEST(OverlayColours, WhatIsSeenFromAboveIsToldApart) {
  const Pixel colours[] = {kGroundPixel, kObstaclePixel, kUnseenPixel,
                           kGridPixel,   kLegendPaper,   kLegendInk};
  for (const test::Sight& sight : test::kSights) {
    for (std::size_t i = 1; i < std::size(colours); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_GE(least_difference({colours[i]}, {colours[j]}, sight), kLeastDifference)
            << i << " and " << j << " with " << sight.name;
      }
    }
  }
}

// Nearer is brighter.
TEST(OverlayColours, ClassesGetBrighter) {
  for (int of = 0; of < kSegmentClasses; ++of) {
    const std::vector<Pixel> all = colours_of(of);
    for (std::size_t i = 2; i < all.size(); i += 2) {
      EXPECT_GT(test::seen(all[i], test::kSights[0]).l, test::seen(all[i - 2], test::kSights[0]).l);
    }
    const double rise = test::seen(all[all.size() - 2], test::kSights[0]).l -
                        test::seen(all[0], test::kSights[0]).l;
    EXPECT_GE(rise, 20) << "class " << of;
  }
}

}  // namespace
}  // namespace rdp
