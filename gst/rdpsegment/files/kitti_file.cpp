/* SPDX-License-Identifier: LGPL-2.1-or-later */
// KITTI's calibrations: P0 to P3 (stereo, odometry, objects), P_rect_00 to P_rect_03 (raw data), or
// lines of twelve numbers alone. DrivingStereo's are of its cameras 101 and 103.
#include "gst/rdpsegment/files/readers.h"

namespace rdp::calibration {

namespace {

// The pose, world from camera: P = K [I | t], where the world is the first camera.
Motion pose_of_projection(const Rectified& projection, double unit) {
  const std::vector<double>& p = projection.p;
  const double z = p[11];
  Motion from_world;
  from_world.shift = {(p[3] - p[2] * z) / p[0] * unit, (p[7] - p[6] * z) / p[5] * unit, z * unit};
  return inverse(from_world);
}

// Camera numbers of stereo pairs: KITTI's grey and colour ones, and DrivingStereo's.
constexpr int kPairs[][2] = {{0, 1}, {2, 3}, {101, 103}};

// The names that a camera's projection has in these files.
std::vector<std::string> names_of(int camera) {
  const std::string digits = std::to_string(camera);
  if (camera > 3) return {"P_rect_" + digits};
  return {"P" + digits, "P_rect_0" + digits, "line " + std::to_string(camera + 1)};
}

std::optional<Field> projection_of(const Field& root, int camera) {
  for (const std::string& name : names_of(camera)) {
    if (auto found = root.find(name)) return found;
  }
  return std::nullopt;
}

std::string size_name(int camera) {
  return (camera > 3 ? "S_rect_" : "S_rect_0") + std::to_string(camera);
}

// Throws an Error that names the missing half of the first incomplete pair.
[[noreturn]] void fail_without_pair(const Field& root) {
  const std::string expected =
      "12 numbers: a pair is P0 and P1, P2 and P3, P_rect_101 and P_rect_103, or two lines of "
      "twelve numbers";
  for (const auto& pair : kPairs) {
    for (const int i : {0, 1}) {
      const std::vector<std::string> names = names_of(pair[i]);
      for (std::size_t k = 0; k < names.size(); ++k) {
        if (const auto there = root.find(names[k])) {
          fail(root.file(), there->line(), names_of(pair[1 - i])[k], "nothing", expected);
        }
      }
    }
  }
  fail(root.file(), root.line(), "P1", "nothing", expected + ". What is read is " + kKnown);
}

}  // namespace

Views read_kitti(const Document& document, const Options& options) {
  const Field root(document);
  Views views;
  for (const auto& cameras : kPairs) {
    const auto a = projection_of(root, cameras[0]);
    const auto b = projection_of(root, cameras[1]);
    if (!a || !b) continue;
    const Rectified projections[2] = {rectified_of(*a), rectified_of(*b)};
    View pair[2] = {rectified_view(projections[0]), rectified_view(projections[1])};
    set_rectified_pair(projections[0], projections[1], options, &pair[0], &pair[1]);
    for (int i = 0; i < 2; ++i) {
      set_pose(pose_of_projection(projections[i], options.unit), &pair[i]);
      if (const auto size = root.find(size_name(cameras[i]))) {
        const std::string expected = "2 numbers: width and height of the picture";
        if (size->size() != 2) size->fail(expected);
        pair[i].info.width = size->at(0).whole(1, 16384, "a width in pixels");
        pair[i].info.height = size->at(1).whole(1, 16384, "a height in pixels");
      }
      views.push_back(pair[i]);
    }
  }
  if (views.empty()) fail_without_pair(root);
  return views;
}

}  // namespace rdp::calibration
