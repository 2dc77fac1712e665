// SPDX-License-Identifier: LGPL-2.1-or-later
// The work on one buffer. It walks one way: frame mapper → worker → results → metadata and picture.
#include <chrono>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "gst/elements/base/buffer_metas.h"
#include "gst/elements/base/gstrdpanalyzer-private.h"
#include "gst/memory/nvmm_host.h"
#include "gst/memory/nvmm_library.h"
#ifdef RDP_HAVE_CUDA
#include "gst/cuda/gpu_session.h"
#endif

using Clock = std::chrono::steady_clock;
using rdp::GpuError;
using rdp::gst::Access;
using rdp::gst::BackendTrial;
using rdp::gst::MemoryKind;
using rdp::gst::Method;
using rdp::gst::NvmmSurface;
using rdp::gst::Task;
using rdp::gst::Worker;

namespace {

// One buffer on its way through an engine.
struct Work {
  GstBuffer* buffer;
  GstRdpPicturePad* overlay;  // or null
  GstRdpAnalyzerOutcome* outcome;
  // What stats count: on the CPU without the picture.
  Clock::duration time{};
  // With it: what the engines compete in.
  Clock::duration time_with_picture{};
  bool on_gpu = false;
  rdp::gst::CameraSettings camera{};
};

// Unmaps and lets go at the end of a scope, also where mapping has thrown half way.
template <typename Function>
class AtEnd {
 public:
  explicit AtEnd(Function end) : end_(std::move(end)) {}
  ~AtEnd() { end_(); }
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;

 private:
  Function end_;
};

void drop_results(GstRdpAnalyzerSession& session) {
  for (GstMiniObject* result : session.results) {
    if (result != nullptr) gst_mini_object_unref(result);
  }
  session.results.clear();
}

// What is mapped for one run of an engine, and all that is. A frame of the element's own stays open
// for the next engine.
void unmap_run(GstRdpAnalyzerSession& session) {
  session.picture.unmap();
  session.input.close();
}

void unmap_all(GstRdpAnalyzerSession& session) {
  unmap_run(session);
  session.output.close();
}

// The steps of a worker, in the order that all of them have: the picture shows the frame as it
// came, so it is painted before samples are overwritten.
void run_steps(Worker& worker, const Task& task, bool writes, Work* work) {
  const bool paints = task.picture.data != nullptr || task.device_picture.data != 0;
  const Clock::time_point start = Clock::now();
  Clock::duration painting{};
  do {
    worker.analyze(task);
    if (paints) {
      const Clock::time_point before = Clock::now();
      worker.paint(task);
      painting += Clock::now() - before;
    }
    if (writes) worker.write_back(task);
  } while (!worker.finish(task));
  work->time_with_picture = Clock::now() - start;
  // On the GPU the steps are only started one by one.
  work->time = work->on_gpu ? work->time_with_picture : work->time_with_picture - painting;
}

}  // namespace

// --- who works ----------------------------------------------------------------------------------

static bool gst_rdp_analyzer_refuse_caps(GstRdpAnalyzer* self, const GstCaps* caps,
                                         const char* reason) {
  GST_ELEMENT_ERROR(
      self, RESOURCE, NOT_FOUND, ("The GPU engine cannot be started: %s.", reason),
      ("cuda-device-id=%d, for %" GST_PTR_FORMAT, self->priv->session->cuda_device_id, caps));
  return false;
}

