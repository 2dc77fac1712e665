// SPDX-License-Identifier: LGPL-2.1-or-later
// depthpoints' engine on the GPU: the kernel makes the cloud there, and one copy brings it down.
#include <memory>

#include "gst/cuda/gpu_session.h"
#include "gst/elements/depthpoints/points_method.h"
#include "kernels/points/engine.h"

namespace rdp::gst {
namespace {

class PointsGpuWorker final : public Worker {
 public:
  PointsGpuWorker(PointsMethod& method, GpuSession& session) : method_(method), session_(session) {}

  // The copy that follows waits for the kernel.
  void analyze(const Task& task) override {
    const std::size_t place = method_.place(task);
    engine_.make_points(task.inputs[0].device, task.camera, method_.parameters(),
                        task.outputs[0].device_bytes + place, session_.stream());
  }

 private:
  PointsMethod& method_;
  GpuSession& session_;
  cuda::PointsEngine engine_;
};

}  // namespace

std::unique_ptr<Worker> PointsMethod::new_gpu_worker(GpuSession& session) {
  return std::make_unique<PointsGpuWorker>(*this, session);
}

}  // namespace rdp::gst
