// SPDX-License-Identifier: LGPL-2.1-or-later
// A frame, from the plan to the results. Data flow: frame mappers → worker → results → metadata
// and picture.
#include "gst/elements/base/frame_work.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "common/image/float_environment.h"
#include "common/image/simd.h"
#include "gst/memory/nvmm_host.h"
#include "gst/memory/nvmm_library.h"

#define GST_CAT_DEFAULT (words_.category)

namespace rdp::gst {
namespace {

// Calls a function at the end of a scope, also after an exception in mapping.
template <typename Function>
class ScopeExit {
 public:
  explicit ScopeExit(Function end) : end_(std::move(end)) {}
  ~ScopeExit() { end_(); }
  ScopeExit(const ScopeExit&) = delete;
  ScopeExit& operator=(const ScopeExit&) = delete;

 private:
  Function end_;
};

FrameMapper& mapper(std::vector<std::unique_ptr<FrameMapper>>& mappers, std::size_t index) {
  while (mappers.size() <= index) mappers.push_back(std::make_unique<FrameMapper>());
  return *mappers[index];
}

}  // namespace

FrameWork::FrameWork(GstElement* element, const ElementWords& words, GpuProvider* gpu,
                     std::unique_ptr<Method> method, const AnalyzerSettings& settings,
                     AnalyzerStats* stats)
    : element_(element),
      words_(words),
      gpu_(gpu),
      method_(std::move(method)),
      choice_(settings.backend),
      cuda_device_id_(settings.cuda_device_id),
      stats_(stats) {
  const std::string& complaint = apply_simd_environment();
  if (!complaint.empty()) GST_WARNING_OBJECT(element_, "%s", complaint.c_str());
}

FrameWork::~FrameWork() {
  close();
  drop_results();
  gst_clear_buffer(&frame_.picture);
}

// --- errors -------------------------------------------------------------------------------------

GstFlowReturn FrameWork::refuse(const FrameBuffer& input, const char* reason) {
  const bool named = input.pad != nullptr;
  GST_ELEMENT_ERROR(
      element_, STREAM, FORMAT,
      ("A frame%s%s cannot be read: %s.", named ? " of " : "", named ? input.pad : "", reason),
      ("frame %" G_GUINT64_FORMAT " at %" GST_TIME_FORMAT ": %" GST_PTR_FORMAT, number_,
       GST_TIME_ARGS(frame_.pts()), input.buffer));
  return GST_FLOW_ERROR;
}

GstFlowReturn FrameWork::fail(GstResourceError code, const char* what, const char* reason) {
  const GstVideoInfo& info = *frame_.main().info;
  // GST_ELEMENT_ERROR() needs a compile-time code.
  gst_element_message_full(
      element_, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, code, g_strdup(what),
      g_strdup_printf("frame %" G_GUINT64_FORMAT ", %dx%d, at %" GST_TIME_FORMAT ": %s", number_,
                      GST_VIDEO_INFO_WIDTH(&info), GST_VIDEO_INFO_HEIGHT(&info),
                      GST_TIME_ARGS(frame_.pts()), reason),
      __FILE__, GST_FUNCTION, __LINE__);
  return GST_FLOW_ERROR;
}

// Explains why only the GPU can read a surface.
std::string FrameWork::explain_surface(const NvmmSurface& surface) const {
  std::string text =
      std::string("it is in ") + nvmm_type_name(surface.type) + ", which the CPU cannot read";
  std::string missing;
  if (surface.type == nvmm::MemType::kSurfaceArray && nvmm::library(&missing) == nullptr) {
    return text + ": " + missing;
  }
  if (choice_.wanted() == GST_RDP_BACKEND_CPU) {
    return text + ", and backend is cpu: use backend=auto or backend=cuda";
  }
  GpuProvider::device_exists(cuda_device_id_, &missing);
  return text + ", and " + missing;
}

std::string FrameWork::explain_unreadable(const FrameMapper& frame) const {
  for (const NvmmSurface& surface : frame.nvmm()) {
    if (!nvmm_host_readable(surface.type)) return explain_surface(surface);
  }
  return "it is in CUDA memory";
}

// --- inputs and outputs -------------------------------------------------------------------------

void FrameWork::drop_results() {
  for (GstMiniObject* result : results_) {
    if (result != nullptr) gst_mini_object_unref(result);
  }
  results_.clear();
}

void FrameWork::close() {
  picture_.unmap();
  for (std::size_t i = 0; i < open_inputs_; ++i) inputs_[i]->close();
  for (std::size_t i = 0; i < open_outputs_; ++i) outputs_[i]->close();
  open_inputs_ = open_outputs_ = 0;
}

// Opens the inputs, and finds the camera. Error: an input was refused.
GstFlowReturn FrameWork::open() {
  const Access access = frame_.plan.writes ? Access::kReadWrite : Access::kRead;
  for (std::size_t i = 0; i < frame_.inputs.size(); ++i) {
    const FrameBuffer& input = frame_.inputs[i];
    FrameMapper& frame = mapper(inputs_, i);
    open_inputs_ = i + 1;  // also where it throws
    std::string reason;
    const bool open =
        input.is_video
            ? frame.open(input.buffer, *input.info, input.memory, access, &reason, input.chroma)
            : frame.open_blob(input.buffer, access, &reason) &&
                  method_->takes_blob(frame.surfaces()[0].bytes.size(), &reason);
    if (!open) return refuse(input, reason.c_str());
    warn_of_large_buffer(input);
  }
  return find_camera();
}

GstFlowReturn FrameWork::find_camera() {
  CameraSource* camera = frame_.camera;
  const CameraSettings* settings = frame_.plan.camera_settings;
  if (camera == nullptr || settings == nullptr || !frame_.main().is_video) return GST_FLOW_OK;
  const CameraUse& use = frame_.plan.camera;
  camera->look(*settings, use, frame_.buffer());
  if (!use.required || camera->metric() != nullptr) return GST_FLOW_OK;
  if (camera->lost() && !use.guesses) return GST_FLOW_OK;
  if (use.metres_for != nullptr) {
    camera->go_on_without(use.metres_for, false);
    return GST_FLOW_ERROR;
  }
  GST_ELEMENT_ERROR(element_, LIBRARY, SETTINGS,
                    ("Frames cannot be %s: %s.", words_.participle, camera->reason().c_str()),
                    ("frame %" G_GUINT64_FORMAT, number_));
  return GST_FLOW_ERROR;
}

GstFlowReturn FrameWork::refuse_output(const FrameBuffer& output, const char* reason) {
  GST_ELEMENT_ERROR(element_, RESOURCE, WRITE, ("Cannot write an output frame."),
                    ("%" GST_PTR_FORMAT ": %s", output.buffer, reason));
  return GST_FLOW_ERROR;
}

// Acquires the outputs, once for a frame, and opens them.
GstFlowReturn FrameWork::open_outputs() {
  if (frame_.output_source != nullptr && frame_.outputs.empty()) {
    const GstFlowReturn flow = frame_.output_source->acquire(&frame_);
    if (flow != GST_FLOW_OK) return flow;
  }
  for (std::size_t i = 0; i < frame_.outputs.size(); ++i) {
    const FrameBuffer& output = frame_.outputs[i];
    FrameMapper& frame = mapper(outputs_, i);
    open_outputs_ = i + 1;
    std::string reason;
    bool open = true;
    if (output.buffer == nullptr) {
      frame.open_none();
    } else if (output.is_video) {
      open = frame.open(output.buffer, *output.info, output.memory, Access::kReadWrite, &reason);
    } else {
      open = frame.open_blob(output.buffer, Access::kReadWrite, &reason);
    }
    if (!open) return refuse_output(output, reason.c_str());
  }
  return GST_FLOW_OK;
}

// Collects the surfaces of all inputs and all outputs, as mapped.
void FrameWork::gather() {
  const auto collect = [](const auto& mappers, std::size_t count, std::vector<FrameSurface>* to) {
    to->clear();
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<const FrameSurface> surfaces = mappers[i]->surfaces();
      to->insert(to->end(), surfaces.begin(), surfaces.end());
    }
  };
  collect(inputs_, open_inputs_, &in_surfaces_);
  collect(outputs_, open_outputs_, &out_surfaces_);
}

