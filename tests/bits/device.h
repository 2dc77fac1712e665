// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BITS_DEVICE_H_
#define RDP_TESTS_BITS_DEVICE_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tests/bits/operation.h"
#include "tests/gpu/extra_driver.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/guarded_memory.h"

// Runs the GPU engines on a device, with the stand-in driver, or with emulated kernels.
namespace rdp::bits {

class DeviceImage {
 public:
  DeviceImage(const Image& image, Random* random)
      : image_(&image),
        memory_(
            static_cast<std::size_t>(image.row_bytes()), image.height,
            image.fixed ? test::GpuLayout{} : test::random_layout(image.unit, random->engine())) {
    if (!image.before.empty()) memory_.upload(image.before.data(), image.row_bytes());
  }
  cuda::DeviceDepthView samples() const {
    return {memory_.data(), memory_.pitch(), image_->width, image_->height, image_->type()};
  }
  cuda::DeviceRgbaView rgba() const {
    return {memory_.data(), memory_.pitch(), image_->width, image_->height};
  }
  CUdeviceptr data() const { return memory_.data(); }
  std::int64_t pitch() const { return memory_.pitch(); }

  std::string wrong(bool truncated) const {
    const std::byte* const expected = truncated ? image_->before.data() : image_->expected();
    const std::string text = memory_.difference(expected, image_->row_bytes(), image_->unit);
    return text.empty() || !image_->after.empty() ? text : text + ", which is only to be read";
  }

 private:
  const Image* image_;
  test::GpuImage memory_;
};

// True if a case may overwrite its input, so that it cannot run twice.
template <typename Operation>
bool is_in_place(const typename Operation::Spec& spec) {
  if constexpr (requires { spec.in_place; }) {
    return spec.in_place;
  } else {
    return Operation::kCounts.in_place;
  }
}

// A case in device memory.
class DeviceJob {
 public:
  DeviceJob(const Case& made, Random* random) : truncated_(made.truncated) {
    for (const Image& image : made.images) images_.emplace_back(image, random);
    for (const DeviceImage& image : images_) views_.push_back(image.samples());
    if (!made.lists.empty()) {
      segments_.emplace(std::span<const SegmentList>(made.lists), made.room);
    }
  }
  const DeviceImage& operator[](std::size_t i) const { return images_[i]; }
  // Images of one size, for operations on several frames.
  cuda::DeviceFrames frames(std::size_t first, std::size_t count) const {
    return std::span(views_).subspan(first, count);
  }
  const cuda::SegmentListView& segments() const { return segments_->view(); }

  std::string wrong() const {
    for (std::size_t i = 0; i < images_.size(); ++i) {
      const std::string text = images_[i].wrong(truncated_);
      if (!text.empty()) return "image " + std::to_string(i) + ", " + text;
    }
    return {};
  }

 private:
  bool truncated_;
  std::vector<DeviceImage> images_;
  std::vector<cuda::DeviceDepthView> views_;
  std::optional<test::GpuSegments> segments_;
};

// An engine with its own stream and its present case.
template <typename Operation>
class DeviceRun {
 public:
  DeviceRun() = default;

  // Loads the next case. The context must be current.
  void take(const NumberedSpec<Operation>& chosen) { take(chosen, make<Operation>(chosen)); }
  void take(const NumberedSpec<Operation>& chosen, typename Operation::Case made) {
    job_.reset();
    chosen_.emplace(chosen);
    made_.emplace(std::move(made));
    Random random(seed_of(Operation::kName, chosen.number) ^ 2);
    job_.emplace(*made_, &random);
  }
  void prepare() {
    if constexpr (requires { engine_.prepare(chosen_->spec, *made_); }) {
      engine_.prepare(chosen_->spec, *made_);
    }
  }
  static constexpr bool prepares() {
    return requires(typename Operation::Device engine, typename Operation::Spec spec,
                    typename Operation::Case made) {
      engine.prepare(spec, made);
    };
  }
  void start() { engine_.start(chosen_->spec, *made_, *job_, stream_.get()); }
  void wait() {
    stream_.synchronize();
    if constexpr (requires { engine_.again(); }) {
      while (engine_.again()) {
        start();
        stream_.synchronize();
      }
    }
  }
  void settle() const { stream_.synchronize(); }
  std::string wrong() {
    std::string text = job_->wrong();
    if constexpr (requires { engine_.wrong(chosen_->spec, *made_); }) {
      if (text.empty()) text = engine_.wrong(chosen_->spec, *made_);
    }
    return text.empty() ? text : text + ": " + words<Operation>(*chosen_);
  }
  CUstream stream() const { return stream_.get(); }

