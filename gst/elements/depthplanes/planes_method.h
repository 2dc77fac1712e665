// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_METHOD_H_
#define RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_METHOD_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/planes/clouds/cloud.h"
#include "common/planes/clouds/engine.h"
#include "common/planes/frames/engine.h"
#include "common/planes/pictures/overlay.h"
#include "gst/elements/base/fitting_values.h"
#include "gst/elements/base/gstrdpanalyzer.h"
#include "gst/elements/base/method.h"
#include "gst/elements/base/points_caps.h"
#include "gst/elements/base/worker_threads.h"
#include "gst/elements/depthplanes/planes_caps.h"
#include "gst/elements/depthplanes/planes_settings.h"
#include "gst/elements/depthplanes/planes_stats.h"
#include "gst/metadata/planes_pool.h"

namespace rdp::gst {

// Shared by the element and its method. The element finds the kind of input in the streaming
// thread; the element's object lock guards the results.
struct PlanesStream {
  bool cloud = false;
  PointsFormat points;  // of clouds
  PlanesStats stats;
};

// The search for planes in frames and clouds. Its results are GstRdpPlanes.
class PlanesMethod final : public Method {
 public:
  // `element` and `stream` outlive the method. Throws std::bad_alloc.
  PlanesMethod(GstRdpAnalyzer* element, PlanesStream* stream);

  bool takes_blob(std::size_t bytes, std::string* reason) override;
  Plan plan(const Frame& frame) override;
  Worker& cpu() override { return cpu_; }
#ifdef RDP_HAVE_CUDA
  std::unique_ptr<Worker> new_gpu_worker(GpuSession& session) override;
#endif
  void leave_gpu() override { pool_ = PlanesPool(); }
  bool fetch(GstMiniObject* result, std::string* reason) override;
  gsize count(GstMiniObject* result) override;
  void attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) override;

  // For its workers.

  bool cloud() const { return stream_->cloud; }
  // The cloud at hand, with its points at `data`, on the host or on the device.
  planes::CloudView cloud_view(const std::byte* data) const;
  // Sets parameters() and creates an empty draft for each input; finish_drafts() turns the drafts
  // into results. Throws std::runtime_error if output=labels gets a batch.
  std::vector<PlanesDraft>& start_drafts(const Task& task);
  const planes::Parameters& parameters() const { return parameters_; }
  // The point format on src with output=labels.
  PointsFormat labelled() const { return labelled_points(stream_->points); }
  // The number of labels of an input.
  std::size_t labels_of(std::size_t input, const Task& task) const;
  // Gives the planes found in one input to its draft.
  void set_found(std::size_t input, const Task& task, const planes::PlaneSet& set);
  void finish_drafts(const Task& task);

  // Options of the task's picture, which shows the planes of the painted input.
  const planes::OverlayOptions& picture() const { return picture_; }
  bool paints_nodes(const Task& task) const;
  planes::OverlayScene scene(const Task& task, const planes::PlaneSet& set,
                             std::span<const planes::NodeSquare> nodes) const;

 private:
  class CpuWorker final : public Worker {
   public:
    explicit CpuWorker(PlanesMethod& method) : method_(method) {}
    void analyze(const Task& task) override;
    void paint(const Task& task) override;
    bool finish(const Task& task) override;

   private:
    void find_in_frame(std::size_t input, const Task& task);
    void find_in_cloud(const Task& task);
    void use_threads();
    template <typename Engine>
    void tell_threads(Engine* engine);

    PlanesMethod& method_;
    planes::FrameEngine frames_{1};
    // Made when they are needed.
    std::unique_ptr<planes::CloudEngine> clouds_;
    std::unique_ptr<planes::OverlayPainter> painter_;
    guint wanted_threads_ = 1;       // last passed to the engines
    std::span<PlanesDraft> drafts_;  // of the task at hand
    // For the painted input.
    const planes::PlaneSet* painted_ = nullptr;
    DepthView painted_labels_;
    std::vector<planes::NodeSquare> nodes_;
  };

  void tell_of_pose();
  void warn_of_unit(std::size_t input, const Task& task, const planes::PlaneSet& set);
  void warn_of_ground(const Task& task, const planes::PlaneSet& set);

  GstRdpAnalyzer* element_;
  PlanesStream* stream_;
  PlanesSettings current_;
  FittingValues<planes::Parameters> fitting_;
  PlanesOverlaySettings picture_;
  planes::Parameters parameters_;  // of the task at hand
  std::size_t points_ = 0;         // of the cloud at hand
  CpuWorker cpu_{*this};
  PlanesPool pool_;
  std::vector<PlanesDraft> drafts_;
  std::vector<GstRdpPlanesInfo> infos_;
  PlanesStats stats_;  // of the last input of the task
  // A plane was found, or the user was warned that there is none.
  bool looked_at_unit_ = false;
  bool told_of_pose_ = false;
  bool warned_of_ground_ = false;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_METHOD_H_
