// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHPOINTS_POINTS_METHOD_H_
#define RDP_GST_ELEMENTS_DEPTHPOINTS_POINTS_METHOD_H_

#include <memory>
#include <utility>

#include "common/points/engine.h"
#include "common/points/parameters.h"
#include "gst/elements/base/analyzer_settings.h"
#include "gst/elements/base/fitting_values.h"
#include "gst/elements/base/gstrdpanalyzer.h"
#include "gst/elements/base/method.h"
#include "gst/elements/base/worker_threads.h"
#include "gst/elements/depthpoints/points_enums.h"

namespace rdp::gst {

// The user's settings of depthpoints. A frame works on a copy taken when it arrives.
struct PointsSettings : AnalyzerSettings {
  guint min_value = 1;
  guint max_value = 65535;
  GstRdpPointAxes axes = GST_RDP_POINT_AXES_CAMERA;
};

// Clouds of frames, which are the element's outputs: its results are none.
class PointsMethod final : public Method {
 public:
  // The element lives longer.
  explicit PointsMethod(GstRdpAnalyzer* element) : element_(element) {}

  Plan plan(const Arrival& arrival) override;
  Worker& cpu() override { return cpu_; }
#ifdef RDP_HAVE_CUDA
  std::unique_ptr<Worker> new_gpu_worker(GpuSession& session) override;
#endif
  gsize count(GstMiniObject*) override { return 0; }
  void attach(GstBuffer*, std::span<GstMiniObject* const>) override {}

  // For its workers: how the frame at hand becomes a cloud.
  points::Parameters parameters() const;
  // Throws where a buffer has several frames, or its cloud has another size.
  static void check(const Task& task);

 private:
  class CpuWorker final : public Worker {
   public:
    explicit CpuWorker(PointsMethod& method) : method_(method) {}
    void analyze(const Task& task) override;
    void paint(const Task&) override {}

   private:
    PointsMethod& method_;
    points::Engine engine_;
    WorkerThreads threads_;
  };

  GstRdpAnalyzer* element_;
  PointsSettings current_;
  FittingValues<std::pair<guint, guint>> fitting_;  // the least and the largest value
  CpuWorker cpu_{*this};
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHPOINTS_POINTS_METHOD_H_
