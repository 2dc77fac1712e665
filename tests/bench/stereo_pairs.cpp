// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/stereo_pairs.h"

#include <cstddef>
#include <cstdlib>
#include <filesystem>

#include "tests/bench/gray_png.h"
#include "tests/stereo/stereo_patterns.h"

namespace rdp::bench {
namespace {

template <typename Byte>
BasicDepthView<Byte> bytes_view(Byte* data, int width, int height) {
  return {data, width, width, height, SampleType::kU8};
}

struct Recording {
  const char* name;
  const char* left;
  const char* right;
  const char* truth;
  int truth_scale;
  int disparities;
};

constexpr Recording kRecordings[] = {
    {"KITTI 2015 #46", "kitti/stereo/kitti2015_000046_10_L.png",
     "kitti/stereo/kitti2015_000046_10_R.png",
     "kitti/groundtruth/kitti2015_000046_10_disp_occ_0.png", 256, 128},
    {"KITTI 2012 #74", "stereo/kitti2012/000074_10_image_0.png",
     "stereo/kitti2012/000074_10_image_1.png", "stereo/kitti2012/000074_10_disp_occ.png", 256, 128},
    {"KITTI 2012 #138", "stereo/kitti2012/000138_10_image_0.png",
     "stereo/kitti2012/000138_10_image_1.png", "stereo/kitti2012/000138_10_disp_occ.png", 256, 128},
    {"KITTI 2012 #151", "stereo/kitti2012/000151_10_image_0.png",
     "stereo/kitti2012/000151_10_image_1.png", "stereo/kitti2012/000151_10_disp_occ.png", 256, 128},
    {"cones", "middlebury/cones_im2.png", "middlebury/cones_im6.png",
     "middlebury/cones_disp2_x4.png", 4, 64},
    {"teddy", "middlebury/teddy_im2.png", "middlebury/teddy_im6.png",
     "middlebury/teddy_disp2_x4.png", 4, 64},
    {"Cloth3", "stereo/middlebury/Cloth3_view1.png", "stereo/middlebury/Cloth3_view5.png",
     "stereo/middlebury/Cloth3_disp1.png", 2, 128},
};

}  // namespace

stereo::Pair BenchPair::pair() const {
  const auto view = [this](const std::vector<std::uint8_t>& bytes) {
    return bytes_view(reinterpret_cast<const std::byte*>(bytes.data()), width, height);
  };
  return {view(left), view(right), {}, {}};
}

std::vector<BenchPair> recorded_pairs() {
  const char* folder = std::getenv("RDPSEGMENT_TEST_DATA");
  std::vector<BenchPair> pairs;
  if (folder == nullptr) return pairs;
  const std::filesystem::path root(folder);
  for (const Recording& recording : kRecordings) {
    const reference::Frame left = read_brightness_png(root / recording.left);
    const reference::Frame right = read_brightness_png(root / recording.right);
    const reference::Frame truth = read_gray_png(root / recording.truth);
    if (left.width == 0 || right.width != left.width || right.height != left.height ||
        truth.width != left.width || truth.height != left.height) {
      continue;
    }
    BenchPair& pair = pairs.emplace_back();
    pair.name = recording.name;
    pair.width = left.width;
    pair.height = left.height;
    pair.disparities = recording.disparities;
    pair.left.assign(left.samples.begin(), left.samples.end());
    pair.right.assign(right.samples.begin(), right.samples.end());
    for (const std::uint16_t sample : truth.samples) {
      pair.truth.push_back(static_cast<double>(sample) / recording.truth_scale);
    }
  }
  return pairs;
}

BenchPair made_pair(int width, int height, int disparities) {
  BenchPair pair{"made", width, height, disparities, {}, {}, {}};
  const auto size = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  pair.left.resize(size);
  pair.right.resize(size);
  const auto view = [&](std::vector<std::uint8_t>* bytes) {
    return bytes_view(reinterpret_cast<std::byte*>(bytes->data()), width, height);
  };
  stereo::Parameters parameters;
  parameters.disparities = disparities;
  test::draw_pair(test::PairKind::kTextured, {view(&pair.left), view(&pair.right), {}, {}},
                  parameters, 1);
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const int disparity = test::true_disparity(width, height, parameters, row, column);
      pair.truth.push_back(column < disparity ? 0 : disparity);
    }
  }
  return pair;
}

}  // namespace rdp::bench
