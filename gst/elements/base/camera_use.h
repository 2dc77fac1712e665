// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_CAMERA_USE_H_
#define RDP_GST_ELEMENTS_BASE_CAMERA_USE_H_

#include <gst/rdpsegment/rdpcamera.h>

#include "common/image/camera.h"

namespace rdp::gst {

// What the samples of a frame measure, as far as the frame's camera, the properties and the format
// say. A camera is not needed to know it.
struct SampleMeaning {
  GstRdpMeasure measures = GST_RDP_MEASURE_UNKNOWN;
  double unit = 0.0;  // pixels or metres in a sample step; 0: not known

  bool operator==(const SampleMeaning&) const = default;
};

// What an element says of the samples of the next frame, and what it wants of the frame's camera.
struct CameraUse {
  // Whether the element measures, and so has the properties of camera_properties.h. Where it does
  // not, no camera is looked for, and nothing is ever said of one.
  bool measures = false;
  // domain=inverse: the values of results are inverse_scale / sample.
  bool inverse = false;
  double inverse_scale = 1.0;
  // The unit of epsilon, which should agree with that of the samples.
  double sample_scale = 1.0;
  // What the user has asked for that needs metres, in his words ("style=birdseye of the pad
  // overlay"); null: nothing. Has static storage.
  const char* metres_for = nullptr;
  // What the element makes of a frame is seen by the same camera.
  bool outputs_keep_it = false;
  // That cannot undo a lens's distortion.
  bool straight_lens = false;
  // The element's results need metres, not only its picture: frames that have none are an error,
  // but for those whose camera was lost on the way, of which the user has been warned; `guesses`:
  // for those, too.
  bool required = false;
  // Where nobody has said the camera, or only a part of it, what is missing is guessed, and the
  // user is told: a focal length of 0.9 widths, the centre, depth in millimetres. Not where the
  // samples are said to be disparity, where what was said contradicts itself, or where the frames
  // had a camera or a unit that was lost on the way.
  bool guesses = false;
  // Why the element cannot work with a camera of frames of this size, and what to do; null: it can.
  // What it says has static storage.
  const char* (*objection)(const MetricCamera& camera, int width, int height) = nullptr;

  bool operator==(const CameraUse&) const = default;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_CAMERA_USE_H_
