// SPDX-License-Identifier: LGPL-2.1-or-later
// The work of rdpsegment on one frame. It walks one way: memory adapter → engine → segmentation →
// meta and picture.
#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "gst/elements/base/buffer_metas.h"
#include "gst/elements/rdpsegment/gstrdpsegment-private.h"
#include "gst/memory/nvmm_host.h"
#include "gst/memory/nvmm_library.h"
#include "gst/memory/system_memory.h"
#include "gst/rdpsegment/rdpsegment.h"

#define GST_CAT_DEFAULT gst_rdp_segment_debug

using Clock = std::chrono::steady_clock;
using rdp::gst::BackendTrial;
using rdp::gst::GpuError;
using rdp::gst::MemoryKind;
using rdp::gst::NvmmSurface;

namespace {

// One frame on its way through an engine.
struct Frame {
  GstRdpSegmentSettings settings;
  GstBuffer* buffer;
  GstRdpSegmentOverlayPad* overlay;  // or null
  GstRdpSegmentPicture* picture;
  GstRdpSegmentation* segmentation = nullptr;  // to be filled
  const NvmmSurface* surface = nullptr;        // of a buffer in NVMM memory, which is mapped
  // What stats count: filters, segmentation and reconstruction; on the GPU everything.
  Clock::duration time{};
  // The same with the picture: what the engines compete in.
  Clock::duration time_with_picture{};
  bool on_gpu = false;

  bool reconstruct() const { return settings.output == GST_RDP_OUTPUT_RECONSTRUCT; }
};

// Unmaps what is mapped in a scope at its end, also where mapping it has thrown half way.
template <typename Memory>
class Mapped {
 public:
  explicit Mapped(Memory* memory) : memory_(memory) {}
  ~Mapped() { memory_->unmap(); }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

 private:
  Memory* memory_;
};

// The segmentations of a buffer until they are on it.
class Segmentations {
 public:
  explicit Segmentations(std::vector<GstRdpSegmentation*>* list) : list_(list) {}
  ~Segmentations() {
    for (GstRdpSegmentation* segmentation : *list_) gst_rdp_segmentation_unref(segmentation);
    list_->clear();
  }
  Segmentations(const Segmentations&) = delete;
  Segmentations& operator=(const Segmentations&) = delete;

 private:
  std::vector<GstRdpSegmentation*>* list_;
};

}  // namespace

// --- who works ----------------------------------------------------------------------------------

// With backend=auto frames in system memory go where it is faster, if there is a choice.
static GstRdpSegmentRoute gst_rdp_segment_element_route_of_auto(GstRdpSegmentElement* self) {
  GstRdpSegmentSession& session = *self->session;
  std::string missing;
  if (session.gpu_failed) return GstRdpSegmentRoute::kCpu;
  if (!rdp::gst::GpuBackend::device_exists(session.cuda_device_id, &missing)) {
    GST_INFO_OBJECT(self, "the CPU works: %s", missing.c_str());
    return GstRdpSegmentRoute::kCpu;
  }
  try {
    self->gpu->start(session.cuda_device_id);
  } catch (const std::exception& error) {
    GST_WARNING_OBJECT(self, "the CPU works, as the GPU cannot: %s", error.what());
    session.gpu_failed = true;
    return GstRdpSegmentRoute::kCpu;
  }
  session.trial = BackendTrial();
  return GstRdpSegmentRoute::kTrial;
}

// Only a frame says where in NVMM memory it is, so the engine is started with the first one that
// needs it.
static bool gst_rdp_segment_element_choose_nvmm_route(GstRdpSegmentElement* self,
                                                      const GstCaps* caps) {
  GstRdpSegmentSession& session = *self->session;
  session.route = GstRdpSegmentRoute::kCpu;
  if (session.backend == GST_RDP_BACKEND_CPU) return true;
  std::string missing;
  if (rdp::gst::GpuBackend::device_exists(session.cuda_device_id, &missing)) {
    session.route = GstRdpSegmentRoute::kGpu;
  } else if (session.backend == GST_RDP_BACKEND_CUDA) {
    GST_ELEMENT_ERROR(self, RESOURCE, NOT_FOUND,
                      ("The GPU engine cannot be started: %s.", missing.c_str()),
                      ("cuda-device-id=%d, for %" GST_PTR_FORMAT, session.cuda_device_id, caps));
    return false;
  } else {
    GST_INFO_OBJECT(self, "only NVMM memory that the CPU can read: %s", missing.c_str());
  }
  return true;
}

