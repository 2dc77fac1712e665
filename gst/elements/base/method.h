// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_METHOD_H_
#define RDP_GST_ELEMENTS_BASE_METHOD_H_

#include <gst/gst.h>

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "common/image/camera.h"
#include "common/image/rgba_view.h"
#include "gst/elements/base/camera_use.h"
#include "gst/memory/frame_mapper.h"
#include "kernels/runtime/device_view.h"

// What an analysing element does, as FrameWork sees it, which has the memory, the contexts, the
// choice of engine and the one place where exceptions end; a method has the mathematics. The
// analyser is whoever uses FrameWork: GstRdpAnalyzer, or an element with several inputs.
namespace rdp::gst {

class GpuSession;

// There is no memory for a piece of work that says how much it needs. What what() says of it is for
// the user: what was wanted, and what needs less.
class NoMemoryForWork : public std::bad_alloc {};

// One call: all frames of one buffer, or of one of each input. A buffer in NVMM memory is a batch
// of frames; all others have one.
struct Task {
  // The frames, for the side that works: mapped for the host on the CPU, for the device on the GPU.
  // Those of all inputs, in their order, as Method::arrange() leaves them.
  std::span<const FrameSurface> inputs;
  // What comes of them, Method::frames() of them: the worker puts a reference there, which the
  // analyser takes.
  std::span<GstMiniObject*> results;
  // Where the element sends frames of its own: those to be written, for the side that works, too.
  std::span<const FrameSurface> outputs;
  // Which buffer of the stream it is, from 0.
  guint64 frame = 0;
  // The picture to be painted: one of them has data, or none.
  RgbaView picture;
  cuda::DeviceRgbaView device_picture;
  // Which input it shows: Method::painted_input(). Where nothing is painted, it is any of them.
  std::size_t painted = 0;
  // The camera of the input that is painted, in its rows and columns, for the values of results (so
  // with domain=inverse for the inverse); null: there are no metres. It is the same for all inputs.
  // Only for methods that measure: see camera_use().
  const MetricCamera* camera = nullptr;
  // Whether that camera is known, and no guess: see CameraUse::guesses.
  bool calibrated = false;
  // The camera as metadata describes it, with its pose; null: nobody has said one.
  GstRdpCamera* described = nullptr;
  // What the samples of the inputs measure, also where there is no camera.
  SampleMeaning meaning;
};

// One engine of a method. The analyser calls analyze(), paint() where there is a picture to paint,
// write_back() where the method writes to its input, and finish(), in this order, in the streaming
// thread. Works on one task at a time. Throws GpuError and std::bad_alloc.
//
// On a GPU all of them are called with the session's context current. They start work on the
// session's stream and need not wait for it; finish() does.
class Worker {
 public:
  virtual ~Worker() = default;

  // Looks at the inputs.
  virtual void analyze(const Task& task) = 0;
  // Paints the picture: the input as it came, so before anything is written to it.
  virtual void paint(const Task& task) = 0;
  // Overwrites the inputs' samples; but not where finish() will ask for the same steps once more.
  virtual void write_back(const Task&) {}
  // Waits for all of it; the results are complete on return. False: there was too little room, and
  // now there is more: the same steps once more.
  virtual bool finish(const Task&) { return true; }
};

enum class ResetReason { kFlush, kDiscontinuity, kNewCaps };

// A method at work: the settings of the frame at hand, and what is kept between frames. The
// analyser makes it on the way from READY to PAUSED, after that uses it in the streaming thread
// only, and frees it on the way back. New caps make no new one: see reset(). With backend=cuda
// another one is made on the way from NULL to READY, to try its GPU worker, and is freed at once
// without having seen a frame.
class Method {
 public:
  virtual ~Method() = default;

  // Forgets what a method with state knows of the frames before, also where there have been none:
  // each flush and each caps event comes here, the first one included.
  virtual void reset(ResetReason) noexcept {}
  // Whether frames may go to the CPU and to the GPU by turns, to see which is faster. Not where
  // state is kept on one of them.
  virtual bool engines_interchangeable() const { return true; }

  // Whether a buffer of so many bytes that is no video, such as a cloud, is one of the caps that
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
  // How many frames, each with a result of its own, the inputs of a task are: so many results have
  // a place, and so many frames are counted. 1 for a pair.
  virtual std::size_t frames(std::size_t inputs) const { return inputs; }

  // Copies the element's settings for the next frame. The element's object lock is held.
  virtual void take_settings() = 0;
  // The same for the picture's, of the linked pad. No lock is held.
  virtual void take_picture_settings(GstPad*) {}
  // Which input of a batch the picture shows, from 0. A buffer that has fewer gets no picture, and
  // the user is told.
  virtual std::size_t painted_input() const { return 0; }
  // What the method says of the samples, and wants of the frames' camera, with these settings.
  // Where it wants metres for the picture and there is no camera that gives them, the user gets an
  // error; of frames whose camera was lost on the way there is no picture.
  virtual CameraUse camera_use() const { return {}; }
  // Looks at the main input's buffer, for methods that use what elements before them have put on
  // it. It is there, and the same, until finish() of the frame's last worker. Called once a frame
  // or more often.
  virtual void take_buffer(GstBuffer*) {}
  // What is to be said or done before a frame with these settings: warnings, threads. May post
  // messages.
  virtual void prepare() {}
  // Whether the largest sample of 16 bits counts as known. Of depth that is a mistake where the
  // camera writes 65535 for what it does not know, and the user is told.
  virtual bool knows_largest_sample() const { return false; }
  // Whether the frame's samples are to be overwritten.
  virtual bool writes() const { return false; }

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
  // How many things the result has, for stats: segments, planes.
  virtual gsize count(GstMiniObject* result) = 0;
  // Puts the results of all inputs on the buffer that goes on, which is writable.
  virtual void attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_METHOD_H_
