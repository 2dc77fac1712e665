// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthfilter/filter_settings.h"

#include <algorithm>
#include <optional>

#include "common/filter/distance_range.h"
#include "gst/elements/base/enum_type.h"
#include "gst/memory/frame_layout.h"

namespace rdp::gst {

GType filter_domain_get_type() {
  return enum_type<FilterDomain>(
      "GstDepthFilterDomain",
      {{FilterDomain::kAuto, "Linear for disparity, inverse for depth", "auto"},
       {FilterDomain::kLinear, "The same tolerance for all samples", "linear"},
       {FilterDomain::kInverse, "The same tolerance for inverse-scale / sample", "inverse"}});
}

GType filter_persistence_get_type() {
  using filter::Persistence;
  return enum_type<Persistence>(
      "GstDepthFilterPersistence",
      {{Persistence::kNone, "Never fill", "none"},
       {Persistence::kAllOf8, "Known in all of the previous 8 frames", "all-8"},
       {Persistence::kTwoOf3, "Known in 2 of the previous 3 frames", "two-of-3"},
       {Persistence::kTwoOf4, "Known in 2 of the previous 4 frames", "two-of-4"},
       {Persistence::kTwoOf8, "Known in 2 of the previous 8 frames", "two-of-8"},
       {Persistence::kOneOf2, "Known in 1 of the previous 2 frames", "one-of-2"},
       {Persistence::kOneOf5, "Known in 1 of the previous 5 frames", "one-of-5"},
       {Persistence::kOneOf8, "Known in 1 of the previous 8 frames", "one-of-8"},
       {Persistence::kAlways, "Known in any previous frame", "always"}});
}

GType filter_hole_filling_get_type() {
  using filter::HoleFilling;
  return enum_type<HoleFilling>(
      "GstDepthFilterHoleFilling",
      {{HoleFilling::kNone, "No filling", "none"},
       {HoleFilling::kLeft, "First known sample to the left", "left"},
       {HoleFilling::kFarthest, "Farthest of the known samples left, right, above and below",
        "farthest"},
       {HoleFilling::kNearest, "Nearest of the known samples left, right, above and below",
        "nearest"},
       {HoleFilling::kGap, "Between both sides if they are alike, else the farther one", "gap"}});
}

GType filter_overlay_style_get_type() {
  using Style = filter::OverlayStyle;
  return enum_type<Style>(
      "GstDepthFilterOverlayStyle",
      {{Style::kChanges, "Removed samples red, filled ones blue, others in grey", "changes"}});
}

bool changes_samples(const FilterChoice& choice) {
  const filter::Parameters& steps = choice.steps;
  return choice.min_value > 1 || choice.max_value < 65535 || choice.min_distance > 0.0 ||
         choice.max_distance > 0.0 || steps.median != 0 || steps.flying || steps.speckle_size > 1 ||
         steps.decimation > 1 || steps.spatial_radius > 0 || steps.temporal_frames > 1 ||
         steps.hole_filling != filter::HoleFilling::kNone;
}

namespace {

// The conversion from samples to metres; none: there are no metres.
std::optional<DepthOfValue> distances_of(const SampleMeaning& meaning, const MetricCamera* camera) {
  if (camera != nullptr) return camera->depth;
  const bool depth = meaning.measures == GST_RDP_MEASURE_DEPTH && meaning.unit > 0.0;
  return depth ? std::optional(DepthOfValue{.factor = meaning.unit}) : std::nullopt;
}

std::string explain_auto(const SampleMeaning& meaning) {
  switch (meaning.measures) {
    case GST_RDP_MEASURE_DEPTH:
      return "domain=auto needs the unit of the depth samples, but neither the frames' camera nor "
             "a property states it: set depth-unit, metres per sample step (0.001 = millimetres), "
             "or set domain=inverse and inverse-scale";
    case GST_RDP_MEASURE_DISPARITY:
      return "domain=auto needs the unit of the disparity samples, but neither the frames' camera "
             "nor a property states it: set disparity-unit, pixels per sample step (0.00390625 = "
             "1/256 px), or set domain=linear and sample-scale";
    default:
      return "domain=auto needs to know what the samples measure, but the frames bring no camera "
             "that says so: set depth-unit, metres per sample step (0.001 = millimetres), or for "
             "disparity disparity-unit, pixels per sample step, or set domain=linear or "
             "domain=inverse";
  }
}

// Finds the range of valid samples.
std::string find_range(const FilterChoice& choice, const std::optional<DepthOfValue>& rule,
                       KnownRange* known) {
  const double least = choice.min_distance;
  const double most = choice.max_distance;
  *known = {choice.min_value, choice.max_value};
  if (!(least > 0.0) && !(most > 0.0)) return {};
  if (!rule) {
    return "min-distance and max-distance are in metres, but the distances of the samples are not "
           "known: set depth-unit, metres per sample step, or for disparity calibration or "
           "focal-length and baseline; or use min-value and max-value, in sample steps";
  }
  if (most > 0.0 && least > most) {
    return format_text(
        "no sample is valid with min-distance=%g and max-distance=%g: set min-distance no larger "
        "than max-distance, or max-distance=0",
        least, most);
  }
  const KnownRange within = filter::distance_range(*rule, least, most);
  *known = {std::max(known->first, within.first), std::min(known->last, within.last)};
  return {};
}

}  // namespace

std::string find_parameters(const FilterChoice& choice, const SampleMeaning& meaning,
                            const MetricCamera* camera, filter::Parameters* parameters) {
  *parameters = choice.steps;
  std::string wrong = find_range(choice, distances_of(meaning, camera), &parameters->known);
  if (!wrong.empty()) return wrong;
  const bool is_disparity = meaning.measures == GST_RDP_MEASURE_DISPARITY;
  bool linear = choice.domain == FilterDomain::kLinear;
  double sample_scale = choice.sample_scale;
  double inverse_scale = choice.inverse_scale;
  if (choice.domain == FilterDomain::kAuto) {
    if (meaning.measures == GST_RDP_MEASURE_UNKNOWN || !(meaning.unit > 0.0))
      return explain_auto(meaning);
    linear = is_disparity;
    sample_scale = meaning.unit;
    inverse_scale = 1000.0 / meaning.unit;
  }
  // The domain decides what samples of unknown meaning are.
  parameters->disparity = meaning.measures == GST_RDP_MEASURE_UNKNOWN ? linear : is_disparity;
  const double usual = linear ? 1.0 : 6.0;
  const double tolerance = choice.tolerance > 0.0 ? choice.tolerance : usual;
  parameters->tolerance = linear ? filter::linear_tolerance(tolerance, sample_scale)
                                 : filter::inverse_tolerance(tolerance, inverse_scale);
  return {};
}

}  // namespace rdp::gst
