// SPDX-License-Identifier: LGPL-2.1-or-later
// How long the kernels take, by CUDA events over replays of CUDA graphs. Every result is compared
// with the scalar reference (the medians: with OpenCV) before anything is timed.
// --help has the options.
//
// A time is the median of N replays (51), each of one graph of 24 and more frames one after the
// other, divided by their number. The frames are copies in memory of their own, together more than
// 128 MB, so that none of them is in a cache; "alone" is a graph of a single frame. The
// experiments:
//   frames  the segmentation, compacted, against the kernel with queues, Algorithm 3 of the paper
//           (which has its samples column by column, and leaves one byte for each instead of
//           compacted segments), a floor that reads the frame and writes as many bytes as the
//           result has, an empty launch, and the CPU engine on all threads
//   growth  the same content at heights from 256 to 4096
//   batch   several frames a launch, against the kernel with queues
//   lanes   frames on their way at once, on streams of their own in one graph
//   change  the first frames after the content of a stream has changed
//   phases  a frame without samples, which is only loaded; with an epsilon too large for any split,
//           so that each column is looked at once; and as it is
//   layout  other pitches and alignments
//   hard    frames that were made to be hard; the worst of them at other heights
//   merge   the segmentation with merge=true against the one without
//   fit     merge=true with fit=absolute against the same with fit=squares
//   median  the median filters against a copy of the frame and simpler kernels
// Only where it is named:
//   launches  starts each kernel a few times and times nothing: for gpu_instructions.py
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/bench_frames.h"
#include "tests/bench/content_change.h"
#include "tests/bench/gpu_frames.h"
#include "tests/bench/gpu_goals.h"
#include "tests/bench/gpu_options.h"
#include "tests/bench/gpu_report.h"
#include "tests/bench/median_measure.h"
#include "tests/bench/segment_measure.h"
#include "tests/gpu/extra_driver.h"
#include "tests/support/program_options.h"

namespace rdp::bench {
namespace {

class Bench {
 public:
  Bench(const GpuOptions& options, const std::vector<std::string>& remarks)
      : options_(options),
        csv_(options.csv, remarks),
        timer_(&rivals_),
        measure_(&rivals_, &timer_, options.replays),
        engine_(0) {
    for (BenchFrame& frame : recorded_frames()) frames_.push_back(filtered(std::move(frame)));
    recorded_ = frames_.size();
    for (BenchFrame& frame : made_frames()) frames_.push_back(std::move(frame));
  }

  void run() {
    copy_bandwidth_ = measure_.copy_bytes_a_second();
    const double empty = measure_.empty().microseconds;
    std::printf(
        "copy within the device %.0f GB/s (read and written); an empty launch %.2f us, "
        "alone %.2f us; %u threads of the CPU\n",
        copy_bandwidth_ * 1e-9, empty, measure_.empty_alone().microseconds, engine_.threads());
    record("device", "", nullptr, "copy GB/s", {copy_bandwidth_ * 1e-9, options_.replays});
    record("device", "", nullptr, "empty", {empty, options_.replays});
    if (wanted("frames")) frames();
    if (wanted("growth")) growth();
    if (wanted("batch")) batches();
    if (wanted("lanes")) lanes();
    if (wanted("change")) changes();
    if (wanted("phases")) phases();
    if (wanted("layout")) layouts();
    if (wanted("hard")) hard();
    if (wanted("merge")) merges();
    if (wanted("fit")) fits();
    if (wanted("median")) medians();
    if (options_.named("launches")) launches();
    goals();
  }

 private:
  bool wanted(const char* experiment) const { return options_.wanted(experiment); }

  bool chosen(const BenchFrame& frame) const {
    const bool named = frame.name.find(options_.frames) != std::string::npos;
    if (!options_.quick) return named;
    // One easy and one hard frame of the paper's size.
    return named && frame.height == 1024 && (frame.name == "street" || frame.name == "noise");
  }

  void record(const char* experiment, const std::string& name, const Question* q,
              const std::string& rival, Result result, double value = 0) {
    Record r;
    r.experiment = experiment;
    r.frame = name;
    if (q != nullptr) {
      r.width = q->frame.width;
      r.height = q->frame.height;
      r.epsilon = q->epsilon;
      r.segments_a_column = q->segments_a_column();
    }
    r.rival = rival;
    r.microseconds = result.microseconds;
    r.replays = result.replays;
    r.value = value;
    csv_.write(r);
  }

