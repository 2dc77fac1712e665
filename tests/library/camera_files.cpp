// SPDX-License-Identifier: LGPL-2.1-or-later
// Cameras from calibration files: every number read from each format. Errors are in
// camera_files_errors.cpp.
#include <clocale>
#include <cmath>
#include <cstdlib>

#include "tests/library/camera_files_support.h"
#include "tests/support/check_test.h"

namespace {

using namespace camera_files;

void expect_near(double value, double expected, const char* what) {
  const double most = 1e-12 * std::fmax(1.0, std::fabs(expected));
  fail_unless(std::fabs(value - expected) <= most, "%s: %.17g, expected %.17g", what, value,
              expected);
}

void expect_lens(const GstRdpCameraInfo& info, guint width, guint height, double fx, double fy,
                 double cx, double cy, std::vector<double> distortion = {}) {
  fail_unless_equals_int(info.width, width);
  fail_unless_equals_int(info.height, height);
  expect_near(info.focal_length, fx, "fx");
  expect_near(info.focal_length_y, fy, "fy");
  expect_near(info.principal_x, cx, "cx");
  expect_near(info.principal_y, cy, "cy");
  distortion.resize(8);
  for (std::size_t i = 0; i < 8; ++i) {
    fail_unless(info.distortion[i] == distortion[i], "coefficient %zu: %g", i, info.distortion[i]);
  }
}

void expect_pair(const GstRdpCameraInfo& info, bool rectified, double baseline, double offset) {
  fail_unless_equals_int(info.rectified, rectified);
  expect_near(info.baseline, baseline, "baseline");
  expect_near(info.disparity_offset, offset, "disparity offset");
  // Files do not describe samples.
  fail_unless_equals_int(info.measures, GST_RDP_MEASURE_UNKNOWN);
  fail_unless(info.disparity_unit == 0 && info.depth_unit == 0);
}

void expect_pose(const GstRdpCameraInfo& info, const std::vector<double>& pose) {
  fail_unless(info.has_pose);
  for (std::size_t i = 0; i < 12; ++i) expect_near(info.pose[i], pose[i], "pose");
}

void expect_at(const GstRdpCameraInfo& info, double x, double y, double z) {
  expect_pose(info, {1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z});
}

}  // namespace

CHECK_TEST(test_opencv_camera) {
  auto views = views_of(kFolder + "opencv.yml");
  fail_unless_equals_int(views.size(), 1);
  expect_lens(views[0], 640, 480, 525.125, 524.75, 319.5, 239.25,
              {-0.25, 0.0625, 0.00125, -0.000625});
  expect_pair(views[0], false, 0, 0);
  fail_unless(!views[0].has_pose && !views[0].has_projection);

  views = views_of(kFolder + "opencv.json");
  fail_unless_equals_int(views.size(), 1);
  expect_lens(views[0], 640, 480, 525.125, 524.75, 319.5, 239.25,
              {-0.25, 0.0625, 0.00125, -0.000625, 0.5, 0.125, -0.5, 0.25});

  // Two such files give two cameras, in the order of the files.
  views = views_of(kFolder + "opencv.json," + kFolder + "opencv.yml");
  fail_unless_equals_int(views.size(), 2);
  fail_unless(views[0].distortion[4] == 0.5 && views[1].distortion[4] == 0);
}

CHECK_TEST(test_opencv_without_distortion) {
  // A picture without distortion needs no rectification.
  Folder folder;
  std::string text = example("opencv.yml");
  const std::size_t data = text.rfind("data:");
  text.replace(data, text.find(']') == std::string::npos ? 0 : text.find(']', data) + 1 - data,
               "data: [ 0., 0., 0., 0., 0. ]");
  const auto views = views_of(folder.write("straight.yml", text));
  expect_lens(views[0], 640, 480, 525.125, 524.75, 319.5, 239.25);
  expect_pair(views[0], true, 0, 0);
}

