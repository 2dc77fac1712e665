/* SPDX-License-Identifier: LGPL-2.1-or-later */
// KITTI's calibrations: P0 to P3 (stereo, odometry, objects), P_rect_00 to P_rect_03 (raw data), or
// lines of twelve numbers alone.
#include "gst/rdpsegment/files/readers.h"

namespace rdp::calibration {

namespace {

// World from camera: P = K [I | t], and the world is the first camera.
Motion pose_of_projection(const Rectified& projection, double unit) {
  const std::vector<double>& p = projection.p;
  const double z = p[11];
  Motion from_world;
  from_world.shift = {(p[3] - p[2] * z) / p[0] * unit, (p[7] - p[6] * z) / p[5] * unit, z * unit};
  return inverse(from_world);
}

std::optional<Field> projection_of(const Field& root, int camera) {
  const std::string digit = std::to_string(camera);
  const std::string line = "line " + std::to_string(camera + 1);
  for (const std::string& name : {"P" + digit, "P_rect_0" + digit, line}) {
    if (auto found = root.find(name)) return found;
  }
  return std::nullopt;
}

}  // namespace

Views read_kitti(const Document& document, const Options& options) {
  const Field root(document);
  Views views;
  for (const int left : {0, 2}) {
    const auto a = projection_of(root, left);
    const auto b = projection_of(root, left + 1);
    if (!a || !b) {
      // Half a pair, and no other: its absence is the error.
      if (left == 2 && views.empty()) {
        std::string name = "P1";
        int line = root.line();
        for (int camera = 0; camera < 4; ++camera) {
          if (const auto there = projection_of(root, camera)) {
            const std::string& path = there->path();
            name = path.substr(0, path.size() - 1) +
                   std::to_string((camera ^ 1) + (path[0] == 'l' ? 1 : 0));
            line = there->line();
            break;
          }
        }
        fail(document.file, line, name, "nothing",
             "12 numbers: a pair is P0 and P1, P2 and P3, or two lines of twelve numbers");
      }
      continue;
    }
    const Rectified projections[2] = {rectified_of(*a), rectified_of(*b)};
    View pair[2] = {rectified_view(projections[0]), rectified_view(projections[1])};
    set_rectified_pair(projections[0], projections[1], options, &pair[0], &pair[1]);
    for (int i = 0; i < 2; ++i) {
      set_pose(pose_of_projection(projections[i], options.unit), &pair[i]);
      if (const auto size = root.find("S_rect_0" + std::to_string(left + i))) {
        const std::string expected = "2 numbers: width and height of the picture";
        if (size->size() != 2) size->fail(expected);
        pair[i].info.width = size->at(0).whole(1, 16384, "a width in pixels");
        pair[i].info.height = size->at(1).whole(1, 16384, "a height in pixels");
      }
      views.push_back(pair[i]);
    }
  }
  return views;
}

}  // namespace rdp::calibration
