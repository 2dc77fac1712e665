// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/guarded_memory.h"

int main(int argc, char** argv) {
  if (rdp::cuda::load_driver() != nullptr) rdp::test::guard_device_memory();
  return rdp::test::gpu_test_main(argc, argv);
}