CHECK_TEST(test_opencv_pair) {
  // Files in any order give the rectified views, then the raw ones; lengths are in the board's
  // millimetres.
  const std::vector<double> turn{0.99995, 0, -0.01, 0, 0, 1, 0, 0, 0.01, 0, 0.99995, 0};
  for (const std::string& files : {kFolder + "intrinsics.yml," + kFolder + "extrinsics.yml",
                                   kFolder + "extrinsics.yml , " + kFolder + "intrinsics.yml"}) {
    const auto views = views_of(files, 0.001);
    fail_unless_equals_int(views.size(), 4);
    expect_lens(views[0], 0, 0, 700, 700, 640.5, 360.25);
    expect_lens(views[1], 0, 0, 700, 700, 644.75, 360.25);
    expect_lens(views[2], 0, 0, 710, 709, 641, 359, {-0.175, 0.028, 0.0005, -0.00025});
    expect_lens(views[3], 0, 0, 712, 711, 635, 362, {-0.172, 0.026});
    for (int i : {0, 1}) expect_pair(views[i], true, 0.12, 4.25);
    for (int i : {2, 3}) expect_pair(views[i], false, 0.12, 0);
    // The world is the raw left camera: the rectified one is rotated by R1. Both right cameras
    // stand where R and T say.
    expect_at(views[2], 0, 0, 0);
    expect_pose(views[0], turn);
    expect_pose(views[1], {0.99995, 0, -0.01, 0.119994, 0, 1, 0, 0, 0.01, 0, 0.99995, 0.0012});
    expect_pose(views[3], {0.99995, 0, -0.01, 0.119994, 0, 1, 0, 0, 0.01, 0, 0.99995, 0.0012});
  }
  fail_unless_equals_int(views_of(kFolder + "extrinsics.yml", 0.001).size(), 2);
  const auto raw = views_of(kFolder + "intrinsics.yml");
  fail_unless_equals_int(raw.size(), 2);
  fail_unless(!raw[0].has_pose && !raw[1].has_pose && raw[0].baseline == 0);
  // Without distortion, too, nothing states that they are aligned.
  Folder folder;
  const auto matrix = [](const std::string& name, const std::string& numbers) {
    return name + ": !!opencv-matrix\n   rows: 3\n   cols: 3\n   dt: d\n   data: [ " + numbers +
           " ]\n";
  };
  const auto straight = views_of(folder.write(
      "straight.yml", "%YAML:1.0\n---\n" + matrix("M1", "700., 0, 640, 0, 700, 360, 0, 0, 1") +
                          "D1: [ 0, 0, 0, 0 ]\n" +
                          matrix("M2", "710., 0, 655, 0, 710, 350, 0, 0, 1") +
                          "D2: [ 0, 0, 0, 0 ]\n"));
  fail_unless_equals_int(straight.size(), 2);
  fail_if(straight[0].rectified || straight[1].rectified);
}

CHECK_TEST(test_opencv_q_alone) {
  Folder folder;
  std::string text = example("extrinsics.yml");
  text = "%YAML:1.0\n---\n" + text.substr(text.find("Q:"));
  const auto views = views_of(folder.write("q.yml", text), 0.001);
  fail_unless_equals_int(views.size(), 1);
  expect_lens(views[0], 0, 0, 700, 700, 640.5, 360.25);
  expect_pair(views[0], true, 0.12, 4.25);
}

CHECK_TEST(test_opencv_aligned_pair) {
  // Two equal cameras side by side need no rectification.
  Folder folder;
  const std::string text =
      "%YAML:1.0\n---\nimage_size: [ 320, 240 ]\nK1: [ 300., 0, 160, 0, 300, 120, 0, 0, 1 ]\n"
      "D1: [ 0, 0, 0, 0 ]\nK2: [ 300., 0, 162.5, 0, 300, 120, 0, 0, 1 ]\nD2: [ 0, 0, 0, 0 ]\n"
      "R: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ]\nT: [ -0.25, 0, 0 ]\n";
  const auto views = views_of(folder.write("aligned.yml", text));
  fail_unless_equals_int(views.size(), 2);
  for (const auto& view : views) expect_pair(view, true, 0.25, 2.5);
  expect_at(views[1], 0.25, 0, 0);

  // With distortion, or swapped, they need it.
  std::string bent = text;
  bent.replace(bent.find("D2: [ 0,"), 8, "D2: [ 1,");
  for (const auto& view : views_of(folder.write("bent.yml", bent))) {
    expect_pair(view, false, 0.25, 0);
  }
  std::string other = text;
  other.replace(other.find("-0.25"), 5, " 0.25");
  for (const auto& view : views_of(folder.write("exchanged.yml", other))) {
    expect_pair(view, false, 0.25, 0);
  }
}

