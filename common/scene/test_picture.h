// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_TEST_PICTURE_H_
#define RDP_COMMON_SCENE_TEST_PICTURE_H_

#include <cstdint>
#include <span>

#include "common/image/depth_view.h"
#include "common/image/grow_buffer.h"
#include "common/scene/pattern_geometry.h"
#include "common/scene/room_picture.h"
#include "common/scene/sensor_noise.h"
#include "common/scene/span_canvas.h"
#include "common/scene/surface.h"
#include "common/scene/surface_noise.h"
#include "common/scene/test_pattern.h"

namespace rdp {

// The two cameras of a rectified pair. The left one is that of the depth frames; the right one is a
// baseline to its right.
enum class Eye : std::uint8_t { kLeft, kRight };

// Draws the cameras' images of a test pattern, as 8-bit greys. A point with disparity d in column c
// of the left image is in column c - d of the right one, in the same row. It may be occluded there.
// A pixel is the texture at the exact point in the world that its centre shows. kNoise is random
// grey, independent in both images; kUnknown and kCrowd are plain grey.
//
// An image depends only on its number, its size, the eye, and the options' pattern, seed and noise
// (in grey steps, different for each eye). It is bit-identical on every machine.
class TestPictureRenderer {
 public:
  // Draws frame number `number` into `picture`, 8 bits, 1..kMaxSide rows and columns. Allocates
  // (and may throw std::bad_alloc) only when the picture is larger than any before.
  void draw(std::uint64_t number, const TestPatternOptions& options, Eye eye,
            const MutableDepthView& picture);

  // Draws row by row, with each pixel's true disparity: call begin(), then next_row() from the top;
  // each row is valid until the next. Disparities are in 2^-24 px, 0 for sky and patterns without
  // distances. Requires the rounding mode "to nearest".
  struct Row {
    std::span<const std::uint32_t> disparities;
    std::span<const std::uint8_t> greys;
  };
  void begin(std::uint64_t number, const TestPatternOptions& options, Eye eye, int width,
             int height);
  Row next_row();

 private:
  void shade(std::span<const std::uint32_t> disparities, std::uint8_t* greys);
  double grey_of(const Surface& surface, double ray, double rise, double disparity, double growth);
  void turn_texture(const Surface& surface, double x, double up, double z, double px, double* u,
                    double* v, double* u_px, double* v_px) const;
  void add_noise(std::uint8_t* greys);

  TestCamera camera_{};
  double eye_x_ = 0.0;
  int row_ = 0;
  int width_ = 0;
  bool has_distances_ = false;
  TestPattern pattern_{};
  std::uint64_t grain_key_ = 0;
  SensorNoise noise_of_sensor_;

  SpanCanvas canvas_;
  SurfaceList surfaces_;
  SurfaceNoise noise_;
  RoomPicture room_;
  GrowBuffer<double> room_greys_;
  GrowBuffer<std::uint32_t> disparities_;
  GrowBuffer<std::uint8_t> greys_;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_TEST_PICTURE_H_
