// SPDX-License-Identifier: LGPL-2.1-or-later
// From two raw cameras to metres. The test draws a plane as seen through two distorting lenses with
// different directions, and passes the pictures with a calibration file to depthstereo. It compares
// disparity, camera, rectified view, depths and segment points with the plane. The drawing shares
// no code with the tested element.
#include <algorithm>
#include <array>
#include <cmath>

#include "tests/depthstereo/stereo_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/temporary_files.h"

using rdp::test::Folder;
using rdp::test::opencv_matrix;
using namespace stereo_rig;

namespace {

constexpr int kWidth = 320;
constexpr int kHeight = 240;

// --- geometry -----------------------------------------------------------------------------------

using Vector = std::array<double, 3>;
using Matrix = std::array<double, 9>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector scaled(const Vector& a, double by) { return {a[0] * by, a[1] * by, a[2] * by}; }
Vector plus(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector unit(const Vector& a) { return scaled(a, 1.0 / std::sqrt(dot(a, a))); }
Vector rotated(const Matrix& m, const Vector& v) {
  return {dot({m[0], m[1], m[2]}, v), dot({m[3], m[4], m[5]}, v), dot({m[6], m[7], m[8]}, v)};
}
Matrix transposed(const Matrix& m) {
  return {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]};
}
Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix result{};
  for (int i = 0; i < 9; ++i) {
    for (int k = 0; k < 3; ++k) result[i] += a[i / 3 * 3 + k] * b[3 * k + i % 3];
  }
  return result;
}
Matrix about(double x, double y, double z) {
  const double a[] = {std::cos(x), std::sin(x), std::cos(y), std::sin(y), std::cos(z), std::sin(z)};
  return multiply(
      {a[4], -a[5], 0, a[5], a[4], 0, 0, 0, 1},
      multiply({a[2], 0, a[3], 0, 1, 0, -a[3], 0, a[2]}, {1, 0, 0, 0, a[0], -a[1], 0, a[1], a[0]}));
}

// --- what is seen -------------------------------------------------------------------------------

// A camera in the axes of the unrectified left camera.
struct Camera {
  double focal_x, focal_y, principal_x, principal_y;
  double distortion[4];  // k1, k2, p1, p2
  Matrix turn;           // its axes from the left camera's
  Vector centre;

  // Ray of a pixel, in the left camera's axes.
  Vector ray(double column, double row) const {
    const double x = (column - principal_x) / focal_x;
    const double y = (row - principal_y) / focal_y;
    double u = x;
    double v = y;
    for (int i = 0; i < 25; ++i) {
      const double r2 = u * u + v * v;
      const double radial = 1 + r2 * (distortion[0] + r2 * distortion[1]);
      const double shift_x = 2 * distortion[2] * u * v + distortion[3] * (r2 + 2 * u * u);
      const double shift_y = distortion[2] * (r2 + 2 * v * v) + 2 * distortion[3] * u * v;
      u = (x - shift_x) / radial;
      v = (y - shift_y) / radial;
    }
    return rotated(transposed(turn), {u, v, 1});
  }
};

const Matrix kNone{1, 0, 0, 0, 1, 0, 0, 0, 1};
const Camera kLeft{250, 252, 158, 121, {-0.21, 0.05, 0.001, -0.0007}, kNone, {0, 0, 0}};
const Camera kRight{254,
                    253,
                    163,
                    117,
                    {-0.19, 0.04, -0.0008, 0.0005},
                    about(0.02, -0.03, 0.015),
                    {0.2, 0.006, -0.005}};
const double kBaseline = std::sqrt(dot(kRight.centre, kRight.centre));

// The plane normal * point = distance, with noise on it that is a few pixels wide.
const Vector kNormal = unit({0.25, -0.35, 1.0});
constexpr double kDistance = 1.9;

