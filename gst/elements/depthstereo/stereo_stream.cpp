// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthstereo/stereo_stream.h"

#include <gst/rdpsegment/rdpcamerameta.h>

#include <cmath>
#include <string>
#include <utility>

#include "gst/elements/depthstereo/gstdepthstereo.h"

#define GST_CAT_DEFAULT gst_depth_stereo_debug

namespace rdp::gst {

StereoStream::StereoStream(GstRdpJoiner* joiner, StereoStats* stats, StereoMethod* method)
    : JoinedWork(joiner, std::unique_ptr<Method>(method)),
      stats_(stats),
      method_(method),
      calibration_(GST_ELEMENT(joiner)) {
  GST_OBJECT_LOCK(joiner);
  *stats_ = {};
  GST_OBJECT_UNLOCK(joiner);
}

StereoStream::~StereoStream() {
  gst_clear_caps(&view_);
  if (gray_camera_ != nullptr) gst_rdp_camera_unref(gray_camera_);
  if (camera_ != nullptr) gst_rdp_camera_unref(camera_);
}

bool StereoStream::start() {
  const auto settings = copy_settings<StereoSettings>(joiner());
  const std::string wrong = explain_settings(settings.match);
  if (!wrong.empty()) {
    GST_ELEMENT_ERROR(joiner(), LIBRARY, SETTINGS,
                      ("Pairs cannot be matched like this: %s.", wrong.c_str()), (nullptr));
    return false;
  }
  return calibration_.start(settings.calibration());
}

// --- caps ---------------------------------------------------------------------------------------

GstCaps* StereoStream::refuse(const std::string& reason) {
  const bool two = inputs().size() > 1;
  GST_ELEMENT_ERROR(
      joiner(), CORE, NEGOTIATION, ("These frames cannot be matched: %s.", reason.c_str()),
      ("%s: %" GST_PTR_FORMAT ", %s: %" GST_PTR_FORMAT, inputs()[0].name(), inputs()[0].caps,
       two ? inputs()[1].name() : "alone", two ? inputs()[1].caps : nullptr));
  return nullptr;
}

GstCaps* StereoStream::possible_caps(bool cuda, bool cuda_first) {
  std::string reason;
  const auto settings = copy_settings<StereoSettings>(joiner());
  if (!find_stereo_layout(inputs(), settings.packing, &job_.layout, &reason)) return refuse(reason);
  gst_clear_caps(&view_);
  view_ = view_caps_new(inputs()[0].caps, job_.layout, &reason);
  if (view_ == nullptr) return refuse(reason);
  GstVideoInfo info;
  if (!gst_video_info_from_caps(&info, view_)) return refuse("their views have no size");
  view_width_ = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info));
  view_height_ = static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info));
  return stereo_disparity_caps(view_, cuda, cuda_first);
}

// --- settings and the camera --------------------------------------------------------------------

// Values that do not go together are an error when the element starts. Later they may be on their
// way to others that do: what was valid before stays, and the user is told.
void StereoStream::use_settings(const StereoSettings& settings) {
  job_.settings = settings;
  if (seen_any_ && settings.match == seen_) return;
  const std::string wrong = explain_settings(settings.match);
  if (wrong.empty()) {
    job_.parameters = parameters_of(settings.match);
  } else {
    GST_ELEMENT_WARNING(
        joiner(), LIBRARY, SETTINGS,
        ("Pairs cannot be matched like this, and go on as before: %s.", wrong.c_str()), (nullptr));
  }
  seen_ = settings.match;
  seen_any_ = true;
}

bool StereoStream::fits(GstRdpCamera* camera) const {
  const GstRdpCameraInfo* info = gst_rdp_camera_get_info(camera);
  return info->width == 0 || (info->width == view_width_ && info->height == view_height_);
}

// That a frame brings; with a reference. Null with *lost: it does not hold any more, of which the
// user is told once.
GstRdpCamera* StereoStream::camera_of(GstBuffer* buffer, const char* view, bool* said, bool* lost) {
  const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(buffer);
  if (meta == nullptr) return nullptr;
  g_autoptr(GError) error = nullptr;
  GstRdpCamera* camera = nullptr;
  if (job_.layout.packing == Packing::kNone) {
    camera = gst_rdp_buffer_get_camera(buffer, &error);
  } else if (meta->camera != nullptr) {  // that of a view, not of the two
    camera = gst_rdp_camera_ref(meta->camera);
  }
  if (camera != nullptr && fits(camera)) return camera;
  if (camera != nullptr) gst_rdp_camera_unref(camera);
  *lost = true;
  if (!std::exchange(*said, true)) {
    GST_ELEMENT_WARNING(
        joiner(), STREAM, FORMAT,
        ("The camera that came with the %s view is lost: %s. Set calibration, or focal-length "
         "and baseline, for the views as they come here.",
         view, error != nullptr ? error->message : "it is of pictures of another size"),
        (nullptr));
  }
  return nullptr;
}

