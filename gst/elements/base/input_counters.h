// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_INPUT_COUNTERS_H_
#define RDP_GST_ELEMENTS_BASE_INPUT_COUNTERS_H_

#include <gst/base/gstaggregator.h>

#include <atomic>

#include "gst/elements/base/pairing_rule.h"
#include "gst/memory/instance_memory.h"

namespace rdp::gst {

// Counts of one input's buffers since the element went to PAUSED: how they came and how they were
// used. It lives as long as its pad. Any thread.
struct InputCounters : InstanceMemory {
  std::atomic<guint64> came{0};     // buffers and gaps, as they arrive
  std::atomic<guint64> used{0};     // buffers that are in a set
  std::atomic<guint64> dropped{0};  // buffers that are in none
  // The buffer on the pad stays there for all main buffers, as nothing is paired.
  std::atomic<bool> stays{false};
  // Buffers on the pad, and the one that waits for room there, of inputs that are not always
  // paired.
  std::atomic<int> here{0};
  // Two threads may want to drop the old buffer behind which another has come: whoever claims it
  // does. False: fewer than `least` are there.
  bool claim(int least) {
    int count = here;
    while (count >= least) {
      if (here.compare_exchange_weak(count, count - 1)) return true;
    }
    return false;
  }
  // One of them goes.
  void one_goes() {
    stays = false;
    --here;
  }
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
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_INPUT_COUNTERS_H_
