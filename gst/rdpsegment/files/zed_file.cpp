/* SPDX-License-Identifier: LGPL-2.1-or-later */
// The ZED's SNnnnn.conf: both lenses for each resolution, and the motion between them. Lengths are
// millimetres.
#include <algorithm>

#include "gst/rdpsegment/files/readers.h"

namespace rdp::calibration {

namespace {

struct Resolution {
  const char* name;
  unsigned width;
  unsigned height;
};
constexpr Resolution kResolutions[] = {{"2K", 2208, 1242},      {"FHD", 1920, 1080},
                                       {"FHD1200", 1920, 1200}, {"HD", 1280, 720},
                                       {"SVGA", 960, 600},      {"VGA", 672, 376}};

View read_lens(const Field& group, const Resolution& resolution) {
  View view(group);
  const auto number = [&](const char* name, const std::string& expected = "a number") {
    return group.at(name, expected).number(expected);
  };
  const double fx = number("fx", "a focal length in pixels");
  set_focal(group.at("fx", ""), fx, number("fy", "a focal length in pixels"), &view);
  view.info.principal_x = number("cx");
  view.info.principal_y = number("cy");
  // k1 and k2 are mandatory; later versions added the others.
  constexpr const char* kNames[] = {"k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6"};
  std::vector<double> coefficients(8);
  for (std::size_t i = 0; i < 8; ++i) {
    if (i < 2 || group.find(kNames[i])) coefficients[i] = number(kNames[i]);
  }
  set_distortion(group, coefficients, &view);
  view.info.width = resolution.width;
  view.info.height = resolution.height;
  return view;
}

void add_pair(const Field& root, const Resolution& resolution, Views* views) {
  const std::string name = resolution.name;
  View left = read_lens(root.at("LEFT_CAM_" + name, "the left camera, as the right one is there"),
                        resolution);
  View right = read_lens(root.at("RIGHT_CAM_" + name, "the right camera, as the left one is there"),
                         resolution);
  const Field stereo = root.at("STEREO", "the group of how the cameras stand to each other");
  const Field baseline = stereo.find("BaseLine") ? *stereo.find("BaseLine")
                                                 : stereo.at("Baseline", "a length in millimetres");
  // The value for this resolution, else the one for all.
  const auto millimetres = [&](const std::string& key) {
    const auto field = stereo.find({key + "_" + name, key});
    return field ? field->number("a length in millimetres") * 0.001 : 0.0;
  };
  Motion right_from_left;
  right_from_left.shift = {0.0 - baseline.number("a length in millimetres") * 0.001,
                           0.0 - millimetres("TY"), 0.0 - millimetres("TZ")};
  if (right_from_left.shift[0] > 0.0) baseline.fail("a length in millimetres, above 0");
  Vector3 axis{};
  constexpr const char* kAngles[] = {"RX_", "CV_", "RZ_"};
  for (std::size_t i = 0; i < 3; ++i) {
    axis[i] = stereo.at(kAngles[i] + name, "an angle in radians").number("an angle in radians");
  }
  right_from_left.rotation = rotation_about(axis);
  set_pose(Motion{}, &left);
  set_raw_pair(baseline, right_from_left, Unit::kStated, &left, &right);
  views->push_back(left);
  views->push_back(right);
}

}  // namespace

Views read_zed(const Document& document, const Options& options) {
  const Field root(document);
  Views views;
  std::string sizes;
  for (const Resolution& resolution : kResolutions) {
    const std::string name = resolution.name;
    if (!root.find("LEFT_CAM_" + name) && !root.find("RIGHT_CAM_" + name)) continue;
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(resolution.width) + "x" +
             std::to_string(resolution.height);
    const bool wanted = options.width == 0 || options.height == 0 ||
                        (options.width == resolution.width && options.height == resolution.height);
    if (wanted) add_pair(root, resolution, &views);
  }
  if (sizes.empty())
    root.at("LEFT_CAM_HD",
            std::string("a camera's group of a ZED: [LEFT_CAM_HD] or of another resolution; or ") +
                kKnown);
  if (views.empty()) {
    root.fail("calibrations of frames of " + sizes,
              "one of " + std::to_string(options.width) + "x" + std::to_string(options.height) +
                  ", the size of the frames: scale them downstream of the element, not before it");
  }
  return views;
}

}  // namespace rdp::calibration
