// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/camera_source.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/image/lens_reach.h"
#include "common/image/same_camera.h"
#include "gst/elements/base/camera_choice.h"
#include "gst/memory/frame_layout.h"
#include "gst/rdpsegment/rdpcameralost.h"
#include "gst/rdpsegment/rdpcamerametric.h"

namespace rdp::gst {
namespace {

const GstRdpCameraInfo* info_of(GstRdpCamera* camera) {
  return camera == nullptr ? nullptr : gst_rdp_camera_get_info(camera);
}

void clear(GstRdpCamera** camera) { g_clear_pointer(camera, gst_rdp_camera_unref); }

// Returns the message without its prefix.
std::string reason_of(const GError* error) {
  constexpr const char* kBefore = "no metres: ";
  const char* text = error->message;
  return g_str_has_prefix(text, kBefore) != FALSE ? text + std::strlen(kBefore) : text;
}

// 8-bit depth whose largest sample is nearer than this is probably not depth.
constexpr double kLargestByte = 255.0;
constexpr double kVeryNear = 0.3;  // m

// Explains why no camera is known, and what to set: only the missing part, if it is known.
std::string explain_no_camera(const CameraSettings& settings, const SampleMeaning& meaning) {
  const bool rest_is_known =
      meaning.unit > 0.0 && (meaning.measures == GST_RDP_MEASURE_DEPTH || settings.baseline > 0.0);
  return rest_is_known ? "focal-length is not set: set it, in pixels, or set calibration"
                       : "the camera of the frames is not known: set calibration, or focal-length "
                         "and, for disparity, baseline";
}

}  // namespace

GPtrArray* read_calibration(GstElement* element, const CameraSettings& settings, guint width,
                            guint height) {
  const char* files = settings.calibration.get();
  g_autoptr(GError) error = nullptr;
  GPtrArray* views =
      gst_rdp_camera_read_files(files, settings.calibration_unit, width, height, &error);
  if (views == nullptr) {
    GST_ELEMENT_ERROR(element, RESOURCE, SETTINGS,
                      ("The calibration cannot be used: %s.", error->message),
                      ("calibration=%s", ShownText(files).get()));
  }
  return views;
}

void post_warnings(GstElement* element, std::vector<std::string> now,
                   std::vector<std::string>* posted) {
  for (const std::string& warning : now) {
    if (std::find(posted->begin(), posted->end(), warning) != posted->end()) continue;
    GST_ELEMENT_WARNING(element, LIBRARY, SETTINGS, ("%s", warning.c_str()), (nullptr));
  }
  *posted = std::move(now);
}

// --- the stream ---------------------------------------------------------------------------------

bool CameraSource::start(const CameraSettings& settings) {
  forget();
  if (!settings.calibration) return true;
  if (settings.focal_length > 0.0) {
    GST_ELEMENT_ERROR(element_, LIBRARY, SETTINGS, ("%s.", kTwoGeometries),
                      ("calibration=%s", ShownText(settings.calibration.get()).get()));
    return false;
  }
  calibration_settings_ = settings;
  // Read all sizes now, so that errors in the files are reported before frames come.
  return read_calibration(0, 0);
}

bool CameraSource::read_calibration(guint width, guint height) {
  clear(&calibration_);
  const CameraSettings& settings = calibration_settings_;
  g_autoptr(GPtrArray) views = rdp::gst::read_calibration(element_, settings, width, height);
  if (views == nullptr) return false;
  if (const std::string fault = view_fault(settings, views->len); !fault.empty()) {
    GST_ELEMENT_ERROR(element_, LIBRARY, SETTINGS, ("%s", fault.c_str()), (nullptr));
    return false;
  }
  calibration_ = gst_rdp_camera_ref(
      static_cast<GstRdpCamera*>(g_ptr_array_index(views, settings.calibration_view)));
  return true;
}

bool CameraSource::set_frames(const GstVideoInfo& info) {
  width_ = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info));
  height_ = static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info));
  bytes_ = GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_GRAY8;
  known_ = false;
  if (!calibration_settings_.calibration) return true;
  // Read again: a file may have several sizes.
  if (!read_calibration(width_, height_)) return false;
  const GstRdpCameraInfo* calibration = info_of(calibration_);
  if (calibration->width == 0 || (calibration->width == width_ && calibration->height == height_)) {
    return true;
  }
  GST_ELEMENT_ERROR(element_, LIBRARY, SETTINGS,
                    ("The calibration is for frames of %ux%u, but the frames here are %ux%u: use "
                     "the calibration for this size, or scale and crop downstream of this element.",
                     calibration->width, calibration->height, width_, height_),
                    ("calibration=%s; it describes the frames as they arrive at this element; "
                     "downstream the camera is scaled and cropped with them",
                     ShownText(calibration_settings_.calibration.get()).get()));
  return false;
}

