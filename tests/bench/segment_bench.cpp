// SPDX-License-Identifier: LGPL-2.1-or-later
// Times of segmenting a frame: the engine on one and on all threads, the scalar reference, and
// OpenCV's approxPolyDP on each column, in one run on the same frames. The engine's result must
// first equal the reference's.
//
// Frames: the available ones of RDPSEGMENT_TEST_DATA, and generated ones. approxPolyDP gets the
// known samples as points (row, value in the unit of epsilon) and the same epsilon. It measures
// distances perpendicular to the line, so its result is only similar.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "common/image/simd.h"
#include "common/rdp/engine.h"
#include "common/rdp/reference.h"
#include "tests/bench/accuracy/accuracy_measure.h"
#include "tests/bench/bench_frames.h"
#include "tests/bench/energy.h"
#include "tests/bench/median.h"
#include "tests/bench/race.h"
#include "tests/support/command_line.h"
#include "tests/support/compare.h"

namespace {

using rdp::bench::BenchFrame;
using rdp::bench::median_of;

constexpr double kEpsilons[] = {2.0, 4.0, 8.0};
constexpr const char* kEngines[] = {"one", "two", "all"};  // threads
// The project's goals for the median over the recorded frames.
constexpr double kGoalReference = 8.0;
constexpr double kGoalOpenCv = 12.0;
constexpr double kGoalTwoThreads = 1.85;

// A frame with a tolerance, and its results (medians, in microseconds).
struct Case {
  const BenchFrame* frame;
  rdp::Parameters parameters;
  std::size_t segments = 0;
  int levels = 0;
  bool recorded = false;
  std::map<std::string, double> time;
};

// The known samples of each column.
std::vector<std::vector<cv::Point>> columns_of(const rdp::reference::Frame& frame,
                                               const rdp::KnownRange& known) {
  std::vector<std::vector<cv::Point>> result(static_cast<std::size_t>(frame.width));
  for (int row = 0; row < frame.height; ++row) {
    for (int column = 0; column < frame.width; ++column) {
      const std::uint16_t value = frame.at(row, column);
      if (known.contains(value)) result[static_cast<std::size_t>(column)].emplace_back(row, value);
    }
  }
  return result;
}

// Times one case, in turns. Preparations (filters for the reference, curves for OpenCV) are not
// timed; the engine's time includes its filters.
void measure(Case* c, int rounds, const std::vector<rdp::Engine*>& engines) {
  const rdp::Parameters& parameters = c->parameters;
  const rdp::DepthView view = c->frame->view();
  const rdp::reference::Frame filtered = rdp::reference::filter(view, parameters);
  const auto known = rdp::segmented_known_range(parameters, view.type);
  const std::int64_t eps256 = rdp::epsilon256(parameters);
  // Levels of Algorithm 1: a leaf is level 1.
  c->levels = rdp::bench::split_levels(filtered.view(), known, eps256).most + 1;
  std::vector<std::vector<cv::Point2f>> curves;
  for (const auto& column : columns_of(filtered, known)) {
    curves.emplace_back();
    for (const cv::Point& p : column) {
      curves.back().emplace_back(static_cast<float>(p.x),
                                 static_cast<float>(p.y * parameters.sample_scale));
    }
  }
  rdp::SegmentList expected;
  rdp::SegmentList got;
  rdp::reference::segment(filtered.view(), known, eps256, &expected);
  c->segments = expected.segment_count();
  std::vector<cv::Point2f> polygon;
  std::vector<rdp::bench::Rival> rivals;
  rivals.push_back(
      {"reference", [&] { rdp::reference::segment(filtered.view(), known, eps256, &expected); }});
  rivals.push_back({"approxPolyDP", [&] {
                      for (const auto& curve : curves) {
                        if (curve.size() < 2) continue;
                        cv::approxPolyDP(curve, polygon, parameters.epsilon, false);
                      }
                    }});
  for (std::size_t i = 0; i < engines.size(); ++i) {
    engines[i]->segment(view, parameters, &got);
    const std::string wrong = rdp::test::difference(expected, got);
    if (!wrong.empty()) {
      std::fprintf(stderr, "%s: the engine and the reference disagree: %s\n",
                   c->frame->name.c_str(), wrong.c_str());
      std::exit(1);
    }
    rivals.push_back({kEngines[i], [&, i] { engines[i]->segment(view, parameters, &got); }});
  }
  // Only wall-clock time covers several threads, so all engines use it.
  for (rdp::bench::Rival& rival : rivals) rival.turns.clock = CLOCK_MONOTONIC;
  rdp::bench::race(rounds, &rivals);
  for (const rdp::bench::Rival& rival : rivals) c->time[rival.name] = 1e3 * rival.turns.median();
}

// Energy per frame of the paper's size, for each engine in turn.
void measure_energy(const std::vector<BenchFrame>& frames, double seconds,
                    const std::vector<rdp::Engine*>& engines) {
  std::vector<const BenchFrame*> tall;
  for (const BenchFrame& frame : frames) {
    if (frame.height == 1024 && frame.parameters.domain == rdp::Domain::kLinear) {
      tall.push_back(&frame);
    }
  }
  std::vector<rdp::bench::EnergySide> sides;
  rdp::SegmentList list;
  std::size_t next = 0;
  for (rdp::Engine* engine : engines) {
    sides.push_back({"engine, " + std::to_string(engine->threads()) + " threads", [&, engine] {
                       const BenchFrame& frame = *tall[next++ % tall.size()];
                       engine->segment(frame.view(), frame.parameters, &list);
                       return 1L;
                     }});
  }
  rdp::bench::run_energy(rdp::bench::cpu_energy(), seconds, "1242x1024, epsilon 4", &sides);
}

void print_table(const std::vector<Case>& cases, unsigned threads, bool csv) {
  const char* separator = csv ? "," : " | ";
  const char* edge = csv ? "" : "| ";
  const auto row = [&](const std::vector<std::string>& cells) {
    std::string line = edge;
    for (const std::string& cell : cells) {
      line += (&cell == &cells.front() ? "" : separator) + cell;
    }
    std::printf("%s%s\n", line.c_str(), csv ? "" : " |");
  };
  const auto number = [](double value, int digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return std::string(text);
  };
  std::printf("%sSIMD %s, %u threads in all; times in us, medians\n\n", csv ? "# " : "",
              rdp::current_simd_target(), threads);
  row({"frame", "size", "epsilon", "levels", "segments a column", "reference", "approxPolyDP",
       "engine 1 thread", "2 threads", "all threads", "reference / engine", "approxPolyDP / engine",
       "1 / 2 threads"});
  if (!csv) std::printf("|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Case& c : cases) {
    const auto at = [&](const char* rival) { return c.time.at(rival); };
    row({csv ? "\"" + c.frame->name + "\"" : c.frame->name,
         std::to_string(c.frame->width) + "x" + std::to_string(c.frame->height),
         number(c.parameters.epsilon, 0), std::to_string(c.levels),
         number(static_cast<double>(c.segments) / c.frame->width, 1), number(at("reference"), 0),
         number(at("approxPolyDP"), 0), number(at("one"), 0), number(at("two"), 0),
         number(at("all"), 0), number(at("reference") / at("one"), 1),
         number(at("approxPolyDP") / at("one"), 1), number(at("one") / at("two"), 2)});
  }
}

void print_goals(const std::vector<Case>& cases, bool recorded) {
  std::vector<double> reference;
  std::vector<double> opencv;
  std::vector<double> two;
  for (const Case& c : cases) {
    // The goals apply to the paper's task: disparity, in the two sizes of its street scenes.
    if (c.recorded != recorded || c.parameters.domain != rdp::Domain::kLinear ||
        c.frame->width < 1000) {
      continue;
    }
    reference.push_back(c.time.at("reference") / c.time.at("one"));
    opencv.push_back(c.time.at("approxPolyDP") / c.time.at("one"));
    two.push_back(c.time.at("one") / c.time.at("two"));
  }
  if (reference.empty()) return;
  std::printf(
      "\nMedians over %zu %s cases: %.1f times the reference (goal %.0f), %.1f times approxPolyDP "
      "(goal %.0f), two threads %.2f times one (goal %.2f)\n",
      reference.size(), recorded ? "recorded" : "made", median_of(reference), kGoalReference,
      median_of(opencv), kGoalOpenCv, median_of(two), kGoalTwoThreads);
}

}  // namespace