  static std::string size_of(const BenchFrame& frame) {
    return std::to_string(frame.width) + "x" + std::to_string(frame.height);
  }

  void frames() {
    std::printf("\nEach frame, in us; x: how often it goes into the time of the other\n");
    const Table table({"frame", "size", "eps", "seg/col", "ours", "alone", "queues", "ours/queues",
                       "Alg. 3", "x", "floor", "ours/floor", "CPU", "x", "Alg. 3 differs"});
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      const BenchFrame& frame = frames_[i];
      if (!chosen(frame)) continue;
      for (const double epsilon : options_.epsilons) {
        const Question q(frame, epsilon);
        VertexJudgement judgement;
        const Result ours = measure_.segmenter(q);
        const Result alone = measure_.segmenter_alone(q);
        const Result queues = measure_.segmenter(q, Kernels::kQueues);
        const Result paper = measure_.algorithm3(q, &judgement);
        const Result floor = measure_.floor(q);
        const Result cpu = measure_.cpu(q, &engine_);
        for (const auto& [rival, result] : {std::pair{"ours", ours},
                                            {"ours alone", alone},
                                            {"queues", queues},
                                            {"algorithm 3", paper},
                                            {"floor", floor},
                                            {"cpu", cpu}}) {
          record("frames", frame.name, &q, rival, result, i < recorded_ ? 1 : 0);
        }
        const double x_paper = paper.microseconds / ours.microseconds;
        const double x_cpu = cpu.microseconds / ours.microseconds;
        const double x_floor = ours.microseconds / floor.microseconds;
        std::string differs = "-";
        if (judgement.vertices > 0) {
          differs =
              std::to_string(judgement.differing) + " of " + std::to_string(judgement.vertices);
        }
        table.row({frame.name, size_of(frame), text(epsilon, 0), text(q.segments_a_column()),
                   text(ours.microseconds, 2) + (ours.used_queues ? " q" : ""),
                   text(alone.microseconds, 2), text(queues.microseconds, 2),
                   text(ours.microseconds / queues.microseconds, 2), text(paper.microseconds),
                   text(x_paper), text(floor.microseconds, 2), text(x_floor),
                   text(cpu.microseconds, 0), text(x_cpu), differs});
        if (epsilon != 4) continue;
        goals_.add_against_paper(frame, x_paper);
        if (!wanted("batch")) {
          goals_.add_ratio(frame, 1, ours.microseconds / queues.microseconds);
        }
      }
    }
  }

  // Frames of the paper's size whose content is easy or usual, by name.
  std::vector<const BenchFrame*> typical() const {
    std::vector<const BenchFrame*> result;
    for (const char* name : {"street", "000008 scaled", "kitti2015_000046_10_3way scaled",
                             "disparity scaled", "street, noisy", "noise"}) {
      for (const BenchFrame& frame : frames_) {
        if (frame.name == name && frame.height == 1024 && chosen(frame)) result.push_back(&frame);
      }
    }
    return result;
  }

  void growth() {
    std::printf(
        "\nThe same content at other heights, epsilon 4, in us; x: growth since half the "
        "height (goal: 2.2 at most)\n");
    const Table table(
        {"frame", "height", "seg/col", "ours", "x", "alone", "Alg. 3", "x", "floor", "x"});
    for (const BenchFrame* frame : typical()) {
      double before[3] = {0, 0, 0};
      for (const int height : {256, 512, 1024, 2048, 4096}) {
        const BenchFrame scaled = with_height(*frame, height);
        const Question q(scaled, 4);
        VertexJudgement judgement;
        const Result ours = measure_.segmenter(q);
        const Result alone = measure_.segmenter_alone(q);
        const Result paper = measure_.algorithm3(q, &judgement);
        const Result floor = measure_.floor(q);
        record("growth", frame->name, &q, "ours", ours);
        record("growth", frame->name, &q, "ours alone", alone);
        record("growth", frame->name, &q, "algorithm 3", paper);
        record("growth", frame->name, &q, "floor", floor);
        const auto grown = [&](const Result& now, double* since) {
          const double x = *since > 0 ? now.microseconds / *since : 0;
          *since = now.microseconds;
          return text(x, 2);
        };
        const std::string x_ours = grown(ours, &before[0]);
        const std::string x_paper = grown(paper, &before[1]);
        const std::string x_floor = grown(floor, &before[2]);
        table.row({frame->name, std::to_string(height), text(q.segments_a_column()),
                   text(ours.microseconds, 2), x_ours, text(alone.microseconds, 2),
                   text(paper.microseconds), x_paper, text(floor.microseconds, 2), x_floor});
      }
    }
  }

