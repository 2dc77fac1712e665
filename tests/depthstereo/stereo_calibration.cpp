// SPDX-License-Identifier: LGPL-2.1-or-later
// depthstereo's use of a calibration: the decision to rectify, the maps, the disparity's camera,
// and all messages.
#include "gst/elements/depthstereo/stereo_calibration.h"

#include <cmath>
#include <string>
#include <vector>

#include "gst/elements/depthstereo/stereo_views.h"
#include "gst/rdpsegment/rdpcamerametric.h"
#include "tests/depthstereo/calibration_rig.h"
#include "tests/support/allocation_count.h"
#include "tests/support/check_test.h"

using namespace calibration_rig;
using namespace rdp::gst;
using rdp::test::Folder;

namespace {

// Projects world points (axes of the unrectified left camera) into both raw views. The maps must
// lead there from one row, and the disparity must give the depth in the rectified left camera.
void check_metres(Rig* rig, const rdp::CameraLens& left, const rdp::CameraLens& right,
                  const rdp::Pose& world_from_right) {
  const GstRdpCameraInfo& info = rig->info();
  const StereoMaps& maps = *rig->calibration.maps();
  const rdp::Pose world;
  const rdp::Pose from_world = rdp::pose_between(world, rdp::meta::camera_pose(info));
  int tried = 0;
  for (int i = 0; i < 400; ++i) {
    const rdp::Point point{-0.9 + 0.1 * (i % 20), -0.6 + 0.06 * (i / 20), 2.0 + 0.01 * i};
    const rdp::Point seen = rdp::transform(from_world, point);
    const double row = seen.y / seen.z * info.focal_length_y + info.principal_y;
    const double column = seen.x / seen.z * info.focal_length + info.principal_x;
    // Z = f B / (d + offset)
    const double disparity = info.focal_length * info.baseline / seen.z - info.disparity_offset;
    const rdp::Point of_right = rdp::transform(rdp::pose_between(world, world_from_right), point);
    double x, y;
    const auto check = [&](const rdp::stereo::RectificationMap& map, double at,
                           const rdp::CameraLens& lens, const rdp::Point& p) {
      const int c = static_cast<int>(std::lround(at));
      const int r = static_cast<int>(std::lround(row));
      if (c < 0 || r < 0 || c >= map.width || r >= map.height) return;
      const rdp::stereo::MapPoint& from = map.points[static_cast<std::size_t>(r * map.width + c)];
      if (from.x == rdp::stereo::kNotSeen) return;
      fail_unless(rdp::pixel_of_point(p.x, p.y, p.z, lens, &x, &y));
      // The next whole pixel of the map is at most half a pixel away, and one in the picture.
      fail_unless(std::fabs(from.x / 32.0 - x - (c - at)) < 0.3, "%g %g", from.x / 32.0, x);
      fail_unless(std::fabs(from.y / 32.0 - y - (r - row)) < 0.3, "%g %g", from.y / 32.0, y);
      ++tried;
    };
    check(maps.left, column, left, point);
    check(maps.right, column - disparity, right, of_right);
  }
  fail_unless(tried > 300, "%d", tried);
}

rdp::CameraLens lens(double fx, double fy, double cx, double cy, double k1, double k2) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.focal_length = fx;
  info.focal_length_y = fy;
  info.principal_x = cx;
  info.principal_y = cy;
  info.distortion[0] = k1;
  info.distortion[1] = k2;
  return rdp::meta::camera_lens(info);
}

// World from right: the inverse of a file's pose, right from left.
rdp::Pose world_from_right(double x, double y, double z) {
  rdp::Pose right_from_left;
  const double turn[9] = {0.9996079231, 0, 0.028, 0, 1, 0, -0.028, 0, 0.9996079231};
  for (int i = 0; i < 9; ++i) right_from_left.m[4 * (i / 3) + i % 3] = turn[i];
  right_from_left.m[3] = x;
  right_from_left.m[7] = y;
  right_from_left.m[11] = z;
  // inverse(right_from_left)
  return rdp::pose_between(rdp::Pose{}, right_from_left);
}

}  // namespace

// --- rectified or not ---------------------------------------------------------------------------

