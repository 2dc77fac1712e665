// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/simd.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rdp {
namespace {

TEST(SimdTargets, CanBeChosenByName) {
  const std::vector<std::string> targets = simd_targets();
  ASSERT_FALSE(targets.empty());
  for (const std::string& target : targets) {
    EXPECT_TRUE(use_simd_target(target));
    EXPECT_EQ(current_simd_target(), target);
    EXPECT_EQ(simd_targets(), targets) << "the list does not depend on the choice";
  }
  EXPECT_FALSE(use_simd_target("ABACUS"));
  EXPECT_EQ(current_simd_target(), targets.back()) << "a bad name changes nothing";
  EXPECT_TRUE(use_simd_target(""));
  EXPECT_EQ(current_simd_target(), targets.front());
}

}  // namespace
}  // namespace rdp
