// SPDX-License-Identifier: LGPL-2.1-or-later
// The rules by which properties, a calibration and the camera on a frame become one camera: what
// the samples measure, in which unit, and every text that says why that is not known.
#include "gst/elements/base/camera_choice.h"

#include <gst/check/gstcheck.h>

#include <clocale>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/check_test.h"

using namespace rdp::gst;

namespace {

constexpr GstRdpMeasure kUnknown = GST_RDP_MEASURE_UNKNOWN;
constexpr GstRdpMeasure kDisparity = GST_RDP_MEASURE_DISPARITY;
constexpr GstRdpMeasure kDepth = GST_RDP_MEASURE_DEPTH;
constexpr double kKitti = 1.0 / 256.0;

// What all speak, until a test makes them say more.
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
  const char* unit_remedy = nullptr;

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
            unit_remedy};
  }
  SampleMeaningResult choose() const { return choose_meaning(sources()); }
  GstRdpCameraInfo compose() const {
    const auto info = compose_camera(sources(), choose().meaning);
    fail_unless(info.has_value());
    return *info;
  }
};

struct Row {
  const char* what;
  std::function<void(Case&)> say;
  GstRdpMeasure measures;
  double unit;
  const char* reason;  // "": none
};

void frame_says(Case& c, GstRdpMeasure measures, double unit) {
  c.has_frame = true;
  c.frame.measures = measures;
  (measures == kDepth ? c.frame.depth_unit : c.frame.disparity_unit) = unit;
}

void calibration_says(Case& c, GstRdpMeasure measures, double unit) {
  c.has_calibration = true;
  c.calibration.measures = measures;
  (measures == kDepth ? c.calibration.depth_unit : c.calibration.disparity_unit) = unit;
}

const std::string kNobody =
    "it is not known whether the samples are disparity or depth: set measures, disparity-unit or "
    "depth-unit";
const std::string kNoDepthUnit =
    "the samples are depth, but their unit is not known: set depth-unit (0.001 for millimetres)";
