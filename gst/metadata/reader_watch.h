// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_READER_WATCH_H_
#define RDP_GST_METADATA_READER_WATCH_H_

#include <atomic>

namespace rdp::gst {

// Predicts from a stream's last frames whether segments will be read. One object serves an engine
// and the segments that it has sent. Thread safe.
class ReaderWatch {
 public:
  // Frames without a reader until copies stop; allows for readers behind a queue.
  static constexpr int kPatience = 16;

  // Call when a frame's segments are read.
  void note() noexcept { unread_.store(0, std::memory_order_relaxed); }
  // Stops copies for good, for lack of memory.
  void give_up() noexcept { gave_up_.store(true, std::memory_order_relaxed); }
  // True if the next frame's segments are likely to be read. Call once a frame.
  bool expects() noexcept {
    const int unread = unread_.load(std::memory_order_relaxed);
    if (unread >= kPatience || gave_up_.load(std::memory_order_relaxed)) return false;
    unread_.store(unread + 1, std::memory_order_relaxed);
    return true;
  }

 private:
  std::atomic<int> unread_{kPatience};  // frames since the last one that somebody has read
  std::atomic<bool> gave_up_{false};
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_READER_WATCH_H_
