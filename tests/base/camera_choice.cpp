// SPDX-License-Identifier: LGPL-2.1-or-later
// The rules that combine properties, a calibration and the frame's camera into one camera. They
// give the meaning of samples, their unit, and every text that explains why these are unknown.
#include "gst/elements/base/camera_choice.h"

#include <clocale>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/check_test.h"

using namespace rdp::gst;

namespace {

constexpr GstRdpMeasure kUnknown = GST_RDP_MEASURE_UNKNOWN;
constexpr GstRdpMeasure kDisparity = GST_RDP_MEASURE_DISPARITY;
constexpr GstRdpMeasure kDepth = GST_RDP_MEASURE_DEPTH;
constexpr double kKitti = 1.0 / 256.0;

// Inputs of the choice; by default none states anything.
struct Case {
  CameraSettings set;
  CameraUse use;
  GstRdpCameraInfo calibration;
  GstRdpCameraInfo frame;
  bool has_calibration = false;
  bool has_frame = false;
  bool bytes = false;
  bool lost = false;
  GstRdpMeasure remedy_for = GST_RDP_MEASURE_UNKNOWN;
  std::string unit_remedy;

  Case() {
    for (GstRdpCameraInfo* info : {&calibration, &frame}) {
      gst_rdp_camera_info_init(info);
      info->focal_length = info->focal_length_y = 500.0;
      info->principal_x = 300.0;
      info->principal_y = 200.0;
      info->rectified = TRUE;
      info->baseline = 0.1;
    }
  }
  CameraSources sources() const {
    return {set,
            has_calibration ? &calibration : nullptr,
            has_frame ? &frame : nullptr,
            use,
            640,
            480,
            bytes,
            lost,
            remedy_for,
            unit_remedy.empty() ? nullptr : unit_remedy.c_str()};
  }
  SampleMeaningResult choose() const { return choose_meaning(sources()); }
  GstRdpCameraInfo compose() const {
    const auto info = compose_camera(sources(), choose().meaning);
    fail_unless(info.has_value());
    return *info;
  }
};

// A case as a launch line: properties with values. `frame` and `calibration` add a camera that says
// nothing about samples, frame:depth=UNIT and the like one that does. `lost` adds an invalidated
// camera; lost:PROPERTY=VALUE and remedy:PROPERTY=VALUE also set the remedy. domain=inverse and
// format=GRAY8 are possible, too.
struct Row {
  const char* words;
  GstRdpMeasure measures;
  double unit;
  std::string reason = {};  // empty: none
};

GstRdpMeasure measure_of(const std::string& word) {
  return word.starts_with("depth") ? kDepth : kDisparity;
}

void camera_says(bool* has, GstRdpCameraInfo* camera, const std::string& key, double unit) {
  *has = true;
  if (key.empty()) return;
  camera->measures = measure_of(key);
  (camera->measures == kDepth ? camera->depth_unit : camera->disparity_unit) = unit;
}

void say(Case* c, const std::string& words) {
  std::istringstream stream(words);
  for (std::string word; stream >> word;) {
    const std::string name = word.substr(0, word.find_first_of(":="));
    const std::string rest = word.size() > name.size() ? word.substr(name.size() + 1) : "";
    const std::string key = rest.substr(0, rest.find('='));
    const double value = g_ascii_strtod(word.c_str() + word.find('=') + 1, nullptr);
    if (name == "frame") {
      camera_says(&c->has_frame, &c->frame, key, value);
    } else if (name == "calibration") {
      camera_says(&c->has_calibration, &c->calibration, key, value);
    } else if (name == "lost" || name == "remedy") {
      c->lost = name == "lost";
      c->unit_remedy = rest;
      if (!rest.empty()) c->remedy_for = measure_of(rest);
    } else if (name == "domain") {
      c->use.inverse = true;
    } else if (name == "format") {
      c->bytes = true;
    } else if (name == "measures") {
      c->set.measures = measure_of(rest);
    } else {
      (name == "baseline"         ? c->set.baseline
       : name == "depth-unit"     ? c->set.depth_unit
       : name == "disparity-unit" ? c->set.disparity_unit
                                  : c->set.focal_length) = value;
    }
  }
}

const std::string kNobody =
    "it is not known whether the samples are disparity or depth: set measures, disparity-unit or "
    "depth-unit";
const std::string kNoDepthUnit =
    "the samples are depth, but their unit is not known: set depth-unit (0.001 for millimetres)";
const std::string kDisparityUnitMissing =
    "the samples are disparity, but the camera on the frames does not say their unit: set ";
const std::string kNoDisparityUnit =
    kDisparityUnitMissing + "disparity-unit (0.00390625 where a pixel is 256 steps)";
const std::string kLostDisparityUnit =
    "the samples are disparity, but their unit was lost with the camera that came on the frames: "
    "set ";
const std::string kLostDepthUnit =
    "the samples are depth, but their unit was lost with the camera that came on the frames: set ";
const std::string kOneOfBoth =
    ": set measures to depth or disparity, and unset the properties of the other";
const std::string kUseDepthUnit =
    " is for disparity: unset it and set depth-unit (0.001 for millimetres), or set "
    "measures=disparity";
const std::string kUseDisparityUnit =
    " is for depth: unset it and set disparity-unit (0.00390625 where a pixel is 256 steps), or "
    "set measures=depth";
const std::string kNotInverse =
    ", but domain=inverse is for depth: set domain=linear, or measures=depth if the samples are "
    "depth";

std::vector<Row> rows() {
  const std::string depth_set = ", but depth-unit=0.001" + kUseDisparityUnit;
  const std::string disparity_set = ", but disparity-unit=0.5" + kUseDepthUnit;
  const std::string any_disparity_unit = "disparity-unit, in pixels of the frames as they are here";
  return {
      // No source says anything, or a file has only a baseline.
      {"", kUnknown, 0, kNobody},
      {"calibration", kUnknown, 0, kNobody},
      {"frame", kUnknown, 0, kNobody},
      {"focal-length=700", kUnknown, 0, kNobody},
      // Guesses.
      {"domain=inverse", kDepth, 0, kNoDepthUnit},
      {"depth-unit=0.001", kDepth, 0.001},
      {"domain=inverse depth-unit=0.001", kDepth, 0.001},
      {"baseline=0.54", kDisparity, kKitti},
      {"baseline=0.54 format=GRAY8", kDisparity, 1},
      {"disparity-unit=0.0625", kDisparity, 0.0625},
      {"disparity-unit=0.0625 format=GRAY8", kDisparity, 0.0625},
      {"disparity-unit=0.0625 frame:disparity=0.00390625", kDisparity, 0.0625},
      // Stated explicitly.
      {"measures=disparity", kDisparity, kKitti},
      {"measures=depth", kDepth, 0, kNoDepthUnit},
      {"measures=depth depth-unit=0.001 baseline=0.12", kDepth, 0.001},  // ZED has a baseline
      {"frame:disparity=0.25", kDisparity, 0.25},
      {"frame:disparity=0", kDisparity, 0, kNoDisparityUnit},  // it may have been scaled
      {"frame:depth=0.01", kDepth, 0.01},
      {"frame:depth=0", kDepth, 0, kNoDepthUnit},
      {"frame:depth=0.01 baseline=0.12", kDepth, 0.01},
      {"frame:depth=0.01 calibration:disparity=0.5", kDisparity, 0.5},
      {"calibration:disparity=0", kDisparity, kKitti},
      {"frame:depth=0.01 frame:disparity=0.25 calibration:disparity=0.5 measures=depth", kDepth,
       0.01},
      {"frame:disparity=0.25 calibration", kDisparity, 0.25},
      {"frame:depth=0.001 domain=inverse", kDepth, 0.001},
      // A lost unit is not guessed again, whichever source states the meaning of the samples.
      {"lost baseline=0.54", kDisparity, 0, kLostDisparityUnit + any_disparity_unit},
      {"lost:disparity-unit=0.001953125 baseline=0.54 format=GRAY8", kDisparity, 0,
       kLostDisparityUnit + "disparity-unit=0.001953125"},
      {"lost:depth-unit=0.0002 measures=disparity", kDisparity, 0,
       kLostDisparityUnit + any_disparity_unit},
      {"lost calibration:disparity=0", kDisparity, 0, kLostDisparityUnit + any_disparity_unit},
      {"lost calibration:disparity=0.5", kDisparity, 0.5},
      {"lost disparity-unit=0.25", kDisparity, 0.25},
      {"lost measures=depth", kDepth, 0, kLostDepthUnit + "depth-unit (0.001 for millimetres)"},
      {"lost:depth-unit=0.0002 measures=depth", kDepth, 0, kLostDepthUnit + "depth-unit=0.0002"},
      {"frame:disparity=0 measures=disparity format=GRAY8", kDisparity, 0, kNoDisparityUnit},
      {"frame:disparity=0 calibration:disparity=0 remedy:disparity-unit=0.5", kDisparity, 0,
       kDisparityUnitMissing + "disparity-unit=0.5"},
      {"frame measures=disparity", kDisparity, kKitti},
      // Contradictions.
      {"domain=inverse baseline=0.54", kUnknown, 0,
       "domain=inverse is for depth, but baseline=0.54 is for disparity" + kOneOfBoth},
      {"domain=inverse disparity-unit=0.5", kUnknown, 0,
       "domain=inverse is for depth, but disparity-unit=0.5 is for disparity" + kOneOfBoth},
      {"depth-unit=0.001 baseline=0.54", kUnknown, 0,
       "depth-unit=0.001 is for depth, but baseline=0.54 is for disparity" + kOneOfBoth},
      {"domain=inverse depth-unit=0.001 baseline=0.54 disparity-unit=0.5", kUnknown, 0,
       "domain=inverse and depth-unit=0.001 is for depth, but baseline=0.54 and disparity-unit=0.5 "
       "is for disparity" +
           kOneOfBoth},
      {"measures=depth disparity-unit=0.5", kUnknown, 0, "measures=depth" + disparity_set},
      {"frame:depth=0.001 disparity-unit=0.5", kUnknown, 0,
       "the camera on the frames says depth" + disparity_set},
      {"calibration:depth=0.001 disparity-unit=0.5", kUnknown, 0,
       "the calibration says depth" + disparity_set},
      {"measures=disparity depth-unit=0.001", kUnknown, 0, "measures=disparity" + depth_set},
      {"frame:disparity=0.25 depth-unit=0.001", kUnknown, 0,
       "the camera on the frames says disparity" + depth_set},
      {"measures=disparity domain=inverse", kDisparity, kKitti, "measures=disparity" + kNotInverse},
      {"frame:disparity=0.25 domain=inverse", kDisparity, 0.25,
       "the camera on the frames says disparity" + kNotInverse},
  };
}

}  // namespace