bool gst_rdp_analyzer_choose_backend(GstRdpAnalyzer* self, const GstCaps* caps) {
  using Gpu = rdp::gst::BackendChoice::Gpu;
  GstRdpAnalyzerSession& session = *self->priv->session;
  rdp::gst::GpuProvider& gpu = self->priv->gpu;
  session.memory = rdp::gst::memory_kind(caps);
  const bool interchangeable = session.method->engines_interchangeable();
  const Gpu need = session.choice.needs(session.memory, interchangeable);
  bool there = false;
  std::string missing;
  if (need != Gpu::kNone && need != Gpu::kStarted) {
    there = rdp::gst::GpuProvider::device_exists(session.cuda_device_id, &missing);
    if (!there && need == Gpu::kFound) {
      return gst_rdp_analyzer_refuse_caps(self, caps, missing.c_str());
    }
    if (!there) GST_INFO_OBJECT(self, "the CPU works: %s", missing.c_str());
  }
  if (need == Gpu::kStarted || (need == Gpu::kWanted && there)) {
    try {
      gpu.start(session.cuda_device_id);
      gst_rdp_analyzer_prepare_gpu(self, *session.method, session.cuda_device_id);
      there = true;
    } catch (const std::exception& error) {
      if (need == Gpu::kStarted) return gst_rdp_analyzer_refuse_caps(self, caps, error.what());
      GST_WARNING_OBJECT(self, "the CPU works, as the GPU cannot: %s", error.what());
      session.choice.give_up_gpu();
      gpu.stop();
    }
  }
  session.choice.begin(session.memory, there, interchangeable);
  return true;
}

// --- errors -------------------------------------------------------------------------------------

static GstFlowReturn gst_rdp_analyzer_refuse(GstRdpAnalyzer* self, const Work& work,
                                             const char* reason) {
  GST_ELEMENT_ERROR(
      self, STREAM, FORMAT, ("A frame cannot be read: %s.", reason),
      ("frame %" G_GUINT64_FORMAT " at %" GST_TIME_FORMAT ": %" GST_PTR_FORMAT,
       self->priv->session->frame, GST_TIME_ARGS(GST_BUFFER_PTS(work.buffer)), work.buffer));
  return GST_FLOW_ERROR;
}

static GstFlowReturn gst_rdp_analyzer_fail(GstRdpAnalyzer* self, GstBuffer* buffer,
                                           GstResourceError code, const char* what,
                                           const char* reason) {
  const GstVideoInfo& info = self->priv->session->info;
  // GST_ELEMENT_ERROR() needs a code that is known when it is compiled.
  gst_element_message_full(
      GST_ELEMENT(self), GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, code, g_strdup(what),
      g_strdup_printf("frame %" G_GUINT64_FORMAT ", %dx%d, at %" GST_TIME_FORMAT ": %s",
                      self->priv->session->frame, GST_VIDEO_INFO_WIDTH(&info),
                      GST_VIDEO_INFO_HEIGHT(&info), GST_TIME_ARGS(GST_BUFFER_PTS(buffer)), reason),
      __FILE__, GST_FUNCTION, __LINE__);
  return GST_FLOW_ERROR;
}

// Why the CPU has to leave a surface to the GPU.
static std::string gst_rdp_analyzer_explain_surface(GstRdpAnalyzer* self,
                                                    const NvmmSurface& surface) {
  const GstRdpAnalyzerSession& session = *self->priv->session;
  std::string text = std::string("it is in ") + rdp::gst::nvmm_type_name(surface.type) +
                     ", which the CPU cannot read";
  std::string missing;
  if (surface.type == rdp::gst::nvmm::MemType::kSurfaceArray &&
      rdp::gst::nvmm::library(&missing) == nullptr) {
    return text + ": " + missing;
  }
  if (session.choice.wanted() == GST_RDP_BACKEND_CPU) {
    return text + ", and backend is cpu: use backend=auto or backend=cuda";
  }
  rdp::gst::GpuProvider::device_exists(session.cuda_device_id, &missing);
  return text + ", and " + missing;
}

// --- the picture --------------------------------------------------------------------------------

