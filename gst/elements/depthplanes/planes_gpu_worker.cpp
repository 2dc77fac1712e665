// SPDX-License-Identifier: LGPL-2.1-or-later
// depthplanes' engine on the GPU.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "gst/cuda/gpu_session.h"
#include "gst/elements/depthplanes/planes_method.h"
#include "gst/metadata/gpu_labels.h"
#include "kernels/planes/cloud_engine.h"
#include "kernels/planes/frame_engine.h"
#include "kernels/planes/overlay.h"
#include "kernels/runtime/copy_rows.h"

namespace rdp::gst {
namespace {

using cuda::DeviceDepthView;

class PlanesGpuWorker final : public Worker {
 public:
  PlanesGpuWorker(PlanesMethod& method, GpuSession& session) : method_(method), session_(session) {}

  void analyze(const Task& task) override {
    drafts_ = method_.start_drafts(task);
    labels_.clear();
    if (method_.cloud()) {
      find_in_cloud(task);
      return;
    }
    while (frames_.size() < task.inputs.size()) {
      frames_.push_back(std::make_unique<cuda::FramePlanesEngine>());
    }
    for (std::size_t i = 0; i < task.inputs.size(); ++i) {
      const DeviceDepthView& frame = task.inputs[i].device;
      labels_.push_back(GpuLabels::from(pool_, session_.context()));
      places_.resize(labels_.size());
      places_[i] = labels_[i]->place_for_frame(frame.width, frame.height);
      frames_[i]->find(frame, *task.camera, method_.parameters(), places_[i], session_.stream());
      if (!task.outputs.empty()) copy(places_[i], task.outputs[i].device);
    }
  }

  // Labels and planes have to be on the host before they are painted.
  void paint(const Task& task) override {
    if (painter_ == nullptr) painter_ = std::make_unique<cuda::PlaneOverlayPainter>();
    session_.synchronize();
    cuda::FramePlanesEngine& engine = *frames_[task.painted];
    nodes_.clear();
    if (method_.paints_nodes(task)) engine.list_nodes(&nodes_);
    painter_->run(task.inputs[task.painted].device, places_[task.painted],
                  method_.scene(task, engine.planes(), nodes_), method_.picture(),
                  task.device_picture, session_.stream());
  }

  bool finish(const Task& task) override {
    session_.synchronize();
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      method_.set_found(i, task, method_.cloud() ? clouds_->planes() : frames_[i]->planes());
      drafts_[i]->use_remote(std::move(labels_[i]), method_.labels_of(i, task));
    }
    method_.finish_drafts(task);
    return true;
  }

 private:
  void find_in_cloud(const Task& task) {
    if (clouds_ == nullptr) clouds_ = std::make_unique<cuda::CloudPlanesEngine>();
    labels_.push_back(GpuLabels::from(pool_, session_.context()));
    const planes::CloudView cloud =
        method_.cloud_view(reinterpret_cast<const std::byte*>(task.inputs[0].device_bytes));
    const CUdeviceptr labels = labels_[0]->place_for_points(cloud.points);
    clouds_->find(cloud, method_.parameters(), labels, session_.stream());
    if (!task.outputs.empty() && cloud.points > 0) copy_labelled(task, cloud, labels);
  }

  // Copies columns of bytes: the points without their label, then the labels, whose upper bytes are
  // 0.
  void copy_labelled(const Task& task, const planes::CloudView& cloud, CUdeviceptr labels) {
    const PointsFormat format = method_.labelled();
    const auto step = static_cast<std::size_t>(format.point_step);
    const auto label = static_cast<std::size_t>(format.fields.label.offset);
    const std::size_t behind = label + size_of(format.fields.label.type);
    const CUdeviceptr from = task.inputs[0].device_bytes;
    const CUdeviceptr to = task.outputs[0].device_bytes;
    const auto copy_column = [&](CUdeviceptr column, std::size_t pitch, std::size_t at,
                                 std::size_t bytes) {
      if (bytes == 0) return;
      const auto width = static_cast<int>(bytes);
      const auto points = static_cast<int>(cloud.points);
      copy({column, static_cast<std::int64_t>(pitch), width, points, SampleType::kU8},
           {to + at, static_cast<std::int64_t>(step), width, points, SampleType::kU8});
    };
    cuda::check(cuda::driver().cuMemsetD8Async(to, 0, step * cloud.points, session_.stream()),
                "clearing labels");
    copy_column(from, cloud.step, 0, label);
    copy_column(from + behind, cloud.step, behind, cloud.step - std::min(cloud.step, behind));
    copy_column(labels, 1, label, 1);
  }

  void copy(const DeviceDepthView& from, const DeviceDepthView& to) {
    cuda::copy_rows(from, to, session_.stream(), "copying labels");
  }

  PlanesMethod& method_;
  GpuSession& session_;
  // Made when they are needed; those of frames by input.
  std::vector<std::unique_ptr<cuda::FramePlanesEngine>> frames_;
  std::unique_ptr<cuda::CloudPlanesEngine> clouds_;
  std::unique_ptr<cuda::PlaneOverlayPainter> painter_;
  RecyclingPool<GpuLabels> pool_;
  std::vector<planes::NodeSquare> nodes_;
  // For the task at hand.
  std::span<PlanesDraft> drafts_;
  std::vector<RemoteRef<GpuLabels>> labels_;
  std::vector<DeviceDepthView> places_;
};

}  // namespace

std::unique_ptr<Worker> PlanesMethod::new_gpu_worker(GpuSession& session) {
  return std::make_unique<PlanesGpuWorker>(*this, session);
}

}  // namespace rdp::gst
