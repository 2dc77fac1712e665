// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ON_DEVICE_H_
#define RDP_TESTS_BENCH_ON_DEVICE_H_

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gst/memory/cuda_memory.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/device_memory.h"
#include "tests/bench/overhead.h"

namespace rdp::bench {

using cuda::DeviceDepthView;

inline constexpr char kCudaMemory[] = "memory:CUDAMemory";
inline constexpr char kCudaCaps[] = "video/x-raw(memory:CUDAMemory)";

// The device buffers of the stream's inputs, with their context current during its life, and a
// stream of its own. The base of engines, so that their members are destroyed first.
class OnDevice {
 public:
  explicit OnDevice(const ElementStream& stream) {
    for (std::size_t input = 0; input < stream.inputs(); ++input) {
      inputs_.emplace_back();
      for (GstBuffer* buffer : stream.buffers(input)) {
        inputs_.back().push_back(view_of(stream, input, buffer));
      }
    }
    scope_ = std::make_unique<cuda::ContextScope>(context_);
    stream_ = std::make_unique<cuda::Stream>();
  }
  virtual ~OnDevice() = default;

  const DeviceDepthView& view(std::size_t number, std::size_t input = 0) const {
    return inputs_[input][number % inputs_[input].size()];
  }
  std::size_t buffers() const { return inputs_[0].size(); }
  std::size_t inputs() const { return inputs_.size(); }
  CUstream stream() const { return stream_->get(); }
  void wait() const { stream_->synchronize(); }

  // Output memory with the stride of an element's.
  DeviceDepthView output(int width, int height, SampleType type) {
    const auto bytes = static_cast<std::size_t>(width * bytes_per_sample(type));
    const std::size_t pitch = (bytes + 511) / 512 * 512;
    outputs_.push_back(std::make_unique<cuda::DeviceBuffer>());
    return {outputs_.back()->ensure(pitch * static_cast<std::size_t>(height)),
            static_cast<std::int64_t>(pitch), width, height, type};
  }

 private:
  DeviceDepthView view_of(const ElementStream& stream, std::size_t input, GstBuffer* buffer) {
    gst::CudaFrame frame;
    std::string reason;
    if (!frame.map(buffer, frames::video_info(stream.shape(input)), gst::Access::kRead, &reason)) {
      throw std::runtime_error("a frame in CUDA memory: " + reason);
    }
    context_ = gst::cuda_handle(frame.context());
    return frame.view();  // the memory lives as long as the pool
  }

  CUcontext context_ = nullptr;
  std::vector<std::vector<DeviceDepthView>> inputs_;
  std::unique_ptr<cuda::ContextScope> scope_;
  std::unique_ptr<cuda::Stream> stream_;
  std::vector<std::unique_ptr<cuda::DeviceBuffer>> outputs_;
};

// Measures an element in CUDA memory against `Kernels`, constructed from its stream and
// `arguments`.
template <typename Kernels, typename... Arguments>
Contest contest_of(const std::string& name, const std::string& element,
                   std::vector<StreamInput> inputs, Arguments... arguments) {
  Contest contest;
  contest.name = name;
  contest.backend = "cuda";
  contest.stream.element = element + " backend=cuda";
  contest.stream.inputs = std::move(inputs);
  contest.stream.feature = kCudaMemory;
  contest.stream.output_caps = kCudaCaps;
  contest.engine = [=](const ElementStream& stream) {
    auto kernels = std::make_shared<Kernels>(stream, arguments...);
    Engine engine;
    engine.enqueue = [kernels](std::size_t number) { kernels->enqueue(number); };
    engine.wait = [kernels] { kernels->wait(); };
    engine.back_to_back = !requires { Kernels::kOneByOne; };
    if constexpr (requires { kernels->take_results(); }) {
      engine.take_results = [kernels] { kernels->take_results(); };
    }
    if constexpr (requires { kernels->restore(0); }) {
      if (kernels->restores()) {
        engine.restore = [kernels](std::size_t number) { kernels->restore(number); };
      }
    }
    if constexpr (requires { kernels->found(); }) {
      engine.found = [kernels] { return kernels->found(); };
    }
    return engine;
  };
  return contest;
}

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ON_DEVICE_H_
