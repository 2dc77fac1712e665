// SPDX-License-Identifier: LGPL-2.1-or-later
// Detection of the planes of annotated frames: the mean score of each group over the frames' eight
// mirrored and transposed copies, which differ by chance only.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/planes/frames/engine.h"
#include "common/planes/frames/reference.h"
#include "tests/bench/accuracy/planes_frames.h"
#include "tests/bench/accuracy/planes_score.h"
#include "tests/bench/accuracy/recorded_table.h"
#include "tests/bench/peers/load.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

struct Sum {
  int frames = 0;
  double panoptic = 0.0, iou = 0.0;
  int truth = 0, reported = 0, found = 0;
};

// Planes are summed over all copies, to avoid rounding.
std::string row(const std::string& group, const Sum& sum) {
  const double n = sum.frames;
  return formatted("%-14s %6d   %.4f %.4f %6d %8d %6d", group.c_str(), sum.frames, sum.panoptic / n,
                   sum.iou / n, sum.found, sum.reported, sum.truth);
}

int run(int count, char** words) {
  planes::Parameters parameters;
  std::string rooms;
  int copies = 8;
  bool each = false;
  bool reference = false;
  std::string peer_file;
  std::string expected;
  test::CommandLine line(
      "The score (EVOPS' panoptic quality) of the planes of the annotated frames in the folder "
      "of\nRDPSEGMENT_TEST_DATA.");
  line.file("rooms", &rooms, "rooms of this folder, and no other frames", "FOLDER");
  line.number("copies", &copies, {1, 8}, "of each frame, 1 to 8 (default 8)");
  line.flag("each", &each, "print each frame");
  line.flag("reference", &reference, "with the scalar definition");
  line.file("peer", &peer_file, "with another finder, out of a shared library (tests/bench/peers)",
            "FILE.so");
  line.file("expected", &expected, "fail where this program printed something else");
  line.number("bend", &parameters.bend, "default 0.004", "M/M");
  line.number("tolerance", &parameters.tolerance, "default 0.005", "M");
  line.number("directions", &parameters.directions, {}, "default 45");
  line.number("rounds", &parameters.rounds, {}, "default 4");
  line.number("noise", &parameters.noise, "default: measured", "1/M");
  line.read(count, words);
  const char* data = std::getenv("RDPSEGMENT_TEST_DATA");
  std::vector<PlanesFrame> frames;
  if (!rooms.empty()) {
    frames = read_rooms(rooms);
  } else if (data != nullptr) {
    frames = read_planes_frames(std::filesystem::path(data) / "planes");
  }
  if (frames.empty()) {
    std::fprintf(stderr,
                 "There are no frames with planes: give --rooms, or set RDPSEGMENT_TEST_DATA to a "
                 "folder that has planes in it.\n");
    return 77;
  }
  planes::FrameEngine finder(1);
  std::map<std::string, Sum> groups;
  const auto peer = peer_file.empty() ? nullptr : std::make_unique<Peer>(peer_file.c_str());
  RecordedTable table;
  table.line("group          copies panoptic  IoU   found reported     of");
  for (const PlanesFrame& frame : frames) {
    Sum own;
    for (int copy = 0; copy < copies; ++copy) {
      const PlanesFrame f = mirrored(frame, copy);
      std::vector<std::uint8_t> labels(f.truth.size());
      const MutableDepthView view{reinterpret_cast<std::byte*>(labels.data()), f.depth.width,
                                  f.depth.width, f.depth.height, SampleType::kU8};
      if (peer != nullptr) {
        peer->prepare(f);
        peer->find(&labels);
      } else if (reference) {
        planes::reference::find(f.depth.view(), f.camera, parameters, view);
      } else {
        finder.find(f.depth.view(), f.camera, parameters, view);
      }
      const PlanesScore score = score_planes(labels, f.truth);
      for (Sum* sum : {&own, &groups[f.group]}) {
        ++sum->frames;
        sum->panoptic += score.panoptic;
        sum->iou += score.mean_iou;
        sum->truth += score.truth;
        sum->reported += score.reported;
        sum->found += score.found;
      }
    }
    if (each) table.line(row(frame.name.substr(0, 14), own));
  }
  double mean = 0.0;
  for (const auto& [group, sum] : groups) {
    table.line(row(group, sum));
    mean += sum.panoptic / sum.frames / static_cast<double>(groups.size());
  }
  table.line(formatted("mean of the groups      %.4f", mean));
  return table.compare(expected);
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) { return rdp::bench::run(argc, argv); }
