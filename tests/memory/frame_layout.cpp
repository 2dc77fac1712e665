// SPDX-License-Identifier: LGPL-2.1-or-later
// Location of samples in a buffer, for frames in system and NVMM memory that are cropped in place.
// Invalid crops cause errors. tests/memory/cuda_memory.cpp has the same for CUDA memory.
#include <climits>

#include "gst/memory/nvmm_memory.h"
#include "gst/memory/system_memory.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"
#include "tests/support/crops.h"
#include "tests/support/nvmm_frames.h"

using crops::Rectangle;
using frames::Shape;
using rdp::gst::Access;
using rdp::gst::SystemFrame;

namespace {

GstVideoInfo info_of(const Shape& shape) {
  GstVideoInfo info;
  gst_video_info_set_format(&info, shape.format, static_cast<guint>(shape.width),
                            static_cast<guint>(shape.height));
  return info;
}

constexpr Shape kShapes[] = {{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48, 0, 128},
                             {GST_VIDEO_FORMAT_GRAY16_LE, 31, 33, 10, 78},
                             {GST_VIDEO_FORMAT_GRAY8, 37, 29, 3, 41}};

void check_refused(GstBuffer* buffer, const Shape& caps, const char* part) {
  SystemFrame frame;
  std::string reason;
  fail_if(frame.map(buffer, info_of(caps), Access::kRead, &reason), "%s", part);
  fail_unless(reason.find(part) != std::string::npos, "'%s' is not in: %s", part, reason.c_str());
}

}  // namespace

CHECK_TEST(test_system_crops) {
  for (const Shape& picture : kShapes) {
    for (const Rectangle& crop : crops::of(picture)) {
      g_autoptr(GstBuffer) buffer = frames::make(picture, 3);
      crops::add(buffer, crop);
      const std::vector<std::uint8_t> all = frames::bytes(buffer);
      SystemFrame frame;
      std::string reason;
      fail_unless(
          frame.map(buffer, info_of(crops::shape_of(crop, picture)), Access::kRead, &reason), "%s",
          reason.c_str());
      const auto& view = frame.view();
      const int sample = rdp::bytes_per_sample(frames::sample_type(picture));
      fail_unless_equals_int(static_cast<int>(view.stride), picture.stride);
      fail_unless_equals_int(view.width, crop.width);
      fail_unless_equals_int(view.height, crop.height);
      std::vector<std::uint8_t> rows;
      for (int row = 0; row < view.height; ++row) {
        const auto* start = reinterpret_cast<const std::uint8_t*>(view.row(row));
        rows.insert(rows.end(), start, start + view.width * sample);
      }
      fail_unless(rows == crops::Cut(crop, picture, 3).samples);
      frame.unmap();
    }
  }
}

CHECK_TEST(test_bad_crops) {
  const Shape picture{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48, 0, 128};
  struct Case {
    Rectangle crop;
    Shape caps;
    const char* part;
  };
  const Case cases[] = {
      {{1, 0, 64, 48}, {}, "64x48 from x=1, y=0 on, but the picture of its GstVideoMeta is 64x48"},
      {{0, 1, 64, 48}, {}, "64x48 from x=0, y=1 on"},
      {{0, 0, 65, 48}, {GST_VIDEO_FORMAT_GRAY16_LE, 65, 48}, "65x48 from x=0, y=0 on"},
      {{0, 0, 64, 49}, {GST_VIDEO_FORMAT_GRAY16_LE, 64, 49}, "64x49 from x=0, y=0 on"},
      {{64, 0, 1, 48}, {GST_VIDEO_FORMAT_GRAY16_LE, 1, 48}, "1x48 from x=64, y=0 on"},
      {{0, 48, 64, 1}, {GST_VIDEO_FORMAT_GRAY16_LE, 64, 1}, "64x1 from x=0, y=48 on"},
      // As unsigned numbers these are far outside; their ends wrap around to the inside.
      {{-1, 0, 2, 48}, {GST_VIDEO_FORMAT_GRAY16_LE, 2, 48}, "from x=4294967295, y=0 on"},
      {{0, INT_MIN, 64, 2}, {GST_VIDEO_FORMAT_GRAY16_LE, 64, 2}, "from x=0, y=2147483648 on"},
      {{2, 2, 60, 40},
       {},
       "the caps say 64x48, but the buffer's GstVideoCropMeta says 60x40: the element that crops "
       "has to send caps of the crop's size"},
      {{2, 2, 60, 40}, {GST_VIDEO_FORMAT_GRAY16_LE, 60, 41}, "the caps say 60x41"},
      {{2, 2, 60, 40}, {GST_VIDEO_FORMAT_GRAY8, 60, 40}, "the caps say 60x40 GRAY8"},
  };
  for (const Case& bad : cases) {
    g_autoptr(GstBuffer) buffer = frames::make(picture);
    crops::add(buffer, bad.crop);
    check_refused(buffer, bad.caps, bad.part);
  }
}

