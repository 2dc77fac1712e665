// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_CAMERA_CHOICE_H_
#define RDP_GST_ELEMENTS_BASE_CAMERA_CHOICE_H_

#include <gst/rdpsegment/rdpcamera.h>

#include <optional>
#include <string>

#include "gst/elements/base/camera_properties.h"
#include "gst/elements/base/camera_use.h"

// Rules that combine properties, calibration and a frame's camera into one camera. Pure functions:
// camera_source.h stores their results and posts messages.
namespace rdp::gst {

inline constexpr const char* kTwoGeometries =
    "calibration and focal-length are both set: unset one of them";

// Inputs of a frame's camera.
struct CameraSources {
  const CameraSettings& settings;
  const GstRdpCameraInfo* calibration = nullptr;  // the view that was chosen, or null
  const GstRdpCameraInfo* frame = nullptr;        // the camera that the frame brings, or null
  const CameraUse& use;
  // From the caps.
  guint width = 0;
  guint height = 0;
  bool bytes = false;  // GRAY8
  // The frame's camera became invalid upstream: the meaning of a sample is unknown.
  bool lost = false;
  // Remedy if a camera was lost, or its unit no longer fits the samples. It is the former meaning,
  // and the property to set with its value, as far as known.
  GstRdpMeasure remedy_for = GST_RDP_MEASURE_UNKNOWN;
  const char* unit_remedy = nullptr;
};

struct SampleMeaningResult {
  SampleMeaning meaning;
  // Reason why there are no metres: the samples' meaning is unknown, contradictory, or has no unit.
  // Empty: no objection.
  std::string reason;
  // The statements contradict each other: nothing may be guessed instead.
  bool contradictory = false;
};

// Decides what the samples measure, from the first of: the property `measures`; the calibration;
// the camera on the frame. If none of them states it, other properties decide: domain=inverse or
// depth-unit means depth, baseline or disparity-unit means disparity.
//
// The unit comes from the first of: the property, the calibration, the camera on the frame. Only a
// disparity's unit is ever guessed: 1/256 px in GRAY16_LE and 1 px in GRAY8. It is not guessed if
// the frame's camera was lost, or has a disparity without a unit: such a frame was scaled or
// converted upstream. A unit of depth is never guessed: millimetres are usual, but not certain.
SampleMeaningResult choose_meaning(const CameraSources& sources);

// Composes the camera of the frames. The geometry comes from the first of: focal-length, the
// calibration, the camera on the frame. Baseline and disparity-offset are added if set, and the
// samples' meaning. None: no geometry is known.
std::optional<GstRdpCameraInfo> compose_camera(const CameraSources& sources,
                                               const SampleMeaning& meaning);

// Writes the geometry of focal-length and its dependent properties, for frames of this size. False:
// focal-length is not set.
bool set_focal_length(const CameraSettings& settings, guint width, guint height,
                      GstRdpCameraInfo* info);

// A property's setting, as in a launch line.
std::string setting_text(const char* property, double value);

// Describes properties that have no effect without focal-length; empty: none.
std::string focal_length_fault(const CameraSettings& settings);

// Describes a calibration-view beyond the number of views in the files; empty: none.
std::string view_fault(const CameraSettings& settings, guint views);

// Describes a baseline that is implausible in metres; empty: none.
std::string baseline_fault(const CameraSettings& settings);

// True if both are bit-identical cameras.
bool same_camera(const GstRdpCameraInfo& a, const GstRdpCameraInfo& b);

// True if epsilon's unit contradicts the camera's unit of a sample step.
bool contradicts_sample_scale(const SampleMeaning& meaning, const CameraUse& use);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_CAMERA_CHOICE_H_
