// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_INPUT_WATCH_H_
#define RDP_GST_ELEMENTS_BASE_INPUT_WATCH_H_

#include <gst/base/gstaggregator.h>

#include <atomic>
#include <cstddef>
#include <span>

#include "gst/memory/instance_memory.h"

namespace rdp::gst {

// Examines an element's inputs once a second, on a clock's thread: an input without data blocks all
// others, and no streaming thread can report it. Posts two element warnings, each once for each
// input until the element goes to READY:
// - an unlinked input that has had no data for kPatience looks;
// - a silent input, the main one included: it had no data for kPatience looks in PLAYING, while
//   another has. For a live input the number is the element's own. An input that waits for room,
//   has ended, or gets GAP events is not silent. Below PLAYING the same holds if the pipeline is to
//   play, because it waits for preroll, and so for this input. In PAUSED it holds if a `tee` is
//   upstream and nothing is live. Then a sink on another branch may hold the frame, and so the
//   `tee`, until all sinks have preroll. If no input has data, the warning names the first of
//   these.
// Uses the system clock, because an element in PAUSED, or with a stopped pipeline clock, has no
// other. Allocates nothing for a frame.
class InputWatch : public InstanceMemory {
 public:
  static constexpr guint kPatience = 5;
  static constexpr std::size_t kMaxInputs = 32;

  // `input`: the element's word for an input, "view"; static storage. `live_timeout_s`: seconds
  // that a live input may be silent.
  InputWatch(GstAggregator* element, const char* input, guint live_timeout_s = kPatience)
      : element_(element), input_(input), live_timeout_s_(live_timeout_s) {}
  ~InputWatch() { stop(); }
  InputWatch(const InputWatch&) = delete;
  InputWatch& operator=(const InputWatch&) = delete;

  // From READY to PAUSED, after the pads' counters are reset, and back. Not from the clock's
  // thread.
  void start();
  void stop();
  // Restarts the measurement of silence: after a flush and in states below PLAYING.
  void forget() { forget_ = true; }
  // Set around a push downstream, where a sink may hold the buffer, as one does in PAUSED.
  void set_busy(bool busy) { busy_ = busy; }

 private:
  struct Snapshot;

  static gboolean on_clock(GstClock* clock, GstClockTime time, GstClockID id, gpointer data);
  void look();
  guint patience(bool playing) const;
  void judge(std::span<Snapshot> looks, bool playing, bool is_to_play, guint patience);
  void tell(const Snapshot& look, guint patience);

  GstAggregator* const element_;
  const char* const input_;
  const guint live_timeout_s_;

  std::atomic<bool> busy_{false};
  std::atomic<bool> forget_{false};
  GstClockID id_ = nullptr;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_INPUT_WATCH_H_