// The picture must lie in the buffer even if the crop would fit.
CHECK_TEST(test_bad_pictures) {
  const Shape picture{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48, 0, 128};
  const Rectangle crop{4, 4, 8, 8};
  GstBuffer* buffer = frames::make(picture);
  crops::add(buffer, crop);
  const Shape caps = crops::shape_of(crop, picture);
  GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
  const GstVideoMeta good = *meta;
  meta->stride[0] = 126;
  check_refused(buffer, caps, "has a stride of 126 bytes, but a row of 64 samples takes 128");
  meta->stride[0] = -128;
  check_refused(buffer, caps, "stride of -128");
  *meta = good;
  meta->height = 49;
  check_refused(buffer, caps, "(49 rows of stride 128), but the buffer has 6144");
  *meta = good;
  meta->offset[0] = 2;
  check_refused(buffer, caps, "at offset 2");
  *meta = good;
  meta->height = 0;
  check_refused(buffer, caps, "is 64x0");
  *meta = good;
  meta->width = meta->height = G_MAXUINT;
  meta->stride[0] = INT_MAX;
  check_refused(buffer, caps, "stride of 2147483647");
  *meta = good;
  meta->n_planes = 2;
  check_refused(buffer, caps, "with 2 planes");
  gst_buffer_unref(buffer);

  // Without a GstVideoMeta the caps describe the picture.
  buffer = frames::make({GST_VIDEO_FORMAT_GRAY16_LE, 64, 48});
  crops::add(buffer, {0, 0, 64, 48});
  SystemFrame frame;
  std::string reason;
  fail_unless(frame.map(buffer, info_of(picture), Access::kRead, &reason), "%s", reason.c_str());
  frame.unmap();
  gst_buffer_get_video_crop_meta(buffer)->x = 1;
  check_refused(buffer, picture, "without a GstVideoMeta");
  gst_buffer_unref(buffer);
}

// Rows without padding, as in numpy and OpenCV. Smaller buffers are an error.
CHECK_TEST(test_rows_without_padding) {
  const Shape cases[] = {{GST_VIDEO_FORMAT_GRAY16_LE, 61, 40}, {GST_VIDEO_FORMAT_GRAY8, 61, 40}};
  for (const Shape& caps : cases) {
    const auto row = static_cast<gssize>(frames::row_bytes(caps));
    const gssize stride = (row + 3) / 4 * 4;
    for (const gssize missing : {0, 1}) {
      g_autoptr(GstBuffer) buffer = gst_buffer_new_allocate(nullptr, row * 40 - missing, nullptr);
      const std::string part =
          "takes " + std::to_string(stride * 40) + " bytes (" + std::to_string(stride) +
          " a row), but the buffer has " + std::to_string(row * 40 - missing) +
          (missing == 0 ? ": its rows are not padded. Pad each row to a multiple of 4 bytes "
                          "(numpy.pad), here from " +
                              std::to_string(row) + " to " + std::to_string(stride)
                        : "; a buffer with other strides");
      check_refused(buffer, caps, part.c_str());
    }
  }
}

