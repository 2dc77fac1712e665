// SPDX-License-Identifier: LGPL-2.1-or-later
// Waiting for streams with one thread or many.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <memory>
#include <thread>
#include <vector>

#include "common/rdp/parameters.h"
#include "kernels/rdp/segmenter.h"
#include "kernels/runtime/stream_wait.h"
#include "tests/gpu/gpu_test.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

// A frame being segmented on its own stream.
class Work {
 public:
  explicit Work(const DepthView& frame) : frame_(frame) {
    list_.prepare(frame.width, frame.height);
  }
  void start() { segmenter_.segment(frame_.view(), {1, 65535}, 256, &list_, stream_.get()); }
  // Waits; returns true if the stream is then idle.
  bool finish() {
    wait_.wait(stream_.get());
    return cuda::driver().cuStreamQuery(stream_.get()) == CUDA_SUCCESS;
  }

 private:
  test::GpuFrame frame_;
  cuda::Stream stream_;
  cuda::StreamWait wait_;
  cuda::Segmenter segmenter_;
  cuda::DeviceSegmentList list_;
};

class GpuStreamWait : public test::GpuTest {
 protected:
  GpuStreamWait() {
    for (int row = 0; row < kHeight; ++row) {
      for (int column = 0; column < kWidth; ++column) {
        frame_.view().set(row, column, 1000 + row * column % 77);
      }
    }
  }

  static constexpr int kWidth = 60;
  static constexpr int kHeight = 40;
  test::TestFrame frame_{kWidth, kHeight, SampleType::kU16};
};

TEST_F(GpuStreamWait, AloneStaysAwake) {
  Work work(frame_.view());
  const int before = test::is_standin() ? standin::count("cuEventSynchronize") : 0;
  for (int i = 0; i < 5; ++i) {
    work.start();
    EXPECT_TRUE(work.finish());
  }
  if (!test::is_standin()) return;
  EXPECT_EQ(standin::count("cuEventSynchronize"), before);
}

TEST_F(GpuStreamWait, SomeOfACrowdSleep) {
  // More threads than may spin at the same time.
  const int threads_in_all = static_cast<int>(std::thread::hardware_concurrency()) + 4;
  std::vector<std::unique_ptr<Work>> works;
  for (int i = 0; i < threads_in_all; ++i) works.push_back(std::make_unique<Work>(frame_.view()));
  const int slept_before = test::is_standin() ? standin::count("cuEventSynchronize") : 0;
  for (const auto& work : works) work->start();
  // The first frame takes long; the other threads start waiting meanwhile.
  if (test::is_standin()) standin::set_kernel_milliseconds(50);
  std::atomic<int> done{0};
  std::barrier all_there(threads_in_all);
  std::vector<std::thread> threads;
  for (const auto& work : works) {
    threads.emplace_back([&] {
      const cuda::ContextScope scope(test::gpu_context());
      all_there.arrive_and_wait();
      done += work->finish() ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(done, threads_in_all);
  if (!test::is_standin()) return;
  standin::set_kernel_milliseconds(0);
  EXPECT_GT(standin::count("cuEventSynchronize"), slept_before);
  // No wait is still counted.
  const int slept = standin::count("cuEventSynchronize");
  works.front()->start();
  EXPECT_TRUE(works.front()->finish());
  EXPECT_EQ(standin::count("cuEventSynchronize"), slept);
}

// A failed wait must not stay counted.
TEST_F(GpuStreamWait, Failures) {
  if (!test::is_standin()) GTEST_SKIP() << "needs the stand-in";
  Work work(frame_.view());
  for (int i = 0; i < 20; ++i) {
    work.start();
    standin::inject("cuStreamSynchronize", 1, CUDA_ERROR_UNKNOWN);
    EXPECT_THROW(work.finish(), cuda::CudaError);
  }
  const int slept = standin::count("cuEventSynchronize");
  work.start();
  EXPECT_TRUE(work.finish());
  EXPECT_EQ(standin::count("cuEventSynchronize"), slept);
}

}  // namespace
}  // namespace rdp
