// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/heightmap/height_cameras.h"

#include <gst/rdpsegment/rdpcamerameta.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gst/elements/base/camera_choice.h"
#include "gst/elements/base/camera_source.h"
#include "gst/memory/frame_layout.h"
#include "gst/rdpsegment/rdpcamerametric.h"

namespace rdp::gst {
namespace {

using heightmap::RigFault;

// Rounding error of exact zeros and ones in a camera that looks along the world's axes.
constexpr double kTurned = 1e-9;
constexpr double kDepthMmUnit = 0.001;

void clear(std::vector<GstRdpCamera*>* cameras) {
  for (GstRdpCamera* camera : *cameras) {
    if (camera != nullptr) gst_rdp_camera_unref(camera);
  }
  cameras->clear();
}

bool is_same(GstRdpCamera* a, GstRdpCamera* b) {
  if (a == b) return true;
  return a != nullptr && b != nullptr &&
         same_camera(*gst_rdp_camera_get_info(a), *gst_rdp_camera_get_info(b));
}

bool same_frame(const ViewFrame& a, const ViewFrame& b) {
  return a.width == b.width && a.height == b.height && a.pad == b.pad;
}

bool distorts(const GstRdpCameraInfo& info) {
  return std::any_of(std::begin(info.distortion), std::end(info.distortion),
                     [](double k) { return k != 0.0; });
}

bool is_rectified(GstRdpCamera* camera) {
  return gst_rdp_camera_get_info(camera)->rectified != FALSE;
}

// True if the camera's axes are the world's, as in files of Kalibr, KITTI and ROS, where a camera
// defines the world. Looking along +Z from a ground at Z = 0, it would see only the sky.
bool is_the_world(const GstRdpCameraInfo& info) {
  if (info.has_pose == FALSE) return false;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      const double turned = info.pose[4 * row + column] - (row == column ? 1.0 : 0.0);
      if (std::fabs(turned) > kTurned) return false;
    }
  }
  return true;
}

constexpr const char* kWorldRemedy =
    "expected cameras in one world whose ground is Z = 0, up +Z, in metres: JSON with projection, "
    "or "
    "with K, R and t (cv::solvePnP with points of the ground), or cameras with such a pose";

std::string fault_text(RigFault fault, const std::string& source, const std::string& reference,
                       const heightmap::Parameters& parameters) {
  switch (fault) {
    case RigFault::kNone:
      break;
    case RigFault::kNotFinite:
      return source + " has numbers that are not finite, expected a matrix of finite numbers";
    case RigFault::kNoCamera:
      return source +
             " is no camera: the left three columns of its matrix have no inverse, expected the "
             "matrix K [R | t] of a camera";
    case RigFault::kGroundBehind:
      return source +
             " does not see the ground in the middle of its picture, but has it behind itself or "
             "looks at the sky, expected a camera that looks down on Z = 0 of a right-handed world "
             "with up +Z. If the world is left-handed, mirror one axis: negate the second column "
             "of "
             "all matrices, and Y of all places";
    case RigFault::kBelow:
      return source +
             " is below the ground, expected a camera above Z = 0 of a right-handed world with up "
             "+Z. If the pose was found of points on the ground, their X and Y are left-handed: "
             "exchange X and Y of all points, and find the poses again";
    case RigFault::kNoGround:
      return source + format_text(
                          " is exactly at one of the searched heights, 0 to %g m, expected a "
                          "camera above or between them: set max-height below it",
                          parameters.max_height / 1000.0);
    case RigFault::kApart:
      return source + " and " + reference +
             " see no common ground, expected views that overlap, within some 30 degrees of each "
             "other: check that the pads are in the calibration's order";
  }
  return source;
}

}  // namespace

bool projection_of(const GstRdpCameraInfo& info, double projection[3][4]) {
  if (info.has_projection != FALSE) {
    for (std::size_t i = 0; i < 12; ++i) projection[i / 4][i % 4] = info.projection[i];
    return true;
  }
  if (info.has_pose == FALSE) return false;
  // K [R' | -R' t] of world from camera, R and t.
  double view[3][4];
  for (std::size_t row = 0; row < 3; ++row) {
    double shift = 0.0;
    for (std::size_t column = 0; column < 3; ++column) {
      view[row][column] = info.pose[4 * column + row];
      shift += view[row][column] * info.pose[4 * column + 3];
    }
    view[row][3] = -shift;
  }
  for (std::size_t column = 0; column < 4; ++column) {
    projection[0][column] =
        info.focal_length * view[0][column] + info.principal_x * view[2][column];
    projection[1][column] =
        info.focal_length_y * view[1][column] + info.principal_y * view[2][column];
    projection[2][column] = view[2][column];
  }
  return true;
}

