// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_RESOURCES_H_
#define RDP_TESTS_ENDURANCE_RESOURCES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/endurance/device.h"
#include "tests/endurance/failures.h"

namespace rdp::endurance {

// What a process has. -1: cannot be known here.
struct Resources {
  std::int64_t resident = -1;  // bytes, once what is free has been given back to the system
  std::int64_t heap = -1;      // bytes that malloc() has given out and not got back
  std::int64_t device = -1;    // bytes of the GPU's memory that are in use, by whomever
  std::int64_t descriptors = -1;
  std::int64_t threads = -1;
};

// `device` may be null.
Resources measure_resources(const DeviceProbe* device);

// Waits until the threads have ended that GLib keeps for a while when a task of GStreamer's ends,
// or no more than `enough` are left. How many there are.
std::int64_t settle_threads(std::int64_t enough = -1);

// What is measured again and again at points where the same things exist, and shall not grow. Of
// threads those count that last: an extra pad's is of GLib's pool, which keeps it for a while when
// the pad is gone, and makes another one where the pad is asked for again at once.
class ResourceLog {
 public:
  // What may be different at random between two samples.
  struct Allowance {
    // False: resident memory may be anything. Under sanitizers and emulators it is theirs.
    bool resident_counts = true;
    // Bytes that malloc() keeps for threads that come and go.
    std::int64_t heap = 64 << 10;
    // Threads of pipelines that are being thrown away, and what they still hold.
    std::int64_t threads = 0;
    std::int64_t descriptors = 0;
    // False: threads are waited for in each half, not in each tenth.
    bool each_tenth = true;
  };

  ResourceLog(const DeviceProbe* device, const Allowance& allowance)
      : device_(device), allowance_(allowance) {
    samples_.reserve(kReserved);
  }

  // `progress`: how much of the run is done, from 0 to 1.
  void sample(double progress);
  // The first tenth is for warming up. Of what follows, the second half's peak may not be above the
  // first half's by more than what malloc() and the driver take at a time; the numbers of
  // descriptors and of threads by no more than what is about to go.
  std::string report(Failures* failures) const;
  // In cells of a table: resident memory, device memory.
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
