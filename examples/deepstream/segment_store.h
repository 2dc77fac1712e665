// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_EXAMPLES_DEEPSTREAM_SEGMENT_STORE_H_
#define RDP_EXAMPLES_DEEPSTREAM_SEGMENT_STORE_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

// The segments of the last depth frames, for a colour branch that runs in other threads.
class SegmentStore {
 public:
  // Frames belong together when their timestamps differ by no more than `tolerance` nanoseconds.
  // A colour frame that is earlier than its depth frame waits for it, for `patience` at most.
  SegmentStore(GstClockTime tolerance, std::chrono::milliseconds patience)
      : tolerance_(tolerance), patience_(patience) {}
  ~SegmentStore() {
    for (const Entry& entry : entries_) gst_rdp_segmentation_unref(entry.segmentation);
  }
  SegmentStore(const SegmentStore&) = delete;
  SegmentStore& operator=(const SegmentStore&) = delete;

  // Takes a reference.
  void put(GstClockTime pts, GstRdpSegmentation* segmentation) {
    if (!GST_CLOCK_TIME_IS_VALID(pts)) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    entries_.push_back({pts, gst_rdp_segmentation_ref(segmentation)});
    if (entries_.size() > kMost) {
      gst_rdp_segmentation_unref(entries_.front().segmentation);
      entries_.pop_front();
    }
    changed_.notify_all();
  }

  // No more will come: nobody waits from now on.
  void close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

  // A reference to the nearest in time, for the caller to release; null where none is near enough.
  GstRdpSegmentation* find(GstClockTime pts) {
    if (!GST_CLOCK_TIME_IS_VALID(pts)) return nullptr;
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait_for(lock, patience_,
                      [&] { return closed_ || (!entries_.empty() && entries_.back().pts >= pts); });
    const Entry* nearest = nullptr;
    for (const Entry& entry : entries_) {
      if (nearest == nullptr || distance(entry.pts, pts) < distance(nearest->pts, pts)) {
        nearest = &entry;
      }
    }
    if (nearest == nullptr || distance(nearest->pts, pts) > tolerance_) return nullptr;
    return gst_rdp_segmentation_ref(nearest->segmentation);
  }

 private:
  struct Entry {
    GstClockTime pts;
    GstRdpSegmentation* segmentation;
  };

  static GstClockTime distance(GstClockTime a, GstClockTime b) { return a > b ? a - b : b - a; }

  static constexpr std::size_t kMost = 32;

  const GstClockTime tolerance_;
  const std::chrono::milliseconds patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> entries_;
  bool closed_ = false;
};

#endif  // RDP_EXAMPLES_DEEPSTREAM_SEGMENT_STORE_H_