double hash(int i, int j, unsigned seed) {
  auto h =
      static_cast<std::uint32_t>(i) * 0x9E3779B1U ^ static_cast<std::uint32_t>(j) * 0x85EBCA77U;
  h = (h ^ seed) * 0xC2B2AE3DU;
  h = (h ^ (h >> 15)) * 0x27D4EB2FU;
  return static_cast<double>((h ^ (h >> 13)) & 0xFFFFU) / 65535.0;
}
double noise(double u, double v, unsigned seed) {
  const double i = std::floor(u);
  const double j = std::floor(v);
  const double a = u - i;
  const double b = v - j;
  const auto at = [&](int x, int y) {
    return hash(static_cast<int>(i) + x, static_cast<int>(j) + y, seed);
  };
  return (at(0, 0) * (1 - a) + at(1, 0) * a) * (1 - b) + (at(0, 1) * (1 - a) + at(1, 1) * a) * b;
}
double brightness(const Vector& centre, const Vector& ray) {
  const double along = (kDistance - dot(kNormal, centre)) / dot(kNormal, ray);
  const Vector p = plus(centre, scaled(ray, along));
  const Vector x = unit(cross({0, 1, 0}, kNormal));
  const Vector y = cross(kNormal, x);
  const double u = dot(x, p);
  const double v = dot(y, p);
  return 20 + 120 * noise(u / 0.03, v / 0.03, 1) + 90 * noise(u / 0.09, v / 0.09, 2);
}
Picture draw(const Camera& camera) {
  Picture result = stereo_rig::picture(kWidth, kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i) {
    const Vector ray = camera.ray(i % kWidth, i / kWidth);
    result.samples[static_cast<std::size_t>(i)] =
        static_cast<std::uint8_t>(std::lround(brightness(camera.centre, ray)));
  }
  return result;
}
const Views& raw_views() {
  static const Views views{draw(kLeft), draw(kRight)};
  return views;
}

// --- calibration files --------------------------------------------------------------------------

template <typename Numbers>
std::string list(const Numbers& numbers) {
  std::string text;
  for (const double number : numbers) {
    gchar digits[G_ASCII_DTOSTR_BUF_SIZE];
    text += std::string(text.empty() ? "" : ", ") + g_ascii_dtostr(digits, sizeof digits, number);
  }
  return text;
}
Matrix matrix_of(const Camera& c) {
  return {c.focal_x, 0, c.principal_x, 0, c.focal_y, c.principal_y, 0, 0, 1};
}
// From the left camera to the right one.
Vector shift() { return scaled(rotated(kRight.turn, kRight.centre), -1); }

// The test's own rectification: x along the baseline, y perpendicular to the left optical axis.
Matrix left_turn() {
  const Vector x = unit(kRight.centre);
  const Vector y = unit(cross({0, 0, 1}, x));
  const Vector z = cross(x, y);
  return {x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]};
}
Matrix right_turn() { return multiply(left_turn(), transposed(kRight.turn)); }
constexpr double kFocal = 240;
// They differ, so that disparities stay non-negative although the views converge.
constexpr double kPrincipals[2] = {164, 150};
std::array<double, 12> projection(bool right) {
  const double fourth = right ? -kFocal * kBaseline : 0.0;
  return {kFocal, 0, kPrincipals[right ? 1 : 0], fourth, 0, kFocal, 119, 0, 0, 0, 1, 0};
}

