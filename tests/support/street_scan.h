// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_STREET_SCAN_H_
#define RDP_TESTS_SUPPORT_STREET_SCAN_H_

#include <cstdint>
#include <string>
#include <vector>

// Street scans of a spinning lidar by ray casting; the road below the sensor is the ground truth.
namespace rdp::test {

// Beams from `lowest` to `highest`, in degrees above the horizon.
struct Lidar {
  const char* name;
  int beams;
  double lowest, highest;
  int columns;     // per turn
  double reach;    // m
  double noise;    // m, standard deviation of a range
  double offsets;  // m, standard deviation of the beams' own offsets
};

enum class StreetKind {
  kCity,      // kerbs, pavements, walls, parked cars
  kRural,     // a cambered road between ditches and bushes
  kMotorway,  // wide, with barriers and an embankment
  kSquare,    // level, with cars and people
};

struct Street {
  StreetKind kind = StreetKind::kCity;
  double height = 1.7;  // m, of the sensor above the road
  double pitch = 0.0;   // rad, of the sensor
  double roll = 0.0;
  double slope = 0.0;       // along the road
  double bend = 0.0;        // 1/m, of the road's profile
  double turn = 0.0;        // 1/m, of the road's course
  double camber = 0.02;     // fall from the crown to the kerbs
  double half_width = 4.0;  // m
  double kerb = 0.12;       // m
  double off_crown = 1.8;   // m, of the sensor to the right
  double share = 1.0;       // fraction of points that are kept
  std::uint32_t seed = 1;
};

struct StreetScan {
  std::vector<float> values;  // x forward, y left, z up of each point, in m
  double normal[3];           // of the road below the sensor, pointing down
  double distance;            // m, from the sensor to the road
};

extern const Lidar kLidars[4];
inline constexpr int kStreets = 50;

// One of kStreets cases. They vary lidar, kind of street, mounting height and share of points.
struct StreetCase {
  std::string name;
  Lidar lidar;
  Street street;
};
StreetCase street_case(int index);

StreetScan scan_street(const Lidar& lidar, const Street& street);

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_STREET_SCAN_H_
