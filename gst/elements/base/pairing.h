// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_PAIRING_H_
#define RDP_GST_ELEMENTS_BASE_PAIRING_H_

#include <gst/base/gstaggregator.h>
#include <gst/gst.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>

#include "gst/elements/base/input_counters.h"
#include "gst/elements/base/pairing_rule.h"
#include "gst/memory/instance_memory.h"

// Pairs buffers of several streams, for elements on GstAggregator. One input is the main one: the
// output has its time stamps, segment, tags and rate. pairing_rule.h has the rule; this file
// handles the pads.
namespace rdp::gst {

// The user's settings, all in nanoseconds. See pairing_properties.h.
struct PairingSettings {
  guint64 sync_tolerance = 0;             // 0: the default of the rules
  guint64 latency = GST_CLOCK_TIME_NONE;  // none: one frame of the main stream
  guint64 max_age = GST_SECOND;           // only if the rules use the previous buffer
};

// Counts of buffers since the element went to PAUSED.
struct PairingCounts {
  guint64 paired = 0;    // main buffers with one of each other stream
  guint64 unpaired = 0;  // main buffers without a complete set
  guint64 dropped = 0;   // buffers of other streams in no set
  guint64 late = 0;      // main buffers that were dropped to catch up
  guint64 wide = 0;      // sets dropped whole; their buffers count as unpaired and dropped, too
};

// The time from the earliest to the latest buffer of a set, in nanoseconds, and their pads.
struct PairingSpread {
  guint64 time = 0;
  const GstAggregatorPad* earliest = nullptr;
  const GstAggregatorPad* latest = nullptr;
};

// The buffers dropped since the last pair or flush because they had no partner. Times in
// nanoseconds.
struct PairingMisses {
  guint64 count = 0;  // of all streams
  // The least distance of two heads, one of them dropped. None: the other stream had no buffer, or
  // there were no times.
  std::optional<guint64> nearest;
  guint64 tolerance = 0;  // as it is now
  // The pad of the other stream that was compared in the last drop; valid until the next look.
  // Null: no buffer was dropped, or there is no other stream. A stream whose buffer was near
  // enough, but was dropped because another stream had none, does not count.
  const GstAggregatorPad* pad = nullptr;
  // That pad, if nothing had arrived there when the main buffer could wait no longer: its source
  // stalls, or is late. Null: that is not the reason.
  const GstAggregatorPad* stalled = nullptr;
  // The last set that was dropped whole, since the last pair or flush. The pads are valid until the
  // next look. Null: none was.
  PairingSpread wide;
};

// Nanoseconds as milliseconds, for a message.
inline double milliseconds(guint64 time) { return static_cast<double>(time) / 1e6; }

// A running time in ns, below 0 before the segment's start. None for a segment in bytes, as of data
// from a file, where times have no meaning.
std::optional<std::int64_t> signed_running_time(const GstSegment& segment, GstClockTime time);

// An element on GstAggregator forwards its virtual functions here. "Streaming thread" is the
// aggregator's task; other functions may be called from any thread.
class Pairing : public InstanceMemory {
 public:
  Pairing(GstAggregator* element, const PairingRules& rules);
  ~Pairing();
  Pairing(const Pairing&) = delete;
  Pairing& operator=(const Pairing&) = delete;

  // The inputs, of which references are kept. Others may come and go at any time; their index is
  // their order of arrival.
  void set_main(GstAggregatorPad* pad);
  void add_other(GstAggregatorPad* pad);
  void remove_other(GstAggregatorPad* pad);
  bool is_main(const GstAggregatorPad* pad) const { return pad == main_; }

  // True while nothing is paired: see PairingLimits::latest. Any thread.
  void set_latest(bool latest) { latest_ = latest; }
  bool latest() const { return latest_; }

  // Sets the user's settings, at first and whenever they change.
  void set_settings(const PairingSettings& settings);

  enum class Next {
    kPair,      // main() and others() have the buffers
    kNeedData,  // return GST_AGGREGATOR_FLOW_NEED_DATA
    kEnd,       // return GST_FLOW_EOS
  };
  // For aggregate(), whose `timeout` is `deadline`: examines the heads until there is a pair, and
  // drops those without a partner. Forwards GAP events of the main stream. Sets controlled
  // properties to their values at the pair's time. Streaming thread.
  Next next(bool deadline);
  // The pair's buffers until the next call of next() or release(); null for an input without one.
  // take_main() is (transfer full).
  GstBuffer* main() const { return pair_main_; }
  GstBuffer* take_main();
  GstBuffer* other(std::size_t index) const { return pair_others_[index]; }
  // True if the main buffer was taken while nothing was paired.
  bool is_alone() const { return alone_; }
  // The caps of other(0), which may be older than the present ones if it is a previous buffer. Only
  // if the rules use previous buffers.
  GstCaps* other_caps() const { return last_caps_; }
  // The running time of main(), or NONE.
  GstClockTime running_time() const;
  // The pair's spread in ns: from the earliest of its buffers with a time to the latest.
  guint64 spread() const { return spread_; }
  // The present tolerance between the buffers of a pair, in ns.
  guint64 tolerance() const { return misses_.tolerance; }
  // Sets the spread of a pair in ns, from the earliest to the latest. For a batch as main buffer,
  // which knows its frames' times.
  void set_spread(guint64 spread);
  // Rejects the pair. It counts as dropped, and leaves a gap if the rules demand that. `wide`: its
  // frames are too far apart. Streaming thread.
  void drop_pair(bool wide);
  // Drops the next buffer of an input, if any, because the buffer that it waited for will not come.
  // Streaming thread.
  void drop_head(GstAggregatorPad* pad);
  // Releases the pair's buffers.
  void release();
  // Pushes the output made from the main buffer (transfer full). Streaming thread.
  GstFlowReturn finish(GstBuffer* buffer);

