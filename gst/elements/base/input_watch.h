// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_INPUT_WATCH_H_
#define RDP_GST_ELEMENTS_BASE_INPUT_WATCH_H_

#include <gst/base/gstaggregator.h>

#include <atomic>
#include <cstddef>
#include <span>

#include "gst/memory/instance_memory.h"

namespace rdp::gst {

// Looks once a second at the inputs of an element, on a clock's thread: what nothing comes to keeps
// all others waiting, and no buffer is there to say so. Two things are told in an element warning,
// each once for each input until the element goes to READY:
// - an input that nothing is linked to, where the element has not got to PAUSED after kPatience
//   looks, or nothing comes;
// - an input, the main one included, to which nothing has come for kPatience looks in PLAYING (of a
//   live one, as many as the element says), while another one has data. One that waits for room,
//   has ended, or gets GAP events is not silent. The same below PLAYING if the pipeline is to play:
//   it waits for preroll, and so for this input. The same in PAUSED if a `tee` is upstream of it
//   and nothing is live: there a sink on another branch may hold the frame, and so the `tee`, until
//   all sinks have preroll. If no input has data, the first of these is told.
//
// The system's clock is asked: an element in PAUSED, or one whose pipeline's clock stands still,
// has no other. Nothing is done or allocated for a frame.
class InputWatch : public InstanceMemory {
 public:
  static constexpr guint kPatience = 5;
  static constexpr std::size_t kMaxInputs = 32;

  // `input`: the element's word for an input, "view"; static storage. `live_timeout_s`: the looks
  // at which a live input may be silent.
  InputWatch(GstAggregator* element, const char* input, guint live_timeout_s = kPatience)
      : element_(element), input_(input), live_timeout_s_(live_timeout_s) {}
  ~InputWatch() { stop(); }
  InputWatch(const InputWatch&) = delete;
  InputWatch& operator=(const InputWatch&) = delete;

  // From READY to PAUSED, after the pads' counters are reset, and back. Not from the clock's
  // thread.
  void start();
  void stop();
  // After a flush and in states below PLAYING: silence begins anew.
  void forget() { forget_ = true; }
  // While something is pushed downstream a sink may hold it, as one does in PAUSED.
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
