/* SPDX-License-Identifier: LGPL-2.1-or-later */
// OpenCV's FileStorage: files of OpenCV's calibration samples, and the names that later programs
// use.
#include <array>
#include <optional>

#include "gst/rdpsegment/files/readers.h"

namespace rdp::calibration {

namespace {

// The names of a field in several programs, OpenCV's own first; unused ones are empty.
struct Names {
  std::string_view names[9];
};

constexpr Names kCamera{{"camera_matrix", "Camera_Matrix", "cameraMatrix", "K"}};
constexpr Names kDistortion{
    {"distortion_coefficients", "Distortion_Coefficients", "distCoeffs", "dist_coeffs", "D"}};
constexpr Names kCameras[2] = {{{"M1", "K1", "cameraMatrix1"}}, {{"M2", "K2", "cameraMatrix2"}}};
constexpr Names kDistortions[2] = {{{"D1", "distCoeffs1"}}, {{"D2", "distCoeffs2"}}};
constexpr Names kOfPairs{
    {"M1", "K1", "cameraMatrix1", "M2", "K2", "cameraMatrix2", "P1", "P2", "Q"}};

std::optional<Field> find_any(const Field& root, const Names& names) {
  for (const std::string_view name : names.names) {
    if (name.empty()) break;
    if (auto found = root.find(name)) return found;
  }
  return std::nullopt;
}

std::vector<double> distortion_of(const Field& field) {
  // An empty matrix means no distortion.
  if (const auto data = field.find("data"); data && data->is_list() && data->size() == 0) return {};
  return field.vector({0, 4, 5, 8, 12, 14});
}

// The fields of several files together.
class Fields {
 public:
  explicit Fields(const Documents& documents) : documents_(documents) {}

  std::optional<Field> find(const Names& names) const {
    std::optional<Field> first;
    for (const Document* document : documents_) {
      const std::optional<Field> found = find_any(Field(*document), names);
      if (!found) continue;
      if (first) {
        found->fail("it a second time (first in " + first->file() + ":" +
                        std::to_string(first->line()) + " as " + first->path() + ")",
                    "one calibration in all files together");
      }
      first = found;
    }
    return first;
  }

  Field at(const Names& names, const std::string& expected) const {
    if (const auto found = find(names)) return *found;
    std::string more = expected;
    if (documents_.size() == 1) {
      more += "; where it is in a second file, name both with a comma between them";
    }
    return Field(*documents_.back()).at(names.names[0], more);
  }

