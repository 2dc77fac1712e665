// SPDX-License-Identifier: LGPL-2.1-or-later
// Invalid calibration files: the error names file, line, field, the value found and the value
// expected.
#include <glib/gstdio.h>
#include <sys/stat.h>

#include <algorithm>
#include <sstream>

#include "tests/library/camera_files_support.h"
#include "tests/support/check_test.h"

namespace {

using namespace camera_files;

// One mistake in an example and its error: a row of kSlips.
struct Slip {
  std::string example;
  std::string what;         // is replaced; its line is the error's, unless `line_of` is another's
  std::string replacement;  // <end>: the file is cut off before `what`
  std::string line_of;      // text of the example in the line that the error names; "=": `what`
  std::vector<std::string> says;
  double unit = 1.0;
};

// EXAMPLE UNIT ~ WHAT ~ REPLACEMENT ~ LINE_OF ~ SAYS ~ SAYS, on as many lines as it takes. \n is a
// new line.
constexpr const char* kSlips = R"(
// A field is missing.
opencv.yml ~ camera_matrix: ~ matrix: ~ calibration_time ~ expected a calibration: OpenCV
opencv.yml ~ distortion_coefficients: ~ coefficients: ~ calibration_time
    ~ distortion_coefficients: found nothing ~ all 0 where there is none
opencv.yml ~ image_height: ~ height: ~ calibration_time ~ image_height: found nothing
intrinsics.yml ~ M2: ~ X2: ~ M1: ~ M2: found nothing ~ 3 rows of 3 ~ comma
intrinsics.yml ~ D1: ~ X1: ~ M1: ~ D1: found nothing ~ coefficients beside M1
extrinsics.yml ~ P2: ~ X2: ~ R:  ~ P2: found nothing ~ 3 rows of 4
opencv.json ~ "data": [ 525 ~ "date": [ 525 ~ "camera_matrix" ~ camera_matrix.data: found nothing
    ~ 9 numbers
ros_left.yaml ~ projection_matrix: ~ matrix: ~ image_width ~ projection_matrix: found nothing
    ~ 3 rows of 4
ros_left.yaml ~ distortion_model: ~ model: ~ image_width ~ distortion_model: found nothing
    ~ plumb_bob
ros_message.yaml ~ K: ~ X: ~ header ~ K: found nothing ~ 3 rows of 3
kitti_alone.txt ~ \n ~ <end> ~ = ~ line 2: found nothing ~ 12 numbers
camchain.yaml ~ intrinsics: ~ X: ~ cam0: ~ cam0.intrinsics: found nothing ~ fu, fv, pu, pv
camchain.yaml ~ T_cn_cnm1: ~ T: ~ cam1: ~ cam1.T_cn_cnm1: found nothing ~ 4 rows of 4
camchain.yaml ~ resolution: ~ X: ~ cam0: ~ cam0.resolution: found nothing ~ width and height
zed.conf ~ cx=965.5 ~ x=965.5 ~ [LEFT_CAM_FHD] ~ LEFT_CAM_FHD.cx: found nothing ~ a number
zed.conf ~ [RIGHT_CAM_FHD] ~ [X] ~ [LEFT_CAM_FHD] ~ RIGHT_CAM_FHD: found nothing
zed.conf ~ Baseline=120 ~ Base=120 ~ [STEREO] ~ STEREO.Baseline: found nothing ~ millimetres
middlebury.txt ~ cam1= ~ cam2= ~ cam0= ~ cam1: found nothing ~ the camera's matrix
middlebury.txt ~ baseline= ~ base= ~ cam0= ~ baseline: found nothing ~ millimetres
asl_left.yaml ~ intrinsics: ~ X: ~ sensor_type ~ intrinsics: found nothing ~ fu, fv, pu, pv
asl_left.yaml ~ sensor_type: camera ~ sensor_type: imu ~ = ~ sensor_type: found "imu" ~ camera
drivingstereo.txt ~ P_rect_103: ~ P_rect_102: ~ P_rect_101: ~ P_rect_103: found nothing
    ~ 12 numbers
camchain_imu.yaml
    ~ -0.01]\n  - [0.0, 0.0, 0.0, 1.0]\n  camera_model: pinhole\n  distortion_coeffs: [-0.28125
    ~ -0.01]\n  - [0.0, 0.0, 0.0, 2.0]\n  camera_model: pinhole\n  distortion_coeffs: [-0.28125
    ~ T_cam_imu ~ cam0.T_cam_imu: found another last row
zed.conf ~ RX_FHD=-0.0009\n ~  ~ [STEREO] ~ STEREO.RX_FHD: found nothing ~ radians
depthai.json ~ "intrinsicMatrix": [[1500 ~ "matrix": [[1500 ~ [0, {
    ~ cameraData[0][1].intrinsicMatrix: found nothing ~ 3 rows of 3
cameras.json ~ "focal-length": 525.5, ~  ~ = ~ focal-length
cameras.json ~ "focal-length": 525.5, ~ "focal-lenght": 525.5, ~ = ~ focal-length
    ~ (but "focal-lenght" is: is "focal-length" meant?)
cameras.json ~ "measures" ~ "measurse" ~ = ~ unknown field "measurse" (is "measures" meant?)
projections.json ~ "size": [960, 540], ~  ~ { ~ size: found nothing ~ [width, height]
views.json ~ "t": ~ "T": ~ { ~ t: found nothing ~ a list of 2
// A wrong count of numbers.
opencv.yml ~ 5.2475000000000000e+02,  ~  ~ 5.25125 ~ camera_matrix.data: found 8 numbers
    ~ expected 9 numbers
opencv.yml ~ rows: 5 ~ rows: 6 ~ data: [ -2.5 ~ distortion_coefficients.data: found 5 numbers
    ~ 6 numbers, as rows and cols say
opencv.yml ~ rows: 3 ~ rows: 4 ~ = ~ camera_matrix.rows: found "4" ~ expected 3
ros_left.yaml ~ , 0., 1., 0.] ~ , 0., 1.] ~ = ~ projection_matrix.data: found 11 numbers
    ~ 12 numbers
ros_left.yaml ~ 0.001, -0.0005, 0.] ~ 0.001] ~ = ~ distortion_coefficients.data: found 3 numbers
    ~ 5 numbers, as rows
kitti.txt ~  -3.888000e+02 ~  ~ = ~ P1: found 11 numbers ~ 12 numbers
camchain.yaml ~ 248.375] ~ 248.375, 1.0] ~ = ~ cam0.intrinsics: found 5 numbers ~ 4 numbers
camchain.yaml ~ [0.0, 1.0, 0.0, 0.0] ~ [0.0, 1.0, 0.0] ~ = ~ cam1.T_cn_cnm1[1]: found 3 numbers
    ~ 4 numbers
depthai.json ~ [-1.5, 3.0,  ~ [3.0,  ~ = ~ distortionCoeff: found 13 numbers ~ or 14 numbers
cameras.json ~ [-0.25, 0.0625,  ~ [0.0625,  ~ = ~ distortion ~ 7 numbers ~ eight
projections.json ~ [0.0, 450.0, 270.0, 0.0] ~ [0.0, 450.0, 270.0] ~ =
    ~ projection[0][1]: found 3 numbers
views.json ~ [[960, 540], [640, 480]] ~ [[960, 540]] ~ = ~ size: found a list of 1 value ~ 2 sizes
middlebury.txt ~ 0 0 1] ~ 0 1] ~ = ~ cam0: found 8 numbers ~ 9 numbers
middlebury.txt ~ 299.75; 0 0 1] ~ 299.75; 0 0 1 ~ = ~ cam0: found ~ in brackets
colmap.txt ~  -0.0005 ~  ~ 2 OPENCV ~ found 7 parameters ~ 8 of OPENCV ~ p1, p2
// Text for a number.
colmap.txt ~ 541.0 ~ x ~ = ~ [5]: found "x" ~ a number
opencv.yml ~ 6.2500000000000000e-02 ~ none ~ = ~ distortion_coefficients.data[1]: found "none"
    ~ a number
opencv.yml ~ image_width: 640 ~ image_width: wide ~ = ~ image_width: found "wide" ~ 1 to 16384
opencv.yml ~ image_width: 640 ~ image_width: "640" ~ = ~ image_width: found the text "640"
opencv.json ~ 524.75 ~ "524.75" ~ = ~ camera_matrix.data[4]: found the text "524.75"
ros_left.yaml ~ 0.125 ~ 0,125e ~ = ~ distortion_coefficients.data[2]: found "125e"
kitti.txt ~ 7.200000e+02 ~ x ~ = ~ P0[0]: found "x" ~ a number
camchain.yaml ~ -0.28125 ~ [1] ~ = ~ cam0.distortion_coeffs[0]: found a list of 1 value
zed.conf ~ fx=1400.5 ~ fx=1400,5 ~ = ~ LEFT_CAM_FHD.fx: found "1400,5" ~ a focal length
depthai.json ~ "x": 3.75, "y": 0.0, "z": 0.0}\n      }, ~ "x": true, "y": 0.0, "z": 0.0}\n      },
    ~ = ~ translation.x: found "true" ~ centimetres
cameras.json ~ "baseline": 0.12 ~ "baseline": "0.12" ~ = ~ baseline ~ a number
// Numbers that cannot be.
opencv.yml ~ 5.2512500000000000e+02 ~ .Nan ~ = ~ camera_matrix.data[0]: found ".Nan" ~ finite
opencv.yml ~ 5.2512500000000000e+02 ~ 1e999 ~ = ~ camera_matrix.data[0]: found "1e999" ~ finite
opencv.yml ~ image_width: 640 ~ image_width: 0 ~ = ~ image_width: found "0" ~ 1 to 16384
opencv.yml ~ image_width: 640 ~ image_width: 640.5 ~ = ~ image_width: found "640.5"
opencv.yml ~ [ 5.2512500000000000e+02, 0., ~ [ 5.2512500000000000e+02, 3., ~ camera_matrix
    ~ camera_matrix: found another matrix ~ without skew
opencv.yml ~ 5.2512500000000000e+02 ~ -5.2512500000000000e+02 ~ camera_matrix
    ~ camera_matrix: found a focal length of -525.125 px ~ 1 to 1000000
intrinsics.yml ~ [ 712., 0., 635. ~ [ 712000000, 0., 635. ~ M2 ~ M2: found a focal length
extrinsics.yml 0.001 ~ [ 700., 0., 644.75, ~ [ 701., 0., 644.75, ~ P2
    ~ P2: found a focal length of 701 px ~ that of P1, 700 px
ros_right.yaml ~ -60., 0., 600. ~ 60., 0., 600. ~ projection_matrix
    ~ projection_matrix: found a baseline of -0.1 m ~ Exchange
zed.conf ~ Baseline=120 ~ Baseline=-120 ~ = ~ STEREO.Baseline: found "-120" ~ above 0
projections.json ~ [0.0, 0.0, 1.0, 2.0] ~ [0.0, 450.0, 270.0, 2.0] ~ [[450.0
    ~ projection[0]: found a matrix that is no projection ~ K [R | t]
views.json ~ [-1.0, 0.0, 0.0] ~ [1.0, 0.0, 0.0] ~ [[0.0, 1.0, 0.0] ~ R[1]: found a reflection
    ~ a rotation
camchain.yaml ~ [-0.01, 0.0, 0.99995, 0.002] ~ [-0.01, 0.0, 0.5, 0.002] ~ T_cn_cnm1
    ~ cam1.T_cn_cnm1: found a matrix whose rows are not of length 1 ~ a rotation
middlebury.txt ~ cam1=[1000.5 0 530.5; 0 1000.5 ~ cam1=[1001.5 0 530.5; 0 1001.5 ~ =
    ~ cam1: found a focal length of 1001.5 px ~ that of cam0
middlebury.txt ~ doffs=30.25 ~ doffs=15.125 ~ = ~ doffs: found 15.125 px ~ 30.25 px ~ size
colmap.txt ~ 7 SIMPLE ~ 1 SIMPLE ~ = ~ found camera 1 a second time ~ once
// The same view twice.
kitti.txt ~ -3.888000e+02 ~ 0.000000e+00 ~ P1 ~ P1: found the same projection as P0, so no baseline
    ~ right view
drivingstereo.txt ~ -545.0 ~ 0.0 ~ =
    ~ P_rect_103: found the same projection as P_rect_101, so no baseline
extrinsics.yml ~ [ 700., 0., 644.75, -84000., ~ [ 700., 0., 640.5, 0., ~ P2
    ~ P2: found the same projection as P1, so no baseline
extrinsics.yml ~ -84000., ~ 0., ~ P2 ~ P2: found the same fourth number as P1
// Lenses that are none.
opencv.yml ~ -2.5000000000000000e-01 ~ 1e300 ~ distortion_coefficients
    ~ distortion_coefficients: found coefficient 1 of 1e+300 ~ at most 1e9
zed.conf ~ k3=0 ~ k3=-1e10 ~ [LEFT_CAM_FHD] ~ LEFT_CAM_FHD: found coefficient 5
depthai.json ~ [0.5, -1.25, ~ [0.5, -1e200, ~ = ~ distortionCoeff: found coefficient 2 of -1e+200
cameras.json ~ [-0.25, 0.0625, ~ [-0.25, 1e300, ~ = ~ k2 is 1e+300 ~ a number
cameras.json ~ [-0.25, 0.0625, ~ [-0.25, 1e50, ~ = ~ distortion: found coefficient 2 of 1e+50
    ~ at most 1e9
// Another unit.
middlebury.txt ~ baseline=193.001 ~ baseline=0.193001 ~ = ~ baseline: found a baseline of 0.000193
    ~ the file states its unit
extrinsics.yml ~ R: ~ R: ~ P2: ~ P2: found a baseline of 120 m ~ 0.001 m to 10 m ~ calibration-unit
    ~ 0.001 for millimetres
ros_right.yaml ~ -60. ~ -60000. ~ projection_matrix ~ projection_matrix: found a baseline of 100 m
    ~ calibration-unit
kitti.txt ~ -3.888000e+02 ~ -3.888000e+05 ~ = ~ P1: found a baseline of 540 m ~ calibration-unit
camchain.yaml ~ -0.11] ~ -110] ~ T_cn_cnm1 ~ cam1.T_cn_cnm1: found a baseline of 110
    ~ calibration-unit
zed.conf ~ Baseline=120 ~ Baseline=0.12 ~ = ~ STEREO.Baseline: found a baseline of 0.00012
    ~ the file states its unit
depthai.json ~ "x": -7.5, "y": 0.0, "z": 0.0}\n      }, ~ "x": -7500, "y": 0.0, "z": 0.0}\n      },
    ~ = ~ extrinsics.translation: found a baseline of 75 m ~ the file states its unit
projections.json ~ "unit": "m" ~ "unit": "inch" ~ = ~ unit: found the text "inch" ~ "mm"
// Cut off.
opencv.yml ~ 2.3925000000000000e+02 ~ <end> ~ = ~ invalid YAML ~ cut off
opencv.json ~ 239.25 ~ <end> ~ = ~ invalid JSON ~ cut off
ros_left.yaml ~ projection_matrix:\n ~ <end> ~ image_width ~ projection_matrix: found nothing
camchain.yaml ~ , 0.01, -0.11] ~ <end> ~ = ~ invalid YAML ~ cut off
depthai.json ~ "width": 1920 ~ <end> ~ = ~ invalid JSON ~ cut off
zed.conf ~ [RIGHT_CAM_FHD] ~ <end> ~ [LEFT_CAM_FHD] ~ RIGHT_CAM_FHD: found nothing
zed.conf ~ =1402.5 ~ <end> ~ = ~ found the line "fy" ~ KEY=VALUE
kitti.txt ~  0.000000e+00 0.000000e+00 0.000000e+00 1.000000e+00 0.000000e+00\nP1 ~ <end> ~ =
    ~ P1: found nothing
cameras.json ~ "measures": "depth" ~ <end> ~ = ~ invalid JSON
projections.json ~ , 270.0 ~ <end> ~ = ~ invalid JSON
// Twice.
opencv.yml ~ avg_reprojection_error ~ camera_matrix ~ =
    ~ camera_matrix: found it a second time (first in line 7) ~ once
opencv.json ~ "distortion_coefficients" ~ "camera_matrix" ~ =
    ~ camera_matrix: found it a second time
ros_left.yaml ~ projection_matrix ~ rectification_matrix ~ =
    ~ rectification_matrix: found it a second time
kitti.txt ~ P1: ~ P0: ~ = ~ P0: found it a second time (first in line 1)
camchain.yaml ~ cam1: ~ cam0: ~ = ~ cam0: found it a second time
zed.conf ~ fy=1400.25 ~ fx=1400.25 ~ = ~ LEFT_CAM_FHD.fx: found it a second time (first in line 2)
zed.conf ~ [RIGHT_CAM_FHD] ~ [LEFT_CAM_FHD] ~ = ~ LEFT_CAM_FHD: found it a second time
depthai.json ~     [2, { ~     [1, { ~ = ~ found socket 1 a second time
cameras.json ~ "principal-x" ~ "focal-length" ~ = ~ focal-length: found it a second time
middlebury.txt ~ cam1= ~ cam0= ~ = ~ cam0: found it a second time (first in line 1)
// Models that the camera has no place for.
asl_right.yaml ~ radial-tangential ~ equidistant ~ = ~ distortion_model: found "equidistant"
    ~ undistort
colmap.txt ~ OPENCV ~ OPENCV_FISHEYE ~ = ~ found "OPENCV_FISHEYE" ~ SIMPLE_PINHOLE, PINHOLE
    ~ Undistort
opencv.yml ~ flags: 0 ~ fisheye_model: 1 ~ = ~ fisheye_model: found "1" ~ Undistort
ros_left.yaml ~ plumb_bob ~ equidistant ~ = ~ distortion_model: found "equidistant" ~ Undistort
camchain.yaml ~ distortion_model: radtan ~ distortion_model: equidistant ~ =
    ~ cam0.distortion_model: found "equidistant" ~ pinhole-radtan
camchain.yaml ~ camera_model: pinhole ~ camera_model: omni ~ = ~ cam0.camera_model: found "omni"
    ~ pinhole
depthai.json ~ "cameraType": 0 ~ "cameraType": 1 ~ = ~ cameraType: found "1" ~ Undistort
depthai.json ~ 2.25, 0.0, 0.0, ~ 2.25, 0.125, 0.0, ~ =
    ~ distortionCoeff: found coefficient 9 of 0.125 ~ CALIB_THIN_PRISM_MODEL
opencv.yml ~ flags: 0 ~ flags: *x ~ = ~ flags: found an alias ~ the value itself
cameras.json ~ "principal-y" ~ "principal-Y" ~ = ~ principal-Y
cameras.json ~ [\n ~ [ // cameras\n ~ = ~ '/' outside of a text ~ no comments
cameras.json ~ [\n ~ [] [\n ~ = ~ a second value ~ to the end of the file
zed.conf ~ cx=965.5 ~ cx 965.5 ~ = ~ found the line "cx 965.5" ~ KEY=VALUE
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

std::vector<Slip> slips() {
  std::vector<Slip> all;
  std::istringstream lines(replaced(kSlips, "\n    ~ ", " ~ "));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with("//")) continue;
    std::vector<std::string> fields;
    line = replaced(line, "\\n", "\n") + " ~ ";
    for (std::size_t end; (end = line.find(" ~ ")) != std::string::npos; line.erase(0, end + 3)) {
      fields.push_back(line.substr(0, end));
    }
    fail_unless(fields.size() > 4, "%s", fields[0].c_str());
    Slip slip{fields[0], fields[1], fields[2], fields[3], {fields.begin() + 4, fields.end()}};
    if (const std::size_t unit = slip.example.find(' '); unit != std::string::npos) {
      slip.unit = g_ascii_strtod(slip.example.c_str() + unit, nullptr);
      slip.example.resize(unit);
    }
    all.push_back(slip);
  }
  fail_unless(all.size() > 100);
  return all;
}

std::size_t line_at(const std::string& text, std::size_t at) {
  return 1 + static_cast<std::size_t>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

void expect_error(const std::string& error, const std::string& piece) {
  fail_unless(error.find(piece) != std::string::npos, "\"%s\" does not say \"%s\"", error.c_str(),
              piece.c_str());
}

}  // namespace

CHECK_TEST(test_slips) {
  Folder folder;
  std::string wrong;  // all of them at once
  for (const Slip& slip : slips()) {
    std::string text = example(slip.example);
    const std::size_t at = text.find(slip.what);
    fail_unless(at != std::string::npos, "%s has no \"%s\"", slip.example.c_str(),
                slip.what.c_str());
    const std::size_t named = slip.line_of == "=" ? at : text.find(slip.line_of);
    fail_unless(named != std::string::npos, "%s has no \"%s\"", slip.example.c_str(),
                slip.line_of.c_str());
    const std::size_t line = line_at(text, named);
    const bool ends = slip.replacement == "<end>";
    ends ? text.resize(at)
         : static_cast<void>(text.replace(at, slip.what.size(), slip.replacement));
    const std::string path = folder.write(slip.example, text);
    const std::string error = read(path, slip.unit, 1920, 1080).error;
    // The parser words the position at which a file is cut off.
    const bool cut = ends && error.find("cut off") != std::string::npos;
    std::vector<std::string> pieces = slip.says;
    pieces.push_back(cut ? path + ":" : path + ":" + std::to_string(line) + ": ");
    for (const std::string& piece : pieces) {
      if (error.find(piece) != std::string::npos) continue;
      wrong += slip.example + " with \"" + slip.replacement + "\" for \"" + slip.what + "\": \"" +
               error + "\" does not say \"" + piece + "\"\n";
    }
  }
  fail_unless(wrong.empty(), "%s", wrong.c_str());
}

CHECK_TEST(test_what_is_no_slip) {
  Folder folder;
  const auto changed = [&](const char* name, const std::string& what, const std::string& by) {
    std::string text = example(name);
    text.replace(text.find(what), what.size(), by);
    return folder.write(name, text);
  };
  // Valid: the first complete pair; a list of four coefficients; an unused anchor.
  fail_unless_equals_int(views_of(changed("kitti.txt", "P1:", "X1:")).size(), 2);
  views_of(changed("ros_message.yaml", "D: [0.0, ", "D: ["));
  views_of(changed("opencv.yml", "data: [ -2.5", "data: &x [ -2.5"));
}

// Also in a file with one camera, which only this field identifies as a camera.
CHECK_TEST(test_misspelt_focal_length) {
  Folder folder;
  const std::string path =
      folder.write("camera.json", "{\"size\": [64, 48],\n \"focal_lenght\": 50}\n");
  expect_error(read(path).error, path +
                                     ":2: there is no focal-length (but \"focal_lenght\" is: is "
                                     "\"focal-length\" meant?)");
  const std::string other = folder.write("other.json", "{\"size\": [64, 48],\n \"focus\": 50}\n");
  expect_error(read(other).error, "expected a calibration: OpenCV");
}

CHECK_TEST(test_motion_of_a_pair) {
  // R and T are used only with the raw views.
  Folder folder;
  const auto error_of = [&](const std::string& what, const std::string& by) {
    std::string text = example("extrinsics.yml");
    text.replace(text.find(what), what.size(), by);
    const std::string path = folder.write("extrinsics.yml", text);
    return read(kFolder + "intrinsics.yml," + path, 0.001).error;
  };
  expect_error(error_of("0.99995", "0.5"),
               "extrinsics.yml:3: R: found a matrix whose rows are not of length 1");
  expect_error(
      error_of("-120., 0., 0. ]", "-120., 0. ]"),
      "extrinsics.yml:12: T.data: found 2 numbers, expected 3 numbers, as rows and cols say");
  expect_error(error_of("T:", "X:"), "T: found nothing, expected the shift");
  expect_error(error_of("-120., 0., 0. ]", "-0.5, 0., 0. ]"),
               "extrinsics.yml:8: T: found a baseline of 0.0005 m");
  expect_error(error_of("-120., 0., 0. ]", "0., 0., 0. ]"), "T: found no distance between");
}

CHECK_TEST(test_two_files) {
  // The error names the wrong file, or both files for a field found in both.
  Folder folder;
  const std::string again = folder.write("again.yml", example("intrinsics.yml"));
  const std::string error = read(kFolder + "intrinsics.yml," + again).error;
  expect_error(error,
               again + ":3: M1: found it a second time (first in " + kFolder + "intrinsics.yml:3");
  const std::string missing = read(kFolder + "ros_left.yaml," + folder.path() + "/none.yaml").error;
  expect_error(missing, folder.path() + "/none.yaml: found ");
  expect_error(missing, "expected a calibration file that can be read");
  // The file of one camera twice is no pair.
  expect_error(read(kFolder + "ros_right.yaml," + kFolder + "ros_right.yaml").error,
               "projection_matrix: found the same projection as ");
  expect_error(read(kFolder + "asl_left.yaml," + kFolder + "asl_left.yaml").error,
               "T_BS: found no distance between the cameras, so no baseline");
  expect_error(read("left.yaml,,right.yaml").error, "found an empty file name");
  expect_error(read("").error, "found an empty file name");
  std::string many = "a";
  for (int i = 0; i < 70; ++i) many += ",a";
  expect_error(read(many).error, "more than 64 files");
}

CHECK_TEST(test_unit) {
  for (const double unit : {0.0, -1.0, std::strtod("nan", nullptr), std::strtod("inf", nullptr)}) {
    expect_error(read(kFolder + "opencv.yml", unit).error, "calibration-unit: found ");
  }
}

CHECK_TEST(test_zed_size) {
  const std::string error = read(kFolder + "zed.conf", 1.0, 640, 360).error;
  expect_error(error, "zed.conf:1: found calibrations of frames of 1920x1080, 1280x720");
  expect_error(error, "expected one of 640x360");
  expect_error(read(kFolder + "zed.conf", 1.0, 960, 720).error, "expected one of 960x720");
  // An error in an unused resolution does no harm.
  Folder folder;
  std::string text = example("zed.conf");
  text.replace(text.find("fx=1400.5"), 9, "fx=none..");
  const std::string path = folder.write("zed.conf", text);
  fail_unless_equals_int(views_of(path, 1.0, 1280, 720).size(), 2);
  expect_error(read(path, 1.0, 1920, 1080).error, path + ":2: LEFT_CAM_FHD.fx: found \"none..\"");
}

CHECK_TEST(test_baselines) {
  // Valid from 1 mm to 10 m, inclusive.
  Folder folder;
  const auto with = [&](const std::string& number) {
    std::string text = example("kitti_alone.txt");
    text.replace(text.find("-3.888000e+02"), 13, number);
    return folder.write("alone.txt", text);
  };
  views_of(with("-0.72"));
  views_of(with("-7200"));
  expect_error(read(with("-0.71")).error, ":2: line 2: found a baseline of 0.000986");
  expect_error(read(with("-7201")).error, ":2: line 2: found a baseline of 10.0014 m");
  expect_error(read(with("0.0")).error, "line 2: found the same projection as line 1");
  // Poses look like projections.
  expect_error(
      read(folder.write("poses.txt", "1 0 0 0.5 0 1 0 0 0 0 1 2\n1 0 0 1.5 0 1 0 0 0 0 1 2\n"))
          .error,
      "poses.txt:1: line 1: found a focal length of 1 px");
}

CHECK_TEST(test_no_calibration) {
  Folder folder;
  const auto error_of = [&](const std::string& text) {
    return read(folder.write("file", text)).error;
  };
  const char* known = "expected a calibration: OpenCV's YAML or JSON, ROS' camera_info, KITTI";
  for (const std::string& text :
       {std::string(), std::string("\n\n# comment\n"), std::string("hello"),
        std::string("a: 1\nb: 2\n"), std::string("{}"), std::string("{\"a\": 1}"),
        std::string("- 1\n- 2\n"), std::string("{} ")}) {
    expect_error(error_of(text), known);
  }
  // Other programs' files, parseable or not: the error lists all readable formats.
  for (const std::string& text :
       {std::string("0.1 1 2 3 0 0 0 1\n0.2 1 2 3 0 0 0 1\n"),
        std::string("500 0 320\n0 500 240\n"), std::string("fx=500\nfy=500\n"),
        std::string("1 0.9 0 0 0.1 1 2 3 1 a.png\n"), std::string("[camera]\nfx=500\n"),
        std::string("a: [b\n"), std::string("{\"a\": 1,\n"),
        std::string("[{\"id\": 0, \"width\": 640, \"fx\": 500}]"),
        std::string("Camera.fx: 500\nCamera.fy: 500\n"), std::string("<Scene/>"),
        std::string("P\0\0\0", 4)}) {
    const std::string error = error_of(text);
    for (const char* name : {"OpenCV", "ROS", "KITTI", "DrivingStereo", "Kalibr", "EuRoC",
                             "Middlebury", "ETH3D", "COLMAP", "ZED", "DepthAI", "projections"}) {
      expect_error(error, name);
    }
  }
  expect_error(error_of("---\n---\n"), "file:");
  expect_error(error_of("<?xml version=\"1.0\"?>\n<opencv_storage></opencv_storage>\n"),
               "file:1: found XML");
  expect_error(error_of("<opencv_storage>"), "cv::FileStorage");
  expect_error(error_of("[]"), "expected a list of cameras");
  expect_error(error_of("[1]"), "[0]: found \"1\", expected a camera");
  expect_error(error_of("[1, \u00e4]"), "found the character '\u00e4' outside of a text");
  std::string long_line = "P0: 1\nP1: ";
  for (int i = 0; i < 50; ++i) long_line += "\u00e4";
  expect_error(error_of(long_line + "\n"), "file:");
  expect_error(error_of("[LEFT_CAM_HD]\nxy" + long_line.substr(9)), "found the line \"xy");
  expect_error(error_of("[GROUP]\nkey=1\n"), "LEFT_CAM_HD: found nothing");
  expect_error(error_of(std::string("a\nP\0ng", 6)), "file:2: found bytes that are no text");
  expect_error(error_of("\x89PNG\r\n"), "file:1: found bytes that are no text");
}

CHECK_TEST(test_not_a_file) {
  Folder folder;
  expect_error(read(folder.path()).error, "found a folder");
  expect_error(read("/dev/zero").error, "found no regular file");
  const std::string pipe = folder.path() + "/pipe";
  if (mkfifo(pipe.c_str(), 0600) == 0) {
    expect_error(read(pipe).error, "found no regular file");
    g_remove(pipe.c_str());
  }
}

CHECK_TEST(test_too_much) {
  // Files crafted to exhaust time or stack are refused at once.
  Folder folder;
  const gint64 start = g_get_monotonic_time();
  const auto error_of = [&](const std::string& text) {
    return read(folder.write("file", text)).error;
  };
  const auto times = [](std::size_t count, const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < count; ++i) result += text;
    return result;
  };
  const std::size_t mega = std::size_t{1} << 20;
  expect_error(error_of(std::string(5 * mega, ' ')), "more than 4 MiB");
  expect_error(error_of(std::string(4 * mega, '[')), "more than 32 levels");
  expect_error(error_of("a: " + std::string(3 * mega, '[')), "file:1");
  expect_error(error_of("a: " + times(100, "[ ") + "\n"), "more than 32 levels");
  expect_error(error_of(times(mega, "- ")), "more than 32 levels");
  expect_error(error_of("[" + times(mega, "1,") + "1]"), "more than 200000 values");
  expect_error(error_of("a: [" + times(mega, "1, ") + "1]"), "more than 200000 values");
  expect_error(error_of("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"), "found an alias");
  expect_error(error_of(times(100000, "0 1 2\n")), "more than 500 fields");
  std::string names;
  for (int i = 0; i < 100000; ++i) names += "n" + std::to_string(i) + ": 1\n";
  expect_error(error_of(names), "more than 500 fields");
  expect_error(error_of("? " + std::string(mega, 'x') + "\n: " + times(100000, "\n  - 1") + "\n"),
               "file:1");
  expect_error(error_of("{\"" + std::string(mega, 'x') + "\": 1}"), "a name of 1048576 bytes");
  expect_error(error_of("{\"focal-length\": 100000000000000000000}"), "an integer of 21 digits");
  expect_error(error_of("{\"a\": \"" + std::string(mega, 'x')), "file:");
  const double seconds = static_cast<double>(g_get_monotonic_time() - start) / 1e6;
  fail_unless(seconds < 60, "%g s", seconds);
}

CHECK_CASE(camera_files_errors)
