// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/cuda_memory_overhead.h"

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "gst/memory/cuda_memory.h"
#include "kernels/rdp/engine.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/gpu_overhead.h"

namespace rdp::bench {
namespace {

using cuda::check;
using cuda::driver;

void map(gst::CudaFrame* frame, GstBuffer* buffer, const GstVideoInfo& info) {
  std::string reason;
  if (!frame->map(buffer, info, gst::Access::kReadWrite, &reason)) {
    throw std::runtime_error("a frame in CUDA memory: " + reason);
  }
}

// What the element does on the GPU, without the element. Made and used in the frames' context.
class Kernels {
 public:
  Kernels(std::vector<cuda::DeviceDepthView> frames, const Parameters& parameters,
          const StreamSetup& setup)
      : frames_(std::move(frames)), parameters_(parameters), reconstruct_(setup.reconstruct) {
    const cuda::DeviceDepthView& frame = frames_.front();
    const std::size_t rows = static_cast<std::size_t>(frame.height);
    copy(original(), frame);
    if (setup.overlay_caps != nullptr) {
      const std::int64_t pitch = (std::int64_t{4} * frame.width + 511) / 512 * 512;
      picture_ = {picture_memory_.ensure(static_cast<std::size_t>(pitch) * rows), pitch,
                  frame.width, frame.height};
    }
    do {
      restore(frame);
      enqueue(0);
      stream_.synchronize();
    } while (list_.grow_if_truncated());
    restore(frame);
    stream_.synchronize();
  }

  std::size_t segments() const { return list_.segment_count(); }
  void wait() const { stream_.synchronize(); }

  void enqueue(int number) {
    const cuda::DeviceDepthView& frame = frames_[static_cast<std::size_t>(number) % frames_.size()];
    engine_.segment(frame, parameters_, &list_, stream_.get());
    if (picture_.data != 0) {
      engine_.paint(frame, list_, 0, parameters_, {}, picture_, stream_.get());
    }
    if (reconstruct_) engine_.reconstruct(frame, parameters_, list_, stream_.get());
  }

  // Brings the samples back that a reconstruction has overwritten.
  void restore(const cuda::DeviceDepthView& frame) {
    if (reconstruct_) copy(frame, original());
  }
  void restore(int number) { restore(frames_[static_cast<std::size_t>(number) % frames_.size()]); }

  void time_batches(const Repeats& repeats, CudaMemoryTimes* times) {
    constexpr int kWarmUps = 3;
    std::vector<double> all;
    std::vector<double> enqueueing;
    for (int i = -kWarmUps; i < repeats.batches; ++i) {
      double host = 0;
      double host_restoring = 0;
      double total = batch(repeats.batch_size, true, &host);
      // The copies that bring frames back are no part of the work.
      if (reconstruct_) {
        total -= batch(repeats.batch_size, false, &host_restoring);
        host -= host_restoring;
      }
      if (i < 0) continue;
      all.push_back(total / repeats.batch_size);
      enqueueing.push_back(host / repeats.batch_size);
    }
    times->kernels = summarize(all).median;
    times->enqueueing = summarize(enqueueing).median;
  }

 private:
  double batch(int size, bool work, double* host) {
    using Clock = std::chrono::steady_clock;
    using Microseconds = std::chrono::duration<double, std::micro>;
    const auto start = Clock::now();
    for (int i = 0; i < size; ++i) {
      restore(i);
      if (work) enqueue(i);
    }
    *host = Microseconds(Clock::now() - start).count();
    stream_.synchronize();
    return Microseconds(Clock::now() - start).count();
  }

  cuda::DeviceDepthView original() {
    cuda::DeviceDepthView view = frames_.front();
    view.data = original_.ensure(static_cast<std::size_t>(view.pitch) *
                                 static_cast<std::size_t>(view.height));
    return view;
  }

  void copy(const cuda::DeviceDepthView& to, const cuda::DeviceDepthView& from) {
    CUDA_MEMCPY2D rows = {};
    rows.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    rows.srcDevice = from.data;
    rows.srcPitch = static_cast<std::size_t>(from.pitch);
    rows.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    rows.dstDevice = to.data;
    rows.dstPitch = static_cast<std::size_t>(to.pitch);
    rows.WidthInBytes = static_cast<std::size_t>(from.width) *
                        static_cast<std::size_t>(bytes_per_sample(from.type));
    rows.Height = static_cast<std::size_t>(from.height);
    check(driver().cuMemcpy2DAsync_v2(&rows, stream_.get()), "copying a frame");
  }

  std::vector<cuda::DeviceDepthView> frames_;
  Parameters parameters_;
  bool reconstruct_;
  cuda::Stream stream_;
  cuda::SegmentEngine engine_;
  cuda::DeviceSegmentList list_;
  cuda::DeviceBuffer original_;
  cuda::DeviceBuffer picture_memory_;
  cuda::DeviceRgbaView picture_;
};

}  // namespace

CudaMemoryTimes measure_cuda_memory(const DepthView& frame, const Parameters& parameters,
                                    const StreamSetup& setup, const Repeats& repeats) {
  ElementStream stream(frame, parameters, setup);
  // The memory stays where it is while the pool lives, so that the kernels can have it as well.
  CUcontext context = nullptr;
  std::vector<cuda::DeviceDepthView> frames;
  stream.for_each_buffer([&](GstBuffer* buffer) {
    gst::CudaFrame mapped;
    map(&mapped, buffer, stream.info());
    context = gst::cuda_handle(mapped.context());
    frames.push_back(mapped.view());
  });
  const cuda::ContextScope scope(context);
  Kernels kernels(frames, parameters, setup);
  CudaMemoryTimes times;
  times.segments = kernels.segments();
  if (stream.count_segments() != times.segments) {
    throw std::runtime_error("the element and the engine disagree: nothing is timed");
  }

  int number = 0;
  if (measured_energy(
          "rdpsegment", [&] { kernels.enqueue(++number); }, [&] { kernels.wait(); },
          [&] { stream.count_segments(); })) {
    return times;
  }
  kernels.time_batches(repeats, &times);
  times.waited = time_steps(
      repeats.warm_ups, repeats.frames,
      [&] {
        kernels.restore(++number);
        kernels.wait();
      },
      [&] {
        kernels.enqueue(number);
        kernels.wait();
      });
  times.element = stream.time(repeats.warm_ups, repeats.frames, [&](GstBuffer* buffer) {
    if (!setup.reconstruct) return;
    gst::CudaFrame mapped;
    map(&mapped, buffer, stream.info());
    kernels.restore(mapped.view());
    kernels.wait();
  });
  return times;
}

}  // namespace rdp::bench
