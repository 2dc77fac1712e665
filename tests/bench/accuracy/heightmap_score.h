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

// Comparison of labels with true heights. A true pixel is one whose height is from min_height to
// less than 15 mm above the highest label's. In percent.
struct HeightScore {
  double found = 0.0;     // of the true pixels, those that are known
  double right = 0.0;     // of the true pixels, those within one and a half steps
  double mistaken = 0.0;  // of all others, those that are known
};
// `truth`: mm, by pixel.
HeightScore score_heights(const heightmap::Parameters& parameters,
                          std::span<const std::uint8_t> labels,
                          const std::vector<std::uint16_t>& truth);

// The number of each person's head: each has at most one, the nearest pairs first, none farther
// apart on the ground than 15 cm. -1: none.
std::vector<int> heads_of_people(std::span<const heightmap::Head> heads,
                                 const std::vector<Person>& people);

// Comparison of heads with people.
struct HeadScore {
  int people = 0;
  int found = 0;
  int mistaken = 0;       // heads without a person
  double distance = 0.0;  // mm, the median of the pairs
  double height = 0.0;    // mm, the median of the differences of height
};
HeadScore score_heads(std::span<const heightmap::Head> heads, const std::vector<Person>& people);

// Ids of heads and their people, from set to set.
struct IdScore {
  int found = 0;            // heads of people, in all sets
  int missed = 0;           // people without a head
  int changes = 0;          // heads with another id than the person's head before, however long ago
  std::vector<double> off;  // m/s, of the velocities that are known from the people's

  // A set: `next` are the people `seconds` later.
  void add(std::span<const heightmap::Head> heads, const heightmap::HeadTracks& tracks,
           const std::vector<Person>& people, const std::vector<Person>& next, double seconds);

 private:
  std::vector<std::uint32_t> ids_;  // of each person's last head; 0: had none
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_HEIGHTMAP_SCORE_H_
