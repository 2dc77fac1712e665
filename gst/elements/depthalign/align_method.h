// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHALIGN_ALIGN_METHOD_H_
#define RDP_GST_ELEMENTS_DEPTHALIGN_ALIGN_METHOD_H_

#include <optional>
#include <string>

#include "common/align/engine.h"
#include "gst/elements/base/camera_source.h"
#include "gst/elements/base/fitting_values.h"
#include "gst/elements/base/joined_work.h"
#include "gst/elements/base/worker_threads.h"
#include "gst/elements/depthalign/align_settings.h"
#include "gst/elements/depthalign/target_camera.h"

namespace rdp::gst {

inline constexpr char kVideoPad[] = "video";

// The outcome of the last frame, under the element's object lock.
struct AlignStats {
  double valid = 0.0;   // share of the depth's pixels that have a depth
  double inside = 0.0;  // share of these that are inside the target's image
};

// Data of the element, for as long as it lives.
struct AlignShared : InstanceMemory {
  VideoCamera video;
  AlignStats stats;
};

// Aligns depth to the target camera's view and, on request, colours to the depth camera's view. Its
// outputs are frames; it has no results beside them.
class AlignMethod final : public JoinedMethod {
 public:
  // `element` and `shared` outlive the method.
  AlignMethod(GstRdpJoiner* element, AlignShared* shared);
  ~AlignMethod() override;

  bool start() override;
  CameraSource* camera() override { return &source_; }
  SetVerdict meet(std::span<const JoinedInput> inputs, Pairing& set, bool* renegotiate) override;
  GstCaps* possible_caps(std::span<const JoinedInput> inputs, bool cuda, bool cuda_first) override;
  GstCaps* data_caps(const JoinerPadRow& row) override;
  Plan plan(const Frame& frame) override;
  Worker& cpu() override { return cpu_; }
#ifdef RDP_HAVE_CUDA
  std::unique_ptr<Worker> new_gpu_worker(GpuSession& session) override;
#endif
  void attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) override;
  void describe_output(std::size_t which, GstBuffer* output) override;

  // For its workers: indices of inputs and outputs.
  enum Input : std::size_t { kDepth, kVideo };
  enum Output : std::size_t { kAligned, kColor };

  // Parameters of the current frame; null if it has no metric camera.
  const align::Parameters* parameters() const { return works_ ? &parameters_ : nullptr; }
  guint threads() const { return settings_.threads; }
  GstElement* element() const { return GST_ELEMENT(element_); }
  // Throws std::runtime_error if a buffer is a batch of several frames.
  void check(const Task& task) const;
  // True if colours are wanted, and there is a picture for them.
  bool colours(const Task& task) const;
  // The picture on video, without its samples.
  align::Picture picture() const;
  void note_counts(const align::Counts& counts, std::int64_t pixels);

 private:
  class CpuWorker final : public Worker {
   public:
    explicit CpuWorker(AlignMethod& method) : method_(method) {}
    void analyze(const Task& task) override;

   private:
    AlignMethod& method_;
    align::Engine engine_;
    WorkerThreads threads_;
  };

  SetVerdict go_without_target(const Pairing& set);
  std::string find_movement(Pose* movement) const;
  bool find_parameters();
  void warn_of_frames_outside(const align::Counts& counts);

  GstRdpJoiner* const element_;
  AlignShared* const shared_;
  CameraSource source_;
  TargetCamera target_;
  std::optional<GstClockTime> waits_since_;  // start of live depth's wait for the target

  // From the caps.
  guint width_ = 0;  // of the target
  guint height_ = 0;
  GstCaps* depth_caps_ = nullptr;

  // For the frame at hand.
  AlignSettings settings_;
  FittingValues<Pose> fitting_;
  align::Parameters parameters_;
  bool works_ = false;
  std::size_t inputs_of_frame_ = 1;
  GstVideoInfo video_{};  // of the last frame on video

  unsigned lens_of_ = 0;  // target_.number() when parameters_.target was set
  OwnedCamera aligned_camera_;
  OwnedCamera color_camera_;
  OwnedCamera color_of_;  // source of color_camera_
  double unit_of_camera_ = 0.0;
  int outside_ = 0;  // consecutive frames almost entirely outside the target's image
  bool said_outside_ = false;
  AlignStats found_;

  CpuWorker cpu_{*this};
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHALIGN_ALIGN_METHOD_H_