bool gst_rdp_segment_element_choose_route(GstRdpSegmentElement* self, const GstCaps* caps) {
  GstRdpSegmentSession& session = *self->session;
  session.memory = rdp::gst::memory_kind(caps);
  if (session.memory == MemoryKind::kNvmm) {
    return gst_rdp_segment_element_choose_nvmm_route(self, caps);
  }
  if (session.memory == MemoryKind::kCuda || session.backend == GST_RDP_BACKEND_CUDA) {
    session.route = GstRdpSegmentRoute::kGpu;
  } else if (session.backend == GST_RDP_BACKEND_CPU) {
    session.route = GstRdpSegmentRoute::kCpu;
  } else {
    session.route = gst_rdp_segment_element_route_of_auto(self);
  }
  if (session.route != GstRdpSegmentRoute::kGpu) return true;
  try {
    self->gpu->start(session.cuda_device_id);
    return true;
  } catch (const std::exception& error) {
    GST_ELEMENT_ERROR(self, RESOURCE, NOT_FOUND,
                      ("The GPU engine cannot be started: %s.", error.what()),
                      ("cuda-device-id=%d, for %" GST_PTR_FORMAT, session.cuda_device_id, caps));
    return false;
  }
}

void gst_rdp_segment_element_set_threads(GstRdpSegmentElement* self, GstRdpSegmentSession& session,
                                         guint threads) {
  session.threads = threads;  // also where it fails: not once more for every frame
  try {
    session.engine.set_threads(threads);
  } catch (const std::system_error& error) {
    GST_ELEMENT_WARNING(self, RESOURCE, FAILED,
                        ("There are fewer threads than wanted; the work takes longer."),
                        ("threads=%u, of which the system gave %u: %s", threads,
                         session.engine.threads(), error.what()));
  }
}

GstObject* gst_rdp_segment_element_picture_context(GstRdpSegmentElement* self) {
  // While two engines take turns, the pictures stay where both can paint them.
  const bool always_gpu =
      self->session != nullptr && self->session->route == GstRdpSegmentRoute::kGpu;
  return always_gpu ? self->gpu->context() : nullptr;
}

// --- the picture --------------------------------------------------------------------------------

// A buffer for the picture of this frame, which *frame.picture owns; false where there is none.
static bool gst_rdp_segment_element_acquire_picture(GstRdpSegmentElement* self, Frame& frame,
                                                    bool by_cpu) {
  if (frame.overlay == nullptr) return false;
  // The device's own memory only where the engine is in the context that such memory belongs to.
  const bool in_device = frame.surface != nullptr && !by_cpu;
  const int device = in_device ? frame.surface->working_device(self->session->cuda_device_id) : 0;
  GstRdpPicturePad* pad = GST_RDP_PICTURE_PAD(frame.overlay);
  gst_rdp_picture_pad_set_nvmm(pad, static_cast<guint>(device), !in_device,
                               frame.surface != nullptr);
  const GstSegment& segment = self->session->segment;
  const GstBuffer* input = frame.buffer;
  const GstClockTime running_time =
      segment.format == GST_FORMAT_TIME && GST_BUFFER_PTS_IS_VALID(input)
          ? gst_segment_to_running_time(&segment, GST_FORMAT_TIME, GST_BUFFER_PTS(input))
          : GST_CLOCK_TIME_NONE;
  gboolean gap;
  if (!gst_rdp_picture_pad_wants(pad, running_time, &gap)) {
    frame.picture->gap = gap;
    frame.picture->flow = gap ? GST_FLOW_OK : GST_FLOW_NOT_LINKED;
    return false;
  }
  GstBuffer* buffer = gst_rdp_extra_pad_acquire(GST_RDP_EXTRA_PAD(pad), &frame.picture->flow);
  if (buffer == nullptr) return false;
  rdp::gst::describe_picture(buffer, frame.buffer);
  frame.picture->buffer = buffer;
  return true;
}

