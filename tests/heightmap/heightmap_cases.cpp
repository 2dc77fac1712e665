// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/heightmap/heightmap_cases.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <sstream>

#include "common/heightmap/geometry.h"
#include "tests/support/valid_draw.h"

namespace rdp::test {
namespace {

using heightmap::Parameters;
using heightmap::Rig;
using heightmap::View;

int between(std::mt19937* random, int low, int high) {
  return low + static_cast<int>((*random)() % static_cast<unsigned>(high - low + 1));
}
double between(std::mt19937* random, double low, double high) {
  return low + (high - low) * static_cast<double>((*random)()) / 4294967296.0;
}
bool one_in(std::mt19937* random, int n) { return between(random, 1, n) == 1; }

Parameters random_parameters(std::mt19937* random) {
  Parameters p;
  p.min_height = one_in(random, 4) ? between(random, 0, 150) : between(random, 0, 2500);
  p.height_step = between(random, 1, 150);
  const int heights =
      one_in(random, 5) ? between(random, 1, 2) : between(random, 1, heightmap::kMaxHeights);
  // Any maximum that adds no further label.
  p.max_height = p.min_height + heights * p.height_step - between(random, 1, p.height_step);
  p.unknown_cost = one_in(random, 4) ? between(random, 0, 127) : between(random, 45, 75);
  p.low_bias = one_in(random, 4) ? between(random, -64, 63) : between(random, -5, 5);
  p.low_step = one_in(random, 4) ? 0 : between(random, 50, 400);
  p.smoothness = between(random, 1, 15);
  p.max_jump = between(random, 1, 31);
  p.unknown_jump = between(random, 1, 31);
  p.edge_contrast = one_in(random, 2) ? 0 : between(random, 1, one_in(random, 3) ? 255 : 30);
  p.edge_jump = between(random, 1, 31);
  p.slope = !one_in(random, 6);
  p.max_slope = between(random, 1, 2);
  p.window = 1 + 2 * between(random, 0, 5);
  p.speckle = one_in(random, 2) ? between(random, -1, 0) : between(random, 1, 12);
  p.iterations = one_in(random, 6) ? 0 : between(random, 1, 45);
  p.tolerance = one_in(random, 2) ? 0 : between(random, 1, 30000);
  return p;
}

// A view's place and target, around a middle that all views of a rig share.
View random_view(std::mt19937* random, double up, double away, int width, int height) {
  const double angle = between(random, -0.4, 0.4);
  const double at[3] = {away * std::sin(angle), -away * std::cos(angle), up};
  const double towards[3] = {between(random, -0.3, 0.3), between(random, -0.3, 0.3), 1.0};
  const double distance = std::sqrt(away * away + up * up);
  const double metres = between(random, 1.0, 8.0);  // of ground along the longer side
  View view = view_of(at, towards, distance / metres * std::max(width, height), width, height);
  const double scale = one_in(random, 3) ? between(random, -3.0, 3.0) : 1.0;
  if (std::abs(scale) < 0.01) return view;
  for (auto& row : view.projection) {
    for (double& value : row) value *= scale;
  }
  return view;
}

Rig random_rig(std::mt19937* random, int width, int height) {
  const int views = between(random, 2, 6);
  const int reference = between(random, 0, views - 1);
  const double up = between(random, 1.2, 12.0);
  const double away = between(random, 0.5, 14.0);
  Rig rig;
  rig.reference = reference;
  for (int i = 0; i < views; ++i) {
    const bool own = i != reference && one_in(random, 2);
    rig.views.push_back(random_view(random, up, away, own ? between(random, 2, 40) : width,
                                    own ? between(random, 2, 40) : height));
  }
  return rig;
}

// A ground pattern of 5 cm squares.
int ground_pattern(int x, int y, int levels) {
  unsigned n = static_cast<unsigned>(x) * 73856093U ^ static_cast<unsigned>(y) * 19349663U;
  n = (n ^ (n >> 13)) * 1274126177U;
  return static_cast<int>((n >> 8) % static_cast<unsigned>(levels)) * 255 / std::max(1, levels - 1);
}

// Makes a part of the picture textureless.
void make_plain(std::mt19937* random, int width, int height, std::vector<std::uint8_t>* pixels) {
  const int left = between(random, -width, width - 1);
  const int top = between(random, -height, height - 1);
  const int right = std::min(width, left + between(random, 1, 2 * width));
  const int bottom = std::min(height, top + between(random, 1, 2 * height));
  const auto grey = static_cast<std::uint8_t>(between(random, 0, 255));
  for (int row = std::max(top, 0); row < bottom; ++row) {
    for (int column = std::max(left, 0); column < right; ++column) {
      (*pixels)[static_cast<std::size_t>(row * width + column)] = grey;
    }
  }
}

std::vector<std::uint8_t> random_picture(std::mt19937* random, const View& view, int kind,
                                         int levels, double height) {
  heightmap::Geometry geometry;
  heightmap::orient(view, geometry.projection);
  const heightmap::Plane plane = geometry.plane(height);
  std::vector<std::uint8_t> pixels;
  for (int row = 0; row < view.height; ++row) {
    for (int column = 0; column < view.width; ++column) {
      int value = between(random, 0, levels - 1) * 255 / std::max(1, levels - 1);
      int x = 0;
      int y = 0;
      if (kind == 0 && heightmap::ground_of(plane, column, row, &x, &y)) {
        value = ground_pattern(x / 50, y / 50, levels);
      }
      pixels.push_back(static_cast<std::uint8_t>(value));
    }
  }
  if (one_in(random, 3)) make_plain(random, view.width, view.height, &pixels);
  return pixels;
}

}  // namespace

View view_of(const double (&at)[3], const double (&towards)[3], double focal, int width, int height,
             bool across_y) {
  // Rows of the rotation: x to the right, y down, z forward.
  double z[3];
  double length = 0.0;
  for (int i = 0; i < 3; ++i) {
    z[i] = towards[i] - at[i];
    length += z[i] * z[i];
  }
  for (double& each : z) each /= std::sqrt(length);
  const double level = std::sqrt(z[0] * z[0] + z[1] * z[1]);
  const double across = std::sqrt(z[0] * z[0] + z[2] * z[2]);
  const double x[3] = {across_y ? -z[2] / across : z[1] / level, across_y ? 0.0 : -z[0] / level,
                       across_y ? z[0] / across : 0.0};
  const double y[3] = {z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2],
                       z[0] * x[1] - z[1] * x[0]};
  View view;
  view.width = width;
  view.height = height;
  for (int i = 0; i < 3; ++i) {
    view.projection[0][i] = focal * x[i] + (width - 1) / 2.0 * z[i];
    view.projection[1][i] = focal * y[i] + (height - 1) / 2.0 * z[i];
    view.projection[2][i] = z[i];
  }
  for (auto& row : view.projection) {
    row[3] = -(row[0] * at[0] + row[1] * at[1] + row[2] * at[2]);
  }
  return view;
}