CHECK_TEST(test_nothing_said) {
  Rig rig;
  fail_unless(rig.calibration.start(rig.settings));
  fail_unless(rig.change());
  fail_unless(rig.calibration.camera() == nullptr);
  fail_unless(rig.calibration.maps() == nullptr);
  fail_if(rig.calibration.reason().empty());
  rig.check_said("");
  rig.settings.rectify = Rectify::kOn;
  rig.check_fails({"rectify=on", "calibration"});
  rig.settings.rectify = Rectify::kOff;
  rig.settings.output = StereoOutput::kDepthMm;
  rig.check_fails({"output=depth-mm", "set calibration, or focal-length and baseline"});
}

CHECK_TEST(test_properties) {
  Rig rig;
  rig.settings.camera.focal_length = 250;
  rig.settings.camera.baseline = 0.2;
  rig.settings.camera.disparity_offset = 3;
  rig.settings.min_disparity = 1;  // near things alone
  fail_unless(rig.calibration.start(rig.settings));
  fail_unless(rig.change());
  rig.check_said("");
  const GstRdpCameraInfo& info = rig.info();
  fail_unless(info.width == kWidth && info.height == kHeight);
  fail_unless(info.focal_length == 250 && info.focal_length_y == 250);
  fail_unless(info.principal_x == 159.5 && info.principal_y == 119.5);
  fail_unless(info.baseline == 0.2 && info.disparity_offset == 3);
  fail_unless(info.measures == GST_RDP_MEASURE_DISPARITY && info.disparity_unit == 1.0 / 256);
  fail_unless(*rig.calibration.depth_scale() == rdp::stereo::depth_scale(250, 0.2, 3));
  fail_unless(gst_rdp_camera_measures_metres(rig.calibration.camera(), nullptr) != FALSE);

  rig.settings.output = StereoOutput::kDepthMm;
  fail_unless(rig.change());
  fail_unless(rig.info().measures == GST_RDP_MEASURE_DEPTH && rig.info().depth_unit == 0.001);
  fail_unless(gst_rdp_camera_get_depth(rig.calibration.camera(), 1500) == 1.5);
  rig.check_said("");

  // While playing, pairs continue with the last consistent settings; one warning tells it.
  rig.settings.camera.baseline = 0;
  for (const bool first : {true, false}) {
    fail_unless(rig.change());
    const std::string said = rig.said();
    fail_unless(first == (said.find("set baseline") != std::string::npos &&
                          said.find("The previous settings stay in effect.") != std::string::npos),
                "%s", said.c_str());
    fail_unless(rig.info().baseline == 0.2 && rig.calibration.depth_scale().has_value());
  }
  rig.check_fails({"output=depth-mm needs metres", "set baseline"});
  rig.settings.output = StereoOutput::kDisparity;
  fail_unless(rig.change());
  fail_unless(rig.info().baseline == 0);
  fail_unless(!rig.calibration.depth_scale());
  fail_unless(rig.said().rfind("warning: The disparity gives no metres: the baseline is not", 0) ==
              0);
  // Once.
  rig.settings.rectify = Rectify::kOff;
  fail_unless(rig.change());
  rig.check_said("");
}

// A file of two lenses with a nearly cancelled pole: one warning reports the lost pixels. Two views
// of one camera are no pair.
CHECK_TEST(test_lens_with_a_pole) {
  Folder folder;
  const auto file = [&](const std::string& coefficients, const std::string& shift) {
    const std::string k = "[200., 0, 159.5, 0, 200, 119.5, 0, 0, 1]";
    return folder.write("pair.yml", "%YAML:1.0\n---\nK1: " + k + "\nK2: " + k +
                                        "\nD1: " + coefficients + "\nD2: " + coefficients +
                                        "\nR: [1, 0, 0, 0, 1, 0, 0, 0, 1]\nT: [" + shift +
                                        ", 0, 0]\n");
  };
  Rig rig;
  rig.set_files(file("[-9.2, 65.3, 0, 0, -87.7, -9.3, 65.6, -87.8]", "-0.1"));
  fail_unless(rig.calibration.start(rig.settings));
  fail_unless(rig.change());
  const std::string said = rig.said();
  for (const char* part : {"The lens model in", "% of the left view and", "% of the right one"}) {
    fail_unless(said.find(part) != std::string::npos, "%s", said.c_str());
  }
  const StereoMaps& maps = *rig.calibration.maps();
  const double share =
      static_cast<double>(maps.left.cut) / static_cast<double>(maps.left.mask.size());
  fail_unless(share > 0.03 && share < 0.12, "%g", share);
  fail_unless(maps.left.mask[0] == 255 && maps.right.mask[0] == 255, "corners are seen");
  rig.settings.camera.baseline = 0.25;  // another change
  fail_unless(rig.change());
  rig.check_said("");
}

