// SPDX-License-Identifier: LGPL-2.1-or-later
// The pairing rule alone, on streams given as lists of times.
#include "gst/elements/base/pairing_rule.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

namespace {

using namespace rdp::gst;
using Action = PairingStep::Action;
using State = StreamHead::State;

constexpr PairingRules kBoth{PairingRules::Unpaired::kDropped, false};
constexpr PairingRules kGoesOn{PairingRules::Unpaired::kGoesOn, false};
constexpr PairingRules kLast{PairingRules::Unpaired::kGoesOn, true};
constexpr PairingRules kNarrow{.within_each_other = true};
constexpr PairingLimits kLimits{.tolerance = 10, .max_age = 100};

StreamHead at(std::int64_t time) { return {State::kBuffer, time, 0}; }
StreamHead without_time() { return {State::kBuffer, std::nullopt, 0}; }
StreamHead gap(std::int64_t time, std::int64_t end) { return {State::kGap, time, end}; }
constexpr StreamHead kNothing{};
constexpr StreamHead kEnded{State::kEnded, std::nullopt, 0};

struct Decision {
  PairingStep step;
  std::vector<PairingChoice> choices;
};

Decision decide(const PairingRules& rules, const StreamHead& main, std::vector<StreamHead> others,
                std::optional<std::int64_t> last = std::nullopt, bool deadline = false) {
  Decision result;
  result.choices.resize(others.size());
  result.step =
      rdp::gst::next_pairing_step(rules, kLimits, main, others, last, deadline, result.choices);
  return result;
}

Action action(const PairingRules& rules, const StreamHead& main, const StreamHead& other,
              std::optional<std::int64_t> last = std::nullopt, bool deadline = false) {
  return decide(rules, main, {other}, last, deadline).step.action;
}

PairingChoice choice(const PairingRules& rules, const StreamHead& main, const StreamHead& other,
                     std::optional<std::int64_t> last = std::nullopt, bool deadline = false) {
  const Decision decision = decide(rules, main, {other}, last, deadline);
  EXPECT_EQ(decision.step.action, Action::kTake);
  return decision.choices[0];
}

// A whole stream, as the adapter sees it: each list is popped from the front. A pair is written as
// "t:other ", a main buffer without partner as "t:- ".
std::string run(const PairingRules& rules, std::deque<StreamHead> main,
                std::deque<StreamHead> other, int* dropped = nullptr) {
  std::string result;
  std::optional<std::int64_t> last;
  const auto head = [](const std::deque<StreamHead>& s) { return s.empty() ? kEnded : s.front(); };
  for (int steps = 0; steps < 1000; ++steps) {
    const Decision decision = decide(rules, head(main), {head(other)}, last);
    switch (decision.step.action) {
      case Action::kWait:
        return result + "waits";
      case Action::kEnd:
        return result + "end";
      case Action::kDropMain:
        main.pop_front();
        break;
      case Action::kDropSet:
        main.pop_front();
        other.pop_front();
        break;
      case Action::kHandOnGap:
        result += "gap ";
        main.pop_front();
        break;
      case Action::kRemember:
        last = other.front().time;
        other.pop_front();
        break;
      case Action::kDropOther:
        if (dropped != nullptr) ++*dropped;
        [[fallthrough]];
      case Action::kSkipGap:
        other.pop_front();
        break;
      case Action::kTake: {
        const std::string time = main.front().time ? std::to_string(*main.front().time) : "?";
        main.pop_front();
        std::string partner = "-";
        if (decision.choices[0] == PairingChoice::kLast) partner = std::to_string(*last);
        if (decision.choices[0] == PairingChoice::kHead) {
          last = other.front().time;
          partner = last ? std::to_string(*last) : "?";
          other.pop_front();
        }
        result += time + ":" + partner + " ";
        break;
      }
    }
  }
  return result + "never ends";
}

TEST(PairingRule, TakesTheFirstWithinTheToleranceAtOnce) {
  for (const PairingRules& rules : {kBoth, kGoesOn, kLast}) {
    EXPECT_EQ(choice(rules, at(100), at(90)), PairingChoice::kHead);
    EXPECT_EQ(choice(rules, at(100), at(110)), PairingChoice::kHead);
    // The buffer at 100 is nearer, but behind a tee without queues it arrives only after this one
    // is gone.
    EXPECT_EQ(run(rules, {at(100)}, {at(91), at(100)}), "100:91 end");
  }
}

TEST(PairingRule, DropsBothWays) {
  EXPECT_EQ(action(kBoth, at(100), at(89)), Action::kDropOther);
  EXPECT_EQ(action(kBoth, at(100), at(111)), Action::kDropMain);
  int dropped = 0;
  EXPECT_EQ(
      run(kBoth, {at(0), at(33), at(66), at(100)}, {at(20), at(35), at(50), at(101)}, &dropped),
      "33:35 100:101 end");
  EXPECT_EQ(dropped, 2);
}

TEST(PairingRule, MainGoesOnWithout) {
  EXPECT_EQ(choice(kGoesOn, at(100), at(111)), PairingChoice::kNone);
  EXPECT_EQ(choice(kGoesOn, at(100), kEnded), PairingChoice::kNone);
  EXPECT_EQ(action(kGoesOn, at(100), kNothing), Action::kWait);
  EXPECT_EQ(choice(kGoesOn, at(100), kNothing, {}, true), PairingChoice::kNone);
  EXPECT_EQ(run(kGoesOn, {at(0), at(33), at(66)}, {at(30)}), "0:- 33:30 66:- end");
}

TEST(PairingRule, WaitsForWhatCanStillCome) {
  for (const PairingRules& rules : {kBoth, kGoesOn, kLast}) {
    EXPECT_EQ(action(rules, at(100), kNothing), Action::kWait);
    EXPECT_EQ(action(rules, at(100), kNothing, 60), Action::kWait);
    EXPECT_EQ(action(rules, kNothing, at(100)), Action::kWait);
    EXPECT_EQ(action(rules, kNothing, kNothing), Action::kWait);
  }
  EXPECT_EQ(action(kBoth, at(100), kNothing, {}, true), Action::kDropMain);
}

TEST(PairingRule, WaitsForNothingThatWasPassedOver) {
  StreamHead passed = kNothing;
  passed.passed_over = 100;
  EXPECT_EQ(action(kBoth, at(110), passed), Action::kDropMain);
  EXPECT_EQ(action(kBoth, at(111), passed), Action::kWait);
  EXPECT_EQ(choice(kGoesOn, at(110), passed), PairingChoice::kNone);
}

TEST(PairingRule, EndsWhereNothingCanCome) {
  EXPECT_EQ(action(kBoth, kEnded, at(0)), Action::kEnd);
  EXPECT_EQ(action(kBoth, at(0), kEnded), Action::kEnd);
  EXPECT_EQ(action(kBoth, kNothing, kEnded), Action::kEnd);
  for (const PairingRules& rules : {kGoesOn, kLast}) {
    EXPECT_EQ(action(rules, kEnded, at(0)), Action::kEnd);
    EXPECT_EQ(action(rules, kNothing, kEnded), Action::kWait);
    EXPECT_EQ(action(rules, at(0), kEnded), Action::kTake);
  }
}

TEST(PairingRule, TheLastBeforeUpToItsAge) {
  // The last buffer is used only if no other can come.
  EXPECT_EQ(choice(kLast, at(100), at(111), 0), PairingChoice::kLast);
  EXPECT_EQ(choice(kLast, at(100), kEnded, 0), PairingChoice::kLast);
  EXPECT_EQ(choice(kLast, at(100), kNothing, 0, true), PairingChoice::kLast);
  EXPECT_EQ(choice(kLast, at(101), at(112), 0), PairingChoice::kNone);
  // A buffer within the tolerance has priority.
  EXPECT_EQ(choice(kLast, at(100), at(95), 60), PairingChoice::kHead);
  // A slower stream: each of its buffers is used until the next.
  EXPECT_EQ(run(kLast, {at(0), at(33), at(66), at(100), at(133), at(250)}, {at(0), at(100)}),
            "0:0 33:0 66:0 100:100 133:100 250:- end");
  // A faster stream: buffers in between are skipped.
  EXPECT_EQ(run(kLast, {at(0), at(100), at(200)},
                {at(0), at(33), at(66), at(100), at(133), at(166), at(200)}),
            "0:0 100:100 200:200 end");
  EXPECT_EQ(run(kLast, {at(0), at(100)}, {at(0), at(33), at(66), at(120)}), "0:0 100:66 end");
}

TEST(PairingRule, WithoutTimesInOrderOfArrival) {
  EXPECT_EQ(choice(kBoth, without_time(), at(100)), PairingChoice::kHead);
  EXPECT_EQ(choice(kBoth, at(100), without_time()), PairingChoice::kHead);
  EXPECT_EQ(run(kBoth, {without_time(), without_time()}, {at(5), at(500), at(501)}),
            "?:5 ?:500 end");
  // The age of a buffer without a time is unknown.
  EXPECT_EQ(run(kLast, {without_time(), without_time()}, {without_time()}), "?:? ?:- end");
}

TEST(PairingRule, Gaps) {
  EXPECT_EQ(run(kGoesOn, {at(0), gap(33, 66), at(66)}, {at(0), at(66)}), "0:0 gap 66:66 end");
  // A gap states until when there is no buffer.
  EXPECT_EQ(run(kGoesOn, {at(0), at(33), at(66)}, {gap(0, 50), at(66)}), "0:- 33:- 66:66 end");
  EXPECT_EQ(run(kBoth, {at(0), at(33), at(66)}, {gap(0, 50), at(66)}), "66:66 end");
  EXPECT_EQ(run(kLast, {at(0), at(33), at(66)}, {at(0), gap(33, 66), at(66)}),
            "0:0 33:0 66:66 end");
  // The buffer right after the gap may belong to the main buffer.
  EXPECT_EQ(run(kBoth, {at(60)}, {gap(0, 66), at(66)}), "60:66 end");
  EXPECT_EQ(action(kBoth, at(60), {State::kGap, std::nullopt, 0}), Action::kSkipGap);
}

TEST(PairingRule, SeveralOthers) {
  // The set is complete or cannot become so: no wait for its other members.
  EXPECT_EQ(decide(kBoth, at(100), {at(95), kNothing}).step.action, Action::kWait);
  EXPECT_EQ(decide(kBoth, at(100), {kNothing, at(120)}).step.action, Action::kDropMain);
  EXPECT_EQ(decide(kBoth, at(100), {at(95), kEnded}).step.action, Action::kEnd);
  const Decision early = decide(kBoth, at(100), {at(95), at(50)});
  EXPECT_EQ(early.step.action, Action::kDropOther);
  EXPECT_EQ(early.step.other, 1U);
  const Decision set = decide(kBoth, at(100), {at(95), at(105)});
  EXPECT_EQ(set.step.action, Action::kTake);
  EXPECT_EQ(set.choices, std::vector(2, PairingChoice::kHead));
  const Decision some = decide(kGoesOn, at(100), {at(95), at(120)});
  EXPECT_EQ(some.choices, (std::vector{PairingChoice::kHead, PairingChoice::kNone}));
}

TEST(PairingRule, SetsThatSpreadTooFarAreDroppedWhole) {
  // Both are within the tolerance of the main buffer, which lies between them.
  EXPECT_EQ(decide(kBoth, at(100), {at(94), at(106)}).step.action, Action::kTake);
  EXPECT_EQ(decide(kNarrow, at(100), {at(94), at(106)}).step.action, Action::kDropSet);
  EXPECT_EQ(decide(kNarrow, at(100), {at(106), at(95)}).step.action, Action::kDropSet);
  EXPECT_EQ(decide(kNarrow, at(100), {at(94), at(104)}).step.action, Action::kTake);
  // On one side of the main buffer, the spread is the distance of the farthest.
  EXPECT_EQ(decide(kNarrow, at(100), {at(110), at(101)}).step.action, Action::kTake);
  EXPECT_EQ(decide(kNarrow, at(100), {at(111), at(101)}).step.action, Action::kDropMain);
  EXPECT_EQ(decide(kNarrow, at(100), {at(90), at(99)}).step.action, Action::kTake);
  EXPECT_EQ(decide(kNarrow, at(100), {at(89), at(99)}).step.action, Action::kDropOther);
  // A missing head may still complete the set.
  EXPECT_EQ(decide(kNarrow, at(100), {at(94), kNothing, at(106)}).step.action, Action::kWait);
  EXPECT_EQ(decide(kNarrow, at(100), {at(94), at(200), at(106)}).step.action, Action::kDropMain);
  // Without times, order of arrival decides.
  EXPECT_EQ(decide(kNarrow, without_time(), {at(0), at(500)}).step.action, Action::kTake);
  EXPECT_EQ(decide(kNarrow, at(100), {without_time(), at(95)}).step.action, Action::kTake);
  EXPECT_EQ(run(kNarrow, {at(0), at(100), at(200)}, {at(5), at(109), at(212)}), "0:5 100:109 end");
}

// The default tolerance that a stream asks for after these heads.
std::int64_t tolerance_of(std::vector<std::int64_t> ms, std::int64_t frame_ms = 0,
                          double rate = 1.0) {
  rdp::gst::StreamPace pace;
  for (const std::int64_t time : ms) pace.see(time * 1'000'000, rate);
  const std::int64_t tolerance = pace.tolerance(frame_ms * 1'000'000);
  EXPECT_EQ(tolerance % 1000, 0);
  return tolerance / 1000;
}

TEST(PairingRule, ToleranceOfAStreamsPace) {
  // With a rate: half a frame, in running time.
  EXPECT_EQ(tolerance_of({}, 40), 20'000);
  EXPECT_EQ(tolerance_of({0, 100, 200, 300}, 40), 20'000);
  EXPECT_EQ(tolerance_of({0}, 40, 2.0), 10'000);
  EXPECT_EQ(tolerance_of({0}, 40, -4.0), 5'000);
  // Without a rate: 0.6 of the median interval; 20 ms until there are three intervals.
  EXPECT_EQ(tolerance_of({}), 20'000);
  EXPECT_EQ(tolerance_of({0, 10, 20}), 20'000);
  EXPECT_EQ(tolerance_of({0, 10, 20, 30}), 6'000);
  EXPECT_EQ(tolerance_of({0, 100, 200, 300}), 60'000);
  // A head seen twice and a step backwards are not intervals.
  EXPECT_EQ(tolerance_of({0, 10, 10, 20, 20}), 20'000);
  EXPECT_EQ(tolerance_of({100, 110, 50, 60, 70}), 6'000);
  // A lost frame changes nothing.
  EXPECT_EQ(tolerance_of({0, 10, 20, 50, 60, 90}), 6'000);
  // The last eight intervals count; of 20, 20, 20, 20, 10, 10, 10, 10 the median is the smaller
  // middle one.
  EXPECT_EQ(tolerance_of({0, 20, 40, 60, 80, 100, 110, 120, 130}), 12'000);
  EXPECT_EQ(tolerance_of({0, 20, 40, 60, 80, 100, 110, 120, 130, 140}), 6'000);
}

TEST(PairingRule, ANewRateIsANewPace) {
  rdp::gst::StreamPace pace;
  for (const std::int64_t time : {0, 100, 200, 300}) pace.see(time, 1.0);
  EXPECT_EQ(pace.tolerance(0), 60);
  pace.see(350, 2.0);
  EXPECT_EQ(pace.tolerance(0), 20'000'000);
  for (const std::int64_t time : {400, 450, 500}) pace.see(time, 2.0);
  EXPECT_EQ(pace.tolerance(0), 30);
  pace.forget();
  EXPECT_EQ(pace.tolerance(0), 20'000'000);
}

// If every stream has a head or has ended, a wait would never end.
TEST(PairingRule, NeverWaitsForNothing) {
  const std::vector<StreamHead> heads = {
      at(0),        at(95),         at(100),
      at(500),      without_time(), gap(0, 10),
      gap(90, 200), kEnded,         {State::kGap, std::nullopt, 0}};
  for (const PairingRules& rules : {kBoth, kGoesOn, kLast, kNarrow}) {
    for (const StreamHead& main : heads) {
      for (const StreamHead& a : heads) {
        for (const StreamHead& b : heads) {
          EXPECT_NE(decide(rules, main, {a, b}).step.action, Action::kWait);
        }
      }
    }
    for (const StreamHead& main : {at(100), without_time(), gap(0, 1), kEnded}) {
      EXPECT_NE(action(rules, main, kNothing, {}, true), Action::kWait);
    }
  }
}

}  // namespace
