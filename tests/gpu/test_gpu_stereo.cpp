// SPDX-License-Identifier: LGPL-2.1-or-later
// Stereo matching on the GPU against the scalar reference, bit for bit.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "common/stereo/reference.h"
#include "kernels/stereo/engine.h"
#include "tests/gpu/extra_driver.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/guarded_memory.h"
#include "tests/gpu/test_scale.h"
#include "tests/stereo/stereo_patterns.h"

namespace rdp {
namespace {

using test::GpuFrame;
using test::GpuLayout;
using test::MaskKind;
using test::PairCase;
using test::PairKind;
using test::StereoPair;
using test::StereoResult;

// A case on the device, in memory of layouts of its own, and what the reference makes of it.
class DeviceCase {
 public:
  DeviceCase(const PairCase& pair_case, std::mt19937* random)
      : case_(pair_case),
        pair_(pair_case),
        expected_(pair_case),
        left_(pair_.pair().left, layout(1, random)),
        right_(pair_.pair().right, layout(1, random)),
        disparity_(pair_case.width, pair_case.height, SampleType::kU16, layout(2, random)) {
    counts_ = stereo::reference::match(pair_.pair(), case_.parameters, expected_.result());
    const stereo::Pair host = pair_.pair();
    if (host.left_mask.data != nullptr) left_mask_.emplace(host.left_mask, layout(1, random));
    if (host.right_mask.data != nullptr) right_mask_.emplace(host.right_mask, layout(1, random));
    if (case_.want_confidence) {
      confidence_.emplace(case_.width, case_.height, SampleType::kU8, layout(1, random));
    }
  }

  void start(cuda::StereoEngine* matcher, CUstream stream) const {
    matcher->match({left_.view(), right_.view(), view_of(left_mask_), view_of(right_mask_)},
                   case_.parameters, {disparity_.view(), view_of(confidence_)}, stream);
  }
  void prepare(cuda::StereoEngine* matcher) const {
    matcher->prepare(case_.width, case_.height, case_.parameters);
  }

  // What is wrong once the stream has been waited for; empty where nothing is.
  std::string wrong(const cuda::StereoEngine& matcher) const {
    const stereo::Pair host = pair_.pair();
    std::string text = disparity_.difference(expected_.disparity());
    if (!text.empty()) return "disparity, " + text;
    if (confidence_) text = confidence_->difference(expected_.confidence());
    if (!text.empty()) return "confidence, " + text;
    if (!left_.difference(host.left).empty() || !right_.difference(host.right).empty() ||
        (left_mask_ && !left_mask_->difference(host.left_mask).empty()) ||
        (right_mask_ && !right_mask_->difference(host.right_mask).empty())) {
      return "the input was written";
    }
    const stereo::Counts counts = matcher.counts();
    if (counts.known == counts_.known && counts.saturated == counts_.saturated) return {};
    return "expected " + std::to_string(counts_.known) + " known and " +
           std::to_string(counts_.saturated) + " saturated pixels, got " +
           std::to_string(counts.known) + " and " + std::to_string(counts.saturated);
  }

 private:
  static GpuLayout layout(int sample_bytes, std::mt19937* random) {
    return test::random_layout(sample_bytes, random);
  }
  static cuda::DeviceDepthView view_of(const std::optional<GpuFrame>& frame) {
    return frame ? frame->view() : cuda::DeviceDepthView{};
  }

  PairCase case_;
  StereoPair pair_;
  StereoResult expected_;
  stereo::Counts counts_;
  GpuFrame left_;
  GpuFrame right_;
  GpuFrame disparity_;
  std::optional<GpuFrame> left_mask_;
  std::optional<GpuFrame> right_mask_;
  std::optional<GpuFrame> confidence_;
};

class GpuStereo : public test::GpuTest {
 protected:
  void check(const PairCase& pair_case) {
    const DeviceCase device_case(pair_case, &random_);
    device_case.start(&matcher_, stream());
    synchronize();
    ASSERT_EQ(device_case.wrong(matcher_), "") << text_of(pair_case);
  }
  void check_if_picked(const PairCase& pair_case) {
    if (picker_.next()) check(pair_case);
  }
  void TearDown() override { EXPECT_EQ(test::guard_damage(), ""); }

  static bool takes_all() { return test::test_scale() >= 1; }
  static int below(std::mt19937* random, int n) {
    return static_cast<int>((*random)() % static_cast<unsigned>(n));
  }