CHECK_TEST(test_one_view_twice) {
  Folder folder;
  const std::string projection = "[[300, 0, 159.5, 0], [0, 300, 119.5, 0], [0, 0, 1, 0]]";
  const auto with = [&](const std::string& second) {
    return folder.write("views.json", "{\"size\": [320, 240], \"projection\": [" + projection +
                                          ", " + second + "]}");
  };
  Rig rig;
  rig.set_files(with(projection));
  fail_unless(rig.calibration.start(rig.settings));
  rig.check_fails({"the same projection for both views, so no baseline"});
  // The user's baseline replaces it.
  rig.settings.camera.baseline = 0.1;
  fail_unless(rig.change());
  fail_unless(rig.info().baseline == 0.1);
  rig.check_said("");
}

// Samples that count from a negative min-disparity have another offset than the views.
CHECK_TEST(test_negative_disparities) {
  Rig rig;
  rig.settings.camera.focal_length = 250;
  rig.settings.camera.baseline = 0.2;
  rig.settings.camera.disparity_offset = 31.5;
  fail_unless(rig.calibration.start(rig.settings));
  struct Case {
    int smallest;
    double offset;
    const char* said;  // a part of it; null: nothing
  };
  for (const Case& one : std::initializer_list<Case>{
           {0, 31.5, "farther than 1.59 m have disparities below min-disparity=0"},
           {-10, 21.5, "farther than 2.33 m have disparities below min-disparity=-10"},
           {-31, 0.5, "set min-disparity=-32, and disparities=144"},
           {-32, -0.5, nullptr},
           {-240, -208.5, nullptr},
           {5, 31.5, nullptr}}) {
    rig.settings.min_disparity = one.smallest;
    for (const StereoOutput output : {StereoOutput::kDisparity, StereoOutput::kDepthMm}) {
      rig.settings.output = output;
      fail_unless(rig.change());
      const double offset = output == StereoOutput::kDisparity ? one.offset : 31.5;
      fail_unless(rig.info().disparity_offset == offset);
      fail_unless(rig.calibration.disparity_offset() == 31.5);
      fail_unless(*rig.calibration.depth_scale() == rdp::stereo::depth_scale(250, 0.2, one.offset));
    }
    const std::string said = rig.said();
    fail_unless(one.said == nullptr ? said.empty() : said.find(one.said) != std::string::npos,
                "%d: %s", one.smallest, said.c_str());
  }
  // No smaller one than -240, and no metres without a baseline.
  rig.settings.output = StereoOutput::kDisparity;
  rig.settings.min_disparity = -240;
  rig.settings.camera.disparity_offset = 300;
  rig.settings.camera.baseline = 0;
  fail_unless(rig.change());
  const std::string said = rig.said();
  fail_unless(said.find("is 300 px, so that objects have disparities below min-disparity=-240") !=
                      std::string::npos &&
                  said.find("scale both views down") != std::string::npos,
              "%s", said.c_str());
}

CHECK_TEST(test_camera_of_the_left_frame) {
  Rig rig;
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = kWidth;
  info.height = kHeight;
  info.focal_length = info.focal_length_y = 200;
  info.rectified = TRUE;
  info.baseline = 0.3;
  g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&info, nullptr);
  fail_unless(rig.change(kWidth, kHeight, camera));
  fail_unless(rig.info().baseline == 0.3 && rig.info().disparity_unit == 1.0 / 256);
  // Properties come first.
  rig.settings.camera.focal_length = 250;
  fail_unless(rig.change(kWidth, kHeight, camera));
  fail_unless(rig.info().focal_length == 250 && rig.info().baseline == 0);
  rig.settings.camera.focal_length = 0;
  rig.said();
  fail_unless(rig.change(64, 48, camera));
  fail_unless(rig.calibration.camera() == nullptr, "it is of another size");
  fail_unless(rig.change());
  fail_unless(rig.calibration.camera() == nullptr);
  rig.check_said("");
}