HeightCameras::~HeightCameras() {
  clear(&cameras_);
  clear(&found_);
  if (camera_ != nullptr) gst_rdp_camera_unref(camera_);
  if (calibration_ != nullptr) g_ptr_array_unref(calibration_);
}

bool HeightCameras::refuse(const std::string& text) {
  if (may_go_on_) {
    refusal_ = text;
    return false;
  }
  GST_ELEMENT_ERROR(element_, LIBRARY, SETTINGS, ("Heights cannot be found: %s.", text.c_str()),
                    (nullptr));
  return false;
}

void HeightCameras::warn(const std::string& text) {
  if (std::find(warnings_.begin(), warnings_.end(), text) != warnings_.end()) return;
  GST_ELEMENT_WARNING(element_, LIBRARY, SETTINGS, ("%s", text.c_str()), (nullptr));
  warnings_.push_back(text);
}

// A view's camera, as messages call it.
std::string HeightCameras::source_of(const ViewFrame& frame) const {
  return calibration_ == nullptr ? format_text("the camera on the buffers of %s", frame.pad)
                                 : format_text("the camera of %s in %s", frame.pad,
                                               ShownText(calibration_name_.get()).get());
}

bool HeightCameras::start(const CameraSettings& settings) {
  calibration_name_ = settings.calibration;
  if (!settings.calibration) return true;
  // Files of any size: views may differ.
  calibration_ = read_calibration(element_, settings, 0, 0);
  return calibration_ != nullptr;
}

// --- the cameras of a set -----------------------------------------------------------------------

std::span<GstRdpCamera* const> HeightCameras::all_views() const {
  return {reinterpret_cast<GstRdpCamera**>(calibration_->pdata), calibration_->len};
}

std::size_t HeightCameras::rectified_views() const {
  const std::span all = all_views();
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_rectified));
}

std::size_t HeightCameras::views_of_batch(guint batch_size) const {
  if (calibration_ == nullptr) return 0;
  const std::size_t all = all_views().size();
  const std::size_t rectified = rectified_views();
  const std::size_t raw = all - rectified;
  const bool of_one_kind = rectified != raw && (batch_size == rectified || batch_size == raw);
  return of_one_kind && batch_size > 0 ? batch_size : all;
}

// Chooses the calibration's views, in the order of the pads' numbers: all of them if they are as
// many as the pads. Otherwise the rectified or the raw ones, if just one kind is as many.
bool HeightCameras::choose_views(std::span<const ViewFrame> frames, Cameras* cameras) {
  const std::span all = all_views();
  const std::size_t rectified = rectified_views();
  const std::size_t raw = all.size() - rectified;
  const bool whole = all.size() == frames.size();
  if (!whole && (rectified == frames.size()) == (raw == frames.size())) {
    std::string kinds;
    if (rectified > 0 && raw > 0) {
      kinds =
          format_text(" (%" G_GSIZE_FORMAT " rectified, %" G_GSIZE_FORMAT " raw)", rectified, raw);
    }
    return refuse(format_text("%s has %" G_GSIZE_FORMAT " views%s, but there are %" G_GSIZE_FORMAT
                              " pads, expected one view for each: request as many pads, or set "
                              "calibration to the views of these pads",
                              ShownText(calibration_name_.get()).get(), all.size(), kinds.c_str(),
                              frames.size()));
  }
  for (GstRdpCamera* camera : all) {
    if (whole || is_rectified(camera) == (rectified == frames.size())) {
      cameras->push_back(gst_rdp_camera_ref(camera));
    }
  }
  return true;
}

