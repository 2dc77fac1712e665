// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_INPUT_COUNTERS_H_
#define RDP_GST_ELEMENTS_BASE_INPUT_COUNTERS_H_

#include <gst/base/gstaggregator.h>

#include <atomic>
#include <mutex>

#include "gst/elements/base/pairing_rule.h"
#include "gst/memory/instance_memory.h"

namespace rdp::gst {

// Counts of one input's buffers since the element went to PAUSED: arrived, used, dropped. Lives as
// long as its pad. Any thread.
struct InputCounters : InstanceMemory {
  std::atomic<guint64> came{0};     // buffers and gaps that arrived
  std::atomic<guint64> used{0};     // buffers that are in a set
  std::atomic<guint64> dropped{0};  // buffers that are in none
  // The running time in ns of the last item dropped on arrival while nothing was paired: a gap, or
  // a buffer behind queued events. Main buffers near this time must not wait for it. G_MININT64:
  // none.
  std::atomic<gint64> passed_over{G_MININT64};
  // The running time in ns of the last head that was examined; below 0 before the segment's start.
  // G_MININT64: none had a time.
  std::atomic<gint64> last_time{G_MININT64};

  // The stream's pace; streaming thread. `frame`: frame duration in ns by the caps' rate; 0:
  // unknown.
  std::int64_t frame = 0;
  StreamPace pace;

  // The state of the element's InputWatch: `came` at its last look, the number of looks without
  // data, and whether the user has been told.
  std::atomic<guint64> seen{0};
  std::atomic<guint> quiet{0};
  std::atomic<bool> told{false};

  // The counters of a pad, made with the first call.
  static InputCounters* of(GstAggregatorPad* pad);
  void reset();

  // Two threads remove the head of an input that is not always paired: the element's, and the
  // upstream thread that brings the next buffer. The functions below count and remove under one
  // mutex.

  // Removes the head; null: there is none, or a flush. `pad` is the counters' own, here and below.
  GstBuffer* pop(GstAggregatorPad* pad);
  // Called before another buffer arrives at the pad. While nothing is paired (`latest`) that buffer
  // replaces the present one. False: it cannot, because events are queued before the present one.
  bool replace(GstAggregatorPad* pad, bool latest);
  // Called when a main buffer goes without a pair: the head stays, unless another waits behind it.
  // Once pairs have begun (`latest` false) it is dropped.
  void keep(GstAggregatorPad* pad, bool latest);
  // The pad was flushed.
  void forget_head();
  // True if the pad's buffer stays for all main buffers, because nothing is paired.
  bool stays();

 private:
  std::mutex mutex_;
  bool stays_ = false;
  // For inputs that are not always paired: buffers on the pad, and the one that waits for room.
  int here_ = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_INPUT_COUNTERS_H_