// Whether the buffer has the input that the picture is to show. Another one in its place would look
// like that one. Batches of live sources may lack one now and then, so that the user is told once.
static bool gst_rdp_analyzer_has_painted_input(GstRdpAnalyzer* self, const Work& work) {
  GstRdpAnalyzerSession& session = *self->priv->session;
  const std::size_t wanted = session.method->painted_input();
  const std::size_t there = session.input.surfaces().size();
  if (wanted < there) return true;
  if (session.missing_input != wanted) {
    session.missing_input = wanted;
    g_autofree gchar* pad = gst_object_get_name(GST_OBJECT(work.overlay));
    GST_ELEMENT_WARNING(self, LIBRARY, SETTINGS,
                        ("The pad %s is to show surface %" G_GSIZE_FORMAT
                         " of each batch, but a batch has %" G_GSIZE_FORMAT
                         ", numbered from 0: there is no picture of it.",
                         pad, wanted, there),
                        ("frame %" G_GUINT64_FORMAT " at %" GST_TIME_FORMAT
                         "; the largest number that there is: %" G_GSIZE_FORMAT,
                         session.frame, GST_TIME_ARGS(GST_BUFFER_PTS(work.buffer)), there - 1));
  }
  return false;
}

// A buffer for the picture of this frame, which the outcome owns; false where there is none.
static bool gst_rdp_analyzer_acquire_picture(GstRdpAnalyzer* self, Work& work) {
  if (work.overlay == nullptr) return false;
  GstRdpAnalyzerSession& session = *self->priv->session;
  GstRdpAnalyzerOutcome& outcome = *work.outcome;
  // The device's own memory only where the engine is in the context that such memory belongs to.
  const bool nvmm = session.memory == MemoryKind::kNvmm;
  const bool in_device = nvmm && work.on_gpu;
  const int device = in_device ? session.input.nvmm()[0].working_device(session.cuda_device_id) : 0;
  gst_rdp_picture_pad_set_nvmm(work.overlay, static_cast<guint>(device), !in_device, nvmm);
  const GstSegment& segment = session.segment;
  const GstClockTime running_time =
      segment.format == GST_FORMAT_TIME && GST_BUFFER_PTS_IS_VALID(work.buffer)
          ? gst_segment_to_running_time(&segment, GST_FORMAT_TIME, GST_BUFFER_PTS(work.buffer))
          : GST_CLOCK_TIME_NONE;
  gboolean gap;
  if (!gst_rdp_picture_pad_wants(work.overlay, running_time, &gap)) {
    outcome.gap = gap;
    return false;
  }
  if (!gst_rdp_analyzer_has_painted_input(self, work) ||
      !gst_rdp_analyzer_has_metres(self, &outcome.picture_flow)) {
    outcome.gap = true;
    return false;
  }
  outcome.picture =
      gst_rdp_extra_pad_acquire(GST_RDP_EXTRA_PAD(work.overlay), &outcome.picture_flow);
  if (outcome.picture == nullptr) {
    outcome.gap = outcome.picture_flow == GST_FLOW_OK;  // dropped
    return false;
  }
  rdp::gst::describe_picture(outcome.picture, work.buffer);
  return true;
}

static void gst_rdp_analyzer_drop_picture(GstRdpAnalyzer* self, Work& work, const char* reason) {
  GST_ELEMENT_ERROR(self, RESOURCE, WRITE, ("The overlay's picture cannot be written."),
                    ("%" GST_PTR_FORMAT ": %s", work.outcome->picture, reason));
  self->priv->session->picture.unmap();  // what was mapped of it
  gst_clear_buffer(&work.outcome->picture);
  work.outcome->picture_flow = GST_FLOW_ERROR;
}

// --- the engines --------------------------------------------------------------------------------

static Access gst_rdp_analyzer_access(const GstRdpAnalyzerSession& session) {
  return session.method->writes() ? Access::kReadWrite : Access::kRead;
}

// Opens the input, and finds its camera. False: it was refused.
static bool gst_rdp_analyzer_open(GstRdpAnalyzer* self, const Work& work) {
  GstRdpAnalyzerSession& session = *self->priv->session;
  const Access access = gst_rdp_analyzer_access(session);
  std::string reason;
  const bool open = session.is_video ? session.input.open(work.buffer, session.info, session.memory,
                                                          access, &reason)
                                     : session.input.open_blob(work.buffer, access, &reason);
  if (!open) {
    gst_rdp_analyzer_refuse(self, work, reason.c_str());
    return false;
  }
  gst_rdp_analyzer_find_camera(self, work.buffer, work.camera);
  return true;
}