static void gst_rdp_segment_element_drop_picture(GstRdpSegmentElement* self, Frame& frame,
                                                 const char* reason) {
  GST_ELEMENT_ERROR(self, RESOURCE, WRITE, ("The overlay's picture cannot be written."),
                    ("%" GST_PTR_FORMAT ": %s", frame.picture->buffer, reason));
  gst_clear_buffer(&frame.picture->buffer);
  frame.picture->flow = GST_FLOW_ERROR;
}

static void gst_rdp_segment_element_paint(GstRdpSegmentElement* self, Frame& frame,
                                          const rdp::DepthView& view,
                                          const rdp::SegmentList& segments) {
  if (!gst_rdp_segment_element_acquire_picture(self, frame, true)) return;
  rdp::gst::HostPicture& picture = self->session->picture;
  const Mapped mapped(&picture);
  std::string reason;
  if (!picture.map(
          frame.picture->buffer, *gst_rdp_picture_pad_get_info(GST_RDP_PICTURE_PAD(frame.overlay)),
          gst_rdp_picture_pad_get_memory(GST_RDP_PICTURE_PAD(frame.overlay)) == MemoryKind::kNvmm,
          &reason)) {
    gst_rdp_segment_element_drop_picture(self, frame, reason.c_str());
    return;
  }
  const Clock::time_point start = Clock::now();
  self->session->engine.paint(view, segments, frame.settings.parameters,
                              gst_rdp_segment_overlay_pad_get_options(frame.overlay),
                              picture.view());
  frame.time_with_picture += Clock::now() - start;
}

// --- the engines --------------------------------------------------------------------------------

static GstFlowReturn gst_rdp_segment_element_refuse(GstRdpSegmentElement* self, const Frame& frame,
                                                    const char* reason) {
  GST_ELEMENT_ERROR(
      self, STREAM, FORMAT, ("A frame cannot be read: %s.", reason),
      ("frame %" G_GUINT64_FORMAT " at %" GST_TIME_FORMAT ": %" GST_PTR_FORMAT,
       self->session->frame, GST_TIME_ARGS(GST_BUFFER_PTS(frame.buffer)), frame.buffer));
  return GST_FLOW_ERROR;
}

// Why the CPU has to leave a surface to the GPU.
static std::string gst_rdp_segment_element_explain_surface(GstRdpSegmentElement* self,
                                                           const NvmmSurface& surface) {
  const GstRdpSegmentSession& session = *self->session;
  std::string text = std::string("it is in ") + rdp::gst::nvmm_type_name(surface.type) +
                     ", which the CPU cannot read";
  std::string missing;
  if (surface.type == rdp::gst::nvmm::MemType::kSurfaceArray &&
      rdp::gst::nvmm::library(&missing) == nullptr) {
    return text + ": " + missing;
  }
  if (session.backend == GST_RDP_BACKEND_CPU) {
    return text + ", and backend is cpu: use backend=auto or backend=cuda";
  }
  rdp::gst::GpuBackend::device_exists(session.cuda_device_id, &missing);
  return text + ", and " + missing;
}