// A hint appears only for the exact size of another format. Padded rows and rounded sizes are
// valid, and a GstVideoMeta locates the frame.
CHECK_TEST(test_times_too_large) {
  const struct {
    Shape caps;
    gsize bytes;
    int times;
  } cases[] = {
      {{GST_VIDEO_FORMAT_GRAY8, 64, 48}, 3072, 0},
      {{GST_VIDEO_FORMAT_GRAY8, 64, 48}, 3 * 3072, 3},
      {{GST_VIDEO_FORMAT_GRAY8, 64, 48}, 3 * 3072 + 1, 0},
      {{GST_VIDEO_FORMAT_GRAY8, 64, 48}, 4096, 0},
      {{GST_VIDEO_FORMAT_GRAY8, 64, 48}, 5 * 3072, 0},
      {{GST_VIDEO_FORMAT_GRAY8, 61, 48}, 3 * 61 * 48, 3},  // rows without padding
      {{GST_VIDEO_FORMAT_GRAY8, 61, 48}, 3 * 64 * 48, 3},
      {{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48}, 4 * 3072, 2},
      {{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48}, 16 * 3072, 0},
      {{GST_VIDEO_FORMAT_NV12, 64, 48}, 9216, 0},
  };
  for (const auto& one : cases) {
    const GstVideoInfo info = info_of(one.caps);
    g_autoptr(GstBuffer) buffer = gst_buffer_new_allocate(nullptr, one.bytes, nullptr);
    fail_unless_equals_int(rdp::gst::times_too_large(buffer, info), one.times);
    gst_buffer_add_video_meta(buffer, GST_VIDEO_FRAME_FLAG_NONE, one.caps.format,
                              static_cast<guint>(one.caps.width),
                              static_cast<guint>(one.caps.height));
    fail_unless_equals_int(rdp::gst::times_too_large(buffer, info), 0);
  }
}

// A crop applies to all surfaces of a batch.
CHECK_TEST(test_nvmm_crops) {
  for (const Shape& picture : kShapes) {
    for (const Rectangle& crop : crops::of(picture)) {
      nvmm_frames::Batch batch;
      batch.size = batch.filled = 2;
      batch.offset = 12;
      const auto surface = nvmm_frames::make_surface(picture, batch, 5);
      g_autoptr(GstBuffer) buffer = nvmm_frames::wrap(surface);
      crops::add(buffer, crop);
      rdp::gst::NvmmFrame frame;
      std::string reason;
      fail_unless(
          frame.map(buffer, info_of(crops::shape_of(crop, picture)), Access::kRead, &reason), "%s",
          reason.c_str());
      fail_unless_equals_int(static_cast<int>(frame.view().size()), 2);
      for (guint i = 0; i < 2; ++i) {
        const rdp::gst::NvmmSurface& part = frame.view()[i];
        fail_unless(part.width == crop.width && part.height == crop.height);
        const auto* data = reinterpret_cast<const std::uint8_t*>(part.data);
        fail_unless(crops::cut({0, 0, crop.width, crop.height}, picture, part.pitch, data) ==
                    crops::Cut(crop, picture, 5 + i).samples);
      }
      frame.unmap();
    }
  }
}

CHECK_TEST(test_bad_nvmm_crops) {
  const Shape picture{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48};
  const auto surface = nvmm_frames::make_surface(picture);
  g_autoptr(GstBuffer) buffer = nvmm_frames::wrap(surface);
  crops::add(buffer, {4, 2, 60, 48});
  rdp::gst::NvmmFrame frame;
  std::string reason;
  fail_if(frame.map(buffer, info_of({picture.format, 60, 48}), Access::kRead, &reason));
  fail_unless_equals_text(reason,
                          "the buffer's GstVideoCropMeta says 60x48 from x=4, y=2 on, but the "
                          "buffer's surface is 64x48: the element that crops has to stay inside "
                          "of it");
  gst_buffer_get_video_crop_meta(buffer)->height = 46;
  fail_unless(frame.map(buffer, info_of({picture.format, 60, 46}), Access::kRead, &reason));
  frame.unmap();
  fail_if(frame.map(buffer, info_of({picture.format, 60, 45}), Access::kRead, &reason));
  fail_unless(reason.find("the caps say 60x45, but the buffer's GstVideoCropMeta says 60x46") !=
              std::string::npos);
  // Hidden rows must also lie in the surface.
  gst_buffer_get_video_crop_meta(buffer)->height = 1;
  surface->put<std::uint32_t>(0, nvmm_frames::params::kDataSize,
                              static_cast<std::uint32_t>(surface->data_size() - surface->pitch()));
  fail_if(frame.map(buffer, info_of({picture.format, 60, 1}), Access::kRead, &reason));
  fail_unless(reason.find("48 rows of pitch 256") != std::string::npos, "%s", reason.c_str());
}

CHECK_CASE(frame_layout)