  // What the paper's size is not: recorded frames as they are.
  std::vector<const BenchFrame*> batched() const {
    std::vector<const BenchFrame*> result;
    for (const BenchFrame& frame : frames_) {
      const bool native = frame.name == "street" || frame.name == "kitti2015_000046_10_3way";
      if (chosen(frame) && (frame.height == 1024 || native)) result.push_back(&frame);
    }
    return result;
  }

  void batches() {
    std::printf(
        "\nSeveral frames a launch, epsilon 4, in us a frame; q: with queues; %%: of the copy's "
        "bandwidth\n");
    const Table table({"frame", "size", "seg/col", "frames", "ours", "queues", "ours/queues", "%"});
    for (const BenchFrame* frame : batched()) {
      const Question q(*frame, 4);
      for (const int count : {1, 8, 32}) {
        const Result ours = measure_.segmenter_batch(q, count);
        const Result queues = measure_.segmenter_batch(q, count, Kernels::kQueues);
        const double share = bandwidth_share(q, ours);
        const std::string frames = " " + std::to_string(count);
        record("batch", frame->name, &q, "ours" + frames, ours, share);
        record("batch", frame->name, &q, "queues" + frames, queues);
        goals_.add_ratio(*frame, count, ours.microseconds / queues.microseconds);
        table.row({frame->name, size_of(*frame), text(q.segments_a_column()), std::to_string(count),
                   text(ours.microseconds, 2) + (ours.used_queues ? " q" : ""),
                   text(queues.microseconds, 2), text(ours.microseconds / queues.microseconds, 2),
                   text(share)});
      }
    }
  }

  // In percent of what a large copy reaches.
  double bandwidth_share(const Question& q, const Result& result) const {
    const double rate =
        static_cast<double>(q.frame_bytes() + q.result_bytes()) / (result.microseconds * 1e-6);
    return 100 * rate / copy_bandwidth_;
  }

  void lanes() {
    std::printf(
        "\nFrames on their way at once, epsilon 4; %% of the copy's bandwidth: bytes of frame and "
        "result (goal on easy frames: 25)\n");
    const Table table({"frame", "size", "lanes", "us", "%"});
    for (const BenchFrame* frame : typical()) {
      const Question q(*frame, 4);
      for (const int count : {1, 2, 4, 8, 16, 32}) {
        const Result result = measure_.segmenter_lanes(q, count);
        const double share = bandwidth_share(q, result);
        record("lanes", frame->name, &q, "lanes " + std::to_string(count), result, share);
        table.row({frame->name, size_of(*frame), std::to_string(count),
                   text(result.microseconds, 2), text(share)});
      }
    }
  }

  // Frames of that name and height.
  const BenchFrame* find(const std::string& name, int height) const {
    for (const BenchFrame& frame : frames_) {
      if (frame.name == name && frame.height == height && chosen(frame)) return &frame;
    }
    return nullptr;
  }

