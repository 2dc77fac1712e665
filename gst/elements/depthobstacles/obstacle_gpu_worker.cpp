// SPDX-License-Identifier: LGPL-2.1-or-later
// depthobstacles' engine on the GPU.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gst/cuda/gpu_session.h"
#include "gst/cuda/host_painting.h"
#include "gst/elements/depthobstacles/obstacle_method.h"
#include "kernels/obstacles/engine.h"
#include "kernels/runtime/device_memory.h"

namespace rdp::gst {
namespace {

class ObstacleGpuWorker final : public Worker {
 public:
  ObstacleGpuWorker(ObstacleMethod& method, GpuSession& session)
      : method_(method), session_(session), painting_(session) {}

  // Frames of different cameras are under way together.
  void analyze(const Task& task) override {
    method_.start_frames(task);
    while (lanes_.size() < task.inputs.size()) lanes_.push_back(std::make_unique<Lane>());
    for (std::size_t i = 0; i < task.inputs.size(); ++i) {
      if (method_.turn_of(i) == 0) start(i, task);
    }
    for (std::size_t i = 0; i < task.inputs.size(); ++i) {
      if (method_.turn_of(i) > 0) start(i, task);
      lanes_[i]->engine.finish(session_.stream(), method_.found(i));
      method_.set_found(i, task);
    }
  }
  // On the host, where the lists are. Only boxes show samples.
  void paint(const Task& task) override {
    if (painter_ == nullptr) painter_ = std::make_unique<obstacles::OverlayPainter>(1);
    const cuda::DeviceDepthView& on_device = task.inputs[task.painted].device;
    DepthView frame{nullptr, 0, on_device.width, on_device.height, on_device.type};
    if (method_.picture().style == obstacles::OverlayStyle::kBoxes) {
      const std::size_t pixels =
          static_cast<std::size_t>(frame.width) * static_cast<std::size_t>(frame.height);
      samples_.resize(pixels * static_cast<std::size_t>(bytes_per_sample(frame.type)));
      frame = painting_.bring(on_device, samples_.data());
      std::vector<std::uint8_t>& classes = method_.found(task.painted)->classes;
      classes.resize(pixels);
      painting_.bring({lanes_[task.painted]->classes.get(), frame.width, frame.width, frame.height,
                       SampleType::kU8},
                      reinterpret_cast<std::byte*>(classes.data()));
    }
    painter_->paint(frame, method_.scene(task), method_.picture(),
                    painting_.begin(frame.width, frame.height));
    painting_.send(task.device_picture);
  }
  // Nothing to wait for: analyze() has finished every lane, and paint() has waited for its copies.
  bool finish(const Task& task) override {
    method_.finish_frames(task);
    return true;
  }

 private:
  struct Lane {
    cuda::ObstacleEngine engine;
    cuda::DeviceBuffer classes;
  };

  void start(std::size_t input, const Task& task) {
    Lane& lane = *lanes_[input];
    const cuda::DeviceDepthView& frame = task.inputs[input].device;
    const auto width = static_cast<std::size_t>(frame.width);
    const cuda::DeviceDepthView classes{
        lane.classes.ensure(width * static_cast<std::size_t>(frame.height)), frame.width,
        frame.width, frame.height, SampleType::kU8};
    const obstacles::Ground* ground = method_.start_of(input, task);
    lane.engine.start(frame, ObstacleMethod::camera_of(task), ground, method_.parameters(), classes,
                      session_.stream());
  }

  ObstacleMethod& method_;
  GpuSession& session_;
  HostPainting painting_;
  std::unique_ptr<obstacles::OverlayPainter> painter_;  // made when it is needed
  std::vector<std::byte> samples_;
  std::vector<std::unique_ptr<Lane>> lanes_;  // by input
};

}  // namespace

std::unique_ptr<Worker> ObstacleMethod::new_gpu_worker(GpuSession& session) {
  return std::make_unique<ObstacleGpuWorker>(*this, session);
}

}  // namespace rdp::gst
