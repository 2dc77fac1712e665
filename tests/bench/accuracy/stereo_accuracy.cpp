// SPDX-License-Identifier: LGPL-2.1-or-later
// Density and errors of disparity on recorded pairs with truth, for this matcher and OpenCV's in
// the same run: see docs/internals/performance-stereo.md.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/stereo/engine.h"
#include "tests/bench/accuracy/stereo_score.h"
#include "tests/bench/stereo_pairs.h"
#include "tests/support/command_line.h"

#ifdef RDP_BENCH_HAVE_SGBM
#include "tests/bench/sgbm.h"
#endif

namespace rdp::bench {
namespace {

struct Options {
  stereo::Parameters parameters;
  int disparities = 0;
  bool no_opencv = false;
  bool made = false;

  Options(int count, char** words);
};

Options::Options(int count, char** words) {
  stereo::Parameters& p = parameters;
  test::CommandLine line(
      "How exact the disparities of the pairs in the folder of RDPSEGMENT_TEST_DATA are: the "
      "share\n"
      "of the pixels with a truth that are known, the wrong ones of these, and the wrong ones of\n"
      "all once the unknown are filled along the row; in percent.");
  line.number("disparities", &disparities, {0, stereo::kMaxDisparities},
              "of every pair (default: 128, cones and teddy 64)");
  line.number("min-disparity", &p.min_disparity, {}, "default 0", "PX");
  line.number("paths", &p.paths, {}, "4 or 8 (default 4)");
  line.number("p1", &p.p1, {0, 127}, "default 7", "BITS");
  line.number("p2", &p.p2, {0, stereo::kMaxPenalty}, "default 86", "BITS");
  line.number("uniqueness", &p.uniqueness, {0, 50}, "default 5; 0: off", "PERCENT");
  line.number("max-left-right", &p.max_left_right, {-1, 255}, "default 1; -1: off", "PX");
  line.number("min-confidence", &p.min_confidence, {0, 255}, "default 0: off");
  line.number("median", &p.median, {}, "0, 3 or 5 (default 3)", "SIDE");
  line.number("speckle-size", &p.speckle_size, {0, 65535}, "default 100; 0: off", "PIXELS");
  line.number("speckle-range", &p.speckle_range, {0, 4096}, "default 256", "PX/256");
  line.flag("no-opencv", &no_opencv, "this matcher alone");
  line.flag("made", &made, "a small made pair in the place of recorded ones");
  line.read(count, words);
  if (disparities % stereo::kDisparityStep != 0) {
    test::wrong_usage("--disparities takes multiples of 16, not " + std::to_string(disparities));
  }
  test::check_range("--min-disparity", p.min_disparity, 0,
                    stereo::kMaxDisparities - (disparities == 0 ? 128 : disparities));
  if (p.paths != 4 && p.paths != 8) test::wrong_usage("--paths takes 4 or 8");
  test::check_range("--p2", p.p2, p.p1, stereo::kMaxPenalty);
  if (p.median != 0 && p.median != 3 && p.median != 5) {
    test::wrong_usage("--median takes 0, 3 or 5");
  }
}

std::vector<std::uint16_t> matched(const BenchPair& pair, stereo::Parameters parameters,
                                   stereo::Engine* matcher) {
  parameters.disparities = pair.disparities;
  std::vector<std::uint16_t> disparity(pair.left.size());
  matcher->match(
      pair.pair(), parameters,
      {{reinterpret_cast<std::byte*>(disparity.data()), static_cast<std::ptrdiff_t>(pair.width) * 2,
        pair.width, pair.height, SampleType::kU16},
       {}});
  return disparity;
}

// The results of one matcher over all pairs.
struct Column {
  std::string name;
  std::vector<StereoScore> scores;
};

void print_row(const std::string& name, const std::vector<StereoScore>& scores) {
  std::printf("| %-15s |", name.c_str());
  for (const StereoScore& s : scores) {
    std::printf(" %5.1f / %4.1f / %4.1f |", s.density, s.known, s.filled);
  }
  std::puts("");
}

void print_table(const std::vector<BenchPair>& pairs, const std::vector<Column>& columns) {
  std::printf("| %-15s |", "pair");
  for (const Column& column : columns) std::printf(" %-19s |", column.name.c_str());
  std::printf("\n| --- |");
  for (std::size_t i = 0; i < columns.size(); ++i) std::printf(" --- |");
  std::puts("");
  std::vector<StereoScore> mean(columns.size());
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    std::vector<StereoScore> row;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const StereoScore& s = columns[i].scores[p];
      row.push_back(s);
      const auto share = 1.0 / static_cast<double>(pairs.size());
      mean[i].density += s.density * share;
      mean[i].known += s.known * share;
      mean[i].filled += s.filled * share;
    }
    print_row(pairs[p].name, row);
  }
  print_row("mean", mean);
}

int run(const Options& options) {
  std::vector<BenchPair> pairs =
      options.made ? std::vector<BenchPair>{made_pair(256, 96, 64)} : recorded_pairs();
  if (pairs.empty()) {
    std::fputs(
        "there is no pair: RDPSEGMENT_TEST_DATA has to name a folder with kitti, stereo and "
        "middlebury in it; or try --made\n",
        stderr);
    return 1;
  }
  std::vector<Column> columns = {
      {"this, " + std::to_string(options.parameters.paths) + " paths", {}}};
  stereo::Engine matcher;
  for (BenchPair& pair : pairs) {
    if (options.disparities != 0) pair.disparities = options.disparities;
    columns[0].scores.push_back(
        score_disparity(matched(pair, options.parameters, &matcher), pair.truth, pair.width));
  }
#ifdef RDP_BENCH_HAVE_SGBM
  if (!options.no_opencv) {
    for (const SgbmMode& mode : kSgbmModes) {
      Column& column = columns.emplace_back();
      column.name = mode.name;
      for (const BenchPair& pair : pairs) {
        Sgbm sgbm(mode, pair);
        sgbm.match();
        column.scores.push_back(score_disparity(sgbm.disparity(), pair.truth, pair.width));
      }
    }
  }
#endif
  std::puts("Density, error of the known, error of all with the unknown filled, in percent.\n");
  print_table(pairs, columns);
  return 0;
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) {
  const rdp::bench::Options options(argc, argv);
  return rdp::bench::run(options);
}