  void changes() {
    constexpr int kFrames = 4;
    constexpr int kChanges = 15;
    std::printf(
        "\nThe first frames after a change of content, 1242x1024, epsilon 4, in us; the host waits "
        "for each; q: with queues\n");
    const Table table({"from", "to", "frame 1", "frame 2", "frame 3", "frame 4"});
    for (const char* hard_name : {"noise", "alternating extremes"}) {
      for (const char* name : {"street", "kitti2015_000046_10_3way scaled"}) {
        const BenchFrame* const usual = find(name, 1024);
        const BenchFrame* const hard = find(hard_name, 1024);
        if (usual == nullptr || hard == nullptr) continue;
        for (const auto& [from, to] : {std::pair{usual, hard}, {hard, usual}}) {
          const Question before(*from, 4);
          const Question after(*to, 4);
          const std::vector<ChangedFrame> frames =
              measure_change(before, after, timer_, kFrames, kChanges);
          std::vector<std::string> cells{from->name, to->name};
          for (std::size_t i = 0; i < frames.size(); ++i) {
            record("change", from->name + " to " + to->name, &after,
                   "frame " + std::to_string(i + 1), {frames[i].microseconds, kChanges},
                   frames[i].used_queues ? 1 : 0);
            cells.push_back(text(frames[i].microseconds, 2) + (frames[i].used_queues ? " q" : ""));
          }
          table.row(cells);
        }
      }
    }
  }

  // A frame in the steps of its way: each question takes in what those before take.
  struct Phase {
    const char* name;
    BenchFrame frame;
    double epsilon;
  };
  static std::vector<Phase> phases_of(const BenchFrame& frame) {
    const double too_large = 65536 * frame.parameters.sample_scale;
    return {{"load", without_samples(frame), 4}, {"one look", frame, too_large}, {"all", frame, 4}};
  }

  static constexpr std::pair<Kernels, const char*> kBoth[] = {{Kernels::kWarps, "warps"},
                                                              {Kernels::kQueues, "queues"}};

  void phases() {
    std::printf(
        "\nPhases, in us a frame: loaded only, with one look at each column, and all at epsilon "
        "4\n");
    const Table table(
        {"frame", "size", "kernel", "frames", "floor, read", "load", "one look", "floor", "all"});
    for (const BenchFrame& frame : frames_) {
      if (!chosen(frame) || (!is_judged(frame) && frame.name != "street")) continue;
      const std::vector<Phase> steps = phases_of(frame);
      std::vector<Question> questions;
      for (const Phase& step : steps) questions.emplace_back(step.frame, step.epsilon);
      const Result read = measure_.floor(questions.front());
      const Result floor = measure_.floor(questions.back());
      record("phases", frame.name, &questions.back(), "floor, read", read);
      record("phases", frame.name, &questions.back(), "floor", floor);
      for (const auto& [kernels, kernel] : kBoth) {
        for (const int count : {1, 32}) {
          std::vector<std::string> times;
          for (std::size_t i = 0; i < steps.size(); ++i) {
            const Result result = measure_.segmenter_batch(questions[i], count, kernels);
            record("phases", frame.name, &questions.back(),
                   std::string(kernel) + " " + std::to_string(count) + " " + steps[i].name, result);
            times.push_back(text(result.microseconds, 2));
          }
          table.row({frame.name, size_of(frame), kernel, std::to_string(count),
                     text(read.microseconds, 2), times[0], times[1], text(floor.microseconds, 2),
                     times[2]});
        }
      }
    }
  }

  // `value` of a record is the number of the first of its kernels, counted from 0 over all kernels
  // of the segmentation that this program starts, and `replays` is how many there are.
  void launches() {
    std::printf("\nKernels that were started: nothing is timed\n");
    const Table table({"frame", "size", "case", "frames", "first", "kernels"});
    int started = 0;
    const auto launch = [&](const BenchFrame& frame, const Question& q, const std::string& name,
                            Kernels kernels, int count) {
      const SegmentMeasure::Launches l = measure_.launches(q, count, kernels);
      started += l.all;
      const int first = started - l.last;
      record("launches", frame.name, &q, name + " " + std::to_string(count), {0, l.last}, first);
      table.row({frame.name, size_of(frame), name, std::to_string(count), std::to_string(first),
                 std::to_string(l.last)});
    };
    for (const BenchFrame& frame : launched()) {
      const Question split(frame, 4);
      const Question merged(frame, 4, true);
      const std::vector<Phase> steps = phases_of(frame);
      for (const int count : {1, 32}) {
        for (const auto& [kernels, kernel] : kBoth) launch(frame, split, kernel, kernels, count);
        launch(frame, merged, "merge", Kernels::kChosen, count);
        if (is_hard(frame)) continue;
        for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
          const Question q(steps[i].frame, steps[i].epsilon);
          for (const auto& [kernels, kernel] : kBoth) {
            launch(frame, q, std::string(kernel) + ", " + steps[i].name, kernels, count);
          }
        }
      }
    }
  }

