// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthstereo/stereo_method.h"

#include <gst/rdpsegment/rdpcamerameta.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/rdp/overlay.h"
#include "gst/elements/depthstereo/stereo_properties.h"

GST_DEBUG_CATEGORY_EXTERN(gst_depth_stereo_debug);
#define GST_CAT_DEFAULT gst_depth_stereo_debug

namespace rdp::gst {

NoMemoryToMatch::NoMemoryToMatch(int width, int height, const stereo::Parameters& parameters,
                                 std::size_t bytes) noexcept {
  std::snprintf(text_, sizeof text_,
                "a pair of %dx%d with disparities=%d needs %zu MiB: fewer disparities, or smaller "
                "pictures (videoscale before the element), need less",
                width, height, parameters.disparities, (bytes >> 20) + 1);
}

StereoMethod::StereoMethod(GstRdpJoiner* element, StereoStats* stats)
    : element_(element),
      stats_(stats),
      calibration_(GST_ELEMENT(element)),
      watch_(GST_ELEMENT(element)) {}

StereoMethod::~StereoMethod() {
  gst_clear_caps(&view_);
  if (gray_camera_ != nullptr) gst_rdp_camera_unref(gray_camera_);
  if (camera_ != nullptr) gst_rdp_camera_unref(camera_);
}

bool StereoMethod::start() {
  const auto settings = copy_settings<StereoSettings>(element_);
  const std::string wrong = explain_settings(settings.match);
  if (!wrong.empty()) {
    GST_ELEMENT_ERROR(element_, LIBRARY, SETTINGS,
                      ("Pairs cannot be matched with these settings: %s.", wrong.c_str()),
                      (nullptr));
    return false;
  }
  parameters_ = parameters_of(settings.match);
  GST_OBJECT_LOCK(element_);
  *stats_ = {};
  GST_OBJECT_UNLOCK(element_);
  return calibration_.start(settings.calibration(settings.match));
}

// --- caps ---------------------------------------------------------------------------------------

GstCaps* StereoMethod::refuse(std::span<const JoinedInput> inputs, const std::string& reason) {
  const bool two = inputs.size() > 1;
  GST_ELEMENT_ERROR(
      element_, CORE, NEGOTIATION, ("These frames cannot be matched: %s.", reason.c_str()),
      ("%s: %" GST_PTR_FORMAT ", %s: %" GST_PTR_FORMAT, inputs[0].name(), inputs[0].caps,
       two ? inputs[1].name() : "alone", two ? inputs[1].caps : nullptr));
  return nullptr;
}

GstCaps* StereoMethod::possible_caps(std::span<const JoinedInput> inputs, bool cuda,
                                     bool cuda_first) {
  std::string reason;
  const auto settings = copy_settings<StereoSettings>(element_);
  if (!find_stereo_layout(inputs, settings.packing, &layout_, &reason))
    return refuse(inputs, reason);
  gst_clear_caps(&view_);
  view_ = view_caps_new(inputs[0].caps, layout_, &reason);
  if (view_ == nullptr) return refuse(inputs, reason);
  GstVideoInfo info;
  if (!gst_video_info_from_caps(&info, view_)) return refuse(inputs, "their views have no size");
  view_width_ = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info));
  view_height_ = static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info));
  return made_caps(view_, "GRAY16_LE", cuda, cuda_first);
}

// --- settings and the camera --------------------------------------------------------------------

// Contradictory values are an error at start. During playback they may be temporary: a warning is
// posted, and the last valid ones stay in effect.
void StereoMethod::use_settings() {
  settings_ = copy_settings<StereoSettings>(element_);
  const MatchSettings& match = settings_.match;
  if (seen_any_ && match == seen_) return;
  const std::string wrong = explain_settings(match);
  if (wrong.empty()) {
    parameters_ = parameters_of(match);
  } else {
    GST_ELEMENT_WARNING(
        element_, LIBRARY, SETTINGS,
        ("Pairs cannot be matched with these settings, and the previous ones stay in effect: %s.",
         wrong.c_str()),
        (nullptr));
  }
  seen_ = match;
  seen_any_ = true;
}