CHECK_TEST(test_ros_pair) {
  const std::string left = kFolder + "ros_left.yaml";
  const std::string right = kFolder + "ros_right.yaml";
  auto views = views_of(left + "," + right);
  fail_unless_equals_int(views.size(), 4);
  expect_lens(views[0], 640, 480, 600, 600, 321.25, 242.5);
  expect_lens(views[1], 640, 480, 600, 600, 321.25, 242.5);
  expect_lens(views[2], 640, 480, 610.5, 611.5, 322.25, 241.75, {-0.35, 0.125, 0.001, -0.0005});
  expect_lens(views[3], 640, 480, 608, 609, 318, 243, {-0.34, 0.115});
  for (int i : {0, 1}) expect_pair(views[i], true, 0.1, 0);
  for (int i : {2, 3}) expect_pair(views[i], false, 0.1, 0);
  expect_at(views[0], 0, 0, 0);
  expect_at(views[1], 0.1, 0, 0);
  expect_at(views[2], 0, 0, 0);
  expect_pose(views[3], {0.99995, 0, -0.01, 0.1, 0, 1, 0, 0, 0.01, 0, 0.99995, 0});

  // Swapped files give swapped views.
  views = views_of(right + "," + left);
  expect_at(views[0], 0.1, 0, 0);
  expect_at(views[1], 0, 0, 0);
  expect_pair(views[0], true, 0.1, 0);

  // One file alone: the right camera's file contains the distance to the left.
  views = views_of(left);
  fail_unless_equals_int(views.size(), 2);
  expect_pair(views[0], true, 0, 0);
  expect_pair(views[1], false, 0, 0);
  expect_pair(views_of(right)[0], true, 0.1, 0);
}

// KITTI's colour cameras are counted from a gray one: both have a fourth number.
CHECK_TEST(test_ros_shifted_pair) {
  Folder folder;
  const auto with_shift = [&](const std::string& name, const std::string& shift) {
    std::string text = example("ros_left.yaml");
    const std::string before = "[600., 0., 321.25, 0.,";
    text.replace(text.find(before), before.size(), "[600., 0., 321.25, " + shift + ",");
    return folder.write(name, text);
  };
  const std::string left = with_shift("left.yaml", "36.");
  const std::string right = with_shift("right.yaml", "-24.");
  for (const std::string& files : {left + "," + right, right + "," + left}) {
    const auto views = views_of(files);
    fail_unless_equals_int(views.size(), 4);
    for (int i = 0; i < 2; ++i) fail_unless(std::fabs(views[i].baseline - 0.1) < 1e-12);
  }
}

CHECK_TEST(test_ros_message) {
  auto views = views_of(kFolder + "ros_message.yaml");
  fail_unless_equals_int(views.size(), 2);
  for (const auto& view : views) {
    expect_lens(view, 848, 480, 421.5, 421.5, 424.25, 239.75);
    expect_pair(view, true, 0, 0);
    fail_unless(!view.has_pose);
  }
  // ROS 2 has small letters; drivers without rectification write zeros.
  Folder folder;
  std::string text = example("ros_message.yaml");
  for (const char* letter : {"\nD:", "\nK:", "\nR:", "\nP:"}) {
    text[text.find(letter) + 1] = static_cast<char>(g_ascii_tolower(letter[1]));
  }
  text.replace(text.find("r: ["), text.find("\np:") - text.find("r: ["),
               "r: [0, 0, 0, 0, 0, 0, 0, 0, 0]");
  fail_unless_equals_int(views_of(folder.write("ros2.yaml", text)).size(), 2);
  text.replace(text.find("p: ["), text.find("\nbinning_x") - text.find("p: ["),
               "p: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]");
  fail_unless_equals_int(views_of(folder.write("raw.yaml", text)).size(), 1);
}