// The task for the input, with a place for each result.
static Task gst_rdp_analyzer_make_task(GstRdpAnalyzerSession& session) {
  drop_results(session);
  session.results.assign(session.input.surfaces().size(), nullptr);
  Task task;
  task.inputs = session.input.surfaces();
  task.results = session.results;
  task.outputs = session.output.surfaces();
  task.frame = session.frame;
  const std::size_t painted = session.method->painted_input();
  if (painted < task.inputs.size()) task.painted = painted;
  task.camera = session.camera.metric();
  task.meaning = session.camera.meaning();
  return task;
}

// The input is open. May throw std::bad_alloc.
static GstFlowReturn gst_rdp_analyzer_work_on_cpu(GstRdpAnalyzer* self, Work& work) {
  GstRdpAnalyzerSession& session = *self->priv->session;
  work.on_gpu = false;
  std::string reason;
  bool readable = session.input.host_reaches();
  if (!readable) {
    reason = "it is in CUDA memory";
    for (const NvmmSurface& surface : session.input.nvmm()) {
      if (rdp::gst::nvmm_host_readable(surface.type)) continue;
      reason = gst_rdp_analyzer_explain_surface(self, surface);
      break;
    }
  }
  readable = readable && session.input.map_host(&reason);
  if (!readable) return gst_rdp_analyzer_refuse(self, work, reason.c_str());
  if (work.outcome->output != nullptr && !session.output.map_host(&reason)) {
    return gst_rdp_analyzer_refuse(self, work, reason.c_str());
  }
  Task task = gst_rdp_analyzer_make_task(session);
  if (gst_rdp_analyzer_acquire_picture(self, work)) {
    if (session.picture.map_host(work.outcome->picture, *gst_rdp_picture_pad_get_info(work.overlay),
                                 gst_rdp_picture_pad_get_memory(work.overlay), &reason)) {
      task.picture = session.picture.host();
    } else {
      gst_rdp_analyzer_drop_picture(self, work, reason.c_str());
    }
  }
  run_steps(session.method->cpu(), task, session.method->writes(), &work);
  return GST_FLOW_OK;
}

#ifdef RDP_HAVE_CUDA
namespace {

// The worker of a method in a session.
struct WorkerState final : rdp::gst::GpuSessionState {
  explicit WorkerState(std::unique_ptr<Worker> of_method) : worker(std::move(of_method)) {}
  std::unique_ptr<Worker> worker;
};

// In the session's context.
Worker& worker_in(rdp::gst::GpuSession& gpu, Method& method) {
  if (gpu.state() == nullptr) {
    std::unique_ptr<Worker> worker = method.new_gpu_worker(gpu);
    if (worker == nullptr) throw GpuError("this element has no engine on the GPU");
    gpu.state() = std::make_unique<WorkerState>(std::move(worker));
  }
  return *static_cast<WorkerState&>(*gpu.state()).worker;
}

}  // namespace

void gst_rdp_analyzer_prepare_gpu(GstRdpAnalyzer* self, Method& method, int device_id) {
  std::string reason;
  rdp::gst::GpuSession* gpu = self->priv->gpu.session_for({}, device_id, &reason);
  gpu->in_context([&] { worker_in(*gpu, method); });
}

