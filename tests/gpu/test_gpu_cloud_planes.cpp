// SPDX-License-Identifier: LGPL-2.1-or-later
// Planes of clouds on the GPU against the scalar reference, bit for bit.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "common/planes/cloud_reference.h"
#include "kernels/planes/cloud_finder.h"
#include "tests/gpu/extra_driver.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/guarded_memory.h"
#include "tests/gpu/test_scale.h"
#include "tests/planes/cloud_patterns.h"

namespace rdp {
namespace {

using test::CloudKind;
using test::CloudLayout;

struct CloudCase {
  CloudKind kind = CloudKind::kRoom;
  std::size_t points = 0;
  std::uint32_t seed = 1;
  CloudLayout layout;
  std::size_t skip = 0;  // bytes before the first point
  planes::Parameters parameters;
  double unit = 1.0;
  bool forward_left_up = false;

  std::string name() const {
    return name_of(kind) + ", " + std::to_string(points) + " points, seed " + std::to_string(seed) +
           ", step " + std::to_string(layout.step) + ", " + std::to_string(layout.offset + skip) +
           " bytes from an aligned address";
  }
};

// A case on the device, and what the reference makes of it.
class DeviceCloud {
 public:
  explicit DeviceCloud(const CloudCase& cloud_case) : case_(cloud_case) {
    const std::vector<std::byte> points =
        test::laid_out(test::draw_cloud(case_.kind, case_.points, case_.seed), case_.layout);
    bytes_.assign(case_.skip, std::byte{0x7F});
    bytes_.insert(bytes_.end(), points.begin(), points.end());
    expected_labels_.resize(case_.points);
    expected_ = planes::reference::find_in_cloud(view(bytes_.data()), case_.parameters,
                                                 expected_labels_.data());
    test::copy_to_device(memory_.ensure(bytes_.size() + 1), bytes_.data(), bytes_.size());
    const std::vector<std::uint8_t> untouched(case_.points + 1, kUntouched);
    test::copy_to_device(labels_.ensure(untouched.size()), untouched.data(), untouched.size());
  }

  void prepare(cuda::PlaneCloudFinder* finder) const {
    finder->prepare(case_.points, case_.parameters);
  }
  void start(cuda::PlaneCloudFinder* finder, CUstream stream) const {
    finder->find(view(memory_.as<std::byte>()), case_.parameters, labels_.get(), stream);
  }
  const planes::PlaneSet& expected() const { return expected_; }

  // What is wrong once the stream has been waited for; empty where nothing is.
  std::string wrong(cuda::PlaneCloudFinder* finder) const {
    const planes::PlaneSet& set = finder->planes();
    const std::string counts = differences(set.counts);
    if (!counts.empty()) return "counts: " + counts;
    std::vector<std::uint8_t> labels(case_.points + 1);
    test::copy_from_device(labels.data(), labels_.get(), labels.size());
    for (std::size_t i = 0; i < case_.points; ++i) {
      if (labels[i] == expected_labels_[i]) continue;
      return "point " + std::to_string(i) + ": expected label " +
             std::to_string(expected_labels_[i]) + ", got " + std::to_string(labels[i]);
    }
    if (labels.back() != kUntouched) return "the byte after the labels was written";
    if (set.planes.size() != expected_.planes.size()) {
      return "expected " + std::to_string(expected_.planes.size()) + " planes, got " +
             std::to_string(set.planes.size());
    }
    for (std::size_t p = 0; p < set.planes.size(); ++p) {
      if (set.planes[p] != expected_.planes[p]) return "plane " + std::to_string(p);
    }
    if (set.corners != expected_.corners) return "corners";
    if (set.ground.plane != expected_.ground.plane ||
        set.ground.height != expected_.ground.height ||
        set.ground.pitch != expected_.ground.pitch || set.ground.roll != expected_.ground.roll) {
      return "ground: expected " + std::to_string(expected_.ground.plane) + ", got " +
             std::to_string(set.ground.plane);
    }
    return {};
  }