CHECK_TEST(test_opencv_raw) {
  Rig rig;
  Folder folder;
  rig.set_files(folder.write("in.yml", cameras()) + "," +
                folder.write("ex.yml", "%YAML:1.0\n---\n" + stands()));
  fail_unless(rig.calibration.start(rig.settings));
  fail_unless(rig.change());
  rig.check_said("");
  fail_unless(rig.calibration.maps() != nullptr);
  const GstRdpCameraInfo& info = rig.info();
  fail_unless(info.rectified != FALSE && info.distortion[0] == 0 && info.has_pose != FALSE);
  fail_unless(std::fabs(info.baseline - std::sqrt(0.010001)) < 1e-9);
  fail_unless(info.disparity_offset == 0);
  check_metres(&rig, lens(300, 301, 160, 118, -0.25, 0.06), lens(302, 303, 158, 120, -0.25, 0.05),
               world_from_right(-0.1, 0.001, 0));

  // The maps are reused while nothing about them changes.
  const auto maps = rig.calibration.maps();
  rig.settings.output = StereoOutput::kDepthMm;
  fail_unless(rig.change());
  fail_unless(rig.calibration.maps() == maps);
  fail_unless(rig.change(200, 150));
  fail_unless(rig.calibration.maps() != maps);
  fail_unless(rig.calibration.maps()->left.width == 200);

  // The file has no size, so only the principal point can reveal a mismatch.
  rig.check_said("");
  fail_unless(rig.change(150, 120));
  fail_unless(rig.said().find("seems to be for larger frames than 150x120") != std::string::npos);
  fail_unless(rig.change());
  rig.check_said("");

  // rectify=off: the views count as rectified, but then nothing defines their camera.
  rig.settings.rectify = Rectify::kOff;
  rig.settings.output = StereoOutput::kDisparity;
  fail_unless(rig.change());
  fail_unless(rig.calibration.maps() == nullptr);
  fail_unless(rig.calibration.camera() == nullptr);
  fail_unless(rig.said().find("rectify=off") != std::string::npos);
}

CHECK_TEST(test_opencv_rectified) {
  // The right camera is turned by R, and 0.1 m beside the left one as that is rectified: R2 is R1
  // times R transposed.
  struct Case {
    std::string r1, r2, shift;
    double x, z;
  };
  const Case left_turns{kTurn, kNoTurn, "-0.1, 0., 0.", -0.1, 0};
  const Case right_turns{kNoTurn, kTurnBack, "-0.09996079231, 0., 0.0028", -0.09996079231, 0.0028};
  for (const Case& c : {left_turns, right_turns}) {
    for (const bool with_r_and_t : {true, false}) {
      Rig rig;
      Folder folder;
      rig.settings.min_disparity = 1;  // near things alone
      rig.set_files(folder.write(
          "all.yml",
          cameras() + (with_r_and_t ? stands(kTurn, c.shift) : "") + rectified(c.r1, c.r2)));
      fail_unless(rig.calibration.start(rig.settings));
      fail_unless(rig.change());
      rig.check_said("");
      const GstRdpCameraInfo& info = rig.info();
      fail_unless(info.focal_length == 280 && info.principal_x == 150 && info.principal_y == 119);
      fail_unless(info.baseline == 0.1 && info.disparity_offset == 3);
      check_metres(&rig, lens(300, 301, 160, 118, -0.25, 0.06),
                   lens(302, 303, 158, 120, -0.25, 0.05), world_from_right(c.x, 0, c.z));
      rig.settings.rectify = Rectify::kOff;
      fail_unless(rig.change());
      fail_unless(rig.calibration.maps() == nullptr);
      fail_unless(rig.info().focal_length == 280);
      rig.check_said("");
    }
  }
}

