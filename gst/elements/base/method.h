// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_METHOD_H_
#define RDP_GST_ELEMENTS_BASE_METHOD_H_

#include <gst/video/video.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "common/image/camera.h"
#include "common/image/known_range.h"
#include "common/image/rgba_view.h"
#include "gst/elements/base/camera_properties.h"
#include "gst/elements/base/camera_use.h"
#include "gst/elements/base/picture_pad.h"
#include "gst/memory/frame_mapper.h"
#include "gst/memory/instance_memory.h"
#include "kernels/runtime/device_view.h"

// The mathematics of an analysing element, as FrameWork sees it. FrameWork handles memory,
// contexts, the choice of engine, and catches exceptions in one place. "The analyser" is the user
// of FrameWork: GstRdpAnalyzer, or an element with several inputs.
namespace rdp::gst {

class CameraSource;
class GpuSession;
class OutputSource;

// Too little memory for work whose need is known. what() is for the user: the memory needed, and
// the settings that reduce it.
class NoMemoryForWork : public std::bad_alloc {};

// An input or output of a frame. An input is writable if Plan::writes is set. An unwanted output
// has no buffer, but keeps its place.
struct FrameBuffer {
  GstBuffer* buffer = nullptr;
  const GstVideoInfo* info = nullptr;       // from the caps, also if they are not video
  MemoryKind memory = MemoryKind::kSystem;  // according to the caps
  const char* pad = nullptr;                // the input's name in messages, if there are several
  bool is_video = true;                     // otherwise a blob in system memory
  bool chroma = false;                      // chroma of NV12 is read, too
};

// The method's plan for the buffers that have come.
struct Plan {
  // The method has posted an element error: nothing is worked on.
  bool refused = false;
  // The method overwrites the inputs' samples.
  bool writes = false;
  // The number of task inputs that make one frame with one result, counted once: 2 for a pair.
  std::size_t inputs_of_frame = 1;
  // The input of a batch that the picture shows, from 0. Buffers with fewer inputs get no picture,
  // and the user is told.
  std::size_t painted = 0;
  // The range of known samples, for methods with the properties min-value and max-value. If it
  // includes 65535, the user is told: depth cameras may write it for unknown pixels.
  KnownRange known{1, 0};
  // Smaller samples are never known, whatever min-value is.
  guint least_known = 0;
  // The name of the results, "planes", for a warning if no sample can be known. Null: the method
  // warns itself.
  const char* finds = nullptr;
  // Samples farther than this, in metres, give no results. If nearly all known samples of a frame
  // are farther, the user is told: their unit is likely wrong. The default, for methods without a
  // limit, exceeds the range of depth cameras.
  double farthest = 1000.0;
  // The method's statements about the samples, and its demands on the frames' camera. If the
  // picture needs metres that no camera gives, the user gets an error. Frames whose camera was lost
  // on the way get no picture.
  CameraUse camera;
  // The camera properties, for methods that measure: from the method's own copy of the settings,
  // valid until the next plan().
  const CameraSettings* camera_settings = nullptr;
};

// A frame on its way through an element. FrameWork keeps one from frame to frame.
struct Frame {
  // Set by the element, which keeps ownership of everything up to `camera`. All of it stays valid
  // until FrameWork::run() returns.

  // In the method's order. The first one is the main input: its time is in messages, its metas go
  // to the picture, and its camera is the task's. Those on a device must be in one CUDA context;
  // those in system memory are copied there.
  InstanceVector<FrameBuffer> inputs;
  // Makes the outputs. Null: there are none, and the results go to the main input.
  OutputSource* output_source = nullptr;
  // The linked pad of the picture; null: nothing is painted. `running_time` is the frame's, or
  // NONE.
  GstRdpPicturePad* overlay = nullptr;
  GstClockTime running_time = GST_CLOCK_TIME_NONE;
  // Stream time for controlled properties, or NONE.
  GstClockTime stream_time = GST_CLOCK_TIME_NONE;
  // For elements that measure: finds the main input's camera with Plan::camera_settings. Without
  // outputs it is attached to the main input.
  CameraSource* camera = nullptr;

  // Set by FrameWork.

  Plan plan;
  bool on_gpu = false;
  // Made by `output_source`, in the method's order; the first one gets the results.
  std::vector<FrameBuffer> outputs;
  GstBuffer* picture = nullptr;  // (transfer full) to the element
  bool picture_gap = false;      // no picture is wanted; send a GAP
  GstFlowReturn picture_flow = GST_FLOW_OK;
  guint64 pixels = 0;  // of one input
  // The time that stats count: on the CPU without the picture.
  std::chrono::steady_clock::duration time{};
  // Time including the picture, by which the trial compares the engines.
  std::chrono::steady_clock::duration time_with_picture{};