// `per_metre`: number of the file's units per metre.
std::string opencv(double per_metre = 1) {
  return "%YAML:1.0\n---\n" + opencv_matrix("M1", 3, 3, list(matrix_of(kLeft))) +
         opencv_matrix("D1", 1, 4, list(kLeft.distortion)) +
         opencv_matrix("M2", 3, 3, list(matrix_of(kRight))) +
         opencv_matrix("D2", 1, 4, list(kRight.distortion)) +
         opencv_matrix("R", 3, 3, list(kRight.turn)) +
         opencv_matrix("T", 3, 1, list(scaled(shift(), per_metre)));
}
std::string opencv_rectified() {
  return opencv() + opencv_matrix("R1", 3, 3, list(left_turn())) +
         opencv_matrix("R2", 3, 3, list(right_turn())) +
         opencv_matrix("P1", 3, 4, list(projection(false))) +
         opencv_matrix("P2", 3, 4, list(projection(true)));
}
std::string ros(const Camera& camera, bool right) {
  const auto block = [](const char* name, int rows, int columns, const std::string& data) {
    return std::string(name) + ":\n  rows: " + std::to_string(rows) +
           "\n  cols: " + std::to_string(columns) + "\n  data: [" + data + "]\n";
  };
  return "image_width: 320\nimage_height: 240\ncamera_name: c\n" +
         block("camera_matrix", 3, 3, list(matrix_of(camera))) + "distortion_model: plumb_bob\n" +
         block("distortion_coefficients", 1, 5, list(camera.distortion) + ", 0") +
         block("rectification_matrix", 3, 3, list(right ? right_turn() : left_turn())) +
         block("projection_matrix", 3, 4, list(projection(right)));
}
std::string kalibr_camera(const Camera& camera) {
  return "  camera_model: pinhole\n  distortion_model: radtan\n  distortion_coeffs: [" +
         list(camera.distortion) + "]\n  intrinsics: [" +
         list(std::array<double, 4>{camera.focal_x, camera.focal_y, camera.principal_x,
                                    camera.principal_y}) +
         "]\n  resolution: [320, 240]\n";
}
// right_first: the right camera comes first and is the origin.
std::string kalibr(bool right_first) {
  const Matrix turn = right_first ? transposed(kRight.turn) : kRight.turn;
  const Vector to = right_first ? kRight.centre : shift();
  std::string motion = "  T_cn_cnm1:\n";
  for (std::size_t i = 0; i < 3; ++i) {
    motion += "  - [" +
              list(std::array<double, 4>{turn[3 * i], turn[3 * i + 1], turn[3 * i + 2], to[i]}) +
              "]\n";
  }
  return "cam0:\n" + kalibr_camera(right_first ? kRight : kLeft) + "cam1:\n" + motion +
         "  - [0.0, 0.0, 0.0, 1.0]\n" + kalibr_camera(right_first ? kLeft : kRight);
}

// --- the truth ----------------------------------------------------------------------------------

const GstRdpCameraInfo& info_of(GstBuffer* of) {
  const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(of);
  fail_unless(meta != nullptr && meta->camera != nullptr);
  return *gst_rdp_camera_get_info(meta->camera);
}

// Ground truth for the rectified left camera of the metadata.
class Truth {
 public:
  // `of_right`: poses in the file are relative to the right camera.
  Truth(const GstRdpCameraInfo& info, bool of_right) : info_(info) {
    fail_unless(info.rectified && info.has_pose);
    fail_unless_equals_int(info.width, kWidth);
    fail_unless_equals_int(info.height, kHeight);
    fail_unless(std::fabs(info.baseline - kBaseline) < 1e-6, "%g", info.baseline);
    turn_ = {info.pose[0], info.pose[1], info.pose[2], info.pose[4], info.pose[5],
             info.pose[6], info.pose[8], info.pose[9], info.pose[10]};
    Vector centre{info.pose[3], info.pose[7], info.pose[11]};
    if (of_right) {
      turn_ = multiply(transposed(kRight.turn), turn_);
      centre = plus(kRight.centre, rotated(transposed(kRight.turn), centre));
    }
    fail_unless(dot(centre, centre) < 1e-12);  // rectification rotates a camera without moving it
  }

  Vector ray(double column, double row) const {
    return rotated(turn_, {(column - info_.principal_x) / info_.focal_length,
                           (row - info_.principal_y) / info_.focal_length_y, 1});
  }
  double brightness(int column, int row) const { return ::brightness({}, ray(column, row)); }
  double depth(double column, double row) const {
    return kDistance / dot(kNormal, ray(column, row));
  }
  // Depth difference that corresponds to one pixel of disparity.
  double metres_of_pixel(double depth) const {
    return depth * depth / (info_.focal_length * kBaseline);
  }
  double disparity(double column, double row) const {
    return info_.focal_length * kBaseline / depth(column, row) - info_.disparity_offset;
  }
  // Signed distance from the plane of a point in the rectified camera's axes.
  double off_plane(const Vector& point) const {
    return dot(kNormal, rotated(turn_, point)) - kDistance;
  }

