// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPSEGMENT_SEGMENT_METHOD_H_
#define RDP_GST_ELEMENTS_RDPSEGMENT_SEGMENT_METHOD_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "common/rdp/engine.h"
#include "gst/elements/base/gstrdpanalyzer.h"
#include "gst/elements/base/method.h"
#include "gst/elements/base/worker_threads.h"
#include "gst/elements/rdpsegment/plane_grounds.h"
#include "gst/elements/rdpsegment/segment_settings.h"
#include "gst/metadata/attach_analytics.h"
#include "gst/metadata/segmentation_pool.h"

namespace rdp::gst {

// The segmentation of columns. Its results are GstRdpSegmentation.
class SegmentMethod final : public Method {
 public:
  // `element` and `counts` (for stats) outlive the method. May post a warning; throws
  // std::bad_alloc.
  SegmentMethod(GstRdpAnalyzer* element, GroundCounts* counts);

  Plan plan(const Frame& frame) override;
  Worker& cpu() override { return cpu_; }
#ifdef RDP_HAVE_CUDA
  std::unique_ptr<Worker> new_gpu_worker(GpuSession& session) override;
#endif
  void leave_gpu() override { pool_ = SegmentationPool(); }
  bool fetch(GstMiniObject* result, std::string* reason) override;
  gsize count(GstMiniObject* result) override;
  void attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) override;

  // For its workers: the settings of the frame at hand.
  const Parameters& parameters() const { return current_.parameters; }
  bool writes() const { return current_.output == SegmentOutput::kReconstruct; }
  // Finds the grounds of the task's inputs, if they come from planes; call before the next two.
  void find_grounds(const Task& task) { grounds_.find(task, parameters()); }
  // Options of the task's picture.
  OverlayOptions picture_of(const Task& task) const;
  // Creates an empty draft for each input; finish_drafts() turns the drafts into results.
  std::vector<SegmentationDraft>& start_drafts(const Task& task);
  void finish_drafts(const Task& task);

 private:
  class CpuWorker final : public Worker {
   public:
    explicit CpuWorker(SegmentMethod& method) : method_(method) {}
    void analyze(const Task& task) override;
    void paint(const Task& task) override;
    void write_back(const Task& task) override;
    bool finish(const Task& task) override;

   private:
    SegmentMethod& method_;
  };

  CameraUse camera_use() const;
  void use_threads();
  void warn_of_analytics();
  void warn_of_ground();
  void warn_of_epsilon(const Task& task);

  GstRdpAnalyzer* element_;
  SegmentSettings current_;
  SegmentOverlaySettings picture_;
  Engine engine_{1};
  WorkerThreads threads_;
  CpuWorker cpu_{*this};
  SegmentationPool pool_;
  std::vector<SegmentationDraft> drafts_;
  FrameAnalytics analytics_;
  PlaneGrounds grounds_;
  bool warned_of_epsilon_ = false;
  bool warned_of_analytics_ = false;
  GroundCounts& ground_counts_;
  bool warned_of_ground_ = false;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPSEGMENT_SEGMENT_METHOD_H_
