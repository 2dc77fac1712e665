// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/motion_pairs.h"

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "tests/bench/gray_png.h"

namespace rdp::bench {
namespace {

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

// Middlebury's .flo: a magic number, width, height, and u and v of each pixel.
std::vector<float> read_flo(const std::filesystem::path& path, int width, int height) {
  std::ifstream file(path, std::ios::binary);
  float magic = 0.0F;
  std::int32_t size[2] = {};
  file.read(reinterpret_cast<char*>(&magic), sizeof magic);
  file.read(reinterpret_cast<char*>(size), sizeof size);
  if (!file || magic != 202021.25F || size[0] != width || size[1] != height) return {};
  std::vector<float> flow(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 2);
  file.read(reinterpret_cast<char*>(flow.data()),
            static_cast<std::streamsize>(flow.size() * sizeof flow[0]));
  if (!file) return {};
  for (float& value : flow) {
    if (std::abs(value) > 1e9F) value = kUnknown;
  }
  return flow;
}

// KITTI's PNG: (value - 2^15) / 64 px, and a flag for known pixels.
std::vector<float> read_kitti_flow(const std::filesystem::path& path, int width, int height) {
  const reference::Frame frame = read_colour_png(path);
  if (frame.width != 3 * width || frame.height != height) return {};
  std::vector<float> flow;
  for (std::size_t i = 0; i < frame.samples.size(); i += 3) {
    for (std::size_t j = 0; j < 2; ++j) {
      const bool known = frame.samples[i + 2] != 0;
      flow.push_back(known ? (static_cast<float>(frame.samples[i + j]) - 32768.0F) / 64.0F
                           : kUnknown);
    }
  }
  return flow;
}

struct Recording {
  const char* name;
  int levels;
  const char* first;
  const char* second;
  const char* flow;
};

constexpr Recording kRecordings[] = {
    {"RubberWhale", 4, "middlebury/RubberWhale_frame10.png", "middlebury/RubberWhale_frame11.png",
     "middlebury/RubberWhale_flow10.flo"},
    {"KITTI 2012 #27", 5, "kitti2012/000027_10_L.png", "kitti2012/000027_11_L.png",
     "kitti2012/000027_flow_noc.png"},
    {"KITTI 2012 #174", 5, "kitti2012/000174_10_L.png", "kitti2012/000174_11_L.png",
     "kitti2012/000174_flow_noc.png"},
};

}  // namespace

DepthView GrayPicture::view() const {
  return {reinterpret_cast<const std::byte*>(pixels.data()), width, width, height, SampleType::kU8};
}

bool MotionPair::knows(int row, int column) const {
  return !std::isnan(u(row, column)) && !std::isnan(v(row, column));
}

std::optional<std::filesystem::path> motion_folder() {
  const char* folder = std::getenv("RDPSEGMENT_TEST_DATA");
  if (folder == nullptr) return std::nullopt;
  const std::filesystem::path path = std::filesystem::path(folder) / "motion";
  if (!std::filesystem::is_directory(path)) return std::nullopt;
  return path;
}

GrayPicture read_gray_picture(const std::filesystem::path& path) {
  GrayPicture picture;
  reference::Frame frame = read_gray_png(path);
  if (frame.width != 0) {
    picture = {frame.width, frame.height, {}};
    picture.pixels.assign(frame.samples.begin(), frame.samples.end());
    return picture;
  }
  frame = read_colour_png(path);
  if (frame.width == 0) return picture;
  picture = {frame.width / 3, frame.height, {}};
  for (std::size_t i = 0; i < frame.samples.size(); i += 3) {
    const int sum =
        4899 * frame.samples[i] + 9617 * frame.samples[i + 1] + 1868 * frame.samples[i + 2] + 8192;
    picture.pixels.push_back(static_cast<std::uint8_t>(sum >> 14));
  }
  return picture;
}

std::vector<MotionPair> recorded_motion_pairs() {
  std::vector<MotionPair> pairs;
  const auto folder = motion_folder();
  if (!folder.has_value()) return pairs;
  for (const Recording& recording : kRecordings) {
    MotionPair pair{recording.name,
                    recording.levels,
                    read_gray_picture(*folder / recording.first),
                    read_gray_picture(*folder / recording.second),
                    {}};
    const int width = pair.first.width;
    const int height = pair.first.height;
    const std::filesystem::path flow = *folder / recording.flow;
    pair.flow = flow.extension() == ".flo" ? read_flo(flow, width, height)
                                           : read_kitti_flow(flow, width, height);
    if (width == 0 || pair.second.width != width || pair.second.height != height ||
        pair.flow.empty()) {
      continue;
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

MotionPair with_other_light(MotionPair pair) {
  for (std::uint8_t& pixel : pair.second.pixels) {
    pixel = static_cast<std::uint8_t>((4 * pixel + 102) / 5);
  }
  return pair;
}

}  // namespace rdp::bench
