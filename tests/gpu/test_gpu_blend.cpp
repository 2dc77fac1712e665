// SPDX-License-Identifier: LGPL-2.1-or-later
// Drawings blended into pictures on the GPU against those of common/image/blend.h, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "common/image/blend.h"
#include "kernels/filters/blend.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/test_scale.h"

namespace rdp {
namespace {

using test::GpuImage;

// Rows of bytes on the host, and the same on the device.
struct Plane {
  Plane(std::size_t row_bytes, int height, test::GpuLayout layout)
      : stride(static_cast<std::ptrdiff_t>(row_bytes)),
        bytes(row_bytes * static_cast<std::size_t>(height)),
        image(row_bytes, height, layout) {}
  void upload() { image.upload(bytes.data(), stride); }
  std::string difference(int sample_bytes) const {
    return image.difference(bytes.data(), stride, sample_bytes);
  }

  std::ptrdiff_t stride;
  std::vector<std::byte> bytes;
  GpuImage image;
};

class GpuBlend : public test::GpuTest {
 protected:
  Plane random_plane(std::size_t row_bytes, int height, int sample_bytes) {
    Plane plane(row_bytes, height, test::random_layout(sample_bytes, &random_));
    for (std::byte& byte : plane.bytes) byte = static_cast<std::byte>(random_() & 255U);
    return plane;
  }
  // Of any alpha, a third of it transparent and a third opaque.
  Plane random_drawing(int width, int height) {
    Plane plane = random_plane(4 * static_cast<std::size_t>(width), height, 4);
    for (std::size_t i = 3; i < plane.bytes.size(); i += 4) {
      const unsigned kind = random_() % 3;
      if (kind < 2) plane.bytes[i] = kind == 0 ? std::byte{0} : std::byte{255};
    }
    return plane;
  }
  void check(int width, int height) {
    const auto w = static_cast<std::size_t>(width);
    Plane drawing = random_drawing(width, height);
    drawing.upload();
    const RgbaView over{drawing.bytes.data(), drawing.stride, width, height};
    const cuda::DeviceRgbaView device_over{drawing.image.data(), drawing.image.pitch(), width,
                                           height};
    Plane rgba = random_plane(4 * w, height, 4);
    rgba.upload();
    blender_.run(device_over, {rgba.image.data(), rgba.image.pitch(), width, height}, stream());
    blend_into_rgba(over, {rgba.bytes.data(), rgba.stride, width, height});

    Plane luma = random_plane(w, height, 1);
    Plane chroma = random_plane((w + 1) / 2 * 2, (height + 1) / 2, 1);
    luma.upload();
    chroma.upload();
    const YuvMatrix matrix = yuv_matrix(0.2126, 0.0722, random_() % 2 == 0);
    blender_.run(device_over, matrix,
                 {luma.image.data(), luma.image.pitch(), chroma.image.data(), chroma.image.pitch(),
                  width, height},
                 stream());
    blend_into_nv12(
        over, matrix,
        {luma.bytes.data(), luma.stride, chroma.bytes.data(), chroma.stride, width, height});
    synchronize();
    EXPECT_EQ(rgba.difference(4), "") << width << " x " << height;
    EXPECT_EQ(luma.difference(1), "") << width << " x " << height;
    EXPECT_EQ(chroma.difference(1), "") << width << " x " << height;
    EXPECT_EQ(drawing.difference(4), "") << "the drawing was written";
  }

  std::mt19937 random_{5};
  cuda::Blender blender_;
};

TEST_F(GpuBlend, AllSmallSizes) {
  for (int height = 1; height <= 10; ++height) {
    for (int width = 1; width <= 10; ++width) check(width, height);
  }
}

TEST_F(GpuBlend, AroundTheBlocks) {
  for (const int width : {31, 32, 33, 63, 64, 65, 129}) {
    for (const int height : {3, 4, 5, 7, 8, 9, 17}) check(width, height);
  }
}

TEST_F(GpuBlend, LargePictures) {
  const double scale = std::sqrt(std::max(test::test_scale(), 0.01));
  check(static_cast<int>(1920 * scale) | 1, static_cast<int>(1080 * scale) | 1);
}

}  // namespace
}  // namespace rdp

int main(int argc, char** argv) { return rdp::test::gpu_test_main(argc, argv); }
