// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_CROWD_SCENE_H_
#define RDP_COMMON_SCENE_CROWD_SCENE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/image/depth_view.h"
#include "common/image/grow_buffer.h"
#include "common/scene/crowd_camera.h"
#include "common/scene/crowd_texture.h"
#include "common/scene/crowd_walk.h"
#include "common/scene/sensor_noise.h"

namespace rdp {

// The look of pictures. None of it changes depths or heights.
struct CrowdLook {
  double contrast = 1.0;  // of the whole picture, about the grey 128
  double noise = 0.0;     // its standard deviation in grey steps; rounded to whole steps
  // Random numbers for ground and noise; each view has its own noise.
  std::uint32_t seed = 0;
  int view = 0;
  std::int64_t moment = 0;  // each moment has noise of its own
  // Pixels per metre of the texture; cameras that are to see the same texture need the same value.
  double scale = 135.0;
};

// Draws people on a textured ground for any camera with a projection, by casting a ray through each
// pixel's centre. An image depends only on begin()'s arguments, and is bit-identical on every
// machine.
//
// Usage: begin(), then the rows from the top; or one of the draw functions, which do both.
class CrowdRenderer {
 public:
  // A pixel that sees neither people nor ground shows the sky: depth 0, height 0.
  struct Row {
    std::span<const double> depths;         // along the optical axis, m
    std::span<const double> heights;        // above the ground, m; 0 on it
    std::span<const std::int16_t> persons;  // index of the visible person; kGround, kSky
    std::span<const std::uint8_t> greys;    // empty where only the geometry is drawn
  };
  static constexpr std::int16_t kGround = -1;
  static constexpr std::int16_t kSky = -2;

  // `projection`: world to image; its left three columns have an inverse whose determinant is
  // above 0, and the camera is outside of all people. At most kMaxCrowdPeople of them. `look`:
  // null: the geometry alone. Allocates (and may throw std::bad_alloc) only for a width or a number
  // of people larger than any before.
  void begin(std::span<const CrowdPerson> people, const CrowdMatrix& projection, int width,
             const CrowdLook* look);
  // Valid until the next call. Requires the rounding mode "to nearest".
  Row next_row();

  // 8-bit greys.
  void draw_picture(std::span<const CrowdPerson> people, const CrowdMatrix& projection,
                    const CrowdLook& look, const MutableDepthView& picture);
  // 16-bit mm or 8-bit dm, rounded to the nearest; known samples are at least 1. 0: the sky, or
  // beyond the largest sample.
  void draw_depth(std::span<const CrowdPerson> people, const CrowdMatrix& projection,
                  const MutableDepthView& depth);
  // 16-bit mm above the ground, rounded to the nearest, max(1, mm): ground is 1, sky 0.
  void draw_heights(std::span<const CrowdPerson> people, const CrowdMatrix& projection,
                    const MutableDepthView& heights);

 private:
  using Vector = std::array<double, 3>;
  // An ellipsoid scaled to the unit ball about the origin.
  struct Ball {
    Vector scale;                       // 1 / semi-axes
    Vector eye;                         // the camera, relative to the ball
    Vector by_column;                   // how a ray's direction changes from one column to the next
    double outside;                     // eye * eye - 1
    double eye_by_column, by_column_2;  // products
    std::int16_t part;                  // 2 * person, + 1 for the head
  };
  void add_ball(const Vector& middle, const Vector& half, std::size_t part);
  void draw_ball(const Ball& ball, const Vector& at_row);
  void shade(const Vector& at_row);

  std::span<const CrowdPerson> people_;
  int width_ = 0;
  int row_ = 0;
  Vector eye_{};
  std::array<Vector, 3> rays_{};  // a pixel's ray is [0] * column + [1] * row + [2], with depth 1
  std::vector<Ball> balls_;
  GrowBuffer<double> depths_, heights_;
  GrowBuffer<std::int16_t> parts_;
  GrowBuffer<std::uint8_t> greys_;

  bool shades_ = false;
  CrowdLook look_;
  SensorNoise noise_;
  std::uint64_t ground_key_ = 0;
  std::uint64_t grain_key_ = 0;
  CrowdTexture ground_;
  CrowdTexture cloth_;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_CROWD_SCENE_H_