 private:
  const Documents& documents_;
};

void set_size(const Fields& fields, View* view) {
  if (const auto size = fields.find({{"image_size", "imageSize", "image_Size", "size"}})) {
    const std::string expected = "2 numbers: width and height of the picture";
    if (!size->is_list() || size->size() != 2) size->fail(expected);
    view->info.width = size->at(0).whole(1, 16384, "a width in pixels");
    view->info.height = size->at(1).whole(1, 16384, "a height in pixels");
    return;
  }
  const auto width = fields.find({{"image_width", "image_Width", "imageWidth"}});
  const auto height = fields.find({{"image_height", "image_Height", "imageHeight"}});
  if (!width && !height) return;
  view->info.width =
      fields.at({{"image_width"}}, "the picture's width in pixels, as image_height is there")
          .whole(1, 16384, "a width in pixels");
  view->info.height =
      fields.at({{"image_height"}}, "the picture's height in pixels, as image_width is there")
          .whole(1, 16384, "a height in pixels");
}

View raw_view(const Fields& fields, const Names& camera, const Names& distortion) {
  const Field matrix = fields.at(camera, "the camera's matrix, 3 rows of 3 numbers");
  View view(matrix);
  set_camera_matrix(matrix, matrix.matrix(3, 3), &view);
  const Field coefficients =
      fields.at(distortion, "the distortion's coefficients beside " + matrix.path() +
                                ", all 0 where there is none");
  set_distortion(coefficients, distortion_of(coefficients), &view);
  set_size(fields, &view);
  return view;
}

void refuse_fisheye(const Fields& fields) {
  if (const auto fisheye = fields.find({{"fisheye_model", "Calibrate_UseFisheyeModel"}})) {
    if (fisheye->node().text != "0" && fisheye->node().text != "false") {
      fisheye->fail(
          "0: lenses of the fisheye model are not known. Undistort the pictures and give "
          "the calibration of those");
    }
  }
}

// A view of a pair that has only Q. This disparity-to-depth matrix is
// [1 0 0 -cx; 0 1 0 -cy; 0 0 0 f; 0 0 1/B o/B].
View view_of_q(const Fields& fields, const Field& field, const Options& options) {
  const std::vector<double> q = field.matrix(4, 4);
  const double scale = q[0];
  const double zeros[] = {q[1], q[2], q[4], q[6], q[8], q[9], q[10], q[12], q[13], q[5] - scale};
  for (const double zero : zeros) {
    if (zero != 0.0 || scale != 1.0) {
      field.fail("another matrix",
                 "[1 0 0 -cx; 0 1 0 -cy; 0 0 0 f; 0 0 1/B offset/B], as "
                 "stereoRectify gives it");
    }
  }
  View view(field);
  set_focal(field, q[11], q[11], &view);
  view.info.principal_x = 0.0 - q[3];
  view.info.principal_y = 0.0 - q[7];
  view.info.rectified = TRUE;
  if (!(q[14] > 0.0)) {
    field.fail("1 / baseline = " + to_text(q[14]),
               "a number above 0 in row 4, column 3: the left view before the right");
  }
  view.info.baseline = options.unit / q[14];
  check_baseline(field, view.info.baseline, Unit::kOptions);
  view.info.disparity_offset = q[15] / q[14];
  set_size(fields, &view);
  return view;
}

void add_pair(const Fields& fields, const Options& options, Views* views) {
  const auto raw_left = fields.find(kCameras[0]);
  const auto raw_right = fields.find(kCameras[1]);
  const auto left_p = fields.find({{"P1"}});
  const auto right_p = fields.find({{"P2"}});
  const auto q = fields.find({{"Q"}});
  // R and T alone describe no camera, so raw_view() reports the missing camera matrices then.
  const bool raw = raw_left || raw_right || (!left_p && !right_p && !q);

  // The world is the left camera before rectification, which turns it by R1 and the right one by
  // R2.
  std::optional<Motion> right_stands;
  if (left_p || right_p) {
    const Rectified left = rectified_of(fields.at({{"P1"}}, "3 rows of 4 numbers, as P2 is there"));
    const Rectified right =
        rectified_of(fields.at({{"P2"}}, "3 rows of 4 numbers, as P1 is there"));
    View left_view = rectified_view(left);
    View right_view = rectified_view(right);
    set_rectified_pair(left, right, options, &left_view, &right_view);
    Motion turn;
    if (const auto r1 = fields.find({{"R1"}})) turn.rotation = transposed(rotation_of(*r1));
    set_pose(turn, &left_view);
    Motion to_right;
    to_right.shift = {left_view.info.baseline, 0.0, 0.0};
    set_pose(after(turn, to_right), &right_view);
    if (const auto r2 = fields.find({{"R2"}})) {
      Motion back;
      back.rotation = rotation_of(*r2);
      if (fields.find({{"R1"}})) right_stands = after(after(turn, to_right), back);
    }
    for (View* view : {&left_view, &right_view}) {
      set_size(fields, view);
      views->push_back(*view);
    }
  } else if (q && !raw) {
    views->push_back(view_of_q(fields, *q, options));
  }
  if (!raw) return;

  View left = raw_view(fields, kCameras[0], kDistortions[0]);
  View right = raw_view(fields, kCameras[1], kDistortions[1]);
  const auto rotation = fields.find({{"R"}});
  const auto shift = fields.find({{"T"}});
  if (rotation || shift) {
    const Field r =
        fields.at({{"R"}}, "the rotation from the left camera to the right, as T is there");
    const Field t =
        fields.at({{"T"}}, "the shift from the left camera to the right, as R is there");
    Motion right_from_left;
    right_from_left.rotation = rotation_of(r);
    const std::vector<double> values = t.vector({3});
    for (std::size_t i = 0; i < 3; ++i) right_from_left.shift[i] = values[i] * options.unit;
    set_pose(Motion{}, &left);
    set_raw_pair(t, right_from_left, Unit::kOptions, &left, &right);
  } else if (right_stands) {
    set_pose(Motion{}, &left);
    set_pose(*right_stands, &right);
    left.info.baseline = right.info.baseline = views->front().info.baseline;
  }
  // With neither R and T nor P1, P2, R1 and R2, the motion between the cameras is unknown. The
  // baseline stays 0, so disparity gives no metres.
  views->push_back(left);
  views->push_back(right);
}

}  // namespace

bool is_opencv(const Field& root) {
  return find_any(root, kCamera) || find_any(root, kOfPairs) || (root.find("R") && root.find("T"));
}

Views read_opencv(const Documents& documents, const Options& options) {
  Views views;
  for (const Document* document : documents) {
    const Documents alone{document};
    const Fields fields(alone);
    refuse_fisheye(fields);
    // Skips files of a pair: their R and T belong to no single camera, and their K is K1.
    if (!find_any(Field(*document), kCamera)) continue;
    View view = raw_view(fields, kCamera, kDistortion);
    set_single(&view);
    views.push_back(view);
  }
  Documents pairs;
  for (const Document* document : documents) {
    if (!find_any(Field(*document), kCamera)) pairs.push_back(document);
  }
  if (!pairs.empty()) add_pair(Fields(pairs), options, &views);
  return views;
}

}  // namespace rdp::calibration
