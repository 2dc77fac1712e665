// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/klttrack/track_settings.h"

#include "gst/elements/base/enum_type.h"

namespace rdp::gst {

GType klt_pyramid_step_get_type() {
  enum class Step { kTwo = 2, kFour = 4 };
  return enum_type<Step>("GstKltTrackPyramidStep",
                         {{Step::kTwo, "Each level has half the side of the one before", "2"},
                          {Step::kFour, "Each level has a quarter of the side", "4"}});
}

GType klt_light_get_type() {
  using klt::Light;
  return enum_type<Light>(
      "GstKltTrackLight",
      {{Light::kNone, "Windows look the same in both frames", "none"},
       {Light::kBias, "A window may become brighter or darker as a whole", "bias"},
       {Light::kGainBias, "Its contrast may change as well", "gain-bias"}});
}

GType klt_detector_get_type() {
  using klt::Detector;
  return enum_type<Detector>(
      "GstKltTrackDetector",
      {{Detector::kShiTomasi, "Corners, by the smaller eigenvalue of 7x7 pixels", "shi-tomasi"},
       {Detector::kNone, "None: only the points that frames bring are tracked", "none"}});
}

GType klt_overlay_style_get_type() {
  using Style = klt::OverlayStyle;
  return enum_type<Style>(
      "GstKltTrackOverlayStyle",
      {{Style::kTrails, "Where features were in the last 16 frames, in a colour each", "trails"},
       {Style::kMotion, "How features move: hues are directions", "motion"},
       {Style::kLost, "Where features were lost, in a colour by the reason", "lost"}});
}

std::string explain_settings(const TrackSettings& settings) {
  const int cell = settings.parameters.cell;
  if (cell % klt::kSquare == 0) return {};
  const int below = cell - cell % klt::kSquare;
  return "cell=" + std::to_string(cell) + " is no multiple of " + std::to_string(klt::kSquare) +
         ": set " + std::to_string(below) + " or " + std::to_string(below + klt::kSquare);
}

}  // namespace rdp::gst