  // What instructions are counted of: also at the heights that cameras have.
  std::vector<BenchFrame> launched() const {
    std::vector<BenchFrame> result;
    for (const BenchFrame& frame : frames_) {
      if (!chosen(frame)) continue;
      const bool made = frame.height == 1024 && (frame.name == "street" || is_hard(frame));
      if (!is_judged(frame) && !made) continue;
      result.push_back(frame);
      if (frame.name != "kitti2015_000046_10_3way scaled" && frame.name != "street") continue;
      for (const int height : {480, 720}) result.push_back(with_height(frame, height));
    }
    return result;
  }

  void goals() {
    const std::vector<Goal> goals = goals_.all();
    if (goals.empty()) return;
    std::printf("\nAgainst the goals, epsilon 4\n");
    const Table table({"what", "goal", "measured", ""});
    for (const Goal& goal : goals) {
      const std::string limit = (goal.at_least ? ">= " : "<= ") + text(goal.limit, 2);
      const char* const verdict = goal.is_reached() ? "reached" : "missed";
      record("goals", goal.text, nullptr, limit + ", " + verdict, {0, 1}, goal.measured);
      table.row({goal.text, limit, text(goal.measured, 2), verdict});
    }
  }

  void layouts() {
    std::printf("\nOther layouts, epsilon 4, in us\n");
    const Table table({"frame", "pitch 512 n", "tight", "2 bytes off", "odd pitch"});
    for (const BenchFrame* frame : typical()) {
      const Question q(*frame, 4);
      const std::int64_t row = std::int64_t{frame->width} * 2;
      const Result aligned = measure_.segmenter(q);
      const Result tight = measure_.segmenter(q, Kernels::kChosen, row);
      const Result off = measure_.segmenter(q, Kernels::kChosen, 0, 2);
      const Result odd = measure_.segmenter(q, Kernels::kChosen, row + 2 + (row / 2) % 2 * 4);
      record("layout", frame->name, &q, "aligned", aligned);
      record("layout", frame->name, &q, "tight", tight);
      record("layout", frame->name, &q, "2 bytes off", off);
      record("layout", frame->name, &q, "odd pitch", odd);
      table.row({frame->name, text(aligned.microseconds, 2), text(tight.microseconds, 2),
                 text(off.microseconds, 2), text(odd.microseconds, 2)});
    }
  }

  void hard() {
    constexpr std::size_t kShown = 12;
    constexpr int kWidth = 1242;
    std::printf("\nFrames made to be hard, 1242x1024, epsilon 0: the worst, in us\n");
    const Table table(
        {"pattern", "seg/col", "ours", "queues", "ours/queues", "Alg. 3", "x", "CPU", "x"});
    const SegmentMeasure quick(&rivals_, &timer_, 7);
    std::vector<std::pair<double, std::string>> ranking;
    for (const BenchFrame& frame : hard_frames(kWidth, 1024)) {
      if (options_.quick && ranking.size() > 4) break;
      const Question q(frame, 0);
      const Result result = quick.segmenter(q);
      record("search", frame.name, &q, "ours", result);
      ranking.emplace_back(result.microseconds, frame.name);
    }
    std::sort(ranking.rbegin(), ranking.rend());
    for (std::size_t i = 0; i < std::min(ranking.size(), kShown); ++i) {
      const BenchFrame frame = hard_frame(ranking[i].second, kWidth, 1024);
      const Question q(frame, 0);
      VertexJudgement judgement;
      const Result ours = measure_.segmenter(q);
      const Result paper = measure_.algorithm3(q, &judgement);
      const Result cpu = measure_.cpu(q, &engine_);
      const Result queues = measure_.segmenter(q, Kernels::kQueues);
      record("hard", frame.name, &q, "ours", ours);
      record("hard", frame.name, &q, "queues", queues);
      record("hard", frame.name, &q, "algorithm 3", paper);
      record("hard", frame.name, &q, "cpu", cpu);
      table.row({frame.name, text(q.segments_a_column()),
                 text(ours.microseconds) + (ours.used_queues ? " q" : ""),
                 text(queues.microseconds), text(ours.microseconds / queues.microseconds, 2),
                 text(paper.microseconds), text(paper.microseconds / ours.microseconds),
                 text(cpu.microseconds, 0), text(cpu.microseconds / ours.microseconds)});
    }
    std::printf("(%zu patterns were tried)\n\nThe worst of them at other sizes, in us\n",
                ranking.size());
    const Table sizes({"pattern", "size", "ours"});
    for (const auto& [width, height] : {std::pair{1242, 256},
                                        {1242, 512},
                                        {1242, 2048},
                                        {1242, 4096},
                                        {264, 8192},
                                        {264, 16384}}) {
      if (options_.quick && height > 1024) break;
      const BenchFrame frame = hard_frame(ranking.front().second, width, height);
      const Question q(frame, 0);
      const Result ours = measure_.segmenter(q);
      record("hard", frame.name, &q, "ours", ours);
      sizes.row({frame.name, size_of(frame), text(ours.microseconds)});
    }
  }