bool StereoMethod::fits(GstRdpCamera* camera) const {
  const GstRdpCameraInfo* info = gst_rdp_camera_get_info(camera);
  return info->width == 0 || (info->width == view_width_ && info->height == view_height_);
}

// The camera of a frame. (transfer full) (nullable) *lost: it is no longer valid, which is reported
// to the user once.
GstRdpCamera* StereoMethod::camera_of(GstBuffer* buffer, const char* view, bool* said, bool* lost) {
  const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(buffer);
  if (meta == nullptr) return nullptr;
  g_autoptr(GError) error = nullptr;
  GstRdpCamera* camera = nullptr;
  if (layout_.packing == Packing::kNone) {
    camera = gst_rdp_buffer_get_camera(buffer, &error);
  } else if (meta->camera != nullptr) {  // that of a view, not of the two
    camera = gst_rdp_camera_ref(meta->camera);
  }
  if (camera != nullptr && fits(camera)) return camera;
  if (camera != nullptr) gst_rdp_camera_unref(camera);
  *lost = true;
  if (!std::exchange(*said, true)) {
    GST_ELEMENT_WARNING(
        element_, STREAM, FORMAT,
        ("The camera that came with the %s view is lost: %s. Set calibration, or focal-length and "
         "baseline, for the views as they arrive here.",
         view, error != nullptr ? error->message : "it is for pictures of another size"),
        (nullptr));
  }
  return nullptr;
}

// Finds by how much the left view was cropped more than the right one, from their crop metas.
// Without any, their cameras tell, which follow other crops from GStreamer 1.28 on.
static void find_crops(GstBuffer* left_view, GstBuffer* right_view, CamerasOfFrames* frames) {
  const GstVideoCropMeta* left = gst_buffer_get_video_crop_meta(left_view);
  const GstVideoCropMeta* right = gst_buffer_get_video_crop_meta(right_view);
  if (left != nullptr || right != nullptr) {
    frames->crop_x = (left != nullptr ? left->x : 0.0) - (right != nullptr ? right->x : 0.0);
    frames->crop_y = (left != nullptr ? left->y : 0.0) - (right != nullptr ? right->y : 0.0);
    return;
  }
  const GstRdpCameraMeta* left_meta = gst_buffer_get_rdp_camera_meta(left_view);
  const GstRdpCameraMeta* right_meta = gst_buffer_get_rdp_camera_meta(right_view);
  if (left_meta == nullptr || left_meta->camera == nullptr || right_meta == nullptr ||
      right_meta->camera == nullptr) {
    return;
  }
  const GstRdpCameraInfo& a = *gst_rdp_camera_get_info(left_meta->camera);
  const GstRdpCameraInfo& b = *gst_rdp_camera_get_info(right_meta->camera);
  if (a.rectified == FALSE || b.rectified == FALSE) return;
  // A remainder of rounded sums is no crop.
  const auto pixels = [&a](double x) { return std::fabs(x) <= 1e-4 * a.focal_length ? 0.0 : x; };
  frames->crop_x = pixels(b.principal_x - a.principal_x - a.disparity_offset);
  frames->crop_y = pixels(b.principal_y - a.principal_y);
}

// Makes the camera of outputs without disparity in their samples: the same view.
void StereoMethod::make_gray_camera() {
  GstRdpCamera* camera = calibration_.camera();
  if (camera == camera_) return;
  if (gray_camera_ != nullptr) gst_rdp_camera_unref(std::exchange(gray_camera_, nullptr));
  if (camera_ != nullptr) gst_rdp_camera_unref(camera_);
  camera_ = camera == nullptr ? nullptr : gst_rdp_camera_ref(camera);
  if (camera == nullptr) return;
  GstRdpCameraInfo info = *gst_rdp_camera_get_info(camera);
  info.measures = GST_RDP_MEASURE_UNKNOWN;
  info.disparity_offset = calibration_.disparity_offset();
  info.disparity_unit = info.depth_unit = 0.0;
  g_autoptr(GError) error = nullptr;
  gray_camera_ = gst_rdp_camera_new(&info, &error);
  if (gray_camera_ == nullptr) GST_WARNING_OBJECT(element_, "%s", error->message);
}

