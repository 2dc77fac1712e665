// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthfilter/filter_method.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "gst/elements/base/camera_choice.h"
#include "gst/elements/depthfilter/filter_metas.h"
#include "gst/elements/depthfilter/filter_properties.h"

namespace rdp::gst {
namespace {

// Frames farther apart in time belong to different scenes.
constexpr GstClockTime kLongestGap = 500 * GST_MSECOND;
// Length of the temporal step's history, in frames.
constexpr int kMaxMissed = 8;

struct CountName {
  const char* name;
  std::int64_t filter::Counts::*count;
};
constexpr CountName kCountNames[] = {
    {"range-removed", &filter::Counts::range_removed},
    {"median-changed", &filter::Counts::median_changed},
    {"flying-removed", &filter::Counts::flying_removed},
    {"speckle-removed", &filter::Counts::speckle_removed},
    {"spatial-changed", &filter::Counts::spatial_changed},
    {"temporal-changed", &filter::Counts::temporal_changed},
    {"temporal-filled", &filter::Counts::temporal_filled},
    {"hole-filled", &filter::Counts::hole_filled},
};

}  // namespace

void add_counts(const filter::Counts& more, filter::Counts* sum) {
  for (const CountName& row : kCountNames) sum->*row.count += more.*row.count;
}

void add_filter_stats(GstStructure* fields, const FilterStats& stats) {
  for (const CountName& row : kCountNames) {
    const std::string sum = std::string(row.name) + "-sum";
    gst_structure_set(fields, row.name, G_TYPE_UINT64, static_cast<guint64>(stats.last.*row.count),
                      sum.c_str(), G_TYPE_UINT64, static_cast<guint64>(stats.sum.*row.count),
                      nullptr);
  }
}

// --- on the CPU ---------------------------------------------------------------------------------

void FilterMethod::CpuWorker::use_threads() {
  threads_.use(GST_ELEMENT(method_.element_), method_.threads(), &engine_);
  painter_threads_.use(GST_ELEMENT(method_.element_), method_.threads(), &painter_);
}

MutableDepthView FilterMethod::CpuWorker::scratch_view(const MutableDepthView& like) {
  MutableDepthView view = like;
  view.stride = std::ptrdiff_t{like.width} * bytes_per_sample(like.type);
  view.data = scratch_.ensure(static_cast<std::size_t>(view.stride) *
                              static_cast<std::size_t>(like.height));
  return view;
}

// The samples of an input; zeros of a gap.
DepthView FilterMethod::CpuWorker::read_view(const Task& task, std::size_t input) {
  DepthView view = task.inputs[input].host;
  if (!method_.is_gap()) return view;
  view.stride = std::ptrdiff_t{view.width} * bytes_per_sample(view.type);
  const std::size_t bytes =
      static_cast<std::size_t>(view.stride) * static_cast<std::size_t>(view.height);
  view.data = std::fill_n(zeros_.ensure(bytes), bytes, std::byte{0}) - bytes;
  return view;
}

// Feeds missed frames (gap events) to the temporal state as zeros.
void FilterMethod::CpuWorker::miss_frames(const Task& task) {
  MutableDepthView frame = task.inputs[0].host;
  MutableDepthView out = frame;
  if (method_.decimates()) out = task.outputs[0].host;
  for (int i = 0; i < method_.missed(); ++i) {
    MutableDepthView zeros = scratch_view(frame);
    std::fill_n(zeros.data, zeros.stride * zeros.height, std::byte{0});
    zeros_.ensure(static_cast<std::size_t>(zeros.stride) * static_cast<std::size_t>(zeros.height));
    out.data = zeros_.data();
    out.stride = std::ptrdiff_t{out.width} * bytes_per_sample(out.type);
    engine_.filter(zeros, method_.parameters(), out);
  }
}

// The painted frame is overwritten only after its picture, which shows both, is painted.
void FilterMethod::CpuWorker::analyze(const Task& task) {
  counts_ = {};
  method_.start(task);
  if (!method_.works()) return;
  use_threads();
  if (method_.forgets(this, &epoch_)) engine_.clear();
  miss_frames(task);
  const bool paints = task.picture.data != nullptr;
  for (std::size_t i = 0; i < task.inputs.size(); ++i) {
    MutableDepthView out = method_.decimates() ? task.outputs[i].host : task.inputs[i].host;
    const bool is_painted = paints && i == task.painted;
    if (is_painted && !method_.decimates()) out = scratch_view(out);
    if (is_painted) painted_ = out;
    add_counts(engine_.filter(read_view(task, i), method_.parameters(), out), &counts_);
  }
}

void FilterMethod::CpuWorker::paint(const Task& task) {
  const DepthView before = task.inputs[task.painted].host;
  if (!method_.works()) {
    painter_.paint(before, before, 1, method_.picture(), task.picture);
    return;
  }
  painter_.paint(read_view(task, task.painted), painted_, method_.parameters().decimation,
                 method_.picture(), task.picture);
}

void FilterMethod::CpuWorker::write_back(const Task& task) {
  if (task.picture.data == nullptr) return;
  const MutableDepthView& out = task.inputs[task.painted].host;
  for (int row = 0; row < out.height; ++row) {
    std::memcpy(out.row(row), painted_.row(row), static_cast<std::size_t>(painted_.stride));
  }
}

bool FilterMethod::CpuWorker::finish(const Task&) {
  method_.finish(counts_);
  return true;
}

// --- the state ----------------------------------------------------------------------------------

FilterMethod::FilterMethod(GstRdpAnalyzer* element, FilterStats* stats)
    : element_(element), stats_(stats), current_(copy_settings<FilterSettings>(element)) {
  GST_OBJECT_LOCK(element_);
  *stats_ = FilterStats();
  GST_OBJECT_UNLOCK(element_);
}

FilterMethod::~FilterMethod() {
  if (camera_ != nullptr) gst_rdp_camera_unref(camera_);
}

void FilterMethod::forget() noexcept {
  ++epoch_;
  missed_ = 0;
}

void FilterMethod::miss_frame() noexcept { missed_ = std::min(missed_ + 1, kMaxMissed); }

bool FilterMethod::forgets(const Worker* worker, guint64* epoch) {
  if (std::exchange(last_worker_, worker) != worker) ++epoch_;
  return std::exchange(*epoch, epoch_) != epoch_;
}

bool FilterMethod::engines_interchangeable() const {
  return copy_settings<FilterSettings>(element_).filter.steps.temporal_frames == 1;
}

// Resets the state if a buffer's time jumps or its crop changes.
void FilterMethod::look_at(GstBuffer* buffer) {
  const GstClockTime pts = GST_BUFFER_PTS(buffer);
  const GstClockTime before = std::exchange(last_pts_, pts);
  if (GST_CLOCK_TIME_IS_VALID(pts) && GST_CLOCK_TIME_IS_VALID(before) &&
      std::max(pts, before) - std::min(pts, before) > kLongestGap) {
    forget();
  }
  const GstVideoCropMeta* crop = gst_buffer_get_video_crop_meta(buffer);
  const guint x = crop != nullptr ? crop->x : 0;
  const guint y = crop != nullptr ? crop->y : 0;
  if (x != crop_x_ || y != crop_y_) forget();
  crop_x_ = x;
  crop_y_ = y;
  buffer_ = buffer;
  is_gap_ = GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_GAP);
}

