// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_FAILURES_H_
#define RDP_TESTS_ENDURANCE_FAILURES_H_

#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>

namespace rdp::endurance {

// Counter of failures, for any thread. It prints only the first ten: a failure in one frame tends
// to recur in a million.
class Failures {
 public:
  void add(const std::string& what) {
    const std::lock_guard lock(mutex_);
    constexpr std::uint64_t kSaid = 10;
    if (++count_ > kSaid) return;
    std::fprintf(stderr, "WRONG: %s\n", what.c_str());
    if (count_ == kSaid) std::fprintf(stderr, "WRONG: what follows is only counted\n");
  }
  // Adds `what` unless it is empty: checks return an empty text on success.
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
