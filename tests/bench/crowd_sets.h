// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_CROWD_SETS_H_
#define RDP_TESTS_BENCH_CROWD_SETS_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "common/heightmap/rig.h"
#include "common/image/depth_view.h"

// Sets of pictures for the benchmarks of height maps.
namespace rdp::bench {

// A person on the ground, in metres.
struct Person {
  double x, y, height;
};

struct CrowdSet {
  heightmap::Rig rig;
  std::vector<std::vector<std::uint8_t>> pixels;  // per view, row by row
  std::vector<std::uint16_t> truth;               // reference view, mm above ground; empty: unknown
  std::vector<Person> people;

  std::vector<DepthView> pictures() const;
};

// Reads the matrices of a calibration file; empty if the file is missing. One size applies to all
// views.
heightmap::Rig read_rig(const std::filesystem::path& calibration);

// A folder of view sets in RDPSEGMENT_TEST_DATA; none if it is missing.
std::optional<std::filesystem::path> crowd_folder(const char* name);

// The ray-cast crowd of 40 people: three views, and the exact heights of the first one.
std::optional<CrowdSet> recorded_crowd();

// A camera's place, in metres.
struct CrowdEye {
  double x, y, z;
};

// The parameters of a crowd in depthtestsrc's pattern.
struct DrawnCrowd {
  unsigned seed = 1;
  int people = 40;
  double noise = 2.0;  // grey steps
  double contrast = 1.0;
  int width = 781;
  int height = 621;
  std::int64_t moment = 0;         // ns
  std::vector<int> late{0, 0, 0};  // ms, per view
  double angle = 17.0;             // degrees between neighbouring cameras
  // Other cameras, one for each of `late`, that look at the crowd's centre. The set's people are
  // then those with their heads in the first picture.
  std::vector<CrowdEye> eyes;
  double focal = 0.0;  // the focal length of `eyes`
};
CrowdSet draw_crowd(const DrawnCrowd& crowd);

// Draws the people and views of a set again.
CrowdSet drawn_again(const CrowdSet& set);

// Adds noise with this deviation in grey steps.
CrowdSet with_noise(CrowdSet set, double deviation);

// The horizontal scale at the centre of the reference picture and of the default heights.
double pixels_a_metre(const CrowdSet& set);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_CROWD_SETS_H_