  std::mt19937 random_{3};
  test::CasePicker picker_;
  cuda::StereoEngine matcher_;
};

TEST_F(GpuStereo, RandomPairs) {
  std::mt19937 random(17);
  for (int i = 0; i < 2000; ++i) {
    const PairCase pair_case = test::random_pair_case(&random, takes_all() ? 400000 : 40000);
    ASSERT_NO_FATAL_FAILURE(check_if_picked(pair_case));
  }
}

TEST_F(GpuStereo, HardPairs) {
  for (const PairCase& pair_case : test::hard_pair_cases()) {
    ASSERT_NO_FATAL_FAILURE(check_if_picked(pair_case));
  }
}

TEST_F(GpuStereo, EveryParameterAtItsEnds) {
  for (const stereo::Parameters& parameters : test::stereo_parameter_sets()) {
    for (const PairKind kind : {PairKind::kTextured, PairKind::kRepeated, PairKind::kExtremes}) {
      PairCase pair_case;
      pair_case.width = takes_all() ? 150 : 40;
      pair_case.height = takes_all() ? 30 : 10;
      pair_case.kind = kind;
      pair_case.parameters = parameters;
      ASSERT_NO_FATAL_FAILURE(check_if_picked(pair_case));
    }
  }
}

// One case of each kernel, whatever the scale.
TEST_F(GpuStereo, EveryKernel) {
  for (const int disparities : {16, 128, 144, 256}) {
    for (const int paths : {4, 8}) {
      for (const MaskKind mask : {MaskKind::kNone, MaskKind::kHoles}) {
        PairCase pair_case;
        pair_case.width = 37;
        pair_case.height = 9;
        pair_case.mask = mask;
        pair_case.parameters.disparities = disparities;
        pair_case.parameters.paths = paths;
        pair_case.parameters.speckle_size = 8;
        ASSERT_NO_FATAL_FAILURE(check(pair_case));
      }
    }
  }
}

// Pictures that are wider than the range, with winners at its end: what goes from lane to lane of a
// warp comes to the last one.
TEST_F(GpuStereo, EndOfTheRange) {
  for (const int disparities : {112, 128, 240, 256}) {
    for (const PairKind kind : {PairKind::kSaturated, PairKind::kNoise, PairKind::kFewLevels}) {
      for (const int p1 : {0, 3}) {
        PairCase pair_case;
        pair_case.width = disparities + 90;
        pair_case.height = 3;
        pair_case.kind = kind;
        pair_case.parameters.disparities = disparities;
        pair_case.parameters.p1 = p1;
        pair_case.parameters.p2 = 30;
        pair_case.parameters.uniqueness = 0;
        pair_case.parameters.max_left_right = p1 == 0 ? 255 : 0;
        pair_case.parameters.speckle_size = 0;
        ASSERT_NO_FATAL_FAILURE(check(pair_case));
        pair_case.parameters.max_left_right = 0;
        ASSERT_NO_FATAL_FAILURE(check(pair_case));
      }
    }
  }
}

// Noise, in which components wind through several tiles.
TEST_F(GpuStereo, SpecklesOfAllShapes) {
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) {
    PairCase pair_case;
    pair_case.kind = PairKind::kNoise;
    pair_case.seed = static_cast<std::uint64_t>(i);
    pair_case.width = 1 + below(&random, takes_all() ? 300 : 90);
    pair_case.height = 1 + below(&random, takes_all() ? 120 : 40);
    stereo::Parameters& parameters = pair_case.parameters;
    parameters.disparities = 16;
    parameters.uniqueness = 0;
    parameters.max_left_right = below(&random, 2) == 0 ? -1 : 15;
    parameters.p1 = below(&random, 5);
    parameters.p2 = parameters.p1 + below(&random, 20);
    parameters.median = below(&random, 2) * 3;
    parameters.speckle_size = 2 + below(&random, 100);
    parameters.speckle_range = below(&random, 1500);
    ASSERT_NO_FATAL_FAILURE(check_if_picked(pair_case));
  }
}

TEST_F(GpuStereo, LargeSides) {
  if (!takes_all()) GTEST_SKIP() << "RDP_GPU_TEST_SCALE asks for fewer cases";
  for (const auto& [width, height] :
       {std::pair{kMaxSide, 1}, {kMaxSide, 3}, {1, kMaxSide}, {3, kMaxSide}, {1242, 375}}) {
    PairCase pair_case;
    pair_case.width = width;
    pair_case.height = height;
    pair_case.parameters.paths = 8;
    if (width != 1242) pair_case.parameters.disparities = 32;
    ASSERT_NO_FATAL_FAILURE(check(pair_case));
  }
}

TEST_F(GpuStereo, SteadyStateAllocatesNothing) {
  PairCase pair_case;
  pair_case.width = 60;
  pair_case.height = 12;
  pair_case.parameters.disparities = 32;
  pair_case.parameters.paths = 8;
  matcher_.prepare(pair_case.width, pair_case.height, pair_case.parameters);
  std::vector<std::unique_ptr<DeviceCase>> cases;
  for (const int part : {1, 2, 3}) {
    PairCase smaller = pair_case;
    smaller.width /= part;
    smaller.height /= part;
    smaller.parameters.paths = part == 2 ? 4 : 8;
    cases.push_back(std::make_unique<DeviceCase>(smaller, &random_));
  }
  const std::uint64_t allocations = test::device_allocations();
  for (const auto& device_case : cases) {
    device_case->prepare(&matcher_);
    device_case->start(&matcher_, stream());
    synchronize();
    EXPECT_EQ(device_case->wrong(matcher_), "");
  }
  EXPECT_EQ(test::device_allocations(), allocations);
}

TEST_F(GpuStereo, MatchersOnStreamsOfTheirOwn) {
  std::vector<std::unique_ptr<DeviceCase>> cases;
  std::vector<std::unique_ptr<cuda::StereoEngine>> matchers;
  std::vector<std::unique_ptr<cuda::Stream>> streams;
  for (int i = 0; i < 3; ++i) {
    PairCase pair_case;
    pair_case.width = 40 + 9 * i;
    pair_case.height = 10 + i;
    pair_case.seed = static_cast<std::uint64_t>(i);
    pair_case.parameters.disparities = 32;
    pair_case.parameters.speckle_size = 10;
    cases.push_back(std::make_unique<DeviceCase>(pair_case, &random_));
    matchers.push_back(std::make_unique<cuda::StereoEngine>());
    streams.push_back(std::make_unique<cuda::Stream>());
    cases.back()->prepare(matchers.back().get());
  }
  for (int round = 0; round < (takes_all() ? 50 : 1); ++round) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      cases[i]->start(matchers[i].get(), streams[i]->get());
    }
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    streams[i]->synchronize();
    EXPECT_EQ(cases[i]->wrong(*matchers[i]), "") << "matcher " << i;
  }
}

