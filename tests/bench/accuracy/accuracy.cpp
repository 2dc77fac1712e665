// SPDX-License-Identifier: LGPL-2.1-or-later
// The accuracy and compactness of a frame's segments for each combination of parameters, as CSV.
// docs/accuracy.md has results and explains the columns.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "common/rdp/engine.h"
#include "common/rdp/reference.h"
#include "tests/bench/accuracy/accuracy_measure.h"
#include "tests/bench/accuracy/optimal_segments.h"
#include "tests/bench/accuracy/stixels_file.h"
#include "tests/bench/gray_png.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

// The command-line options.
struct Options {
  std::string methods = "split,merge";
  std::string epsilon = "4";
  std::string median = "0";
  std::string merge_cost = "0";
  std::string column_width = "1";
  std::string max_gap = "0";
  double sample_scale = 1.0 / 256;
  int min_value = 1;
  int max_value = 65535;
  double inverse_scale = 0;
  int mean_columns = 1;
  std::string truth;
  std::string stixels;
  std::string name;
  bool no_header = false;
  std::string file;

  Options(int count, char** words);
};

Options::Options(int count, char** words) {
  test::CommandLine line("How exact and how compact the segments of a frame are, as lines of CSV.",
                         "Times are those of one thread. \"optimum\" takes a few seconds a frame.");
  line.word("methods", &methods,
            "of split, refine, merge, refine-absolute, merge-absolute, merge-bounded, "
            "merge-bounded-absolute, optimum, squared-optimum (default: split,merge)",
            "LIST");
  line.word("epsilon", &epsilon, "default 4", "LIST");
  line.word("median", &median, "of 0, 3, 5 (default 0)", "LIST");
  line.word("merge-cost", &merge_cost, "default 0: 4 times epsilon; 3x: 3 times epsilon", "LIST");
  line.word("column-width", &column_width, "default 1", "LIST");
  line.word("max-gap", &max_gap, "default 0", "LIST");
  line.number("sample-scale", &sample_scale, "default 0.00390625: disparity stored in 1/256 px",
              "X");
  line.number("min-value", &min_value, {0, 65535}, "default 1");
  line.number("max-value", &max_value, {0, 65535}, "default 65535");
  line.number("inverse-scale", &inverse_scale,
              "the samples are depths: what is segmented and judged is X / depth", "X");
  line.number("mean-columns", &mean_columns, {},
              "first take the mean of each N columns; the rest is left out");
  line.file("truth", &truth, "judge against these samples, too, where they are not 0", "FILE.png");
  line.file("stixels", &stixels, "judge what is in this file of GPU Stixels, too");
  line.word("name", &name, "what the first column says (default: the file)", "TEXT");
  line.flag("no-header", &no_header, "only the lines");
  const std::vector<std::string> files = line.read(count, words, "FRAME.png");
  if (files.size() != 1) test::wrong_usage("say one frame");
  file = files[0];
}

// Splits a comma-separated list.
std::vector<std::string> items_of(const std::string& list) {
  std::vector<std::string> items;
  std::istringstream all(list);
  for (std::string item; std::getline(all, item, ',');) items.push_back(item);
  return items;
}

