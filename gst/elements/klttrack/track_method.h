// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_KLTTRACK_TRACK_METHOD_H_
#define RDP_GST_ELEMENTS_KLTTRACK_TRACK_METHOD_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/klt/engine.h"
#include "common/klt/overlay.h"
#include "gst/elements/base/batch_cameras.h"
#include "gst/elements/base/fitting_values.h"
#include "gst/elements/base/gstrdpanalyzer.h"
#include "gst/elements/base/method.h"
#include "gst/elements/base/worker_threads.h"
#include "gst/elements/klttrack/mask_file.h"
#include "gst/elements/klttrack/track_settings.h"
#include "gst/elements/klttrack/tracked_camera.h"
#include "gst/metadata/tracks_pool.h"

namespace rdp::gst {

// The outcome of tracking, under the element's object lock.
struct TrackStats {
  guint64 live = 0;  // in the last frame
  // Since the element went to PAUSED.
  guint64 born = 0;
  guint64 templates = 0;          // that tracks took
  std::array<guint64, 7> lost{};  // by klt::Reason
};

// The tracking of features. Its results are GstRdpTracks.
//
// It keeps state from frame to frame. A frame counts only once the worker commits its states in
// finish(): then its ids are used, and it becomes the template. A frame that fails earlier changes
// nothing; the next one is searched without a prediction.
class TrackMethod final : public Method {
 public:
  // `element` and `stats` outlive the method. Throws std::bad_alloc.
  TrackMethod(GstRdpAnalyzer* element, TrackStats* stats, Mask mask);

  void reset(ResetReason reason) noexcept override;
  bool engines_interchangeable() const override { return false; }
#ifdef RDP_HAVE_CUDA
  std::unique_ptr<Worker> new_gpu_worker(GpuSession& session) override;
#endif
  Plan plan(const Frame& frame) override;
  Worker& cpu() override { return cpu_; }
  void leave_gpu() override { pool_ = TracksPool(); }
  bool fetch(GstMiniObject* result, std::string* reason) override;
  gsize count(GstMiniObject* result) override;
  void attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) override;

  // For its workers; each has a number of its own.
  guint64 new_worker() { return ++workers_; }

  // Starts a task: finds the camera of each input, takes the points of its frame, and makes empty
  // drafts.
  void start_frames(const Task& task);
  // Camera of an input, and the number of its earlier frames in the batch. Frames of one camera are
  // tracked one after the other.
  std::size_t camera_of(std::size_t input) const { return cameras_.of_frame(input).camera; }
  std::size_t turn_of(std::size_t input) const { return cameras_.of_frame(input).turn; }
  TrackedCamera& camera(std::size_t input) { return cameras_[camera_of(input)]; }
  // Points that other elements want tracked.
  std::span<const klt::Point> points(std::size_t input) const { return points_[input]; }
  // The worker's state of the input's camera; `states` is indexed by camera. drop_gone() frees the
  // states of cameras that have gone. Throws std::bad_alloc.
  template <typename State>
  State& state_of(std::size_t input, std::vector<std::unique_ptr<State>>* states);
  template <typename State>
  void drop_gone(std::vector<std::unique_ptr<State>>* states);
  // Gives the tracks of an input to its draft.
  void set_found(std::size_t input, const klt::Result& found);
  const klt::Parameters& parameters() const { return current_.parameters; }
  const Mask& mask() const { return mask_; }
  guint threads() const { return current_.threads; }
  const klt::OverlayOptions& picture() const { return picture_; }
  // The overlay scene of the painted input.
  klt::OverlayScene scene(const Task& task);
  // Turns the drafts into results and counts the frames. The worker has committed its states.
  void finish_frames(const Task& task);

 private:
  // The facts in the caps that tracks depend on.
  struct Frames {
    GstVideoFormat format = GST_VIDEO_FORMAT_UNKNOWN;
    int width = 0;
    int height = 0;
    bool operator==(const Frames&) const = default;
  };

  class CpuWorker final : public Worker {
   public:
    explicit CpuWorker(TrackMethod& method) : method_(method), number_(method.new_worker()) {}
    void analyze(const Task& task) override;
    void paint(const Task& task) override;
    bool finish(const Task& task) override;

   private:
    TrackMethod& method_;
    const guint64 number_;
    klt::Engine engine_{1};
    std::vector<std::unique_ptr<klt::State>> states_;  // by camera
    std::unique_ptr<klt::OverlayPainter> painter_;     // made when it is needed
    WorkerThreads threads_;
    WorkerThreads painter_threads_;
  };

  bool refuse_mask();
  void warn_of_blank_mask();
  void end_tracks() noexcept;
  void look_at_crop(GstBuffer* buffer);
  void warn_of_small_frames();
  void read_points(std::size_t input);

  GstRdpAnalyzer* element_;
  TrackStats* stats_;
  guint64 workers_ = 0;  // how many there have been
  const Mask mask_;
  TrackSettings current_;
  FittingValues<klt::Parameters> fitting_;
  TrackOverlaySettings picture_;
  CpuWorker cpu_{*this};
  TracksPool pool_;

  // For the stream so far.
  BatchCameras<TrackedCamera> cameras_;
  Frames frames_;
  guint crop_x_ = 0;
  guint crop_y_ = 0;
  bool under_way_ = false;  // the last frame was not finished
  bool said_small_ = false;
  bool said_blank_ = false;
  bool said_lost_points_ = false;

  // For the frame at hand.
  GstBuffer* buffer_ = nullptr;
  bool paints_ = false;  // the pad `overlay` exists
  std::vector<TracksDraft> drafts_;
  std::vector<std::size_t> templates_;           // that tracks took, by input
  std::vector<std::vector<klt::Point>> points_;  // by input
};

template <typename State>
State& TrackMethod::state_of(std::size_t input, std::vector<std::unique_ptr<State>>* states) {
  const std::size_t camera = camera_of(input);
  if (states->size() <= camera) states->resize(camera + 1);
  std::unique_ptr<State>& state = (*states)[camera];
  if (state == nullptr) state = std::make_unique<State>();
  return *state;
}

template <typename State>
void TrackMethod::drop_gone(std::vector<std::unique_ptr<State>>* states) {
  for (std::size_t i = 0; i < states->size(); ++i) {
    if (cameras_[i].is_gone) (*states)[i].reset();
  }
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_KLTTRACK_TRACK_METHOD_H_