  void fits() {
    std::puts(
        "\nWith merge=true and fit=absolute against fit=squares, in us; x: how many times as long "
        "(goal: 1.3 at most):");
    const Table table({"frame", "size", "eps", "seg/col", "absolute", "squares", "x"});
    for (const BenchFrame& frame : frames_) {
      if (!chosen(frame)) continue;
      for (const double epsilon : options_.epsilons) {
        const Question squares(frame, epsilon, true);
        const Question absolute(frame, epsilon, true, Fit::kAbsolute);
        const Result before = measure_.segmenter(squares);
        const Result after = measure_.segmenter(absolute);
        record("fit", frame.name, &squares, "squares", before);
        record("fit", frame.name, &absolute, "absolute", after);
        table.row({frame.name, size_of(frame), text(epsilon, 2), text(squares.segments_a_column()),
                   text(after.microseconds, 2), text(before.microseconds, 2),
                   text(after.microseconds / before.microseconds, 2)});
      }
    }
  }

  void merges() {
    std::printf(
        "\nWith merge=true, in us; %%: what it adds to the segmentation (goal: 60 at most on "
        "typical "
        "frames)\n");
    const Table table({"frame", "size", "eps", "seg/col", "merged", "merge", "alone", "split", "%",
                       "CPU merge", "x"});
    for (const BenchFrame& frame : frames_) {
      if (!chosen(frame)) continue;
      for (const double epsilon : options_.epsilons) {
        const Question split(frame, epsilon);
        const Question merged(frame, epsilon, true);
        const Result without = measure_.segmenter(split);
        const Result with = measure_.segmenter(merged);
        const Result alone = measure_.segmenter_alone(merged);
        const Result cpu = measure_.cpu(merged, &engine_);
        const double more = 100 * (with.microseconds / without.microseconds - 1);
        if (epsilon == 4) goals_.add_merge(frame, with.microseconds / without.microseconds);
        record("merge", frame.name, &merged, "split", without);
        record("merge", frame.name, &merged, "merge", with, more);
        record("merge", frame.name, &merged, "merge alone", alone);
        record("merge", frame.name, &merged, "cpu", cpu);
        table.row({frame.name, size_of(frame), text(epsilon, 0), text(split.segments_a_column()),
                   text(merged.segments_a_column()), text(with.microseconds, 2),
                   text(alone.microseconds, 2), text(without.microseconds, 2), text(more, 0),
                   text(cpu.microseconds, 0), text(cpu.microseconds / with.microseconds)});
      }
    }
  }

  void medians() {
    std::printf(
        "\nMedians, in us a frame; %%: of the bandwidth of a large copy (goal at 3x3: 70); "
        "equal to cv::medianBlur\n");
    const Table table(
        {"frame", "bits", "lanes", "3x3", "%", "5x5", "%", "1 sample a thread", "2", "copy", "%"});
    for (const BenchFrame& source : frames_) {
      if (source.name != "street, noisy" || source.height != 1024) continue;
      for (const int height : {375, 1024, 4096, 16384}) {
        if (options_.quick && height != 1024) continue;
        const BenchFrame frame = with_height(source, height);
        for (const SampleType type : {SampleType::kU16, SampleType::kU8}) {
          for (const int lanes : {1, 8, 32}) {
            if (lanes > 1 && height > 1024) continue;
            median_row(table, frame,
                       measure_medians(frame, type, lanes, rivals_, timer_, options_.replays));
          }
        }
      }
    }
  }

