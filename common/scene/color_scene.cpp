// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/color_scene.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "common/image/float_environment.h"
#include "common/scene/hash_random.h"

// Only +, -, *, / and conversions of doubles, without contraction: see street_scene.cpp.
namespace rdp {
namespace {

// The purpose of a random number of a colour picture.
enum Stream : std::uint64_t { kTint = 900, kGrain };

// Factors of a grey for the three channels.
struct Tint {
  double red = 1.0, green = 1.0, blue = 1.0;

  static Tint of(std::uint64_t key, std::uint64_t thing) {
    HashSequence random(sub_key(sub_key(key, kTint), thing));
    Tint tint;
    tint.red = random.uniform(0.6, 1.3);
    tint.green = random.uniform(0.6, 1.3);
    tint.blue = random.uniform(0.6, 1.3);
    return tint;
  }
};
constexpr Tint kSky = {0.75, 0.95, 1.2};
constexpr Tint kGround = {1.05, 1.0, 0.85};

void write_color(double grey, const Tint& tint, std::byte* to) {
  const double channels[] = {grey * tint.red, grey * tint.green, grey * tint.blue};
  for (int i = 0; i < 3; ++i) {
    to[i] = static_cast<std::byte>(
        static_cast<std::uint8_t>(std::clamp(channels[i], 0.0, 255.0) + 0.5));
  }
}

void add_noise(const SensorNoise& noise, std::uint64_t key, int row, const RgbRows& picture) {
  if (noise.none()) return;
  noise.add(
      sub_key(key, static_cast<std::uint64_t>(row)),
      {reinterpret_cast<std::uint8_t*>(picture.row(row)), static_cast<std::size_t>(picture.width)});
}

}  // namespace

void RoomColorRenderer::draw_picture(std::uint64_t number, std::uint32_t seed, const ColorRig& rig,
                                     double noise, const RgbRows& picture) {
  with_standard_floats([&] {
    const int width = picture.width / 3;
    const std::uint64_t key = mix_bits(seed);
    const SensorNoise grain(noise);
    double* greys = greys_.ensure(static_cast<std::size_t>(width));
    picture_.begin_color(number, seed, rig, width, picture.height);
    Tint tints[RoomPicture::kMaxThings];
    for (std::size_t i = 0; i < std::size(tints); ++i) tints[i] = Tint::of(key, i);
    const Tint ball = Tint::of(key, std::size(tints));
    for (int r = 0; r < picture.height; ++r) {
      picture_.next_row(greys);
      const std::span<const std::int16_t> planes = picture_.planes();
      for (int c = 0; c < width; ++c) {
        const std::int16_t plane = planes[static_cast<std::size_t>(c)];
        const Tint tint = plane == RoomView::kTooNear ? Tint()
                          : plane == RoomView::kBall  ? ball
                                                      : tints[picture_.thing_of(plane)];
        write_color(greys[c], tint, picture.row(r) + std::ptrdiff_t{3} * c);
      }
      add_noise(grain, sub_key(sub_key(key, kGrain), number), r, picture);
    }
  });
}

void RoomColorRenderer::draw_depth(std::uint64_t number, std::uint32_t seed, const ColorRig& rig,
                                   const MutableDepthView& depth) {
  with_standard_floats([&] {
    const TestCamera camera = color_camera_of_room(depth.width, depth.height);
    const RoomScene& room = keeper_.get(seed);
    view_.begin(room, color_pose(room.pose(number), rig), 0.0, camera, depth.width, depth.height);
    const double millimetre = 1000.0 * camera.disparity(1.0) * 0x1p24;
    for (int r = 0; r < depth.height; ++r) {
      const std::span<const std::uint32_t> disparities = view_.next_row().disparities;
      for (int c = 0; c < depth.width; ++c) {
        const std::uint32_t disparity = disparities[static_cast<std::size_t>(c)];
        const double z = disparity == 0 ? 0.0 : millimetre / disparity + 0.5;
        depth.set(r, c, static_cast<std::uint16_t>(z < 65536.0 ? z : 0.0));
      }
    }
  });
}

void CrowdColorRenderer::draw_picture(std::span<const CrowdPerson> people,
                                      const CrowdMatrix& projection, const CrowdLook& look,
                                      const RgbRows& picture) {
  with_standard_floats([&] {
    const int width = picture.width / 3;
    const SensorNoise grain(std::max(look.noise, 0.0));
    const std::uint64_t key =
        sub_key(sub_key(mix_bits(look.seed), kGrain), static_cast<std::uint64_t>(look.moment));
    CrowdLook clean = look;
    clean.noise = 0.0;
    renderer_.begin(people, projection, width, &clean);
    for (int r = 0; r < picture.height; ++r) {
      const CrowdRenderer::Row row = renderer_.next_row();
      for (int c = 0; c < width; ++c) {
        const auto at = static_cast<std::size_t>(c);
        const std::int16_t person = row.persons[at];
        const Tint tint = person == CrowdRenderer::kSky ? kSky
                          : person == CrowdRenderer::kGround
                              ? kGround
                              : Tint::of(people[static_cast<std::size_t>(person)].key, 0);
        write_color(row.greys[at], tint, picture.row(r) + std::ptrdiff_t{3} * c);
      }
      add_noise(grain, sub_key(key, static_cast<std::uint64_t>(look.view)), r, picture);
    }
  });
}

}  // namespace rdp