CHECK_TEST(test_kitti) {
  auto views = views_of(kFolder + "kitti.txt");
  fail_unless_equals_int(views.size(), 4);
  for (const auto& view : views) expect_lens(view, 0, 0, 720, 720, 607.5, 185.25);
  for (int i : {0, 1}) expect_pair(views[i], true, 388.8 / 720, 0);
  for (int i : {2, 3}) expect_pair(views[i], true, (45.0 + 338.4) / 720, 0);
  expect_at(views[0], 0, 0, 0);
  expect_at(views[1], 388.8 / 720, 0, 0);
  expect_at(views[2], -(45 - 607.5 * 4e-3) / 720, -(-0.36 - 185.25 * 4e-3) / 720, -4e-3);

  views = views_of(kFolder + "kitti_raw.txt");
  fail_unless_equals_int(views.size(), 2);
  for (const auto& view : views) {
    expect_lens(view, 1242, 375, 720, 720, 609.5, 172.85);
    expect_pair(view, true, (45.0 + 338.4) / 720, 0);
  }

  views = views_of(kFolder + "kitti_alone.txt");
  fail_unless_equals_int(views.size(), 2);
  expect_pair(views[0], true, 388.8 / 720, 0);
  expect_at(views[1], 388.8 / 720, 0, 0);
}

CHECK_TEST(test_kalibr) {
  auto views = views_of(kFolder + "camchain.yaml");
  fail_unless_equals_int(views.size(), 2);
  expect_lens(views[0], 752, 480, 458.5, 457.25, 367.125, 248.375,
              {-0.28125, 0.0703125, 0.0001953125, 1.52587890625e-05});
  expect_lens(views[1], 752, 480, 457.5, 456, 379.9, 255.25, {-0.28, 0.075, -0.0001, -3.5e-05});
  for (const auto& view : views)
    expect_pair(view, false, std::sqrt(0.11 * 0.11 + 0.002 * 0.002), 0);
  expect_at(views[0], 0, 0, 0);
  // cam0 sees cam1 at -R' t.
  expect_pose(views[1], {0.99995, 0, -0.01, 0.99995 * 0.11 + 0.01 * 0.002, 0, 1, 0, 0, 0.01, 0,
                         0.99995, 0.01 * 0.11 - 0.99995 * 0.002});

  // A third camera is seen from the second; there is no pair any more.
  Folder folder;
  std::string text = example("camchain.yaml");
  std::string third = text.substr(text.find("cam1:"));
  third[3] = '2';
  views = views_of(folder.write("three.yaml", text + third));
  fail_unless_equals_int(views.size(), 3);
  for (const auto& view : views) expect_pair(view, false, 0, 0);
  fail_unless(std::fabs(views[2].pose[3] - 0.22) < 0.001);
}

// Without the transform between the cameras, each camera's transform to the IMU gives it.
CHECK_TEST(test_kalibr_with_imu) {
  Folder folder;
  const std::string text = example("camchain_imu.yaml");
  std::string inverted = text;  // as OpenVINS writes it
  for (const auto& [from, to] : std::initializer_list<std::pair<std::string, std::string>>{
           {"T_cam_imu:\n  - [0.0, 1.0, 0.0, 0.0625]\n  - [-1.0, 0.0, 0.0, -0.02]\n  - [0.0, 0.0, "
            "1.0, -0.01]",
            "T_imu_cam:\n  - [0.0, -1.0, 0.0, -0.02]\n  - [1.0, 0.0, 0.0, -0.0625]\n  - [0.0, "
            "0.0, 1.0, 0.01]"}}) {
    inverted.replace(inverted.find(from), from.size(), to);
  }
  for (const std::string& path :
       {kFolder + "camchain_imu.yaml", folder.write("inverted.yaml", inverted)}) {
    const auto views = views_of(path);
    fail_unless_equals_int(views.size(), 2);
    for (const auto& view : views) expect_pair(view, false, 0.11, 0);
    expect_at(views[0], 0, 0, 0);
    expect_at(views[1], 0.11, 0, 0);
  }
  // A single camera needs neither.
  fail_unless(views_of(folder.write("one.yaml", text.substr(0, text.find("cam1:"))))[0].width ==
              752);
}

