// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_HEIGHTMAP_SCORE_H_
#define RDP_TESTS_BENCH_ACCURACY_HEIGHTMAP_SCORE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/heightmap/head_tracks.h"
#include "common/heightmap/parameters.h"
#include "common/heightmap/result.h"
#include "tests/bench/crowd_sets.h"

namespace rdp::bench {

// Comparison of labels with true heights, in percent. A true pixel has a height from min_height to
// less than 15 mm above the highest label's.
struct HeightScore {
  double found = 0.0;     // known ones of the true pixels
  double right = 0.0;     // true pixels within one and a half steps
  double mistaken = 0.0;  // known ones of all others
};
// `truth`: mm, by pixel.
HeightScore score_heights(const heightmap::Parameters& parameters,
                          std::span<const std::uint8_t> labels,
                          const std::vector<std::uint16_t>& truth);

// The index of each person's head; -1: none. Nearest pairs are matched first, one to one, up to 15
// cm apart on the ground.
std::vector<int> heads_of_people(std::span<const heightmap::Head> heads,
                                 const std::vector<Person>& people);

// Comparison of heads with people.
struct HeadScore {
  int people = 0;
  int found = 0;
  int mistaken = 0;       // heads without a person
  double distance = 0.0;  // mm, median over the pairs
  double height = 0.0;    // mm, median difference of height
};
HeadScore score_heads(std::span<const heightmap::Head> heads, const std::vector<Person>& people);

// Ids of people's heads over consecutive sets.
struct IdScore {
  int found = 0;            // people with a head, in all sets
  int missed = 0;           // people without a head
  int changes = 0;          // heads whose id differs from the person's latest one, of any age
  std::vector<double> off;  // m/s, errors of the known velocities

  // Adds a set; `next` are the people `seconds` later.
  void add(std::span<const heightmap::Head> heads, const heightmap::HeadTracks& tracks,
           const std::vector<Person>& people, const std::vector<Person>& next, double seconds);

 private:
  std::vector<std::uint32_t> ids_;  // each person's latest one; 0: none yet
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_HEIGHTMAP_SCORE_H_