CHECK_TEST(test_ros) {
  Folder folder;
  // In either order.
  const std::string left = folder.write("left.yaml", ros(-0.3, kNoTurn, 0, 300));
  const std::string right = folder.write("right.yaml", ros(-0.2, kNoTurn, 0.1, 300));
  std::shared_ptr<const StereoMaps> first;
  for (const std::string& files : {left + "," + right, right + "," + left}) {
    Rig rig;
    rig.set_files(files);
    fail_unless(rig.calibration.start(rig.settings));
    fail_unless(rig.change());
    rig.check_said("");
    fail_unless(rig.calibration.maps() != nullptr);
    fail_unless(rig.info().baseline == 0.1 && rig.info().focal_length == 280);
    fail_unless(rig.info().pose[3] == 0, "the left one's");
    rdp::Pose beside;
    beside.m[3] = 0.1;
    check_metres(&rig, lens(300, 300, 160, 120, -0.3, 0), lens(300, 300, 160, 120, -0.2, 0),
                 beside);
  }
}

// rectify=auto skips views that need no rectification; rectify=on does not.
CHECK_TEST(test_auto) {
  struct Case {
    std::string left, right;
    bool on;
  };
  for (const Case& c : std::vector<Case>{{ros(0, kNoTurn, 0), ros(0, kNoTurn, 0.1), false},
                                         {ros(1e-4, kNoTurn, 0), ros(0, kNoTurn, 0.1), true},
                                         {ros(0, kNoTurn, 0), ros(1e-4, kNoTurn, 0.1), true},
                                         {ros(0, kTurn, 0), ros(0, kNoTurn, 0.1), true},
                                         {ros(0, kNoTurn, 0), ros(0, kTurn, 0.1), true},
                                         {ros(0, kNoTurn, 0), ros(0, kNoTurn, 0.1, 290), true}}) {
    Rig rig;
    Folder folder;
    rig.set_files(folder.write("left.yaml", c.left) + "," + folder.write("right.yaml", c.right));
    fail_unless(rig.change());
    fail_unless((rig.calibration.maps() != nullptr) == c.on);
    fail_unless(rig.info().baseline == 0.1);
    rig.settings.rectify = Rectify::kOn;
    fail_unless(rig.change());
    fail_unless(rig.calibration.maps() != nullptr);
    rig.settings.rectify = Rectify::kOff;
    fail_unless(rig.change());
    fail_unless(rig.calibration.maps() == nullptr);
    fail_unless(rig.info().baseline == 0.1);
    rig.check_said("");
  }
}

// Views in the project's JSON may be inconsistent.
CHECK_TEST(test_views_that_are_no_pair) {
  const auto view = [](double focal, double focal_y, double row) {
    GstRdpCameraInfo info;
    gst_rdp_camera_info_init(&info);
    info.width = kWidth;
    info.height = kHeight;
    info.focal_length = focal;
    info.focal_length_y = focal_y;
    info.principal_x = 160.0;
    info.principal_y = row;
    info.rectified = TRUE;
    info.baseline = 0.1;
    g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&info, nullptr);
    g_autofree gchar* json = gst_rdp_camera_to_json(camera);
    return std::string(json);
  };
  const std::string left = view(300.0, 300.0, 119.0);
  Folder folder;
  Rig rig;
  rig.set_files(folder.write("pair.json", "[" + left + "," + left + "]"));
  fail_unless(rig.change());
  fail_unless(rig.calibration.maps() == nullptr);
  rig.check_said("");
  const struct {
    std::string right;
    const char* what;
  } cases[] = {
      {view(301.0, 300.0, 119.0), "focal lengths differ, 300 px and 301 px"},
      {view(300.0, 303.0, 119.0), "along the columns differ, 300 px and 303 px"},
      {view(300.0, 300.0, 121.0), "rows of the principal point differ, 119 px and 121 px"}};
  for (const Rectify rectify : {Rectify::kAuto, Rectify::kOff}) {
    rig.settings.rectify = rectify;
    for (const auto& each : cases) {
      rig.set_files(folder.write("no-pair.json", "[" + left + "," + each.right + "]"));
      rig.calibration.stop();
      rig.check_fails({"no-pair.json", each.what, "expected one rectified pair"});
    }
  }
}