// In the session's context; inputs are mapped. A picture that was acquired stays with the outcome.
static GstFlowReturn gst_rdp_analyzer_run_on_gpu(GstRdpAnalyzer* self, Work& work,
                                                 rdp::gst::GpuSession& gpu) {
  GstRdpAnalyzerSession& session = *self->priv->session;
  std::string reason;
  if (work.overlay != nullptr) {
    // The frame may have brought another context.
    gst_rdp_picture_pad_set_context(work.overlay, self->priv->gpu.context());
    if (gst_rdp_analyzer_acquire_picture(self, work) &&
        !session.picture.map_device(work.outcome->picture,
                                    *gst_rdp_picture_pad_get_info(work.overlay),
                                    gst_rdp_picture_pad_get_memory(work.overlay), gpu.handle(),
                                    gpu.context()->keeper(), &reason)) {
      gst_rdp_analyzer_drop_picture(self, work, reason.c_str());
    }
    // An error has been posted, and what took the picture's memory may have taken more.
    if (work.outcome->picture_flow == GST_FLOW_ERROR) return GST_FLOW_ERROR;
  }
  const Clock::time_point start = Clock::now();
  Worker& worker = worker_in(gpu, *session.method);
  Task task = gst_rdp_analyzer_make_task(session);
  task.inputs = gpu.bring(session.input.surfaces());
  task.outputs = gpu.make_room(session.output.surfaces());
  // A picture for the host is painted here as well: the samples and the results are here.
  const rdp::RgbaView& host_picture = session.picture.host();
  task.device_picture =
      host_picture.data != nullptr ? gpu.picture_for(host_picture) : session.picture.device();
  run_steps(worker, task, session.method->writes(), &work);
  if (session.method->writes()) gpu.take_back(task.inputs);
  gpu.take_back(task.outputs);
  if (host_picture.data != nullptr) gpu.deliver(task.device_picture, host_picture);
  work.time = work.time_with_picture = Clock::now() - start;
  return GST_FLOW_OK;
}

// The input is open. May throw GpuError and std::bad_alloc.
static GstFlowReturn gst_rdp_analyzer_work_on_gpu(GstRdpAnalyzer* self, Work& work) {
  GstRdpAnalyzerSession& session = *self->priv->session;
  work.on_gpu = true;
  std::string reason;
  rdp::gst::FrameContext wanted;
  const rdp::gst::FrameMapper* const frames[] = {&session.input};
  rdp::gst::GpuSession* gpu = nullptr;
  if (rdp::gst::find_shared_context(frames, session.cuda_device_id, &wanted, &reason)) {
    gpu = self->priv->gpu.session_for(wanted, session.cuda_device_id, &reason);
  }
  if (gpu == nullptr) return gst_rdp_analyzer_refuse(self, work, reason.c_str());
  GstFlowReturn flow = GST_FLOW_OK;
  gpu->in_context([&] {
    const auto map = [&](rdp::gst::FrameMapper& frame) {
      return frame.map_device(gpu->handle(), gpu->context()->keeper(), &reason);
    };
    const bool mapped =
        map(session.input) && (work.outcome->output == nullptr || map(session.output));
    flow = mapped ? gst_rdp_analyzer_run_on_gpu(self, work, *gpu)
                  : gst_rdp_analyzer_refuse(self, work, reason.c_str());
  });
  return flow;
}
#else
void gst_rdp_analyzer_prepare_gpu(GstRdpAnalyzer*, Method&, int) {}

static GstFlowReturn gst_rdp_analyzer_work_on_gpu(GstRdpAnalyzer*, Work&) {
  throw GpuError("this rdpsegment was built without CUDA");
}
#endif

// --- the trial ----------------------------------------------------------------------------------

// The frame as it was, should the GPU fail while it writes into it.
static std::vector<guint8> gst_rdp_analyzer_save(const GstRdpAnalyzerSession& session,
                                                 GstBuffer* buffer) {
  std::vector<guint8> bytes;
  if (!session.method->writes()) return bytes;
  bytes.resize(gst_buffer_get_size(buffer));
  gst_buffer_extract(buffer, 0, bytes.data(), bytes.size());
  return bytes;
}

