// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_PAIRING_RULE_H_
#define RDP_GST_ELEMENTS_BASE_PAIRING_RULE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

// Decides which buffers of several streams belong together. Knows no GStreamer: see pairing.h for
// that.
//
// Each stream shows one buffer, its head, and nothing of those behind it. An upstream `tee` without
// queues brings the next one only when this one is gone. So the rule never waits for a nearer
// buffer: the first that is near enough is taken at once.
namespace rdp::gst {

// The rule, which is the element's choice.
struct PairingRules {
  // The fate of a main buffer without one of the others.
  enum class Unpaired {
    kDropped,  // nothing can be made of it
    kGoesOn,   // it goes on without
  };
  Unpaired unpaired = Unpaired::kDropped;
  // A main buffer without one of its own gets the last one before it, once more if need be. For
  // elements with one other stream, where unpaired ones go on.
  bool last_before = false;
  // A main buffer that is dropped leaves a GAP event in its place, so that a second pairing
  // downstream need not wait for the next one. Not before the output has caps.
  bool gaps = false;
  // All buffers of a set are within the tolerance of each other, from the earliest to the latest,
  // not only of the main one. A set that is wider is dropped whole. For elements that drop unpaired
  // buffers.
  bool within_each_other = false;
  // The tolerance in nanoseconds where the user sets none; 0: that of the faster stream's pace.
  std::int64_t tolerance = 0;
};

// Limits that can change while streaming. In nanoseconds.
struct PairingLimits {
  // Nothing is paired: only what the other streams' last buffers carry counts, whatever their time.
  // The main head waits for the first of them alone; their heads stay.
  bool latest = false;
  std::int64_t tolerance = 0;  // two buffers that are no further apart belong together
  std::int64_t max_age = 0;    // of the last one before
};

// The pace of a stream, which gives its default tolerance: half a frame of its frame rate. Without
// a rate it is 0.6 of the median of the last intervals, a little more, as they are measured between
// time stamps that jitter.
class StreamPace {
 public:
  // The time of the stream's head, as of StreamHead, and the rate of its segment. A head that was
  // seen before changes nothing.
  void see(std::int64_t time, double rate);
  void forget();
  // In nanoseconds of running time. `frame`: the duration of a frame by its rate; 0: it has none.
  std::int64_t tolerance(std::int64_t frame) const;

 private:
  static constexpr std::size_t kIntervals = 8;
  static constexpr std::size_t kFewest = 3;  // that say something

  std::array<std::int64_t, kIntervals> intervals_{};
  std::size_t count_ = 0;  // of all, also those that are overwritten
  std::optional<std::int64_t> last_;
  double rate_ = 1.0;
};

// The next buffer of a stream.
struct StreamHead {
  enum class State {
    kNothing,  // not yet
    kBuffer,
    kGap,    // there is no buffer until `end`
    kEnded,  // there is none, and none comes
  };
  State state = State::kNothing;
  // Running time, below 0 before the segment's start. None: the buffer has no time stamp. Then it
  // belongs to the other's head at any time: pairs are made in order of arrival.
  std::optional<std::int64_t> time;
  std::int64_t end = 0;  // of a gap with a time
  bool any = true;       // with `latest`: a buffer of the stream has come
  // The time of the last one that was left out while nothing was paired, where nothing is here.
  std::int64_t passed_over = std::numeric_limits<std::int64_t>::min();
};

// The next step.
struct PairingStep {
  enum class Action {
    kWait,       // for more
    kTake,       // the main head, and of each other stream what `choices` says
    kDropMain,   // the main head has no partner in `other`
    kDropSet,    // the main head and all others: they are too far apart
    kHandOnGap,  // the main head is a gap
    kDropOther,  // the head of `other` is too early for any main buffer that can still come
    kRemember,   // the same, but it is the last one before the main head
    kSkipGap,    // the head of `other`, a gap, says nothing any more
    kEnd,        // nothing can come any more
  };
  Action action = Action::kWait;
  std::size_t other = 0;
};

// The choice from one other stream when a main head is taken.
enum class PairingChoice {
  kNone,  // no buffer
  kHead,  // its head
  kLast,  // the one that was remembered
};

// Decides on the heads. `deadline`: what is not there is too late for the main head. `last`: the
// time of the buffer that is remembered, if there is one with a time. `choices`, one for each of
// `others`, is written where the action is kTake.
//
// If all streams have a head or have ended, the action is never kWait.
PairingStep next_pairing_step(const PairingRules& rules, const PairingLimits& limits,
                              const StreamHead& main, std::span<const StreamHead> others,
                              std::optional<std::int64_t> last, bool deadline,
                              std::span<PairingChoice> choices);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_PAIRING_RULE_H_