 private:
  static constexpr std::uint8_t kUntouched = 0xA5;

  planes::CloudView view(const std::byte* data) const {
    return {data + case_.skip,   case_.points, case_.layout.step,
            case_.layout.offset, case_.unit,   case_.forward_left_up};
  }
  std::string differences(const planes::Counts& c) const {
    std::string text;
    const auto add = [&](const char* name, double expected, double got) {
      if (expected == got) return;
      text += std::string(name) + " expected " + std::to_string(expected) + ", got " +
              std::to_string(got) + "; ";
    };
    const planes::Counts& e = expected_.counts;
    add("known", static_cast<double>(e.known), static_cast<double>(c.known));
    add("outside", static_cast<double>(e.outside), static_cast<double>(c.outside));
    add("nodes", static_cast<double>(e.nodes), static_cast<double>(c.nodes));
    add("planar", static_cast<double>(e.planar_nodes), static_cast<double>(c.planar_nodes));
    add("voters", static_cast<double>(e.voters), static_cast<double>(c.voters));
    add("peaks", static_cast<double>(e.peaks), static_cast<double>(c.peaks));
    add("small", static_cast<double>(e.small), static_cast<double>(c.small));
    add("thick", static_cast<double>(e.thick), static_cast<double>(c.thick));
    add("surplus", static_cast<double>(e.surplus), static_cast<double>(c.surplus));
    add("merged", static_cast<double>(e.merged), static_cast<double>(c.merged));
    add("resolution", e.resolution * 1e9, c.resolution * 1e9);
    if (text.empty() && c != e) text = "noise or coarser";
    return text;
  }

  CloudCase case_;
  std::vector<std::byte> bytes_;
  std::vector<std::uint8_t> expected_labels_;
  planes::PlaneSet expected_;
  cuda::DeviceBuffer memory_, labels_;
};

CloudCase case_of(CloudKind kind, std::size_t points, std::uint32_t seed = 1) {
  CloudCase cloud_case;
  cloud_case.kind = kind;
  cloud_case.points = points;
  cloud_case.seed = seed;
  return cloud_case;
}

class GpuCloudPlanes : public test::GpuTest {
 protected:
  void check(const CloudCase& cloud_case) {
    const DeviceCloud cloud(cloud_case);
    cloud.start(&finder_, stream());
    synchronize();
    ASSERT_EQ(cloud.wrong(&finder_), "") << cloud_case.name();
    planes_ += cloud.expected().planes.size();
    merged_ += cloud.expected().counts.merged;
    outside_ += cloud.expected().counts.outside;
  }
  void TearDown() override { EXPECT_EQ(test::guard_damage(), ""); }

  static bool takes_all() { return test::test_scale() >= 1; }
  // As many as an emulation can do.
  static std::size_t scaled(std::size_t points) { return takes_all() ? points : points / 10; }