 private:
  GstRdpCameraInfo info_;
  Matrix turn_;
};

// Limits in px for sub-pixel matching of distorted 8-bit noise. Measured: median 0.09 px, 95 %
// within 0.24 px, bias below 0.01 px. An error of half a pixel in maps or principal points exceeds
// them clearly.
constexpr double kMedian = 0.13;
constexpr double kMost = 0.4;
constexpr double kToOneSide = 0.03;

void check_errors(std::vector<double> errors, const char* what) {
  fail_unless(errors.size() > kWidth * kHeight / 2, "%s: %zu known", what, errors.size());
  std::sort(errors.begin(), errors.end());
  const double middle = errors[errors.size() / 2];
  for (double& error : errors) error = std::fabs(error);
  std::sort(errors.begin(), errors.end());
  const double median = errors[errors.size() / 2];
  const double most = errors[errors.size() * 95 / 100];
  fail_unless(std::fabs(middle) < kToOneSide, "%s: %.4f px to one side", what, middle);
  fail_unless(median < kMedian && most < kMost, "%s: %.4f px, %.4f px", what, median, most);
}

// Checks disparities, or depths in mm, against the truth; errors in pixels of disparity.
void check_samples(GstBuffer* frame, const Truth& truth, bool depth, const char* what) {
  const GstRdpCameraInfo& info = info_of(frame);
  const auto got = samples<std::uint16_t>(frame, kWidth, kHeight);
  std::vector<double> errors;
  for (int i = 0; i < kWidth * kHeight; ++i) {
    const int sample = got[static_cast<std::size_t>(i)];
    if (sample == 0) continue;
    const double wanted = truth.disparity(i % kWidth, i / kWidth);
    const double scale = info.focal_length * kBaseline;
    errors.push_back((depth ? scale / (sample * 0.001) - info.disparity_offset : sample / 256.0) -
                     wanted);
  }
  check_errors(std::move(errors), what);
}

// Checks the picture of `rectified` against its camera.
void check_view(GstBuffer* frame, const Truth& truth, const char* what) {
  const auto got = samples<std::uint8_t>(frame, kWidth, kHeight);
  double sum = 0;
  int seen = 0;
  for (int i = 0; i < kWidth * kHeight; ++i) {
    const int sample = got[static_cast<std::size_t>(i)];
    if (sample == 0) continue;
    sum += std::fabs(sample - truth.brightness(i % kWidth, i / kWidth));
    ++seen;
  }
  // Sampling between pixels flattens the noise slightly; a shift by one pixel would give a
  // difference of 15 or more.
  fail_unless(seen > kWidth * kHeight * 9 / 10, "%s: %d", what, seen);
  fail_unless(sum / seen < 4, "%s: %.2f", what, sum / seen);
}

struct Calibrated {
  const char* what;
  std::string files;
  std::string more;       // properties
  bool of_right = false;  // the file counts poses from the right camera
};