  const FrameBuffer& main() const { return inputs[0]; }
  GstBuffer* buffer() const { return main().buffer; }
  GstClockTime pts() const { return GST_BUFFER_PTS(buffer()); }
};

// A frame as an engine sees it: all surfaces of one buffer, or of one buffer of each input. A
// buffer in NVMM memory is a batch of surfaces; all others have one.
struct Task {
  // The surfaces of all inputs, in their order, as Method::arrange() leaves them.
  std::span<const FrameSurface> inputs;
  // The results, one for Plan::inputs_of_frame inputs. The worker puts a reference there (transfer
  // full).
  std::span<GstMiniObject*> results;
  // The element's own frames to be written, on the engine's side. An unwanted one keeps its place,
  // with neither samples nor bytes.
  std::span<const FrameSurface> outputs;
  // The buffer's number in the stream, from 0.
  guint64 frame = 0;
  // The picture to be painted: at most one of them has data.
  RgbaView picture;
  cuda::DeviceRgbaView device_picture;
  // The input that the picture shows, as in Plan::painted. Any if nothing is painted.
  std::size_t painted = 0;
  // The camera of the painted input, in its rows and columns, for values of results (with
  // domain=inverse, the inverse). Null: there are no metres. It is the same for all inputs. Only
  // for methods that measure: see Plan::camera.
  const MetricCamera* camera = nullptr;
  // True if that camera is known, not guessed: see CameraUse::guesses.
  bool calibrated = false;
  // The camera as metadata describes it, with its pose; null: none is known.
  GstRdpCamera* described = nullptr;
  // The meaning of the inputs' samples, also without a camera.
  SampleMeaning meaning;
};

// One engine of a method. The analyser calls, in this order and in the streaming thread: analyze();
// paint() if there is a picture; write_back() if the method writes to its input; finish(). Works on
// one task at a time. Throws GpuError and std::bad_alloc.
//
// On a GPU all of them are called with the session's context current. They start work on the
// session's stream and need not wait for it; finish() does.
class Worker {
 public:
  virtual ~Worker() = default;

  // Analyses the inputs.
  virtual void analyze(const Task& task) = 0;
  // Paints the picture from the input before anything is written to it.
  virtual void paint(const Task&) {}
  // Overwrites the inputs' samples, unless finish() will ask for the same steps again.
  virtual void write_back(const Task&) {}
  // Waits for all steps; the results are complete on return. False: a buffer was too small and has
  // grown; run the same steps again.
  virtual bool finish(const Task&) { return true; }
};

enum class ResetReason { kFlush, kDiscontinuity, kNewCaps };

// A running method: the settings of the present frame, and the state kept between frames. The
// analyser makes it on the way from READY to PAUSED and frees it on the way back. In between only
// the streaming thread uses it, also across new caps: see reset(). With backend=cuda another one is
// made on the way from NULL to READY, to try its GPU worker. It is freed at once, without a frame.
class Method {
 public:
  virtual ~Method() = default;

  // Forgets the state from previous frames. Called for each flush and each caps event, the first
  // one included, also before there was a frame.
  virtual void reset(ResetReason) noexcept {}
  // A segment begins with another base or direction.
  virtual void jump() noexcept {}
  // A gap event came: a frame without samples.
  virtual void miss_frame() noexcept {}
  // The stream of an element with one input ends. May post messages.
  virtual void end_stream() noexcept {}
  // True if frames may alternate between CPU and GPU, to find the faster one. False if one of them
  // keeps state.
  virtual bool engines_interchangeable() const { return true; }

  // True if a buffer of this size that is not video, such as a point cloud, fits the caps that
  // check_caps() has seen. False: *reason tells the user what was expected and what came. May
  // throw.
  virtual bool takes_blob(std::size_t /*bytes*/, std::string* /*reason*/) { return true; }

  // Turns the arrived surfaces, of all inputs in their order, into those of the task: for example
  // one packed surface into two views. They refer to the same samples, on the host and on the
  // device if the surfaces have those. Called several times for one frame. False: the task uses the
  // surfaces as they came. Once *arranged has its size, allocates nothing. May throw.
  virtual bool arrange(std::span<const FrameSurface>, std::vector<FrameSurface>* /*arranged*/) {
    return false;
  }
  // First call for each frame. The method copies its settings (copy_settings(), which takes the
  // element's object lock) and those of the overlay pad. It reads metadata on the buffers, warns of
  // contradictory settings, and returns the plan. All later calls use these copies. No lock is
  // held; may post messages, and throws if the frame cannot be processed.
  virtual Plan plan(const Frame& frame) = 0;

  // The engine on the CPU, which lives as long as the method.
  virtual Worker& cpu() = 0;
  // An engine on the GPU, made, used and freed in the session's context. Null: the method has none.
  virtual std::unique_ptr<Worker> new_gpu_worker(GpuSession&) { return nullptr; }

  // The GPU is not used any more: releases GPU state also from results that wait for their next
  // frame.
  virtual void leave_gpu() {}

  // Copies a result from the GPU to the host for its readers. False: it is lost, and *reason says
  // why.
  virtual bool fetch(GstMiniObject*, std::string*) { return true; }
  // Returns the number of items in the result, for stats: segments, planes.
  virtual gsize count(GstMiniObject*) { return 0; }
  // Attaches the results of all inputs to the outgoing buffer, which is writable.
  virtual void attach(GstBuffer*, std::span<GstMiniObject* const>) {}
  // Attaches metadata to an own frame, each of Task::outputs that was wanted. After attach().
  virtual void describe_output(std::size_t /*which*/, GstBuffer*) {}
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_METHOD_H_