void CameraSource::forget_frame() {
  clear(&camera_);
  made_ = false;
  meaning_ = {};
  metric_.reset();
  reason_.clear();
  may_guess_ = false;
  guessed_ = false;
  lost_ = false;
}

void CameraSource::forget() {
  forget_frame();
  clear(&seen_.camera);
  seen_ = {};
  known_ = false;
  clear(&calibration_);
  calibration_settings_ = {};
  warnings_.clear();
  fitting_.reset();
  said_unfit_.clear();
  said_missing_.clear();
  warned_of_lost_ = false;
}

// --- the frame ----------------------------------------------------------------------------------

CameraSource::InputState CameraSource::see(GstBuffer* buffer) const {
  InputState seen;
  if (const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(buffer)) {
    seen.has_meta = true;
    seen.camera = meta->camera != nullptr ? meta->camera : meta->_before;
    seen.how_lost = meta->_lost;
    seen.samples_changed = meta->_samples_changed != FALSE;
  }
  const GstVideoMeta* picture = gst_buffer_get_video_meta(buffer);
  seen.width = picture != nullptr ? picture->width : width_;
  seen.height = picture != nullptr ? picture->height : height_;
  if (const GstVideoCropMeta* crop = gst_buffer_get_video_crop_meta(buffer)) {
    seen.x = crop->x;
    seen.y = crop->y;
  }
  return seen;
}

void CameraSource::look(const CameraSettings& settings, const CameraUse& use, GstBuffer* buffer) {
  if (!use.measures) return;
  const InputState seen = see(buffer);
  if (known_ && seen == seen_ && settings == settings_ && use == use_) return;
  known_ = false;  // until all members are updated
  clear(&seen_.camera);
  seen_ = seen;
  if (seen_.camera != nullptr) gst_rdp_camera_ref(seen_.camera);
  settings_ = settings;
  use_ = use;
  change(settings, use, buffer);
  if (use.required && !metric_ && !lost_ && fitting_) {
    go_on_as_before(settings, use, buffer);
  } else if (metric_) {
    fitting_ = settings;
    said_unfit_.clear();
  }
  known_ = true;
}

// Goes on with the previous settings, because the user may be changing several properties one by
// one. If those do not fit this frame either, the present settings stay.
void CameraSource::go_on_as_before(const CameraSettings& settings, const CameraUse& use,
                                   GstBuffer* buffer) {
  const std::string why = reason_;
  const CameraSettings before = *fitting_;
  change(before, use, buffer);
  if (!metric_) {
    change(settings, use, buffer);
    return;
  }
  if (why == said_unfit_) return;
  said_unfit_ = why;
  GST_ELEMENT_WARNING(
      element_, LIBRARY, SETTINGS,
      ("The camera's new properties do not fit, and the previous ones stay in effect: %s.",
       why.c_str()),
      (nullptr));
}