bool StereoMethod::calibrate(const Frame& frame) {
  // If the user describes the cameras, those on the frames are ignored. They may be lost, or other
  // objects on each frame: only contradictions are looked for.
  const bool told = settings_.camera.calibration || settings_.camera.focal_length > 0.0;
  const bool two = layout_.packing == Packing::kNone && frame.inputs.size() > 1;
  GstBuffer* left = frame.buffer();
  GstBuffer* right = two ? frame.inputs[1].buffer : nullptr;
  CamerasOfFrames frames;
  if (told && two) find_crops(left, right, &frames);
  // Pairs that used the frames' cameras keep them if the user's settings do not fit.
  if (!told || calibration_.goes_by_frames()) {
    bool left_lost = false;
    frames.left = camera_of(left, "left", &said_left_lost_, &left_lost);
    if (two && frames.left != nullptr) {
      frames.right = camera_of(right, "right", &said_right_lost_, &frames.right_lost);
    }
  }
  const bool usable =
      calibration_.change(settings_.calibration(parameters_), view_width_, view_height_, frames);
  for (GstRdpCamera* camera : {frames.left, frames.right}) {
    if (camera != nullptr) gst_rdp_camera_unref(camera);
  }
  if (usable) make_gray_camera();
  return usable;
}

// --- a pair -------------------------------------------------------------------------------------

Plan StereoMethod::plan(const Frame& frame) {
  use_settings();
  Plan plan;
  plan.inputs_of_frame = 2;
  plan.refused = !calibrate(frame);
  if (plan.refused) return plan;
  std::optional<stereo::DepthScale> depth;
  if (calibration_.output() == StereoOutput::kDepthMm) depth = calibration_.depth_scale();
  if (depth != depth_) {
    depth_.reset();
    depth_table_ = depth ? stereo::depth_table(*depth) : std::vector<std::uint16_t>();
    depth_ = depth;
  }
  if (frame.overlay != nullptr) picture_ = DisparityOverlayPad::get_settings(frame.overlay);
  return plan;
}

bool StereoMethod::arrange(std::span<const FrameSurface> surfaces,
                           std::vector<FrameSurface>* arranged) {
  if (layout_.packing == Packing::kNone) {
    if (surfaces.size() == 2) return false;
    throw std::runtime_error("expected one surface in each buffer of left and right, got " +
                             std::to_string(surfaces.size()) +
                             " in both: split batches (nvstreamdemux), or, if a batch has both "
                             "views, link it to one pad alone and set packing=batch");
  }
  arranged->resize(2);
  std::string reason;
  if (!split_views(surfaces, layout_, &(*arranged)[0], &(*arranged)[1], &reason)) {
    throw std::runtime_error(reason);
  }
  return true;
}

OverlayOptions StereoMethod::picture() const {
  OverlayOptions options = picture_;
  if (depth_) {
    options.depth_unit = 0.001;
  } else {
    options.disparity_unit = 1.0 / stereo::kDisparityOne;
    options.disparity_offset = stereo::sample_origin(parameters_.min_disparity);
  }
  return options;
}

void StereoMethod::note(const stereo::Counts& counts, int width, int height) {
  counts_ = counts;
  watch_.note(counts, width, height, parameters_);
}

void StereoMethod::diagnose(const stereo::Pair& pair, stereo::Engine* engine) {
  watch_.take(stereo::diagnose(pair, parameters_, engine));
}

void StereoMethod::attach(GstBuffer*, std::span<GstMiniObject* const>) {
  const double pixels = static_cast<double>(view_width_) * static_cast<double>(view_height_);
  const double known = static_cast<double>(counts_.known);
  GST_OBJECT_LOCK(element_);
  stats_->known = known / pixels;
  stats_->known_sum += stats_->known;
  stats_->saturated = counts_.known == 0 ? 0.0 : static_cast<double>(counts_.saturated) / known;
  GST_OBJECT_UNLOCK(element_);
}

void StereoMethod::describe_output(std::size_t which, GstBuffer* output) {
  GstRdpCamera* camera = which == kDisparity ? camera_ : gray_camera_;
  if (camera != nullptr) gst_buffer_add_rdp_camera_meta(output, camera);
}

}  // namespace rdp::gst
