// SPDX-License-Identifier: LGPL-2.1-or-later
// Planes of frames on the GPU against the scalar reference, bit for bit.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "common/planes/reference.h"
#include "kernels/planes/frame_engine.h"
#include "tests/gpu/extra_driver.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/guarded_memory.h"
#include "tests/gpu/test_scale.h"
#include "tests/planes/plane_differences.h"
#include "tests/planes/plane_patterns.h"

namespace rdp {
namespace {

using test::GpuFrame;
using test::PlaneCase;
using test::PlaneKind;

// Samples on the host.
struct HostFrame {
  HostFrame(int width, int height, SampleType type)
      : bytes(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
              static_cast<std::size_t>(bytes_per_sample(type))),
        view{bytes.data(), std::ptrdiff_t{width} * bytes_per_sample(type), width, height, type} {}

  std::vector<std::byte> bytes;
  MutableDepthView view;
};

// A case on the device, in memory of layouts of its own, and what the reference makes of it.
class DeviceCase {
 public:
  DeviceCase(const PlaneCase& plane_case, std::mt19937* random)
      : case_(plane_case),
        camera_(test::plane_camera(case_.width, case_.height, case_.type, case_.disparity)),
        host_(case_.width, case_.height, case_.type),
        expected_labels_(case_.width, case_.height, SampleType::kU8) {
    test::draw_planes(host_.view, case_.kind, case_.seed);
    expected_ =
        planes::reference::find(host_.view, camera_, case_.parameters, expected_labels_.view);
    frame_ = std::make_unique<GpuFrame>(host_.view,
                                        test::random_layout(bytes_per_sample(case_.type), random));
    labels_ = std::make_unique<GpuFrame>(case_.width, case_.height, SampleType::kU8,
                                         test::random_layout(1, random));
  }

  void prepare(cuda::FramePlanesEngine* finder) const {
    finder->prepare(case_.width, case_.height, case_.type, camera_, case_.parameters);
  }
  void start(cuda::FramePlanesEngine* finder, CUstream stream) const {
    finder->find(frame_->view(), camera_, case_.parameters, labels_->view(), stream);
  }
  std::size_t planes() const { return expected_.planes.size(); }

  // What is wrong once the stream has been waited for; empty where nothing is.
  std::string wrong(cuda::FramePlanesEngine* finder) const {
    const planes::PlaneSet& set = finder->planes();
    std::string text = labels_->difference(expected_labels_.view);
    if (!text.empty()) return "labels, " + text;
    text = test::differences(expected_, set);
    if (!text.empty()) return text;
    if (!frame_->difference(host_.view).empty()) return "the input was written";
    return {};
  }

 private:
  PlaneCase case_;
  MetricCamera camera_;
  HostFrame host_;
  HostFrame expected_labels_;
  planes::PlaneSet expected_;
  std::unique_ptr<GpuFrame> frame_;
  std::unique_ptr<GpuFrame> labels_;
};

PlaneCase case_of(PlaneKind kind, int width, int height) {
  return {test::name_of(kind), width, height, SampleType::kU16, kind, 5, false, {}};
}

class GpuPlanes : public test::GpuTest {
 protected:
  void check(const PlaneCase& plane_case) {
    const DeviceCase device_case(plane_case, &random_);
    device_case.start(&finder_, stream());
    synchronize();
    ASSERT_EQ(device_case.wrong(&finder_), "") << plane_case.name;
    planes_ += device_case.planes();
  }
  void TearDown() override { EXPECT_EQ(test::guard_damage(), ""); }

  static bool takes_all() { return test::test_scale() >= 1; }

