// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_CAMERA_CHOICE_H_
#define RDP_GST_ELEMENTS_BASE_CAMERA_CHOICE_H_

#include <gst/rdpsegment/rdpcamera.h>

#include <optional>
#include <string>

#include "gst/elements/base/camera_properties.h"
#include "gst/elements/base/camera_use.h"

// The rules by which properties, calibration and the camera on a frame become one camera. Functions
// of their arguments alone: camera_source.h keeps what they give, and talks to the user.
namespace rdp::gst {

inline constexpr const char* kTwoGeometries =
    "calibration and focal-length are both set: unset one of them";

// The sources of a frame's camera.
struct CameraSources {
  const CameraSettings& settings;
  const GstRdpCameraInfo* calibration = nullptr;  // the view that was chosen, or null
  const GstRdpCameraInfo* frame = nullptr;        // the camera that the frame brings, or null
  const CameraUse& use;
  // From the caps.
  guint width = 0;
  guint height = 0;
  bool bytes = false;  // GRAY8
  // The frame came with a camera that does not hold any more: the value of a sample is unknown.
  bool lost = false;
  // The remedy if a camera was lost, or its unit is no longer that of the samples. It is the old
  // meaning, and the property to set with its value here, as far as known.
  GstRdpMeasure remedy_for = GST_RDP_MEASURE_UNKNOWN;
  const char* unit_remedy = nullptr;
};

struct SampleMeaningResult {
  SampleMeaning meaning;
  // Why there are no metres: the samples' meaning is not known, is contradictory, or has no unit.
  // Empty: there is nothing to be said against them.
  std::string reason;
  // The statements contradict each other: nothing may be guessed instead.
  bool contradictory = false;
};

// Decides what the samples measure. In this order: the property `measures`; the calibration, as far
// as it says so; the camera on the frame. If none of them does, properties decide: domain=inverse
// or depth-unit means depth, baseline or disparity-unit means disparity.
//
// The unit is that of the property, or the calibration's, or the one of the camera on the frame.
// Only a disparity's unit is ever guessed: 1/256 px in GRAY16_LE and 1 px in GRAY8. It is not
// guessed if the frame's camera was lost, or says disparity without a unit. Such a frame was scaled
// or converted on its way. Depth without a unit stays without: millimetres are usual, but not for
// certain.
SampleMeaningResult choose_meaning(const CameraSources& sources);

// The camera of the frames of the caps: the geometry of focal-length, or of the calibration, or of
// the camera on the frame. Baseline and disparity-offset are added if they are set, and the meaning
// of samples. None: no geometry is known.
std::optional<GstRdpCameraInfo> compose_camera(const CameraSources& sources,
                                               const SampleMeaning& meaning);

// The geometry of focal-length and the properties with it, for frames of this size. False: it is
// not set.
bool set_focal_length(const CameraSettings& settings, guint width, guint height,
                      GstRdpCameraInfo* info);

// A property's setting, as in a launch line.
std::string setting_text(const char* property, double value);

// The fault of properties that need focal-length; empty: there is none.
std::string focal_length_fault(const CameraSettings& settings);

// The fault of calibration-view where the files have so many views; empty: there is none.
std::string view_fault(const CameraSettings& settings, guint views);

// The fault of a property baseline that is in another unit than metres; empty: there is none.
std::string baseline_fault(const CameraSettings& settings);

// True if both are bit-identical cameras.
bool same_camera(const GstRdpCameraInfo& a, const GstRdpCameraInfo& b);

// True if epsilon's unit contradicts the camera's unit of a sample step.
bool contradicts_sample_scale(const SampleMeaning& meaning, const CameraUse& use);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_CAMERA_CHOICE_H_
