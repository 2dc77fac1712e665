/* SPDX-License-Identifier: LGPL-2.1-or-later */
// Cameras as JSON: one or a list in the format of gst_rdp_camera_to_json (), and projection
// matrices of several views of one world.
#include <algorithm>

#include "gst/rdpsegment/files/readers.h"
#include "gst/rdpsegment/private/nearest_name.h"

namespace rdp::calibration {

namespace {

constexpr const char* kSizeExpected = "[width, height], once or one for each view";

View read_ours(const Field& field) {
  View view(field);
  g_autoptr(GstRdpCamera) camera = read_json_camera(field);
  view.info = *gst_rdp_camera_get_info(camera);
  if (const auto distortion = field.find("distortion")) {
    const std::vector<double> k(view.info.distortion, view.info.distortion + 8);
    set_distortion(*distortion, k, &view);
  }
  return view;
}

// Metres per unit of lengths.
double unit_of(const Field& root, const Options& options) {
  const auto unit = root.find("unit");
  if (!unit) return options.unit;
  const std::string& name = unit->text("\"m\", \"cm\" or \"mm\"");
  if (name == "m") return 1.0;
  if (name == "cm") return 0.01;
  if (name == "mm") return 0.001;
  unit->fail("\"m\", \"cm\" or \"mm\"");
}

bool is_matrix(const Field& field) {
  return field.is_list() &&
         (field.size() == 12 || (field.size() == 3 && field.at(0).is_list() &&
                                 field.at(0).size() == 4 && !field.at(0).at(0).is_list()));
}

class Matrices {
 public:
  Matrices(const Field& root, const Options& options)
      : root_(root), unit_(unit_of(root, options)), size_(root.at("size", kSizeExpected)) {
    if (!size_.is_list() || size_.size() == 0) size_.fail(kSizeExpected);
  }

  Views read() {
    Views views;
    if (const auto projection = root_.find("projection")) {
      const std::string expected = "a list of matrices of 3 rows of 4 numbers";
      if (!projection->is_list() || projection->size() == 0) projection->fail(expected);
      const bool one = is_matrix(*projection);
      count_ = one ? 1 : projection->size();
      for (std::size_t i = 0; i < count_; ++i) {
        const Field field = one ? *projection : projection->at(i);
        View view(field);
        std::vector<double> matrix = field.matrix(3, 4);
        for (const std::size_t shift : {3, 7, 11}) matrix[shift] *= unit_;
        add(i, field, matrix, &view);
        views.push_back(view);
      }
      return views;
    }
    const Field cameras = root_.at("K", "a list of matrices of 3 rows of 3 numbers");
    if (!cameras.is_list()) cameras.fail("a list of matrices of 3 rows of 3 numbers");
    count_ = cameras.size();
    const Field rotations = of_each("R", "rotations of 3 rows of 3 numbers");
    const Field shifts = of_each("t", "3 numbers");
    const auto distortions = root_.find("D");
    if (distortions) of_each("D", "coefficients of distortion");
    for (std::size_t i = 0; i < count_; ++i) {
      views.push_back(read_parts(i, cameras.at(i), rotations.at(i), shifts.at(i)));
      View& view = views.back();
      if (distortions) {
        const Field field = distortions->at(i);
        set_distortion(field, field.vector({0, 4, 5, 8, 12, 14}), &view);
        set_single(&view);
      }
    }
    return views;
  }

 private:
  Field of_each(std::string_view name, const std::string& what) const {
    const std::string expected =
        "a list of " + std::to_string(count_) + ", " + what + " for each view";
    const Field field = root_.at(name, expected);
    if (!field.is_list() || field.size() != count_) field.fail(expected);
    return field;
  }

  // x ~ K (R X + t): computes the matrix K [R | t] and the pose.
  View read_parts(std::size_t i, const Field& k, const Field& r, const Field& t) {
    View view(k);
    const std::vector<double> camera = k.matrix(3, 3);
    set_camera_matrix(k, camera, &view);
    Motion from_world;
    from_world.rotation = rotation_of(r);
    const std::vector<double> shift = t.vector({3});
    for (std::size_t j = 0; j < 3; ++j) from_world.shift[j] = shift[j] * unit_;
    Matrix3 matrix;
    std::copy(camera.begin(), camera.end(), matrix.begin());
    const Matrix3 left = multiply(matrix, from_world.rotation);
    const Vector3 right = multiply(matrix, from_world.shift);
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 3; ++column) {
        view.info.projection[4 * row + column] = left[3 * row + column];
      }
      view.info.projection[4 * row + 3] = right[row];
    }
    view.info.has_projection = TRUE;
    set_pose(inverse(from_world), &view);
    set_size(i, &view);
    set_single(&view);
    return view;
  }

  void add(std::size_t i, const Field& field, const std::vector<double>& matrix, View* view) {
    set_projection(field, matrix, view);
    set_size(i, view);
    set_single(view);
  }

  void set_size(std::size_t i, View* view) const {
    Field size = size_;
    if (size_.at(0).is_list()) {
      if (size_.size() != count_) {
        size_.fail(std::to_string(count_) + " sizes, one for each view, or one for all");
      }
      size = size_.at(i);
    }
    if (!size.is_list() || size.size() != 2) size.fail(kSizeExpected);
    view->info.width = size.at(0).whole(1, 16384, "a width in pixels");
    view->info.height = size.at(1).whole(1, 16384, "a height in pixels");
  }

  Field root_;
  double unit_;
  Field size_;
  std::size_t count_ = 0;
};

bool is_camera(const Field& field) { return field.find("focal-length").has_value(); }

// A camera with a misspelt focal length: its error names the fault, not the list of formats.
bool may_be_camera(const Field& field) {
  const std::vector<std::string>& names = field.node().names;
  return field.find("size") && std::any_of(names.begin(), names.end(), [](const std::string& name) {
           return meta::may_be(name, "focal-length");
         });
}

// K as a list: OpenCV's K is a map.
bool has_matrices(const Field& field) {
  if (is_camera(field)) return false;
  const auto k = field.find("K");
  return field.find("projection") || (k && k->is_list());
}

}  // namespace

bool is_json(const Field& root) {
  return root.is_list() || is_camera(root) || has_matrices(root) || root.find("camera") ||
         may_be_camera(root);
}

Views read_json(const Document& document, const Options& options) {
  const Field root(document);
  if (root.is_list()) {
    Views views;
    if (root.size() == 0) root.fail("a list of cameras");
    for (std::size_t i = 0; i < root.size(); ++i) {
      const Field item = root.at(i).named('[' + std::to_string(i) + ']');
      if (!item.is_map()) item.fail("a camera: an object with \"focal-length\"");
      if (!is_camera(item) && !may_be_camera(item)) item.fail(kKnown);
      views.push_back(read_ours(item));
    }
    return views;
  }
  if (has_matrices(root)) return Matrices(root, options).read();
  // A JSON line with segments holds its camera under this name.
  if (const auto camera = root.find("camera")) return {read_ours(*camera)};
  return {read_ours(root)};
}

}  // namespace rdp::calibration