// Rounded means of `count` adjacent columns, over all samples, even unknown ones.
reference::Frame mean_of_columns(const reference::Frame& frame, int count) {
  reference::Frame result{frame.width / count, frame.height, {}};
  for (int row = 0; row < frame.height; ++row) {
    for (int column = 0; column < result.width; ++column) {
      std::uint32_t sum = 0;
      for (int i = 0; i < count; ++i) sum += frame.at(row, column * count + i);
      const auto n = static_cast<std::uint32_t>(count);
      result.samples.push_back(static_cast<std::uint16_t>((2 * sum + n) / (2 * n)));
    }
  }
  return result;
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

class Judge {
 public:
  Judge(std::string name, reference::Frame frame, std::optional<reference::Frame> truth,
        const Parameters& parameters)
      : name_(std::move(name)), frame_(std::move(frame)), truth_(std::move(truth)), engine_(1) {
    known_ = segmented_known_range(parameters, SampleType::kU16);
    // The samples that lines are compared with: u in the inverse domain.
    judged_ = parameters.domain == Domain::kInverse
                  ? reference::inverse_depth(frame_.view(), inverse_depth_of(parameters))
                  : frame_;
  }

  static void header() {
    std::puts(
        "frame,method,epsilon,median,column_width,max_gap,merge_cost,columns,segments,"
        "rows_a_segment,samples_a_segment,bytes,mean,relative,outliers,cost,milliseconds,"
        "levels_mean,levels_deviation,levels_most,truth_samples,truth_mean_of_frame,"
        "truth_outliers_of_frame,truth_mean,truth_outliers");
  }

  bool method(const std::string& method, const Parameters& parameters) {
    const SegmentRules rules = segment_rules(parameters);
    SegmentList segments;
    double time = 0;
    const std::string absolute = "-absolute";
    const bool is_absolute = method.ends_with(absolute);
    std::string lines = is_absolute ? method.substr(0, method.size() - absolute.size()) : method;
    const bool is_bounded = lines == "merge-bounded";
    if (is_bounded) lines = "merge";
    if (lines == "refine" || lines == "merge" || method == "split") {
      Parameters p = parameters;
      p.refine = lines == "refine";
      p.merge = lines == "merge";
      p.fit = is_absolute ? Fit::kAbsolute : Fit::kSquares;
      p.merge_bounded = is_bounded;
      constexpr int kRuns = 20;
      for (int run = 0; run < kRuns; ++run) {
        const auto start = std::chrono::steady_clock::now();
        engine_.segment(frame_.view(), p, &segments);
        const double spent = milliseconds_since(start);
        time = run == 0 ? spent : std::min(time, spent);
      }
    } else if (method == "optimum" || method == "squared-optimum") {
      const reference::Frame filtered = reference::filter(frame_.view(), parameters);
      const auto start = std::chrono::steady_clock::now();
      optimal_segments(filtered.view(), known_, rules,
                       method == "optimum" ? Distances::kTruncated : Distances::kSquared,
                       &segments);
      time = milliseconds_since(start);
    } else {
      std::fprintf(stderr, "no method is called %s\n", method.c_str());
      return false;
    }
    report(method, parameters, segments, time);
    return true;
  }

  bool stixels(const std::string& file, const Parameters& parameters) {
    SegmentList segments;
    if (!read_stixels(file, frame_.view(), parameters.sample_scale, &segments)) return false;
    report("stixels", parameters, segments, 0);
    return true;
  }

 private:
  void report(const std::string& method, const Parameters& p, const SegmentList& segments,
              double time) {
    const SegmentRules rules = segment_rules(p);
    const reference::Frame filtered = reference::filter(frame_.view(), p);
    const Compression compression = compression_of(judged_, known_, segments);
    const Errors errors =
        errors_of_segments(judged_, known_, segments, p.column_width, p.sample_scale);
    const double cost =
        segments_cost(filtered.view(), known_, segments, rules, Distances::kTruncated) *
        p.sample_scale * p.sample_scale;
    const Levels levels = split_levels(filtered.view(), known_, rules.epsilon256);
    std::printf("%s,%s,%g,%d,%d,%d,%g,%zu,%zu,%.2f,%.2f,%zu,%.4f,%.5f,%.5f,%.6g,%.3f,%.2f,%.2f,%d",
                name_.c_str(), method.c_str(), p.epsilon, static_cast<int>(p.median),
                p.column_width, p.max_gap,
                p.merge_cost > 0 ? p.merge_cost : kMergeCostOfEpsilon * p.epsilon,
                compression.columns, compression.segments, compression.rows_a_segment,
                compression.samples_a_segment, compression.bytes, errors.mean, errors.relative,
                errors.outliers, cost, time, levels.mean, levels.deviation, levels.most);
    if (truth_) {
      const Errors of_frame =
          errors_of_frame(judged_, known_, segments, p.column_width, p.sample_scale, *truth_);
      const Errors of_segments =
          errors_of_segments(judged_, known_, segments, p.column_width, p.sample_scale, &*truth_);
      std::printf(",%zu,%.4f,%.5f,%.4f,%.5f\n", of_frame.samples, of_frame.mean, of_frame.outliers,
                  of_segments.mean, of_segments.outliers);
    } else {
      std::puts(",,,,,");
    }
    std::fflush(stdout);
  }

  std::string name_;
  reference::Frame frame_;
  std::optional<reference::Frame> truth_;
  reference::Frame judged_;
  KnownRange known_;
  Engine engine_;
};

int run(const Options& options) {
  reference::Frame frame = read_gray_png(options.file);
  if (frame.width == 0) {
    std::fprintf(stderr, "%s: no PNG with one channel of 8 or 16 bits\n", options.file.c_str());
    return 1;
  }
  std::optional<reference::Frame> truth;
  if (!options.truth.empty()) {
    truth = read_gray_png(options.truth);
    if (truth->width != frame.width || truth->height != frame.height) {
      std::fprintf(stderr, "%s: not of the frame's size\n", options.truth.c_str());
      return 1;
    }
  }
  const int mean_columns = options.mean_columns;
  if (mean_columns < 1 || mean_columns > frame.width || (mean_columns > 1 && truth)) {
    std::fputs("--mean-columns: 1 to the frame's width, and not with --truth\n", stderr);
    return 1;
  }
  if (mean_columns > 1) frame = mean_of_columns(frame, mean_columns);

  Parameters parameters;
  parameters.sample_scale = options.sample_scale;
  parameters.min_value = static_cast<std::uint32_t>(options.min_value);
  parameters.max_value = static_cast<std::uint32_t>(options.max_value);
  if (options.inverse_scale > 0) {
    parameters.domain = Domain::kInverse;
    parameters.inverse_scale = options.inverse_scale;
  }
  Judge judge(options.name.empty() ? options.file : options.name, frame, truth, parameters);
  if (!options.no_header) Judge::header();
  if (!options.stixels.empty() && !judge.stixels(options.stixels, parameters)) return 1;
  for (const std::string& method : items_of(options.methods)) {
    for (const std::string& width : items_of(options.column_width)) {
      for (const std::string& median : items_of(options.median)) {
        for (const std::string& gap : items_of(options.max_gap)) {
          for (const std::string& epsilon : items_of(options.epsilon)) {
            for (const std::string& cost : items_of(options.merge_cost)) {
              Parameters p = parameters;
              p.column_width = std::clamp(std::atoi(width.c_str()), 1, kMaxColumnWidth);
              p.median = static_cast<Median>(std::atoi(median.c_str()));
              p.max_gap = std::atoi(gap.c_str());
              p.epsilon = std::atof(epsilon.c_str());
              p.merge_cost = std::atof(cost.c_str()) * (cost.ends_with('x') ? p.epsilon : 1.0);
              if (!judge.method(method, p)) return 1;
            }
          }
        }
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace rdp::bench

int main(int count, char** words) { return rdp::bench::run(rdp::bench::Options(count, words)); }