CHECK_TEST(test_asl) {
  const auto views = views_of(kFolder + "asl_left.yaml," + kFolder + "asl_right.yaml", 0.001);
  fail_unless_equals_int(views.size(), 2);
  expect_lens(views[0], 752, 480, 458.5, 457.25, 367.125, 248.375,
              {-0.28125, 0.0703125, 0.0001953125, 1.52587890625e-05});
  expect_lens(views[1], 752, 480, 457.5, 456, 379.9, 255.25, {-0.28, 0.075, -0.0001, -3.5e-05});
  for (const auto& view : views) expect_pair(view, false, 0.11, 0);
  // The body is the world.
  expect_pose(views[0], {0, -1, 0, -0.02, 1, 0, 0, -0.0625, 0, 0, 1, 0.01});
  expect_pose(views[1], {0, -1, 0, -0.02, 1, 0, 0, 0.0475, 0, 0, 1, 0.01});

  Folder folder;
  std::string text = example("asl_left.yaml");
  const std::size_t pose = text.find("T_BS");
  text.erase(pose, text.find("rate_hz") - pose);
  const auto alone = views_of(folder.write("sensor.yaml", text));
  expect_pair(alone[0], false, 0, 0);
  fail_if(alone[0].has_pose);
}

CHECK_TEST(test_middlebury) {
  auto views = views_of(kFolder + "middlebury.txt", 0.5);  // millimetres, whatever the unit
  fail_unless_equals_int(views.size(), 2);
  expect_lens(views[0], 1000, 600, 1000.5, 1000.5, 500.25, 299.75);
  expect_lens(views[1], 1000, 600, 1000.5, 1000.5, 530.5, 299.75);
  for (const auto& view : views) expect_pair(view, true, 0.193001, 30.25);
  expect_at(views[0], 0, 0, 0);
  expect_at(views[1], 0.193001, 0, 0);

  // Without the offset field, the principal points give it; lines may have any order.
  Folder folder;
  std::string text = example("middlebury.txt");
  text.erase(text.find("doffs"), 12);
  text = "ndisp = 64\n" + text.substr(0, text.find("ndisp"));
  views = views_of(folder.write("calib.txt", text));
  for (const auto& view : views) expect_pair(view, true, 0.193001, 30.25);
}

CHECK_TEST(test_colmap) {
  // The centre of COLMAP's first pixel is (0.5, 0.5).
  auto views = views_of(kFolder + "colmap.txt");
  fail_unless_equals_int(views.size(), 3);
  expect_lens(views[0], 1024, 768, 830.5, 831.25, 511.5, 383.5, {-0.0625, 0.03125, 0.001, -0.0005});
  expect_lens(views[1], 752, 480, 540, 541, 320, 232);
  expect_lens(views[2], 640, 480, 600, 600, 319.5, 239.5, {-0.125});
  expect_pair(views[0], false, 0, 0);
  expect_pair(views[1], true, 0, 0);
  for (const auto& view : views) fail_if(view.has_pose);

  Folder folder;
  const auto one = [&](const std::string& line) {
    return views_of(folder.write("cameras.txt", line + "\n"))[0];
  };
  expect_lens(one("1 SIMPLE_PINHOLE 640 480 600 320 240"), 640, 480, 600, 600, 319.5, 239.5);
  expect_lens(one("1 RADIAL 640 480 600 320 240 -0.125 0.5"), 640, 480, 600, 600, 319.5, 239.5,
              {-0.125, 0.5});
  expect_lens(one("1 FULL_OPENCV 640 480 600 601 320 240 1 2 3 4 5 6 7 8"), 640, 480, 600, 601,
              319.5, 239.5, {1, 2, 3, 4, 5, 6, 7, 8});
}

CHECK_TEST(test_drivingstereo) {
  const auto views = views_of(kFolder + "drivingstereo.txt");
  fail_unless_equals_int(views.size(), 2);
  for (const auto& view : views) {
    expect_lens(view, 881, 400, 1000, 1000, 440, 180);
    expect_pair(view, true, 0.545, 0);
  }
  expect_at(views[0], 0, 0, 0);
  expect_at(views[1], 0.545, 0, 0);
}