CHECK_TEST(test_kalibr) {
  Rig rig;
  Folder folder;
  rig.set_files(folder.write("camchain.yaml", kalibr(kBeside)));
  fail_unless(rig.change());
  rig.check_said("");
  check_metres(&rig, lens(300.5, 300.5, 160, 120, -0.28, 0.07),
               lens(300.5, 300.5, 160, 120, -0.28, 0.07), world_from_right(-0.11, 0.002, 0.001));
  // cam0 is the right camera: the positions decide.
  const std::string other =
      "  - [1.0, 0.0, 0.0, 0.11]\n  - [0.0, 1.0, 0.0, 0.0]\n  - [0.0, 0.0, 1.0, 0.0]\n";
  rig.set_files(folder.write("other.yaml", kalibr(other)));
  fail_unless(rig.change());
  rig.check_said("");
  fail_unless(std::fabs(rig.info().baseline - 0.11) < 1e-12);
  fail_unless(std::fabs(rig.info().pose[3] + 0.11) < 1e-12, "cam1 is left of the world");
  // Aligned and without distortion.
  const std::string aligned =
      "  - [1.0, 0.0, 0.0, -0.11]\n  - [0.0, 1.0, 0.0, 0.0]\n  - [0.0, 0.0, 1.0, 0.0]\n";
  rig.set_files(folder.write("aligned.yaml", kalibr(aligned, "0.0, 0.0, 0.0, 0.0")));
  fail_unless(rig.change());
  fail_unless(rig.calibration.maps() == nullptr);
  fail_unless(rig.info().baseline == 0.11);
  rig.check_said("");
}

// The frame size selects among several resolutions.
CHECK_TEST(test_zed) {
  Rig rig;
  Folder folder;
  std::string text;
  for (const auto& [size, focal] : {std::pair{"HD", 700}, {"VGA", 350}}) {
    for (const char* side : {"LEFT", "RIGHT"}) {
      g_autofree gchar* camera =
          g_strdup_printf("[%s_CAM_%s]\nfx=%d\nfy=%d\ncx=%d\ncy=%d\nk1=-0.175\nk2=0.028\n", side,
                          size, focal, focal, focal == 700 ? 640 : 336, focal == 700 ? 360 : 188);
      text += camera;
    }
  }
  text +=
      "[STEREO]\nBaseline=120\nTY=0\nTZ=0\nCV_HD=0.006\nCV_VGA=0.006\nRX_HD=0\nRX_VGA=0\n"
      "RZ_HD=0\nRZ_VGA=0\n";
  rig.set_files(folder.write("SN1.conf", text));
  fail_unless(rig.calibration.start(rig.settings));
  fail_unless(rig.change(672, 376));
  rig.check_said("");
  fail_unless(std::fabs(rig.info().baseline - 0.12) < 1e-6, "%g", rig.info().baseline);
  const double focal = rig.info().focal_length;
  fail_unless(rig.change(1280, 720));
  fail_unless(rig.calibration.maps()->right.width == 1280);
  fail_unless(std::fabs(rig.info().focal_length / focal - 2) < 0.1);
  rig.check_fails({"SN1.conf", "640x360"}, 640, 360);
  fail_unless(rig.change(1280, 720));
  rig.check_said("");
}