// The GPU's turn in the trial. Whoever reads the results gets them from there, which belongs to the
// time it takes.
static GstFlowReturn gst_rdp_analyzer_try_gpu(GstRdpAnalyzer* self, Work& work) {
  GstRdpAnalyzerSession& session = *self->priv->session;
  const std::vector<guint8> saved = gst_rdp_analyzer_save(session, work.buffer);
  try {
    const GstFlowReturn flow = gst_rdp_analyzer_open(self, work)
                                   ? gst_rdp_analyzer_work_on_gpu(self, work)
                                   : GST_FLOW_ERROR;
    const Clock::time_point start = Clock::now();
    for (GstMiniObject* result : session.results) {
      std::string reason;
      if (result != nullptr && !session.method->fetch(result, &reason)) throw GpuError(reason);
    }
    work.time_with_picture += Clock::now() - start;
    return flow;
  } catch (const GpuError& error) {
    GST_ELEMENT_WARNING(self, RESOURCE, FAILED,
                        ("The GPU failed while it was tried; the CPU goes on."),
                        ("frame %" G_GUINT64_FORMAT " at %" GST_TIME_FORMAT ": %s", session.frame,
                         GST_TIME_ARGS(GST_BUFFER_PTS(work.buffer)), error.what()));
  }
  session.choice.give_up_gpu();
  drop_results(session);
  unmap_run(session);
  self->priv->gpu.forget();
  gst_clear_buffer(&work.outcome->picture);
  // The context may be lost, and with it what pictures in CUDA memory lie in: once more where.
  if (work.overlay != nullptr) {
    gst_rdp_picture_pad_set_context(work.overlay, nullptr);
    gst_pad_mark_reconfigure(GST_PAD(work.overlay));
  }
  if (!saved.empty()) gst_buffer_fill(work.buffer, 0, saved.data(), saved.size());
  return gst_rdp_analyzer_open(self, work) ? gst_rdp_analyzer_work_on_cpu(self, work)
                                           : GST_FLOW_ERROR;
}

// All memory on the GPU is given back.
static void gst_rdp_analyzer_leave_gpu(GstRdpAnalyzer* self) {
  self->priv->session->method->leave_gpu();
  self->priv->gpu.stop();
}

static GstFlowReturn gst_rdp_analyzer_run_trial(GstRdpAnalyzer* self, Work& work) {
  using Microseconds = std::chrono::duration<double, std::micro>;
  GstRdpAnalyzerSession& session = *self->priv->session;
  rdp::gst::BackendChoice& choice = session.choice;
  GstFlowReturn flow = GST_FLOW_ERROR;
  if (choice.next(false) == BackendTrial::Engine::kGpu) {
    flow = gst_rdp_analyzer_try_gpu(self, work);
    if (!choice.on_trial()) {  // given up
      gst_rdp_analyzer_leave_gpu(self);
      return flow;
    }
  } else if (gst_rdp_analyzer_open(self, work)) {
    flow = gst_rdp_analyzer_work_on_cpu(self, work);
  }
  if (flow != GST_FLOW_OK ||
      !choice.record(std::chrono::duration_cast<BackendTrial::Duration>(work.time_with_picture))) {
    return flow;
  }
  const bool gpu = choice.next(false) == BackendTrial::Engine::kGpu;
  GST_INFO_OBJECT(self, "the %s works from now on; us a frame on the CPU: %.0f, on the GPU: %.0f",
                  gpu ? "GPU" : "CPU",
                  Microseconds(choice.trial().median(BackendTrial::Engine::kCpu)).count(),
                  Microseconds(choice.trial().median(BackendTrial::Engine::kGpu)).count());
  if (!gpu) gst_rdp_analyzer_leave_gpu(self);
  return flow;
}

static GstFlowReturn gst_rdp_analyzer_run_engine(GstRdpAnalyzer* self, Work& work) {
  GstRdpAnalyzerSession& session = *self->priv->session;
  if (session.choice.on_trial()) return gst_rdp_analyzer_run_trial(self, work);
  if (!gst_rdp_analyzer_open(self, work)) return GST_FLOW_ERROR;
  return session.choice.next(session.input.device_reaches()) == BackendTrial::Engine::kGpu
             ? gst_rdp_analyzer_work_on_gpu(self, work)
             : gst_rdp_analyzer_work_on_cpu(self, work);
}