// Resets the state if the camera or its pose changes: the same pixels then show other things.
void FilterMethod::look_at_camera(GstRdpCamera* camera) {
  if (camera == camera_) return;
  const bool same =
      camera != nullptr && camera_ != nullptr &&
      same_camera(*gst_rdp_camera_get_info(camera), *gst_rdp_camera_get_info(camera_));
  if (!same) forget();
  if (camera != nullptr) gst_rdp_camera_ref(camera);
  if (camera_ != nullptr) gst_rdp_camera_unref(camera_);
  camera_ = camera;
}

// --- the method ---------------------------------------------------------------------------------

Plan FilterMethod::plan(const Frame& frame) {
  FilterSettings settings = copy_settings<FilterSettings>(element_);
  const bool changed = !(settings.filter == current_.filter && settings.camera == current_.camera);
  current_ = std::move(settings);
  if (changed) forget();
  look_at(frame.buffer());
  if (frame.overlay != nullptr) picture_ = FilterOverlayPad::get_settings(frame.overlay);
  const FilterChoice& choice = current_.filter;
  works_ = changes_samples(choice);
  Plan plan;
  plan.writes = works_ && !decimates();
  plan.painted = picture_.surface;
  plan.known = {choice.min_value, choice.max_value};
  plan.least_known = 1;
  plan.finds = "valid samples";
  plan.camera.measures = true;
  plan.camera_settings = &current_.camera;
  return plan;
}

void FilterMethod::start(const Task& task) {
  const std::size_t frames = task.inputs.size();
  const filter::Parameters& steps = current_.filter.steps;
  if (frames != 1 && (steps.temporal_frames > 1 || decimates())) {
    const std::string setting = decimates()
                                    ? "decimation=" + std::to_string(steps.decimation)
                                    : "temporal-frames=" + std::to_string(steps.temporal_frames);
    throw std::runtime_error(
        setting + " needs one frame in a buffer, but the buffer is a batch of " +
        std::to_string(frames) + ": put nvstreamdemux before, with a depthfilter for each camera" +
        (decimates() ? "" : ", or set temporal-frames=1"));
  }
  width_ = static_cast<guint>(task.inputs[0].width());
  height_ = static_cast<guint>(task.inputs[0].height());
  look_at_camera(task.described);
  if (!works_) return;
  filter::Parameters parameters;
  const std::string wrong =
      find_parameters(current_.filter, task.meaning, task.camera, &parameters);
  fitting_.update(GST_ELEMENT(element_), "Frames cannot be filtered", wrong, &parameters);
  parameters_ = parameters;
  if (parameters_.temporal_frames == 1) missed_ = 0;
}

void FilterMethod::finish(const filter::Counts& counts) {
  missed_ = 0;
  GST_OBJECT_LOCK(element_);
  stats_->last = counts;
  add_counts(counts, &stats_->sum);
  GST_OBJECT_UNLOCK(element_);
}

void FilterMethod::attach(GstBuffer* buffer, std::span<GstMiniObject* const>) {
  if (works_) drop_results(buffer);
}

void FilterMethod::describe_output(std::size_t, GstBuffer* buffer) {
  const auto side = static_cast<guint>(current_.filter.steps.decimation);
  const DecimatedSize size{width_ / side, height_ / side, side};
  scale_metas(buffer_, size, buffer);
  add_decimated_camera(camera_, size, buffer);
}

}  // namespace rdp::gst
