// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHPOINTS_POINTS_METHOD_H_
#define RDP_GST_ELEMENTS_DEPTHPOINTS_POINTS_METHOD_H_

#include <memory>
#include <utility>

#include "common/points/engine.h"
#include "common/points/parameters.h"
#include "gst/elements/base/camera_source.h"
#include "gst/elements/base/fitting_values.h"
#include "gst/elements/base/joined_work.h"
#include "gst/elements/base/worker_threads.h"
#include "gst/elements/depthpoints/points_enums.h"

namespace rdp::gst {

// The user's settings of depthpoints. A frame works on a copy taken when it arrives.
struct PointsSettings : JoinerSettings {
  guint min_value = 1;
  guint max_value = 65535;
  GstRdpPointAxes axes = GST_RDP_POINT_AXES_CAMERA;
};

// Clouds of frames, which are the element's outputs: its results are none.
class PointsMethod final : public JoinedMethod {
 public:
  // The element lives longer.
  explicit PointsMethod(GstRdpJoiner* element) : element_(element), camera_(GST_ELEMENT(element)) {}

  bool start() override;
  GstCaps* possible_caps(std::span<const JoinedInput> inputs, bool cuda, bool cuda_first) override;
  CameraSource* camera() override { return &camera_; }
  SetVerdict begin_set(Pairing& set) override;
  Plan plan(const Arrival& arrival) override;
  Worker& cpu() override { return cpu_; }
#ifdef RDP_HAVE_CUDA
  std::unique_ptr<Worker> new_gpu_worker(GpuSession& session) override;
#endif
  void describe_output(std::size_t which, GstBuffer* cloud) override;

  // For its workers: how the frame at hand becomes a cloud.
  points::Parameters parameters() const;
  // The place of the cloud's points. Throws where a buffer has several frames, or its cloud has
  // another size.
  std::size_t place(const Task& task) const;

 private:
  class CpuWorker final : public Worker {
   public:
    explicit CpuWorker(PointsMethod& method) : method_(method) {}
    void analyze(const Task& task) override;

   private:
    PointsMethod& method_;
    points::Engine engine_;
    WorkerThreads threads_;
  };

  GstRdpJoiner* element_;
  CameraSource camera_;
  // As possible_caps() has seen them.
  const JoinedInput* depth_ = nullptr;
  const JoinedInput* video_ = nullptr;  // null: clouds have no colours
  GstBuffer* picture_ = nullptr;        // of the set at hand, null: there is none
  PointsSettings current_;
  FittingValues<std::pair<guint, guint>> fitting_;  // the least and the largest value
  CpuWorker cpu_{*this};
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHPOINTS_POINTS_METHOD_H_
