// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/test_picture.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/image/float_environment.h"
#include "common/scene/hash_random.h"

// Only +, -, *, / and conversions of doubles, without contraction: see street_scene.cpp.
namespace rdp {
namespace {

// The purpose of a random number of a picture.
enum Stream : std::uint64_t { kLeftGrain = 200, kRightGrain };

constexpr double kHaze = 205.0;          // at infinite distance
constexpr double kHazeDistance = 150.0;  // distance with half of the haze, m
constexpr double kPlainGrey = 128.0;

double clamped(double x) { return std::clamp(x, 0.0, 1.0); }

// The share of a pixel at x, 1 / px wide, that lies between a and b.
double within(double x, double a, double b, double px) {
  return std::min(clamped((x - a) * px + 0.5), clamped((b - x) * px + 0.5));
}

double rounded_down(double x) {
  const auto cut = static_cast<double>(static_cast<std::int64_t>(x));
  return cut > x ? cut - 1.0 : cut;
}

double mixed(double from, double to, double share) { return from + (to - from) * share; }

// Dashes of 3 m every 8 m between the lanes, and a line along the parked cars.
double road_paint(double grey, double u, double v, double u_px, double v_px) {
  const double along = v - 8.0 * rounded_down(v * 0.125);
  const double dash = within(u, -1.76, -1.61, u_px) * within(along, 0.5, 3.5, v_px);
  const double edge = within(u, 2.12, 2.22, u_px);
  return mixed(grey, 215.0, std::max(dash, edge));
}

// Windows of 1.2 x 1.6 m in every 2.6 x 3.1 m, some lit.
double windows(const Surface& surface, double grey, double u, double v, double u_px, double v_px) {
  const double column = rounded_down(u * (1.0 / 2.6));
  const double floor = rounded_down(v * (1.0 / 3.1));
  const double share =
      within(u - 2.6 * column, 0.7, 1.9, u_px) * within(v - 3.1 * floor, 1.0, 2.6, v_px);
  if (!(share > 0.0)) return grey;
  HashSequence random(sub_key(
      sub_key(surface.key, static_cast<std::uint64_t>(static_cast<std::int64_t>(column) + 1000)),
      static_cast<std::uint64_t>(static_cast<std::int64_t>(floor))));
  return mixed(grey, random.uniform(30.0, 120.0), 0.8 * share);
}

double car_rear(const Surface& surface, double grey, double u, double v, double px) {
  const double outer = surface.extent;
  const double from_middle = u < 0.0 ? -u : u;
  grey = mixed(grey, 30.0, within(v, -1.0, 0.3, px));  // the shadow below
  grey = mixed(grey, 225.0, within(from_middle, -1.0, 0.26, px) * within(v, 0.52, 0.64, px));
  return mixed(grey, 70.0,
               within(from_middle, outer - 0.32, outer, px) * within(v, 0.68, 0.82, px));
}

double car_side(const Surface& surface, double grey, double v, double px) {
  grey = mixed(grey, 30.0, within(v, -1.0, 0.25, px));
  return mixed(grey, 50.0, within(v, surface.extent + 0.03, 100.0, px));
}

// The place of a direction on a sky that does not turn with the camera: on the sides of a cube,
// side by side.
struct SkyPlace {
  double u, v;
};
SkyPlace sky_place(const Heading& heading, double ray, double up) {
  if (!heading.turns) return {ray, up};
  const double x = heading.across(ray, 1.0);
  const double z = heading.along(ray, 1.0);
  const double side = x < 0.0 ? -x : x;
  const double front = z < 0.0 ? -z : z;
  if (front >= side) return {z > 0.0 ? x / z : 4.0 + x / z, up / front};
  return {x > 0.0 ? 2.0 - z / x : -2.0 - z / x, up / side};
}

std::uint8_t sample_of(double grey) {
  return static_cast<std::uint8_t>(std::clamp(grey, 0.0, 255.0) + 0.5);
}

}  // namespace

// ray: x / z of the pixel's ray. rise: rows above the horizon. growth: of the disparity to the next
// row. Both disparities in px.
double TestPictureRenderer::grey_of(const Surface& surface, double ray, double rise,
                                    double disparity, double growth) {
  const double focal = camera_.focal;
  if (surface.shape == Surface::kSky) {
    const double up = rise / focal;
    // Clouds are wider than high.
    const SkyPlace sky = sky_place(surfaces_.heading, ray, up);
    const double cloud = noise_.at(surface.key, sky.u, 3.0 * sky.v, focal, focal / 3.0);
    return 232.0 - 70.0 * clamped(up * 1.6) + surface.contrast * cloud;
  }
  const double px = disparity / camera_.baseline;  // for a metre across the view
  const double z = focal / px;
  double u = ray * z + eye_x_;
  double v = TestCamera::kHeight + rise / px;
  double u_px = px;
  double v_px = px;
  if (surfaces_.heading.turns) {
    turn_texture(surface, u, rise / px, z, px, &u, &v, &u_px, &v_px);
  } else if (surface.shape == Surface::kFlat) {
    v = z;
    v_px = disparity / (z * std::max(growth < 0.0 ? -growth : growth, 1e-9));
  } else if (surface.shape == Surface::kWall) {
    // Both cameras use the left one's scale: otherwise the octaves of the texture would differ.
    u_px = px * std::max(u < 0.0 ? -u : u, 1e-9) / z;
    u = z;
  }
  u -= surface.u0;
  v -= surface.v0;
  double grey = surface.grey;
  switch (surface.look) {
    case Surface::kPlain:
      break;
    case Surface::kRoad:
      grey = road_paint(grey, u, v, u_px, v_px);
      break;
    case Surface::kHouse:
      grey = windows(surface, grey, u, v, u_px, v_px);
      break;
    case Surface::kCarRear:
      grey = car_rear(surface, grey, u, v, px);
      break;
    case Surface::kCarSide:
      grey = car_side(surface, grey, v, px);
      break;
  }
  grey += surface.contrast * noise_.at(surface.key, u, v, u_px, v_px);
  return mixed(kHaze, grey, kHazeDistance / (kHazeDistance + z));
}

// The texture position (u, v) for a camera that turns, of a point (x, up, z) in the left camera's
// axes. u_px and v_px: pixels per metre along both axes of the surface there, the smaller of the
// values along a row and along a column.
void TestPictureRenderer::turn_texture(const Surface& surface, double x, double up, double z,
                                       double px, double* u, double* v, double* u_px,
                                       double* v_px) const {
  const Heading& h = surfaces_.heading;
  const auto magnitude = [](double a) { return a < 0.0 ? -a : a; };
  const double ray = x / z;
  *u = h.across(x, z);
  if (surface.shape != Surface::kFlat) {
    // An upright thing has one place along it in each column.
    const bool is_wall = surface.shape == Surface::kWall;
    if (is_wall) *u = h.along(x, z);
    const double right = is_wall ? h.right(0.0, 1.0) : h.right(1.0, 0.0);
    const double ahead = is_wall ? h.ahead(0.0, 1.0) : h.ahead(1.0, 0.0);
    *u_px = px * std::max(magnitude(right - ray * ahead), 1e-9);
    return;
  }
  *v = h.along(x, z);
  // Metres to the next column, and ahead to the next row.
  const double to_column = 1.0 / px;
  const double to_row = z / (px * std::max(magnitude(up), 1e-9));
  *u_px = 1.0 /
          std::max(magnitude(h.across(to_column, 0.0)), magnitude(h.across(ray * to_row, to_row)));
  *v_px =
      1.0 / std::max(magnitude(h.along(to_column, 0.0)), magnitude(h.along(ray * to_row, to_row)));
}

void TestPictureRenderer::begin(std::uint64_t number, const TestPatternOptions& options, Eye eye,
                                int width, int height) {
  const bool left = eye == Eye::kLeft;
  const auto w = static_cast<std::size_t>(width);
  disparities_.ensure(w);
  greys_.ensure(w);
  pattern_ = options.pattern;
  has_distances_ = has_distances(pattern_);
  width_ = width;
  row_ = 0;
  camera_ = camera_of_pattern(pattern_, width, height);
  eye_x_ = left ? 0.0 : camera_.baseline;
  const std::uint64_t frame_key = sub_key(mix_bits(options.seed), number);
  grain_key_ = sub_key(frame_key, left ? kLeftGrain : kRightGrain);
  noise_of_sensor_ =
      SensorNoise(has_distances_ ? std::clamp(options.noise, 0.0, kMaxTestNoise) : 0.0);
  if (!has_distances_) return;
  if (pattern_ == TestPattern::kRoom) {
    room_greys_.ensure(w);
    room_.begin(number, options.seed, left, width, height);
    return;
  }
  canvas_.begin(width, height);
  surfaces_.begin();
  surfaces_.at(0).key = sub_key(mix_bits(options.seed), kLeftGrain);
  draw_pattern(number, options, {camera_, eye_x_, &surfaces_}, &canvas_);
}

void TestPictureRenderer::shade(std::span<const std::uint32_t> disparities, std::uint8_t* greys) {
  const std::span<const std::int32_t> surfaces = canvas_.surfaces();
  const std::span<const std::uint32_t> steps = canvas_.steps();
  const double per_px = 1.0 / camera_.focal;
  const double rise = camera_.centre_row - row_;
  for (std::size_t c = 0; c < disparities.size(); ++c) {
    const double ray = (static_cast<double>(c) - camera_.centre_column) * per_px;
    const double growth = static_cast<double>(static_cast<std::int32_t>(steps[c])) * 0x1p-24;
    greys[c] = sample_of(grey_of(surfaces_.at(surfaces[c]), ray, rise,
                                 static_cast<double>(disparities[c]) * 0x1p-24, growth));
  }
}

void TestPictureRenderer::add_noise(std::uint8_t* greys) {
  if (noise_of_sensor_.none()) return;
  noise_of_sensor_.add(sub_key(grain_key_, static_cast<std::uint64_t>(row_)),
                       {greys, static_cast<std::size_t>(width_)});
}

TestPictureRenderer::Row TestPictureRenderer::next_row() {
  const auto w = static_cast<std::size_t>(width_);
  std::uint32_t* disparities = disparities_.data();
  std::uint8_t* greys = greys_.data();
  if (!has_distances_) {
    std::uint64_t counter = sub_key(grain_key_, static_cast<std::uint64_t>(row_));
    for (std::size_t c = 0; c < w; ++c) {
      disparities[c] = 0;
      greys[c] = pattern_ == TestPattern::kNoise
                     ? static_cast<std::uint8_t>(mix_bits(counter += kGoldenRatio64) >> 56)
                     : sample_of(kPlainGrey);
    }
  } else if (pattern_ == TestPattern::kRoom) {
    const std::span<const std::uint32_t> drawn = room_.next_row(room_greys_.data());
    std::copy(drawn.begin(), drawn.end(), disparities);
    std::transform(room_greys_.data(), room_greys_.data() + w, greys, sample_of);
    add_noise(greys);
  } else {
    const std::span<const std::uint32_t> drawn = canvas_.next_row();
    const std::span<const std::int32_t> surfaces = canvas_.surfaces();
    for (std::size_t c = 0; c < w; ++c) {
      disparities[c] = drawn[c];
      if (const TreeCrown* crown = surfaces_.at(surfaces[c]).crown) {
        const double seen = crown->seen_from_right(static_cast<double>(c), row_);
        // The rim's disparity if this row is at the very edge of the crown.
        disparities[c] = constant_disparity(seen > 0.0 ? seen : crown->rim).at_row0;
      }
    }
    shade({disparities, w}, greys);
    add_noise(greys);
  }
  ++row_;
  return {{disparities, w}, {greys, w}};
}

void TestPictureRenderer::draw(std::uint64_t number, const TestPatternOptions& options, Eye eye,
                               const MutableDepthView& picture) {
  with_standard_floats([&] {
    begin(number, options, eye, picture.width, picture.height);
    for (int r = 0; r < picture.height; ++r) {
      const Row row = next_row();
      std::memcpy(picture.row(r), row.greys.data(), row.greys.size());
    }
  });
}

}  // namespace rdp