const std::string kNoDisparityUnit =
    "the samples are disparity, but the camera on the frames does not say their unit: set "
    "disparity-unit (0.00390625 where a pixel is 256 steps)";
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
  static const std::string texts[] = {
      "domain=inverse is for depth, but baseline=0.54 is for disparity" + kOneOfBoth,
      "domain=inverse is for depth, but disparity-unit=0.5 is for disparity" + kOneOfBoth,
      "depth-unit=0.001 is for depth, but baseline=0.54 is for disparity" + kOneOfBoth,
      "domain=inverse and depth-unit=0.001 is for depth, but baseline=0.54 and disparity-unit=0.5 "
      "is for disparity" +
          kOneOfBoth,
      "measures=depth, but disparity-unit=0.5" + kUseDepthUnit,
      "the camera on the frames says depth, but disparity-unit=0.5" + kUseDepthUnit,
      "the calibration says depth, but disparity-unit=0.5" + kUseDepthUnit,
      "measures=disparity, but depth-unit=0.001" + kUseDisparityUnit,
      "the camera on the frames says disparity, but depth-unit=0.001" + kUseDisparityUnit,
      "measures=disparity" + kNotInverse,
      "the camera on the frames says disparity" + kNotInverse,
      kLostDisparityUnit + "disparity-unit, in pixels of the frames as they are here",
      kLostDisparityUnit + "disparity-unit=0.001953125",
      kLostDepthUnit + "depth-unit (0.001 for millimetres)",
      kLostDepthUnit + "depth-unit=0.0002",
      "the samples are disparity, but the camera on the frames does not say their unit: set "
      "disparity-unit=0.5",
  };
  const auto loses = [](Case& c, GstRdpMeasure measures = kUnknown, const char* unit = nullptr) {
    c.lost = true;
    c.remedy_for = measures;
    c.unit_remedy = unit;
  };
  return {
      // Nobody says anything, or a file has a baseline alone.
      {"nothing", [](Case&) {}, kUnknown, 0, kNobody.c_str()},
      {"a baseline in a file", [](Case& c) { c.has_calibration = true; }, kUnknown, 0,
       kNobody.c_str()},
      {"a baseline on the frame", [](Case& c) { c.has_frame = true; }, kUnknown, 0,
       kNobody.c_str()},
      {"focal-length", [](Case& c) { c.set.focal_length = 700; }, kUnknown, 0, kNobody.c_str()},
      // Guesses.
      {"domain=inverse", [](Case& c) { c.use.inverse = true; }, kDepth, 0, kNoDepthUnit.c_str()},
      {"depth-unit", [](Case& c) { c.set.depth_unit = 0.001; }, kDepth, 0.001, ""},
      {"domain=inverse and depth-unit",
       [](Case& c) {
         c.use.inverse = true;
         c.set.depth_unit = 0.001;
       },
       kDepth, 0.001, ""},
      {"baseline", [](Case& c) { c.set.baseline = 0.54; }, kDisparity, kKitti, ""},
      {"baseline, GRAY8",
       [](Case& c) {
         c.set.baseline = 0.54;
         c.bytes = true;
       },
       kDisparity, 1, ""},
      {"disparity-unit", [](Case& c) { c.set.disparity_unit = 0.0625; }, kDisparity, 0.0625, ""},
      {"disparity-unit, GRAY8",
       [](Case& c) {
         c.set.disparity_unit = 0.0625;
         c.bytes = true;
       },
       kDisparity, 0.0625, ""},
      {"disparity-unit against that of the frame",
       [](Case& c) {
         frame_says(c, kDisparity, kKitti);
         c.set.disparity_unit = 0.0625;
       },
       kDisparity, 0.0625, ""},
      // Said outright.
      {"measures=disparity", [](Case& c) { c.set.measures = kDisparity; }, kDisparity, kKitti, ""},
      {"measures=depth", [](Case& c) { c.set.measures = kDepth; }, kDepth, 0, kNoDepthUnit.c_str()},
      {"measures=depth and a baseline: ZED has one",
       [](Case& c) {
         c.set.measures = kDepth;
         c.set.depth_unit = 0.001;
         c.set.baseline = 0.12;
       },
       kDepth, 0.001, ""},
      {"the frame says disparity", [](Case& c) { frame_says(c, kDisparity, 0.25); }, kDisparity,
       0.25, ""},
      {"the frame says disparity, and no unit: it may have been scaled",
       [](Case& c) { frame_says(c, kDisparity, 0); }, kDisparity, 0, kNoDisparityUnit.c_str()},
      {"the frame says depth", [](Case& c) { frame_says(c, kDepth, 0.01); }, kDepth, 0.01, ""},
      {"the frame says depth, and no unit", [](Case& c) { frame_says(c, kDepth, 0); }, kDepth, 0,
       kNoDepthUnit.c_str()},
      {"the frame says depth, a baseline is geometry",
       [](Case& c) {
         frame_says(c, kDepth, 0.01);
         c.set.baseline = 0.12;
       },
       kDepth, 0.01, ""},
      {"the calibration before the frame",
       [](Case& c) {
         frame_says(c, kDepth, 0.01);
         calibration_says(c, kDisparity, 0.5);
       },
       kDisparity, 0.5, ""},
      {"the calibration says disparity, and no unit",
       [](Case& c) { calibration_says(c, kDisparity, 0); }, kDisparity, kKitti, ""},
      {"measures before all",
       [](Case& c) {
         frame_says(c, kDisparity, 0.25);
         calibration_says(c, kDisparity, 0.5);
         c.frame.depth_unit = 0.01;
         c.set.measures = kDepth;
       },
       kDepth, 0.01, ""},
      {"the calibration has no unit, the frame has",
       [](Case& c) {
         frame_says(c, kDisparity, 0.25);
         c.has_calibration = true;
       },
       kDisparity, 0.25, ""},
      {"domain=inverse, and the frame says depth",
       [](Case& c) {
         frame_says(c, kDepth, 0.001);
         c.use.inverse = true;
       },
       kDepth, 0.001, ""},
      // A unit that was lost is not made up anew, whoever says what the samples are.
      {"lost, baseline",
       [loses](Case& c) {
         loses(c);
         c.set.baseline = 0.54;
       },
       kDisparity, 0, texts[11].c_str()},
      {"lost, baseline, GRAY8, the unit is known",
       [loses](Case& c) {
         loses(c, kDisparity, "disparity-unit=0.001953125");
         c.set.baseline = 0.54;
         c.bytes = true;
       },
       kDisparity, 0, texts[12].c_str()},
      {"lost, measures=disparity, it was depth",
       [loses](Case& c) {
         loses(c, kDepth, "depth-unit=0.0002");
         c.set.measures = kDisparity;
       },
       kDisparity, 0, texts[11].c_str()},
      {"lost, the calibration says disparity",
       [loses](Case& c) {
         loses(c);
         calibration_says(c, kDisparity, 0);
       },
       kDisparity, 0, texts[11].c_str()},
      {"lost, the calibration has the unit",
       [loses](Case& c) {
         loses(c);
         calibration_says(c, kDisparity, 0.5);
       },
       kDisparity, 0.5, ""},
      {"lost, disparity-unit",
       [loses](Case& c) {
         loses(c);
         c.set.disparity_unit = 0.25;
       },
       kDisparity, 0.25, ""},
      {"lost, measures=depth",
       [loses](Case& c) {
         loses(c);
         c.set.measures = kDepth;
       },
       kDepth, 0, texts[13].c_str()},
      {"lost, measures=depth, the unit is known",
       [loses](Case& c) {
         loses(c, kDepth, "depth-unit=0.0002");
         c.set.measures = kDepth;
       },
       kDepth, 0, texts[14].c_str()},
      {"the frame's unit is cleared, measures=disparity",
       [](Case& c) {
         frame_says(c, kDisparity, 0);
         c.set.measures = kDisparity;
         c.bytes = true;
       },
       kDisparity, 0, kNoDisparityUnit.c_str()},
      {"the frame's unit is cleared, the calibration says disparity",
       [](Case& c) {
         frame_says(c, kDisparity, 0);
         calibration_says(c, kDisparity, 0);
         c.remedy_for = kDisparity;
         c.unit_remedy = "disparity-unit=0.5";
       },
       kDisparity, 0, texts[15].c_str()},
      {"the frame's camera says nothing of samples",
       [](Case& c) {
         c.has_frame = true;
         c.set.measures = kDisparity;
       },
       kDisparity, kKitti, ""},
      // Contradictions.
      {"inverse, baseline",
       [](Case& c) {
         c.use.inverse = true;
         c.set.baseline = 0.54;
       },
       kUnknown, 0, texts[0].c_str()},
      {"inverse, disparity-unit",
       [](Case& c) {
         c.use.inverse = true;
         c.set.disparity_unit = 0.5;
       },
       kUnknown, 0, texts[1].c_str()},
      {"depth-unit, baseline",
       [](Case& c) {
         c.set.depth_unit = 0.001;
         c.set.baseline = 0.54;
       },
       kUnknown, 0, texts[2].c_str()},
      {"all of them",
       [](Case& c) {
         c.use.inverse = true;
         c.set.depth_unit = 0.001;
         c.set.baseline = 0.54;
         c.set.disparity_unit = 0.5;
       },
       kUnknown, 0, texts[3].c_str()},
      {"measures=depth, disparity-unit",
       [](Case& c) {
         c.set.measures = kDepth;
         c.set.disparity_unit = 0.5;
       },
       kUnknown, 0, texts[4].c_str()},
      {"the frame says depth, disparity-unit",
       [](Case& c) {
         frame_says(c, kDepth, 0.001);
         c.set.disparity_unit = 0.5;
       },
       kUnknown, 0, texts[5].c_str()},
      {"the calibration says depth, disparity-unit",
       [](Case& c) {
         calibration_says(c, kDepth, 0.001);
         c.set.disparity_unit = 0.5;
       },
       kUnknown, 0, texts[6].c_str()},
      {"measures=disparity, depth-unit",
       [](Case& c) {
         c.set.measures = kDisparity;
         c.set.depth_unit = 0.001;
       },
       kUnknown, 0, texts[7].c_str()},
      {"the frame says disparity, depth-unit",
       [](Case& c) {
         frame_says(c, kDisparity, 0.25);
         c.set.depth_unit = 0.001;
       },
       kUnknown, 0, texts[8].c_str()},
      {"measures=disparity, inverse",
       [](Case& c) {
         c.set.measures = kDisparity;
         c.use.inverse = true;
       },
       kDisparity, kKitti, texts[9].c_str()},
      {"the frame says disparity, inverse",
       [](Case& c) {
         frame_says(c, kDisparity, 0.25);
         c.use.inverse = true;
       },
       kDisparity, 0.25, texts[10].c_str()},
  };
}

}  // namespace

CHECK_TEST(test_meaning) {
  for (const Row& row : rows()) {
    Case c;
    row.say(c);
    const SampleMeaningResult choice = c.choose();
    fail_unless(choice.meaning.measures == row.measures, "%s: measures %d", row.what,
                choice.meaning.measures);
    fail_unless(choice.meaning.unit == row.unit, "%s: unit %g", row.what, choice.meaning.unit);
    fail_unless(choice.reason == row.reason, "%s: %s", row.what, choice.reason.c_str());
  }
}

// Numbers in texts are as in a launch line.
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

// focal-length is all that a camera needs, and everything else has its own default.
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
  // Of the frame's camera the unit and the meaning stay.
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

// A calibration replaces the frame's geometry, and what is set besides replaces itself alone.
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

// Of contradictory settings nothing is kept that would give metres.
CHECK_TEST(test_contradictory) {
  Case c;
  frame_says(c, kDisparity, 0.25);
  c.set.depth_unit = 0.001;
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