CHECK_TEST(test_meaning) {
  for (const Row& row : rows()) {
    Case c;
    say(&c, row.words);
    const SampleMeaningResult choice = c.choose();
    fail_unless(choice.meaning.measures == row.measures, "%s: measures %d", row.words,
                choice.meaning.measures);
    fail_unless(choice.meaning.unit == row.unit, "%s: unit %g", row.words, choice.meaning.unit);
    fail_unless(choice.reason == row.reason, "%s: %s", row.words, choice.reason.c_str());
  }
}

// Numbers in texts have the launch-line format in every locale.
CHECK_TEST(test_locale) {
  const char* before = std::setlocale(LC_NUMERIC, nullptr);
  const std::string kept = before;
  if (std::setlocale(LC_NUMERIC, "de_DE.UTF-8") == nullptr) return;
  Case c;
  c.set.measures = kDepth;
  c.set.disparity_unit = 0.5;
  const std::string reason = c.choose().reason;
  std::setlocale(LC_NUMERIC, kept.c_str());
  fail_unless(reason.find("disparity-unit=0.5") != std::string::npos, "%s", reason.c_str());
}

// A camera needs only focal-length; every other property has its own default.
CHECK_TEST(test_geometry_of_properties) {
  Case c;
  c.has_frame = true;
  c.frame.distortion[0] = 0.1;
  c.frame.has_pose = TRUE;
  c.frame.measures = kDisparity;
  c.frame.disparity_unit = 0.25;
  c.set.focal_length = 700;
  GstRdpCameraInfo info = c.compose();
  GstRdpCameraInfo expected;
  gst_rdp_camera_info_init(&expected);
  expected.width = 640;
  expected.height = 480;
  expected.focal_length = expected.focal_length_y = 700;
  expected.principal_x = 319.5;
  expected.principal_y = 239.5;
  expected.rectified = TRUE;
  // The unit and meaning of the frame's camera stay.
  expected.measures = kDisparity;
  expected.disparity_unit = 0.25;
  fail_unless(same_camera(info, expected));

  c.set.focal_length_y = 710;
  c.set.principal_x = 0;
  c.set.principal_y = 17.5;
  c.set.baseline = 0.2;
  c.set.disparity_offset = -3;
  c.set.disparity_unit = 0.5;
  info = c.compose();
  expected.focal_length_y = 710;
  expected.principal_x = 0;
  expected.principal_y = 17.5;
  expected.baseline = 0.2;
  expected.disparity_offset = -3;
  expected.disparity_unit = 0.5;
  fail_unless(same_camera(info, expected));
}

