// SPDX-License-Identifier: LGPL-2.1-or-later
// heightmap's errors for unusable cameras, pads and settings.
#include <utility>

#include "tests/heightmap/heights_rig.h"
#include "tests/support/check_test.h"

using namespace heights_rig;
using rdp::test::BlockCamera;

namespace {

// The error of one set of views.
std::string error_of(const std::string& settings, const std::vector<BlockCamera>& seen = two(),
                     const std::vector<int>& pads = {0, 1}) {
  Rig rig(kQuick + settings, pads);
  const std::vector<Content> pictures = draw(seen);
  for (std::size_t i = 0; i < pads.size(); ++i) {
    rig.set_caps(Rig::source(pads[i]).c_str(), frames::caps_string(pictures[i].shape));
    rig.push_view(pads[i], pictures[i], 0);
  }
  return rig.run();
}

// The error of one set whose frames carry these cameras.
std::string error_of_cameras(const std::vector<GstRdpCameraInfo>& infos,
                             const std::string& settings = "") {
  Rig rig(kQuick + settings, {0, 1});
  const std::vector<Content> pictures = draw(two());
  rig.set_caps_of(pictures);
  for (int i = 0; i < 2; ++i) {
    const auto view = static_cast<std::size_t>(i);
    g_autoptr(GError) error = nullptr;
    g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&infos[view], &error);
    fail_unless(camera != nullptr, "%s", error != nullptr ? error->message : "");
    GstBuffer* frame = heights_rig::timed(frames::new_buffer(pictures[view]), 0);
    gst_buffer_add_rdp_camera_meta(frame, camera);
    rig.push(Rig::source(i).c_str(), frame);
  }
  return rig.run();
}

std::vector<GstRdpCameraInfo> infos() {
  std::vector<GstRdpCameraInfo> all;
  for (const BlockCamera& camera : two()) {
    g_autoptr(GstRdpCamera) made = rdp::test::new_camera(camera);
    all.push_back(*gst_rdp_camera_get_info(made));
  }
  return all;
}

CHECK_TEST(test_calibration) {
  rdp::test::Folder folder;
  check_says(error_of(""),
             {"Heights cannot be found: the camera of the view on sink_0 is not known",
              "expected calibration=FILE with one view for each of the 2 pads", "set calibration"});
  check_says(error_of("calibration=/no/where.json"),
             {"The calibration cannot be used: /no/where.json", "expected a calibration file"});
  const std::string of_three = calibration_of(&folder, three());
  check_says(error_of(of_three), {"views.json has 3 views, but there are 2 pads",
                                  "expected one view for each", "request as many pads"});
  const std::string of_two = calibration_of(&folder, two());
  check_says(error_of(of_two, three(), {0, 1, 2}), {"has 2 views, but there are 3 pads"});
  check_says(error_of(of_two, heights_rig::cameras({{48, 36}, {40, 30}})),
             {"the pictures of sink_1 are of 40x30, and the camera of sink_1 in ",
              "views.json is of 48x36", "videoscale"});
}

// A unit that does not fit the calibration's numbers.
CHECK_TEST(test_unit) {
  rdp::test::Folder folder;
  std::string text = rdp::test::block_calibration(two());
  text.insert(text.find('{') + 1, "\"unit\": \"mm\", ");
  const std::string calibration = "calibration=" + folder.write("views.json", text) + " ";
  check_says(error_of(calibration), {"Heights cannot be found: the cameras stand 0.00",
                                     "check the unit of the calibration", "\"unit\" in the file"});
}

// One view's calibration given for both.
CHECK_TEST(test_same_place) {
  rdp::test::Folder folder;
  for (const bool same : {false, true}) {
    std::vector<BlockCamera> seen = two();
    if (same) seen[1] = seen[0];
    Rig rig(kQuick + calibration_of(&folder, seen), {0, 1});
    const std::vector<Content> pictures = draw(seen);
    rig.set_caps_of(pictures);
    for (std::size_t i = 0; i < 2; ++i) rig.push_view(static_cast<int>(i), pictures[i], 0);
    const std::string error = rig.run();
    fail_unless(error.empty(), "%s", error.c_str());
    fail_unless_equals_int(rig.warnings.size(), same ? 1 : 0);
    if (same) {
      check_says(rig.warnings[0], {"Heights may be wrong: the camera of sink_0 in ",
                                   "is in the same place as that of sink_1"});
    }
  }
}

