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
  kAuto,  // where the calibration says that the views need it
  kOn,
  kOff,  // the views are rectified already
};

enum class StereoOutput { kDisparity, kDepthMm };

// The user's description of the two cameras. Of `camera`, disparity-unit, depth-unit and measures
// have no meaning here: the output has a fixed unit.
struct StereoCalibrationSettings {
  CameraSettings camera;
  Rectify rectify = Rectify::kAuto;
  StereoOutput output = StereoOutput::kDisparity;
  // The disparities that are looked at.
  int min_disparity = stereo::Parameters().min_disparity;
  int disparities = stereo::Parameters().disparities;

  bool operator==(const StereoCalibrationSettings&) const = default;
};

// The cameras that the frames of both views bring.
struct CamerasOfFrames {
  GstRdpCamera* left = nullptr;   // null: none, or it was lost
  GstRdpCamera* right = nullptr;  // the same
  bool right_lost = false;        // it had one that does not hold any more
  // By how many pixels the left view was cropped more than the right one, from the left and from
  // above, as far as that is known.
  double crop_x = 0.0;
  double crop_y = 0.0;

  bool operator==(const CamerasOfFrames&) const = default;
};

// The source pixels of both rectified views.
struct StereoMaps {
  stereo::RectificationMap left;
  stereo::RectificationMap right;
};

// Makes of calibration, properties and the size of the frames: whether to rectify, by which maps,
// and what camera the disparity has. The calibration's views are those of
// gst_rdp_camera_read_files(); calibration-view names the first one of the pair, or 0 the first
// pair that there is. Where views have poses, these say which of two is the left one.
//
// All is done once for each change: while nothing changes, change() costs a few comparisons and
// allocates nothing. In one thread at a time; messages are posted there.
class StereoCalibration {
 public:
  // The element that messages come from lives longer.
  explicit StereoCalibration(GstElement* element) : element_(element) {}
  ~StereoCalibration() { stop(); }
  StereoCalibration(const StereoCalibration&) = delete;
  StereoCalibration& operator=(const StereoCalibration&) = delete;

  // READY to PAUSED. Reads the calibration, so that what is wrong with the files is said before
  // there are frames. False, after an element error.
  bool start(const StereoCalibrationSettings& settings);
  // New caps, or before a frame: views of this size, each. `frames`: the cameras that the frames
  // bring, which stand where neither calibration nor focal-length are set. The left one's is that
  // of the disparity; where the right one is known, too, the offset is that of their centres.
  // Settings that do not fit while others did: those stay, after a warning. False, after an element
  // error: such frames cannot be worked on. Each warning is posted once, as
  // long as it stays true. May throw std::bad_alloc, and may be called again then.
  bool change(const StereoCalibrationSettings& settings, guint width, guint height,
              const CamerasOfFrames& frames);
  // Forgets everything.
  void stop();

  // Results of the last change() that returned true.

  // Null: the views are matched as they are. Another object after each change of the maps; who
  // keeps the pointer can tell by comparing it.
  const std::shared_ptr<const StereoMaps>& maps() const { return maps_; }
  // The camera of the output, in the frames of src, with the meaning of samples; null: there is
  // none, and reason() says why and what to do.
  GstRdpCamera* camera() const { return camera_; }
  // That of the views: of camera() it is less where samples of disparity count from a negative one.
  double disparity_offset() const { return disparity_offset_; }
  // The scale from disparity to depth; none: there are no metres, and reason() says why and what to
  // do. With output=depth-mm, change() has failed there.
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
  StereoCalibrationSettings asked_;  // where settings_ stayed in their place
  bool may_go_on_ = false;           // with settings_, where refuse() has only put its reason here:
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
  std::vector<std::string> warnings_;      // that are true
  std::vector<std::string> warnings_now_;  // while it is being found out
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_CALIBRATION_H_
