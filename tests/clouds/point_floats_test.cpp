// SPDX-License-Identifier: LGPL-2.1-or-later
// Detection of the floats per point in raw files, for many kinds of scans in any point order. Four
// floats are never mistaken for another number.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "common/clouds/point_floats.h"

namespace rdp::clouds {
namespace {

constexpr float kPi = 3.14159265F;

// x, y, z, intensity (0 to 1), ring, time. For unseen points, all but the last two are 0.
using Record = std::array<float, 6>;

enum class Order { kRings, kColumns, kTurns, kAny };

// A street between two facades with round objects, seen by a rotating scanner.
std::vector<Record> scan(int beams, int columns, Order order, bool unseen, std::mt19937* random) {
  const auto uniform = [&](float least, float most) {
    return std::uniform_real_distribution<float>(least, most)(*random);
  };
  struct Thing {
    float angle, width, range;
  };
  std::vector<Thing> things(20);
  for (Thing& thing : things) thing = {uniform(-kPi, kPi), uniform(0.01F, 0.3F), uniform(3, 30)};
  const float front = uniform(5, 25);
  std::vector<Record> records;
  for (int i = 0; i < beams * columns; ++i) {
    const bool rings = order == Order::kRings;
    int ring = rings ? i / columns : i % beams;
    const int column = rings ? i % columns : i / beams;
    // Distant beams alternate, as in a VLP-16.
    if (order == Order::kTurns) ring = ring / 2 + ring % 2 * (beams / 2);
    const float up =
        kPi / 180.0F * (3.0F - 28.0F * static_cast<float>(ring) / static_cast<float>(beams));
    const float angle =
        kPi * (2.0F * static_cast<float>(column) / static_cast<float>(columns) - 1.0F);
    float range = std::min(front / std::max(std::abs(std::sin(angle)), 0.01F), 120.0F);
    if (up < 0.0F) range = std::min(range, 1.73F / std::sin(-up));
    for (const Thing& thing : things) {
      if (std::abs(angle - thing.angle) < thing.width) range = std::min(range, thing.range);
    }
    const bool seen = range < 80.0F && uniform(0, 1) > 0.05F;
    if (!seen && !unseen) continue;
    range = seen ? range + uniform(-0.03F, 0.03F) : 0.0F;
    const float grey =
        seen ? std::round(100.0F * std::abs(std::sin(range)) * uniform(0.5F, 1)) / 100 : 0;
    records.push_back({range * std::cos(up) * std::cos(angle),
                       range * std::cos(up) * std::sin(angle), range * std::sin(up), grey,
                       static_cast<float>(ring),
                       0.1F * static_cast<float>(column) / static_cast<float>(columns)});
  }
  if (order == Order::kAny) std::shuffle(records.begin(), records.end(), *random);
  return records;
}

// A letter for each float: x, y, z; i 0 to 1, I 0 to 255; r ring, t time; digits.
std::vector<float> pack(const std::vector<Record>& records, const std::string& fields) {
  std::vector<float> floats;
  for (const Record& record : records) {
    for (const char field : fields) {
      const std::size_t index = std::string("xyzirt").find(field);
      floats.push_back(index < 6      ? record[index]
                       : field == 'I' ? std::round(255 * record[3])
                                      : static_cast<float>(field - '0'));
    }
  }
  return floats;
}

PointFloats find(const std::vector<float>& floats) {
  const std::size_t size = floats.size() * sizeof(float);
  const FloatWindows windows = windows_of(size);
  std::vector<std::byte> bytes(windows.count * windows.bytes);
  for (std::size_t i = 0; i < windows.count && size > 0; ++i) {
    EXPECT_LE(windows.offset(i) + windows.bytes, size);
    std::memcpy(bytes.data() + i * windows.bytes,
                reinterpret_cast<const std::byte*>(floats.data()) + windows.offset(i),
                windows.bytes);
  }
  return PointFloatsFinder().find(bytes, windows.bytes);
}

const std::vector<std::string> kFields = {"xyz",    "xyzi",    "xyzI",    "xyz0",     "xyz1",
                                          "xyzr",   "xyzIr",   "xyzir",   "xyzit",    "xyzIrt",
                                          "xyzirt", "xyzIrt0", "xyzirtI", "xyz1i000", "xyzIrt00"};

TEST(PointFloats, AreFoundInScans) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  int cases = 0;
  int undecided = 0;
  for (const Order order : {Order::kRings, Order::kColumns, Order::kAny}) {
    for (const auto& [beams, columns] : {std::pair{16, 900}, {32, 600}, {128, 256}}) {
      for (const bool unseen : {false, true}) {
        const std::vector<Record> all = scan(beams, columns, order, unseen, &random);
        for (const std::size_t part : {all.size(), all.size() / 10, std::size_t{300}}) {
          const auto begin =
              all.begin() + static_cast<std::ptrdiff_t>(random() % (all.size() - part + 1));
          const std::vector<Record> some(begin, begin + static_cast<std::ptrdiff_t>(part));
          for (const std::string& fields : kFields) {
            const PointFloats found = find(pack(some, fields));
            ++cases;
            undecided += found.decided ? 0 : 1;
            if (!found.decided) {
              EXPECT_EQ(found.count, kKittiFloats);
            } else {
              EXPECT_EQ(found.count, fields.size())
                  << fields << ", " << beams << " beams, order " << static_cast<int>(order) << ", "
                  << part << " points";
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(cases, 810);
  EXPECT_LE(undecided, cases / 50);
}

// Alternating beams of three or four floats resemble points of twice as many.
TEST(PointFloats, BeamsThatTakeTurnsAreNotTwoInOne) {
  std::mt19937 random(5);
  for (const int beams : {16, 32, 64}) {
    const std::vector<Record> all = scan(beams, 300, Order::kTurns, false, &random);
    for (const std::string fields : {"xyz", "xyzi", "xyzI", "xyz0", "xyzr"}) {
      const PointFloats found = find(pack(all, fields));
      EXPECT_EQ(found.count, found.decided ? fields.size() : kKittiFloats) << fields;
    }
  }
}

TEST(PointFloats, WhatShowsNothingIsUndecided) {
  std::mt19937 random(6);
  std::normal_distribution<float> noise;
  std::vector<float> same(4000);
  for (float& value : same) value = noise(random);
  const std::vector<Record> all = scan(32, 300, Order::kColumns, false, &random);
  for (const std::vector<float>& floats :
       {std::vector<float>(), std::vector<float>(3), std::vector<float>(8000),
        std::vector<float>(8000, 1.5F), std::vector<float>(8000, std::nanf("")), same,
        pack({all.begin(), all.begin() + 20}, "xyzIr")}) {
    const PointFloats found = find(floats);
    EXPECT_FALSE(found.decided) << floats.size();
    EXPECT_EQ(found.count, kKittiFloats);
  }
  // Unknown points do not hide it.
  std::vector<float> floats = pack(all, "xyzIr");
  for (std::size_t i = 0; i < floats.size(); ++i) {
    if (i / 5 % 3 == 0 && i % 5 < 3) floats[i] = std::nanf("");
  }
  EXPECT_EQ(find(floats).count, 5U);
  EXPECT_TRUE(find(floats).decided);
}

}  // namespace
}  // namespace rdp::clouds
