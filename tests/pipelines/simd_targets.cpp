// SPDX-License-Identifier: LGPL-2.1-or-later
#include <cstdio>

#include "common/image/simd.h"
#include "common/rdp/engine.h"

// Prints the SIMD target that an engine of this process uses, then all that there are, a line each:
// what tests set RDPSEGMENT_SIMD to.
int main() {
  const rdp::Engine engine(1);
  std::printf("%s\n", rdp::current_simd_target());
  for (const std::string& target : rdp::simd_targets()) std::printf("%s\n", target.c_str());
  return 0;
}
