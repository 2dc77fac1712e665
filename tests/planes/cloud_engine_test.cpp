// SPDX-License-Identifier: LGPL-2.1-or-later
// Arguments that the plane detector for point clouds refuses. tests/bits compares it with the
// definition.
#include "common/planes/clouds/engine.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "common/planes/clouds/reference.h"
#include "tests/planes/cloud_cases.h"
#include "tests/planes/failing_engine.h"
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

TEST(CloudEngine, RefusesDirectionsThatMakeNoBall) {
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
  const Found found = find_with(c, find);
  const Found expected = find_with(c, planes::reference::find_in_cloud);
  EXPECT_EQ(differences(expected.set, found.set), "") << "afterwards";
  EXPECT_EQ(found.labels, expected.labels) << "afterwards";
}

TEST(CloudEngine, IsUsableAfterAllocationsThatFail) {
  const CloudCase before{"", CloudKind::kFlat, 1000, 0, 12, 0, 0, 1.0, false, {}};
  const CloudCase c{"", CloudKind::kRoom, 4000, 1, 12, 0, 0, 1.0, false, {}};
  expect_usable_after_failures<planes::CloudEngine>(
      before, c, find_with(c, planes::reference::find_in_cloud),
      [](const CloudCase& of, const auto& find) { return find_with(of, find); });
}

}  // namespace
}  // namespace rdp::test
