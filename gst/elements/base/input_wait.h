// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_INPUT_WAIT_H_
#define RDP_GST_ELEMENTS_BASE_INPUT_WAIT_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace rdp::gst {

// Lets the streaming thread wait for another input. GstAggregator waits only for data, and calls
// aggregate() again at once while all present pads have some. Any thread.
class InputWait {
 public:
  // Returns the counter of changes. Call before examining the inputs.
  unsigned changes() const {
    const std::lock_guard lock(mutex_);
    return changes_;
  }
  // Waits for a change after `since`, or for the stream to stop. False: neither within `most`.
  bool wait(unsigned since, std::chrono::seconds most) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, most, [&] { return stopped_ || changes_ != since; });
  }
  // Call when an input came or went, or was flushed.
  void change() {
    const std::lock_guard lock(mutex_);
    ++changes_;
    changed_.notify_all();
  }
  // Ends all waits, and lets none begin, while the streaming thread is to end.
  void set_stopped(bool stopped) {
    const std::lock_guard lock(mutex_);
    stopped_ = stopped;
    changed_.notify_all();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  unsigned changes_ = 0;
  bool stopped_ = false;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_INPUT_WAIT_H_
