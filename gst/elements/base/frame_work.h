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

// A buffer that the element writes: video in system or CUDA memory. Null: not wanted, but it keeps
// its place among the outputs.
struct OutputBuffer {
  GstBuffer* buffer = nullptr;
  const GstVideoInfo* info = nullptr;
  MemoryKind memory = MemoryKind::kSystem;
  bool is_video = true;  // otherwise a blob in system memory
};

// Makes the element's own buffers once the engine is known.
class OutputSource {
 public:
  virtual ~OutputSource() = default;
  // Called once for each run, after the inputs have determined the context and before any work.
  // With `on_gpu`, buffers in CUDA memory must be in GpuProvider::context() (null:
  // memory:CUDAMemory is not available). The source's owner owns the buffers, also if the run
  // fails. Any result but OK ends the run and is returned.
  virtual GstFlowReturn acquire(bool on_gpu, std::vector<OutputBuffer>* outputs) = 0;
};

// One piece of work. The caller keeps ownership of everything in here.
struct WorkCall {
  // Inputs in the method's order, possibly in different memories. All those on a device must be in
  // one CUDA context; those in system memory are copied there.
  std::span<const InputBuffer> inputs;
  // Buffers to be written, in the method's order, or their source.
  std::span<const OutputBuffer> outputs;
  OutputSource* output_source = nullptr;
  // Index of the main input. Its time is in messages, its metas go to the picture, and its camera
  // is the task's.
  std::size_t main = 0;
  // The writable buffer that gets the results. Null: outputs[0], which then must be wanted; without
  // outputs the main input.
  GstBuffer* results_on = nullptr;
  // The pad for the picture; null: nothing is painted. `running_time` is the frame's, or NONE.
  GstRdpPicturePad* overlay = nullptr;
  GstClockTime running_time = GST_CLOCK_TIME_NONE;
  // Stream time for controlled properties, or NONE.
  GstClockTime stream_time = GST_CLOCK_TIME_NONE;
  // For elements that measure: finds the main input's camera with Plan::camera_settings. Without
  // outputs it is attached to the main input.
  CameraSource* camera = nullptr;
};

// The picture that a call painted.
struct PaintedPicture {
  GstBuffer* buffer = nullptr;  // (transfer full), also on failure
  bool gap = false;             // no picture is wanted; send a GAP
  GstFlowReturn flow = GST_FLOW_OK;
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
  guint64 frames() const { return frame_; }

  // Chooses the engine for frames of new caps, and makes it ready. `caps`: those of all inputs, and
  // of outputs that are already known; call it again if outputs turn out to be in CUDA memory.
  // False, after an element error: the caps cannot be processed. May throw.
  bool choose_backend(std::span<const GstCaps* const> caps);
  bool choose_backend(const GstCaps* caps) { return choose_backend({&caps, 1}); }
  // True if the GPU processes such frames (if it can reach them), and no trial is running. Then
  // copies for the host should be in page-locked memory, and frames stay on the GPU if downstream
  // accepts that.
  bool gpu_works() const { return choice_.gpu_works(); }

  // Processes the inputs, which are writable if the method writes. Posts an element error on
  // failure. The buffer in *picture is (transfer full) in any case.
  //
  // In this order: controlled properties, the method's plan(); the inputs and outputs are opened,
  // the picture is acquired; the worker's steps. Then everything is closed, and the results are
  // counted and attached. All of it runs in the standard floating-point environment, not in that of
  // the calling thread.
  GstFlowReturn run(const WorkCall& call, PaintedPicture* picture);

 private:
  using Clock = std::chrono::steady_clock;
  // One call on its way through an engine.
  struct Work;

  GstFlowReturn run_call(const WorkCall& call, PaintedPicture* picture);
  GstFlowReturn refuse(const Work& work, const InputBuffer& input, const char* reason);
  GstFlowReturn fail(const Work& work, GstResourceError code, const char* what, const char* reason);
  bool refuse_caps(const GstCaps* caps, const char* reason);
  std::string explain_surface(const NvmmSurface& surface) const;
  std::string explain_unreadable(const FrameMapper& frame) const;

  bool make_plan(Work* work);
  void warn_of_empty_range(const Work& work);
  GstFlowReturn run_engine(Work* work);
  GstFlowReturn run_trial(Work* work);
  GstFlowReturn try_gpu(Work* work);
  void leave_gpu();
  void count(const Work& work);
  void attach(const Work& work);

  GstFlowReturn open(Work* work);
  GstFlowReturn find_camera(Work* work);
  GstFlowReturn open_outputs(Work* work);
  GstFlowReturn refuse_output(const OutputBuffer& output, const char* reason);
  bool device_reaches() const;
  GstFlowReturn work_on_cpu(Work* work);
  GstFlowReturn work_on_gpu(Work* work);
  bool find_context(const std::vector<std::unique_ptr<FrameMapper>>& mappers, std::size_t count,
                    FrameContext* context, std::string* reason);
  GpuSession* find_session(Work* work, GstFlowReturn* flow);
  GstFlowReturn run_on_gpu(Work* work, GpuSession& gpu);
  void gather();
  Task make_task(Work* work);
  void arrange(Task* task);
  void warn_of_large_buffer(const InputBuffer& input);
  void look_at_samples(const Work& work, const Task& task);
  void warn_of_largest(std::size_t largest, std::size_t samples);
  void warn_of_distance(const Work& work, const Task& task, const DepthOfValue& rule,
                        bool too_near);
  void run_steps(Worker& worker, const Task& task, Work* work);
  void close();
  void drop_results();

  bool acquire_picture(Work* work, const Task& task);
  bool has_painted_input(const Work& work, std::size_t there);
  bool has_metres(Work* work) const;
  void drop_picture(Work* work, const char* reason);

  GstElement* element_;
  ElementWords words_;
  GpuProvider* gpu_;
  std::unique_ptr<Method> method_;
  BackendChoice choice_;
  int cuda_device_id_;
  AnalyzerStats* stats_;
  guint64 frame_ = 0;
  // The missing batch input that the user was told of: see Plan::painted.
  std::optional<std::size_t> missing_input_;

  // Upper limit of frames examined for each caps until one has known samples.
  static constexpr int kMaxLooks = 100;
  int frames_to_look_at_ = 0;
  bool said_largest_ = false;
  bool said_distance_ = false;
  bool said_large_buffer_ = false;
  bool warned_of_empty_range_ = false;

  // The frames of the call at hand; the mappers are kept.
  std::vector<std::unique_ptr<FrameMapper>> inputs_;
  std::vector<std::unique_ptr<FrameMapper>> outputs_;
  std::size_t open_inputs_ = 0;
  std::size_t open_outputs_ = 0;
  std::vector<const FrameMapper*> opened_;
  std::vector<OutputBuffer> acquired_;
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
