// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_FRAME_WORK_H_
#define RDP_GST_ELEMENTS_BASE_FRAME_WORK_H_

#include <gst/video/video.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gst/cuda/gpu_provider.h"
#include "gst/elements/base/analyzer_settings.h"
#include "gst/elements/base/backend_choice.h"
#include "gst/elements/base/camera_source.h"
#include "gst/elements/base/method.h"
#include "gst/elements/base/picture_pad.h"
#include "gst/memory/frame_mapper.h"
#include "gst/memory/picture_mapper.h"

namespace rdp::gst {

class GpuSession;

// The words of an element, with static storage.
struct ElementWords {
  GstDebugCategory* category;  // log category
  const char* verb;            // the work on a frame: "segment"
  const char* participle;      // "segmented"
};

// Makes the element's own buffers once the engine is known.
class OutputSource {
 public:
  virtual ~OutputSource() = default;
  // Fills `outputs`, which is empty: video in system or CUDA memory, or blobs in system memory. At
  // least the first one must be wanted. Called once for each frame, after the inputs have
  // determined the context and before any work. With `on_gpu`, buffers in CUDA memory must be in
  // GpuProvider::context() (null: memory:CUDAMemory is not available). The source's owner owns the
  // buffers, also if the work fails. Any result but OK ends the work and is returned.
  virtual GstFlowReturn acquire(Frame* frame) = 0;
};

// Processes an element's frames. Chooses the engine (the CPU, the GPU, or a trial of both) and
// copies samples to the device and back. Also acquires the picture, posts errors and counts. For
// elements with one or several inputs, on any base class: it knows no pad but the overlay. One for
// each session between READY and PAUSED. Streaming thread only.
class FrameWork {
 public:
  // All references must outlive this. `stats` is guarded by the element's object lock.
  FrameWork(GstElement* element, const ElementWords& words, GpuProvider* gpu,
            std::unique_ptr<Method> method, const AnalyzerSettings& settings, AnalyzerStats* stats);
  ~FrameWork();
  FrameWork(const FrameWork&) = delete;
  FrameWork& operator=(const FrameWork&) = delete;

  Method& method() { return *method_; }
  GstRdpBackend backend() const { return choice_.wanted(); }
  int cuda_device_id() const { return cuda_device_id_; }
  // The number of processed frames.
  guint64 frames() const { return number_; }

  // Chooses the engine for frames of new caps, and makes it ready. `caps`: those of all inputs, and
  // of outputs that are already known; call it again if outputs turn out to be in CUDA memory.
  // False, after an element error: the caps cannot be processed. May throw.
  bool choose_backend(std::span<const GstCaps* const> caps);
  bool choose_backend(const GstCaps* caps) { return choose_backend({&caps, 1}); }
  // True if the GPU processes such frames (if it can reach them), and no trial is running. Then
  // copies for the host should be in page-locked memory, and frames stay on the GPU if downstream
  // accepts that.
  bool gpu_works() const { return choice_.gpu_works(); }

  // Returns the next frame, empty, for the element to fill. It is valid until the next call.
  Frame& start_frame();
  // Processes that frame. On failure posts an element error; there is no picture then.
  //
  // In this order: controlled properties, the method's plan(); the inputs and outputs are opened,
  // the picture is acquired; the worker's steps. Then everything is closed, and the results are
  // counted and attached. All of it runs in the standard floating-point environment, not in that of
  // the calling thread.
  GstFlowReturn run();

 private:
  using Clock = std::chrono::steady_clock;

  GstFlowReturn run_frame();
  GstFlowReturn refuse(const FrameBuffer& input, const char* reason);
  GstFlowReturn fail(GstResourceError code, const char* what, const char* reason);
  bool refuse_caps(const GstCaps* caps, const char* reason);
  std::string explain_surface(const NvmmSurface& surface) const;
  std::string explain_unreadable(const FrameMapper& frame) const;

  bool make_plan();
  void warn_of_empty_range();
  GstFlowReturn run_engine();
  GstFlowReturn run_trial();
  GstFlowReturn try_gpu();
  void leave_gpu();
  void count();
  void attach();

  GstFlowReturn open();
  GstFlowReturn find_camera();
  GstFlowReturn open_outputs();
  GstFlowReturn refuse_output(const FrameBuffer& output, const char* reason);
  bool device_reaches() const;
  GstFlowReturn work_on_cpu();
  GstFlowReturn work_on_gpu();
  bool find_context(const std::vector<std::unique_ptr<FrameMapper>>& mappers, std::size_t count,
                    FrameContext* context, std::string* reason);
  GpuSession* find_session(GstFlowReturn* flow);
  GstFlowReturn run_on_gpu(GpuSession& gpu);
  void gather();
  Task make_task();
  void arrange(Task* task);
  void warn_of_large_buffer(const FrameBuffer& input);
  void look_at_samples(const Task& task);
  void warn_of_largest(std::size_t largest, std::size_t samples);
  void warn_of_distance(const Task& task, const DepthOfValue& rule, bool too_near);
  void run_steps(Worker& worker, const Task& task);
  void close();
  void drop_results();

  bool acquire_picture(const Task& task);
  bool has_painted_input(std::size_t there);
  bool has_metres();
  void drop_picture(const char* reason);

  GstElement* element_;
  ElementWords words_;
  GpuProvider* gpu_;
  std::unique_ptr<Method> method_;
  BackendChoice choice_;
  int cuda_device_id_;
  AnalyzerStats* stats_;
  guint64 number_ = 0;  // of the frame at hand, from 0
  // The missing batch input that the user was told of: see Plan::painted.
  std::optional<std::size_t> missing_input_;

  // Upper limit of frames examined for each caps until one has known samples.
  static constexpr int kMaxLooks = 100;
  int frames_to_look_at_ = 0;
  bool said_largest_ = false;
  bool said_distance_ = false;
  bool said_large_buffer_ = false;
  bool warned_of_empty_range_ = false;

  Frame frame_;
  // The buffers of the frame at hand; the mappers are kept.
  std::vector<std::unique_ptr<FrameMapper>> inputs_;
  std::vector<std::unique_ptr<FrameMapper>> outputs_;
  std::size_t open_inputs_ = 0;
  std::size_t open_outputs_ = 0;
  std::vector<const FrameMapper*> opened_;
  std::vector<FrameSurface> in_surfaces_;
  std::vector<FrameSurface> out_surfaces_;
  std::vector<FrameSurface> arranged_;
  PictureMapper picture_;
  std::vector<GstMiniObject*> results_;
};

// Starts the session for frames in host memory and makes the method's engine in it, so that a
// failure shows before frames come. Throws GpuError and std::bad_alloc.
void prepare_gpu(GpuProvider& gpu, Method& method, int cuda_device_id);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_FRAME_WORK_H_
