// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_PAIRING_RULE_H_
#define RDP_GST_ELEMENTS_BASE_PAIRING_RULE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

// Decides which buffers of several streams belong together. Independent of GStreamer: pairing.h
// connects it.
// Each stream shows one buffer, its head, and none behind it. An upstream `tee` without queues
// delivers the next buffer only when this one is gone. So the rule never waits for a nearer buffer,
// but takes the first that is near enough.
namespace rdp::gst {

// The rule, which is the element's choice.
struct PairingRules {
  // The treatment of a main buffer without a partner from another stream.
  enum class Unpaired {
    kDropped,  // nothing can be made of it
    kGoesOn,   // it goes on without
  };
  Unpaired unpaired = Unpaired::kDropped;
  // A main buffer without a partner gets the previous buffer of the other stream, repeatedly if
  // need be. For elements with one other stream and kGoesOn.
  bool last_before = false;
  // A dropped main buffer leaves a GAP event in its place, so that a second pairing downstream need
  // not wait for the next one. Not before the output has caps.
  bool gaps = false;
  // All buffers of a set are within the tolerance of each other, not only of the main one. A wider
  // set is dropped whole. Only with kDropped.
  bool within_each_other = false;
  // The tolerance in nanoseconds if the user sets none; 0: by the faster stream's pace.
  std::int64_t tolerance = 0;
};

// Limits that can change while streaming. In nanoseconds.
struct PairingLimits {
  // Nothing is paired: of the other streams only what their last buffers carry counts, whatever
  // their time. The main head waits only for each stream's first buffer; their heads stay.
  bool latest = false;
  std::int64_t tolerance = 0;  // maximum distance of two buffers that belong together
  std::int64_t max_age = 0;    // for the previous buffer
};

// The pace of a stream, which determines its default tolerance: half a frame of its frame rate.
// Without a rate it is 0.6 of the median of the last intervals: a little more, because time stamps
// jitter.
class StreamPace {
 public:
  // Adds the time of the stream's head, as in StreamHead, and its segment's rate. Ignores a head
  // that it has seen.
  void see(std::int64_t time, double rate);
  void forget();
  // In nanoseconds of running time. `frame`: the duration of a frame by its rate; 0: it has none.
  std::int64_t tolerance(std::int64_t frame) const;

 private:
  static constexpr std::size_t kIntervals = 8;
  static constexpr std::size_t kFewest = 3;  // intervals needed for a median

  std::array<std::int64_t, kIntervals> intervals_{};
  std::size_t count_ = 0;  // all intervals, also overwritten ones
  std::optional<std::int64_t> last_;
  double rate_ = 1.0;
};

// The next buffer of a stream.
struct StreamHead {
  enum class State {
    kNothing,  // not yet
    kBuffer,
    kGap,    // there is no buffer until `end`
    kEnded,  // the stream has ended without one
  };
  State state = State::kNothing;
  // Running time, below 0 before the segment's start. None: the buffer has no time stamp, and
  // matches any head: pairs are made in order of arrival.
  std::optional<std::int64_t> time;
  std::int64_t end = 0;  // of a gap with a time
  bool any = true;       // with `latest`: a buffer of the stream has come
  // Without a head: the time of the last buffer that was dropped on arrival while nothing was
  // paired.
  std::int64_t passed_over = std::numeric_limits<std::int64_t>::min();
};

// The next step.
struct PairingStep {
  enum class Action {
    kWait,       // for more data
    kTake,       // the main head, and `choices` from the other streams
    kDropMain,   // the main head has no partner in `other`
    kDropSet,    // the main head and all others: they are too far apart
    kHandOnGap,  // the main head is a gap
    kDropOther,  // the head of `other` is too early for this and all later main heads
    kRemember,   // the same, but keep it as the previous buffer
    kSkipGap,    // the head of `other`, a gap, no longer matters
    kEnd,        // nothing can come any more
  };
  Action action = Action::kWait;
  std::size_t other = 0;
};

// The choice from one other stream when a main head is taken.
enum class PairingChoice {
  kNone,  // no buffer
  kHead,  // its head
  kLast,  // the remembered previous buffer
};

// Decides on the heads. `deadline`: treat missing heads as too late for the main head. `last`: the
// time of the remembered buffer, if it has one. `choices`, one for each of `others`, is written if
// the action is kTake.
//
// If all streams have a head or have ended, the action is never kWait.
PairingStep next_pairing_step(const PairingRules& rules, const PairingLimits& limits,
                              const StreamHead& main, std::span<const StreamHead> others,
                              std::optional<std::int64_t> last, bool deadline,
                              std::span<PairingChoice> choices);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_PAIRING_RULE_H_
