// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/klttrack/track_settings.h"

#include "gst/elements/base/enum_type.h"

namespace rdp::gst {

GType klt_pyramid_step_get_type() {
  enum class Step { kTwo = 2, kFour = 4 };
  return enum_type<Step>(
      "GstKltTrackPyramidStep",
      {{Step::kTwo, "Each level has half the side of the previous one", "2"},
       {Step::kFour, "Each level has a quarter of the side of the previous one", "4"}});
}

GType klt_light_get_type() {
  using klt::Light;
  return enum_type<Light>(
      "GstKltTrackLight",
      {{Light::kNone, "None: same brightness in both frames", "none"},
       {Light::kBias, "Bias: a window may become brighter or darker", "bias"},
       {Light::kGainBias, "Gain and bias: its contrast may change, too", "gain-bias"}});
}

GType klt_detector_get_type() {
  using klt::Detector;
  return enum_type<Detector>(
      "GstKltTrackDetector",
      {{Detector::kShiTomasi, "Shi-Tomasi corners: smaller eigenvalue of 7x7 pixels", "shi-tomasi"},
       {Detector::kNone, "None: only points on the frames are tracked", "none"}});
}

GType klt_warp_get_type() {
  using klt::Warp;
  return enum_type<Warp>(
      "GstKltTrackWarp",
      {{Warp::kTranslation, "Translation: windows only move", "translation"},
       {Warp::kAffine, "Affine: windows also turn, scale and shear, fitted to a kept patch",
        "affine"}});
}

GType klt_overlay_style_get_type() {
  using Style = klt::OverlayStyle;
  return enum_type<Style>(
      "GstKltTrackOverlayStyle",
      {{Style::kTrails, "Paths of features over the last 16 frames, one colour each", "trails"},
       {Style::kMotion, "Motion of features: the hue shows the direction", "motion"},
       {Style::kLost, "Positions of lost features, coloured by reason", "lost"},
       {Style::kWindows, "Windows of features as they are warped, one colour each", "windows"}});
}

std::string explain_settings(const TrackSettings& settings) {
  const int cell = settings.parameters.cell;
  if (cell % klt::kSquare == 0) return {};
  const int below = cell - cell % klt::kSquare;
  return "cell=" + std::to_string(cell) + " is no multiple of " + std::to_string(klt::kSquare) +
         ": set " + std::to_string(below) + " or " + std::to_string(below + klt::kSquare);
}

}  // namespace rdp::gst
