// SPDX-License-Identifier: LGPL-2.1-or-later
// Rectification and distances of disparities on the GPU against the scalar reference, bit for bit.
#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "common/stereo/depth_table.h"
#include "common/stereo/rectification.h"
#include "kernels/stereo/depth_table.h"
#include "kernels/stereo/rectifier.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/test_scale.h"
#include "tests/stereo/raw_pair.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::GpuFrame;
using test::TestFrame;

// Around the sizes of blocks of threads, and as large as there are in one direction.
constexpr std::pair<int, int> kSizes[] = {
    {1, 1},   {1, 50},  {50, 1},  {7, 8},   {8, 9},   {31, 7},    {32, 8},    {33, 9},   {64, 16},
    {65, 17}, {255, 3}, {256, 4}, {257, 5}, {264, 6}, {320, 240}, {16384, 2}, {2, 16384}};

class GpuStereoFilters : public test::GpuTest {
 protected:
  std::mt19937 random_{1};
  test::CasePicker picker_;

  test::GpuLayout layout(SampleType type) {
    return test::random_layout(bytes_per_sample(type), &random_);
  }
  TestFrame noise(int width, int height, SampleType type) {
    TestFrame frame(width, height, type);
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        frame.view().set(row, column, static_cast<std::uint16_t>(random_() & max_sample(type)));
      }
    }
    return frame;
  }
  // A lens that distorts, turned, of which parts are not seen: or one that moves nothing.
  stereo::RectificationMap map_of(int width, int height, bool moves) {
    std::uniform_real_distribution<double> any(-0.2, 0.2);
    stereo::ViewRectification view;
    view.camera = stereo::test::lens(width, width, (width - 1) / 2.0, (height - 1) / 2.0);
    view.rectified = view.camera;
    if (moves) {
      view.camera.distortion =
          stereo::test::distortion({any(random_), any(random_), 0.01, -0.01, 0, 0, 0, 0});
      view.rotation = stereo::test::rotation(any(random_), any(random_), any(random_));
    }
    return stereo::rectification_map(view, width, height);
  }
  void check_rectified(const stereo::RectificationMap& map, const DepthView& picture,
                       cuda::Rectifier* rectifier) {
    TestFrame expected(map.width, map.height, SampleType::kU8);
    stereo::reference::rectify(picture, map, expected.view());
    const GpuFrame in(picture, layout(SampleType::kU8));
    const GpuFrame out(map.width, map.height, SampleType::kU8, layout(SampleType::kU8));
    rectifier->rectify(in.view(), out.view(), stream());
    synchronize();
    ASSERT_EQ(out.difference(expected.view()), "") << map.width << " x " << map.height;
    ASSERT_EQ(in.difference(picture), "") << "the input was written";
  }
};

TEST_F(GpuStereoFilters, RectifiesAsTheReference) {
  cuda::Rectifier rectifier;  // for maps that grow and shrink
  for (const auto& [width, height] : kSizes) {
    for (const bool moves : {false, true}) {
      if (!picker_.next()) continue;
      const stereo::RectificationMap map = map_of(width, height, moves);
      rectifier.set_map(map);
      check_rectified(map, noise(width, height, SampleType::kU8).view(), &rectifier);
      TestFrame white(width, height, SampleType::kU8);
      for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) white.view().set(row, column, 255);
      }
      check_rectified(map, white.view(), &rectifier);
      const cuda::DeviceDepthView mask = rectifier.mask();
      ASSERT_EQ(mask.width, width);
      ASSERT_EQ(mask.height, height);
      std::vector<std::uint8_t> back(map.mask.size());
      test::copy_from_device(back.data(), mask.data, back.size());
      ASSERT_EQ(back, map.mask);
    }
  }
}

TEST_F(GpuStereoFilters, RectifiesPairsOfCameras) {
  cuda::Rectifier rectifier;
  for (const stereo::test::RawPair& raw : stereo::test::raw_pairs()) {
    if (!picker_.next()) continue;
    stereo::PairRectification pair;
    ASSERT_TRUE(stereo::rectify_cameras(raw.left, raw.right, raw.rotation, raw.translation,
                                        raw.width, raw.height, &pair));
    const stereo::RectificationMap map =
        stereo::rectification_map(pair.right, raw.width, raw.height);
    rectifier.set_map(map);
    check_rectified(map, noise(raw.width, raw.height, SampleType::kU8).view(), &rectifier);
  }
}

TEST_F(GpuStereoFilters, PutsDistancesInThePlaceOfDisparities) {
  cuda::DepthTable depths;
  for (const auto& [width, height] : kSizes) {
    for (const stereo::DepthScale& scale :
         {stereo::depth_scale(721.5, 0.54, 0), stereo::depth_scale(1000, 0.1, -20.5)}) {
      if (!picker_.next()) continue;
      const std::vector<std::uint16_t> table = stereo::depth_table(scale);
      depths.set_table(table);
      const TestFrame disparity = noise(width, height, SampleType::kU16);
      TestFrame expected = disparity;
      stereo::to_depth(expected.view(), table, 0, height);
      const GpuFrame frame(DepthView(disparity.view()), layout(SampleType::kU16));
      depths.to_depth(frame.view(), stream());
      synchronize();
      ASSERT_EQ(frame.difference(expected.view()), "") << width << " x " << height;
    }
  }
}

}  // namespace
}  // namespace rdp

int main(int argc, char** argv) { return rdp::test::gpu_test_main(argc, argv); }
