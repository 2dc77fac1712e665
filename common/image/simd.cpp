// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/simd.h"

#include <cstdlib>
#include <mutex>

#include <hwy/highway.h>

namespace rdp {
namespace {

// The targets of this machine. Asked once, before anything is limited.
const std::vector<std::int64_t>& machine_targets() {
  static const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  return targets;
}

}  // namespace

std::vector<std::string> simd_targets() {
  std::vector<std::string> names;
  for (const std::int64_t target : machine_targets()) names.emplace_back(hwy::TargetName(target));
  return names;
}

bool use_simd_target(const std::string& name) {
  const std::vector<std::int64_t>& targets = machine_targets();
  if (name.empty()) {
    hwy::SetSupportedTargetsForTest(0);
    return true;
  }
  for (const std::int64_t target : targets) {
    if (name == hwy::TargetName(target)) {
      hwy::SetSupportedTargetsForTest(target);
      return true;
    }
  }
  return false;
}

// The best target is the lowest bit.
const char* current_simd_target() noexcept {
  const std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(targets & -targets);
}

const std::string& apply_simd_environment() {
  static const std::string problem = [] {
    const char* name = std::getenv("RDPSEGMENT_SIMD");
    if (name == nullptr || use_simd_target(name)) return std::string();
    std::string text = "RDPSEGMENT_SIMD=" + std::string(name) + " is ignored: this machine has";
    for (const std::string& target : simd_targets()) text += " " + target;
    return text;
  }();
  return problem;
}

}  // namespace rdp
