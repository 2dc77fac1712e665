// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_TEST_FRAME_H_
#define RDP_TESTS_SUPPORT_TEST_FRAME_H_

#include <gtest/gtest.h>

#include <string>

#include "common/image/simd.h"
#include "common/rdp/engine.h"
#include "common/rdp/reference.h"
#include "tests/support/compare.h"
#include "tests/support/depth_patterns.h"
#include "tests/support/guarded_frame.h"

// Helpers of the algorithm tests: frames, their content and comparison.
namespace rdp::test {

// Runs `check` once for every SIMD target that the machine supports.
template <typename Check>
void on_every_simd_target(const Check& check) {
  for (const std::string& target : simd_targets()) {
    ASSERT_TRUE(use_simd_target(target));
    SCOPED_TRACE("SIMD target " + target);
    check();
    if (::testing::Test::HasFatalFailure()) break;
  }
  use_simd_target("");
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_TEST_FRAME_H_