// --- the buffer ---------------------------------------------------------------------------------

static void gst_rdp_analyzer_take_settings(GstRdpAnalyzer* self, Work& work) {
  GstRdpAnalyzerSession& session = *self->priv->session;
  const GstSegment& segment = session.segment;
  if (segment.format == GST_FORMAT_TIME && GST_BUFFER_PTS_IS_VALID(work.buffer)) {
    const GstClockTime stream_time =
        gst_segment_to_stream_time(&segment, GST_FORMAT_TIME, GST_BUFFER_PTS(work.buffer));
    if (GST_CLOCK_TIME_IS_VALID(stream_time)) {
      gst_object_sync_values(GST_OBJECT(self), stream_time);
    }
  }
  GST_OBJECT_LOCK(self);
  session.method->take_settings();
  work.camera = self->priv->settings->camera;
  GST_OBJECT_UNLOCK(self);
  if (work.overlay != nullptr) session.method->take_picture_settings(GST_PAD(work.overlay));
  session.method->prepare();
}

static void gst_rdp_analyzer_count(GstRdpAnalyzer* self, const Work& work) {
  GstRdpAnalyzerSession& session = *self->priv->session;
  const GstVideoInfo& info = session.info;
  const auto time = static_cast<GstClockTime>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(work.time).count());
  const guint64 frames = session.results.size();
  guint64 items = 0;
  for (GstMiniObject* result : session.results) {
    if (result != nullptr) items += session.method->count(result);
  }
  GST_OBJECT_LOCK(self);
  rdp::gst::AnalyzerStats& stats = self->priv->stats;
  stats.frames += frames;
  stats.items += items;
  stats.pixels += frames * static_cast<guint64>(GST_VIDEO_INFO_WIDTH(&info)) *
                  static_cast<guint64>(GST_VIDEO_INFO_HEIGHT(&info));
  stats.last_time = frames == 0 ? time : time / frames;
  stats.total_time += time;
  stats.on_gpu = work.on_gpu;
  GST_OBJECT_UNLOCK(self);
}

GstFlowReturn gst_rdp_analyzer_work(GstRdpAnalyzer* self, GstRdpPicturePad* overlay,
                                    GstBuffer* buffer, GstRdpAnalyzerOutcome* outcome) {
  GstRdpAnalyzerSession& session = *self->priv->session;
  const GstRdpAnalyzerClass* klass = GST_RDP_ANALYZER_GET_CLASS(self);
  const AtEnd end([&session] {
    unmap_all(session);
    drop_results(session);
  });
  Work work{buffer, overlay, outcome};
  // The one place where exceptions of an engine end.
  try {
    gst_rdp_analyzer_take_settings(self, work);
    const GstFlowReturn flow = gst_rdp_analyzer_run_engine(self, work);
    if (flow != GST_FLOW_OK) return flow;
    unmap_all(session);
    gst_rdp_analyzer_count(self, work);
    GstBuffer* to = outcome->output != nullptr ? outcome->output : buffer;
    gst_rdp_analyzer_attach_camera(self, *outcome, buffer);
    session.method->attach(to, session.results);  // which may look at the camera
  } catch (const GpuError& error) {
    self->priv->gpu.forget();
    return gst_rdp_analyzer_fail(self, buffer, GST_RESOURCE_ERROR_FAILED, "The GPU engine failed.",
                                 error.what());
  } catch (const std::bad_alloc& error) {
    g_autofree gchar* what = g_strdup_printf("Not enough memory to %s a frame.", klass->verb);
    return gst_rdp_analyzer_fail(self, buffer, GST_RESOURCE_ERROR_NO_SPACE_LEFT, what,
                                 error.what());
  } catch (const std::exception& error) {
    g_autofree gchar* what = g_strdup_printf("A frame could not be %s.", klass->participle);
    return gst_rdp_analyzer_fail(self, buffer, GST_RESOURCE_ERROR_FAILED, what, error.what());
  }
  session.frame++;
  return GST_FLOW_OK;
}
