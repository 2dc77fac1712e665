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

// A camera at a place, in metres, that looks at a place, its x axis level, or at a right angle to
// Y, as that of cameras that look down side by side.
heightmap::View view_of(const double (&at)[3], const double (&towards)[3], double focal, int width,
                        int height, bool across_y = false);

// `views` cameras on an arc, 8 m up and 11 m from the middle of the ground, 17 degrees apart.
heightmap::Rig crowd_rig(int views, int width, int height, double focal);

struct HeightsCase {
  heightmap::Rig rig;
  heightmap::Parameters parameters;
  heightmap::Area area;
  std::vector<std::vector<std::uint8_t>> pixels;  // of each view, row by row

  std::vector<DepthView> pictures() const;
  std::string text() const;  // what it is, for messages
};

// Any case of a size: from 2 to 6 views of their own sizes, all properties within ranges that a
// slow implementation can do, rigs without a fault: cameras from above and level ones that see the
// horizon, matrices of any sign and scale. Pictures are made of a few grey levels, of noise, or
// show the same of the ground, and some have a plain part.
HeightsCase random_case(std::mt19937* random, int width, int height);

// A rig without a fault, of pictures of any size and heights up to 7 m: two equal views from 8 m
// above the ground. It takes the place of random ones where too many have a fault.
heightmap::Rig known_rig(int width, int height);
// Pictures of it, with properties that take little work.
HeightsCase known_case(int width, int height);

bool is_valid(const heightmap::Rig& rig, const heightmap::Parameters& parameters);

}  // namespace rdp::test

#endif  // RDP_TESTS_HEIGHTMAP_HEIGHTMAP_CASES_H_
