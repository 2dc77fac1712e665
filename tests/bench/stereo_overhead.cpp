// SPDX-License-Identifier: LGPL-2.1-or-later
// What depthstereo costs beyond the matcher on the CPU: the same pairs in system memory through the
// element and through the bare matcher, in turns.
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "common/image/simd.h"
#include "common/stereo/engine.h"
#include "tests/bench/stereo_stream.h"
#include "tests/support/command_line.h"

namespace {

using rdp::bench::StereoStream;
using rdp::bench::StereoViews;

struct Repeats {
  int width = 1242;
  int height = 375;
  int warm_ups = 10;
  int pairs = 200;
};

void measure(const StereoViews& views, const rdp::stereo::Parameters& parameters, unsigned threads,
             const Repeats& repeats) {
  rdp::bench::StereoSetup setup;
  setup.threads = threads;
  StereoStream stream(views, parameters, setup, frames::new_buffer);
  rdp::stereo::Engine matcher(threads);
  std::vector<std::uint16_t> samples(views.left.samples.size());
  const rdp::MutableDepthView result{reinterpret_cast<std::byte*>(samples.data()),
                                     std::ptrdiff_t{2} * repeats.width, repeats.width,
                                     repeats.height, rdp::SampleType::kU16};
  std::vector<double> bare;
  const auto times = stream.time(repeats.warm_ups, repeats.pairs, [&] {
    const auto start = std::chrono::steady_clock::now();
    matcher.match({views.left.view(), views.right.view(), {}, {}}, parameters, {result, {}});
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    bare.push_back(time.count());
  });
  if (stream.samples() != samples) {
    throw std::runtime_error("the element and the matcher disagree: nothing is timed");
  }
  bare.erase(bare.begin(), bare.begin() + repeats.warm_ups);
  const double matching = rdp::bench::summarize(bare).median;
  std::printf("| %u | %d | %.1f | %.1f | %.1f | %.1f | %.1f |\n", threads, parameters.paths,
              matching, times.pushed.median, times.taken.median, times.pushed.median - matching,
              times.taken.median - matching);
  std::fflush(stdout);
}

void measure_all(const Repeats& repeats) {
  rdp::stereo::Parameters parameters;
  if (repeats.width < 1000) parameters.disparities = 32;
  const StereoViews views(repeats.width, repeats.height, parameters);
  std::printf(
      "SIMD %s, %dx%d, %d disparities, system memory; us, medians of %d pairs in turns\n\n"
      "| threads | paths | Engine::match | element, pair complete to src | of it, from its thread "
      "having the pair | element - match | the same from its thread "
      "|\n|---|---|---|---|---|---|---|\n",
      rdp::current_simd_target(), repeats.width, repeats.height, parameters.disparities,
      repeats.pairs);
  for (const int paths : {4, 8}) {
    parameters.paths = paths;
    for (const unsigned threads : {1U, 2U}) measure(views, parameters, threads, repeats);
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  rdp::test::CommandLine line("What depthstereo costs beyond the matcher on the CPU.");
  line.flag("quick", &quick, "a few pairs, whose times mean nothing");
  line.group(gst_init_get_option_group());
  line.read(argc, argv);
  Repeats repeats;
  if (quick) repeats = {160, 96, 1, 3};
  try {
    measure_all(repeats);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stereo_overhead: %s\n", error.what());
    return 1;
  }
}