  cuda::PlaneCloudFinder finder_;
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

TEST_F(GpuCloudPlanes, AllKinds) {
  for (const CloudKind kind : test::kCloudKinds) {
    ASSERT_NO_FATAL_FAILURE(check(case_of(kind, scaled(40000), 2)));
  }
  EXPECT_GT(merged_, 0);
  EXPECT_GT(outside_, 0);
}

// Whatever the scale: no points, one, as many as a warp and as a block.
TEST_F(GpuCloudPlanes, FewPoints) {
  for (const std::size_t points : {0, 1, 2, 3, 31, 33, 255, 257, 999, 1000}) {
    for (const CloudKind kind : {CloudKind::kRoom, CloudKind::kNothing, CloudKind::kFlat}) {
      CloudCase cloud_case = case_of(kind, points);
      cloud_case.parameters.min_points = 2;
      cloud_case.parameters.min_inliers = 1;
      ASSERT_NO_FATAL_FAILURE(check(cloud_case));
    }
  }
}

TEST_F(GpuCloudPlanes, Layouts) {
  for (const auto& [step, offset, skip] :
       {std::tuple<std::size_t, std::size_t, std::size_t>{16, 4, 0},
        {32, 0, 0},
        {13, 1, 0},
        {12, 0, 1},
        {22, 6, 2}}) {
    CloudCase cloud_case = case_of(CloudKind::kRoom, scaled(20000));
    cloud_case.layout = {step, offset};
    cloud_case.skip = skip;
    ASSERT_NO_FATAL_FAILURE(check(cloud_case));
  }
}

TEST_F(GpuCloudPlanes, Parameters) {
  std::vector<CloudCase> cases;
  const auto add = [&](CloudKind kind, auto change) {
    CloudCase cloud_case = case_of(kind, scaled(20000), 3);
    change(&cloud_case);
    cases.push_back(cloud_case);
  };
  add(CloudKind::kRoom, [](CloudCase* c) { c->parameters.max_depth = 1; });
  add(CloudKind::kRoom, [](CloudCase* c) { c->parameters.max_depth = 8; });
  add(CloudKind::kRoom, [](CloudCase* c) { c->parameters.min_level = 0; });
  add(CloudKind::kRoom, [](CloudCase* c) { c->parameters.min_level = 7; });
  add(CloudKind::kRoom, [](CloudCase* c) { c->parameters.resolution = 0.05; });
  add(CloudKind::kRoom, [](CloudCase* c) { c->parameters.resolution = 3.0; });
  add(CloudKind::kRoom, [](CloudCase* c) { c->parameters.resolution = 1e-9; });
  add(CloudKind::kRoom, [](CloudCase* c) { c->parameters.rounds = 5; });
  add(CloudKind::kRoom, [](CloudCase* c) { c->parameters.hull = false; });
  add(CloudKind::kRoom, [](CloudCase* c) { c->parameters.max_planes = 2; });
  add(CloudKind::kRoom, [](CloudCase* c) { c->parameters.distance_step = 0.002; });
  add(CloudKind::kRoom, [](CloudCase* c) { c->parameters.max_thickness = 0.002; });
  add(CloudKind::kRoom, [](CloudCase* c) { c->parameters.directions = 12; });
  add(CloudKind::kRoom, [](CloudCase* c) { c->forward_left_up = true; });
  add(CloudKind::kRoom, [](CloudCase* c) { c->unit = 0.5; });
  add(CloudKind::kNothing, [](CloudCase* c) { c->parameters.zero_is_unknown = false; });
  // Cells with more planes around than are kept.
  add(CloudKind::kBlob, [](CloudCase* c) {
    c->points = 5000;
    c->parameters.min_inliers = 1;
    c->parameters.min_points = 3;
    c->parameters.max_depth = 4;
    c->parameters.max_planes = 255;
    c->parameters.tolerance = 0.01;
  });
  // More planes than a block sums itself.
  add(CloudKind::kSphere, [](CloudCase* c) {
    c->points *= 4;
    c->parameters.min_inliers = 1;
    c->parameters.min_points = 3;
    c->parameters.max_planes = 255;
    c->parameters.tolerance = 0.002;
  });
  add(CloudKind::kStairs, [](CloudCase* c) {
    c->parameters.min_inliers = 1;
    c->parameters.max_depth = 4;
    c->parameters.max_planes = 255;
  });
  for (const CloudCase& cloud_case : cases) ASSERT_NO_FATAL_FAILURE(check(cloud_case));
}

TEST_F(GpuCloudPlanes, LargeClouds) {
  if (!takes_all()) GTEST_SKIP() << "RDP_GPU_TEST_SCALE asks for fewer cases";
  for (const CloudKind kind : test::kCloudKinds) {
    ASSERT_NO_FATAL_FAILURE(check(case_of(kind, 1500000, 4)));
  }
  ASSERT_NO_FATAL_FAILURE(check(case_of(CloudKind::kSame, std::size_t{1} << 25)));
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
