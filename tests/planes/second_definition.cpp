// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/planes/second_definition.h"

#include <algorithm>
#include <cstddef>

#include "tests/planes/second_frame.h"
#include "tests/planes/second_numbers.h"
#include "tests/planes/second_output.h"
#include "tests/planes/second_rounds.h"

namespace rdp::test {

// The steps of "In short".
planes::PlaneSet second_planes(const DepthView& samples, const MetricCamera& camera,
                               const planes::Parameters& parameters,
                               std::vector<std::uint8_t>* labels) {
  using namespace second;
  planes::Counts counts;
  Rules rules(samples.width, samples.height, camera, parameters);
  const Frame frame(samples, camera, parameters, rules);
  rules.noise = measure_noise(frame, rules);
  counts.known = std::count(frame.known.begin(), frame.known.end(), true);
  counts.noise = rules.noise;
  counts.resolution = rules.unit;
  counts.coarser = rules.unit > 1.0 / 16000.0;

  const Look look = look_at(frame, frame.known, rules, parameters.fill);
  counts.nodes = look.nodes;
  counts.planar_nodes = static_cast<std::int64_t>(look.flat.size());
  Found found;
  go_rounds(frame, look, rules, std::max(1, rules.rounds - 1), &found.planes, &found.owners,
            &counts);

  // The remaining pixels.
  Look rest;
  rest.cells.resize(frame.cells());
  found.owners_of_rest.assign(frame.cells(), kNone);
  if (rules.rounds > 1) {
    const std::vector<int> before = label_pixels(frame, camera, look, rules, found);
    std::vector<bool> left = frame.known;
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = left[i] && before[i] == kNone;
    rest = look_at(frame, left, rules, 0.5 * parameters.fill);
    std::vector<FoundPlane> planes_of_rest;
    go_rounds(frame, rest, rules, 1, &planes_of_rest, &found.owners_of_rest, &counts);
    for (int& owner : found.owners_of_rest) {
      if (owner != kNone) owner += static_cast<int>(found.planes.size());
    }
    found.planes.insert(found.planes.end(), planes_of_rest.begin(), planes_of_rest.end());
  }

  merge(frame, look, rest, rules, &found, &counts);
  const std::vector<int> numbers = smoothed(frame, label_pixels(frame, camera, look, rules, found));
  std::vector<std::int64_t> votes;
  for (const FoundPlane& plane : found.planes) votes.push_back(plane.votes);
  planes::PlaneSet set = give_out(frame, camera, rules, parameters, numbers, votes, counts, labels);

  std::vector<CellPoints> cells;
  for (const Sums& sums : look.cells) {
    if (sums.n == 0) continue;
    Vector mean = statistics_of(sums).mean;
    for (double& m : mean) m = m * rules.unit;
    cells.push_back({mean, sums.n});
  }
  set.ground = ground_of(set.planes, cells,
                         {{parameters.up[0], parameters.up[1], parameters.up[2]},
                          parameters.ground_tilt,
                          parameters.noise_floor,
                          rules.noise,
                          parameters.bend,
                          0.0,
                          false});
  return set;
}

}  // namespace rdp::test