// Returns the buffer's camera (transfer full). Null: there is none or, with *lost, it is not valid
// for this frame. *unit: the property to set if the camera no longer knows the samples' unit.
GstRdpCamera* CameraSource::read_camera_of(GstBuffer* buffer, std::string* lost,
                                           meta::UnitRemedy* unit) const {
  const GstRdpCameraMeta* found = gst_buffer_get_rdp_camera_meta(buffer);
  if (found == nullptr) return nullptr;
  const GstRdpCameraInfo* const kept = seen_.samples_changed ? nullptr : info_of(seen_.camera);
  g_autoptr(GError) error = nullptr;
  g_autoptr(GstRdpCamera) camera = gst_rdp_buffer_get_camera(buffer, &error);
  if (camera == nullptr) {
    if (error != nullptr) *lost = error->message;
    const bool here = found->_lost == 0;  // lost because of the size of the picture in the buffer
    *unit = meta::unit_remedy(
        kept, here ? meta::LostCamera::kSize : static_cast<meta::LostCamera>(found->_lost),
        found->_lost_sizes);
    return nullptr;
  }
  const GstRdpCameraInfo* info = gst_rdp_camera_get_info(camera);
  // Without a GstVideoMeta the size of the picture is known from the caps only.
  if (info->width == 0 || (info->width == width_ && info->height == height_)) {
    if (seen_.samples_changed && bytes_) *unit = meta::unit_remedy_of_bytes(*info_of(seen_.camera));
    return static_cast<GstRdpCamera*>(g_steal_pointer(&camera));
  }
  const guint sizes[4] = {info->width, info->height, width_, height_};
  *unit = meta::unit_remedy(kept, meta::LostCamera::kSize, sizes);
  g_autofree gchar* text = meta::lost_camera_text(meta::LostCamera::kSize, sizes, true, *unit);
  *lost = text;
  return nullptr;
}

void CameraSource::change(const CameraSettings& settings, const CameraUse& use, GstBuffer* buffer) {
  forget_frame();
  std::string lost;
  meta::UnitRemedy unit;
  g_autoptr(GstRdpCamera) of_buffer = read_camera_of(buffer, &lost, &unit);
  const bool was_lost = !lost.empty();
  if (was_lost && calibration_ == nullptr && !(settings.focal_length > 0.0)) {
    lost_ = true;
    warn_of_lost(lost);
    reason_ = std::move(lost);
  }
  make(settings, use, of_buffer, was_lost, unit);
  // Never replace a lost camera by a guess.
  if (was_lost) may_guess_ = false;
  if (use.guesses && may_guess_ && !metric_) guess_metres(use);
  warn_of_settings(settings, use);
}

// Makes the frame's camera and finds its metres.
void CameraSource::make(const CameraSettings& settings, const CameraUse& use,
                        GstRdpCamera* of_buffer, bool was_lost, const meta::UnitRemedy& unit) {
  CameraSources sources{settings, info_of(calibration_), info_of(of_buffer), use, width_, height_,
                        bytes_};
  sources.lost = was_lost;
  sources.remedy_for = unit.measures;
  sources.unit_remedy = unit.text;
  SampleMeaningResult choice = choose_meaning(sources);
  meaning_ = choice.meaning;
  // A camera that says depth without a unit lost the unit in a conversion.
  const bool had_unit = sources.frame != nullptr &&
                        sources.frame->measures == GST_RDP_MEASURE_DEPTH && !(meaning_.unit > 0.0);
  may_guess_ = !choice.contradictory && !had_unit && meaning_.measures != GST_RDP_MEASURE_DISPARITY;
  if (lost_) return;
  if (calibration_ != nullptr && settings.focal_length > 0.0) {
    reason_ = kTwoGeometries;
    may_guess_ = false;
    return;
  }
  const std::optional<GstRdpCameraInfo> info = compose_camera(sources, meaning_);
  if (!info) {
    reason_ =
        choice.contradictory ? std::move(choice.reason) : explain_no_camera(settings, meaning_);
    return;
  }
  if (sources.frame != nullptr && same_camera(*info, *sources.frame)) {
    camera_ = gst_rdp_camera_ref(of_buffer);
    // Attach it: it says that the samples' unit is lost. Metadata of the results describes these
    // samples, so the former unit must not return with it.
    made_ = seen_.samples_changed;
  } else {
    g_autoptr(GError) error = nullptr;
    camera_ = gst_rdp_camera_new(&*info, &error);
    if (camera_ == nullptr) {
      reason_ = error->message;
      may_guess_ = false;
      return;
    }
    made_ = true;
  }
  find_metres(use, std::move(choice.reason));
}

