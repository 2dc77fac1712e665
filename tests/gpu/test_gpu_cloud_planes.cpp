// SPDX-License-Identifier: LGPL-2.1-or-later
// Planes of clouds on the GPU against the scalar reference, bit for bit.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/planes/cloud_reference.h"
#include "kernels/planes/cloud_engine.h"
#include "tests/gpu/extra_driver.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/guarded_memory.h"
#include "tests/gpu/test_scale.h"
#include "tests/planes/cloud_cases.h"
#include "tests/planes/plane_differences.h"

namespace rdp {
namespace {

using test::CloudCase;
using test::CloudKind;

// A case on the device, and what the reference makes of it.
class DeviceCloud {
 public:
  explicit DeviceCloud(const CloudCase& cloud_case)
      : parameters_(cloud_case.parameters), host_(cloud_case.draw()) {
    expected_labels_.resize(host_.view.points);
    expected_ = planes::reference::find_in_cloud(host_.view, parameters_, expected_labels_.data());
    test::copy_to_device(memory_.ensure(host_.bytes.size() + 1), host_.bytes.data(),
                         host_.bytes.size());
    const std::vector<std::uint8_t> untouched(host_.view.points + 1, kUntouched);
    test::copy_to_device(labels_.ensure(untouched.size()), untouched.data(), untouched.size());
  }

  void prepare(cuda::CloudPlanesEngine* finder) const {
    finder->prepare(host_.view.points, parameters_);
  }
  void start(cuda::CloudPlanesEngine* finder, CUstream stream) const {
    planes::CloudView view = host_.view;
    view.data = memory_.as<std::byte>() + (host_.view.data - host_.bytes.data());
    finder->find(view, parameters_, labels_.get(), stream);
  }
  const planes::PlaneSet& expected() const { return expected_; }

  // What is wrong once the stream has been waited for; empty where nothing is.
  std::string wrong(cuda::CloudPlanesEngine* finder) const {
    std::vector<std::uint8_t> labels(host_.view.points + 1);
    test::copy_from_device(labels.data(), labels_.get(), labels.size());
    if (labels.back() != kUntouched) return "the byte after the labels was written";
    const std::string text =
        test::label_differences(expected_labels_.data(), labels.data(), host_.view.points);
    return text.empty() ? test::differences(expected_, finder->planes()) : text;
  }

 private:
  static constexpr std::uint8_t kUntouched = 0xA5;

  planes::Parameters parameters_;
  test::PaddedCloud host_;
  std::vector<std::uint8_t> expected_labels_;
  planes::PlaneSet expected_;
  cuda::DeviceBuffer memory_, labels_;
};

CloudCase case_of(CloudKind kind, std::size_t points, std::uint32_t seed = 1) {
  return {std::string(name_of(kind)) + " " + std::to_string(points),
          kind,
          points,
          seed,
          12,
          0,
          0,
          1.0,
          false,
          {}};
}

class GpuCloudPlanes : public test::GpuTest {
 protected:
  void check(const CloudCase& cloud_case) {
    const DeviceCloud cloud(cloud_case);
    cloud.start(&finder_, stream());
    synchronize();
    ASSERT_EQ(cloud.wrong(&finder_), "") << cloud_case.name;
    planes_ += cloud.expected().planes.size();
    merged_ += cloud.expected().counts.merged;
    outside_ += cloud.expected().counts.outside;
  }
  void TearDown() override { EXPECT_EQ(test::guard_damage(), ""); }

  static bool takes_all() { return test::test_scale() >= 1; }
  // As many as an emulation can do.
  static std::size_t scaled(std::size_t points) { return takes_all() ? points : points / 10; }

  cuda::CloudPlanesEngine finder_;
  std::size_t planes_ = 0;
  std::int64_t merged_ = 0;
  std::int64_t outside_ = 0;
};

TEST_F(GpuCloudPlanes, Rooms) {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    ASSERT_NO_FATAL_FAILURE(check(case_of(CloudKind::kRoom, scaled(100000), seed)));
  }
  EXPECT_GT(planes_, 12U);
}

// All kinds, layouts and settings. Of a part of them, those with fewer points and one with points
// far away from the others.
TEST_F(GpuCloudPlanes, AllCases) {
  std::size_t number = 0;
  for (const CloudCase& cloud_case : test::cloud_cases(takes_all())) {
    const bool strewn = cloud_case.kind == CloudKind::kStrewn && outside_ == 0;
    if (!takes_all() && !strewn && cloud_case.points > 3000 && number++ % 12 != 0) continue;
    ASSERT_NO_FATAL_FAILURE(check(cloud_case));
  }
  EXPECT_GT(merged_, 0);
  EXPECT_GT(outside_, 0);
}

TEST_F(GpuCloudPlanes, LargeClouds) {
  if (!takes_all()) GTEST_SKIP() << "RDP_GPU_TEST_SCALE asks for fewer cases";
  for (int kind = 0; kind < test::kCloudKinds; ++kind) {
    ASSERT_NO_FATAL_FAILURE(check(case_of(static_cast<CloudKind>(kind), 1500000, 4)));
  }
  ASSERT_NO_FATAL_FAILURE(check(case_of(CloudKind::kEqual, std::size_t{1} << 25)));
  ASSERT_NO_FATAL_FAILURE(check(case_of(CloudKind::kRoom, std::size_t{1} << 25)));
}

TEST_F(GpuCloudPlanes, TooManyPoints) {
  EXPECT_THROW(finder_.prepare((std::size_t{1} << 25) + 1, {}), cuda::CudaError);
  check(case_of(CloudKind::kRoom, 2000));
}

TEST_F(GpuCloudPlanes, SteadyStateAllocatesNothing) {
  const DeviceCloud large(case_of(CloudKind::kRoom, scaled(40000)));
  const DeviceCloud small(case_of(CloudKind::kStairs, scaled(20000)));
  large.prepare(&finder_);
  const std::uint64_t allocations = test::device_allocations();
  for (const DeviceCloud* cloud : {&large, &small, &large}) {
    cloud->start(&finder_, stream());
    synchronize();
    EXPECT_EQ(cloud->wrong(&finder_), "");
  }
  EXPECT_EQ(test::device_allocations(), allocations);
}

}  // namespace
}  // namespace rdp

int main(int argc, char** argv) {
  if (rdp::cuda::load_driver() != nullptr) rdp::test::guard_device_memory();
  return rdp::test::gpu_test_main(argc, argv);
}
