// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_CAMERA_USE_H_
#define RDP_GST_ELEMENTS_BASE_CAMERA_USE_H_

#include <gst/rdpsegment/rdpcamera.h>

#include "common/image/camera.h"

namespace rdp::gst {

// The meaning of a frame's samples, as far as its camera, the properties and the format define it.
// It may be known without a camera.
struct SampleMeaning {
  GstRdpMeasure measures = GST_RDP_MEASURE_UNKNOWN;
  double unit = 0.0;  // pixels or metres per sample step; 0: unknown

  bool operator==(const SampleMeaning&) const = default;
};

// An element's statements about the samples of the next frame, and its demands on the frame's
// camera.
struct CameraUse {
  // The element measures, so it has the properties of camera_properties.h. Otherwise no camera is
  // looked for or mentioned in messages.
  bool measures = false;
  // domain=inverse: the values of results are inverse_scale / sample.
  bool inverse = false;
  double inverse_scale = 1.0;
  // The unit of epsilon, which should agree with that of the samples.
  double sample_scale = 1.0;
  // The user's setting that needs metres, in his words ("style=birdseye of the pad overlay"); null:
  // none. Has static storage.
  const char* metres_for = nullptr;
  // The element's output frames have the same camera.
  bool outputs_keep_it = false;
  // The element cannot undo lens distortion: a distorting lens gives no metres.
  bool straight_lens = false;
  // The results themselves need metres, not only the picture: frames without metres are an error.
  // Frames whose camera was lost upstream go on with a warning, but with `guesses` they are an
  // error, too.
  bool required = false;
  // Missing parts of the camera are guessed, and the user is told: a focal length of 0.9 widths,
  // the centre, depth in millimetres. Nothing is guessed for disparity, for contradictory
  // statements, or if the frames' camera or unit was lost upstream.
  bool guesses = false;
  // Returns the reason, and the remedy, if the element cannot work with a camera of frames of this
  // size; null: it can. The text has static storage.
  const char* (*objection)(const MetricCamera& camera, int width, int height) = nullptr;

  bool operator==(const CameraUse&) const = default;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_CAMERA_USE_H_
