// SPDX-License-Identifier: LGPL-2.1-or-later
// Times of tracking a frame's features on one core, and of OpenCV's calcOpticalFlowPyrLK in the
// same run. Both use the same points, window, levels and iterations.
//
// The previous frame's pyramid exists; the new frame's is timed, as in a stream, for all
// contestants. Each of them runs once per round, so that changes of clock or load affect all. Only
// ratios are meaningful.
#include <cstdio>
#include <memory>
#include <opencv2/video/tracking.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/image/simd.h"
#include "common/klt/engine.h"
#include "tests/bench/klt_pictures.h"
#include "tests/bench/race.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

struct Options {
  int window = 16;
  int levels = 3;
  int pyramid_step = 2;
  int rounds = 25;
  int columns = 66;
  int rows = 50;
  bool all_targets = false;
  bool quick = false;

  Options(int count, char** words);
};

Options::Options(int count, char** words) {
  test::CommandLine line("How long tracking takes, and OpenCV's calcOpticalFlowPyrLK.",
                         "The pair is motion/tum of the folder of RDPSEGMENT_TEST_DATA, else a "
                         "made one of its size.");
  line.number("window", &window, {klt::kMinWindow, klt::kMaxWindow}, "default 16");
  line.number("levels", &levels, {1, 6}, "default 3");
  line.number("pyramid-step", &pyramid_step, {2, 4}, "2 or 4 of ours alone (default 2)");
  line.number("rounds", &rounds, {1, 10000}, "each has so many turns (default 25)");
  line.number("columns", &columns, {1, 640}, "of features (default 66)");
  line.number("rows", &rows, {1, 480}, "of features (default 50)");
  line.flag("all-targets", &all_targets, "not only the machine's best and AVX2");
  line.flag("quick", &quick, "twice each on a small pair: the times mean nothing");
  line.read(count, words);
  if (pyramid_step == 3) test::wrong_usage("--pyramid-step is 2 or 4");
  if (quick) {
    rounds = 2;
    columns = 12;
    rows = 9;
  }
}

struct Tracking : Rival {
  int compared = 0;  // index of OpenCV's row to compare with
  std::size_t features = 0;
  double iterations = 0.0;  // per feature
};

class Race {
 public:
  Race(const KltPair& frames, const Options& options)
      : frames_(frames),
        options_(options),
        points_(grid_of(frames.first.width, frames.first.height, options.columns, options.rows)) {
    for (const klt::Point& point : points_) cv_points_.emplace_back(point.x, point.y);
    cv::setNumThreads(1);
    cv::buildOpticalFlowPyramid(mat_of(frames.first), cv_first_, window(), options.levels - 1);
    rivals_.push_back({{"OpenCV", [this] { opencv(false); }}, 0, points_.size()});
    rivals_.push_back({{"OpenCV, both ways", [this] { opencv(true); }}, 1, points_.size()});
    const std::string best = current_simd_target();
    for (const std::string& target : simd_targets()) {
      if (!options.all_targets && target != best && target != "AVX2") continue;
      for (const klt::Light light : {klt::Light::kNone, klt::Light::kBias, klt::Light::kGainBias}) {
        for (const bool check : {false, true}) {
          for (const klt::Warp warp : {klt::Warp::kTranslation, klt::Warp::kAffine}) {
            add_engine(target, light, check, warp);
          }
        }
      }
    }
  }

  void run() { race(options_.rounds, &rivals_); }

  void print() const {
    std::printf(
        "%s, %dx%d, %zu features, window %d, %d levels, step %d, 10 iterations, one thread, %d "
        "rounds; ms, and OpenCV's time over it\n\n",
        frames_.name.c_str(), frames_.first.width, frames_.first.height, points_.size(),
        options_.window, options_.levels, options_.pyramid_step, options_.rounds);
    std::puts(
        "| | median | least | OpenCV's over it | features | iterations of each "
        "|\n|---|---|---|---|---|---|");
    for (const Tracking& rival : rivals_) {
      std::printf(
          "| %s | %.2f | %.2f | %.2f | %zu | %.1f |\n", rival.name.c_str(), rival.turns.median(),
          rival.turns.least(),
          rivals_[static_cast<std::size_t>(rival.compared)].turns.median() / rival.turns.median(),
          rival.features, rival.iterations);
    }
  }

