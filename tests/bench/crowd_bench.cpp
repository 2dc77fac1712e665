// SPDX-License-Identifier: LGPL-2.1-or-later
// Times of drawing depthtestsrc's crowd on one core: a camera's picture, its depth and its heights,
// at sizes with 145, 140, 70 and 35 px per metre.
//
// Each contestant runs once per round, so that changes of clock or load affect all of them.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "common/scene/crowd_scene.h"
#include "tests/bench/race.h"

namespace rdp::bench {
namespace {

enum What { kPicture, kDepth, kHeights, kWhats };

struct Case {
  int width, height, people;
  Turns turns[kWhats] = {};
  std::vector<std::byte> samples = {};
  std::vector<CrowdPerson> crowd = {};
  CrowdRenderer renderer = {};

  // The people walk on from round to round, and the camera changes.
  void run(int round) {
    samples.resize(2 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (int what = 0; what < kWhats; ++what) turns[what].take([&] { draw(what, round); });
  }

  void draw(int what, int round) {
    const int camera = round % 3;
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
  }
};

int measure(int argc, char** argv) {
  const int rounds =
      read_rounds(argc, argv, "How long depthtestsrc's crowd takes to draw, on one core.", 25);
  Case cases[] = {
      {781, 621, 40}, {781, 621, kMaxCrowdPeople}, {750, 596, 40}, {375, 298, 40}, {188, 150, 40}};
  for (int round = 0; round < rounds; ++round) {
    for (Case& c : cases) c.run(round);
  }
  std::printf("one thread, %d rounds; median ms a frame\n\n", rounds);
  std::puts("| size | people | picture | depth | heights |\n|---|---|---|---|---|");
  for (Case& c : cases) {
    std::printf("| %dx%d | %d | %.2f | %.2f | %.2f |\n", c.width, c.height, c.people,
                c.turns[kPicture].median(), c.turns[kDepth].median(), c.turns[kHeights].median());
  }
  return 0;
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) { return rdp::bench::measure(argc, argv); }