// May throw std::bad_alloc.
static GstFlowReturn gst_rdp_segment_element_work_on_cpu(GstRdpSegmentElement* self, Frame& frame) {
  GstRdpSegmentSession& session = *self->session;
  const rdp::Parameters& parameters = frame.settings.parameters;
  const auto access = frame.reconstruct() ? rdp::gst::Access::kReadWrite : rdp::gst::Access::kRead;
  rdp::gst::SystemFrame mapped;
  rdp::gst::NvmmHostSurface mapped_surface;
  rdp::MutableDepthView view;
  std::string reason;
  if (frame.surface == nullptr) {
    if (!mapped.map(frame.buffer, session.info, access, &reason)) {
      return gst_rdp_segment_element_refuse(self, frame, reason.c_str());
    }
    view = mapped.view();
  } else {
    const NvmmSurface& surface = *frame.surface;
    const bool readable = rdp::gst::nvmm_host_readable(surface.type);
    if (!readable) reason = gst_rdp_segment_element_explain_surface(self, surface);
    if (!readable || !mapped_surface.map(surface, access, &reason)) {
      return gst_rdp_segment_element_refuse(self, frame, reason.c_str());
    }
    view = mapped_surface.view();
  }
  rdp::SegmentList* segments = gst_rdp_segmentation_list(frame.segmentation);
  if (frame.settings.threads != session.threads) {
    gst_rdp_segment_element_set_threads(self, session, frame.settings.threads);
  }
  const Clock::time_point start = Clock::now();
  session.engine.segment(view, parameters, segments);
  frame.time = Clock::now() - start;
  // Before the samples are overwritten: the picture shows the frame as it came.
  gst_rdp_segment_element_paint(self, frame, view, *segments);
  if (frame.reconstruct()) {
    const Clock::time_point restart = Clock::now();
    session.engine.reconstruct(view, parameters, *segments);
    frame.time += Clock::now() - restart;
  }
  frame.time_with_picture += frame.time;
  return GST_FLOW_OK;
}

// May throw GpuError and std::bad_alloc. A picture that was acquired stays with the frame.
static GstFlowReturn gst_rdp_segment_element_work_on_gpu(GstRdpSegmentElement* self, Frame& frame) {
  GstRdpSegmentSession& session = *self->session;
  rdp::gst::GpuBackend& gpu = *self->gpu;
  const Mapped mapped(&gpu);
  std::string reason;
  const bool readable = frame.surface != nullptr
                            ? gpu.map_surface(*frame.surface, session.cuda_device_id, &reason)
                            : gpu.map(frame.buffer, session.info, session.memory,
                                      frame.reconstruct(), session.cuda_device_id, &reason);
  if (!readable) {
    return gst_rdp_segment_element_refuse(self, frame, reason.c_str());
  }
  if (frame.overlay != nullptr) {
    // The frame may have brought another context.
    gst_rdp_picture_pad_set_context(GST_RDP_PICTURE_PAD(frame.overlay),
                                    gst_rdp_segment_element_picture_context(self));
    if (gst_rdp_segment_element_acquire_picture(self, frame, false) &&
        !gpu.map_picture(frame.picture->buffer,
                         *gst_rdp_picture_pad_get_info(GST_RDP_PICTURE_PAD(frame.overlay)),
                         gst_rdp_picture_pad_get_memory(GST_RDP_PICTURE_PAD(frame.overlay)),
                         gst_rdp_segment_overlay_pad_get_options(frame.overlay), &reason)) {
      gst_rdp_segment_element_drop_picture(self, frame, reason.c_str());
    }
    // An error has been posted, and what took the picture's memory may have taken more.
    if (frame.picture->flow == GST_FLOW_ERROR) return GST_FLOW_ERROR;
  }
  const Clock::time_point start = Clock::now();
  gpu.process(frame.settings.parameters, frame.reconstruct(), frame.segmentation);
  frame.time = Clock::now() - start;
  frame.time_with_picture = frame.time;
  return GST_FLOW_OK;
}

// The frame as it was, should the GPU fail while it writes into it.
static std::vector<guint8> gst_rdp_segment_element_save(const Frame& frame) {
  std::vector<guint8> bytes;
  if (!frame.reconstruct()) return bytes;
  bytes.resize(gst_buffer_get_size(frame.buffer));
  gst_buffer_extract(frame.buffer, 0, bytes.data(), bytes.size());
  return bytes;
}