// Computes metric(), or the reason why there are no metres.
void CameraSource::find_metres(const CameraUse& use, std::string reason) {
  reason_ = std::move(reason);
  if (!reason_.empty()) return;
  g_autoptr(GError) error = nullptr;
  MetricCamera metric;
  if (!meta::metric_camera(camera_, nullptr, &metric, &error)) {
    reason_ = reason_of(error);
    return;
  }
  // Here the domain is inverse depth: disparity would have given a reason.
  if (use.inverse) meta::invert_domain(use.inverse_scale, &metric.depth);
  if (use.straight_lens && !metric.distortion.none) {
    reason_ =
        "the camera's lens distorts, which the bird's-eye view does not correct: rectify the "
        "frames upstream, and set the camera of the rectified frames, whose distortion is 0";
    return;
  }
  if (!objects(use, metric)) metric_ = metric;
  if (metric_) look_at_lens();
}

// Estimates the share of pixels that a lens model leaves out, from a sample of the frame for speed.
void CameraSource::look_at_lens() {
  const Distortion& d = metric_->distortion;
  if (d.none) return;
  if (lens_width_ == width_ && lens_height_ == height_ && same_lens(lens_, *metric_)) return;
  without_ray_ = share_without_ray(*metric_, static_cast<int>(width_), static_cast<int>(height_));
  lens_ = *metric_;
  lens_width_ = width_;
  lens_height_ = height_;
}

// True, with reason_, if the element refuses such a camera. Then nothing is guessed.
bool CameraSource::objects(const CameraUse& use, const MetricCamera& metric) {
  if (use.objection == nullptr) return false;
  const char* objection =
      use.objection(metric, static_cast<int>(width_), static_cast<int>(height_));
  if (objection == nullptr) return false;
  reason_ = objection;
  may_guess_ = false;
  return true;
}

double CameraSource::depth_unit() const {
  if (!metric_) return 0.0;
  if (guessed_) return metric_->depth.factor;
  return meaning_.measures == GST_RDP_MEASURE_DEPTH ? meaning_.unit : 0.0;
}

// Keeps the known parts of the camera; the reason names the missing ones.
void CameraSource::guess_metres(const CameraUse& use) {
  constexpr double kFocalWidths = 0.9;
  constexpr double kMillimetre = 0.001;
  MetricCamera metric;
  if (camera_ != nullptr) {
    static_cast<CameraLens&>(metric) = meta::camera_lens(*gst_rdp_camera_get_info(camera_));
  } else {
    metric.focal_x = metric.focal_y = kFocalWidths * width_;
    metric.principal_x = (width_ - 1.0) / 2.0;
    metric.principal_y = (height_ - 1.0) / 2.0;
  }
  metric.depth.factor = meaning_.unit > 0.0 ? meaning_.unit : kMillimetre;
  if (objects(use, metric)) return;
  metric_ = metric;
  guessed_ = true;
}

// --- what the user is told ----------------------------------------------------------------------

bool CameraSource::go_on_without(const char* metres_for, bool plays) {
  if (!plays) {
    GST_ELEMENT_ERROR(element_, LIBRARY, SETTINGS,
                      ("%s needs metres: %s.", metres_for, reason_.c_str()), (nullptr));
    return false;
  }
  if (reason_ == said_missing_) return true;
  said_missing_ = reason_;
  GST_ELEMENT_WARNING(
      element_, LIBRARY, SETTINGS,
      ("%s needs metres, and frames go on without it: %s.", metres_for, reason_.c_str()),
      (nullptr));
  return true;
}

