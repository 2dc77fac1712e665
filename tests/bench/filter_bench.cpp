// SPDX-License-Identifier: LGPL-2.1-or-later
// Times of each step of depthfilter on one thread of the CPU: the scalar reference and the
// engine in turns, in frames of depthtestsrc's room as a structured light camera sees it.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "common/filter/engine.h"
#include "common/filter/reference.h"
#include "common/image/simd.h"
#include "common/scene/test_pattern.h"
#include "tests/bench/race.h"

namespace {

using rdp::filter::HoleFilling;
using rdp::filter::Parameters;

constexpr int kWidth = 1280;
constexpr int kHeight = 720;
constexpr int kFrames = 4;

struct Frames {
  Frames() {
    rdp::TestPatternOptions options;
    options.pattern = rdp::TestPattern::kRoom;
    options.domain = rdp::TestDomain::kDepth;
    options.noise = 0.02;
    rdp::TestPatternRenderer renderer;
    for (int i = 0; i < kFrames; ++i) {
      samples.emplace_back(static_cast<std::size_t>(kWidth) * kHeight);
      renderer.draw(static_cast<std::uint64_t>(i), options, view(i));
    }
  }
  rdp::MutableDepthView view(int i) {
    return {reinterpret_cast<std::byte*>(samples[static_cast<std::size_t>(i)].data()), 2 * kWidth,
            kWidth, kHeight, rdp::SampleType::kU16};
  }
  std::vector<std::vector<std::uint16_t>> samples;
};

Parameters without_steps() {
  Parameters p;
  p.flying = false;
  p.spatial_radius = 0;
  p.tolerance = rdp::filter::inverse_tolerance(6, 1e6);
  return p;
}

void measure(const char* name, const Parameters& p, int rounds, Frames* frames) {
  rdp::filter::Engine engine;
  rdp::filter::reference::State state;
  rdp::filter::Counts counts;
  std::vector<std::uint16_t> filtered(static_cast<std::size_t>(kWidth) * kHeight);
  const int width = kWidth / p.decimation;
  const rdp::MutableDepthView out{reinterpret_cast<std::byte*>(filtered.data()), 2 * width, width,
                                  kHeight / p.decimation, rdp::SampleType::kU16};
  int reference_frame = 0;
  int engine_frame = 0;
  const std::string cells = rdp::bench::beside_reference(
      rounds,
      [&] {
        const auto frame = frames->view(reference_frame++ % kFrames);
        rdp::filter::reference::filter(frame, p, &state, &counts);
      },
      [&] { engine.filter(frames->view(engine_frame++ % kFrames), p, out); });
  std::printf("| %s | %s |\n", name, cells.c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = rdp::bench::read_rounds(
      argc, argv, "Times of depthfilter's steps on one thread of the CPU.", 11);
  std::printf(
      "SIMD %s, frames of %dx%d, medians of %d rounds\n\n"
      "| steps | reference, ms | engine, ms | times as fast |\n|---|---|---|---|\n",
      rdp::current_simd_target(), kWidth, kHeight, rounds);
  Frames frames;
  const auto row = [&](const char* name, auto change) {
    Parameters p = without_steps();
    change(&p);
    measure(name, p, rounds, &frames);
  };
  const auto usual = [](Parameters* p) {
    p->flying = true;
    p->spatial_radius = 4;
  };
  row("range", [](Parameters* p) { p->known = {500, 4000}; });
  row("median 3x3", [](Parameters* p) { p->median = 3; });
  row("flying pixels", [](Parameters* p) { p->flying = true; });
  row("speckles of 100", [](Parameters* p) { p->speckle_size = 100; });
  row("decimation by 2", [](Parameters* p) { p->decimation = 2; });
  row("decimation by 8", [](Parameters* p) { p->decimation = 8; });
  row("spatial, 4 px", [](Parameters* p) { p->spatial_radius = 4; });
  row("temporal, 4 frames", [](Parameters* p) { p->temporal_frames = 4; });
  row("gaps of 16", [](Parameters* p) { p->hole_filling = HoleFilling::kGap; });
  row("defaults", usual);
  row("defaults, 4 frames", [&](Parameters* p) {
    usual(p);
    p->temporal_frames = 4;
  });
  return 0;
}
