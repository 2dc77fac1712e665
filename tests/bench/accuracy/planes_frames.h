// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_PLANES_FRAMES_H_
#define RDP_TESTS_BENCH_ACCURACY_PLANES_FRAMES_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/image/camera.h"
#include "common/rdp/reference.h"

namespace rdp::bench {

// A depth frame with annotated planes.
struct PlanesFrame {
  std::string name;
  std::string group;  // "icl clean", "rooms n020"
  reference::Frame depth;
  std::vector<std::uint8_t> truth;
  MetricCamera camera;
};

// Reads the annotated frames of a folder with the layout of shared/data/planes, and the rooms of a
// folder like its rooms/. Missing files are skipped.
std::vector<PlanesFrame> read_planes_frames(const std::filesystem::path& folder);
std::vector<PlanesFrame> read_rooms(const std::filesystem::path& folder);

// One of the eight mirrored and transposed copies of a frame; 0: unchanged.
PlanesFrame mirrored(const PlanesFrame& frame, int copy);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_PLANES_FRAMES_H_
