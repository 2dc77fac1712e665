// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_CROWD_SETS_H_
#define RDP_TESTS_BENCH_CROWD_SETS_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "common/heightmap/rig.h"
#include "common/image/depth_view.h"

// The sets of pictures that height maps are measured on.
namespace rdp::bench {

// Somebody who stands on the ground, in metres.
struct Person {
  double x, y, height;
};

struct CrowdSet {
  heightmap::Rig rig;
  std::vector<std::vector<std::uint8_t>> pixels;  // of each view, row by row
  std::vector<std::uint16_t> truth;  // of the reference, millimetres above ground; empty: unknown
  std::vector<Person> people;

  std::vector<DepthView> pictures() const;
};

// The matrices of a calibration file, as it has them; empty where there is no such file. Sizes are
// in it once for all views.
heightmap::Rig read_rig(const std::filesystem::path& calibration);

// Where in the folder of RDPSEGMENT_TEST_DATA sets of views are; none: it is not there.
std::optional<std::filesystem::path> crowd_folder(const char* name);

// The ray-cast crowd of 40 people: three views, and the exact heights of the first one.
std::optional<CrowdSet> recorded_crowd();

// Where a camera is, in metres.
struct CrowdEye {
  double x, y, z;
};

// A crowd that depthtestsrc's pattern would draw.
struct DrawnCrowd {
  unsigned seed = 1;
  int people = 40;
  double noise = 2.0;  // grey steps
  double contrast = 1.0;
  int width = 781;
  int height = 621;
  std::int64_t moment = 0;         // ns
  std::vector<int> late{0, 0, 0};  // ms, of each view
  double angle = 17.0;             // degrees between neighbouring cameras
  // Of other cameras, as many as `late` has, that look at the middle of the crowd; then its people
  // are those whose heads the first one has in its picture.
  std::vector<CrowdEye> eyes;
  double focal = 0.0;  // of these
};
CrowdSet draw_crowd(const DrawnCrowd& crowd);

// The people and the views of a set, drawn anew.
CrowdSet drawn_again(const CrowdSet& set);

// The set with noise of so many grey steps more.
CrowdSet with_noise(CrowdSet set, double deviation);

// In the middle of the reference picture, across, at the middle of the default heights.
double pixels_a_metre(const CrowdSet& set);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_CROWD_SETS_H_