// Fills `cameras` with references. False, after an element error.
bool HeightCameras::read_cameras(std::span<const ViewFrame> frames, Cameras* cameras) {
  clear(cameras);
  // Reserved first: a reference would leak if the list could not grow.
  cameras->reserve(calibration_ != nullptr ? all_views().size() : frames.size());
  if (calibration_ != nullptr) return choose_views(frames, cameras);
  for (const ViewFrame& frame : frames) {
    g_autoptr(GError) error = nullptr;
    GstRdpCamera* camera = gst_rdp_buffer_get_camera(frame.buffer, &error);
    if (camera != nullptr) {
      cameras->push_back(camera);
      continue;
    }
    if (gst_buffer_get_rdp_camera_meta(frame.buffer) != nullptr) {
      return refuse(
          format_text("the camera on a buffer of %s is lost (%s): set calibration for the pictures "
                      "as they arrive here",
                      frame.pad, error != nullptr ? error->message : "the reason is not known"));
    }
    return refuse(
        format_text("the camera of the view on %s is not known, expected calibration=FILE with one "
                    "view for each of the %" G_GSIZE_FORMAT
                    " pads, or a camera with a pose on each buffer: set calibration",
                    frame.pad, frames.size()));
  }
  return true;
}

bool HeightCameras::change(const RigSettings& settings, std::span<const ViewFrame> frames) {
  may_go_on_ = false;  // also after std::bad_alloc
  const bool same_frames =
      std::equal(frames.begin(), frames.end(), frames_.begin(), frames_.end(), same_frame);
  const bool same_settings = known_ && settings == settings_ && same_frames;
  // With a calibration, cameras on buffers are not used.
  if (same_settings && calibration_ != nullptr) return true;
  if (!read_cameras(frames, &found_)) {
    known_ = false;
    return false;
  }
  if (same_settings &&
      std::equal(found_.begin(), found_.end(), cameras_.begin(), cameras_.end(), is_same)) {
    return true;
  }
  // During playback, settings may be contradictory between two changes: sets then use the last
  // consistent ones.
  const bool plays = known_ && !(settings.parameters == settings_.parameters);
  known_ = false;  // until all of it is
  cameras_.swap(found_);
  RigSettings used = settings;
  may_go_on_ = plays;
  const bool fits = make(used, frames);
  may_go_on_ = false;
  if (!fits) {
    if (!plays) return false;
    used.parameters = settings_.parameters;
    if (!make(used, frames)) return false;
    GST_ELEMENT_WARNING(
        element_, LIBRARY, SETTINGS,
        ("Heights cannot be found with these settings, and the previous ones stay in effect: %s.",
         refusal_.c_str()),
        (nullptr));
  }
  settings_ = used;
  frames_.assign(frames.begin(), frames.end());
  known_ = true;
  return true;
}

// --- a change -----------------------------------------------------------------------------------

bool HeightCameras::make(const RigSettings& settings, std::span<const ViewFrame> frames) {
  rig_.views.clear();
  maps_.clear();
  rig_.reference = static_cast<int>(settings.reference);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (!add_view(settings, frames[i], cameras_[i])) return false;
  }
  return check(settings, frames) && make_camera(settings);
}

bool HeightCameras::add_view(const RigSettings& settings, const ViewFrame& frame,
                             GstRdpCamera* camera) {
  const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(camera);
  const std::string source = source_of(frame);
  if (info.width != 0 && (info.width != frame.width || info.height != frame.height)) {
    return refuse(
        format_text("the pictures of %s are of %ux%u, and %s is of %ux%u: scale them to that size "
                    "(videoscale), or set the calibration for the pictures as they arrive here",
                    frame.pad, frame.width, frame.height, source.c_str(), info.width, info.height));
  }
  heightmap::View view;
  view.width = static_cast<int>(frame.width);
  view.height = static_cast<int>(frame.height);
  if (!projection_of(info, view.projection)) {
    return refuse(source + " has no pose, " + kWorldRemedy);
  }
  if (is_the_world(info)) {
    return refuse("the world of " + source +
                  " is a camera's own, in which the ground is not known, " + kWorldRemedy);
  }
  std::shared_ptr<const RectificationMap> map;
  if (distorts(info)) {
    if (settings.undistort == Undistort::kOff) {
      return refuse(format_text(
          "the lens of %s distorts, and undistort=off, expected pictures without distortion: set "
          "undistort=auto, or undistort the pictures before (cameraundistort, cv::undistort) and "
          "give the matrix of those",
          source.c_str()));
    }
    ViewRectification straight;
    straight.camera = meta::camera_lens(info);
    straight.rectified = straight.camera;
    straight.rectified.distortion = {};
    map = std::make_shared<RectificationMap>(rectification_map(straight, view.width, view.height));
    if (map->cut > 0) {
      warn(format_text(
          "The lens model of %s is not invertible in %.2g %% of the view: there are no heights "
          "there. Calibrate again with fewer coefficients to cover the whole view.",
          source.c_str(),
          100.0 * static_cast<double>(map->cut) / static_cast<double>(map->mask.size())));
    }
  }
  rig_.views.push_back(view);
  maps_.push_back(std::move(map));
  return true;
}