// The GPU's turn in the trial. Whoever reads the segments gets them from there, which belongs to
// the time it takes.
static GstFlowReturn gst_rdp_segment_element_try_gpu(GstRdpSegmentElement* self, Frame& frame) {
  GstRdpSegmentSession& session = *self->session;
  const std::vector<guint8> saved = gst_rdp_segment_element_save(frame);
  try {
    const GstFlowReturn flow = gst_rdp_segment_element_work_on_gpu(self, frame);
    if (flow == GST_FLOW_OK) {
      const Clock::time_point start = Clock::now();
      std::string reason;
      if (!gst_rdp_segmentation_try_fetch(frame.segmentation, &reason)) throw GpuError(reason);
      frame.time_with_picture += Clock::now() - start;
    }
    return flow;
  } catch (const GpuError& error) {
    GST_ELEMENT_WARNING(self, RESOURCE, FAILED,
                        ("The GPU failed while it was tried; the CPU goes on."),
                        ("frame %" G_GUINT64_FORMAT " at %" GST_TIME_FORMAT ": %s", session.frame,
                         GST_TIME_ARGS(GST_BUFFER_PTS(frame.buffer)), error.what()));
  }
  session.gpu_failed = true;
  session.trial.give_up_gpu();
  gst_clear_buffer(&frame.picture->buffer);
  if (!saved.empty()) gst_buffer_fill(frame.buffer, 0, saved.data(), saved.size());
  return gst_rdp_segment_element_work_on_cpu(self, frame);
}

static void gst_rdp_segment_element_end_trial(GstRdpSegmentElement* self) {
  using Microseconds = std::chrono::duration<double, std::micro>;
  GstRdpSegmentSession& session = *self->session;
  const BackendTrial& trial = session.trial;
  const bool gpu = trial.next() == BackendTrial::Engine::kGpu;
  GST_INFO_OBJECT(self, "the %s works from now on; us a frame on the CPU: %.0f, on the GPU: %.0f",
                  gpu ? "GPU" : "CPU",
                  Microseconds(trial.median(BackendTrial::Engine::kCpu)).count(),
                  Microseconds(trial.median(BackendTrial::Engine::kGpu)).count());
  if (gpu) return;
  // With the segmentations that it has filled, all memory on the GPU is given back.
  session.route = GstRdpSegmentRoute::kCpu;
  GstRdpSegmentationPool* used = std::exchange(session.pool, gst_rdp_segmentation_pool_new());
  gst_rdp_segmentation_pool_unref(used);
  self->gpu->stop();
}

static GstFlowReturn gst_rdp_segment_element_run_trial(GstRdpSegmentElement* self, Frame& frame) {
  GstRdpSegmentSession& session = *self->session;
  const bool gpus_turn = session.trial.next() == BackendTrial::Engine::kGpu;
  const GstFlowReturn flow = gpus_turn ? gst_rdp_segment_element_try_gpu(self, frame)
                                       : gst_rdp_segment_element_work_on_cpu(self, frame);
  if (flow == GST_FLOW_OK) {
    session.trial.record(
        std::chrono::duration_cast<BackendTrial::Duration>(frame.time_with_picture));
  }
  frame.on_gpu = gpus_turn && !session.gpu_failed;
  if (session.trial.decided()) gst_rdp_segment_element_end_trial(self);
  return flow;
}

static GstFlowReturn gst_rdp_segment_element_run_engine(GstRdpSegmentElement* self, Frame& frame) {
  const GstRdpSegmentSession& session = *self->session;
  // A frame in NVMM memory that only the CPU reads in place is left to it, unless the user wants it
  // otherwise.
  const bool is_here = frame.surface != nullptr && !frame.surface->device_readable() &&
                       session.backend != GST_RDP_BACKEND_CUDA;
  if (session.route == GstRdpSegmentRoute::kCpu || is_here) {
    return gst_rdp_segment_element_work_on_cpu(self, frame);
  }
  if (session.route == GstRdpSegmentRoute::kTrial && !session.trial.decided()) {
    return gst_rdp_segment_element_run_trial(self, frame);
  }
  frame.on_gpu = true;
  return gst_rdp_segment_element_work_on_gpu(self, frame);
}

// --- the frame ----------------------------------------------------------------------------------

static GstRdpSegmentSettings gst_rdp_segment_element_snapshot(GstRdpSegmentElement* self,
                                                              GstBuffer* buffer) {
  const GstSegment& segment = self->session->segment;
  if (segment.format == GST_FORMAT_TIME && GST_BUFFER_PTS_IS_VALID(buffer)) {
    const GstClockTime stream_time =
        gst_segment_to_stream_time(&segment, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer));
    if (GST_CLOCK_TIME_IS_VALID(stream_time)) {
      gst_object_sync_values(GST_OBJECT(self), stream_time);
    }
  }
  GST_OBJECT_LOCK(self);
  const GstRdpSegmentSettings settings = *self->settings;
  GST_OBJECT_UNLOCK(self);
  return settings;
}

