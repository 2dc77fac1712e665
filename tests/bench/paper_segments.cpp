// SPDX-License-Identifier: LGPL-2.1-or-later
// Levels, segments and times as in Cebrian and Moure's Table 1 and Figures 5 and 9, on one core:
// KITTI's disparity with 1242 columns of 256, 512 and 1024 rows, with and without a 5x5 median.
// Prints CSV for papers.py. A column without a split has one level, as in Algorithm 1.
#include <cstdio>
#include <cstdlib>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "common/image/simd.h"
#include "common/rdp/engine.h"
#include "common/rdp/reference.h"
#include "tests/bench/accuracy/accuracy_measure.h"
#include "tests/bench/bench_frames.h"
#include "tests/bench/race.h"
#include "tests/support/compare.h"

namespace rdp::bench {
namespace {

// Scales a recorded frame by nearest samples.
BenchFrame scaled(const BenchFrame& frame, int median, int height) {
  cv::Mat picture(frame.height, frame.width, CV_16UC1,
                  const_cast<std::uint16_t*>(frame.samples.data()));
  cv::Mat filtered;
  if (median > 0) {
    cv::medianBlur(picture, filtered, median);
    picture = filtered;
  }
  BenchFrame result{frame.name, 1242, height, {}, frame.parameters};
  result.samples.resize(static_cast<std::size_t>(result.width) * static_cast<std::size_t>(height));
  cv::Mat out(height, result.width, CV_16UC1, result.samples.data());
  cv::resize(picture, out, out.size(), 0, 0, cv::INTER_NEAREST);
  return result;
}

void measure(const BenchFrame& frame, int median, double epsilon, int rounds, Engine* engine) {
  Parameters parameters = frame.parameters;
  parameters.epsilon = epsilon;
  const KnownRange known = segmented_known_range(parameters, SampleType::kU16);
  const std::int64_t eps256 = epsilon256(parameters);
  SegmentList expected;
  SegmentList found;
  std::vector<Rival> rivals;
  rivals.push_back(
      {"reference", [&] { reference::segment(frame.view(), known, eps256, &expected); }});
  rivals.push_back({"engine", [&] { engine->segment(frame.view(), parameters, &found); }});
  race(rounds, &rivals);
  const std::string wrong = test::difference(expected, found);
  if (!wrong.empty()) {
    std::fprintf(stderr, "paper_segments: %s: the engine and the reference disagree: %s\n",
                 frame.name.c_str(), wrong.c_str());
    std::exit(1);
  }
  const Levels levels = split_levels(frame.view(), known, eps256);
  std::printf("%s,%d,%d,%g,%.3f,%.3f,%.3f,%d,%.4f,%.4f\n", frame.name.c_str(), frame.height, median,
              epsilon, static_cast<double>(expected.segment_count()) / frame.width, levels.mean + 1,
              levels.deviation, levels.most + 1, rivals[0].turns.median(),
              rivals[1].turns.median());
}

int run(int rounds) {
  Engine engine(1);
  std::printf("# paper_segments, SIMD %s, one thread\n", current_simd_target());
  std::puts(
      "frame,height,median,epsilon,segments_a_column,levels_mean,levels_deviation,levels_most,"
      "reference_ms,engine_ms");
  for (const BenchFrame& frame : recorded_frames()) {
    // KITTI's frames, except an estimate that comes from no matcher.
    if (frame.width < 1200 || frame.height > 400 || frame.name.ends_with("_est")) continue;
    for (const int height : {256, 512, 1024}) {
      for (const int median : {0, 5}) {
        for (const double epsilon : {4.0, 8.0}) {
          measure(scaled(frame, median, height), median, epsilon, rounds, &engine);
        }
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) {
  return rdp::bench::run(rdp::bench::read_rounds(
      argc, argv, "Levels, segments and times of the paper's frames, as CSV.", 9));
}