CHECK_TEST(test_zed) {
  // The frame size selects the resolution; without one, all are returned.
  auto views = views_of(kFolder + "zed.conf", 1.0, 1280, 720);
  fail_unless_equals_int(views.size(), 2);
  expect_lens(views[0], 1280, 720, 700.25, 700.125, 641.25, 344.125, {-0.175, 0.028125});
  expect_lens(views[1], 1280, 720, 701, 701.25, 633.5, 359.375, {-0.1725, 0.0265});
  const double baseline = std::sqrt(0.12 * 0.12 + 0.025e-3 * 0.025e-3 + 0.015e-3 * 0.015e-3);
  for (const auto& view : views) expect_pair(view, false, baseline, 0);
  expect_at(views[0], 0, 0, 0);
  fail_unless(views[1].has_pose);
  fail_unless(std::fabs(views[1].pose[3] - 0.12) < 1e-5, "x %g", views[1].pose[3]);
  fail_unless(std::fabs(views[1].pose[7] - (0.025e-3 - 0.12 * 0.00075)) < 1e-6, "y %g",
              views[1].pose[7]);
  // Camera-from-world rotates by CV about y: its (1, 3) is +sin; world-from-camera has the opposite
  // sign.
  fail_unless(std::fabs(views[1].pose[2] + 0.00625) < 1e-5, "%g", views[1].pose[2]);
  fail_unless(std::fabs(views[1].pose[6] - -0.0009) < 1e-5, "%g", views[1].pose[6]);
  fail_unless(std::fabs(views[1].pose[1] - 0.00075) < 1e-5, "%g", views[1].pose[1]);

  views = views_of(kFolder + "zed.conf", 0.001, 1920, 1080);
  fail_unless_equals_int(views.size(), 2);
  expect_lens(views[0], 1920, 1080, 1400.5, 1400.25, 965.5, 511.25,
              {-0.175, 0.028125, 0.0625e-3, -0.15e-3});
  expect_pair(views[0], false, baseline, 0);  // millimetres, whatever the unit of other files

  fail_unless_equals_int(views_of(kFolder + "zed.conf").size(), 4);

  // A resolution's own shifts have priority over the common ones.
  Folder folder;
  std::string text = example("zed.conf");
  text.replace(text.find("TY=0.025"), 8, "TY=9\nTY_HD=0.4\nTZ_HD=-0.3");
  const double of_hd = std::sqrt(0.12 * 0.12 + 0.4e-3 * 0.4e-3 + 0.3e-3 * 0.3e-3);
  const double of_all = std::sqrt(0.12 * 0.12 + 9e-3 * 9e-3 + 0.015e-3 * 0.015e-3);
  const std::string path = folder.write("shifts.conf", text);
  expect_pair(views_of(path, 1.0, 1280, 720)[1], false, of_hd, 0);
  expect_pair(views_of(path, 1.0, 1920, 1080)[1], false, of_all, 0);
}

CHECK_TEST(test_depthai) {
  auto views = views_of(kFolder + "depthai.json", 0.001);
  fail_unless_equals_int(views.size(), 3);
  expect_lens(views[0], 1920, 1080, 1500.5, 1500.25, 960.25, 540.75,
              {0.5, -1.25, 0.001, 0.0005, 2.5, 0.25, -1.0, 2.25});
  expect_lens(views[1], 1280, 800, 800.5, 800.25, 640.5, 400.75, {-1.5, 3});
  expect_lens(views[2], 1280, 800, 801, 800.75, 641, 401, {-1.25, 2});
  expect_pair(views[0], false, 0, 0);
  for (int i : {1, 2}) expect_pair(views[i], false, 0.075, 0);
  expect_at(views[0], 0.0375, 0, 0);
  expect_at(views[1], 0, 0, 0);
  expect_at(views[2], 0.075, 0, 0);

  // Mounted upside down, the other socket is the left camera: links are followed both ways.
  Folder folder;
  std::string text = example("depthai.json");
  text[text.find("leftCameraSocket\": 1") + 19] = '2';
  text[text.find("rightCameraSocket\": 2") + 20] = '1';
  views = views_of(folder.write("turned.json", text));
  expect_at(views[0], -0.0375, 0, 0);
  expect_at(views[1], -0.075, 0, 0);
  expect_at(views[2], 0, 0, 0);
  for (int i : {1, 2}) expect_pair(views[i], false, 0.075, 0);
}