  std::mt19937 random_{3};
  cuda::FramePlanesEngine finder_;
  std::size_t planes_ = 0;
};

// Rooms with planes behind each other, some of which merge. The widest one has rows of more than 32
// cells.
TEST_F(GpuPlanes, Rooms) {
  for (const auto& [width, height] : {std::pair{96, 72}, {161, 121}, {340, 100}}) {
    ASSERT_NO_FATAL_FAILURE(check(case_of(PlaneKind::kRoom, width, height)));
  }
  EXPECT_GT(planes_, 3U);
}

TEST_F(GpuPlanes, AllKindsAndSizes) {
  test::CasePicker picker;
  for (const PlaneCase& plane_case : test::plane_cases(takes_all())) {
    if (!picker.next()) continue;
    ASSERT_NO_FATAL_FAILURE(check(plane_case));
  }
}

// Whatever the scale: frames that are smaller than a tile of any kernel, and lines.
TEST_F(GpuPlanes, TinyFrames) {
  for (const auto& [width, height] :
       {std::pair{1, 1}, {2, 1}, {1, 40}, {40, 1}, {9, 7}, {17, 33}}) {
    for (const PlaneKind kind : {PlaneKind::kRoom, PlaneKind::kSlanted, PlaneKind::kUnknown}) {
      PlaneCase plane_case = case_of(kind, width, height);
      plane_case.parameters.min_inliers = 1;
      ASSERT_NO_FATAL_FAILURE(check(plane_case));
    }
  }
}

TEST_F(GpuPlanes, LargeFrames) {
  if (!takes_all()) GTEST_SKIP() << "RDP_GPU_TEST_SCALE asks for fewer cases";
  for (const auto& [width, height] :
       {std::pair{1280, 720}, {kMaxSide, 40}, {40, kMaxSide}, {2500, 1700}}) {
    for (const PlaneKind kind : {PlaneKind::kRoom, PlaneKind::kTiles}) {
      ASSERT_NO_FATAL_FAILURE(check(case_of(kind, width, height)));
    }
  }
}

TEST_F(GpuPlanes, SteadyStateAllocatesNothing) {
  std::vector<std::unique_ptr<DeviceCase>> cases;
  for (const PlaneKind kind : {PlaneKind::kRoom, PlaneKind::kTiles, PlaneKind::kUnknown}) {
    cases.push_back(std::make_unique<DeviceCase>(case_of(kind, 80, 60), &random_));
  }
  cases.front()->prepare(&finder_);
  const std::uint64_t allocations = test::device_allocations();
  for (const auto& device_case : cases) {
    device_case->prepare(&finder_);
    device_case->start(&finder_, stream());
    synchronize();
    EXPECT_EQ(device_case->wrong(&finder_), "");
  }
  EXPECT_EQ(test::device_allocations(), allocations);
}

TEST_F(GpuPlanes, FindersOnStreamsOfTheirOwn) {
  std::vector<std::unique_ptr<DeviceCase>> cases;
  std::vector<std::unique_ptr<cuda::FramePlanesEngine>> finders;
  std::vector<std::unique_ptr<cuda::Stream>> streams;
  for (int i = 0; i < 3; ++i) {
    cases.push_back(
        std::make_unique<DeviceCase>(case_of(PlaneKind::kRoom, 64 + 9 * i, 48 + i), &random_));
    finders.push_back(std::make_unique<cuda::FramePlanesEngine>());
    streams.push_back(std::make_unique<cuda::Stream>());
    cases.back()->prepare(finders.back().get());
  }
  for (int round = 0; round < (takes_all() ? 50 : 1); ++round) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      cases[i]->start(finders[i].get(), streams[i]->get());
    }
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    streams[i]->synchronize();
    EXPECT_EQ(cases[i]->wrong(finders[i].get()), "") << "finder " << i;
  }
}

TEST_F(GpuPlanes, CanBeCapturedIntoAGraph) {
  if (test::is_standin()) GTEST_SKIP() << "the stand-in has no graphs";
  const test::ExtraDriver* const driver = test::extra_driver();
  if (driver == nullptr) GTEST_SKIP() << "this driver has no graphs";
  const DeviceCase device_case(case_of(PlaneKind::kRoom, 320, 240), &random_);
  device_case.prepare(&finder_);
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  ASSERT_EQ(driver->cuStreamBeginCapture_v2(stream(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
            CUDA_SUCCESS);
  device_case.start(&finder_, stream());
  ASSERT_EQ(driver->cuStreamEndCapture(stream(), &graph), CUDA_SUCCESS);
  ASSERT_EQ(driver->cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(driver->cuGraphLaunch(exec, stream()), CUDA_SUCCESS);
    synchronize();
    EXPECT_EQ(device_case.wrong(&finder_), "");
  }
  driver->cuGraphExecDestroy(exec);
  driver->cuGraphDestroy(graph);
}

}  // namespace
}  // namespace rdp

int main(int argc, char** argv) {
  if (rdp::cuda::load_driver() != nullptr) rdp::test::guard_device_memory();
  return rdp::test::gpu_test_main(argc, argv);
}
