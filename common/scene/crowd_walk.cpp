// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/crowd_walk.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "common/scene/hash_random.h"

// Integers, and +, -, *, / of doubles, without contraction: see street_scene.cpp.
namespace rdp {
namespace {

// The purpose of a random number.
enum Stream : std::uint64_t { kLoops = 800, kGaps, kPeople };

// All in nm.
constexpr std::int64_t kMetre = 1000000000;
constexpr std::int64_t kAreaX = 5 * kMetre;
constexpr std::int64_t kAreaY = 4 * kMetre;
constexpr std::int64_t kStripe = kMetre;  // of a loop: two lanes, and the gap to the next loop
// Lanes are this far apart in a loop. With kShift they are at least 0.46 m from those of the next
// loop: bodies are 0.44 m wide.
constexpr std::int64_t kLeastWidth = 480000000;
constexpr std::int64_t kMaxWidth = 520000000;
constexpr std::int64_t kShift = 10000000;
// Between two people, along the loop. Round a corner, bodies of 0.44 m by 0.32 m do not meet from
// sqrt(0.44^2 + 0.32^2) = 0.544 m on.
constexpr std::int64_t kLeastGap = 560000000;

constexpr std::int64_t kMaxLoops = 5;
constexpr std::size_t kMaxInLoop = (kMaxCrowdPeople + 3) / 4;
static_assert(2 * (kAreaY + kLeastWidth) / kLeastGap * kMaxLoops >= kMaxCrowdPeople);
static_assert(2 * (kAreaX + kLeastWidth) / kLeastGap >= std::int64_t{kMaxInLoop});

std::int64_t between(HashSequence* random, std::int64_t least, std::int64_t most) {
  return least +
         static_cast<std::int64_t>(random->bits() % static_cast<std::uint64_t>(most - least + 1));
}

// The non-negative remainder.
std::int64_t wrapped(std::int64_t value, std::int64_t period) {
  const std::int64_t rest = value % period;
  return rest < 0 ? rest + period : rest;
}

struct Place {
  std::int64_t along, across;
};

// A rectangle that people walk round.
struct Loop {
  std::int64_t reach;   // of a lane
  std::int64_t width;   // between both lanes
  std::int64_t middle;  // across
  bool backwards;
  std::int64_t first;  // where its first person is at moment 0

  std::int64_t length() const { return 2 * (reach + width); }

  // `way`: along the loop, 0 to length().
  Place at(std::int64_t way) const {
    Place place;
    if (way < reach) {
      place = {way, 0};
    } else if (way < reach + width) {
      place = {reach, way - reach};
    } else if (way < 2 * reach + width) {
      place = {2 * reach + width - way, width};
    } else {
      place = {0, length() - way};
    }
    return {place.along - reach / 2, place.across - width / 2 + middle};
  }
};

// The distance walked at a moment: 1.4 nm per ns.
std::int64_t walked(std::int64_t moment, std::int64_t length) {
  return wrapped(moment, 5 * length) * 7 / 5 % length;
}

double metres(std::int64_t nanometres) { return static_cast<double>(nanometres) / 1e9; }

}  // namespace

void find_crowd(const CrowdOptions& options, std::int64_t moment,
                std::vector<CrowdPerson>* people) {
  const auto count = static_cast<std::size_t>(std::clamp(options.people, 0, kMaxCrowdPeople));
  people->resize(count);
  const std::uint64_t key = mix_bits(options.seed);
  const bool along_x = options.seed % 2 != 0;
  const std::size_t loops = along_x ? kAreaY / kStripe : kAreaX / kStripe;
  for (std::size_t l = 0; l < loops; ++l) {
    HashSequence random(sub_key(sub_key(key, kLoops), l));
    Loop loop;
    loop.reach = along_x ? kAreaX : kAreaY;
    loop.width = between(&random, kLeastWidth, kMaxWidth);
    loop.middle = static_cast<std::int64_t>(2 * l + 1 - loops) * (kStripe / 2) +
                  between(&random, -kShift, kShift);
    loop.backwards = random.happens(0.5);
    loop.first = between(&random, 0, loop.length() - 1);
    // People are distributed evenly over the loops; the space beyond the least gaps is shared at
    // random.
    const std::size_t walkers = (count + loops - 1 - l) / loops;
    std::array<std::int64_t, kMaxInLoop> shares{};
    std::int64_t sum = 0;
    HashSequence gaps(sub_key(sub_key(key, kGaps), l));
    for (std::size_t i = 0; i < walkers; ++i) sum += shares[i] = between(&gaps, 1, 1 << 20);
    const std::int64_t free = loop.length() - static_cast<std::int64_t>(walkers) * kLeastGap;
    std::int64_t way = loop.first + walked(moment, loop.length());
    for (std::size_t i = 0; i < walkers; ++i) {
      const std::int64_t on = way % loop.length();
      const Place place = loop.at(loop.backwards ? loop.length() - 1 - on : on);
      const std::size_t number = l + i * loops;
      HashSequence looks(sub_key(sub_key(key, kPeople), number));
      CrowdPerson& person = (*people)[number];
      person.x = metres(along_x ? place.along : place.across);
      person.y = metres(along_x ? place.across : place.along);
      person.height = looks.uniform(options.least_height, options.most_height);
      person.along_x = along_x;
      person.grey = looks.uniform(70.0, 190.0);
      person.key = looks.bits();
      way += kLeastGap + free * shares[i] / sum;
    }
  }
}

}  // namespace rdp