CHECK_TEST(test_ours) {
  GError* error = nullptr;
  const std::string path = kFolder + "cameras.json";
  GPtrArray* cameras = gst_rdp_camera_read_files(path.c_str(), 1.0, 0, 0, &error);
  fail_unless(error == nullptr && cameras->len == 2);
  const auto* one = gst_rdp_camera_get_info(GST_RDP_CAMERA(g_ptr_array_index(cameras, 0)));
  fail_unless(one->rectified && one->baseline == 0.12 && one->disparity_unit == 1.0 / 256);
  fail_unless_equals_int(one->measures, GST_RDP_MEASURE_DISPARITY);

  // Written cameras are read back bit-identical: alone, in a list, and under "camera".
  GstRdpCameraInfo info = *one;
  info.focal_length = 525.1 + 1e-13;
  info.principal_x = -0.0;
  info.principal_y = 1.0 / 3;
  info.distortion[7] = 4.9406564584124654e-324;
  info.has_pose = TRUE;
  const double pose[12] = {1, 0, 0, 1e17, 0, 1, 0, 0.1, 0, 0, 1, -3};
  std::copy(std::begin(pose), std::end(pose), info.pose);
  GstRdpCamera* camera = gst_rdp_camera_new(&info, &error);
  fail_unless(camera != nullptr);
  g_autofree gchar* json = gst_rdp_camera_to_json(camera);
  const std::string text = json;
  Folder folder;
  for (const std::string& file :
       {text, text + "\n", "[" + text + "]", "[\n" + text + ",\n" + text + "\n]\n",
        "{\"frame\": 0, \"width\": 640, \"columns\": [], \"camera\": " + text + "}"}) {
    const std::string written = folder.write("ours.json", file);
    GPtrArray* read = gst_rdp_camera_read_files(written.c_str(), 1.0, 0, 0, &error);
    fail_unless(error == nullptr, "%s", error != nullptr ? error->message : "");
    for (guint i = 0; i < read->len; ++i) {
      g_autofree gchar* again = gst_rdp_camera_to_json(GST_RDP_CAMERA(g_ptr_array_index(read, i)));
      fail_unless_equals_string(again, json);
    }
    g_ptr_array_unref(read);
  }
  gst_rdp_camera_unref(camera);
  g_ptr_array_unref(cameras);
}

CHECK_TEST(test_projections) {
  auto views = views_of(kFolder + "projections.json");
  fail_unless_equals_int(views.size(), 2);
  for (const auto& view : views) {
    expect_lens(view, 960, 540, 450, 450, 480, 270);
    expect_pair(view, true, 0, 0);
    fail_unless(view.has_projection);
  }
  expect_at(views[0], 60.0 / 450, 1.2, -2);
  expect_pose(views[1], {0, 0, -1, 2, 1, 0, 0, 0, 0, -1, 0, 0.8});
  const double as_read[12] = {-480, 450, 0, 960, -270, 0, -450, 900, -1, 0, 0, 2};
  for (int i = 0; i < 12; ++i) fail_unless(views[1].projection[i] == as_read[i]);

  // A unit stated in the file has priority over the caller's.
  expect_at(views_of(kFolder + "projections.json", 0.001)[0], 60.0 / 450, 1.2, -2);
  Folder folder;
  std::string text = example("projections.json");
  text.replace(text.find("\"unit\": \"m\","), 12, "");
  expect_at(views_of(folder.write("units.json", text), 0.001)[0], 0.06 / 450, 0.0012, -0.002);
}

CHECK_TEST(test_views_of_parts) {
  const auto views = views_of(kFolder + "views.json");
  fail_unless_equals_int(views.size(), 2);
  expect_lens(views[0], 960, 540, 450, 450, 480, 270);
  expect_lens(views[1], 640, 480, 300, 300, 320, 240);
  expect_at(views[0], -2, 0, -2);
  expect_pose(views[1], {0, 0, -1, 3, 1, 0, 0, -0.5, 0, -1, 0, 1});
  const double matrix[12] = {-320, 300, 0, 1110, -240, 0, -300, 1020, -1, 0, 0, 3};
  for (int i = 0; i < 12; ++i) fail_unless(views[1].projection[i] == matrix[i], "%d", i);
}

