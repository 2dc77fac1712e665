// SPDX-License-Identifier: LGPL-2.1-or-later
// Times of matching a stereo pair on every available SIMD target, and of OpenCV's StereoSGBM on the
// same pictures in the same run: all steps, from two pictures to a disparity frame without
// speckles.
//
// Each contestant runs once per round, so that changes of clock or load affect all of them.
// docs/internals/performance-stereo.md has results.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/image/simd.h"
#include "common/stereo/engine.h"
#include "common/stereo/reference.h"
#include "tests/bench/race.h"
#include "tests/bench/sgbm.h"
#include "tests/bench/stereo_pairs.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

struct Options {
  int disparities = 128;
  int rounds = 15;
  int threads = 1;
  int width = 0;
  int height = 0;
  bool quick = false;

  Options(int count, char** words);
};

Options::Options(int count, char** words) {
  test::CommandLine line("How long matching a stereo pair takes, and OpenCV's StereoSGBM.",
                         "The pair is KITTI 2015's #46 where the folder of RDPSEGMENT_TEST_DATA "
                         "has it,\nelse a made one of its size, or of the size that is given.");
  line.number("disparities", &disparities, {16, stereo::kMaxDisparities}, "default 128");
  line.number("rounds", &rounds, {1, 10000}, "each matches so many times (default 15)");
  line.number("threads", &threads, {1, 256}, "of each (default 1)");
  line.number("width", &width, {0, 4096}, "of a made pair, from 16 on (0: see above)");
  line.number("height", &height, {0, 4096}, "of it (0)");
  line.flag("quick", &quick, "twice each on a small pair: the times mean nothing");
  line.read(count, words);
  if (disparities % stereo::kDisparityStep != 0) {
    test::wrong_usage("--disparities takes multiples of 16");
  }
  if (width + height > 0 && (width < 16 || height < 16)) {
    test::wrong_usage("--width and --height take numbers from 16 on, both of them");
  }
  if (quick) rounds = 2;
}

// A disparity frame with its own memory.
struct Disparities {
  explicit Disparities(const BenchPair& pair)
      : width(pair.width), height(pair.height), samples(pair.left.size()) {}
  stereo::Result result() {
    return {{reinterpret_cast<std::byte*>(samples.data()), static_cast<std::ptrdiff_t>(width) * 2,
             width, height, SampleType::kU16},
            {}};
  }

  int width;
  int height;
  std::vector<std::uint16_t> samples;
};

BenchPair pair_of(const Options& options) {
  if (options.quick) return made_pair(160, 48, options.disparities);
  if (options.width > 0) return made_pair(options.width, options.height, options.disparities);
  for (BenchPair& pair : recorded_pairs()) {
    if (pair.name != "KITTI 2015 #46") continue;
    pair.disparities = options.disparities;
    return std::move(pair);
  }
  return made_pair(1242, 375, options.disparities);
}

class Race {
 public:
  Race(const BenchPair& pair, const Options& options)
      : pair_(pair),
        matcher_(static_cast<unsigned>(options.threads)),
        disparities_(pair),
        threads_(options.threads),
        rounds_(options.rounds) {
    cv::setNumThreads(options.threads);
    for (const SgbmMode& mode : kSgbmModes) {
      const auto rival = std::make_shared<Sgbm>(mode, pair_);
      rivals_.push_back({mode.name, [rival] { rival->match(); }, {clock_of(0)}});
    }
    for (const std::string& target : simd_targets()) {
      for (const int paths : {4, 8}) {
        rivals_.push_back({"this, " + std::to_string(paths) + " paths, " + target,
                           [this, target, paths] { match(target, paths); },
                           {clock_of(0)}});
      }
    }
  }

  // True if all SIMD targets are bit-identical to the reference.
  bool check() {
    bool same = true;
    for (const int paths : {4, 8}) {
      Disparities expected(pair_);
      stereo::reference::match(pair_.pair(), parameters(paths), expected.result());
      for (const std::string& target : simd_targets()) {
        match(target, paths);
        if (disparities_.samples == expected.samples) continue;
        std::fprintf(stderr, "%s, %d paths: other bits than the reference\n", target.c_str(),
                     paths);
        same = false;
      }
    }
    return same;
  }

  void run() { race(rounds_, &rivals_); }

  void print() const {
    std::printf(
        "%s, %dx%d, %d disparities, %d thread%s, %d rounds; ms, and how many times as fast\n\n",
        pair_.name.c_str(), pair_.width, pair_.height, pair_.disparities, threads_,
        threads_ == 1 ? "" : "s", rounds_);
    std::printf("| matcher | median | least |");
    for (std::size_t i = 0; i < std::size(kSgbmModes); ++i) {
      std::printf(" as %s |", rivals_[i].name.c_str());
    }
    std::printf("\n|---|---|---|");
    for (std::size_t i = 0; i < std::size(kSgbmModes); ++i) std::printf("---|");
    std::puts("");
    for (const Rival& rival : rivals_) {
      std::printf("| %s | %.1f | %.1f |", rival.name.c_str(), rival.turns.median(),
                  rival.turns.least());
      for (std::size_t i = 0; i < std::size(kSgbmModes); ++i) {
        std::printf(" %.2f |", rivals_[i].turns.median() / rival.turns.median());
      }
      std::puts("");
    }
  }

 private:
  stereo::Parameters parameters(int paths) const {
    stereo::Parameters result;
    result.disparities = pair_.disparities;
    result.paths = paths;
    return result;
  }

  void match(const std::string& target, int paths) {
    use_simd_target(target);
    matcher_.match(pair_.pair(), parameters(paths), disparities_.result());
    use_simd_target("");
  }

  const BenchPair& pair_;
  stereo::Engine matcher_;
  Disparities disparities_;
  int threads_;
  int rounds_;
  std::vector<Rival> rivals_;  // OpenCV's rows come first
};

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) {
  const rdp::bench::Options options(argc, argv);
  const rdp::bench::BenchPair pair = rdp::bench::pair_of(options);
  rdp::bench::Race race(pair, options);
  if (!race.check()) return 1;
  race.run();
  race.print();
  return 0;
}
