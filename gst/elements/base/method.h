// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_METHOD_H_
#define RDP_GST_ELEMENTS_BASE_METHOD_H_

#include <gst/video/video.h>

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
#include "gst/memory/frame_mapper.h"
#include "kernels/runtime/device_view.h"

// The mathematics of an analysing element, as FrameWork sees it. FrameWork has the memory, the
// contexts, the choice of engine and the one place where exceptions end. The analyser is the user
// of FrameWork: GstRdpAnalyzer, or an element with several inputs.
namespace rdp::gst {

class GpuSession;

// There is no memory for a piece of work that says how much it needs. what() is for the user: the
// wanted memory, and the settings that need less.
class NoMemoryForWork : public std::bad_alloc {};

// A buffer that is looked at, and with Plan::writes written to: then it is writable.
struct InputBuffer {
  GstBuffer* buffer = nullptr;
  const GstVideoInfo* info = nullptr;       // of its caps; also where they are no video
  MemoryKind memory = MemoryKind::kSystem;  // that the caps speak of
  const char* pad = nullptr;                // which of several inputs it is, in messages
  bool is_video = true;                     // otherwise a blob in system memory
  bool chroma = false;                      // that of NV12 is read, too
};

// The buffers that have come, before any of them is opened. They are there, and the same, until
// finish() of the frame's last worker.
struct Arrival {
  std::span<const InputBuffer> inputs;
  std::size_t main = 0;
  GstPad* overlay = nullptr;  // the linked pad of pictures; null: none is painted

  GstBuffer* buffer() const { return inputs[main].buffer; }
};

// The method's plan for the buffers that have come.
struct Plan {
  // The method has posted an element error: nothing is worked on.
  bool refused = false;
  // The method overwrites the inputs' samples.
  bool writes = false;
  // The number of the task's inputs that make one frame, with one result, counted once: 2 for a
  // pair.
  std::size_t inputs_of_frame = 1;
  // The input of a batch that the picture shows, from 0. A buffer that has fewer gets no picture,
  // and the user is told.
  std::size_t painted = 0;
  // The samples that count as known, of methods with the properties min-value and max-value. If
  // 65535 counts, the user is told: depth cameras may write it for unknown pixels.
  KnownRange known{1, 0};
  // Smaller samples are never known, also with a smaller min-value.
  guint least_known = 0;
  // The name of the results, "planes": the user is told if no sample can be known. Null: the method
  // says it itself.
  const char* finds = nullptr;
  // Samples that are farther, in metres, give no results. If nearly all known ones of a frame are,
  // the user is told: their unit is likely wrong. Of a method without a limit, more than depth
  // cameras see.
  double farthest = 1000.0;
  // The method's statements about the samples, and its demands on the frames' camera. If the
  // picture needs metres that no camera gives, the user gets an error. Frames whose camera was lost
  // on the way get no picture.
  CameraUse camera;
  // The camera properties, for methods that measure: in the method's own copy of the settings,
  // valid until the next plan().
  const CameraSettings* camera_settings = nullptr;
};

// One call: all frames of one buffer, or of one of each input. A buffer in NVMM memory is a batch
// of frames; all others have one.
struct Task {
  // The surfaces of all inputs, in their order, as Method::arrange() leaves them.
  std::span<const FrameSurface> inputs;
  // The results, one for Plan::inputs_of_frame inputs. The worker puts a reference there (transfer
  // full).
  std::span<GstMiniObject*> results;
  // Frames of the element's own to be written, also for the engine that works. An unwanted one has
  // its place, with neither samples nor bytes.
  std::span<const FrameSurface> outputs;
  // The buffer's number in the stream, from 0.
  guint64 frame = 0;
  // The picture to be painted: one of them has data, or none.
  RgbaView picture;
  cuda::DeviceRgbaView device_picture;
  // The input that the picture shows: Plan::painted. Any of them if nothing is painted.
  std::size_t painted = 0;
  // The camera of the painted input, in its rows and columns, for the values of results (the
  // inverse with domain=inverse). Null: there are no metres. It is the same for all inputs. Only
  // for methods that measure: see Plan::camera.
  const MetricCamera* camera = nullptr;
  // That camera is known, not guessed: see CameraUse::guesses.
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

