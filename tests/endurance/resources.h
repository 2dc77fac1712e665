// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_RESOURCES_H_
#define RDP_TESTS_ENDURANCE_RESOURCES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/endurance/device.h"
#include "tests/endurance/failures.h"

namespace rdp::endurance {

// Resources of the process. -1: not known on this system.
struct Resources {
  std::int64_t resident = -1;  // bytes, after free memory went back to the system
  std::int64_t heap = -1;      // bytes allocated by malloc() and not freed
  std::int64_t device = -1;    // bytes of GPU memory in use, by any process
  std::int64_t descriptors = -1;
  std::int64_t threads = -1;
};

// `device` may be null.
Resources measure_resources(const DeviceProbe* device);

// Waits until GLib has ended the idle threads of finished GStreamer tasks, or at most `enough`
// threads are left. Returns the number of threads.
std::int64_t settle_threads(std::int64_t enough = -1);

// Repeated measurements at points where the same objects exist; none may grow. Only lasting threads
// count. GLib's pool keeps the thread of a released pad for a while, and makes another one if the
// pad is requested again at once.
class ResourceLog {
 public:
  // Random differences allowed between two samples.
  struct Allowance {
    // False: resident memory is not checked; sanitizers and emulators distort it.
    bool resident_counts = true;
    // Bytes that malloc() keeps for threads that come and go.
    std::int64_t heap = 64 << 10;
    // Threads of pipelines that are being disposed of, and the descriptors that they still hold.
    std::int64_t threads = 0;
    std::int64_t descriptors = 0;
    // False: wait for idle threads to end in each half, not in each tenth.
    bool each_tenth = true;
  };

  ResourceLog(const DeviceProbe* device, const Allowance& allowance)
      : device_(device), allowance_(allowance) {
    samples_.reserve(kReserved);
  }

  // `progress` of the run, from 0 to 1.
  void sample(double progress);
  // The first tenth is a warm-up. After it, the second half's peak may exceed the first half's only
  // by the granularity of malloc() and the driver. Descriptors and threads may grow by the
  // allowance.
  std::string report(Failures* failures) const;
  // Resident and device memory, as table cells.
  std::string summary() const;

 private:
  static constexpr double kWarmUp = 0.1;
  static constexpr double kHalf = 0.55;
  static constexpr int kTenths = 10;
  static constexpr std::size_t kReserved = 4096;

  struct Sample {
    double progress;
    Resources resources;
  };
  struct Peaks {
    std::int64_t first = -1;
    std::int64_t second = -1;
  };
  // The peak of each tenth of the run.
  std::string tenths(std::int64_t Resources::*member, bool bytes) const;
  Peaks peaks(std::int64_t Resources::*member) const;

  const DeviceProbe* device_;
  Allowance allowance_;
  int settled_ = 0;
  std::int64_t fewest_threads_ = -1;
  std::vector<Sample> samples_;
};

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_RESOURCES_H_
