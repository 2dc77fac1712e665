// SPDX-License-Identifier: LGPL-2.1-or-later
// heightmap's engine on the GPU.
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gst/cuda/gpu_session.h"
#include "gst/elements/heightmap/height_method.h"
#include "kernels/heightmap/engine.h"
#include "kernels/heightmap/overlay.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/stereo/maps.h"

namespace rdp::gst {
namespace {

using cuda::DeviceDepthView;

class HeightGpuWorker final : public Worker {
 public:
  HeightGpuWorker(HeightMethod& method, GpuSession& session) : method_(method), session_(session) {}

  void analyze(const Task& task) override {
    const heightmap::Rig& rig = method_.cameras().rig();
    const heightmap::Parameters& parameters = method_.parameters();
    collected_ = false;
    const std::string too_much = memory_.explain(rig, parameters, [&] {
      return explain_memory({cuda::HeightEngine::memory_of(rig, parameters), 0},
                            cuda::current_device_memory(), Processor::kGpu, rig, parameters);
    });
    if (!too_much.empty()) throw GpuError(too_much);
    try {
      engine_.prepare(rig, parameters);
      read_pictures(task);
    } catch (const cuda::CudaError& error) {
      if (error.result() != CUDA_ERROR_OUT_OF_MEMORY) throw;
      const NoMemoryForHeights reason(rig, parameters,
                                      {cuda::HeightEngine::memory_of(rig, parameters), 0});
      throw GpuError(std::string(error.what()) + ": " + reason.what());
    }
    const CUstream stream = session_.stream();
    engine_.run(pictures_, stream);
    const DeviceDepthView& samples = task.outputs[HeightMethod::kHeights].device;
    if (method_.settings().output == HeightOutput::kDepthMm) {
      engine_.write_depths(samples, stream);
    } else {
      engine_.write_heights(samples, stream);
    }
    const DeviceDepthView& ground = task.outputs[HeightMethod::kGround].device;
    if (ground.data != 0) engine_.draw_ground(method_.grid(), ground, stream);
  }

  // Paints the pictures that were labelled, without lens distortion. Heads are painted, so they
  // have to be known.
  void paint(const Task& task) override {
    collect();
    if (painter_ == nullptr) painter_ = std::make_unique<cuda::HeightOverlayPainter>();
    const heightmap::Rig& rig = method_.cameras().rig();
    cuda::HeightOverlayScene scene;
    scene.picture = pictures_[static_cast<std::size_t>(rig.reference)];
    scene.rig = &rig;
    scene.parameters = &method_.parameters();
    scene.area = &method_.area();
    scene.cell = millimetres(method_.settings().cell_size);
    scene.labels = engine_.labels();
    scene.heads = result_.heads;
    scene.draw_ground = [this](const heightmap::GroundGrid& grid, const DeviceDepthView& samples,
                               CUstream stream) { engine_.draw_ground(grid, samples, stream); };
    painter_->paint(scene, method_.picture(), task.device_picture, session_.stream());
    painted_ = true;
  }

  bool finish(const Task& task) override {
    collect();
    if (std::exchange(painted_, false)) session_.synchronize();
    method_.set_result(task, result_);
    return true;
  }

 private:
  // A view that is resampled, on the device.
  struct Straight {
    cuda::Rectifier rectifier;
    std::shared_ptr<const RectificationMap> map;  // that the rectifier has
    cuda::DeviceBuffer samples;
  };

  // Waits for the set and brings its result to the host.
  void collect() {
    if (std::exchange(collected_, true)) return;
    session_.synchronize();
    result_ = engine_.finish(method_.area());
  }

  // Returns the view without lens distortion.
  DeviceDepthView straighten(const DeviceDepthView& picture, std::size_t view) {
    if (straight_[view] == nullptr) straight_[view] = std::make_unique<Straight>();
    Straight& to = *straight_[view];
    const std::shared_ptr<const RectificationMap>& map = method_.cameras().maps()[view];
    if (to.map != map) {
      to.map.reset();
      to.rectifier.set_map(*map);
      to.map = map;
    }
    const std::size_t pitch = (static_cast<std::size_t>(map->width) + 255) / 256 * 256;
    const DeviceDepthView straight{to.samples.ensure(pitch * static_cast<std::size_t>(map->height)),
                                   static_cast<std::int64_t>(pitch), map->width, map->height,
                                   SampleType::kU8};
    to.rectifier.rectify(picture, straight, session_.stream());
    return straight;
  }

  // In the order of the views.
  void read_pictures(const Task& task) {
    const std::size_t views = task.inputs.size();
    pictures_.resize(views);
    if (straight_.size() < views) straight_.resize(views);
    for (std::size_t view = 0; view < views; ++view) {
      const DeviceDepthView picture = task.inputs[method_.input_of(view)].device;
      pictures_[view] =
          method_.cameras().maps()[view] == nullptr ? picture : straighten(picture, view);
    }
  }

  HeightMethod& method_;
  GpuSession& session_;
  MemoryCheck memory_;
  cuda::HeightEngine engine_;
  std::vector<DeviceDepthView> pictures_;
  std::vector<std::unique_ptr<Straight>> straight_;      // by view, of those that are resampled
  std::unique_ptr<cuda::HeightOverlayPainter> painter_;  // made when it is needed
  // The current task.
  heightmap::Result result_;
  bool collected_ = false;
  bool painted_ = false;
};

}  // namespace

std::unique_ptr<Worker> HeightMethod::new_gpu_worker(GpuSession& session) {
  return std::make_unique<HeightGpuWorker>(*this, session);
}

}  // namespace rdp::gst
