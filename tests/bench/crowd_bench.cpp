// SPDX-License-Identifier: LGPL-2.1-or-later
// How long depthtestsrc's crowd takes to draw on one core: the picture of a camera, its depth and
// its heights, at the sizes at which a metre takes 145, 140, 70 and 35 px.
//
// Everybody has one turn a round, so that a change of the clock or of the machine's load meets them
// all.
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "common/scene/crowd_scene.h"
#include "tests/support/program_options.h"

namespace rdp::bench {
namespace {

// Of this thread on its processor: what else the machine does counts less.
double milliseconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

enum What { kPicture, kDepth, kHeights, kWhats };

struct Case {
  int width, height, people;
  std::vector<double> times[kWhats] = {};
  std::vector<std::byte> samples = {};
  std::vector<CrowdPerson> crowd = {};
  CrowdRenderer renderer = {};

  // Somebody walks on from round to round, and another camera looks.
  void run(int round) {
    samples.resize(2 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    const int camera = round % 3;
    for (int what = 0; what < kWhats; ++what) {
      const double start = milliseconds();
      find_crowd({.seed = 1, .people = people}, std::int64_t{33333333} * round, &crowd);
      const CrowdMatrix projection = crowd_camera(camera, 17.0, width, height).projection();
      const MutableDepthView wide = {samples.data(), 2 * width, width, height, SampleType::kU16};
      if (what == kPicture) {
        renderer.draw_picture(crowd, projection,
                              {.noise = 2.0, .view = camera, .scale = crowd_scale(width)},
                              {samples.data(), width, width, height, SampleType::kU8});
      } else if (what == kDepth) {
        renderer.draw_depth(crowd, projection, wide);
      } else {
        renderer.draw_heights(crowd, projection, wide);
      }
      times[what].push_back(milliseconds() - start);
    }
  }
  double median(int what) {
    std::vector<double>& all = times[what];
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    return *middle;
  }
};

int measure(int argc, char** argv) {
  gint rounds = 25;
  gboolean quick = FALSE;
  const GOptionEntry entries[] = {
      {"rounds", 0, 0, G_OPTION_ARG_INT, &rounds, "each is drawn so many times (default 25)", "N"},
      {"quick", 0, 0, G_OPTION_ARG_NONE, &quick, "one turn each: the times mean little", nullptr},
      {nullptr, 0, 0, G_OPTION_ARG_NONE, nullptr, nullptr, nullptr},
  };
  test::read_options(
      &argc, &argv,
      {entries, nullptr, "How long depthtestsrc's crowd takes to draw.", "Times are of one core."});
  if (argc != 1) test::wrong_usage("this takes options alone");
  test::check_range("--rounds", rounds, 1, 10000);
  if (quick != FALSE) rounds = 1;

  Case cases[] = {
      {781, 621, 40}, {781, 621, kMostCrowdPeople}, {750, 596, 40}, {375, 298, 40}, {188, 150, 40}};
  for (int round = 0; round < rounds; ++round) {
    for (Case& c : cases) c.run(round);
  }
  std::printf("one thread, %d rounds; median ms a frame\n\n", rounds);
  std::puts("| size | people | picture | depth | heights |\n|---|---|---|---|---|");
  for (Case& c : cases) {
    std::printf("| %dx%d | %d | %.2f | %.2f | %.2f |\n", c.width, c.height, c.people,
                c.median(kPicture), c.median(kDepth), c.median(kHeights));
  }
  return 0;
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) { return rdp::bench::measure(argc, argv); }
