// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/pairing_rule.h"

#include <algorithm>
#include <cmath>

namespace rdp::gst {
namespace {

using Action = PairingStep::Action;
using State = StreamHead::State;
using Time = std::optional<std::int64_t>;

// The candidate that another stream offers for the main head.
enum class Match {
  kUnknown,  // not known yet
  kMissing,  // nothing, now or later
  kHead,     // its head
  kEarly,    // its head is too early, the next one may match
};

// Times differ by less than half of int64: they are running times, years at most.
Match match(const StreamHead& other, Time main, std::int64_t tolerance, bool deadline) {
  switch (other.state) {
    case State::kNothing: {
      const bool left_out = main && *main - tolerance <= other.passed_over;
      return deadline || left_out ? Match::kMissing : Match::kUnknown;
    }
    case State::kEnded:
      return Match::kMissing;
    case State::kGap:
      // The gap covers the whole tolerance around the main head, or it ends too early.
      return main && other.time && other.end > *main + tolerance ? Match::kMissing : Match::kEarly;
    case State::kBuffer:
      break;
  }
  if (!main || !other.time) return Match::kHead;
  if (*other.time < *main - tolerance) return Match::kEarly;
  return *other.time <= *main + tolerance ? Match::kHead : Match::kMissing;
}

// Returns the time from the earliest to the latest of the heads that have a time.
std::int64_t spread_of(const StreamHead& main, std::span<const StreamHead> others) {
  if (!main.time) return 0;
  std::int64_t first = *main.time;
  std::int64_t last = *main.time;
  for (const StreamHead& other : others) {
    if (!other.time) continue;
    first = std::min(first, *other.time);
    last = std::max(last, *other.time);
  }
  return last - first;
}

// The step with `latest`.
PairingStep take_when_all_have_come(std::span<const StreamHead> others, bool deadline,
                                    std::span<PairingChoice> choices) {
  bool known = true;
  for (std::size_t i = 0; i < others.size(); ++i) {
    choices[i] = PairingChoice::kNone;
    if (others[i].state == State::kGap) return {Action::kSkipGap, i};
    known = known && (others[i].any || others[i].state != State::kNothing);
  }
  return {known || deadline ? Action::kTake : Action::kWait};
}

bool has_ended(std::span<const StreamHead> others) {
  for (const StreamHead& other : others) {
    if (other.state == State::kEnded) return true;
  }
  return false;
}

// The tolerance of streams whose pace is not known.
constexpr std::int64_t kToleranceWithoutPace = 20'000'000;

}  // namespace

void StreamPace::see(std::int64_t time, double rate) {
  if (rate != rate_) forget();  // the intervals belong to another pace
  rate_ = rate;
  // Ignore backward steps.
  if (last_ && time > *last_) intervals_[count_++ % kIntervals] = time - *last_;
  last_ = time;
}

void StreamPace::forget() { *this = {}; }

std::int64_t StreamPace::tolerance(std::int64_t frame) const {
  if (frame > 0) {
    const double of_rate = static_cast<double>(frame) / std::abs(rate_);
    constexpr double kLongest = 1e18;
    return static_cast<std::int64_t>(std::min(of_rate, kLongest)) / 2;
  }
  if (count_ < kFewest) return kToleranceWithoutPace;
  auto sorted = intervals_;
  const std::size_t count = std::min(count_, kIntervals);
  const auto median = sorted.begin() + static_cast<std::ptrdiff_t>((count - 1) / 2);
  std::nth_element(sorted.begin(), median, sorted.begin() + static_cast<std::ptrdiff_t>(count));
  return *median / 5 * 3;
}

PairingStep next_pairing_step(const PairingRules& rules, const PairingLimits& limits,
                              const StreamHead& main, std::span<const StreamHead> others, Time last,
                              bool deadline, std::span<PairingChoice> choices) {
  const bool all_needed = rules.unpaired == PairingRules::Unpaired::kDropped;
  if (main.state == State::kEnded || (all_needed && has_ended(others))) return {Action::kEnd};
  if (main.state == State::kNothing) return {Action::kWait};
  if (main.state == State::kGap) return {Action::kHandOnGap};
  if (limits.latest) return take_when_all_have_come(others, deadline, choices);

  bool complete = true;
  bool known = true;
  std::size_t missing = 0;
  for (std::size_t i = 0; i < others.size(); ++i) {
    choices[i] = PairingChoice::kNone;
    switch (match(others[i], main.time, limits.tolerance, deadline)) {
      case Match::kUnknown:
        known = false;
        break;
      case Match::kMissing:
        if (complete) missing = i;
        complete = false;
        if (rules.last_before && last && main.time && *main.time - *last <= limits.max_age) {
          choices[i] = PairingChoice::kLast;
        }
        break;
      case Match::kHead:
        choices[i] = PairingChoice::kHead;
        break;
      case Match::kEarly:
        if (others[i].state == State::kGap) return {Action::kSkipGap, i};
        return {rules.last_before ? Action::kRemember : Action::kDropOther, i};
    }
  }
  if (all_needed && !complete) return {Action::kDropMain, missing};
  if (!known) return {Action::kWait};
  const bool wide =
      all_needed && rules.within_each_other && spread_of(main, others) > limits.tolerance;
  return {wide ? Action::kDropSet : Action::kTake};
}

}  // namespace rdp::gst