Rig crowd_rig(int views, int width, int height, double focal) {
  Rig rig;
  for (int i = 0; i < views; ++i) {
    const double angle = 0.3 * ((i + 1) / 2) * (i % 2 == 0 ? -1 : 1);
    const double at[3] = {11.0 * std::sin(angle), -11.0 * std::cos(angle), 8.0};
    rig.views.push_back(view_of(at, {0.0, 0.0, 1.0}, focal, width, height));
  }
  return rig;
}

std::vector<DepthView> HeightsCase::pictures() const {
  std::vector<DepthView> result;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const View& view = rig.views[i];
    result.push_back({reinterpret_cast<const std::byte*>(pixels[i].data()), view.width, view.width,
                      view.height, SampleType::kU8});
  }
  return result;
}

std::string HeightsCase::text() const {
  const Parameters& p = parameters;
  std::ostringstream s;
  s << rig.seen().width << "x" << rig.seen().height << ", " << rig.views.size()
    << " views, reference " << rig.reference << ", heights " << p.min_height << " to "
    << p.max_height << " by " << p.height_step << ", unknown " << p.unknown_cost << ", low "
    << p.low_step << " bias " << p.low_bias << ", smoothness " << p.smoothness << ", jumps "
    << p.max_jump << " and " << p.unknown_jump << ", edges " << p.edge_contrast << " jump "
    << p.edge_jump << ", slope " << p.slope << " most " << p.max_slope << ", window " << p.window
    << ", speckle " << p.speckle << ", iterations " << p.iterations << ", tolerance "
    << p.tolerance;
  return s.str();
}

heightmap::Rig known_rig(int width, int height) {
  // 8 m up; the picture spans 2 m of the ground.
  const View view =
      view_of({0.0, -5.0, 8.0}, {0.0, 0.0, 1.0}, 4.0 * std::max(width, height), width, height);
  Rig rig;
  rig.views = {view, view};
  return rig;
}

HeightsCase random_case(std::mt19937* random, int width, int height) {
  HeightsCase result = draw_valid(
      [&] {
        HeightsCase drawn;
        drawn.parameters = random_parameters(random);
        drawn.rig = random_rig(random, width, height);
        return drawn;
      },
      [](const HeightsCase& drawn) { return is_valid(drawn.rig, drawn.parameters); },
      [&] { return known_case(width, height); });
  result.pixels.clear();
  const int kind = between(random, 0, 2);
  const int levels = one_in(random, 3) ? between(random, 1, 3) : 256;
  const Parameters& p = result.parameters;
  const double shown = heightmap::metres(between(random, p.min_height, p.max_height));
  for (const View& view : result.rig.views) {
    result.pixels.push_back(random_picture(random, view, kind, levels, shown));
  }
  return result;
}

HeightsCase known_case(int width, int height) {
  HeightsCase result;
  result.rig = known_rig(width, height);
  Parameters& p = result.parameters;
  p.min_height = 100;
  p.max_height = 200;
  p.height_step = 10;
  p.window = 1;
  p.iterations = 1;
  std::mt19937 random(1);
  for (const View& view : result.rig.views) {
    result.pixels.push_back(random_picture(&random, view, 0, 256, 0.1));
  }
  return result;
}

bool is_valid(const Rig& rig, const Parameters& parameters) {
  return check_rig(rig, parameters).fault == heightmap::RigFault::kNone;
}

}  // namespace rdp::test