 private:
  // A tracker that has seen the first frame. Its state is not committed again, so that all turns do
  // the same work.
  struct Tracker {
    klt::Engine engine{1};
    klt::State state;
    klt::Parameters parameters;
  };

  cv::Size window() const { return {options_.window, options_.window}; }
  static cv::Mat mat_of(const GrayPicture& picture) {
    return {picture.height, picture.width, CV_8U, const_cast<std::uint8_t*>(picture.pixels.data())};
  }

  // OpenCV's texture threshold only rejects windows that it cannot solve.
  void opencv(bool check) {
    const cv::TermCriteria until(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 10, 0.01);
    cv::buildOpticalFlowPyramid(mat_of(frames_.second), cv_second_, window(), options_.levels - 1);
    cv::calcOpticalFlowPyrLK(cv_first_, cv_second_, cv_points_, cv_found_, status_, error_,
                             window(), options_.levels - 1, until, 0, 1e-4);
    if (!check) return;
    cv::calcOpticalFlowPyrLK(cv_second_, cv_first_, cv_found_, cv_back_, status_, error_, window(),
                             options_.levels - 1, until, 0, 1e-4);
  }

  void add_engine(const std::string& target, klt::Light light, bool check, klt::Warp warp) {
    const char* const names[] = {"none", "bias", "gain-bias"};
    const auto tracker = std::make_shared<Tracker>();
    klt::Parameters& parameters = tracker->parameters;
    parameters.window = options_.window;
    parameters.levels = options_.levels;
    parameters.pyramid_step = options_.pyramid_step;
    parameters.light = light;
    parameters.check = check ? 0.5 : 0.0;
    parameters.max_residual = 0.0;
    parameters.detector = klt::Detector::kNone;
    // Accepts nearly all points, so that each engine has as much to track.
    parameters.min_eigenvalue = 0.0;
    tracker->engine.track({frames_.first.view(), {}, points_}, parameters, &tracker->state);
    tracker->state.commit();
    parameters.min_eigenvalue = 0.1;
    parameters.warp = warp;
    if (warp == klt::Warp::kAffine) {
      // Each track takes a template, as most have in a stream.
      tracker->engine.track({frames_.first.view(), {}, {}}, parameters, &tracker->state);
      tracker->state.commit();
    }
    const std::size_t number = rivals_.size();
    rivals_.push_back(
        {{target + ", " + names[static_cast<int>(light)] + (check ? ", both ways" : "") +
              (warp == klt::Warp::kAffine ? ", affine" : ""),
          [this, tracker, target, number] {
            use_simd_target(target);
            const klt::Result result = tracker->engine.track({frames_.second.view(), {}, {}},
                                                             tracker->parameters, &tracker->state);
            use_simd_target("");
            rivals_[number].features = result.tracks.size() + result.lost.size();
            rivals_[number].iterations = static_cast<double>(tracker->engine.iterations()) /
                                         static_cast<double>(rivals_[number].features);
          }},
         check ? 1 : 0});
  }

  const KltPair& frames_;
  const Options& options_;
  std::vector<klt::Point> points_;
  std::vector<cv::Point2f> cv_points_, cv_found_, cv_back_;
  std::vector<cv::Mat> cv_first_, cv_second_;
  std::vector<std::uint8_t> status_;
  std::vector<float> error_;
  std::vector<Tracking> rivals_;  // OpenCV's rows come first
};

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) {
  const rdp::bench::Options options(argc, argv);
  const rdp::bench::KltPair frames =
      options.quick ? rdp::bench::made_pair(160, 120)
                    : rdp::bench::recorded_pair().value_or(rdp::bench::made_pair(640, 480));
  rdp::bench::Race race(frames, options);
  race.run();
  race.print();
  return 0;
}
