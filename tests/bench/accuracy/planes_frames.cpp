// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/accuracy/planes_frames.h"

#include <algorithm>
#include <utility>

#include "tests/bench/gray_png.h"

namespace rdp::bench {
namespace {

namespace fs = std::filesystem;

MetricCamera camera_of(double fx, double fy, double cx, double cy, double unit) {
  MetricCamera camera;
  camera.focal_x = fx;
  camera.focal_y = fy;
  camera.principal_x = cx;
  camera.principal_y = cy;
  camera.depth.factor = unit;
  return camera;
}

void read(const fs::path& depth, const fs::path& truth, const std::string& group,
          const MetricCamera& camera, std::vector<PlanesFrame>* frames) {
  PlanesFrame frame;
  frame.depth = read_gray_png(depth);
  const reference::Frame labels = read_gray_png(truth);
  if (frame.depth.width == 0 || labels.width != frame.depth.width ||
      labels.height != frame.depth.height) {
    return;
  }
  frame.name = depth.stem().string();
  frame.group = group;
  frame.truth.resize(labels.samples.size());
  std::transform(labels.samples.begin(), labels.samples.end(), frame.truth.begin(),
                 [](std::uint16_t label) { return static_cast<std::uint8_t>(label); });
  frame.camera = camera;
  frames->push_back(std::move(frame));
}

}  // namespace

std::vector<PlanesFrame> read_rooms(const fs::path& folder) {
  std::vector<PlanesFrame> frames;
  for (const char* variant : {"clean", "n020", "n045", "bend"}) {
    const bool clean = std::string(variant) == "clean";
    for (int room = 1; room < 100; ++room) {
      const std::string name = std::string("room") + static_cast<char>('0' + room / 10) +
                               static_cast<char>('0' + room % 10);
      read(folder / (name + "_" + variant + "_depth.png"), folder / (name + "_planes.png"),
           std::string("rooms ") + variant,
           camera_of(525, 525, 319.5, 239.5, clean ? 0.0002 : 0.001), &frames);
    }
  }
  return frames;
}

std::vector<PlanesFrame> read_planes_frames(const fs::path& folder) {
  std::vector<PlanesFrame> frames;
  for (const auto& [variant, group] :
       {std::pair("", "icl clean"), {"_noise020", "icl 0.020"}, {"_noise045", "icl 0.045"}}) {
    read(folder / (std::string("icl_livingroom_0") + variant + "_depth.png"),
         folder / "icl_livingroom_0_planes.png", group,
         camera_of(481.2, 480, 319.5, 239.5, *variant == '\0' ? 0.0002 : 0.001), &frames);
  }
  const std::vector<PlanesFrame> rooms = read_rooms(folder / "rooms");
  frames.insert(frames.end(), rooms.begin(), rooms.end());
  return frames;
}

PlanesFrame mirrored(const PlanesFrame& frame, int copy) {
  const bool transpose = (copy & 4) != 0;
  const bool flip_x = (copy & 1) != 0;
  const bool flip_y = (copy & 2) != 0;
  const int width = frame.depth.width;
  const int height = frame.depth.height;
  PlanesFrame result = frame;
  MetricCamera& camera = result.camera;
  if (flip_x) camera.principal_x = width - 1 - camera.principal_x;
  if (flip_y) camera.principal_y = height - 1 - camera.principal_y;
  if (transpose) {
    std::swap(result.depth.width, result.depth.height);
    std::swap(camera.focal_x, camera.focal_y);
    std::swap(camera.principal_x, camera.principal_y);
  }
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int to_x = flip_x ? width - 1 - x : x;
      const int to_y = flip_y ? height - 1 - y : y;
      const std::size_t to = transpose ? static_cast<std::size_t>(to_x) * height + to_y
                                       : static_cast<std::size_t>(to_y) * width + to_x;
      const std::size_t from = static_cast<std::size_t>(y) * width + x;
      result.depth.samples[to] = frame.depth.samples[from];
      result.truth[to] = frame.truth[from];
    }
  }
  return result;
}

}  // namespace rdp::bench