 private:
  cuda::Stream stream_;
  typename Operation::Device engine_;
  std::optional<NumberedSpec<Operation>> chosen_;
  std::optional<typename Operation::Case> made_;
  std::optional<DeviceJob> job_;
};

// Runs `check` with a current context, and fails if it writes outside of an allocation.
template <typename Check>
void on_device(const Check& check) {
  const cuda::ContextScope scope(test::gpu_context());
  check();
  EXPECT_EQ(test::guard_damage(), "");
}

template <typename Operation>
void test_device() {
  on_device([] {
    DeviceRun<Operation> run;
    for (const auto& chosen : choose<Operation>(Operation::kCounts.device)) {
      run.take(chosen);
      run.start();
      run.wait();
      ASSERT_EQ(run.wrong(), "");
    }
  });
}

// Several engines run concurrently, on their own streams.
template <typename Operation>
void test_streams() {
  on_device([] {
    std::vector<DeviceRun<Operation>> runs(3);
    const auto chosen = a_few<Operation>(3);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      runs[i].take(chosen[i]);
      runs[i].prepare();
    }
    for (auto& run : runs) run.start();
    for (auto& run : runs) {
      run.wait();
      EXPECT_EQ(run.wrong(), "");
    }
  });
}

// Cases run back to back on one engine's stream, without a wait. Not for engines that hold results,
// or whose tables must not change meanwhile.
template <typename Operation>
void test_back_to_back() {
  on_device([] {
    const cuda::Stream stream;
    typename Operation::Device engine;
    const auto chosen = a_few<Operation>(3);
    std::vector<typename Operation::Case> made;
    std::vector<DeviceJob> jobs;
    Random random(seed_of(Operation::kName, -3));
    for (const auto& each : chosen) made.push_back(make<Operation>(each));
    for (const auto& each : made) jobs.emplace_back(each, &random);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      engine.start(chosen[i].spec, made[i], jobs[i], stream.get());
    }
    stream.synchronize();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      EXPECT_EQ(jobs[i].wrong(), "") << words<Operation>(chosen[i]);
    }
  });
}

// A prepared engine allocates nothing. An engine without prepare() may allocate in two rounds,
// since the first frame may select another kernel with its own memory.
template <typename Operation>
void test_device_steady_state() {
  on_device([] {
    DeviceRun<Operation> run;
    for (const auto& chosen : a_few<Operation>(3)) {
      for (int round = 0; round < 4; ++round) {
        run.take(chosen);
        if (round == 0) run.prepare();
        const std::uint64_t before = test::device_allocations();
        run.start();
        run.wait();
        ASSERT_EQ(run.wrong(), "");
        if (round < 2 && !run.prepares()) continue;
        ASSERT_EQ(test::device_allocations(), before)
            << "round " << round << " allocated: " << words<Operation>(chosen);
      }
    }
  });
}

