// SPDX-License-Identifier: LGPL-2.1-or-later
// CPU times of plane detection in depth frames, with other detectors in the same run: see
// docs/internals/performance-planes.md.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/image/simd.h"
#include "common/planes/frames/engine.h"
#include "tests/bench/accuracy/planes_frames.h"
#include "tests/bench/accuracy/planes_score.h"
#include "tests/bench/peers/load.h"
#include "tests/bench/race.h"
#include "tests/planes/plane_patterns.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

// A plane detector.
struct Contender {
  std::string name;
  std::function<void(const PlanesFrame&, std::vector<std::uint8_t>*)> find;
  std::function<void(const PlanesFrame&)> prepare;  // not timed
  Turns turns = {};
};

Contender own_finder(const std::string& target, unsigned threads) {
  const auto finder = std::make_shared<planes::FrameEngine>(threads);
  Contender own;
  own.name = "this, " + target;
  if (threads != 1) own.name += ", " + std::to_string(finder->threads()) + " threads";
  own.turns.clock = clock_of(static_cast<int>(threads));
  own.find = [finder](const PlanesFrame& frame, std::vector<std::uint8_t>* labels) {
    const MutableDepthView view{reinterpret_cast<std::byte*>(labels->data()), frame.depth.width,
                                frame.depth.width, frame.depth.height, SampleType::kU8};
    finder->find(frame.depth.view(), frame.camera, {}, view);
  };
  own.prepare = [target](const PlanesFrame&) { use_simd_target(target); };
  return own;
}

Contender peer_of(const std::string& file, int threads) {
  const auto peer = std::make_shared<Peer>(file.c_str());
  Contender contender;
  contender.name = peer->name();
  contender.turns.clock = clock_of(threads);
  contender.prepare = [peer](const PlanesFrame& frame) { peer->prepare(frame); };
  contender.find = [peer](const PlanesFrame&, std::vector<std::uint8_t>* labels) {
    peer->find(labels);
  };
  return contender;
}

PlanesFrame made_frame(int width, int height) {
  PlanesFrame frame;
  frame.name = "made room " + std::to_string(width) + "x" + std::to_string(height);
  frame.depth.width = width;
  frame.depth.height = height;
  frame.depth.samples.resize(static_cast<std::size_t>(width) * height);
  const MutableDepthView view{reinterpret_cast<std::byte*>(frame.depth.samples.data()), 2 * width,
                              width, height, SampleType::kU16};
  test::draw_planes(view, test::PlaneKind::kRoom, 1);
  frame.camera = test::plane_camera(width, height, SampleType::kU16);
  return frame;
}

int run(int count, char** words) {
  int rounds = 21;
  bool quick = false;
  int threads = 1;
  bool all_targets = false;
  std::vector<std::string> peers;
  test::CommandLine line(
      "How many milliseconds of one core the planes of a depth frame take: the annotated frames "
      "in\nthe folder of RDPSEGMENT_TEST_DATA, and made ones.");
  line.files("peer", &peers,
             "a shared library with another finder (tests/bench/peers); may be given several times",
             "FILE.so");
  line.number("rounds", &rounds, {1, 10000}, "how often each frame is looked at (default 21)");
  line.number("threads", &threads, {0, 1024},
              "of this finder (default 1; 0: one for each processor). Where it is not 1, times are "
              "by the clock on the wall, in which other programs count");
  line.flag("all-targets", &all_targets, "with each SIMD target");
  line.flag("quick", &quick, "made frames, three rounds");
  line.read(count, words);
  if (quick) rounds = 3;

  std::vector<PlanesFrame> frames;
  const char* const data = std::getenv("RDPSEGMENT_TEST_DATA");
  if (data != nullptr && !quick) {
    frames = read_planes_frames(std::filesystem::path(data) / "planes");
  }
  frames.push_back(made_frame(640, 480));
  frames.push_back(made_frame(1280, 720));

  std::vector<Contender> contenders;
  for (const std::string& target : simd_targets()) {
    contenders.push_back(own_finder(target, static_cast<unsigned>(threads)));
    if (!all_targets) break;
  }
  for (const std::string& peer : peers) contenders.push_back(peer_of(peer, threads));

  std::printf("median (least) ms %s; score\n%-26s", threads == 1 ? "of one core" : "by the clock",
              "frame");
  for (const Contender& c : contenders) std::printf("  %26s", c.name.c_str());
  std::printf("\n");
  for (const PlanesFrame& frame : frames) {
    std::vector<std::uint8_t> labels(frame.depth.samples.size());
    std::vector<PlanesScore> scores(contenders.size());
    for (Contender& c : contenders) c.turns.times.clear();
    for (int round = -1; round < rounds; ++round) {
      for (std::size_t i = 0; i < contenders.size(); ++i) {
        Contender& c = contenders[i];
        c.prepare(frame);
        c.turns.take([&] { c.find(frame, &labels); });
        if (round < 0) c.turns.times.clear();
        if (round == 0 && !frame.truth.empty()) scores[i] = score_planes(labels, frame.truth);
      }
    }
    std::printf("%-26s", frame.name.substr(0, 26).c_str());
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const Turns& turns = contenders[i].turns;
      std::printf("  %8.2f (%6.2f)", turns.median(), turns.least());
      frame.truth.empty() ? std::printf("%9s", "") : std::printf("  %.3f  ", scores[i].panoptic);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  use_simd_target("");
  return 0;
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) { return rdp::bench::run(argc, argv); }