void check_pair(const Calibrated& how, const char* format = "GRAY8") {
  const std::string set = "disparities=64 calibration=" + how.files + " " + how.more;
  std::vector<std::uint16_t> disparity;
  for (const bool depth : {false, true}) {
    Rig rig(set + (depth ? " output=depth-mm" : ""), " left right rectified");
    rig.set_all_caps(caps(format, kWidth, kHeight));
    rig.push_pair(raw_views(), 0, format);
    rig.check_runs();
    fail_unless(rig.warnings.empty(), "%s", rig.warnings.empty() ? "" : rig.warnings[0].c_str());
    GstBuffer* frame = rig.received().buffers.at(0);
    const GstRdpCameraInfo& info = info_of(frame);
    const Truth truth(info, how.of_right);
    check_samples(frame, truth, depth, how.what);
    GstBuffer* view = rig.received("rectified").buffers.at(0);
    const Truth of_view(info_of(view), how.of_right);
    fail_unless(info_of(view).measures == GST_RDP_MEASURE_UNKNOWN);
    check_view(view, of_view, how.what);

    // Both outputs give the same metres within half a step.
    const auto got = samples<std::uint16_t>(frame, kWidth, kHeight);
    if (!depth) disparity = got;
    if (!depth) continue;
    fail_unless(info.measures == GST_RDP_MEASURE_DEPTH && info.depth_unit == 0.001);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double metres =
          info.focal_length * info.baseline / (disparity[i] / 256.0 + info.disparity_offset);
      // Outliers may be beyond infinity, or beyond the samples' range.
      const bool known = disparity[i] != 0 && metres > 0 && metres < 65.5355;
      fail_unless((got[i] != 0) == known, "%d mm, not %g m", got[i], metres);
      if (!known) continue;
      fail_unless(std::fabs(got[i] * 0.001 - metres) < 0.000501, "%d mm, not %g m", got[i], metres);
    }
  }
}

}  // namespace

// Each kind of file: its own rectification, or the cameras alone.
CHECK_TEST(test_files) {
  Folder folder;
  check_pair({"OpenCV", folder.write("pair.yml", opencv()), ""});
  check_pair({"OpenCV in mm", folder.write("mm.yml", opencv(1000)), "calibration-unit=0.001"});
  check_pair({"OpenCV with R1, P1", folder.write("rectified.yml", opencv_rectified()), ""});
  check_pair({"Kalibr", folder.write("chain.yaml", kalibr(false)), ""});
  check_pair({"Kalibr, right first", folder.write("right.yaml", kalibr(true)), "", true}, "NV12");
  const std::string left = folder.write("l.yaml", ros(kLeft, false));
  const std::string right = folder.write("r.yaml", ros(kRight, true));
  check_pair({"ROS", left + "," + right, ""});
  check_pair({"ROS, right first", right + "," + left, ""});
}

// A packed frame: the calibration is for one half.
CHECK_TEST(test_packed) {
  Folder folder;
  const std::string file = folder.write("pair.yml", opencv_rectified());
  const Views& views = raw_views();
  Picture packed = stereo_rig::picture(2 * kWidth, kHeight);
  for (int row = 0; row < kHeight; ++row) {
    const auto put = [&](const Picture& from, int column) {
      std::copy_n(from.samples.data() + row * kWidth, kWidth,
                  packed.samples.data() + row * 2 * kWidth + column);
    };
    put(views.left, 0);
    put(views.right, kWidth);
  }
  Rig rig("disparities=64 packing=side-by-side calibration=" + file, " left rectified");
  rig.set_all_caps(caps("NV12", 2 * kWidth, kHeight));
  rig.push("left", buffer(packed, 0, "NV12"));
  rig.check_runs();
  GstBuffer* frame = rig.received().buffers.at(0);
  const Truth truth(info_of(frame), false);
  check_samples(frame, truth, false, "packed");
  check_view(rig.received("rectified").buffers.at(0), truth, "packed");
}

