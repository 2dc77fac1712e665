// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_READER_WATCH_H_
#define RDP_GST_METADATA_READER_WATCH_H_

#include <atomic>

namespace rdp::gst {

// Predicts if a reader will need the segments of a stream, from its last frames. One object serves
// an engine and the segments that have left it. Thread safe.
class ReaderWatch {
 public:
  // As many frames may pass before those are given up who read them no more, or read them late,
  // behind a queue.
  static constexpr int kPatience = 16;

  // Somebody reads a frame's segments.
  void note() noexcept { unread_.store(0, std::memory_order_relaxed); }
  // There is no memory for copies: they are not tried again.
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