int main(int argc, char** argv) {
  bool csv = false;
  bool quick = false;
  int rounds = 21;
  double energy = 0;
  std::string part;
  rdp::test::CommandLine line("How long the segmentation of a frame takes.",
                              "Recorded frames are in the folder of RDPSEGMENT_TEST_DATA.");
  line.flag("csv", &csv, "prints the table as CSV");
  line.flag("quick", &quick, "once each on a few frames, of one epsilon: the times mean nothing");
  line.number("rounds", &rounds, {1, 100000}, "turns that each has (default 21)");
  line.word("frames", &part, "only frames whose names have this part", "PART");
  line.number("energy", &energy,
              "joules a frame instead of times: for so long each engine, 20 or more", "SECONDS");
  line.read(argc, argv);
  if (quick) rounds = 1;
  cv::setNumThreads(1);

  std::vector<BenchFrame> frames = rdp::bench::recorded_frames();
  const std::size_t recorded = frames.size();
  for (BenchFrame& frame : rdp::bench::made_frames()) frames.push_back(std::move(frame));
  if (quick) frames.erase(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(recorded));
  if (quick) frames.resize(3);

  rdp::Engine one(1);
  rdp::Engine two(2);
  rdp::Engine all(0);
  if (energy > 0) {
    measure_energy(frames, energy, {&one, &all});
    return 0;
  }
  std::vector<Case> cases;
  for (const BenchFrame& frame : frames) {
    if (frame.name.find(part) == std::string::npos) continue;
    for (const double epsilon : kEpsilons) {
      if (quick && epsilon != kEpsilons[0]) continue;
      Case& c = cases.emplace_back(Case{&frame, frame.parameters});
      c.parameters.epsilon = epsilon;
      c.recorded = !quick && static_cast<std::size_t>(&frame - frames.data()) < recorded;
      measure(&c, rounds, {&one, &two, &all});
      std::fprintf(stderr, "%s, epsilon %g: %.0f us\n", frame.name.c_str(), epsilon, c.time["one"]);
    }
  }
  print_table(cases, all.threads(), csv);
  print_goals(cases, true);
  print_goals(cases, false);
  return 0;
}