TEST_F(GpuStereo, CanBeCapturedIntoAGraph) {
  if (test::is_standin()) GTEST_SKIP() << "the stand-in has no graphs";
  const test::ExtraDriver* const driver = test::extra_driver();
  if (driver == nullptr) GTEST_SKIP() << "this driver has no graphs";
  PairCase pair_case;
  pair_case.width = 200;
  pair_case.height = 50;
  const DeviceCase device_case(pair_case, &random_);
  device_case.prepare(&matcher_);
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  ASSERT_EQ(driver->cuStreamBeginCapture_v2(stream(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
            CUDA_SUCCESS);
  device_case.start(&matcher_, stream());
  ASSERT_EQ(driver->cuStreamEndCapture(stream(), &graph), CUDA_SUCCESS);
  ASSERT_EQ(driver->cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(driver->cuGraphLaunch(exec, stream()), CUDA_SUCCESS);
    synchronize();
    EXPECT_EQ(device_case.wrong(matcher_), "");
  }
  driver->cuGraphExecDestroy(exec);
  driver->cuGraphDestroy(graph);
}

TEST_F(GpuStereo, OutOfMemoryIsAnErrorAndNoMore) {
  stereo::Parameters parameters;
  parameters.disparities = 256;
  parameters.paths = 8;
  if (test::is_standin()) {
    standin::inject("cuMemAlloc_v2", 1, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_THROW(matcher_.prepare(64, 64, parameters), cuda::CudaError);
    standin::inject("cuMemAlloc_v2", 1, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_THROW(matcher_.prepare(64, 64, parameters), cuda::CudaError);
  } else {
    // Half a terabyte.
    EXPECT_GT(cuda::StereoEngine::memory_for(kMaxSide, kMaxSide, parameters),
              std::size_t{500} << 30);
    EXPECT_THROW(matcher_.prepare(kMaxSide, kMaxSide, parameters), cuda::CudaError);
  }
  PairCase pair_case;
  pair_case.width = 33;
  pair_case.height = 7;
  check(pair_case);
}

}  // namespace
}  // namespace rdp

int main(int argc, char** argv) {
  if (rdp::cuda::load_driver() != nullptr) rdp::test::guard_device_memory();
  return rdp::test::gpu_test_main(argc, argv);
}
