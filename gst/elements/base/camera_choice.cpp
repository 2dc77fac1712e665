// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/camera_choice.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "gst/memory/frame_layout.h"
#include "gst/rdpsegment/rdpcamerametric.h"

namespace rdp::gst {
namespace {

const char* name_of(GstRdpMeasure measures) {
  return measures == GST_RDP_MEASURE_DEPTH ? "depth" : "disparity";
}

// An explicit statement about the samples, and its source.
struct ExplicitMeasure {
  GstRdpMeasure measures = GST_RDP_MEASURE_UNKNOWN;
  std::string by;
};

ExplicitMeasure find_explicit_measure(const CameraSources& sources) {
  const GstRdpMeasure set = sources.settings.measures;
  if (set != GST_RDP_MEASURE_UNKNOWN) return {set, std::string("measures=") + name_of(set)};
  const GstRdpCameraInfo* calibration = sources.calibration;
  if (calibration != nullptr && calibration->measures != GST_RDP_MEASURE_UNKNOWN) {
    return {calibration->measures,
            std::string("the calibration says ") + name_of(calibration->measures)};
  }
  const GstRdpCameraInfo* frame = sources.frame;
  if (frame != nullptr && frame->measures != GST_RDP_MEASURE_UNKNOWN) {
    return {frame->measures,
            std::string("the camera on the frames says ") + name_of(frame->measures)};
  }
  return {};
}

std::string join_and(std::string first, const std::string& second) {
  if (first.empty()) return second;
  return second.empty() ? first : first + " and " + second;
}

// Guesses the samples' meaning from the settings if nothing states it explicitly.
SampleMeaningResult guess(const CameraSources& sources) {
  const CameraSettings& set = sources.settings;
  const std::string depth =
      join_and(sources.use.inverse ? "domain=inverse" : "",
               set.depth_unit > 0.0 ? setting_text("depth-unit", set.depth_unit) : "");
  const std::string disparity =
      join_and(set.baseline > 0.0 ? setting_text("baseline", set.baseline) : "",
               set.disparity_unit > 0.0 ? setting_text("disparity-unit", set.disparity_unit) : "");
  if (!depth.empty() && !disparity.empty()) {
    return {{},
            depth + " is for depth, but " + disparity +
                " is for disparity: set measures to depth or disparity, and unset the properties "
                "of the other",
            true};
  }
  if (!depth.empty()) return {{GST_RDP_MEASURE_DEPTH, 0.0}, {}};
  if (!disparity.empty()) return {{GST_RDP_MEASURE_DISPARITY, 0.0}, {}};
  return {{},
          "it is not known whether the samples are disparity or depth: set measures, "
          "disparity-unit or depth-unit"};
}

// Checks the settings against the explicit statement.
SampleMeaningResult check(const CameraSources& sources, const ExplicitMeasure& told) {
  const CameraSettings& set = sources.settings;
  const bool depth = told.measures == GST_RDP_MEASURE_DEPTH;
  if (depth && set.disparity_unit > 0.0) {
    return {{},
            told.by + ", but " + setting_text("disparity-unit", set.disparity_unit) +
                " is for disparity: unset it and set depth-unit (0.001 for millimetres), or set "
                "measures=disparity",
            true};
  }
  if (!depth && set.depth_unit > 0.0) {
    return {{},
            told.by + ", but " + setting_text("depth-unit", set.depth_unit) +
                " is for depth: unset it and set disparity-unit (0.00390625 where a pixel is 256 "
                "steps), or set measures=depth",
            true};
  }
  if (!depth && sources.use.inverse) {
    return {{told.measures, 0.0},
            told.by +
                ", but domain=inverse is for depth: set domain=linear, or measures=depth if "
                "the samples are depth"};
  }
  return {{told.measures, 0.0}, {}};
}

// Returns the first unit that is set, or 0.
double first_set(double property, const GstRdpCameraInfo* calibration,
                 const GstRdpCameraInfo* frame, double GstRdpCameraInfo::*unit) {
  if (property > 0.0) return property;
  if (calibration != nullptr && calibration->*unit > 0.0) return calibration->*unit;
  return frame != nullptr ? frame->*unit : 0.0;
}

// True if the unit of the frame's disparity was lost: no other is guessed.
bool has_lost_unit(const CameraSources& sources) {
  const GstRdpCameraInfo* frame = sources.frame;
  return sources.lost || (frame != nullptr && frame->measures == GST_RDP_MEASURE_DISPARITY &&
                          !(frame->disparity_unit > 0.0));
}

double find_unit(const CameraSources& sources, GstRdpMeasure measures) {
  const CameraSettings& set = sources.settings;
  if (measures == GST_RDP_MEASURE_DEPTH) {
    return first_set(set.depth_unit, sources.calibration, sources.frame,
                     &GstRdpCameraInfo::depth_unit);
  }
  const double unit = first_set(set.disparity_unit, sources.calibration, sources.frame,
                                &GstRdpCameraInfo::disparity_unit);
  if (unit > 0.0 || has_lost_unit(sources)) return unit;
  return sources.bytes ? 1.0 : 1.0 / 256.0;
}

// Explains why there is no unit, and what to set.
std::string explain_unit(const CameraSources& sources, GstRdpMeasure measures) {
  const bool depth = measures == GST_RDP_MEASURE_DEPTH;
  const std::string known =
      sources.unit_remedy != nullptr && sources.remedy_for == measures ? sources.unit_remedy : "";
  if (sources.lost) {
    return std::string("the samples are ") + name_of(measures) +
           ", but their unit was lost with the camera that came on the frames: set " +
           (!known.empty() ? known
            : depth        ? "depth-unit (0.001 for millimetres)"
                           : "disparity-unit, in pixels of the frames as they are here");
  }
  if (depth) {
    return "the samples are depth, but their unit is not known: set " +
           (known.empty() ? "depth-unit (0.001 for millimetres)" : known);
  }
  return "the samples are disparity, but the camera on the frames does not say their unit: set " +
         (known.empty() ? "disparity-unit (0.00390625 where a pixel is 256 steps)" : known);
}

}  // namespace

std::string setting_text(const char* property, double value) {
  return std::string(property) + "=" + number_text(value);
}

SampleMeaningResult choose_meaning(const CameraSources& sources) {
  const ExplicitMeasure told = find_explicit_measure(sources);
  SampleMeaningResult choice =
      told.measures == GST_RDP_MEASURE_UNKNOWN ? guess(sources) : check(sources, told);
  SampleMeaning& meaning = choice.meaning;
  if (meaning.measures == GST_RDP_MEASURE_UNKNOWN) return choice;
  meaning.unit = find_unit(sources, meaning.measures);
  if (meaning.unit > 0.0 || !choice.reason.empty()) return choice;
  choice.reason = explain_unit(sources, meaning.measures);
  return choice;
}

bool set_focal_length(const CameraSettings& set, guint width, guint height,
                      GstRdpCameraInfo* info) {
  if (!(set.focal_length > 0.0)) return false;
  info->focal_length = set.focal_length;
  info->focal_length_y = set.focal_length_y > 0.0 ? set.focal_length_y : set.focal_length;
  info->principal_x = set.principal_x != -1.0 ? set.principal_x : (width - 1.0) / 2.0;
  info->principal_y = set.principal_y != -1.0 ? set.principal_y : (height - 1.0) / 2.0;
  info->rectified = TRUE;
  return true;
}

std::optional<GstRdpCameraInfo> compose_camera(const CameraSources& sources,
                                               const SampleMeaning& meaning) {
  const CameraSettings& set = sources.settings;
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  if (!set_focal_length(set, sources.width, sources.height, &info)) {
    const GstRdpCameraInfo* known =
        sources.calibration != nullptr ? sources.calibration : sources.frame;
    if (known == nullptr) return {};
    info = *known;
  }
  info.width = sources.width;
  info.height = sources.height;
  if (set.baseline > 0.0) info.baseline = set.baseline;
  if (set.disparity_offset != 0.0) info.disparity_offset = set.disparity_offset;
  info.measures = meaning.measures;
  info.disparity_unit = first_set(set.disparity_unit, sources.calibration, sources.frame,
                                  &GstRdpCameraInfo::disparity_unit);
  info.depth_unit =
      first_set(set.depth_unit, sources.calibration, sources.frame, &GstRdpCameraInfo::depth_unit);
  if (meaning.measures == GST_RDP_MEASURE_DISPARITY) info.disparity_unit = meaning.unit;
  return info;
}

std::string baseline_fault(const CameraSettings& settings) {
  const double metres = settings.baseline;
  if (!(metres > 0.0) || meta::is_likely_baseline(metres)) return {};
  std::string text = setting_text("baseline", metres) + " is in metres, expected " +
                     number_text(meta::kShortestBaseline) + " to " +
                     number_text(meta::kLongestBaseline);
  if (meta::is_likely_baseline(0.001 * metres)) {
    text += ": for millimetres set " + setting_text("baseline", 0.001 * metres);
  }
  return text + ".";
}

std::string focal_length_fault(const CameraSettings& settings) {
  const bool set =
      settings.principal_x != -1.0 || settings.principal_y != -1.0 || settings.focal_length_y > 0.0;
  if (!set || settings.focal_length > 0.0) return {};
  return "principal-x, principal-y and focal-length-y have no effect without focal-length: set it, "
         "too, or unset them.";
}

std::string view_fault(const CameraSettings& settings, guint views) {
  if (settings.calibration_view < views) return {};
  return "calibration-view=" + std::to_string(settings.calibration_view) + ", but " +
         ShownText(settings.calibration.get()).get() + " has " + std::to_string(views) +
         (views == 1 ? " view" : " views") + ", numbered from 0.";
}

bool same_camera(const GstRdpCameraInfo& a, const GstRdpCameraInfo& b) {
  const auto same = [](const auto& left, const auto& right) {
    return std::equal(std::begin(left), std::end(left), std::begin(right));
  };
  return a.width == b.width && a.height == b.height && a.focal_length == b.focal_length &&
         a.focal_length_y == b.focal_length_y && a.principal_x == b.principal_x &&
         a.principal_y == b.principal_y && same(a.distortion, b.distortion) &&
         a.rectified == b.rectified && a.baseline == b.baseline &&
         a.disparity_offset == b.disparity_offset && a.measures == b.measures &&
         a.disparity_unit == b.disparity_unit && a.depth_unit == b.depth_unit &&
         a.has_pose == b.has_pose && same(a.pose, b.pose) && a.has_projection == b.has_projection &&
         same(a.projection, b.projection);
}

// An inverse has another scale. The margin of a hundredth is for rounded values: 0.0039.
bool contradicts_sample_scale(const SampleMeaning& meaning, const CameraUse& use) {
  if (use.inverse || use.sample_scale == 1.0 || !(meaning.unit > 0.0)) return false;
  return !(std::fabs(use.sample_scale - meaning.unit) <= 0.01 * meaning.unit);
}

}  // namespace rdp::gst