void CameraSource::warn_of_lost(const std::string& why) {
  if (warned_of_lost_) return;
  warned_of_lost_ = true;
  GST_ELEMENT_WARNING(element_, STREAM, FORMAT,
                      ("The frames give no metres from this one on: %s.", why.c_str()), (nullptr));
}

void CameraSource::warn_of_settings(const CameraSettings& settings, const CameraUse& use) {
  std::vector<std::string> now;
  if (meaning_.measures == GST_RDP_MEASURE_DISPARITY && use.inverse) {
    now.push_back(
        "domain=inverse is for depth, but the samples are disparity, in which planes are straight "
        "lines already: set domain=linear, or measures=depth if they are depth.");
  }
  if (contradicts_sample_scale(meaning_, use)) {
    const bool disparity = meaning_.measures == GST_RDP_MEASURE_DISPARITY;
    const char* unit = disparity ? "disparity-unit" : "depth-unit";
    now.push_back(setting_text("sample-scale", use.sample_scale) +
                  ", but a step of the samples is " + setting_text(unit, meaning_.unit) +
                  (disparity ? " px" : " m") +
                  ": epsilon is measured with sample-scale, metres with " + unit +
                  ": set both to the size of a step.");
  }
  for (std::string fault : {focal_length_fault(settings), baseline_fault(settings)}) {
    if (!fault.empty()) now.push_back(std::move(fault));
  }
  if (camera_ == nullptr && !lost_ && !reason_.empty() &&
      (settings.focal_length > 0.0 || calibration_ != nullptr)) {
    now.push_back("The camera's properties cannot be used: " + reason_ + ".");
  }
  if (guessed_) {
    now.push_back("The camera is a guess, " + setting_text("focal-length", metric_->focal_x) +
                  " px and " + setting_text("depth-unit", metric_->depth.factor) + " m, because " +
                  reason_ +
                  ". It hardly changes which planes are found, but it changes lengths and angles.");
  }
  if (const double unit = depth_unit(); bytes_ && unit > 0.0 && kLargestByte * unit < kVeryNear) {
    now.push_back("With GRAY8 and " + setting_text("depth-unit", unit) +
                  ", nothing is farther than " + number_text(kLargestByte * unit) +
                  " m. Are the frames an image? Depth is usually GRAY16_LE; of 8-bit depth, set "
                  "depth-unit to the metres per sample step.");
  }
  if (metric_ && !metric_->distortion.none && without_ray_ > 0.0) {
    now.push_back("The camera's lens model is not invertible in " +
                  number_text(100.0 * without_ray_, "%.2g") +
                  " % of the frame: there are no points there. Calibrate again with fewer "
                  "coefficients to cover the whole frame.");
  }
  post_warnings(element_, std::move(now), &warnings_);
}

void CameraSource::attach(GstBuffer* buffer) const {
  if (made_) gst_buffer_add_rdp_camera_meta(buffer, camera_);
  if (lost_) note_lost(buffer);
}

void CameraSource::put(GstBuffer* buffer) const {
  if (camera_ != nullptr && !lost_) gst_buffer_add_rdp_camera_meta(buffer, camera_);
}

// Marks the camera on the buffer as lost. Without a GstVideoMeta only the caps tell that the camera
// is invalid, and readers of the metadata have no caps.
void CameraSource::note_lost(GstBuffer* buffer) const {
  GstRdpCameraMeta* found = gst_buffer_get_rdp_camera_meta(buffer);
  if (found == nullptr || found->camera == nullptr) return;
  const GstRdpCameraInfo* info = gst_rdp_camera_get_info(found->camera);
  found->_lost = static_cast<guint>(meta::LostCamera::kSize);
  found->_lost_sizes[0] = info->width;
  found->_lost_sizes[1] = info->height;
  found->_lost_sizes[2] = width_;
  found->_lost_sizes[3] = height_;
  clear(&found->_before);
  if (seen_.samples_changed) {
    clear(&found->camera);
  } else {
    found->_before = std::exchange(found->camera, nullptr);
  }
}

}  // namespace rdp::gst