// A calibration replaces the frame's geometry; each property replaces only its own field.
CHECK_TEST(test_geometry_of_others) {
  Case c;
  fail_unless(!compose_camera(c.sources(), {}).has_value());
  c.has_frame = true;
  c.frame.measures = kDepth;
  c.frame.depth_unit = 0.001;
  c.frame.distortion[1] = 0.5;
  c.frame.has_pose = TRUE;
  c.frame.pose[3] = 7;
  GstRdpCameraInfo expected = c.frame;
  expected.width = 640;
  expected.height = 480;
  fail_unless(same_camera(c.compose(), expected));

  c.set.baseline = 0.3;
  c.set.depth_unit = 0.01;
  expected.baseline = 0.3;
  expected.depth_unit = 0.01;
  fail_unless(same_camera(c.compose(), expected));

  c.has_calibration = true;
  c.calibration.focal_length = 900;
  c.set.baseline = 0;
  expected = c.calibration;
  expected.width = 640;
  expected.height = 480;
  expected.measures = kDepth;
  expected.depth_unit = 0.01;
  fail_unless(same_camera(c.compose(), expected));
}

// Contradictory settings never give metres.
CHECK_TEST(test_contradictory) {
  Case c;
  say(&c, "frame:disparity=0.25 depth-unit=0.001");
  fail_unless_equals_int(c.compose().measures, kUnknown);
}

