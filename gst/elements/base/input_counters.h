// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_INPUT_COUNTERS_H_
#define RDP_GST_ELEMENTS_BASE_INPUT_COUNTERS_H_

#include <gst/base/gstaggregator.h>

#include <atomic>
#include <mutex>

#include "gst/elements/base/pairing_rule.h"
#include "gst/memory/instance_memory.h"

namespace rdp::gst {

// Counts of one input's buffers since the element went to PAUSED: how they came and how they were
// used. It lives as long as its pad. Any thread.
struct InputCounters : InstanceMemory {
  std::atomic<guint64> came{0};     // buffers and gaps, as they arrive
  std::atomic<guint64> used{0};     // buffers that are in a set
  std::atomic<guint64> dropped{0};  // buffers that are in none
  // The running time in ns of the last buffer or gap that ended here while nothing was paired,
  // since events were before it. No main buffer can meet it. G_MININT64: there was none.
  std::atomic<gint64> passed_over{G_MININT64};
  // The running time in ns of the buffer that was looked at last; below 0 before the segment's
  // start. G_MININT64: there was none with a time.
  std::atomic<gint64> last_time{G_MININT64};

  // The pace of the stream; streaming thread. `frame`: by its rate, in ns; 0: the caps say none.
  std::int64_t frame = 0;
  StreamPace pace;

  // The state of the element's InputWatch: what had come at its last look, since how many looks
  // nothing has, and whether the user has been told.
  std::atomic<guint64> seen{0};
  std::atomic<guint> quiet{0};
  std::atomic<bool> told{false};

  // The counters of a pad, made with the first call.
  static InputCounters* of(GstAggregatorPad* pad);
  void reset();

  // Heads of inputs that are not always paired go in two threads: the element's, and the pad's own
  // when the next one comes. So whoever takes one counts it before the other looks.

  // The head; null: there is none, or a flush. `pad` is the counters' own, here and below.
  GstBuffer* pop(GstAggregatorPad* pad);
  // Another buffer is about to come to the pad. While nothing is paired (`latest`) it takes the
  // place of the one that is there. False: it cannot, as events are before that one.
  bool replace(GstAggregatorPad* pad, bool latest);
  // A main buffer goes alone: the head stays, unless another waits behind it. Of pairs that have
  // begun (`latest` false) it goes.
  void keep(GstAggregatorPad* pad, bool latest);
  // The pad was flushed.
  void forget_head();
  // The buffer on the pad stays there for all main buffers, as nothing is paired.
  bool stays();

 private:
  std::mutex mutex_;
  bool stays_ = false;
  // Buffers on the pad, and the one that waits for room there, of inputs that are not always
  // paired.
  int here_ = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_INPUT_COUNTERS_H_
