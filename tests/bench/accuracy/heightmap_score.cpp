// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/accuracy/heightmap_score.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "tests/bench/median.h"

namespace rdp::bench {
namespace {

constexpr double kFarthest = 150.0;  // mm, from a head to its person
constexpr int kAboveLast = 15;       // mm, allowed above the highest label

double distance_of(const heightmap::Head& head, const Person& person) {
  const double x = head.x - 1000.0 * person.x;
  const double y = head.y - 1000.0 * person.y;
  return std::sqrt(x * x + y * y);
}

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

HeightScore score_heights(const heightmap::Parameters& parameters,
                          std::span<const std::uint8_t> labels,
                          const std::vector<std::uint16_t>& truth) {
  const int unknown = parameters.heights();
  const int highest = parameters.height_of(unknown - 1);
  std::int64_t wanted = 0;
  std::int64_t found = 0;
  std::int64_t right = 0;
  std::int64_t others = 0;
  std::int64_t mistaken = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const int height = truth[i];
    const bool known = labels[i] != unknown;
    if (height >= parameters.min_height && height < highest + kAboveLast) {
      ++wanted;
      if (!known) continue;
      ++found;
      const int off = std::abs(parameters.height_of(labels[i]) - height);
      right += 2 * off <= 3 * parameters.height_step ? 1 : 0;
    } else {
      ++others;
      mistaken += known ? 1 : 0;
    }
  }
  return {percent(found, wanted), percent(right, wanted), percent(mistaken, others)};
}

std::vector<int> heads_of_people(std::span<const heightmap::Head> heads,
                                 const std::vector<Person>& people) {
  struct Pair {
    double distance;
    std::size_t head, person;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    for (std::size_t j = 0; j < people.size(); ++j) {
      const double distance = distance_of(heads[i], people[j]);
      if (distance <= kFarthest) pairs.push_back({distance, i, j});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.distance < b.distance; });
  std::vector<bool> head_used(heads.size());
  std::vector<int> found(people.size(), -1);
  for (const Pair& pair : pairs) {
    if (head_used[pair.head] || found[pair.person] >= 0) continue;
    head_used[pair.head] = true;
    found[pair.person] = static_cast<int>(pair.head);
  }
  return found;
}

HeadScore score_heads(std::span<const heightmap::Head> heads, const std::vector<Person>& people) {
  const std::vector<int> found = heads_of_people(heads, people);
  std::vector<double> distances;
  std::vector<double> heights;
  for (std::size_t j = 0; j < people.size(); ++j) {
    if (found[j] < 0) continue;
    const heightmap::Head& head = heads[static_cast<std::size_t>(found[j])];
    distances.push_back(distance_of(head, people[j]));
    heights.push_back(std::abs(head.height - 1000.0 * people[j].height));
  }
  HeadScore score;
  score.people = static_cast<int>(people.size());
  score.found = static_cast<int>(distances.size());
  score.mistaken = static_cast<int>(heads.size()) - score.found;
  score.distance = median_of(distances);
  score.height = median_of(heights);
  return score;
}

void IdScore::add(std::span<const heightmap::Head> heads, const heightmap::HeadTracks& tracks,
                  const std::vector<Person>& people, const std::vector<Person>& next,
                  double seconds) {
  ids_.resize(people.size());
  const std::vector<int> heads_found = heads_of_people(heads, people);
  for (std::size_t j = 0; j < people.size(); ++j) {
    if (heads_found[j] < 0) {
      ++missed;
      continue;
    }
    ++found;
    const obstacles::TrackOfBox& track = tracks.heads()[static_cast<std::size_t>(heads_found[j])];
    changes += ids_[j] != 0 && ids_[j] != track.id ? 1 : 0;
    ids_[j] = track.id;
    const double vx = double{speed_of(track, &obstacles::TrackOfBox::vx)};
    const double vy = double{speed_of(track, &obstacles::TrackOfBox::vy)};
    if (std::isnan(vx)) continue;
    off.push_back(std::hypot(vx - (next[j].x - people[j].x) / seconds,
                             vy - (next[j].y - people[j].y) / seconds));
  }
}

}  // namespace rdp::bench
