// SPDX-License-Identifier: LGPL-2.1-or-later
// depthstereo on views in NVMM memory that the host reads: two streams, packed ones, and batches.
#include "tests/depthstereo/stereo_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/nvmm_surface.h"

using nvmm_frames::Batch;
using nvmm_frames::Surface;
using rdp::stereo::Parameters;
using namespace stereo_rig;

namespace {

constexpr int kWidth = 96;
constexpr int kHeight = 40;

Parameters small_range() {
  Parameters parameters;
  parameters.disparities = 32;
  return parameters;
}

std::string nvmm_caps(const std::string& format, int width, int height) {
  std::string text = stereo_rig::caps(format, width, height);
  return text.insert(std::string("video/x-raw").size(), "(memory:NVMM)");
}

// A buffer whose surfaces are these pictures.
GstBuffer* nvmm_buffer(const char* format, std::initializer_list<const Picture*> pictures) {
  Batch batch;
  batch.size = batch.filled = static_cast<guint>(pictures.size());
  const Picture& first_one = **pictures.begin();
  auto surface = std::make_shared<Surface>(gst_video_format_from_string(format), first_one.width,
                                           first_one.height, batch);
  guint index = 0;
  for (const Picture* picture : pictures) {
    surface->write(index++, picture->samples.data(), static_cast<gsize>(picture->width));
  }
  return nvmm_frames::wrap(surface);
}

void check_disparity(Rig* rig, const Views& views, const char* what) {
  check_same(samples<std::uint16_t>(rig->received().buffers.at(0), kWidth, kHeight),
             match(views, small_range()).disparity, kWidth, what);
  check_same(samples<std::uint8_t>(rig->received("rectified").buffers.at(0), kWidth, kHeight),
             views.left.samples, kWidth, what);
  fail_unless(rig->received().caps().find("NVMM") == std::string::npos);
}

}  // namespace

CHECK_TEST(test_two_streams) {
  const Views views = draw(kWidth, kHeight, small_range());
  for (const char* format : {"GRAY8", "NV12", "I420"}) {
    Rig rig("disparities=32 backend=cpu", " left right rectified");
    rig.set_all_caps(nvmm_caps(format, kWidth, kHeight));
    rig.push("left", nvmm_buffer(format, {&views.left}));
    rig.push("right", nvmm_buffer(format, {&views.right}));
    rig.check_runs();
    check_disparity(&rig, views, format);
  }
}

CHECK_TEST(test_batch) {
  const Views views = draw(kWidth, kHeight, small_range());
  for (const char* format : {"GRAY8", "NV12"}) {
    Rig rig("disparities=32 backend=cpu packing=batch", " left rectified");
    rig.set_all_caps(nvmm_caps(format, kWidth, kHeight));
    rig.push("left", nvmm_buffer(format, {&views.left, &views.right}));
    rig.check_runs();
    check_disparity(&rig, views, format);
  }
}

CHECK_TEST(test_side_by_side) {
  const Views views = draw(kWidth, kHeight, small_range());
  Picture packed = stereo_rig::picture(2 * kWidth, kHeight);
  for (int row = 0; row < kHeight; ++row) {
    std::uint8_t* to = packed.samples.data() + row * 2 * kWidth;
    std::copy_n(views.left.samples.data() + row * kWidth, kWidth, to);
    std::copy_n(views.right.samples.data() + row * kWidth, kWidth, to + kWidth);
  }
  Rig rig("disparities=32 backend=cpu packing=side-by-side", " left rectified");
  rig.set_all_caps(nvmm_caps("NV12", 2 * kWidth, kHeight));
  rig.push("left", nvmm_buffer("NV12", {&packed}));
  rig.check_runs();
  check_disparity(&rig, views, "side by side");
}

// Batches that are no pairs.
CHECK_TEST(test_wrong_batches) {
  const Views views = draw(kWidth, kHeight, small_range());
  {
    Rig rig("disparities=32 backend=cpu packing=batch", " left");
    rig.set_all_caps(nvmm_caps("GRAY8", kWidth, kHeight));
    rig.push("left", nvmm_buffer("GRAY8", {&views.left, &views.right, &views.left}));
    check_has(rig.run(), "3");
  }
  {
    Rig rig("disparities=32 backend=cpu");
    rig.set_all_caps(nvmm_caps("GRAY8", kWidth, kHeight));
    rig.push("left", nvmm_buffer("GRAY8", {&views.left, &views.right}));
    rig.push("right", nvmm_buffer("GRAY8", {&views.right}));
    check_has(rig.run(), "expected one surface in each buffer of left and right, got 3");
  }
}

CHECK_CASE(depthstereo_nvmm)