  // Looks at the inputs.
  virtual void analyze(const Task& task) = 0;
  // Paints the picture: the input as it came, so before anything is written to it.
  virtual void paint(const Task&) {}
  // Overwrites the inputs' samples; but not where finish() will ask for the same steps once more.
  virtual void write_back(const Task&) {}
  // Waits for all of it; the results are complete on return. False: there was too little room, and
  // now there is more: the same steps once more.
  virtual bool finish(const Task&) { return true; }
};

enum class ResetReason { kFlush, kDiscontinuity, kNewCaps };

// A method at work: the settings of the frame at hand, and what is kept between frames. The
// analyser makes it on the way from READY to PAUSED and frees it on the way back. In between only
// the streaming thread uses it. New caps make no new one: see reset(). With backend=cuda another
// one is made on the way from NULL to READY, to try its GPU worker. It is freed at once, without a
// frame.
class Method {
 public:
  virtual ~Method() = default;

  // Forgets the state from previous frames. Called for each flush and each caps event, the first
  // one included, also before there was a frame.
  virtual void reset(ResetReason) noexcept {}
  // A segment with another base, or of the other direction, begins.
  virtual void jump() noexcept {}
  // A gap event came: a frame without samples.
  virtual void miss_frame() noexcept {}
  // The stream of an element with one input ends. May post messages.
  virtual void end_stream() noexcept {}
  // True if frames may go to the CPU and to the GPU by turns, to see which is faster. False if
  // state is kept on one of them.
  virtual bool engines_interchangeable() const { return true; }

  // True if a buffer of so many bytes that is no video, such as a cloud, fits the caps that
  // check_caps() has seen. False: *reason says what was expected and what came, and the user reads
  // it. May throw.
  virtual bool takes_blob(std::size_t /*bytes*/, std::string* /*reason*/) { return true; }

  // Turns the surfaces that came, of all inputs in their order, into those of the task: two views
  // of one packed surface, say. They refer to the same samples, on the host and on the device
  // wherever those are; called for one frame several times. False: they are the task's as they
  // came. Once *arranged has its size, nothing is allocated. May throw.
  virtual bool arrange(std::span<const FrameSurface>, std::vector<FrameSurface>* /*arranged*/) {
    return false;
  }
  // First call for each frame. The method copies its settings (copy_settings(), which takes the
  // element's object lock) and those of the overlay pad. It looks at metadata on the buffers, warns
  // of settings that contradict each other, and returns the plan. Everything after it sees these
  // copies. No lock is held; may post messages, and throws if the frame cannot be worked on.
  virtual Plan plan(const Arrival& arrival) = 0;

  // The engine on the CPU, which lives as long as the method.
  virtual Worker& cpu() = 0;
  // An engine on the GPU, made, used and freed in the session's context. Null: the method has none.
  virtual std::unique_ptr<Worker> new_gpu_worker(GpuSession&) { return nullptr; }

  // The GPU is not used any more: what is kept of it in results that wait for their next frame
  // goes, too.
  virtual void leave_gpu() {}

  // Brings a result that lies on the GPU to the host, where its readers want it. False: *reason
  // says why it is lost.
  virtual bool fetch(GstMiniObject*, std::string*) { return true; }
  // The number of things in the result, for stats: segments, planes.
  virtual gsize count(GstMiniObject*) { return 0; }
  // Puts the results of all inputs on the buffer that goes on, which is writable.
  virtual void attach(GstBuffer*, std::span<GstMiniObject* const>) {}
  // Puts on frames of the element's own, each of Task::outputs that was wanted, what is to be known
  // of it. After attach().
  virtual void describe_output(std::size_t /*which*/, GstBuffer*) {}
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_METHOD_H_