CHECK_TEST(test_files) {
  Folder folder;
  // The content determines the format, not the name, byte order mark or line ends.
  for (const std::string& name : kExamples) {
    const double unit = name == "extrinsics.yml" ? 0.001 : 1.0;
    const std::size_t count = views_of(kFolder + name, unit).size();
    std::string text = "\xef\xbb\xbf" + example(name);
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
      text.insert(at, "\r");
    }
    fail_unless_equals_int(views_of(folder.write("a.dat", text), unit).size(), count);
    std::erase(text, '\n');
    fail_unless_equals_int(views_of(folder.write("a.dat", text), unit).size(), count);
  }
  // A comma in a name.
  const std::string comma = folder.write("left,right.yml", example("opencv.yml"));
  fail_unless_equals_int(views_of(comma).size(), 1);
  // Different formats, in the files' order.
  const auto views = views_of(kFolder + "kitti.txt," + kFolder + "opencv.yml");
  fail_unless_equals_int(views.size(), 5);
  fail_unless(views[4].width == 640);
}

CHECK_TEST(test_locale) {
  // In a locale with decimal commas, files still have decimal points.
  const char* locale = std::setlocale(LC_ALL, "de_DE.UTF-8");
  for (const std::string& name : kExamples) {
    const double unit = name == "extrinsics.yml" ? 0.001 : 1.0;
    fail_unless(views_of(kFolder + name, unit)[0].focal_length > 100, "%s", name.c_str());
  }
  expect_lens(views_of(kFolder + "opencv.yml")[0], 640, 480, 525.125, 524.75, 319.5, 239.25,
              {-0.25, 0.0625, 0.00125, -0.000625});
  if (locale == nullptr) GST_INFO("there is no German locale here");
  std::setlocale(LC_ALL, "C");
}

CHECK_TEST(test_documentation) {
  // docs/calibration.md contains these files, each as a block after a line with its name.
  const std::string text = text_of(RDP_SOURCES "/docs/calibration.md");
  const std::string mark = "<!-- file: ";
  std::size_t blocks = 0;
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; ++blocks) {
    at += mark.size();
    const std::string name = text.substr(at, text.find(" -->", at) - at);
    const std::size_t begin = text.find('\n', text.find("\n```", at) + 1) + 1;
    const std::size_t end = text.find("\n```", begin);
    const std::string block = text.substr(begin, end + 1 - begin);
    std::string file = example(name);
    if (file.back() != '\n') file += '\n';
    fail_unless(block == file, "docs/calibration.md: %s is not tests/library/camera_files/%s",
                name.c_str(), name.c_str());
  }
  fail_unless(blocks >= 5, "%zu examples", blocks);
}

CHECK_TEST(test_recorded) {
  const char* folder = std::getenv("RDPSEGMENT_TEST_DATA");
  if (folder == nullptr) return;
  const std::string data = folder;
  const auto is_there = [&](const std::string& name) {
    return g_file_test((data + name).c_str(), G_FILE_TEST_EXISTS) != FALSE;
  };
  if (is_there("/stereo/kitti2012/000074_calib.txt")) {
    const auto views = views_of(data + "/stereo/kitti2012/000074_calib.txt");
    fail_unless_equals_int(views.size(), 2);
    expect_lens(views[0], 0, 0, 718.856, 718.856, 607.1928, 185.2157);
    expect_pair(views[0], true, 386.1448 / 718.856, 0);
  }
  if (is_there("/motion/kitti_odo06/calib.txt")) {
    expect_pair(views_of(data + "/motion/kitti_odo06/calib.txt")[0], true, 379.8145 / 707.0912, 0);
  }
  if (is_there("/motion/kitti_odo06/poses.txt")) {
    fail_unless(!read(data + "/motion/kitti_odo06/poses.txt").error.empty());
  }
  if (is_there("/stereo/multiviewx/calibration.json")) {
    const auto views = views_of(data + "/stereo/multiviewx/calibration.json");
    fail_unless_equals_int(views.size(), 6);
    for (const auto& view : views) {
      fail_unless(view.width == 960 && view.height == 540);
      fail_unless(std::fabs(view.focal_length - 450) < 2 && view.pose[11] > 1.5, "z %g",
                  view.pose[11]);
    }
  }
  if (is_there("/stereo/crowd-synthetic/calibration.json")) {
    fail_unless_equals_int(views_of(data + "/stereo/crowd-synthetic/calibration.json").size(), 3);
  }
}

CHECK_CASE(camera_files)