// By how much the left view was cropped more than the right one: as their crops in place say, or,
// where nobody crops in place, as their cameras do, which follow other crops from GStreamer 1.28
// on.
static void find_crops(std::span<GstBuffer* const> pair, CamerasOfFrames* frames) {
  const GstVideoCropMeta* left = gst_buffer_get_video_crop_meta(pair[0]);
  const GstVideoCropMeta* right = gst_buffer_get_video_crop_meta(pair[1]);
  if (left != nullptr || right != nullptr) {
    frames->crop_x = (left != nullptr ? left->x : 0.0) - (right != nullptr ? right->x : 0.0);
    frames->crop_y = (left != nullptr ? left->y : 0.0) - (right != nullptr ? right->y : 0.0);
    return;
  }
  const GstRdpCameraMeta* left_meta = gst_buffer_get_rdp_camera_meta(pair[0]);
  const GstRdpCameraMeta* right_meta = gst_buffer_get_rdp_camera_meta(pair[1]);
  if (left_meta == nullptr || left_meta->camera == nullptr || right_meta == nullptr ||
      right_meta->camera == nullptr) {
    return;
  }
  const GstRdpCameraInfo& a = *gst_rdp_camera_get_info(left_meta->camera);
  const GstRdpCameraInfo& b = *gst_rdp_camera_get_info(right_meta->camera);
  if (a.rectified == FALSE || b.rectified == FALSE) return;
  // What is left of the rounding of sums is no crop.
  const auto pixels = [&a](double x) { return std::fabs(x) <= 1e-4 * a.focal_length ? 0.0 : x; };
  frames->crop_x = pixels(b.principal_x - a.principal_x - a.disparity_offset);
  frames->crop_y = pixels(b.principal_y - a.principal_y);
}

// Of what has no disparity in its samples: the same view.
void StereoStream::make_gray_camera() {
  GstRdpCamera* camera = calibration_.camera();
  if (camera == camera_) return;
  if (gray_camera_ != nullptr) gst_rdp_camera_unref(std::exchange(gray_camera_, nullptr));
  if (camera_ != nullptr) gst_rdp_camera_unref(camera_);
  camera_ = camera == nullptr ? nullptr : gst_rdp_camera_ref(camera);
  if (camera == nullptr) return;
  GstRdpCameraInfo info = *gst_rdp_camera_get_info(camera);
  info.measures = GST_RDP_MEASURE_UNKNOWN;
  info.disparity_unit = info.depth_unit = 0.0;
  g_autoptr(GError) error = nullptr;
  gray_camera_ = gst_rdp_camera_new(&info, &error);
  if (gray_camera_ == nullptr) GST_WARNING_OBJECT(joiner(), "%s", error->message);
}

bool StereoStream::calibrate(const StereoSettings& settings, std::span<GstBuffer* const> pair) {
  // Where the user says what the cameras are, nobody asks the frames, which may have lost theirs,
  // or bring another object each: only what contradicts him is looked for.
  const bool told = settings.camera.calibration || settings.camera.focal_length > 0.0;
  const bool two = job_.layout.packing == Packing::kNone && pair.size() > 1;
  CamerasOfFrames frames;
  if (told) {
    if (two) find_crops(pair, &frames);
  } else {
    bool left_lost = false;
    frames.left = camera_of(pair[0], "left", &said_left_lost_, &left_lost);
    if (two && frames.left != nullptr) {
      frames.right = camera_of(pair[1], "right", &said_right_lost_, &frames.right_lost);
    }
  }
  const bool usable =
      calibration_.change(settings.calibration(), view_width_, view_height_, frames);
  for (GstRdpCamera* camera : {frames.left, frames.right}) {
    if (camera != nullptr) gst_rdp_camera_unref(camera);
  }
  if (!usable) return false;
  make_gray_camera();
  job_.maps = calibration_.maps();
  job_.depth.reset();
  if (settings.output == StereoOutput::kDepthMm) job_.depth = calibration_.depth_scale();
  return true;
}

// --- a pair -------------------------------------------------------------------------------------

bool StereoStream::prepare(std::span<GstBuffer* const> buffers) {
  const auto settings = copy_settings<StereoSettings>(joiner());
  use_settings(settings);
  if (!calibrate(settings, buffers)) return false;
  method_->set_job(job_);
  return true;
}

// In the order of the table: src, rectified, confidence.
void StereoStream::outputs_are(std::span<GstBuffer* const> outputs) {
  method_->set_outputs(outputs[1] != nullptr, outputs[2] != nullptr);
}

void StereoStream::done(std::span<GstBuffer* const> outputs) {
  if (camera_ != nullptr) gst_buffer_add_rdp_camera_meta(outputs[0], camera_);
  for (GstBuffer* gray : outputs.subspan(1)) {
    if (gray != nullptr && gray_camera_ != nullptr) {
      gst_buffer_add_rdp_camera_meta(gray, gray_camera_);
    }
  }
  const stereo::Counts& counts = method_->counts();
  const double pixels = static_cast<double>(view_width_) * static_cast<double>(view_height_);
  const double known = static_cast<double>(counts.known);
  GST_OBJECT_LOCK(joiner());
  stats_->known = known / pixels;
  stats_->known_sum += stats_->known;
  stats_->saturated = counts.known == 0 ? 0.0 : static_cast<double>(counts.saturated) / known;
  GST_OBJECT_UNLOCK(joiner());
}

}  // namespace rdp::gst
