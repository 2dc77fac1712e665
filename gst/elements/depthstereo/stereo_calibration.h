// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_CALIBRATION_H_
#define RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_CALIBRATION_H_

#include <gst/rdpsegment/rdpcamera.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/stereo/depth_table.h"
#include "common/stereo/parameters.h"
#include "common/stereo/rectification.h"
#include "gst/elements/base/camera_properties.h"

namespace rdp::gst {

struct PlannedRectification;

enum class Rectify {
  kAuto,  // if the calibration says that the views need it
  kOn,
  kOff,  // the views are rectified already
};

enum class StereoOutput { kDisparity, kDepthMm };

// The user's description of the two cameras. The members disparity-unit, depth-unit and measures of
// `camera` are ignored: the output has a fixed unit.
struct StereoCalibrationSettings {
  CameraSettings camera;
  Rectify rectify = Rectify::kAuto;
  StereoOutput output = StereoOutput::kDisparity;
  // The disparity search range in pixels.
  int min_disparity = stereo::Parameters().min_disparity;
  int disparities = stereo::Parameters().disparities;

  bool operator==(const StereoCalibrationSettings&) const = default;
};

// Cameras attached to the frames of both views.
struct CamerasOfFrames {
  GstRdpCamera* left = nullptr;   // null: none, or it was lost
  GstRdpCamera* right = nullptr;  // the same
  bool right_lost = false;        // its camera is no longer valid
  // Crop of the left view minus crop of the right one, in pixels from the left and from above, as
  // far as known.
  double crop_x = 0.0;
  double crop_y = 0.0;

  bool operator==(const CamerasOfFrames&) const = default;
};

// The source pixels of both rectified views.
struct StereoMaps {
  stereo::RectificationMap left;
  stereo::RectificationMap right;
};

// Derives the rectification maps and the disparity's camera from calibration, properties and frame
// size. The views come from gst_rdp_camera_read_files(). calibration-view names the first one of
// the pair; 0 selects the first pair. Poses, if present, decide which view is the left one.
//
// The work is done once per change: otherwise change() costs a few comparisons and allocates
// nothing. One thread at a time, which also posts the messages.
class StereoCalibration {
 public:
  // `element` posts the messages and outlives the object.
  explicit StereoCalibration(GstElement* element) : element_(element) {}
  ~StereoCalibration() { stop(); }
  StereoCalibration(const StereoCalibration&) = delete;
  StereoCalibration& operator=(const StereoCalibration&) = delete;

  // READY to PAUSED. Reads the calibration, so that errors in the files are reported before the
  // first frame. False, after an element error.
  bool start(const StereoCalibrationSettings& settings);
  // Call with new caps and before each frame; each view has this size. `frames`: the frames'
  // cameras, used if neither calibration nor focal-length is set. The left one becomes the
  // disparity's camera; with a right one, the principal points give the offset. Invalid new
  // settings cause a warning, and the previous ones stay in effect. False, after an element error:
  // such frames cannot be processed. Each warning is posted once while it stays true. May throw
  // std::bad_alloc, and can then be called again.
  bool change(const StereoCalibrationSettings& settings, guint width, guint height,
              const CamerasOfFrames& frames);
  // Forgets everything.
  void stop();

  // Results of the last change() that returned true.

  // Null: the views are matched as they come. Each change of the maps makes a new object, so that a
  // kept pointer reveals it by comparison.
  const std::shared_ptr<const StereoMaps>& maps() const { return maps_; }
  // The camera of frames on src, with the meaning of samples; null: reason() names cause and
  // remedy.
  GstRdpCamera* camera() const { return camera_; }
  // The views' offset. camera() has a smaller one if disparity samples count from a negative
  // disparity.
  double disparity_offset() const { return disparity_offset_; }
  // The scale from disparity to depth; none without metres: reason() names cause and remedy. With
  // output=depth-mm, change() fails instead.
  const std::optional<stereo::DepthScale>& depth_scale() const { return depth_scale_; }
  const std::string& reason() const { return reason_; }
  StereoOutput output() const { return settings_.output; }
  // True if the current geometry is that of the frames' cameras.
  bool goes_by_frames() const;

 private:
  bool read(const CameraSettings& settings, guint width, guint height);
  bool make(const StereoCalibrationSettings& settings, guint width, guint height,
            const CamerasOfFrames& frames);
  bool make_of_frames(const StereoCalibrationSettings& settings, guint width, guint height,
                      const CamerasOfFrames& frames);
  void warn_of_cuts(const std::string& files);
  void warn_of_crops(const CameraSettings& settings, const CamerasOfFrames& frames);
  bool make_anew(const StereoCalibrationSettings& settings, guint width, guint height,
                 const CamerasOfFrames& frames);
  void keep(const CamerasOfFrames& frames);
  bool make_of_files(const StereoCalibrationSettings& settings, guint width, guint height);
  void use_maps(const PlannedRectification& plan, guint width, guint height);
  bool use_camera(const StereoCalibrationSettings& settings, guint width, guint height,
                  GstRdpCameraInfo info);
  void warn_of_far_things(const StereoCalibrationSettings& settings, const GstRdpCameraInfo& info);
  bool no_camera(const StereoCalibrationSettings& settings, std::string reason);
  bool refuse(const std::string& text);
  void warn(const std::string& text);
  void forget_result();

  GstElement* element_;
  GPtrArray* views_ = nullptr;
  CameraSettings read_with_;
  guint read_width_ = 0;
  guint read_height_ = 0;

  // The inputs of the members below.
  bool known_ = false;
  StereoCalibrationSettings settings_;
  StereoCalibrationSettings asked_;  // requested last; settings_ are in effect
  bool may_go_on_ = false;           // keeps settings_; refuse() then only stores its reason:
  std::string refusal_;
  guint width_ = 0;
  guint height_ = 0;
  CamerasOfFrames frames_;  // with references

  std::vector<stereo::ViewRectification> made_for_;  // of the maps, left and right
  std::shared_ptr<const StereoMaps> maps_;
  GstRdpCamera* camera_ = nullptr;
  double disparity_offset_ = 0.0;
  std::optional<stereo::DepthScale> depth_scale_;
  std::string reason_;
  std::vector<std::string> warnings_;      // posted, and still true
  std::vector<std::string> warnings_now_;  // collected during a change
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_CALIBRATION_H_