// Points of segments lie on the plane, whether they come from disparities or depths; rdpmetaconvert
// writes the same.
CHECK_TEST(test_points) {
  Folder folder;
  const std::string file = folder.write("pair.yml", opencv_rectified());
  for (const char* output : {"output=disparity ! rdpsegment epsilon=64",
                             "output=depth-mm ! rdpsegment inverse-scale=16384 epsilon=0.05"}) {
    rdp::test::PipelineRig rig(
        "appsrc name=left format=time ! d.left appsrc name=right format=time ! d.right "
        "depthstereo name=d disparities=64 calibration=" +
        file + " " + output +
        " ! tee name=t ! queue ! fakesink name=out async=false sync=false "
        "t. ! queue ! rdpmetaconvert points=true ! fakesink name=text async=false sync=false");
    rdp::test::Received received(rig.get("out"));
    rdp::test::Received text(rig.get("text"));
    for (const char* pad : {"left", "right"}) {
      rig.set_caps(pad, caps("GRAY8", kWidth, kHeight));
      rig.push(pad, buffer(*pad == 'l' ? raw_views().left : raw_views().right));
    }
    rig.end({"left", "right"});
    rig.play();
    const std::string error = rig.wait();
    fail_unless(error.empty(), "%s", error.c_str());
    GstBuffer* frame = received.buffers.at(0);
    const Truth truth(info_of(frame), false);
    GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(frame);
    fail_unless(meta != nullptr);
    GError* wrong = nullptr;
    GstRdpCamera* camera = gst_rdp_buffer_get_camera(frame, &wrong);
    GBytes* bytes = gst_rdp_segmentation_get_points(meta->segmentation, camera, &wrong);
    fail_unless(bytes != nullptr, "%s", wrong != nullptr ? wrong->message : "no points");
    gsize size = 0;
    const auto* points = static_cast<const float*>(g_bytes_get_data(bytes, &size));
    std::vector<double> off;
    for (std::size_t i = 0; i + 2 < size / sizeof(float); i += 3) {
      if (std::isnan(points[i + 2])) continue;
      const Vector point{points[i], points[i + 1], points[i + 2]};
      off.push_back(std::fabs(truth.off_plane(point)) / truth.metres_of_pixel(point[2]));
    }
    fail_unless(off.size() > 2 * kWidth, "%zu", off.size());
    std::sort(off.begin(), off.end());
    // epsilon of about a quarter pixel adds to the matching error.
    fail_unless(off[off.size() / 2] < 0.25 + kMedian && off[off.size() * 9 / 10] < 0.25 + kMost,
                "%.3f px, %.3f px", off[off.size() / 2], off[off.size() * 9 / 10]);

    GstBuffer* line = text.buffers.at(0);
    std::string json(gst_buffer_get_size(line), '\0');
    gst_buffer_extract(line, 0, json.data(), json.size());
    std::size_t at = json.find("\"points\":");
    fail_unless(at != std::string::npos, "%s", json.substr(0, 300).c_str());
    for (std::size_t i = 0; i < size / sizeof(float); ++i) {
      at = json.find_first_of("-0123456789n", at + (i == 0 ? 9 : 0));
      fail_unless(at != std::string::npos);
      gchar* end = &json[at];
      const double number = g_ascii_strtod(&json[at], &end);
      if (std::isnan(points[i])) {
        fail_unless(json.compare(at, 4, "null") == 0);
        at += 4;
        continue;
      }
      fail_unless(std::fabs(number - static_cast<double>(points[i])) < 1e-5, "%g, not %g", number,
                  static_cast<double>(points[i]));
      at += static_cast<std::size_t>(end - &json[at]);
    }
    g_bytes_unref(bytes);
    gst_rdp_camera_unref(camera);
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  }
}

// Rectified views pass unchanged with rectify=off, and with a file of rectified cameras alone.
CHECK_TEST(test_rectified_already) {
  Folder folder;
  const std::string file = folder.write("pair.yml", opencv_rectified());
  const std::string alone = folder.write(
      "alone.yml", "%YAML:1.0\n---\n" + opencv_matrix("P1", 3, 4, list(projection(false))) +
                       opencv_matrix("P2", 3, 4, list(projection(true))));
  for (const std::string& set : {file + " rectify=off", alone}) {
    Rig rig("disparities=64 calibration=" + set, " left right rectified");
    rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
    rig.push_pair(raw_views());
    rig.check_runs();
    stereo_rig::check_same(
        samples<std::uint8_t>(rig.received("rectified").buffers.at(0), kWidth, kHeight),
        raw_views().left.samples, kWidth, set);
    const GstRdpCameraInfo& info = info_of(rig.received().buffers.at(0));
    fail_unless(std::fabs(info.disparity_offset - (kPrincipals[1] - kPrincipals[0])) < 1e-9);
    fail_unless(info.focal_length == kFocal);
  }
}

CHECK_CASE(depthstereo_rectified)