// A file has rectified and raw views: heightmap uses the kind whose number equals the pads'.
CHECK_TEST(test_kinds_of_views) {
  rdp::test::Folder folder;
  const auto write = [&](const std::vector<bool>& rectified) {
    std::string text;
    for (std::size_t i = 0; i < rectified.size(); ++i) {
      const std::vector<BlockCamera> cameras = two();
      g_autoptr(GstRdpCamera) made = rdp::test::new_camera(cameras[i % 2]);
      GstRdpCameraInfo info = *gst_rdp_camera_get_info(made);
      info.rectified = rectified[i];
      g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&info, nullptr);
      g_autofree gchar* json = gst_rdp_camera_to_json(camera);
      text += (text.empty() ? "[" : ", ") + std::string(json);
    }
    return "calibration=" + folder.write("kinds.json", text + "]") + " ";
  };
  fail_unless(error_of(write({true, true, false, false, false})).empty());
  fail_unless(error_of(write({true, false, false})).empty());
  fail_unless(error_of(write({true, false})).empty());
  check_says(error_of(write({true, true, false, false})),
             {"kinds.json has 4 views (2 rectified, 2 raw), but there are 2 pads"});
  check_says(error_of(write({true, false, false, false})), {"4 views (1 rectified, 3 raw)"});
}

CHECK_TEST(test_pads) {
  rdp::test::Folder folder;
  const std::string calibration = calibration_of(&folder, two());
  check_says(error_of(calibration, two(), {0, 2}),
             {"there are 2 pads sink_%u and none of them is sink_1", "without a gap"});
  check_says(error_of(calibration, two(), {1, 2}), {"none of them is sink_0"});
  check_says(error_of(calibration + "reference=2"),
             {"reference=2, and there are 2 pads", "set reference to 0 to 1"});
}

CHECK_TEST(test_poses) {
  std::vector<GstRdpCameraInfo> without = infos();
  without[1].has_pose = FALSE;
  check_says(error_of_cameras(without), {"the camera on the buffers of sink_1 has no pose",
                                         "ground is Z = 0", "cv::solvePnP"});
  std::vector<GstRdpCameraInfo> own = infos();
  for (int i = 0; i < 12; ++i) own[0].pose[i] = i % 5 == 0 ? 1.0 : 0.0;
  own[0].pose[3] = 0.2;
  check_says(error_of_cameras(own), {"the world of the camera on the buffers of sink_0 is a "
                                     "camera's own",
                                     "ground is Z = 0"});
  // Looks away from the ground.
  std::vector<GstRdpCameraInfo> sky = infos();
  for (const int i : {1, 2, 5, 6, 9, 10}) sky[1].pose[i] = -sky[1].pose[i];
  check_says(error_of_cameras(sky),
             {"the camera on the buffers of sink_1 does not see the ground in "
              "the middle of its picture",
              "mirror one axis"});
  // 100 m away.
  std::vector<GstRdpCameraInfo> apart = infos();
  apart[1].pose[3] += 100.0;
  check_says(error_of_cameras(apart),
             {"the camera on the buffers of sink_1 and the camera on the buffers of sink_0 see no "
              "common ground",
              "views that overlap"});
}

CHECK_TEST(test_matrices) {
  rdp::test::Folder folder;
  std::vector<BlockCamera> left_handed = two();
  for (BlockCamera& camera : left_handed) {
    for (auto& row : camera.view.projection) row[1] = -row[1];
  }
  check_says(error_of(calibration_of(&folder, left_handed)),
             {"the camera of sink_0 in ", "does not see the ground", "left-handed",
              "negate the second column"});
  std::vector<BlockCamera> below = two();
  for (BlockCamera& camera : below) {
    for (auto& row : camera.view.projection) {
      std::swap(row[0], row[1]);
      row[2] = -row[2];
    }
  }
  check_says(error_of(calibration_of(&folder, below)),
             {"the camera of sink_0 in ", "is below the ground", "exchange X and Y"});
}

// A camera at one of the searched heights sees that height's plane as a line.
CHECK_TEST(test_camera_at_a_height) {
  std::vector<GstRdpCameraInfo> low = infos();
  // 2 m before the block, 0.5 m high, looking down a little.
  const double pose[12] = {1, 0, 0, 0, 0, -0.28, 0.96, -2, 0, -0.96, -0.28, 0.5};
  std::copy(std::begin(pose), std::end(pose), low[0].pose);
  check_says(error_of_cameras(low),
             {"the camera on the buffers of sink_0 is exactly at one of the searched heights",
              "set max-height below it"});
  fail_unless(error_of_cameras(low, "max-height=0.45").empty());
}

CHECK_TEST(test_lenses) {
  std::vector<GstRdpCameraInfo> bent = infos();
  bent[1].distortion[0] = -0.1;
  fail_unless(error_of_cameras(bent).empty());
  check_says(error_of_cameras(bent, "undistort=off"),
             {"the lens of the camera on the buffers of sink_1 distorts, and undistort=off",
              "set undistort=auto", "cv::undistort"});
  // Nothing to undo.
  fail_unless(error_of_cameras(infos(), "undistort=off").empty());
}