CHECK_TEST(test_same_camera) {
  Case c;
  c.frame.has_pose = c.frame.has_projection = TRUE;
  const std::vector<std::function<void(GstRdpCameraInfo&)>> changes = {
      [](auto& i) { i.width++; },           [](auto& i) { i.height++; },
      [](auto& i) { i.focal_length++; },    [](auto& i) { i.focal_length_y++; },
      [](auto& i) { i.principal_x++; },     [](auto& i) { i.principal_y++; },
      [](auto& i) { i.distortion[7]++; },   [](auto& i) { i.rectified = FALSE; },
      [](auto& i) { i.baseline++; },        [](auto& i) { i.disparity_offset++; },
      [](auto& i) { i.measures = kDepth; }, [](auto& i) { i.disparity_unit++; },
      [](auto& i) { i.depth_unit++; },      [](auto& i) { i.has_pose = FALSE; },
      [](auto& i) { i.pose[11]++; },        [](auto& i) { i.has_projection = FALSE; },
      [](auto& i) { i.projection[11]++; },
  };
  fail_unless(same_camera(c.frame, c.frame));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    GstRdpCameraInfo other = c.frame;
    changes[i](other);
    fail_unless(!same_camera(c.frame, other), "change %zu", i);
  }
}

CHECK_TEST(test_sample_scale) {
  const struct {
    double scale, unit;
    bool inverse, contradicts;
  } cases[] = {
      {1, kKitti, false, false},    {kKitti, kKitti, false, false}, {0.0039, kKitti, false, false},
      {0.001, kKitti, false, true}, {0.5, kKitti, false, true},     {0.5, 0, false, false},
      {0.001, kKitti, true, false}, {0.001, 0.001, false, false},   {1.02, 1, false, true},
      {0.0386, 0.039, false, true},
  };
  for (const auto& it : cases) {
    CameraUse use;
    use.sample_scale = it.scale;
    use.inverse = it.inverse;
    fail_unless(contradicts_sample_scale({kDisparity, it.unit}, use) == it.contradicts, "%g, %g",
                it.scale, it.unit);
  }
}

CHECK_CASE(camera_choice)
