// SPDX-License-Identifier: LGPL-2.1-or-later
// Stands for NVML: README.md describes it.
#include <cstdlib>
#include <cstring>

#define STANDIN_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr int kNotSupported = 3;

int status_of(const char* function) {
  const char* const failing = std::getenv("STANDIN_NVML_FAIL");
  return failing != nullptr && std::strcmp(failing, function) == 0 ? kNotSupported : 0;
}

}  // namespace

STANDIN_EXPORT int nvmlInit_v2() { return status_of("nvmlInit_v2"); }

STANDIN_EXPORT int nvmlShutdown() { return 0; }

STANDIN_EXPORT int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** device) {
  static char gpu;
  *device = &gpu;
  return std::strcmp(bus, "00000000:00:00.0") == 0 ? 0 : kNotSupported;
}

STANDIN_EXPORT int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  static unsigned long long looks = 0;
  *millijoules = 1000000 + looks++ / 3 * 7000;
  return status_of("nvmlDeviceGetTotalEnergyConsumption");
}

STANDIN_EXPORT const char* nvmlErrorString(int) { return "Not Supported"; }