// Says once that no sample of such frames can be known, which looks like a broken camera.
static void gst_rdp_segment_element_warn_of_empty_range(GstRdpSegmentElement* self,
                                                        const rdp::Parameters& parameters) {
  GstRdpSegmentSession& session = *self->session;
  const bool bytes = GST_VIDEO_INFO_FORMAT(&session.info) == GST_VIDEO_FORMAT_GRAY8;
  const rdp::KnownRange known = rdp::input_known_range(parameters);
  const bool empty = known.first > std::min(known.last, bytes ? 255U : 65535U);
  if (empty && !session.warned_of_empty_range) {
    GST_ELEMENT_WARNING(
        self, LIBRARY, SETTINGS,
        ("No sample is known with min-value=%u and max-value=%u: frames will have no segments.",
         parameters.min_value, parameters.max_value),
        ("the samples of %s go up to %u", bytes ? "GRAY8" : "GRAY16_LE", bytes ? 255U : 65535U));
  }
  session.warned_of_empty_range = empty;
}

static void gst_rdp_segment_element_describe(const GstRdpSegmentElement* self,
                                             const rdp::Parameters& parameters,
                                             GstRdpSegmentationInfo* info) {
  *info = GstRdpSegmentationInfo();
  info->frame = self->session->frame;
  info->width = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&self->session->info));
  info->height = static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&self->session->info));
  info->epsilon = parameters.epsilon;
  info->sample_scale = parameters.sample_scale;
  info->min_value = parameters.min_value;
  info->max_value = parameters.max_value;
  info->domain = static_cast<GstRdpDomain>(parameters.domain);
  info->inverse_scale = parameters.inverse_scale;
  info->median = static_cast<GstRdpMedian>(parameters.median);
  info->column_width = static_cast<guint>(parameters.column_width);
  info->merge_cost = parameters.merge_cost;
  info->max_gap = static_cast<guint>(parameters.max_gap);
  info->refine = parameters.refine ? TRUE : FALSE;
  info->merge = parameters.merge ? TRUE : FALSE;
  info->classify = parameters.classify ? TRUE : FALSE;
  info->ground_slope = parameters.ground_slope;
  info->far_value = parameters.far_value;
}

static void gst_rdp_segment_element_count(GstRdpSegmentElement* self, const Frame& frame) {
  const GstVideoInfo& info = self->session->info;
  const auto time = static_cast<GstClockTime>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(frame.time).count());
  const gsize segments = gst_rdp_segmentation_get_n_segments(frame.segmentation);
  GST_OBJECT_LOCK(self);
  GstRdpSegmentStats& stats = *self->stats;
  stats.frames++;
  stats.segments += segments;
  stats.pixels += static_cast<guint64>(GST_VIDEO_INFO_WIDTH(&info)) *
                  static_cast<guint64>(GST_VIDEO_INFO_HEIGHT(&info));
  stats.last_time = time;
  stats.total_time += time;
  stats.on_gpu = frame.on_gpu;
  GST_OBJECT_UNLOCK(self);
}

static GstFlowReturn gst_rdp_segment_element_fail(GstRdpSegmentElement* self, GstBuffer* buffer,
                                                  GstResourceError code, const char* what,
                                                  const char* reason) {
  const GstVideoInfo& info = self->session->info;
  // GST_ELEMENT_ERROR() needs a code that is known when it is compiled.
  gst_element_message_full(
      GST_ELEMENT(self), GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, code, g_strdup(what),
      g_strdup_printf("frame %" G_GUINT64_FORMAT ", %dx%d, at %" GST_TIME_FORMAT ": %s",
                      self->session->frame, GST_VIDEO_INFO_WIDTH(&info),
                      GST_VIDEO_INFO_HEIGHT(&info), GST_TIME_ARGS(GST_BUFFER_PTS(buffer)), reason),
      __FILE__, GST_FUNCTION, __LINE__);
  return GST_FLOW_ERROR;
}

