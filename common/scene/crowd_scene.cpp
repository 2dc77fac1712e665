// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/crowd_scene.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/image/float_environment.h"
#include "common/scene/hash_random.h"

// Only +, -, *, /, square roots and conversions of doubles, without contraction: see
// street_scene.cpp.
namespace rdp {
namespace {

// The purpose of a random number.
enum Stream : std::uint64_t { kGroundTexture = 810, kGrain };

// Cell sizes of the textures in pixels, and their effect on a grey.
constexpr CrowdTexture::Band kGroundBand = {1.5, 3.0, 16.0, 24.0};
constexpr CrowdTexture::Band kClothBand = {1.25, 2.5, 6.0, 12.0};
constexpr double kGroundGrey = 130.0;
constexpr double kGroundContrast = 32.0;
constexpr double kClothContrast = 28.0;
constexpr double kHeadLighter = 32.0;
constexpr double kSkyGrey = 200.0;
constexpr double kMiddleGrey = 128.0;

constexpr std::int16_t kGroundPart = -1;
constexpr std::int16_t kSkyPart = -2;

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

std::uint8_t sample_of(double grey) {
  return static_cast<std::uint8_t>(std::clamp(grey, 0.0, 255.0) + 0.5);
}

// Rounds to the nearest, at least 1; 0 if unknown or beyond `most`.
std::uint16_t rounded(double length, bool known, double most) {
  if (!known || !(length < most + 0.5)) return 0;
  return static_cast<std::uint16_t>(std::max(static_cast<int>(length + 0.5), 1));
}

// `x` as a column, from 0 to `width`.
int column_within(double x, int width) {
  return static_cast<int>(std::clamp(x, 0.0, static_cast<double>(width)));
}

}  // namespace

void CrowdRenderer::add_ball(const Vector& middle, const Vector& half, std::size_t part) {
  Ball ball;
  for (std::size_t i = 0; i < 3; ++i) {
    ball.scale[i] = 1.0 / half[i];
    ball.eye[i] = (eye_[i] - middle[i]) * ball.scale[i];
    ball.by_column[i] = rays_[0][i] * ball.scale[i];
  }
  ball.outside = dot(ball.eye, ball.eye) - 1.0;
  ball.eye_by_column = dot(ball.eye, ball.by_column);
  ball.by_column_2 = dot(ball.by_column, ball.by_column);
  ball.part = static_cast<std::int16_t>(part);
  balls_.push_back(ball);
}

void CrowdRenderer::begin(std::span<const CrowdPerson> people, const CrowdMatrix& projection,
                          int width, const CrowdLook* look) {
  const auto w = static_cast<std::size_t>(width);
  depths_.ensure(w);
  heights_.ensure(w);
  parts_.ensure(w);
  if (look != nullptr) greys_.ensure(w);
  balls_.reserve(2 * people.size());
  balls_.clear();
  people_ = people;
  width_ = width;
  row_ = 0;

  // The inverse of the matrix's left part; its columns are the rays, scaled to depth 1 along the
  // optical axis, which is the third row.
  Vector rows[3];
  for (std::size_t r = 0; r < 3; ++r)
    rows[r] = {projection[r][0], projection[r][1], projection[r][2]};
  const Vector adjoint[3] = {cross(rows[1], rows[2]), cross(rows[2], rows[0]),
                             cross(rows[0], rows[1])};
  const double determinant = dot(rows[0], adjoint[0]);
  const double axis = std::sqrt(dot(rows[2], rows[2]));
  for (std::size_t i = 0; i < 3; ++i) {
    eye_[i] = -((adjoint[0][i] * projection[0][3] + adjoint[1][i] * projection[1][3] +
                 adjoint[2][i] * projection[2][3]) /
                determinant);
    for (std::size_t k = 0; k < 3; ++k) rays_[k][i] = adjoint[k][i] / determinant * axis;
  }

  for (std::size_t i = 0; i < people.size(); ++i) {
    const CrowdPerson& person = people[i];
    add_ball({person.x, person.y, person.body_middle()},
             {person.half_x(), person.half_y(), person.body_half()}, 2 * i);
    add_ball({person.x, person.y, person.head_middle()},
             {CrowdPerson::kHeadHalfWide, CrowdPerson::kHeadHalfWide, CrowdPerson::kHeadHalfHigh},
             2 * i + 1);
  }

  shades_ = look != nullptr;
  if (!shades_) return;
  look_ = *look;
  noise_ = SensorNoise(std::max(look_.noise, 0.0));
  const std::uint64_t key = mix_bits(look_.seed);
  ground_key_ = sub_key(key, kGroundTexture);
  grain_key_ = sub_key(sub_key(sub_key(key, kGrain), static_cast<std::uint64_t>(look_.view)),
                       static_cast<std::uint64_t>(look_.moment));
  ground_.begin(look_.scale, kGroundBand);
  cloth_.begin(look_.scale, kClothBand);
}

// |eye + depth * ray| = 1 is quadratic in the depth, with the discriminant (eye * ray)^2 - outside
// * ray * ray. That is quadratic in the column: where it has its roots the ball begins and ends.
void CrowdRenderer::draw_ball(const Ball& ball, const Vector& at_row) {
  Vector ray;
  for (std::size_t i = 0; i < 3; ++i) ray[i] = at_row[i] * ball.scale[i];
  const double eye_ray = dot(ball.eye, ray);
  const double by_column = dot(ray, ball.by_column);
  const double square = ball.eye_by_column * ball.eye_by_column - ball.outside * ball.by_column_2;
  const double linear = eye_ray * ball.eye_by_column - ball.outside * by_column;
  const double constant = eye_ray * eye_ray - ball.outside * dot(ray, ray);
  int first = 0;
  int end = width_;
  if (square < 0.0) {
    const double inner = linear * linear - square * constant;
    if (!(inner > 0.0)) return;
    const double root = std::sqrt(inner);
    // One more on each side, because the roots are rounded; each pixel is tested below.
    first = column_within((root - linear) / square - 1.0, width_);
    end = column_within((-root - linear) / square + 2.0, width_);
    if (first > end) std::swap(first, end);
  }
  double* depths = depths_.data();
  std::int16_t* parts = parts_.data();
  for (int c = first; c < end; ++c) {
    const double column = c;
    const double x = ray[0] + column * ball.by_column[0];
    const double y = ray[1] + column * ball.by_column[1];
    const double z = ray[2] + column * ball.by_column[2];
    const double towards = -(ball.eye[0] * x + ball.eye[1] * y + ball.eye[2] * z);
    const double length = x * x + y * y + z * z;
    const double inside = towards * towards - ball.outside * length;
    if (!(inside > 0.0) || !(towards > 0.0)) continue;
    const double depth = (towards - std::sqrt(inside)) / length;
    if (depth < depths[c]) {
      depths[c] = depth;
      parts[c] = ball.part;
    }
  }
}

void CrowdRenderer::shade(const Vector& at_row) {
  const double* depths = depths_.data();
  const double* heights = heights_.data();
  const std::int16_t* parts = parts_.data();
  std::uint8_t* greys = greys_.data();
  for (int c = 0; c < width_; ++c) {
    double grey = kSkyGrey;
    if (parts[c] != kSkyPart) {
      const double x = eye_[0] + depths[c] * (at_row[0] + c * rays_[0][0]);
      const double y = eye_[1] + depths[c] * (at_row[1] + c * rays_[0][1]);
      if (parts[c] == kGroundPart) {
        grey = kGroundGrey + kGroundContrast * ground_.at(ground_key_, x, y);
      } else {
        const CrowdPerson& person = people_[static_cast<std::size_t>(parts[c] / 2)];
        const double lighter = parts[c] % 2 != 0 ? kHeadLighter : 0.0;
        grey = person.grey + lighter +
               kClothContrast * cloth_.at(person.key, x - person.x, y - person.y, heights[c]);
      }
    }
    greys[c] = sample_of(kMiddleGrey + look_.contrast * (grey - kMiddleGrey));
  }
}

CrowdRenderer::Row CrowdRenderer::next_row() {
  const auto w = static_cast<std::size_t>(width_);
  double* depths = depths_.data();
  double* heights = heights_.data();
  std::int16_t* parts = parts_.data();
  Vector at_row;
  for (std::size_t i = 0; i < 3; ++i) at_row[i] = rays_[1][i] * row_ + rays_[2][i];
  // Rays that fall hit the ground.
  constexpr double kFar = 1e6;
  for (int c = 0; c < width_; ++c) {
    const double fall = -(at_row[2] + c * rays_[0][2]);
    const double depth = eye_[2] / fall;
    const bool falls = fall > 0.0 && depth > 0.0 && depth < kFar;
    depths[c] = falls ? depth : kFar;
    parts[c] = falls ? kGroundPart : kSkyPart;
  }
  for (const Ball& ball : balls_) draw_ball(ball, at_row);
  for (int c = 0; c < width_; ++c) {
    const double height = eye_[2] + depths[c] * (at_row[2] + c * rays_[0][2]);
    if (parts[c] == kSkyPart) depths[c] = 0.0;
    heights[c] = parts[c] < 0 ? 0.0 : height;
  }
  std::span<const std::uint8_t> greys;
  if (shades_) {
    shade(at_row);
    if (!noise_.none()) {
      noise_.add(sub_key(grain_key_, static_cast<std::uint64_t>(row_)), {greys_.data(), w});
    }
    greys = {greys_.data(), w};
  }
  for (std::size_t c = 0; c < w; ++c) {
    if (parts[c] >= 0) parts[c] = static_cast<std::int16_t>(parts[c] / 2);
  }
  ++row_;
  return {{depths, w}, {heights, w}, {parts, w}, greys};
}

void CrowdRenderer::draw_picture(std::span<const CrowdPerson> people, const CrowdMatrix& projection,
                                 const CrowdLook& look, const MutableDepthView& picture) {
  with_standard_floats([&] {
    begin(people, projection, picture.width, &look);
    for (int r = 0; r < picture.height; ++r) {
      const Row row = next_row();
      std::memcpy(picture.row(r), row.greys.data(), row.greys.size());
    }
  });
}

void CrowdRenderer::draw_depth(std::span<const CrowdPerson> people, const CrowdMatrix& projection,
                               const MutableDepthView& depth) {
  with_standard_floats([&] {
    begin(people, projection, depth.width, nullptr);
    const bool bytes = depth.type == SampleType::kU8;
    const double unit = bytes ? 10.0 : 1000.0;  // samples a metre
    const double most = bytes ? 255.0 : 65535.0;
    for (int r = 0; r < depth.height; ++r) {
      const Row row = next_row();
      for (int c = 0; c < depth.width; ++c) {
        const double length = row.depths[static_cast<std::size_t>(c)];
        depth.set(r, c, rounded(unit * length, length > 0.0, most));
      }
    }
  });
}

void CrowdRenderer::draw_heights(std::span<const CrowdPerson> people, const CrowdMatrix& projection,
                                 const MutableDepthView& heights) {
  with_standard_floats([&] {
    begin(people, projection, heights.width, nullptr);
    for (int r = 0; r < heights.height; ++r) {
      const Row row = next_row();
      for (int c = 0; c < heights.width; ++c) {
        const auto column = static_cast<std::size_t>(c);
        heights.set(r, c,
                    rounded(1000.0 * row.heights[column], row.persons[column] != kSky, 65535.0));
      }
    }
  });
}

}  // namespace rdp
