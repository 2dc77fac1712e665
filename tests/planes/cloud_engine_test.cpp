// SPDX-License-Identifier: LGPL-2.1-or-later
// The fast finder of planes of clouds has the bits of the definition, whatever the SIMD target, the
// number of threads and the memory of the cloud.
#include "common/planes/cloud_engine.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "common/image/simd.h"
#include "common/planes/cloud_reference.h"
#include "tests/planes/cloud_cases.h"
#include "tests/planes/plane_differences.h"

namespace rdp::test {
namespace {

struct Found {
  planes::PlaneSet set;
  std::vector<std::uint8_t> labels;
};

template <typename Find>
Found find_with(const CloudCase& c, const Find& find) {
  const PaddedCloud cloud = c.draw();
  Found found;
  found.labels.assign(cloud.view.points + 1, 0xa5);
  found.set = find(cloud.view, c.parameters, found.labels.data());
  EXPECT_EQ(found.labels.back(), 0xa5) << c.name;
  return found;
}

void expect_same(const Found& found, const Found& expected, const std::string& what) {
  ASSERT_EQ(found.labels.size(), expected.labels.size()) << what;
  EXPECT_EQ(label_differences(expected.labels.data(), found.labels.data(), found.labels.size()), "")
      << what;
  EXPECT_EQ(differences(expected.set, found.set), "") << what;
}

class CloudEngine : public testing::Test {
 protected:
  void TearDown() override { use_simd_target(""); }
};

TEST_F(CloudEngine, HasTheBitsOfTheDefinition) {
  planes::CloudEngine finder(1);
  std::int64_t planes = 0;
  for (const CloudCase& c : cloud_cases(true)) {
    const Found expected = find_with(c, planes::reference::find_in_cloud);
    planes += static_cast<std::int64_t>(expected.set.planes.size());
    const Found found =
        find_with(c, [&](const auto&... arguments) { return finder.find(arguments...); });
    expect_same(found, expected, c.name);
  }
  EXPECT_GT(planes, 500);
}

TEST_F(CloudEngine, HasThemWithEachSimdTargetAndNumberOfThreads) {
  for (const CloudCase& c : cloud_cases(false)) {
    if (c.seed % 4 != 0) continue;
    const Found expected = find_with(c, planes::reference::find_in_cloud);
    for (const std::string& target : simd_targets()) {
      ASSERT_TRUE(use_simd_target(target));
      for (const unsigned threads : {1u, 3u}) {
        planes::CloudEngine finder(threads);
        const Found found =
            find_with(c, [&](const auto&... arguments) { return finder.find(arguments...); });
        expect_same(found, expected, c.name + " " + target + " " + std::to_string(threads));
      }
    }
  }
}

TEST_F(CloudEngine, RefusesDirectionsThatMakeNoBall) {
  planes::CloudEngine finder(1);
  const auto find = [&](const auto&... arguments) { return finder.find(arguments...); };
  CloudCase c = cloud_cases(false).front();
  for (const int directions : {1, 129}) {
    c.parameters.directions = directions;
    EXPECT_THROW(find_with(c, find), std::invalid_argument) << directions;
    EXPECT_THROW(find_with(c, planes::reference::find_in_cloud), std::invalid_argument)
        << directions;
  }
  c.parameters.directions = 2;
  expect_same(find_with(c, find), find_with(c, planes::reference::find_in_cloud), "afterwards");
}

TEST_F(CloudEngine, HasThemForLargeCloudsWithManyThreads) {
  CloudCase c = cloud_cases(false).front();
  c.points = 400000;
  const Found expected = find_with(c, planes::reference::find_in_cloud);
  EXPECT_GE(expected.set.planes.size(), 7u);
  planes::CloudEngine finder(1);
  for (const unsigned threads : {1u, 2u, 5u}) {
    finder.set_threads(threads);
    const Found found =
        find_with(c, [&](const auto&... arguments) { return finder.find(arguments...); });
    expect_same(found, expected, std::to_string(threads) + " threads");
  }
}

}  // namespace
}  // namespace rdp::test