  void median_row(const Table& table, const BenchFrame& frame, const MedianTimes& t) {
    const double bytes = 2.0 * t.width * t.height * t.sample_bytes;
    const auto share = [&](double microseconds) {
      return microseconds == 0 ? 0 : 100 * bytes / (microseconds * 1e-6) / copy_bandwidth_;
    };
    const std::string bits = std::to_string(8 * t.sample_bytes);
    for (const auto& [rival, time] : {std::pair{"3x3", t.ours3},
                                      {"5x5", t.ours5},
                                      {"one sample", t.one_sample},
                                      {"two samples", t.two_samples},
                                      {"copy", t.copy}}) {
      Record r{"median",
               bits + " bits, lanes " + std::to_string(t.lanes),
               t.width,
               t.height,
               0,
               0,
               rival,
               time,
               time > 0 ? options_.replays : 0,
               share(time)};
      csv_.write(r);
    }
    table.row({size_of(frame), bits, std::to_string(t.lanes), text(t.ours3, 2),
               text(share(t.ours3)), text(t.ours5, 2), text(share(t.ours5)), text(t.one_sample, 2),
               text(t.two_samples, 2), text(t.copy, 2), text(share(t.copy))});
  }

  const GpuOptions options_;
  CsvFile csv_;
  const Rivals rivals_;
  const GraphTimer timer_;
  const SegmentMeasure measure_;
  Engine engine_;
  Goals goals_;
  std::vector<BenchFrame> frames_;
  std::size_t recorded_ = 0;
  double copy_bandwidth_ = 0;
};

// The machine, the day and the command.
std::vector<std::string> remarks_of(const std::vector<std::string>& command) {
  char name[256] = "";
  CUdevice device = 0;
  int version = 0;
  cuda::check(cuda::driver().cuCtxGetDevice(&device), "asking for the device");
  cuda::check(cuda::driver().cuDeviceGetName(name, sizeof name, device), "asking for its name");
  cuda::check(cuda::driver().cuDriverGetVersion(&version), "asking for the driver's version");
  const int clock = cuda::current_device_attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  const int units = cuda::current_device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  const int cache = cuda::current_device_attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  char day[32] = "";
  const std::time_t now = std::time(nullptr);
  std::strftime(day, sizeof day, "%Y-%m-%d", std::gmtime(&now));
  std::string line;
  for (const std::string& word : command) {
    line += (line.empty() ? "" : " ") + word.substr(line.empty() ? word.rfind('/') + 1 : 0);
  }
  return {std::string(name) + ", " + std::to_string(units) + " multiprocessors, up to " +
              std::to_string(clock / 1000) + " MHz, " + std::to_string(cache >> 20) +
              " MB of second-level cache, driver for CUDA " + std::to_string(version / 1000) + "." +
              std::to_string(version % 1000 / 10),
          std::string(day) + ", " + line};
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) {
  using namespace rdp;
  const std::vector<std::string> command(argv, argv + argc);
  const bench::GpuOptions options = bench::read_gpu_options(argc, argv);
  std::string reason;
  if (cuda::load_driver(&reason) == nullptr || cuda::device_count() == 0) {
    std::printf("skipped: %s\n", reason.empty() ? "no CUDA device" : reason.c_str());
    return 77;
  }
  if (test::extra_driver() == nullptr) {
    std::printf("skipped: the NVIDIA driver has no CUDA graphs (CUDA 11.4)\n");
    return 77;
  }
  try {
    const cuda::PrimaryContext context(options.device);
    const cuda::ContextScope scope(context.get());
    const std::vector<std::string> remarks = bench::remarks_of(command);
    for (const std::string& remark : remarks) std::printf("%s\n", remark.c_str());
    bench::Bench(options, remarks).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