// --- the task -----------------------------------------------------------------------------------

void FrameWork::arrange(Task* task) {
  arranged_.clear();
  if (method_->arrange(task->inputs, &arranged_)) task->inputs = arranged_;
}

// Makes the task for the mapped frames, with a place for each result.
Task FrameWork::make_task() {
  gather();
  drop_results();
  Task task;
  task.inputs = in_surfaces_;
  arrange(&task);
  results_.assign(task.inputs.size() / frame_.plan.inputs_of_frame, nullptr);
  task.results = results_;
  task.outputs = out_surfaces_;
  task.frame = number_;
  if (frame_.plan.painted < task.inputs.size()) task.painted = frame_.plan.painted;
  if (const CameraSource* camera = frame_.main().is_video ? frame_.camera : nullptr) {
    task.camera = camera->metric();
    task.calibrated = task.camera != nullptr && !camera->guessed();
    task.described = camera->camera();
    task.meaning = camera->meaning();
    look_at_samples(task);
  }
  if (!task.inputs.empty()) {
    frame_.pixels = static_cast<guint64>(task.inputs[0].width()) *
                    static_cast<guint64>(task.inputs[0].height());
  }
  return task;
}

// Runs a worker's steps. The picture shows the frame as it arrived, so it is painted before samples
// are overwritten.
void FrameWork::run_steps(Worker& worker, const Task& task) {
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
    if (frame_.plan.writes) worker.write_back(task);
  } while (!worker.finish(task));
  frame_.time_with_picture = Clock::now() - start;
  // On the GPU the steps only enqueue work, so painting cannot be timed alone.
  frame_.time = frame_.on_gpu ? frame_.time_with_picture : frame_.time_with_picture - painting;
}

