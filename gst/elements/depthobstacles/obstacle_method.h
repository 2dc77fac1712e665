// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHOBSTACLES_OBSTACLE_METHOD_H_
#define RDP_GST_ELEMENTS_DEPTHOBSTACLES_OBSTACLE_METHOD_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/obstacles/engine.h"
#include "common/obstacles/tracks.h"
#include "gst/elements/base/batch_cameras.h"
#include "gst/elements/base/fitting_values.h"
#include "gst/elements/base/gstrdpanalyzer.h"
#include "gst/elements/base/method.h"
#include "gst/elements/base/worker_threads.h"
#include "gst/elements/depthobstacles/obstacle_grounds.h"
#include "gst/elements/depthobstacles/obstacle_settings.h"
#include "gst/elements/depthobstacles/obstacle_speeds.h"
#include "gst/metadata/attach_analytics.h"
#include "gst/metadata/obstacles_pool.h"

namespace rdp::gst {

// The outcome of the search, under the element's object lock.
struct ObstacleStats {
  guint64 groundless = 0;  // frames since the element went to PAUSED
  // In the last frame.
  GstRdpGroundSource ground = GST_RDP_GROUND_NONE;
  bool refined = false;
  guint64 inliers = 0;
  double height = 0.0;
  guint64 found = 0;
  guint64 tracks = 0;
  double unknown = 1.0;
};

// The state of a camera from frame to frame.
struct ObstacleState {
  obstacles::Tracks tracks;
  GstClockTime pts = GST_CLOCK_TIME_NONE;
  // The last ground, which the tracks stand on, and the pose of its frame.
  bool has_ground = false;
  obstacles::Ground ground;
  obstacles::Axes axes;
  bool has_pose = false;
  Pose pose;
  GstClockTime age = 0;         // of the last ground that was not held
  GstClockTime groundless = 0;  // duration without a ground
  guint kept = 0;               // consecutive frames whose ground could not be refined
};

struct ObstacleCamera : BatchCamera {
  ObstacleState now;   // after the last attached frame
  ObstacleState next;  // after the current frame
  bool ends = false;   // resets tracks and ground before the next frame
  bool had_ground = false;
  bool told = false;        // a missing ground was reported
  bool told_again = false;  // likewise, since the last ground was found

  void let_go() { ends = is_gone = true; }
};

// The search for obstacles. Its results are GstRdpObstacles.
//
// attach() commits a frame's change to its camera's state. A frame that fails changes nothing; one
// that both engines search in turn changes it once.
class ObstacleMethod final : public Method {
 public:
  // `element` and `stats` outlive the method.
  ObstacleMethod(GstRdpAnalyzer* element, ObstacleStats* stats);

  void reset(ResetReason reason) noexcept override;
  void end_stream() noexcept override;
  Plan plan(const Frame& frame) override;
  Worker& cpu() override { return cpu_; }
#ifdef RDP_HAVE_CUDA
  std::unique_ptr<Worker> new_gpu_worker(GpuSession& session) override;
#endif
  gsize count(GstMiniObject* result) override;
  void attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) override;

  // For its workers, in this order: start_frames(), for each input start_of() and set_found(),
  // finish_frames(). The sequence may be repeated for the same task.
  void start_frames(const Task& task);
  // The task's camera; if it was lost, one without metres, and then there is no ground either.
  static const MetricCamera& camera_of(const Task& task);
  // Number of earlier frames in the batch from the input's camera. Call their set_found() before
  // this input's start_of().
  std::size_t turn_of(std::size_t input) const { return cameras_.of_frame(input).turn; }
  // The ground that the refinement of an input starts from; null: there is none.
  const obstacles::Ground* start_of(std::size_t input, const Task& task);
  // The obstacles of an input, for the engine to fill.
  obstacles::Obstacles* found(std::size_t input) { return drafts_[input]->found(); }
  void set_found(std::size_t input, const Task& task);
  void finish_frames(const Task& task);
  const obstacles::Parameters& parameters() const { return values_.parameters; }
  guint threads() const { return current_.threads; }
  // The task's picture, after set_found() of the painted input.
  obstacles::OverlayScene scene(const Task& task);
  const obstacles::OverlayOptions& picture() const { return picture_; }

 private:
  class CpuWorker final : public Worker {
   public:
    explicit CpuWorker(ObstacleMethod& method) : method_(method) {}
    void analyze(const Task& task) override;
    void paint(const Task& task) override;
    bool finish(const Task& task) override;

   private:
    ObstacleMethod& method_;
    obstacles::Engine engine_;
    WorkerThreads threads_;
    std::unique_ptr<obstacles::OverlayPainter> painter_;
    WorkerThreads painter_threads_;
  };

  // The facts in the caps that tracks depend on.
  struct Frames {
    GstVideoFormat format = GST_VIDEO_FORMAT_UNKNOWN;
    int width = 0;
    int height = 0;
    bool operator==(const Frames&) const = default;
  };

  void end_tracks() noexcept;
  void fit_values();
  void look_at_camera(const Task& task);
  void need_pose(const Task& task);
  bool move_tracks(const Task& task, const obstacles::Axes& axes, ObstacleState* state);
  void warn_of_cells(const MetricCamera& camera);
  void warn_of_analytics();
  void tell_of_ground(std::size_t input, ObstacleCamera* camera);
  void tell_of_kept(const obstacles::Obstacles& found, ObstacleState* state);
  ObstacleCamera& state_of(std::size_t input) { return cameras_[cameras_.of_frame(input).camera]; }

  GstRdpAnalyzer* element_;
  ObstacleStats* stats_;
  ObstacleSettings current_;
  ObstacleOverlaySettings picture_;
  SharedText area_text_;
  std::vector<obstacles::AreaCorner> area_;
  bool area_is_wrong_ = false;
  ObstacleValues values_;
  FittingValues<ObstacleValues> fitting_;
  CpuWorker cpu_{*this};
  ObstaclesPool pool_;
  MotionSpeeds speeds_;
  ObjectTimes times_;  // for analytics

  // The stream so far.
  BatchCameras<ObstacleCamera> cameras_;
  Frames frames_;
  MetricCamera camera_;
  bool had_camera_ = false;
  bool had_frames_ = false;
  bool had_ground_ = false;
  const char* problem_ = nullptr;  // of the last frame without a ground
  bool said_cells_ = false;
  bool said_analytics_ = false;
  bool said_no_pose_ = false;

  // The frame at hand.
  GstBuffer* buffer_ = nullptr;
  std::vector<ObstaclesDraft> drafts_;
  std::vector<StartGround> starts_;
  std::vector<obstacles::Box> boxes_;
  ObstacleStats frame_stats_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHOBSTACLES_OBSTACLE_METHOD_H_
