// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_HEIGHTMAP_HEIGHT_CAMERAS_H_
#define RDP_GST_ELEMENTS_HEIGHTMAP_HEIGHT_CAMERAS_H_

#include <gst/rdpsegment/rdpcamera.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/heightmap/rig.h"
#include "common/image/rectification_map.h"
#include "gst/elements/base/camera_properties.h"
#include "gst/elements/heightmap/height_settings.h"

namespace rdp::gst {

// A view of a set; its index is its pad's number.
struct ViewFrame {
  GstBuffer* buffer = nullptr;
  guint width = 0;
  guint height = 0;
  const char* pad = nullptr;  // what messages call it
};

// Settings that the rig of cameras depends on, beside the frames.
struct RigSettings {
  CameraSettings camera;
  Undistort undistort = Undistort::kAuto;
  HeightOutput output = HeightOutput::kHeightMm;
  guint reference = 0;
  heightmap::Parameters parameters;

  bool operator==(const RigSettings&) const = default;
};

// Cameras of all views for the engine, from the calibration or the buffers; maps that undistort the
// views; and the camera of frames on src.
//
// The work is done once per change: otherwise change() costs a few comparisons and allocates
// nothing. One thread, which also posts the messages.
class HeightCameras {
 public:
  // `element` posts the messages and outlives the object.
  explicit HeightCameras(GstElement* element) : element_(element) {}
  ~HeightCameras();
  HeightCameras(const HeightCameras&) = delete;
  HeightCameras& operator=(const HeightCameras&) = delete;

  // READY to PAUSED. Reads the calibration. False, after an element error: it cannot be used.
  bool start(const CameraSettings& settings);
  // Expected number of views in a batch, given the caps' batch-size (0: absent). It is the number
  // of all views in the calibration, or of its rectified or its raw ones if that equals
  // `batch_size`. 0 without a calibration.
  std::size_t views_of_batch(guint batch_size) const;
  // Call before each set of views, which includes the reference. False, after an element error: the
  // cameras cannot be used for heights. Invalid new parameters cause a warning, and the previous
  // ones stay in effect. May throw std::bad_alloc, and can then be called again.
  bool change(const RigSettings& settings, std::span<const ViewFrame> frames);

  // Results of the last change() that returned true.
  const heightmap::Rig& rig() const { return rig_; }
  const heightmap::Parameters& parameters() const { return settings_.parameters; }
  // Resampling map of each view; null: the view is used as it comes.
  std::span<const std::shared_ptr<const RectificationMap>> maps() const { return maps_; }
  // The camera of the frames on src, with the meaning of their samples.
  GstRdpCamera* camera() const { return camera_; }

 private:
  using Cameras = std::vector<GstRdpCamera*>;

  bool read_cameras(std::span<const ViewFrame> frames, Cameras* cameras);
  std::span<GstRdpCamera* const> all_views() const;
  std::size_t rectified_views() const;  // of these
  bool choose_views(std::span<const ViewFrame> frames, Cameras* cameras);
  bool make(const RigSettings& settings, std::span<const ViewFrame> frames);
  bool add_view(const RigSettings& settings, const ViewFrame& frame, GstRdpCamera* camera);
  bool check(const RigSettings& settings, std::span<const ViewFrame> frames);
  bool make_camera(const RigSettings& settings);
  std::string unit_fault() const;
  std::string place_fault(std::span<const ViewFrame> frames) const;
  bool refuse(const std::string& text);
  void warn(const std::string& text);
  std::string source_of(const ViewFrame& frame) const;

  GstElement* const element_;
  GPtrArray* calibration_ = nullptr;
  SharedText calibration_name_;

  // The inputs of the members below.
  bool known_ = false;
  bool may_go_on_ = false;  // keeps the previous parameters; refuse() then only stores its reason:
  std::string refusal_;
  RigSettings settings_;
  std::vector<ViewFrame> frames_;  // their sizes and pads
  Cameras cameras_;                // with references
  Cameras found_;                  // of the set at hand, with references

  heightmap::Rig rig_;
  std::vector<std::shared_ptr<const RectificationMap>> maps_;
  GstRdpCamera* camera_ = nullptr;
  std::vector<std::string> warnings_;  // that were posted: each once
};

// The projection matrix from world to image: the camera's own, else computed from its pose. False
// if it has neither.
bool projection_of(const GstRdpCameraInfo& info, double projection[3][4]);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_HEIGHTMAP_HEIGHT_CAMERAS_H_
