// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_CAMERA_USE_H_
#define RDP_GST_ELEMENTS_BASE_CAMERA_USE_H_

#include <gst/rdpsegment/rdpcamera.h>

#include "common/image/camera.h"

namespace rdp::gst {

// The meaning of a frame's samples, as far as its camera, the properties and the format say it. It
// can be known without a camera.
struct SampleMeaning {
  GstRdpMeasure measures = GST_RDP_MEASURE_UNKNOWN;
  double unit = 0.0;  // pixels or metres in a sample step; 0: not known

  bool operator==(const SampleMeaning&) const = default;
};

// An element's statements about the samples of the next frame, and its demands on the frame's
// camera.
struct CameraUse {
  // The element measures, and so has the properties of camera_properties.h. Otherwise no camera is
  // looked for, and no message speaks of one.
  bool measures = false;
  // domain=inverse: the values of results are inverse_scale / sample.
  bool inverse = false;
  double inverse_scale = 1.0;
  // The unit of epsilon, which should agree with that of the samples.
  double sample_scale = 1.0;
  // The user's setting that needs metres, in his words ("style=birdseye of the pad overlay"); null:
  // none. Has static storage.
  const char* metres_for = nullptr;
  // The element's output is seen by the same camera.
  bool outputs_keep_it = false;
  // That cannot undo a lens's distortion.
  bool straight_lens = false;
  // The element's results need metres, not only its picture: frames without metres are an error.
  // Exceptions are frames whose camera was lost on the way, with a warning. With
  // `guesses` they are an error, too.
  bool required = false;
  // Missing parts of the camera are guessed, and the user is told: a focal length of 0.9 widths,
  // the centre, depth in millimetres. Nothing is guessed for disparity or for contradictory
  // statements, nor if the frames' camera or unit was lost on the way.
  bool guesses = false;
  // The reason that the element cannot work with a camera of frames of this size, and the remedy;
  // null: it can. The text has static storage.
  const char* (*objection)(const MetricCamera& camera, int width, int height) = nullptr;

  bool operator==(const CameraUse&) const = default;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_CAMERA_USE_H_
