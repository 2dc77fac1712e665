// SPDX-License-Identifier: LGPL-2.1-or-later
// Loading the driver, over the stand-in. These tests make the first driver call of the process.
#include "kernels/runtime/driver.h"

#include <gtest/gtest.h>

#include <string>

#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "tests/standin/standin.h"

namespace rdp::cuda {
namespace {

TEST(Driver, StartsAgainAfterItDidNotStart) {
  for (const CUresult answer : {CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_SYSTEM_NOT_READY}) {
    standin::inject("cuInit", 1, answer);
    std::string reason;
    EXPECT_EQ(load_driver(&reason), nullptr);
    EXPECT_EQ(reason, "the NVIDIA driver does not start: cuInit says " + error_name(answer));
  }
  std::string reason;
  const Driver* loaded = load_driver(&reason);
  ASSERT_NE(loaded, nullptr) << reason;
  EXPECT_EQ(reason, "");
  EXPECT_EQ(loaded, &driver());
  EXPECT_GT(device_count(), 0);
  // An initialised driver is not initialised again.
  const int started = standin::count("cuInit");
  EXPECT_EQ(load_driver(), loaded);
  EXPECT_EQ(standin::count("cuInit"), started);
}

}  // namespace
}  // namespace rdp::cuda