// An upstream element has scaled or cropped the frames.
CHECK_TEST(test_lost_cameras) {
  Rig rig(kQuick, {0, 1});
  const std::vector<Content> pictures = draw(two());
  rig.set_caps_of(pictures);
  for (int i = 0; i < 2; ++i) {
    const auto view = static_cast<std::size_t>(i);
    GstBuffer* frame = heights_rig::timed(frames::new_buffer(pictures[view]), 0);
    heights_rig::with_camera(frame, two()[view]);
    if (i == 1) {
      GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(frame);
      gst_rdp_camera_unref(std::exchange(meta->camera, nullptr));
      meta->_lost = 1;
    }
    rig.push(Rig::source(i).c_str(), frame);
  }
  check_says(rig.run(), {"the camera on a buffer of sink_1 is lost (", "set calibration"});
}

CHECK_TEST(test_settings) {
  rdp::test::Folder folder;
  const std::string calibration = calibration_of(&folder, two());
  const std::string what = "Heights cannot be found: ";
  const auto check = [&](const std::string& settings, std::initializer_list<const char*> parts) {
    const std::string error = error_of(calibration + settings);
    rdp::test::check_has(error, what.c_str());
    check_says(error, parts);
  };
  check("min-height=1.5 max-height=1.4", {"max-height=1.4 is below min-height=1.5"});
  check("min-height=0 max-height=6.5 height-step=0.1",
        {"are 66 heights, expected at most 63", "set height-step=0.104"});
  fail_unless(error_of(calibration + "min-height=0 max-height=6.5 height-step=0.104").empty());
  check("window=4", {"window=4 is even", "set window=3"});
  check("area=\"0,0 1,0\"", {"found \"0,0 1,0\" in area=", "three or more"});
  check("area=\"0,0 1,0 1;1\"", {"found \"1;1\" in area=", "\"x,y x,y x,y\""});
  check("area=\"0,0 1,0 1,1001\"", {"found \"1,1001\"", "within 1000 m"});
  check("area=\"0,0 1,0 1,nan\"", {"found \"1,nan\""});
  check("area=\"0,0 1,0 1, 1\"", {"found \"1,\""});
}

std::string error_of_ground(const std::string& settings) {
  Rig rig(kQuick + settings, {0, 1}, " ! fakesink name=main sync=false async=false h.ground");
  rig.set_caps_of(draw(two()));
  rig.push_set(draw(two()), 0);
  return rig.run();
}

CHECK_TEST(test_ground) {
  rdp::test::Folder folder;
  const std::string calibration = calibration_of(&folder, two());
  check_says(error_of_ground(calibration),
             {"the pad ground is used, but area is not set", "set area=\"x,y x,y x,y\""});
  const std::string large = calibration + "area=\"0,0 50,0 50,900 0,900\" ";
  check_says(error_of_ground(large), {"area is of 1000 x 18000 cells of cell-size=0.05 m",
                                      "expected at most 16384 a side", "set cell-size=0.055"});
  // The error comes only if the pad `ground` is requested.
  fail_unless(error_of(large).empty());
}

// The pad is requested while the stream runs.
CHECK_TEST(test_late_ground) {
  rdp::test::Folder folder;
  Rig rig(kQuick + calibration_of(&folder, two()), {0, 1});
  rig.set_caps_of(draw(two()));
  rig.play();
  rig.push_set(draw(two()), 0);
  fail_unless(rdp::test::await([&] { return rig.received().count == 1; }));
  g_autoptr(GstPad) pad = gst_element_request_pad_simple(rig.element(), "ground");
  rig.push_set(draw(two()), heights_rig::kFrame);
  check_says(rig.wait(), {"the pad ground is used, but area is not set"});
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  gst_element_release_request_pad(rig.element(), pad);
}

// The error lists the accepted formats.
CHECK_TEST(test_formats) {
  rdp::test::Folder folder;
  Rig rig(kQuick + calibration_of(&folder, two()), {0, 1});
  const std::vector<Content> pictures = draw(two());
  rig.set_caps_of(pictures);
  rig.set_caps("view1", "video/x-raw,format=RGB,width=48,height=36,framerate=30/1");
  rig.push_set(pictures, 0);
  check_says(rig.run(), {"format GRAY8, NV12 or I420 (only the luma is matched)",
                         "videoconvert ! video/x-raw,format=GRAY8"});
}

}  // namespace

CHECK_CASE(heightmap_element_errors, .seconds = 120)