// Segments what `frame` stands for, one frame. May throw GpuError and std::exception.
static GstFlowReturn gst_rdp_segment_element_segment(GstRdpSegmentElement* self, Frame& frame) {
  GstRdpSegmentSession& session = *self->session;
  session.segmentations.reserve(session.segmentations.size() + 1);
  frame.segmentation = gst_rdp_segmentation_pool_acquire(session.pool);
  session.segmentations.push_back(frame.segmentation);
  frame.time = frame.time_with_picture = {};
  frame.on_gpu = false;
  const GstFlowReturn flow = gst_rdp_segment_element_run_engine(self, frame);
  if (flow == GST_FLOW_OK) gst_rdp_segment_element_count(self, frame);
  return flow;
}

// Segments all surfaces of a buffer in NVMM memory. The picture is of the first.
static GstFlowReturn gst_rdp_segment_element_segment_batch(GstRdpSegmentElement* self,
                                                           Frame& frame) {
  GstRdpSegmentSession& session = *self->session;
  const auto access = frame.reconstruct() ? rdp::gst::Access::kReadWrite : rdp::gst::Access::kRead;
  std::string reason;
  const Mapped mapped(&session.nvmm);
  if (!session.nvmm.map(frame.buffer, session.info, access, &reason)) {
    return gst_rdp_segment_element_refuse(self, frame, reason.c_str());
  }
  for (const NvmmSurface& surface : session.nvmm.view()) {
    frame.surface = &surface;
    const GstFlowReturn flow = gst_rdp_segment_element_segment(self, frame);
    if (flow != GST_FLOW_OK) return flow;
    frame.overlay = nullptr;
  }
  return GST_FLOW_OK;
}

// Puts the segmentations of all frames in the buffer on it. Those of an rdpsegment before this one
// are replaced.
static void gst_rdp_segment_element_attach(GstRdpSegmentElement* self, const Frame& frame) {
  GstRdpSegmentationInfo info;
  gst_rdp_segment_element_describe(self, frame.settings.parameters, &info);
  while (GstRdpSegmentMeta* old = gst_buffer_get_rdp_segment_meta(frame.buffer)) {
    gst_buffer_remove_meta(frame.buffer, &old->meta);
  }
  guint index = 0;
  for (GstRdpSegmentation* segmentation : self->session->segmentations) {
    gst_rdp_segmentation_set_info(segmentation, &info);
    gst_buffer_add_rdp_segment_meta(frame.buffer, segmentation)->batch_index = index++;
  }
}

GstFlowReturn gst_rdp_segment_element_work(GstRdpSegmentElement* self,
                                           GstRdpSegmentOverlayPad* overlay, GstBuffer* buffer,
                                           GstRdpSegmentPicture* picture) {
  GstRdpSegmentSession& session = *self->session;
  const Segmentations segmentations(&session.segmentations);
  Frame frame{gst_rdp_segment_element_snapshot(self, buffer), buffer, overlay, picture};
  gst_rdp_segment_element_warn_of_empty_range(self, frame.settings.parameters);
  try {
    const GstFlowReturn flow = session.memory == MemoryKind::kNvmm
                                   ? gst_rdp_segment_element_segment_batch(self, frame)
                                   : gst_rdp_segment_element_segment(self, frame);
    if (flow != GST_FLOW_OK) return flow;
  } catch (const GpuError& error) {
    return gst_rdp_segment_element_fail(self, buffer, GST_RESOURCE_ERROR_FAILED,
                                        "The GPU engine failed.", error.what());
  } catch (const std::bad_alloc& error) {
    return gst_rdp_segment_element_fail(self, buffer, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                                        "Not enough memory to segment a frame.", error.what());
  } catch (const std::exception& error) {
    return gst_rdp_segment_element_fail(self, buffer, GST_RESOURCE_ERROR_FAILED,
                                        "A frame could not be segmented.", error.what());
  }
  gst_rdp_segment_element_attach(self, frame);
  session.frame++;
  return GST_FLOW_OK;
}
