// SPDX-License-Identifier: LGPL-2.1-or-later
// Clouds of frames on the GPU against the scalar reference, bit for bit.
#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "kernels/points/engine.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/test_scale.h"
#include "tests/points/clouds.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::GpuFrame;
using test::TestFrame;

// Around the columns of a block, and as large as there are in one direction.
constexpr std::pair<int, int> kSizes[] = {{1, 1},    {1, 7},     {7, 1},     {33, 9},
                                          {127, 3},  {511, 2},   {512, 2},   {513, 3},
                                          {1025, 2}, {160, 120}, {16384, 1}, {1, 16384}};

class GpuPoints : public test::GpuTest {
 protected:
  std::mt19937 random_{1};
  test::CasePicker picker_;
  cuda::PointsEngine maker_;

  TestFrame noise(int width, int height, SampleType type) {
    TestFrame frame(width, height, type);
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        const std::uint32_t any = random_();
        const std::uint32_t sample = any % 8 == 0 ? 0 : any % 8 == 1 ? 0xFFFF : any >> 8;
        frame.view().set(row, column, static_cast<std::uint16_t>(sample & max_sample(type)));
      }
    }
    return frame;
  }

  void check(const DepthView& frame, const MetricCamera* camera,
             const points::Parameters& parameters, const std::string& what) {
    const std::vector<float> expected = points::test::expected_cloud(frame, camera, parameters);
    const GpuFrame in(frame, test::random_layout(bytes_per_sample(frame.type), &random_));
    // With something behind it that must stay.
    std::vector<float> actual(expected.size() + 64, 12345.0F);
    cuda::DeviceBuffer out;
    test::copy_to_device(out.ensure(actual.size() * sizeof(float)), actual.data(),
                         actual.size() * sizeof(float));
    maker_.make_points(in.view(), camera, parameters, out.get(), stream());
    synchronize();
    test::copy_from_device(actual.data(), out.get(), actual.size() * sizeof(float));
    ASSERT_EQ(points::test::difference(expected, actual.data(), frame.width), "")
        << what << ", " << frame.width << " x " << frame.height;
    for (std::size_t i = expected.size(); i < actual.size(); ++i) ASSERT_EQ(actual[i], 12345.0F);
    ASSERT_EQ(in.difference(frame), "") << "the input was written";
  }
};

TEST_F(GpuPoints, AreThoseOfTheReference) {
  for (const auto& [width, height] : kSizes) {
    for (const points::test::NamedCamera& named : points::test::cameras(width, height)) {
      for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
        const TestFrame frame = noise(width, height, type);
        for (const points::Parameters& parameters :
             {points::Parameters{}, points::Parameters{{0, 65535}, true},
              points::Parameters{{100, 200}, false}, points::Parameters{{70000, 80000}, true},
              points::Parameters{{1, 0xFFFFFFFF}, false}}) {
          if (!picker_.next()) continue;
          check(frame.view(), &named.camera, parameters, named.name);
        }
      }
    }
    check(noise(width, height, SampleType::kU16).view(), nullptr, {}, "no camera");
  }
}

// Only what has changed is made again, and nothing is forgotten.
TEST_F(GpuPoints, TablesFollowTheCamera) {
  const TestFrame frame = noise(70, 30, SampleType::kU16);
  const TestFrame bytes = noise(70, 30, SampleType::kU8);
  const std::vector<points::test::NamedCamera> all = points::test::cameras(70, 30);
  for (const points::test::NamedCamera& named : all) {
    for (const KnownRange known : {KnownRange{1, 65535}, KnownRange{300, 20000}}) {
      check(frame.view(), &named.camera, {known, false}, named.name);
      check(bytes.view(), &named.camera, {known, false}, named.name);
      check(frame.view(), &all[6].camera, {known, true}, "back");
      check(noise(30, 70, SampleType::kU16).view(), &named.camera, {known, false}, "turned");
    }
  }
}

}  // namespace
}  // namespace rdp

int main(int argc, char** argv) { return rdp::test::gpu_test_main(argc, argv); }
