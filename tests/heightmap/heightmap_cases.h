// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_HEIGHTMAP_HEIGHTMAP_CASES_H_
#define RDP_TESTS_HEIGHTMAP_HEIGHTMAP_CASES_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "common/heightmap/parameters.h"
#include "common/heightmap/result.h"
#include "common/heightmap/rig.h"
#include "common/image/depth_view.h"

// Rigs of cameras and pictures for tests of height maps.
namespace rdp::test {

// A camera at `at` that looks towards `towards` (metres). Its x axis is level, or with `across_y`
// at a right angle to Y, as for cameras that look down side by side.
heightmap::View view_of(const double (&at)[3], const double (&towards)[3], double focal, int width,
                        int height, bool across_y = false);

// `views` cameras on an arc, 8 m up and 11 m from the middle of the ground, 17 degrees apart.
heightmap::Rig crowd_rig(int views, int width, int height, double focal);

struct HeightsCase {
  heightmap::Rig rig;
  heightmap::Parameters parameters;
  heightmap::Area area;
  std::vector<std::vector<std::uint8_t>> pixels;  // of each view, row-major

  std::vector<DepthView> pictures() const;
  std::string text() const;  // description for messages
};

// A random valid case: 2 to 6 views, each of its own size, and properties within ranges that a slow
// implementation can handle. Cameras look down, or are level and see the horizon; matrices have any
// sign and scale. Pictures hold a few grey levels, noise, or the same ground pattern; some have a
// textureless part.
HeightsCase random_case(std::mt19937* random, int width, int height);

// A valid rig for pictures of any size and heights up to 7 m: two equal views from 8 m above the
// ground. It replaces random rigs if too many of them are invalid.
heightmap::Rig known_rig(int width, int height);
// Pictures of known_rig(), with properties that need little computation.
HeightsCase known_case(int width, int height);

bool is_valid(const heightmap::Rig& rig, const heightmap::Parameters& parameters);

}  // namespace rdp::test

#endif  // RDP_TESTS_HEIGHTMAP_HEIGHTMAP_CASES_H_
