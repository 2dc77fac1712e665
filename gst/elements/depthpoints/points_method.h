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

// Turns frames into point clouds. Its outputs are the clouds; it has no results beside them.
class PointsMethod final : public JoinedMethod {
 public:
  // `element` outlives the method.
  explicit PointsMethod(GstRdpJoiner* element) : element_(element), camera_(GST_ELEMENT(element)) {}

  bool start() override;
  GstCaps* possible_caps(std::span<const JoinedInput> inputs, bool cuda, bool cuda_first) override;
  CameraSource* camera() override { return &camera_; }
  SetVerdict begin_set(Pairing& set) override;
  Plan plan(const Frame& frame) override;
  Worker& cpu() override { return cpu_; }
#ifdef RDP_HAVE_CUDA
  std::unique_ptr<Worker> new_gpu_worker(GpuSession& session) override;
#endif
  void describe_output(std::size_t which, GstBuffer* cloud) override;

  // For its workers: conversion parameters of the current frame.
  points::Parameters parameters() const;
  // Byte offset of the points in the output buffer. Throws if a buffer has several frames, or if
  // its cloud has another size.
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
  // The inputs last passed to possible_caps().
  const JoinedInput* depth_ = nullptr;
  const JoinedInput* video_ = nullptr;  // null: clouds have no colours
  GstBuffer* picture_ = nullptr;        // of the current set; null: none
  PointsSettings current_;
  FittingValues<std::pair<guint, guint>> fitting_;  // the least and the largest value
  CpuWorker cpu_{*this};
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHPOINTS_POINTS_METHOD_H_
