// SPDX-License-Identifier: LGPL-2.1-or-later
// How long the planes of depth frames take on a CPU, beside other finders of planes in the same
// run. docs/performance-planes.md says more.
#include <dlfcn.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/image/simd.h"
#include "common/planes/finder.h"
#include "tests/bench/accuracy/planes_frames.h"
#include "tests/bench/accuracy/planes_score.h"
#include "tests/bench/peers/peer.h"
#include "tests/planes/plane_patterns.h"
#include "tests/support/program_options.h"

namespace rdp::bench {
namespace {

// Of this thread: other programs on the machine do not count.
double milliseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

double median_of(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

// Somebody who labels a frame.
struct Contender {
  std::string name;
  std::function<void(const PlanesFrame&, std::vector<std::uint8_t>*)> find;
  std::function<void(const PlanesFrame&)> prepare;  // not counted
  std::vector<double> times;
};

Contender own_finder(const std::string& target) {
  const auto finder = std::make_shared<planes::FrameFinder>(1);
  Contender own;
  own.name = "this, " + target;
  own.find = [finder](const PlanesFrame& frame, std::vector<std::uint8_t>* labels) {
    const MutableDepthView view{reinterpret_cast<std::byte*>(labels->data()), frame.depth.width,
                                frame.depth.width, frame.depth.height, SampleType::kU8};
    finder->find(frame.depth.view(), frame.camera, {}, view);
  };
  own.prepare = [target](const PlanesFrame&) { use_simd_target(target); };
  return own;
}

// The cloud that peers work on is made before their time begins.
struct Cloud {
  std::vector<float> x, y, z;
};

Contender peer_of(const char* file) {
  void* const library = dlopen(file, RTLD_NOW);
  if (library == nullptr) test::wrong_usage(std::string("--peer: ") + dlerror());
  const auto name = reinterpret_cast<decltype(&rdp_peer_name)>(dlsym(library, "rdp_peer_name"));
  const auto find =
      reinterpret_cast<decltype(&rdp_peer_find_planes)>(dlsym(library, "rdp_peer_find_planes"));
  if (name == nullptr || find == nullptr) {
    test::wrong_usage(std::string("--peer: ") + file + " has no functions of peers/peer.h");
  }
  const auto cloud = std::make_shared<Cloud>();
  Contender peer;
  peer.name = name();
  peer.prepare = [cloud](const PlanesFrame& frame) {
    const std::size_t count = frame.depth.samples.size();
    cloud->x.assign(count, 0.0f);
    cloud->y.assign(count, 0.0f);
    cloud->z.assign(count, 0.0f);
    for (std::size_t i = 0; i < count; ++i) {
      Point p;
      if (!point_of_value(static_cast<double>(i % frame.depth.width),
                          static_cast<double>(i / frame.depth.width), frame.depth.samples[i],
                          frame.camera, &p)) {
        continue;
      }
      cloud->x[i] = static_cast<float>(1e3 * p.x);
      cloud->y[i] = static_cast<float>(1e3 * p.y);
      cloud->z[i] = static_cast<float>(1e3 * p.z);
    }
  };
  peer.find = [cloud, find](const PlanesFrame& frame, std::vector<std::uint8_t>* labels) {
    find(cloud->x.data(), cloud->y.data(), cloud->z.data(), frame.depth.width, frame.depth.height,
         labels->data());
  };
  return peer;
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
  gint rounds = 21;
  gboolean quick = FALSE;
  gboolean all_targets = FALSE;
  gchar** peers = nullptr;
  const GOptionEntry entries[] = {
      {"peer", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &peers,
       "a shared library with another finder (tests/bench/peers); may be given several times",
       "FILE.so"},
      {"rounds", 0, 0, G_OPTION_ARG_INT, &rounds, "how often each frame is looked at (default 21)",
       "N"},
      {"all-targets", 0, 0, G_OPTION_ARG_NONE, &all_targets, "with each SIMD target", nullptr},
      {"quick", 0, 0, G_OPTION_ARG_NONE, &quick, "made frames, three rounds", nullptr},
      {nullptr, 0, 0, G_OPTION_ARG_NONE, nullptr, nullptr, nullptr},
  };
  test::read_options(&count, &words,
                     {entries, nullptr,
                      "How many milliseconds of one core the planes of a depth frame take: the "
                      "annotated frames in\nthe folder of RDPSEGMENT_TEST_DATA, and made ones.",
                      nullptr, nullptr, false});
  if (count != 1) test::wrong_usage("this takes options alone");
  test::check_range("rounds", rounds, 1, 10000);
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
    contenders.push_back(own_finder(target));
    if (!all_targets) break;
  }
  for (gchar** peer = peers; peer != nullptr && *peer != nullptr; ++peer) {
    contenders.push_back(peer_of(*peer));
  }
  g_strfreev(peers);

  std::printf("median (least) ms of one core; score\n%-26s", "frame");
  for (const Contender& c : contenders) std::printf("  %26s", c.name.c_str());
  std::printf("\n");
  for (const PlanesFrame& frame : frames) {
    std::vector<std::uint8_t> labels(frame.depth.samples.size());
    std::vector<PlanesScore> scores(contenders.size());
    for (Contender& c : contenders) c.times.clear();
    for (int round = -1; round < rounds; ++round) {
      for (std::size_t i = 0; i < contenders.size(); ++i) {
        Contender& c = contenders[i];
        c.prepare(frame);
        const double start = milliseconds();
        c.find(frame, &labels);
        if (round >= 0) c.times.push_back(milliseconds() - start);
        if (round == 0 && !frame.truth.empty()) scores[i] = score_planes(labels, frame.truth);
      }
    }
    std::printf("%-26s", frame.name.substr(0, 26).c_str());
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const std::vector<double>& times = contenders[i].times;
      std::printf("  %8.2f (%6.2f)", median_of(times),
                  *std::min_element(times.begin(), times.end()));
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
