// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_LAST_WORDS_H_
#define RDP_TESTS_SUPPORT_LAST_WORDS_H_

#include <signal.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

namespace rdp::test {

// Prints the present case of a long program if a signal ends it, and aborts it if a case takes
// longer than `patience`. At most one object may exist.
class LastWords {
 public:
  explicit LastWords(std::chrono::seconds patience) : patience_(patience) {
    struct sigaction action = {};
    action.sa_handler = speak;
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &before_[i]);
    watcher_ = std::thread([this] { watch(); });
  }
  ~LastWords() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_one();
    watcher_.join();
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

  // Sets the text of the present case.
  void at(const std::string& text) {
    const std::lock_guard lock(mutex_);
    const std::size_t size = std::min(text.size(), sizeof words_ - 1);
    words_[size] = '\0';
    std::memcpy(words_, text.data(), size);
    ++count_;
  }

 private:
  static constexpr std::array kSignals = {SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGTRAP};

  // Prints the text, and restores the earlier handler, such as a sanitizer's, for the same signal.
  static void speak(int number) {
    for (const char* text : {"\nEnded at: ", static_cast<const char*>(words_), "\n"}) {
      [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
    }
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      if (kSignals[i] == number) sigaction(number, &before_[i], nullptr);
    }
    raise(number);  // handled after this returns: a raised signal does not recur by itself
  }

  void watch() {
    std::unique_lock lock(mutex_);
    while (!ended_) {
      const std::size_t seen = count_;
      const bool woken = changed_.wait_for(lock, patience_, [&] { return ended_; });
      if (!woken && count_ == seen) std::abort();  // it hangs
    }
  }

  static inline char words_[512] = "the start";
  static inline std::array<struct sigaction, kSignals.size()> before_ = {};
  const std::chrono::seconds patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t count_ = 0;
  bool ended_ = false;
  std::thread watcher_;
};

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_LAST_WORDS_H_
