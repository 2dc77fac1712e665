// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpsegment/segment_method.h"

#include <gst/rdpsegment/rdpsegmentationparameters.h>

#include <algorithm>

#include "common/boundary.h"
#include "common/image/simd.h"
#include "gst/elements/rdpsegment/segment_properties.h"
#include "gst/metadata/attach_analytics.h"
#include "gst/metadata/attach_results.h"

GST_DEBUG_CATEGORY_EXTERN(gst_rdp_segment_debug);
#define GST_CAT_DEFAULT gst_rdp_segment_debug

namespace rdp::gst {

// --- on the CPU ---------------------------------------------------------------------------------

// The engine writes back to the frame that it has segmented last. So the painted one comes last,
// and the others are written to at once.
void SegmentMethod::CpuWorker::analyze(const Task& task) {
  method_.use_threads();
  method_.find_grounds(task);
  std::vector<SegmentationDraft>& drafts = method_.start_drafts(task);
  for (std::size_t i = 0; i < task.inputs.size(); ++i) {
    if (i == task.painted) continue;
    const MutableDepthView& frame = task.inputs[i].host;
    method_.engine_.segment(frame, method_.parameters(), &drafts[i]->list());
    if (!method_.writes()) continue;
    method_.engine_.reconstruct(frame, method_.parameters(), drafts[i]->list());
  }
  method_.engine_.segment(task.inputs[task.painted].host, method_.parameters(),
                          &drafts[task.painted]->list());
}

void SegmentMethod::CpuWorker::paint(const Task& task) {
  method_.engine_.paint(task.inputs[task.painted].host, method_.drafts_[task.painted]->list(),
                        method_.parameters(), method_.picture_of(task), task.picture);
}

void SegmentMethod::CpuWorker::write_back(const Task& task) {
  method_.engine_.reconstruct(task.inputs[task.painted].host, method_.parameters(),
                              method_.drafts_[task.painted]->list());
}

bool SegmentMethod::CpuWorker::finish(const Task& task) {
  method_.finish_drafts(task);
  return true;
}

// --- the method ---------------------------------------------------------------------------------

SegmentMethod::SegmentMethod(GstRdpAnalyzer* element, GroundCounts* counts)
    : element_(element),
      current_(copy_settings<SegmentSettings>(element)),
      ground_counts_(*counts) {
  ground_counts_.planes = 0;
  ground_counts_.missing = 0;
  use_threads();
  GST_INFO_OBJECT(element_, "%u threads, SIMD target %s", engine_.threads(), current_simd_target());
}

OverlayOptions SegmentMethod::picture_of(const Task& task) const {
  OverlayOptions options = picture_;
  options.camera = task.camera;
  const double unit = task.meaning.unit;
  if (task.meaning.measures == GST_RDP_MEASURE_DEPTH) options.depth_unit = unit;
  if (task.meaning.measures == GST_RDP_MEASURE_DISPARITY) options.disparity_unit = unit;
  options.ground = grounds_.of(task.painted);
  return options;
}

void SegmentMethod::use_threads() {
  threads_.use(GST_ELEMENT(element_), current_.threads, &engine_);
}

CameraUse SegmentMethod::camera_use() const {
  CameraUse use;
  use.measures = true;
  use.inverse = parameters().domain == Domain::kInverse;
  use.inverse_scale = parameters().inverse_scale;
  use.sample_scale = parameters().sample_scale;
  if (picture_.style == OverlayStyle::kBirdsEye) {
    use.metres_for = "style=birdseye of the pad overlay";
    use.straight_lens = true;
  }
  return use;
}

Plan SegmentMethod::plan(const Frame& frame) {
  current_ = copy_settings<SegmentSettings>(element_);
  if (frame.overlay != nullptr) picture_ = SegmentOverlayPad::get_settings(frame.overlay);
  warn_of_analytics();
  const bool grounds = current_.ground == GroundFrom::kPlanes &&
                       (parameters().classify || picture_.style == OverlayStyle::kClasses);
  grounds_.set_buffer(grounds ? frame.buffer() : nullptr);
  Plan plan;
  plan.writes = writes();
  plan.painted = picture_.surface;
  plan.known = input_known_range(parameters());
  plan.finds = "segments";
  plan.camera = camera_use();
  plan.camera_settings = &current_.camera;
  return plan;
}

// Warns once why frames get no analytics.
void SegmentMethod::warn_of_analytics() {
  const bool wanted = current_.analytics != AnalyticsContent::kNone;
  const bool missing = wanted && (!have_analytics() || !parameters().classify);
  if (missing && !warned_of_analytics_) {
    if (!have_analytics()) {
      warn_without_analytics(GST_ELEMENT(element_));
    } else {
      GST_ELEMENT_WARNING(element_, LIBRARY, SETTINGS,
                          ("analytics needs classes, but classify is false: set classify=true."),
                          ("frames get no analytics metadata"));
    }
  }
  warned_of_analytics_ = missing;
}

// Warns once why frames vote for their ground, if the user can change that.
void SegmentMethod::warn_of_ground() {
  const char* problem = grounds_.problem();
  if (problem != nullptr && !warned_of_ground_) {
    GST_ELEMENT_WARNING(element_, LIBRARY, SETTINGS,
                        ("ground=planes finds no ground on a frame, because %s.", problem),
                        ("such frames vote for their ground, as with ground=auto; stats count them "
                         "as ground-missing"));
  }
  warned_of_ground_ = warned_of_ground_ || problem != nullptr;
}

// Warns once that epsilon counts sample steps, if it is a tiny fraction of a pixel of disparity.
// Columns then fall into hundreds of segments, which looks like noise.
void SegmentMethod::warn_of_epsilon(const Task& task) {
  constexpr double kNextToNothing = 0.1;  // of a pixel
  const double unit = task.meaning.unit;
  const double pixels = parameters().epsilon * unit;
  const bool tiny = task.meaning.measures == GST_RDP_MEASURE_DISPARITY && unit > 0.0 &&
                    parameters().domain == Domain::kLinear && parameters().sample_scale == 1.0 &&
                    pixels > 0.0 && pixels < kNextToNothing;
  if (tiny && !warned_of_epsilon_) {
    gchar text[G_ASCII_DTOSTR_BUF_SIZE];
    GST_ELEMENT_WARNING(
        element_, LIBRARY, SETTINGS,
        ("epsilon=%g is %.2g px of disparity, because sample-scale is 1 and a step of the samples "
         "is %g px: set sample-scale=%s to have epsilon in pixels.",
         parameters().epsilon, pixels, unit, g_ascii_formatd(text, sizeof text, "%.9g", unit)),
        (nullptr));
  }
  warned_of_epsilon_ = warned_of_epsilon_ || tiny;
}

std::vector<SegmentationDraft>& SegmentMethod::start_drafts(const Task& task) {
  warn_of_epsilon(task);
  drafts_.clear();
  drafts_.reserve(task.inputs.size());
  for (std::size_t i = 0; i < task.inputs.size(); ++i) drafts_.push_back(pool_.acquire());
  return drafts_;
}

void SegmentMethod::finish_drafts(const Task& task) {
  GstRdpSegmentationInfo info;
  meta::info_from_parameters(parameters(), &info);
  info.frame = task.frame;
  for (std::size_t i = 0; i < drafts_.size(); ++i) {
    info.width = static_cast<guint>(task.inputs[i].width());
    info.height = static_cast<guint>(task.inputs[i].height());
    if (grounds_.wanted()) {
      const GroundPlane& ground = grounds_.of(i);
      meta::set_ground_plane(parameters().classify ? ground : GroundPlane{}, &info);
      GroundCounts& counts = ground_counts_;
      ++(has_ground(ground) ? counts.planes : counts.missing);
    }
    task.results[i] = GST_MINI_OBJECT_CAST(drafts_[i].finish(info));
  }
  drafts_.clear();
}

bool SegmentMethod::fetch(GstMiniObject* result, std::string* reason) {
  g_autoptr(GError) error = nullptr;
  if (gst_rdp_segmentation_fetch(GST_RDP_SEGMENTATION(result), &error) != FALSE) return true;
  give_reason(reason, error->message);
  return false;
}

gsize SegmentMethod::count(GstMiniObject* result) {
  return gst_rdp_segmentation_get_n_segments(GST_RDP_SEGMENTATION(result));
}

void SegmentMethod::attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) {
  warn_of_ground();
  attach_results<meta::SegmentationKind>(buffer, results);
  // GStreamer's metadata knows no batches: it is about the one picture of a buffer.
  if (current_.analytics == AnalyticsContent::kNone || !have_analytics() ||
      !parameters().classify || results.size() != 1) {
    return;
  }
  g_autoptr(GstRdpCamera) camera =
      gst_rdp_segment_meta_get_camera(buffer, gst_buffer_get_rdp_segment_meta(buffer), nullptr);
  attach_analytics(buffer, GST_RDP_SEGMENTATION(results[0]), camera, current_.analytics,
                   &analytics_);
}

}  // namespace rdp::gst
