// SPDX-License-Identifier: LGPL-2.1-or-later
// The measurements of merging, fitting and filtering.
#include <cstdio>
#include <string>
#include <utility>

#include "tests/bench/gpu_experiments.h"

namespace rdp::bench {

void Experiments::fits() {
  std::puts(
      "\nWith merge=true and fit=absolute, and with merge-bounded=true, against merge=true alone, "
      "in us; x: how many times as long (goal: 1.3 at most):");
  const Table table(
      {"frame", "size", "eps", "seg/col", "absolute", "squares", "x", "bounded", "x"});
  for (const BenchFrame& frame : frames_) {
    if (!chosen(frame)) continue;
    for (const double epsilon : options_.epsilons) {
      const Question squares(frame, epsilon, true);
      const Question absolute(frame, epsilon, true, Fit::kAbsolute);
      const Result before = measure_.segmenter(squares);
      const Question bounded(frame, epsilon, true, Fit::kSquares, true);
      const Result after = measure_.segmenter(absolute);
      const Result within = measure_.segmenter(bounded);
      record("fit", frame.name, &squares, "squares", before);
      record("fit", frame.name, &absolute, "absolute", after);
      record("fit", frame.name, &bounded, "bounded", within);
      table.row({frame.name, size_of(frame), text(epsilon, 2), text(squares.segments_a_column()),
                 text(after.microseconds, 2), text(before.microseconds, 2),
                 text(after.microseconds / before.microseconds, 2), text(within.microseconds, 2),
                 text(within.microseconds / before.microseconds, 2)});
    }
  }
  std::puts("\nThe same in launches of several frames, in us a frame:");
  const Table batches({"frame", "size", "eps", "frames", "absolute", "squares", "x"});
  for (const BenchFrame* frame : batched()) {
    if (!chosen(*frame)) continue;
    for (const double epsilon : options_.epsilons) {
      const Question squares(*frame, epsilon, true);
      const Question absolute(*frame, epsilon, true, Fit::kAbsolute);
      for (const int count : {8, 32}) {
        const Result before = measure_.segmenter_batch(squares, count);
        const Result after = measure_.segmenter_batch(absolute, count);
        const std::string frames = " " + std::to_string(count);
        record("fit", frame->name, &squares, "squares" + frames, before);
        record("fit", frame->name, &absolute, "absolute" + frames, after);
        batches.row({frame->name, size_of(*frame), text(epsilon, 2), std::to_string(count),
                     text(after.microseconds, 2), text(before.microseconds, 2),
                     text(after.microseconds / before.microseconds, 2)});
      }
    }
  }
}

void Experiments::merges() {
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

void Experiments::medians() {
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

void Experiments::median_row(const Table& table, const BenchFrame& frame, const MedianTimes& t) {
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
  table.row({size_of(frame), bits, std::to_string(t.lanes), text(t.ours3, 2), text(share(t.ours3)),
             text(t.ours5, 2), text(share(t.ours5)), text(t.one_sample, 2), text(t.two_samples, 2),
             text(t.copy, 2), text(share(t.copy))});
}

}  // namespace rdp::bench