// The inputs are open. May throw std::bad_alloc.
GstFlowReturn FrameWork::work_on_cpu() {
  frame_.on_gpu = false;
  std::string reason;
  for (std::size_t i = 0; i < open_inputs_; ++i) {
    const FrameBuffer& input = frame_.inputs[i];
    if (!inputs_[i]->host_reaches()) {
      return refuse(input, explain_unreadable(*inputs_[i]).c_str());
    }
    if (!inputs_[i]->map_host(&reason)) return refuse(input, reason.c_str());
  }
  const GstFlowReturn flow = open_outputs();
  if (flow != GST_FLOW_OK) return flow;
  for (std::size_t i = 0; i < open_outputs_; ++i) {
    if (outputs_[i]->map_host(&reason)) continue;
    return refuse_output(frame_.outputs[i], reason.c_str());
  }
  Task task = make_task();
  if (acquire_picture(task)) {
    GstRdpPicturePad* pad = frame_.overlay;
    if (picture_.map_host(frame_.picture, *gst_rdp_picture_pad_get_info(pad),
                          gst_rdp_picture_pad_get_memory(pad), &reason)) {
      task.picture = picture_.host();
    } else {
      drop_picture(reason.c_str());
    }
  }
  run_steps(method_->cpu(), task);
  return GST_FLOW_OK;
}

// --- the frame ----------------------------------------------------------------------------------

// False: the method has posted an error.
bool FrameWork::make_plan() {
  if (GST_CLOCK_TIME_IS_VALID(frame_.stream_time)) {
    gst_object_sync_values(GST_OBJECT(element_), frame_.stream_time);
  }
  frame_.plan = method_->plan(frame_);
  warn_of_empty_range();
  return !frame_.plan.refused;
}

void FrameWork::count() {
  const auto time = static_cast<GstClockTime>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(frame_.time).count());
  const guint64 frames = results_.size();
  guint64 items = 0;
  for (GstMiniObject* result : results_) {
    if (result != nullptr) items += method_->count(result);
  }
  GST_OBJECT_LOCK(element_);
  stats_->frames += frames;
  stats_->items += items;
  stats_->pixels += frames * frame_.pixels;
  stats_->last_time = frames == 0 ? time : time / frames;
  stats_->total_time += time;
  stats_->on_gpu = frame_.on_gpu;
  GST_OBJECT_UNLOCK(element_);
}

// Puts results and camera on the frame that goes on. The method may look at the camera there.
void FrameWork::attach() {
  const bool own = !frame_.outputs.empty();
  GstBuffer* to = own ? frame_.outputs[0].buffer : frame_.buffer();
  if (CameraSource* camera = frame_.camera) {
    // The element's own frames may measure another quantity than the inputs.
    if (!own) camera->attach(to);
    if (own && frame_.plan.camera.outputs_keep_it) camera->put(to);
  }
  method_->attach(to, results_);
  for (std::size_t i = 0; i < frame_.outputs.size(); ++i) {
    if (GstBuffer* output = frame_.outputs[i].buffer) method_->describe_output(i, output);
  }
}

Frame& FrameWork::start_frame() {
  gst_clear_buffer(&frame_.picture);
  Frame next;
  next.inputs = std::move(frame_.inputs);  // with their memory
  next.outputs = std::move(frame_.outputs);
  next.inputs.clear();
  next.outputs.clear();
  frame_ = std::move(next);
  return frame_;
}

GstFlowReturn FrameWork::run() {
  const GstFlowReturn flow = with_standard_floats([this] { return run_frame(); });
  if (flow != GST_FLOW_OK) gst_clear_buffer(&frame_.picture);
  return flow;
}

GstFlowReturn FrameWork::run_frame() {
  const ScopeExit end([this] {
    close();
    drop_results();
  });
  // The one place that catches an engine's exceptions.
  try {
    if (!make_plan()) return GST_FLOW_ERROR;
    const GstFlowReturn flow = run_engine();
    if (flow != GST_FLOW_OK) return flow;
    close();
    count();
    attach();
  } catch (const GpuError& error) {
    gpu_->forget();
    g_autofree gchar* what = g_strdup_printf("The GPU engine failed: %s.", error.what());
    return fail(GST_RESOURCE_ERROR_FAILED, what, error.what());
  } catch (const NoMemoryForWork& error) {
    g_autofree gchar* what =
        g_strdup_printf("Not enough memory to %s a frame: %s.", words_.verb, error.what());
    return fail(GST_RESOURCE_ERROR_NO_SPACE_LEFT, what, error.what());
  } catch (const std::bad_alloc& error) {
    g_autofree gchar* what = g_strdup_printf("Not enough memory to %s a frame.", words_.verb);
    return fail(GST_RESOURCE_ERROR_NO_SPACE_LEFT, what, error.what());
  } catch (const std::exception& error) {
    g_autofree gchar* what =
        g_strdup_printf("A frame could not be %s: %s.", words_.participle, error.what());
    return fail(GST_RESOURCE_ERROR_FAILED, what, error.what());
  }
  number_++;
  return GST_FLOW_OK;
}

}  // namespace rdp::gst
