// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_INPUT_WAIT_H_
#define RDP_GST_ELEMENTS_BASE_INPUT_WAIT_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace rdp::gst {

// The streaming thread's wait for another input. GstAggregator itself waits only for data, and asks
// again at once where all pads that there are have some. Any thread.
class InputWait {
 public:
  // Before the inputs are looked at.
  unsigned changes() const {
    const std::lock_guard lock(mutex_);
    return changes_;
  }
  // Returns when there was a change since then, or the stream stops. False: neither within the
  // time.
  bool wait(unsigned since, std::chrono::seconds most) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, most, [&] { return stopped_ || changes_ != since; });
  }
  // An input came or went, or was flushed.
  void change() {
    const std::lock_guard lock(mutex_);
    ++changes_;
    changed_.notify_all();
  }
  // While the streaming thread is to end nobody waits.
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
