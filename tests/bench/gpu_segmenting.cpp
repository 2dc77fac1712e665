// SPDX-License-Identifier: LGPL-2.1-or-later
// The measurements of the segmentation without merging.
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/content_change.h"
#include "tests/bench/gpu_experiments.h"

namespace rdp::bench {
void Experiments::frames() {
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
        differs = std::to_string(judgement.differing) + " of " + std::to_string(judgement.vertices);
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

std::vector<const BenchFrame*> Experiments::typical() const {
  std::vector<const BenchFrame*> result;
  for (const char* name : {"street", "000008 scaled", "kitti2015_000046_10_3way scaled",
                           "disparity scaled", "street, noisy", "noise"}) {
    for (const BenchFrame& frame : frames_) {
      if (frame.name == name && frame.height == 1024 && chosen(frame)) result.push_back(&frame);
    }
  }
  return result;
}

void Experiments::growth() {
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
      record("growth", frame->name, &q, "cpu", measure_.cpu(q, &engine_));
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

std::vector<const BenchFrame*> Experiments::batched() const {
  std::vector<const BenchFrame*> result;
  for (const BenchFrame& frame : frames_) {
    const bool native = frame.name == "street" || frame.name == "kitti2015_000046_10_3way";
    if (chosen(frame) && (frame.height == 1024 || native)) result.push_back(&frame);
  }
  return result;
}

void Experiments::batches() {
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

double Experiments::bandwidth_share(const Question& q, const Result& result) const {
  const double rate =
      static_cast<double>(q.frame_bytes() + q.result_bytes()) / (result.microseconds * 1e-6);
  return 100 * rate / copy_bandwidth_;
}

const BenchFrame* Experiments::find(const std::string& name, int height) const {
  for (const BenchFrame& frame : frames_) {
    if (frame.name == name && frame.height == height && chosen(frame)) return &frame;
  }
  return nullptr;
}

void Experiments::changes() {
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
          record("change", from->name + " to " + to->name, &after, "frame " + std::to_string(i + 1),
                 {frames[i].microseconds, kChanges}, frames[i].used_queues ? 1 : 0);
          cells.push_back(text(frames[i].microseconds, 2) + (frames[i].used_queues ? " q" : ""));
        }
        table.row(cells);
      }
    }
  }
}

void Experiments::hard() {
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
               text(ours.microseconds) + (ours.used_queues ? " q" : ""), text(queues.microseconds),
               text(ours.microseconds / queues.microseconds, 2), text(paper.microseconds),
               text(paper.microseconds / ours.microseconds), text(cpu.microseconds, 0),
               text(cpu.microseconds / ours.microseconds)});
  }
  std::printf("(%zu patterns were tried)\n\nThe worst of them at other sizes, in us\n",
              ranking.size());
  const Table sizes({"pattern", "size", "ours"});
  for (const auto& [width, height] :
       {std::pair{1242, 256}, {1242, 512}, {1242, 2048}, {1242, 4096}, {264, 8192}, {264, 16384}}) {
    if (options_.quick && height > 1024) break;
    const BenchFrame frame = hard_frame(ranking.front().second, width, height);
    const Question q(frame, 0);
    const Result ours = measure_.segmenter(q);
    record("hard", frame.name, &q, "ours", ours);
    sizes.row({frame.name, size_of(frame), text(ours.microseconds)});
  }
}

}  // namespace rdp::bench
