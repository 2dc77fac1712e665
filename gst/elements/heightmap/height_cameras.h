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

// A view of a set, in the place of its pad's number.
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

// The cameras of all views, from the calibration or from the buffers, as the engine takes them; the
// maps by which views without distortion are made; and the camera of what src sends.
//
// All is done once for each change: while settings and cameras stay, change() costs a few
// comparisons, and allocates nothing. In one thread; messages are posted there.
class HeightCameras {
 public:
  // The element that messages come from lives longer.
  explicit HeightCameras(GstElement* element) : element_(element) {}
  ~HeightCameras();
  HeightCameras(const HeightCameras&) = delete;
  HeightCameras& operator=(const HeightCameras&) = delete;

  // READY to PAUSED. Reads the calibration. False, after an element error: it cannot be used.
  bool start(const CameraSettings& settings);
  // The expected number of views of a batch, whose caps have room for `batch_size` of them (0: they
  // do not say). It is the number in the calibration, or that of one kind, rectified or raw, if it
  // equals `batch_size`. 0: there is no calibration.
  std::size_t views_of_batch(guint batch_size) const;
  // A set of views; the reference is one of them. False, after an element error: these are no
  // cameras that heights can be found with. Parameters that do not fit while others did: those
  // stay, after a warning. May throw std::bad_alloc, and may be called again then.
  bool change(const RigSettings& settings, std::span<const ViewFrame> frames);

  // Results of the last change() that returned true.
  const heightmap::Rig& rig() const { return rig_; }
  const heightmap::Parameters& parameters() const { return settings_.parameters; }
  // By which a view is resampled, in its place; null: it is taken as it comes.
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
  bool may_go_on_ =
      false;  // with the parameters before, where refuse() has only put its reason here:
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

// The matrix by which a camera sees the world: the projection it was read with, else that of its
// pose. False: it has neither.
bool projection_of(const GstRdpCameraInfo& info, double projection[3][4]);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_HEIGHTMAP_HEIGHT_CAMERAS_H_