  // For the virtual functions of the same names, before the parent's.
  GstClockTime get_next_time();                             // instead of the parent's
  void sink_event(GstAggregatorPad* pad, GstEvent* event);  // streaming thread
  void sink_event_pre_queue(GstAggregatorPad* pad, GstEvent* event);
  void src_event(GstEvent* event);
  void flush();
  void start();
  void stop();

  PairingCounts counts() const;
  // The largest distance of two buffers, in ns, of all pairs since the element went to PAUSED.
  guint64 largest_distance() const { return counts_.largest_of_pair; }
  // The largest spread of all sets, in ns: from a set's earliest buffer to its latest. With one
  // other stream it equals largest_distance().
  guint64 largest_spread() const { return counts_.largest_spread; }
  // Streaming thread.
  const PairingMisses& misses() const { return misses_; }

 private:
  struct Counters {
    std::atomic<guint64> largest_of_pair{0};
    std::atomic<guint64> largest_spread{0};
    std::atomic<guint64> paired{0};
    std::atomic<guint64> unpaired{0};
    std::atomic<guint64> dropped{0};
    std::atomic<guint64> late{0};
    std::atomic<guint64> wide{0};
  };
  void collect_pads();
  void accept_caps(GstAggregatorPad* pad, GstCaps* caps);
  PairingLimits limits() const;
  void pop_other(std::size_t index, bool keep);
  void note_missed(const StreamHead& main, std::size_t other);
  void note_main_missed(const StreamHead& main, std::size_t other, std::int64_t tolerance);
  void note_other_missed(const StreamHead& main, std::size_t other);
  void note_pair(const StreamHead& main);
  void forget_misses();
  void forget_paces();
  PairingSpread find_spread(const StreamHead& main) const;
  void drop_set(const StreamHead& main);
  void drop_main(GstBuffer* buffer);
  void drop_other(InputCounters* input, GstBuffer* buffer);
  void remember(GstAggregatorPad* pad, GstBuffer* buffer, bool used);
  void forget_last();
  bool take();
  void keep_heads();
  GstClockTime stream_time(GstBuffer* buffer) const;
  bool is_late(GstBuffer* buffer);
  void hand_on_gap(GstBuffer* gap);
  void push_tags();
  void apply_latency();

  GstAggregator* const element_;
  const PairingRules rules_;
  GstAggregatorPad* main_ = nullptr;
  InputCounters* main_notes_ = nullptr;

  mutable std::mutex mutex_;
  InstanceVector<GstAggregatorPad*> others_;
  bool others_changed_ = false;
  PairingSettings settings_;
  GstClockTime frame_ = GST_CLOCK_TIME_NONE;       // of main; none: its rate is not known
  GstClockTime late_until_ = GST_CLOCK_TIME_NONE;  // a running time, by QoS

  std::atomic<bool> flushed_{false};
  std::atomic<bool> latest_{false};
  Counters counts_;

  // Streaming thread.
  InstanceVector<GstAggregatorPad*> streams_;  // the others
  InstanceVector<InputCounters*> notes_;       // theirs
  InstanceVector<StreamHead> heads_;
  PairingMisses misses_;
  // For each other stream: its head was within the tolerance of a main buffer that was dropped.
  InstanceVector<char> was_near_;
  guint64 spread_ = 0;
  // The pair that was taken last.
  bool complete_ = false;
  bool alone_ = false;
  InstanceVector<PairingChoice> choices_;
  GstBuffer* pair_main_ = nullptr;
  InstanceVector<GstBuffer*> pair_others_;
  GstBuffer* last_ = nullptr;  // the remembered previous buffer
  GstCaps* last_caps_ = nullptr;
  GstCaps* caps_now_ = nullptr;  // of the other stream
  std::optional<std::int64_t> last_time_;
  bool last_used_ = false;
  GstEvent* tags_ = nullptr;  // received last, not forwarded yet
  bool segment_sent_ = false;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_PAIRING_H_
