// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthstereo/stereo_calibration.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/image/same_camera.h"
#include "common/stereo/parameters.h"
#include "gst/elements/base/camera_choice.h"
#include "gst/elements/base/camera_source.h"
#include "gst/elements/depthstereo/stereo_views.h"
#include "gst/memory/frame_layout.h"

namespace rdp::gst {
namespace {

constexpr double kDepthMmUnit = 0.001;

void clear(GstRdpCamera** camera) { g_clear_pointer(camera, gst_rdp_camera_unref); }

std::string size_text(guint width, guint height) {
  return std::to_string(width) + "x" + std::to_string(height);
}

// True if both settings give the same views, so that the files are not read again.
bool same_files(const CameraSettings& a, const CameraSettings& b) {
  return a.calibration == b.calibration && a.calibration_unit == b.calibration_unit;
}

bool same_view(const stereo::ViewRectification& a, const stereo::ViewRectification& b) {
  return same_lens(a.camera, b.camera) && a.rotation == b.rotation &&
         same_lens(a.rectified, b.rectified);
}

}  // namespace

// --- files --------------------------------------------------------------------------------------

bool StereoCalibration::start(const StereoCalibrationSettings& settings) {
  stop();
  may_go_on_ = false;
  if (!settings.camera.calibration) return true;
  if (settings.camera.focal_length > 0.0) return refuse(std::string(kTwoGeometries).append("."));
  // All sizes in the files are read: errors in them are reported before there are frames.
  return read(settings.camera, 0, 0);
}

bool StereoCalibration::read(const CameraSettings& settings, guint width, guint height) {
  g_clear_pointer(&views_, g_ptr_array_unref);
  views_ = read_calibration(element_, settings, width, height);
  if (views_ == nullptr) return false;
  read_with_ = settings;
  read_width_ = width;
  read_height_ = height;
  return true;
}

void StereoCalibration::stop() {
  forget_result();
  maps_.reset();
  made_for_.clear();
  keep({});
  g_clear_pointer(&views_, g_ptr_array_unref);
  read_with_ = {};
  known_ = false;
  settings_ = asked_ = {};
  width_ = height_ = 0;
  warnings_.clear();
  warnings_now_.clear();
}

void StereoCalibration::forget_result() {
  clear(&camera_);
  depth_scale_.reset();
  reason_.clear();
}

// --- a change -----------------------------------------------------------------------------------

void StereoCalibration::keep(const CamerasOfFrames& frames) {
  for (GstRdpCamera* camera : {frames.left, frames.right}) {
    if (camera != nullptr) gst_rdp_camera_ref(camera);
  }
  clear(&frames_.left);
  clear(&frames_.right);
  frames_ = frames;
}

bool StereoCalibration::change(const StereoCalibrationSettings& settings, guint width, guint height,
                               const CamerasOfFrames& frames) {
  if (known_ && width == width_ && height == height_ && frames == frames_ && settings == asked_) {
    return true;
  }
  // During playback, settings may be contradictory between two changes: pairs then use the last
  // consistent ones.
  const bool plays = known_ && !(settings == settings_);
  const StereoCalibrationSettings before = settings_;
  known_ = false;  // until all of it is
  may_go_on_ = plays;
  bool fits = make_anew(settings, width, height, frames);
  may_go_on_ = false;
  if (fits) settings_ = settings;
  if (!fits && plays) {
    fits = make_anew(before, width, height, frames);
    if (fits) warn(refusal_ + " The previous settings stay in effect.");
  }
  if (!fits) {
    forget_result();
    maps_.reset();
    made_for_.clear();
    return false;
  }
  asked_ = settings;
  width_ = width;
  height_ = height;
  keep(frames);
  post_warnings(element_, std::move(warnings_now_), &warnings_);
  known_ = true;
  return true;
}

bool StereoCalibration::goes_by_frames() const {
  const CameraSettings& set = settings_.camera;
  return known_ && !set.calibration && !(set.focal_length > 0.0);
}

bool StereoCalibration::make_anew(const StereoCalibrationSettings& settings, guint width,
                                  guint height, const CamerasOfFrames& frames) {
  forget_result();
  warnings_now_.clear();
  return make(settings, width, height, frames);
}

// Properties and files describe both views at the size in their caps. They cannot hold for both if
// one view was cropped more than the other.
void StereoCalibration::warn_of_crops(const CameraSettings& set, const CamerasOfFrames& frames) {
  const double x = frames.crop_x;
  const double y = frames.crop_y;
  // A user's disparity-offset already accounts for the columns.
  const bool columns = x != 0.0 && set.disparity_offset == 0.0;
  if (!columns && y == 0.0) return;
  const std::string more_x = number_text(x, "%.6g");
  std::string text = "The left view was cropped by " + more_x + " px more from the left and by " +
                     number_text(y, "%.6g") + " px more from above than the right one, but " +
                     (set.calibration ? "calibration" : "focal-length") +
                     " and the properties with it describe both views alike, as they arrive here: "
                     "crop both in the same way";
  if (columns && y == 0.0 && !set.calibration) {
    text += ", or set disparity-offset=" + more_x;
  }
  warn(text + ".");
}

bool StereoCalibration::make(const StereoCalibrationSettings& settings, guint width, guint height,
                             const CamerasOfFrames& frames) {
  const CameraSettings& set = settings.camera;
  if (set.calibration && set.focal_length > 0.0)
    return refuse(std::string(kTwoGeometries).append("."));
  if (set.calibration || set.focal_length > 0.0) warn_of_crops(set, frames);
  if (const std::string fault = baseline_fault(set); !fault.empty()) warn(fault);
  if (set.calibration) return make_of_files(settings, width, height);
  if (settings.rectify == Rectify::kOn) {
    return refuse(
        "rectify=on needs the calibration of both cameras, but calibration is not set: set "
        "calibration to the file of the pair, or rectify=off if the views are rectified already.");
  }
  maps_.reset();
  made_for_.clear();
  if (const std::string fault = focal_length_fault(set); !fault.empty()) warn(fault);
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  if (set_focal_length(set, width, height, &info)) {
    return use_camera(settings, width, height, info);
  }
  if (frames.left != nullptr) return make_of_frames(settings, width, height, frames);
  return no_camera(
      settings,
      "the cameras of the views are not known: set calibration, or focal-length and baseline");
}

// Takes the geometry from the frames' cameras. If the two contradict each other, there are no
// metres: neither is known to be right.
bool StereoCalibration::make_of_frames(const StereoCalibrationSettings& settings, guint width,
                                       guint height, const CamerasOfFrames& frames) {
  GstRdpCameraInfo info = *gst_rdp_camera_get_info(frames.left);
  if (info.width != 0 && (info.width != width || info.height != height)) {
    return no_camera(settings,
                     "the camera on the left frames is for a picture of another size: set "
                     "calibration, or focal-length and baseline");
  }
  if (info.rectified == FALSE) {
    return no_camera(settings,
                     "the camera on the left frames is not rectified, and the right one is not "
                     "known: set calibration to the file of the pair");
  }
  // The lost camera has been reported to the user.
  if (frames.right_lost) {
    return no_camera(
        settings,
        "the camera on the right frames is lost: scale and crop both views alike, downstream of "
        "this element, or set calibration, or focal-length and baseline");
  }
  if (frames.right == nullptr) return use_camera(settings, width, height, info);
  const GstRdpCameraInfo& right = *gst_rdp_camera_get_info(frames.right);
  const ViewDifference differ = compare_rectified(info, right);
  if (differ.what != nullptr || right.rectified == FALSE) {
    g_autofree gchar* text =
        differ.what == nullptr
            ? g_strdup("the camera on the right frames is not rectified")
            : g_strdup_printf(
                  "the %s of the cameras on the left and right frames differ, %.6g px "
                  "and %.6g px",
                  differ.what, differ.of_left, differ.of_right);
    const std::string reason =
        std::string(text) +
        ", expected one rectified pair: scale and crop both views alike, or set calibration to "
        "the file of the pair as it comes here";
    if (settings.output != StereoOutput::kDepthMm) {
      warn("The disparity gives no metres: " + reason + ".");
    }
    return no_camera(settings, reason);
  }
  info.disparity_offset = right.principal_x - info.principal_x;
  return use_camera(settings, width, height, info);
}

bool StereoCalibration::make_of_files(const StereoCalibrationSettings& settings, guint width,
                                      guint height) {
  const CameraSettings& set = settings.camera;
  // Reads again for another size: a file may have several.
  if (views_ == nullptr || !same_files(set, read_with_) || width != read_width_ ||
      height != read_height_) {
    if (!read(set, width, height)) return false;
  }
  const std::string files = ShownText(set.calibration.get()).get();
  std::vector<const GstRdpCameraInfo*> infos;
  for (guint i = 0; i < views_->len; ++i) {
    infos.push_back(
        gst_rdp_camera_get_info(static_cast<GstRdpCamera*>(g_ptr_array_index(views_, i))));
  }
  if (const std::string fault = view_fault(set, views_->len); !fault.empty()) return refuse(fault);
  const StereoViews views = find_stereo_views(infos, set.calibration_view);
  for (const GstRdpCameraInfo* info :
       {views.rectified_left, views.rectified_right, views.raw_left, views.raw_right}) {
    if (info == nullptr) continue;
    if (info->width == 0) {
      // The only sign of another size, if the file states none.
      if (info->principal_x < width && info->principal_y < height) continue;
      warn("The calibration in " + files + " seems to be for larger frames than " +
           size_text(width, height) +
           ": a principal point lies outside. Use the calibration for this size.");
      break;
    }
    if (info->width == width && info->height == height) continue;
    return refuse("The calibration in " + files + " is for frames of " +
                  size_text(info->width, info->height) + ", but each view here is " +
                  size_text(width, height) +
                  ": use the calibration for this size, or scale downstream of this element.");
  }
  PlannedRectification plan;
  const std::string wrong = plan_rectification(
      views, static_cast<int>(width), static_cast<int>(height), settings.rectify == Rectify::kOn,
      settings.rectify == Rectify::kOff, set.baseline > 0.0, &plan);
  if (!wrong.empty()) return refuse("The views cannot be rectified: " + files + " " + wrong + ".");
  if (plan.rectify) {
    use_maps(plan, width, height);
    warn_of_cuts(files);
  } else {
    maps_.reset();
    made_for_.clear();
  }
  if (plan.camera) return use_camera(settings, width, height, *plan.camera);
  return no_camera(
      settings,
      "with rectify=off the calibration in " + files +
          " does not describe the rectified views, only the raw cameras; set focal-length and "
          "baseline of the rectified views instead, or rectify=auto if they are raw");
}

// Pixels that a lens' model does not reach are black in the rectified views.
void StereoCalibration::warn_of_cuts(const std::string& files) {
  const std::size_t left = maps_->left.cut;
  const std::size_t right = maps_->right.cut;
  if (left == 0 && right == 0) return;
  const double percent = 100.0 / static_cast<double>(maps_->left.mask.size());
  const auto text = [&](std::size_t cut) {
    return number_text(static_cast<double>(cut) * percent, "%.2g");
  };
  warn("The lens model in " + files + " is not invertible in " + text(left) +
       " % of the left view and " + text(right) +
       " % of the right one: those pixels are black and have no disparity. Calibrate again with "
       "fewer coefficients to cover the whole views.");
}

// Unchanged maps stay the same object, so that copies of them on a GPU stay valid.
void StereoCalibration::use_maps(const PlannedRectification& plan, guint width, guint height) {
  const int w = static_cast<int>(width);
  const int h = static_cast<int>(height);
  if (maps_ != nullptr && maps_->left.width == w && maps_->left.height == h &&
      made_for_.size() == 2 && same_view(made_for_[0], plan.left) &&
      same_view(made_for_[1], plan.right)) {
    return;
  }
  maps_.reset();
  made_for_.clear();
  auto maps = std::make_shared<StereoMaps>();
  maps->left = stereo::rectification_map(plan.left, w, h);
  maps->right = stereo::rectification_map(plan.right, w, h);
  made_for_ = {plan.left, plan.right};
  maps_ = std::move(maps);
}

// --- the camera ---------------------------------------------------------------------------------

bool StereoCalibration::use_camera(const StereoCalibrationSettings& settings, guint width,
                                   guint height, GstRdpCameraInfo info) {
  const CameraSettings& set = settings.camera;
  const bool depth = settings.output == StereoOutput::kDepthMm;
  info.width = width;
  info.height = height;
  if (set.baseline > 0.0) info.baseline = set.baseline;
  if (set.disparity_offset != 0.0) info.disparity_offset = set.disparity_offset;
  info.measures = depth ? GST_RDP_MEASURE_DEPTH : GST_RDP_MEASURE_DISPARITY;
  info.disparity_unit = depth ? 0.0 : 1.0 / stereo::kDisparityOne;
  info.depth_unit = depth ? kDepthMmUnit : 0.0;
  warn_of_far_things(settings, info);
  disparity_offset_ = info.disparity_offset;
  const double of_samples = info.disparity_offset + stereo::sample_origin(settings.min_disparity);
  if (!depth) info.disparity_offset = of_samples;
  g_autoptr(GError) error = nullptr;
  camera_ = gst_rdp_camera_new(&info, &error);
  if (camera_ == nullptr)
    return refuse(std::string("The camera cannot be used: ") + error->message);
  if (info.baseline > 0.0) {
    depth_scale_ = stereo::depth_scale(info.focal_length, info.baseline, of_samples);
    return true;
  }
  reason_ = set.calibration
                ? std::string("found no baseline in ") + ShownText(set.calibration.get()).get() +
                      ", expected a pair with one: set baseline to the distance of the "
                      "cameras in metres, or name the file of the right camera, too"
                : "the baseline is not known: set baseline to the distance of the "
                  "cameras in metres";
  if (depth) return refuse("output=depth-mm needs metres: " + reason_ + ".");
  warn("The disparity gives no metres: " + reason_ + ".");
  return true;
}

// With an offset above 0, far objects have negative disparities, down to minus the offset at
// infinity. Many get a false, nearer match if the range excludes them. A min-disparity above 0 says
// that the user looks at near objects alone.
void StereoCalibration::warn_of_far_things(const StereoCalibrationSettings& settings,
                                           const GstRdpCameraInfo& info) {
  const double missed = info.disparity_offset + settings.min_disparity;
  if (settings.min_disparity > 0 || !(missed > 1.0 / stereo::kDisparityOne)) return;
  const double focal_baseline = info.focal_length * info.baseline;
  std::string text = "The disparity offset is " + number_text(info.disparity_offset, "%.6g") +
                     " px, so that objects ";
  if (focal_baseline > 0.0) {
    text += "farther than " + number_text(focal_baseline / missed, "%.3g") + " m ";
  }
  text += "have disparities below min-disparity=" + std::to_string(settings.min_disparity) +
          " and may be matched as near ones: ";
  const double needed =
      std::min<double>(std::ceil(info.disparity_offset), stereo::kMaxMinDisparity);
  const int smallest = -static_cast<int>(needed);
  if (smallest >= settings.min_disparity) {
    warn(text + "scale both views down alike (videoscale before the element).");
    return;
  }
  text += "set min-disparity=" + std::to_string(smallest);
  const int more = (settings.min_disparity - smallest + stereo::kDisparityStep - 1) /
                   stereo::kDisparityStep * stereo::kDisparityStep;
  if (settings.disparities + more <= stereo::kMaxDisparities) {
    text += ", and disparities=" + std::to_string(settings.disparities + more) +
            " to keep the nearest distance";
  }
  warn(text + ".");
}

bool StereoCalibration::no_camera(const StereoCalibrationSettings& settings, std::string reason) {
  reason_ = std::move(reason);
  if (settings.output == StereoOutput::kDepthMm) {
    return refuse("output=depth-mm needs metres: " + reason_ + ".");
  }
  if (settings.camera.calibration) warn("The disparity gives no metres: " + reason_ + ".");
  return true;
}

bool StereoCalibration::refuse(const std::string& text) {
  if (may_go_on_) {
    refusal_ = text;
    return false;
  }
  GST_ELEMENT_ERROR(element_, LIBRARY, SETTINGS, ("%s", text.c_str()), (nullptr));
  return false;
}

void StereoCalibration::warn(const std::string& text) { warnings_now_.push_back(text); }

}  // namespace rdp::gst
