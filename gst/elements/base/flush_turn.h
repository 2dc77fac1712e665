// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_FLUSH_TURN_H_
#define RDP_GST_ELEMENTS_BASE_FLUSH_TURN_H_

#include <atomic>
#include <mutex>
#include <thread>

namespace rdp::gst {

// A lock that lets one flush or flushing seek at a time stop GstAggregator's streaming thread or
// start it again. GstAggregator has none: the end of a flush restarts the thread while a seek waits
// for its end, for ever. Any thread.
class FlushTurn {
 public:
  // Waits for the turn. A thread that has it already keeps it.
  void take() {
    if (is_mine()) return;
    turn_.lock();
    owner_ = std::this_thread::get_id();
  }
  // Does nothing in other threads.
  void end() {
    if (!is_mine()) return;
    owner_ = std::thread::id();
    turn_.unlock();
  }

 private:
  bool is_mine() const { return owner_ == std::this_thread::get_id(); }

  std::mutex turn_;
  std::atomic<std::thread::id> owner_{};
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_FLUSH_TURN_H_
