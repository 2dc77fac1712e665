// SPDX-License-Identifier: LGPL-2.1-or-later
// The engine, at every SIMD target, equals the scalar reference. The reference's segments obey
// their documented rules, which are checked here independently from the samples.
#include "common/rdp/engine.h"
#include "common/image/simd.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "tests/fuzz/fuzz_frame.h"

namespace rdp {
namespace {

using test::TestFrame;

// Every valid row of a column belongs to a segment, within the tolerance.
void check_column(const reference::Frame& frame, const KnownRange& known, const SegmentRules& rules,
                  std::span<const Segment> segments, int column) {
  std::size_t s = 0;
  int before = -1;  // the last known row
  const auto is_known = [&](int row) { return known.contains(frame.at(row, column)); };
  for (int row = 0; row < frame.view().height; ++row) {
    if (!is_known(row)) continue;
    const bool gap = before >= 0 && rules.max_gap > 0 && row - before - 1 > rules.max_gap;
    // Segment of the row: with plain segments, the upper one of two that meet there.
    if (s < segments.size() && before >= 0 && before >= segments[s].last_row) ++s;
    FUZZ_CHECK(s < segments.size(), "column %d: row %d is known and in no segment", column, row);
    const Segment& segment = segments[s];
    FUZZ_CHECK(segment.first_row <= row && row <= segment.last_row,
               "column %d: row %d is not in [%u, %u]", column, row, segment.first_row,
               segment.last_row);
    FUZZ_CHECK(is_known(segment.first_row) && is_known(segment.last_row),
               "column %d: [%u, %u] ends in an unknown row", column, segment.first_row,
               segment.last_row);
    FUZZ_CHECK(!gap || segment.first_row == row, "column %d: [%u, %u] bridges more than max-gap",
               column, segment.first_row, segment.last_row);
    before = row;
    if (rules.refine) continue;
    const std::int64_t length = segment.last_row - segment.first_row;
    const auto first = static_cast<std::int64_t>(segment.first_value);
    const auto last = static_cast<std::int64_t>(segment.last_value);
    const std::int64_t sample = frame.at(row, column);
    const std::int64_t off = (last - first) * (row - segment.first_row) - (sample - first) * length;
    FUZZ_CHECK(std::abs(off) * 256 <= rules.epsilon256 * length,
               "column %d: row %d is farther from [%u, %u] than the tolerance", column, row,
               segment.first_row, segment.last_row);
    if (length == 0)
      FUZZ_CHECK(first == sample, "column %d: row %d has another value", column, row);
  }
  FUZZ_CHECK(segments.empty() || (s + 1 == segments.size() && segments[s].last_row == before),
             "column %d has segments below its last known row %d", column, before);
  for (std::size_t i = 1; i < segments.size(); ++i) {
    const int step = segments[i].first_row - segments[i - 1].last_row;
    FUZZ_CHECK(rules.plain() ? step == 0 : step >= (rules.refine ? 1 : 0),
               "column %d: segment %zu starts %d rows below the one before", column, i, step);
  }
}

// The smoothed frame is no farther from the samples than the tolerance and half a step.
void check_error(const DepthView& before, const DepthView& after, const Parameters& parameters) {
  const KnownRange known = segmented_known_range(parameters, before.type);
  for (int r = 0; r < before.height; ++r) {
    for (int c = 0; c < before.width; ++c) {
      const int was = before.at(r, c);
      const int is = after.at(r, c);
      const bool kept =
          known.contains(static_cast<std::uint32_t>(was))
              ? 512 * std::int64_t{std::abs(was - is)} <= 2 * epsilon256(parameters) + 256 &&
                    known.contains(static_cast<std::uint32_t>(is))
              : was == is;
      FUZZ_CHECK(kept, "row %d, column %d was %d and is %d", r, c, was, is);
    }
  }
}

// Engines that have seen other frames before, one for each number of threads.
Engine& used_engine(unsigned threads) {
  static std::map<unsigned, std::unique_ptr<Engine>> engines;
  std::unique_ptr<Engine>& engine = engines[threads];
  if (engine == nullptr) engine = std::make_unique<Engine>(threads);
  return *engine;
}

struct Expected {
  reference::Frame filtered;
  SegmentList segments;
  TestFrame reconstructed;
};

void check_engine(Engine* engine, TestFrame* frame, const Parameters& parameters,
                  Expected* expected, const std::string& target) {
  FUZZ_CHECK(use_simd_target(target), "no target %s", target.c_str());
  static SegmentList segments;
  const TestFrame before(*frame);
  engine->segment(frame->view(), parameters, &segments);
  fuzz::check_same(test::difference(expected->segments, segments), target.c_str());
  FUZZ_CHECK(frame->same_samples(before), "%s wrote into the frame", target.c_str());
  TestFrame reconstructed(*frame);
  engine->reconstruct(reconstructed.view(), parameters, segments);
  fuzz::check_same(test::first_difference(expected->reconstructed.view(), reconstructed.view()),
                   target.c_str());
  FUZZ_CHECK(reconstructed.intact(), "%s wrote between the rows", target.c_str());
}

}  // namespace
}  // namespace rdp

extern "C" int LLVMFuzzerInitialize(int*, char***) { return 0; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rdp;
  fuzz::Input input(data, size);
  const Parameters parameters = fuzz::take_parameters(&input);
  const unsigned threads = input.pick({1U, 2U, 3U, 5U});
  const bool fresh = input.below(16) == 15;
  const unsigned target = input.byte();
  // Two threads are used from 16384 samples on.
  const int samples = input.pick({2000, 2000, 2000, 6000, 40000});
  TestFrame frame = fuzz::take_frame(&input, parameters, kMaxSide, samples);

  Expected expected{reference::filter(frame.view(), parameters), {}, frame};
  const KnownRange known = segmented_known_range(parameters, frame.view().type);
  const SegmentRules rules = segment_rules(parameters);
  reference::segment(expected.filtered.view(), known, rules, &expected.segments);
  for (int c = 0; c < expected.segments.columns(); ++c) {
    check_column(expected.filtered, known, rules, expected.segments.column(c), c);
  }
  reference::reconstruct(expected.filtered, expected.segments, parameters,
                         expected.reconstructed.view());
  const bool as_it_came = parameters.domain == Domain::kLinear &&
                          parameters.median == Median::kNone && parameters.column_width == 1;
  if (as_it_came && !rules.refine) {
    check_error(frame.view(), expected.reconstructed.view(), parameters);
  }

  const std::vector<std::string> targets = simd_targets();
  std::unique_ptr<Engine> own;
  if (fresh) own = std::make_unique<Engine>(threads);
  Engine& engine = fresh ? *own : used_engine(threads);
  const bool all = frame.view().width * frame.view().height < 1500;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    if (!all && t != target % targets.size()) continue;
    check_engine(&engine, &frame, parameters, &expected, targets[t]);
  }
  use_simd_target("");
  return 0;
}
