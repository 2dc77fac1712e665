// SPDX-License-Identifier: LGPL-2.1-or-later
// The accuracy of tracking through the element: kept features and their errors for pairs with known
// motion, and lifetimes of features otherwise.
//
// All features with known truth count, even lost ones: the survivors' errors alone would reward
// losing more. With OpenCV, its calcOpticalFlowPyrLK tracks the same points with the same window,
// levels and forward-backward check.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <vector>

#ifdef RDP_BENCH_HAVE_LK
#include <opencv2/video/tracking.hpp>
#endif

#include "tests/bench/accuracy/recorded_table.h"
#include "tests/bench/median.h"
#include "tests/bench/motion_pairs.h"
#include "tests/support/command_line.h"

// After the standard library: check.h defines a macro named fail.
#include "tests/bench/element_tracker.h"

namespace rdp::bench {
namespace {

// A feature with known motion and its tracking result.
struct Feature {
  float x;
  float y;
  double u;  // the truth, px
  double v;
  bool kept = false;
  double error = 0.0;  // px, if it was kept
};

double error_of(const Feature& feature, double u, double v) {
  const double x = u - feature.u;
  const double y = v - feature.v;
  return std::sqrt(x * x + y * y);
}

klt::Parameters parameters_of(const MotionPair& pair, klt::Light light, int window) {
  klt::Parameters parameters;
  parameters.cell = 8;
  parameters.levels = pair.levels;
  parameters.light = light;
  parameters.window = window;
  return parameters;
}

std::vector<Feature> track(const MotionPair& pair, const klt::Parameters& parameters) {
  ElementTracker tracker(parameters);
  std::map<std::uint32_t, std::size_t> places;
  std::vector<Feature> features;
  for (const klt::Track& one : tracker.track(pair.first.view())) {
    const int row = static_cast<int>(one.y);
    const int column = static_cast<int>(one.x);
    if (!pair.knows(row, column)) continue;
    places[one.id] = features.size();
    features.push_back({one.x, one.y, pair.u(row, column), pair.v(row, column)});
  }
  for (const klt::Track& one : tracker.track(pair.second.view())) {
    const auto place = places.find(one.id);
    if (place == places.end()) continue;
    Feature& feature = features[place->second];
    feature.kept = true;
    feature.error = error_of(feature, one.dx, one.dy);
  }
  return features;
}

std::string row_of(const std::string& name, const char* what,
                   const std::vector<Feature>& features) {
  std::vector<double> errors;
  int far = 0;
  int very_far = 0;
  for (const Feature& feature : features) {
    if (!feature.kept) continue;
    errors.push_back(feature.error);
    far += feature.error > 1.0;
    very_far += feature.error > 3.0;
  }
  const auto kept = static_cast<double>(errors.size());
  return formatted("%-15s %-22s %8zu %5.1f %7.4f %5.1f %5.2f", name.c_str(), what, features.size(),
                   100.0 * kept / static_cast<double>(features.size()), median_of(errors),
                   100.0 * far / kept, 100.0 * very_far / kept);
}

#ifdef RDP_BENCH_HAVE_LK
cv::Mat mat_of(const GrayPicture& picture) {
  return {picture.height, picture.width, CV_8U, const_cast<std::uint8_t*>(picture.pixels.data())};
}

std::vector<Feature> track_with_opencv(const MotionPair& pair, const klt::Parameters& parameters,
                                       std::vector<Feature> features) {
  std::vector<cv::Point2f> points;
  for (const Feature& feature : features) points.emplace_back(feature.x, feature.y);
  std::vector<cv::Point2f> found;
  std::vector<cv::Point2f> back;
  std::vector<std::uint8_t> forward;
  std::vector<std::uint8_t> backward;
  std::vector<float> error;
  const cv::Size window(parameters.window, parameters.window);
  const cv::TermCriteria until(cv::TermCriteria::COUNT | cv::TermCriteria::EPS,
                               parameters.max_iterations, parameters.epsilon);
  const double least = parameters.min_eigenvalue / 1024.0;
  const cv::Mat first = mat_of(pair.first);
  const cv::Mat second = mat_of(pair.second);
  cv::calcOpticalFlowPyrLK(first, second, points, found, forward, error, window,
                           parameters.levels - 1, until, 0, least);
  cv::calcOpticalFlowPyrLK(second, first, found, back, backward, error, window,
                           parameters.levels - 1, until, 0, least);
  for (std::size_t i = 0; i < features.size(); ++i) {
    const cv::Point2f d = back[i] - points[i];
    features[i].kept = forward[i] != 0 && backward[i] != 0 && std::abs(d.x) <= parameters.check &&
                       std::abs(d.y) <= parameters.check;
    features[i].error = error_of(features[i], found[i].x - points[i].x, found[i].y - points[i].y);
  }
  return features;
}

// The ratio of the median errors over features that both keep.
double ratio(const std::vector<Feature>& ours, const std::vector<Feature>& theirs) {
  std::vector<double> mine;
  std::vector<double> other;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (!ours[i].kept || !theirs[i].kept) continue;
    mine.push_back(ours[i].error);
    other.push_back(theirs[i].error);
  }
  return median_of(mine) / median_of(other);
}
#endif

void compare_with_opencv([[maybe_unused]] const MotionPair& pair) {
#ifdef RDP_BENCH_HAVE_LK
  for (const klt::Light light : {klt::Light::kNone, klt::Light::kBias}) {
    const klt::Parameters parameters = parameters_of(pair, light, 12);
    const std::vector<Feature> ours = track(pair, parameters);
    const std::vector<Feature> theirs = track_with_opencv(pair, parameters, ours);
    const char* const name = light == klt::Light::kNone ? "none" : "bias";
    std::puts(row_of(pair.name, formatted("OpenCV at those of %s", name).c_str(), theirs).c_str());
    std::printf("%-15s median of %s over OpenCV's, on what both keep: %.3f\n", pair.name.c_str(),
                name, ratio(ours, theirs));
  }
#endif
}

// Adds rounded Gaussian noise with a deviation in grey levels.
GrayPicture with_noise(GrayPicture picture, double sigma, unsigned seed) {
  std::mt19937 random(seed);
  const auto uniform = [&] { return (static_cast<double>(random()) + 0.5) / 4294967296.0; };
  for (std::uint8_t& pixel : picture.pixels) {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    const double noise = sigma * radius * std::cos(2.0 * std::numbers::pi * uniform());
    pixel = static_cast<std::uint8_t>(std::clamp(std::floor(pixel + noise + 0.5), 0.0, 255.0));
  }
  return picture;
}

// The percentage of new tracks per frame in a still picture.
std::string stillness(const GrayPicture& picture) {
  ElementTracker tracker({});
  double sum = 0.0;
  for (unsigned i = 0; i < 10; ++i) {
    const GrayPicture noisy = with_noise(picture, 2.0, i);
    const std::span<const klt::Track> tracks = tracker.track(noisy.view());
    const auto born = std::count_if(tracks.begin(), tracks.end(),
                                    [](const klt::Track& one) { return one.age == 0; });
    if (i > 0) sum += static_cast<double>(born) / static_cast<double>(tracks.size());
  }
  return formatted("RubberWhale still, noise of 2: %.1f %% new ids a frame", 100.0 * sum / 9.0);
}

// The number of old tracks in the last frame of a drive.
std::string drive(const std::filesystem::path& folder) {
  ElementTracker tracker({});
  std::size_t live = 0;
  std::ptrdiff_t old = 0;
  for (int i = 0; i < 16; ++i) {
    const GrayPicture picture = read_gray_picture(folder / formatted("L_%06d.png", i));
    if (picture.width == 0) return "KITTI odometry 06 is not there";
    const std::span<const klt::Track> tracks = tracker.track(picture.view());
    live = tracks.size();
    old = std::count_if(tracks.begin(), tracks.end(),
                        [](const klt::Track& one) { return one.age >= 5; });
  }
  return formatted("KITTI odometry 06, frame 15: %td tracks of age 5 and more, of %zu", old, live);
}

int run(int argc, char** argv) {
  std::string expected;
  test::CommandLine line("How well features are tracked in recorded pairs.",
                         "The pairs are in `motion` of the folder of RDPSEGMENT_TEST_DATA.");
  line.file("expected", &expected, "compare with this file; OpenCV's rows are left out");
  line.read(argc, argv);
  const auto folder = motion_folder();
  const std::vector<MotionPair> pairs = recorded_motion_pairs();
  if (pairs.size() != 3) {
    std::puts("RDPSEGMENT_TEST_DATA has no folder `motion` with the three pairs");
    return 77;
  }
  struct Mode {
    const char* name;
    klt::Light light;
    int window;
    bool other_light;
  };
  const Mode modes[] = {{"none", klt::Light::kNone, 12, false},
                        {"bias", klt::Light::kBias, 12, false},
                        {"gain-bias", klt::Light::kGainBias, 12, false},
                        {"gain-bias, darker", klt::Light::kGainBias, 12, true},
                        {"bias, window 16", klt::Light::kBias, 16, false}};
  RecordedTable table;
  table.line("pair            light                  features  kept  median  > 1   > 3 px");
  for (const MotionPair& pair : pairs) {
    for (const Mode& mode : modes) {
      const MotionPair& used = mode.other_light ? with_other_light(pair) : pair;
      table.line(
          row_of(pair.name, mode.name, track(used, parameters_of(pair, mode.light, mode.window))));
    }
    if (expected.empty()) compare_with_opencv(pair);
  }
  table.line(stillness(pairs[0].first));
  table.line(drive(*folder / "kitti_odo06"));
  return table.compare(expected);
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) { return rdp::bench::run(argc, argv); }
