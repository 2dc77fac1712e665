// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/pictures/overlay_look.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "common/image/float_environment.h"
#include "common/image/free_place.h"
#include "common/image/index_colour.h"

namespace rdp::planes {
namespace {

struct Facing {
  std::string_view name;
  double normal[3];  // away from the camera
};
// Directions that the legend names.
constexpr Facing kFacings[] = {
    {"up", {0, 1, 0}}, {"down", {0, -1, 0}}, {"left", {1, 0, 0}}, {"right", {-1, 0, 0}}};

Pixel pixel_of(const Rgb& c) { return pixel(c.r, c.g, c.b); }

// The distance at which the palette ends.
double residual_range(const PlaneSet& planes, const OverlayOptions& options) {
  constexpr double kLeast = 0.001;
  constexpr double kMost = 1e6;
  if (options.residual_range > 0.0) return std::clamp(options.residual_range, 1e-6, kMost);
  double squares = 0.0;
  double inliers = 0.0;
  for (const Plane& plane : planes.planes) {
    const auto n = static_cast<double>(plane.inliers);
    squares = squares + n * (plane.rms * plane.rms);
    inliers = inliers + n;
  }
  const double rms = inliers > 0.0 ? std::sqrt(squares / inliers) : 0.0;
  return std::clamp(3.0 * rms, kLeast, kMost);
}

PaintedPlane painted(const Plane& plane, int index, const MetricCamera& camera,
                     OverlayStyle style) {
  const double* n = plane.normal;
  PaintedPlane result{};
  result.colour =
      style == OverlayStyle::kNormals ? direction_colour(n) : pixel_of(index_colour(index));
  result.per_column = n[0] / camera.focal_x;
  result.per_row = n[1] / camera.focal_y;
  result.offset =
      n[2] - result.per_column * camera.principal_x - result.per_row * camera.principal_y;
  result.distance = plane.distance;
  return result;
}

// The pixel at the mean of a plane's points, clamped to its box.
int middle(double along, int first, int size) {
  const double within = std::clamp(along, static_cast<double>(first),
                                   static_cast<double>(first + std::max(size, 1) - 1));
  return static_cast<int>(within + 0.5);
}

// Centres the number's panel on the plane's middle pixel, or as near as the legend and previous
// numbers leave room. Without a free place the plane gets no number.
void add_number(const Plane& plane, int index, bool ground, const MetricCamera& camera, int width,
                int height, OverlayLook* look) {
  PaintedText number{{}, text_zoom(width, height), kNumberPad, 0, {}};
  int length = write_number(index, {1, 0}, number.text);
  constexpr std::string_view kGround = " ground";
  if (ground) length += static_cast<int>(kGround.copy(number.text + length, kGround.size()));
  number.length = static_cast<std::int16_t>(length);
  const Box at_origin = box_at(0, 0, number);
  const int panel_width = at_origin.right;
  const int panel_height = at_origin.bottom;
  if (panel_width > width || panel_height > height) return;
  const double* c = plane.centroid;
  const bool ahead = c[2] > 0.0;
  const double x =
      ahead ? camera.focal_x * c[0] / c[2] + camera.principal_x : plane.box[0] + 0.5 * plane.box[2];
  const double y =
      ahead ? camera.focal_y * c[1] / c[2] + camera.principal_y : plane.box[1] + 0.5 * plane.box[3];
  const int left =
      std::clamp(middle(x, plane.box[0], plane.box[2]) - panel_width / 2, 0, width - panel_width);
  const int top = std::clamp(middle(y, plane.box[1], plane.box[3]) - panel_height / 2, 0,
                             height - panel_height);
  number.box = box_at(left, top, number);
  Box& panel = number.box;
  if (!move_to_free_place(width, height, look->taken, &panel)) return;
  look->numbers.push_back(number);
  const int gap = kNumberGap * number.zoom;
  look->taken.push_back({panel.left - gap, panel.top - gap, panel.right + gap, panel.bottom + gap});
}

void make_legend(int width, int height, const MetricCamera& camera, const OverlayOptions& options,
                 double residual, OverlayLook* look) {
  look->legend = {};
  look->legend_of_samples = options.style != OverlayStyle::kResidual;
  if (!options.legend) return;
  Legend& legend = look->legend;
  if (options.style == OverlayStyle::kNormals) {
    for (const Facing& facing : kFacings) {
      add_legend_name(facing.name, direction_colour(facing.normal), &legend);
    }
  } else {
    legend.stripes = 1;
  }
  const bool is_grey =
      options.style != OverlayStyle::kDepth && options.style != OverlayStyle::kResidual;
  if (is_grey) legend.palettes = BarPalettes::kGreys;
  if (options.style == OverlayStyle::kNodes) add_legend_name("planar", kNodePixel, &legend);
  if (options.style == OverlayStyle::kResidual) {
    legend.scale = {false, 0.0, 1000.0, 0.0};
    set_legend_unit("mm", &legend);
    look->legend_range = {0.0F, static_cast<float>(255.0 / residual)};
  } else if (legend.stripes > 0) {
    legend.scale = camera.depth;
    set_legend_unit("m", &legend);
  }
  fit_legend(width, height, &legend);
}

void look_nearest(int width, int height, const OverlayScene& scene, const OverlayOptions& options,
                  OverlayLook* look) {
  const PlaneSet& set = *scene.planes;
  const MetricCamera& camera = *scene.camera;
  const KnownRange known = input_known_range(samples_of(scene));
  const double residual = residual_range(set, options);
  look->range_of_frame = options.palette_min == 0.0 && options.palette_max == 0.0;
  look->backwards = !camera.depth.reciprocal;
  rdp::OverlayOptions chosen;
  chosen.palette_min = options.palette_min;
  chosen.palette_max = options.palette_max;
  look->rules = {options.style,
                 known.first,
                 known.last,
                 static_cast<std::int32_t>(set.planes.size()),
                 width,
                 height,
                 chosen_palette_range(chosen),
                 static_cast<float>(255.0 / residual),
                 camera.depth};
  look->planes.clear();
  look->numbers.clear();
  make_legend(width, height, camera, options, residual, look);
  look->taken.assign(1, legend_box(look->legend));
  for (std::size_t i = 0; i < set.planes.size(); ++i) {
    const Plane& plane = set.planes[i];
    const auto index = static_cast<int>(i);
    look->planes.push_back(painted(plane, index, camera, options.style));
    if (shows_planes(options.style)) {
      add_number(plane, index, set.ground.plane == index, camera, width, height, look);
    }
  }
}

}  // namespace

rdp::Parameters samples_of(const OverlayScene& scene) {
  rdp::Parameters parameters;
  parameters.min_value = static_cast<std::uint32_t>(scene.parameters->min_value);
  parameters.max_value = static_cast<std::uint32_t>(scene.parameters->max_value);
  return parameters;
}

// Mixes colours by the squares of the normal's components, whose sum is 1. Up is light and down
// dark, left blue and right orange, which colour-blind viewers can tell apart. Planes that face the
// camera are grey.
Pixel direction_colour(const double normal[3]) {
  struct Mixed {
    double r, g, b;
  };
  constexpr Mixed kLeft = {24, 92, 230};
  constexpr Mixed kRight = {236, 140, 20};
  constexpr Mixed kUp = {250, 250, 236};
  constexpr Mixed kDown = {78, 22, 62};
  constexpr Mixed kAhead = {122, 132, 124};
  const Mixed& x = normal[0] > 0.0 ? kLeft : kRight;
  const Mixed& y = normal[1] > 0.0 ? kUp : kDown;
  const double xx = normal[0] * normal[0];
  const double yy = normal[1] * normal[1];
  const double zz = normal[2] * normal[2];
  const auto mix = [&](double of_x, double of_y, double of_z) {
    const double sum = of_x * xx + of_y * yy + of_z * zz;
    return static_cast<int>(std::clamp(sum, 0.0, 255.0) + 0.5);
  };
  return pixel(mix(x.r, y.r, kAhead.r), mix(x.g, y.g, kAhead.g), mix(x.b, y.b, kAhead.b));
}

void build_picture(int width, int height, const OverlayScene& scene, const OverlayOptions& options,
                   OverlayLook* look) {
  with_standard_floats([&] { look_nearest(width, height, scene, options, look); });
}

}  // namespace rdp::planes
