// SPDX-License-Identifier: LGPL-2.1-or-later
// The pictures of planes on the GPU against those of common/planes/overlay.h, bit for bit.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "common/planes/limits.h"
#include "common/planes/overlay.h"
#include "kernels/planes/overlay.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/test_scale.h"
#include "tests/support/plane_scene.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using planes::OverlayStyle;
using test::GpuFrame;
using test::GpuPicture;
using test::TestFrame;

constexpr OverlayStyle kStyles[] = {OverlayStyle::kPlanes, OverlayStyle::kNormals,
                                    OverlayStyle::kNodes, OverlayStyle::kResidual,
                                    OverlayStyle::kDepth};

class GpuPlaneOverlay : public test::GpuTest {
 protected:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  // Paints the scene in all styles, with legends and without them.
  void check(const test::PlaneScene& scene) {
    const DepthView frame = scene.frame.view();
    const DepthView labels = scene.labels.view();
    const GpuFrame in(frame, test::random_layout(bytes_per_sample(frame.type), &random_));
    const GpuFrame of(labels, test::random_layout(1, &random_));
    std::vector<std::byte> pixels(static_cast<std::size_t>(frame.width) *
                                  static_cast<std::size_t>(frame.height) * 4);
    const RgbaView picture{pixels.data(), std::ptrdiff_t{4} * frame.width, frame.width,
                           frame.height};
    for (const OverlayStyle style : kStyles) {
      planes::OverlayOptions options = scene.options;
      options.style = style;
      options.legend = below(2) == 0;
      cpu_.paint(frame, labels, scene.view(), options, picture);
      const GpuPicture out(frame.width, frame.height, test::random_layout(4, &random_));
      gpu_.run(in.view(), of.view(), scene.view(), options, out.view(), stream());
      synchronize();
      ASSERT_EQ(out.difference(picture), "")
          << frame.width << " x " << frame.height << " of " << bytes_per_sample(frame.type)
          << " bytes, style " << static_cast<int>(style) << ", " << scene.planes.planes.size()
          << " planes, palette from " << options.palette_min << " to " << options.palette_max;
    }
    ASSERT_EQ(in.difference(frame), "") << "the frame was written";
    ASSERT_EQ(of.difference(labels), "") << "the labels were written";
  }

  std::mt19937 random_{1};
  planes::OverlayPainter cpu_{2};
  cuda::PlaneOverlayPainter gpu_;
};

TEST_F(GpuPlaneOverlay, EqualsTheCpu) {
  test::CasePicker picker(0.1);
  for (int i = 0; i < 100; ++i) {
    if (!picker.next()) continue;
    SCOPED_TRACE("scene " + std::to_string(i));
    const int width = 1 + below(i % 4 == 0 ? 700 : 150);
    const int height = 1 + below(i % 4 == 0 ? 500 : 150);
    check(test::PlaneScene(width, height, below(2) == 0 ? SampleType::kU8 : SampleType::kU16,
                           &random_));
    if (HasFatalFailure()) return;
  }
}

// Text and outlines of several pixels, and the most planes that there can be.
TEST_F(GpuPlaneOverlay, LargePictures) {
  check(test::PlaneScene(1280, 720, SampleType::kU16, &random_));
  test::PlaneScene most(640, 480, SampleType::kU16, &random_, planes::kMostPlanes);
  check(most);
}

TEST_F(GpuPlaneOverlay, NoPlanesAtAll) {
  check(test::PlaneScene(320, 240, SampleType::kU16, &random_, 0));
}

// A scene is no longer needed once the call has returned.
TEST_F(GpuPlaneOverlay, SeveralPicturesOnOneStream) {
  std::vector<std::byte> pixels(std::size_t{200} * 160 * 4);
  const RgbaView picture{pixels.data(), 200 * 4, 200, 160};
  const GpuPicture first(200, 160, {});
  const GpuPicture second(200, 160, {});
  const test::PlaneScene a(200, 160, SampleType::kU16, &random_);
  const GpuFrame a_frame(a.frame.view(), {});
  const GpuFrame a_labels(a.labels.view(), {});
  const test::PlaneScene b(200, 160, SampleType::kU16, &random_);
  const GpuFrame b_frame(b.frame.view(), {});
  const GpuFrame b_labels(b.labels.view(), {});
  gpu_.run(a_frame.view(), a_labels.view(), a.view(), a.options, first.view(), stream());
  gpu_.run(b_frame.view(), b_labels.view(), b.view(), b.options, second.view(), stream());
  synchronize();
  cpu_.paint(a.frame.view(), a.labels.view(), a.view(), a.options, picture);
  EXPECT_EQ(first.difference(picture), "");
  cpu_.paint(b.frame.view(), b.labels.view(), b.view(), b.options, picture);
  EXPECT_EQ(second.difference(picture), "");
}

}  // namespace
}  // namespace rdp

int main(int argc, char** argv) { return rdp::test::gpu_test_main(argc, argv); }
