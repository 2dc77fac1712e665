// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_FAILURES_H_
#define RDP_TESTS_ENDURANCE_FAILURES_H_

#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>

namespace rdp::endurance {

// What went wrong, counted, from any thread. The first few are said at once: whatever goes wrong in
// one frame goes wrong in a million.
class Failures {
 public:
  void add(const std::string& what) {
    const std::lock_guard lock(mutex_);
    constexpr std::uint64_t kSaid = 10;
    if (++count_ > kSaid) return;
    std::fprintf(stderr, "WRONG: %s\n", what.c_str());
    if (count_ == kSaid) std::fprintf(stderr, "WRONG: what follows is only counted\n");
  }
  // Adds it unless it is empty, which is how checks say that nothing is wrong.
  void add_if(const std::string& what) {
    if (!what.empty()) add(what);
  }
  std::uint64_t count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  mutable std::mutex mutex_;
  std::uint64_t count_ = 0;
};

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_FAILURES_H_