// Each allocation fails in turn, and must cause an exception only. Needs the stand-in driver or the
// emulator.
template <typename Operation>
void test_out_of_memory() {
  if (!test::is_standin()) GTEST_SKIP() << "allocations fail where a stand-in lets them";
  on_device([] {
    DeviceRun<Operation> run;
    const NumberedSpec<Operation> chosen = a_few<Operation>(1).front();
    for (int nth = 1;; ++nth) {
      run.take(chosen);
      standin::inject("cuMemAlloc_v2", nth, CUDA_ERROR_OUT_OF_MEMORY);
      try {
        run.start();
        break;
      } catch (const cuda::CudaError&) {
        run.settle();
      }
      ASSERT_LT(nth, 1000);
    }
    standin::inject("cuMemAlloc_v2", 0, CUDA_SUCCESS);
    run.wait();
    EXPECT_EQ(run.wrong(), "");
  });
}

// Launches are captured in a graph, which is replayed.
template <typename Operation>
void test_graph() {
  const test::ExtraDriver* const driver = test::is_standin() ? nullptr : test::extra_driver();
  if (driver == nullptr) GTEST_SKIP() << "this driver has no graphs";
  on_device([&] {
    DeviceRun<Operation> run;
    const NumberedSpec<Operation> chosen = a_few<Operation>(1).front();
    // A first run makes one-time allocations and uploads.
    run.take(chosen);
    run.prepare();
    run.start();
    run.wait();
    run.take(chosen);
    CUgraph graph = nullptr;
    CUgraphExec exec = nullptr;
    ASSERT_EQ(driver->cuStreamBeginCapture_v2(run.stream(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
              CUDA_SUCCESS);
    run.start();
    ASSERT_EQ(driver->cuStreamEndCapture(run.stream(), &graph), CUDA_SUCCESS);
    ASSERT_EQ(driver->cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
    const int launches = is_in_place<Operation>(chosen.spec) ? 1 : 3;
    for (int i = 0; i < launches; ++i) {
      ASSERT_EQ(driver->cuGraphLaunch(exec, run.stream()), CUDA_SUCCESS);
      run.wait();
      EXPECT_EQ(run.wrong(), "");
    }
    driver->cuGraphExecDestroy(exec);
    driver->cuGraphDestroy(graph);
  });
}

template <typename Operation>
void bench_device() {
  on_device([] {
    const NumberedSpec<Operation> usual{-2, Operation::usual()};
    typename Operation::Case made = make<Operation>(usual);
    const double reference = time_of([&] { Operation::reference(usual.spec, &made); });
    DeviceRun<Operation> run;
    run.take(usual, std::move(made));
    run.prepare();
    const auto work = [&] {
      run.start();
      run.wait();
    };
    const auto take = [&] {
      run.take(usual);
      run.prepare();
    };
    const double seconds = is_in_place<Operation>(usual.spec) ? time_of(work, take) : time_of(work);
    EXPECT_EQ(run.wrong(), "");
    print_time(Operation::kName, test::is_standin() ? "stand-in" : "device", seconds, reference);
  });
}

template <typename Operation>
bool add_device() {
  if (benchmarks()) {
    add_test(Operation::kName, "BenchDevice", bench_device<Operation>);
    return true;
  }
  add_test(Operation::kName, "Device", test_device<Operation>);
  add_test(Operation::kName, "DeviceStreams", test_streams<Operation>);
  constexpr bool kHolds = requires(typename Operation::Device engine, typename Operation::Spec spec,
                                   typename Operation::Case made) {
    engine.wrong(spec, made);
  };
  if constexpr (!kHolds && Operation::kCounts.steady != Steady::kNever) {
    add_test(Operation::kName, "DeviceBackToBack", test_back_to_back<Operation>);
  }
  if (Operation::kCounts.steady != Steady::kNever) {
    add_test(Operation::kName, "DeviceSteadyState", test_device_steady_state<Operation>);
  }
  add_test(Operation::kName, "DeviceOutOfMemory", test_out_of_memory<Operation>);
  if (Operation::kCounts.graph) add_test(Operation::kName, "DeviceGraph", test_graph<Operation>);
  return true;
}

}  // namespace rdp::bits

#endif  // RDP_TESTS_BITS_DEVICE_H_