// Explains camera heights that are all too small or all too large, which suggests another unit;
// empty if they are plausible.
std::string HeightCameras::unit_fault() const {
  constexpr double kLeast = 0.05;  // m
  constexpr double kMost = 200.0;
  double lowest = std::numeric_limits<double>::infinity();
  double highest = 0.0;
  for (GstRdpCamera* camera : cameras_) {
    const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(camera);
    if (info.has_pose == FALSE) return {};
    lowest = std::min(lowest, std::fabs(info.pose[11]));
    highest = std::max(highest, std::fabs(info.pose[11]));
  }
  if (cameras_.empty() || (highest >= kLeast && lowest <= kMost)) return {};
  return format_text(
      "the cameras stand %.3g to %.3g m from the ground, expected some metres: check the unit of "
      "the calibration, \"unit\" in the file (\"m\", \"cm\" or \"mm\"), or calibration-unit where "
      "the file states none",
      lowest, highest);
}

// Explains two views from one place, such as one calibration named for both: they show no heights.
// Empty if there are none.
std::string HeightCameras::place_fault(std::span<const ViewFrame> frames) const {
  for (std::size_t i = 0; i < cameras_.size(); ++i) {
    const GstRdpCameraInfo& a = *gst_rdp_camera_get_info(cameras_[i]);
    if (a.has_pose == FALSE) return {};
    for (std::size_t j = 0; j < i; ++j) {
      const GstRdpCameraInfo& b = *gst_rdp_camera_get_info(cameras_[j]);
      if (a.pose[3] != b.pose[3] || a.pose[7] != b.pose[7] || a.pose[11] != b.pose[11]) continue;
      return source_of(frames[j]) + " is in the same place as that of " + frames[i].pad +
             ", expected views from several places: check that each view has its own calibration";
    }
  }
  return {};
}

bool HeightCameras::check(const RigSettings& settings, std::span<const ViewFrame> frames) {
  const heightmap::RigError error = heightmap::check_rig(rig_, settings.parameters);
  const std::string unit = unit_fault();
  if (error.fault == RigFault::kNone) {
    for (const std::string& fault : {unit, place_fault(frames)}) {
      if (!fault.empty()) warn("Heights may be wrong: " + fault + ".");
    }
    return true;
  }
  if (!unit.empty() && error.fault != RigFault::kNotFinite && error.fault != RigFault::kNoCamera) {
    return refuse(unit);
  }
  const auto view = static_cast<std::size_t>(error.view);
  return refuse(fault_text(error.fault, source_of(frames[view]),
                           source_of(frames[settings.reference]), settings.parameters));
}

// Makes the camera of the reference's picture as it is labelled, without distortion.
bool HeightCameras::make_camera(const RigSettings& settings) {
  const bool depth = settings.output == HeightOutput::kDepthMm;
  GstRdpCameraInfo info = *gst_rdp_camera_get_info(cameras_[settings.reference]);
  info.width = static_cast<guint>(rig_.seen().width);
  info.height = static_cast<guint>(rig_.seen().height);
  std::fill(std::begin(info.distortion), std::end(info.distortion), 0.0);
  info.measures = depth ? GST_RDP_MEASURE_DEPTH : GST_RDP_MEASURE_UNKNOWN;
  info.disparity_unit = 0.0;
  info.depth_unit = depth ? kDepthMmUnit : 0.0;
  g_autoptr(GError) error = nullptr;
  GstRdpCamera* camera = gst_rdp_camera_new(&info, &error);
  if (camera == nullptr) {
    return refuse(std::string("the reference's camera cannot be used: ") + error->message);
  }
  if (camera_ != nullptr) gst_rdp_camera_unref(camera_);
  camera_ = camera;
  return true;
}

}  // namespace rdp::gst