CHECK_TEST(test_errors) {
  Rig rig;
  Folder folder;
  rig.set_files(folder.write("gone.yml", "nothing"));
  fail_if(rig.calibration.start(rig.settings));
  fail_unless(rig.said().find("gone.yml") != std::string::npos);
  // One view.
  rig.set_files(folder.write("one.yaml", ros(-0.3, kNoTurn, 0, 300)));
  rig.check_fails({"one.yaml has one view", "expected two", "rectify=off"});
  rig.settings.rectify = Rectify::kOff;
  fail_unless(rig.change());
  fail_unless(rig.said().find("found no baseline in ") != std::string::npos);
  rig.settings.output = StereoOutput::kDepthMm;
  rig.check_fails({"output=depth-mm", "one.yaml", "set baseline"});
  rig.settings.camera.baseline = 0.25;
  fail_unless(rig.change());
  fail_unless(rig.info().baseline == 0.25);
  rig.check_said("");
  rig.settings = {};
  // Sizes.
  rig.set_files(folder.write("left.yaml", ros(-0.3, kNoTurn, 0)) + "," +
                folder.write("right.yaml", ros(-0.3, kNoTurn, 0.1)));
  rig.check_fails({"left.yaml", "320x240", "640x480", "calibration for this size"}, 640, 480);
  rig.set_files(folder.write("a.yaml", ros(-0.3, kNoTurn, 0)) + "," +
                folder.write("b.yaml", ros(-0.3, kNoTurn, 0.1, 280, 322)));
  rig.check_fails({"322x240", "320x240"});
  // The file lacks the relative pose.
  rig.set_files(folder.write("apart.yml", cameras()));
  rig.check_fails({"apart.yml", "R and T", "no baseline", "rectify=off"});
  // Above each other, and one behind the other.
  const std::string above =
      "  - [1.0, 0.0, 0.0, 0.001]\n  - [0.0, 1.0, 0.0, -0.1]\n  - [0.0, 0.0, 1.0, 0.0]\n";
  rig.set_files(folder.write("above.yaml", kalibr(above)));
  rig.check_fails({"above.yaml", "above each other", "expected a pair side by side", "videoflip"});
  // A missing view; two geometries.
  rig.set_files(folder.write("camchain.yaml", kalibr(kBeside)));
  rig.settings.camera.calibration_view = 2;
  rig.check_fails({"calibration-view=2", "has 2 views"});
  rig.settings.camera.calibration_view = 1;
  rig.check_fails({"has one view"});
  rig.settings.camera.calibration_view = 0;
  rig.settings.camera.focal_length = 300;
  rig.check_fails({"calibration and focal-length are both set"});
  fail_if(rig.calibration.start(rig.settings));
  rig.said();
  rig.settings.camera.focal_length = 0;
  // Rectified views alone.
  rig.set_files(folder.write(
      "kitti.txt", "P0: 280 0 160 0 0 280 120 0 0 0 1 0\nP1: 280 0 160 -28 0 280 120 0 0 0 1 0\n"));
  rig.settings.rectify = Rectify::kOn;
  rig.check_fails({"kitti.txt has only rectified views", "rectify=off"});
  rig.settings.rectify = Rectify::kAuto;
  fail_unless(rig.change());
  fail_unless(rig.calibration.maps() == nullptr);
  fail_unless(rig.info().baseline == 0.1);
  rig.check_said("");
}

// calibration-view selects among several pairs; 0 is the first valid one.
CHECK_TEST(test_which_pair) {
  std::vector<GstRdpCameraInfo> infos(6);
  for (GstRdpCameraInfo& info : infos) {
    gst_rdp_camera_info_init(&info);
    info.rectified = FALSE;
  }
  infos[1].baseline = infos[2].baseline = 0.1;
  std::vector<const GstRdpCameraInfo*> views;
  for (const GstRdpCameraInfo& info : infos) views.push_back(&info);
  StereoViews found = find_stereo_views(views, 0);
  fail_unless(found.raw_left == views[1] && found.raw_right == views[2]);
  found = find_stereo_views(views, 3);
  fail_unless(found.raw_left == views[3] && found.raw_right == views[4]);
  found = find_stereo_views(views, 5);
  fail_unless(found.raw_left == views[5] && found.raw_right == nullptr);
  // KITTI's four, all rectified.
  for (GstRdpCameraInfo& info : infos) info.rectified = TRUE;
  found = find_stereo_views(views, 2);
  fail_unless(found.rectified_left == views[2] && found.rectified_right == views[3]);
  fail_unless(found.raw_left == nullptr && found.raw_right == nullptr);
}

CHECK_TEST(test_no_allocation, RDP_COUNTS_ALLOCATIONS != 0) {
  Rig rig;
  Folder folder;
  rig.set_files(folder.write("camchain.yaml", kalibr(kBeside)));
  fail_unless(rig.change());
  const std::uint64_t before = allocation_count::count;
  for (int i = 0; i < 10; ++i) {
    const StereoCalibrationSettings copy = rig.settings;  // as an element does it
    rig.calibration.change(copy, kWidth, kHeight, {});
  }
  const std::uint64_t spent = allocation_count::count - before;
  fail_unless_equals_uint64(spent, 0);
}

CHECK_CASE(stereo_calibration)
