// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpoverlay on RGBA and NV12 in system memory: bit-identical to common/image/blend.h, as the
// kernels are.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/rdpoverlay/blended_picture.h"
#include "tests/support/check_test.h"
#include "tests/support/crops.h"

using namespace overlay_rig;

namespace {

// Fills a picture with bytes of all values.
void fill(GstBuffer* picture) {
  GstMapInfo map;
  fail_unless(gst_buffer_map(picture, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; ++i) map.data[i] = static_cast<guint8>(i * 37 + i / 251 + 11);
  gst_buffer_unmap(picture, &map);
}

// The drawing, taken from the composition that rdpoverlay attaches if downstream blends.
std::vector<std::uint32_t> painted(const std::string& look, const PictureShape& shape,
                                   const DepthFrame& frame) {
  Rig rig(look, shape.caps(), depth_caps(frame));
  rig.downstream_blends = true;
  rig.push("video", picture_buffer(shape));
  rig.push("segments", depth_buffer(frame));
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s", error.c_str());
  const auto* meta = gst_buffer_get_video_overlay_composition_meta(rig.received[0]);
  fail_unless(meta != nullptr);
  GstBuffer* pixels = gst_video_overlay_rectangle_get_pixels_unscaled_argb(
      gst_video_overlay_composition_get_rectangle(meta->overlay, 0),
      GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
  const std::vector<std::uint8_t> bgra = planes(pixels, {"BGRA", shape.width, shape.height});
  std::vector<std::uint32_t> result(bgra.size() / 4);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = bgra[4 * i + 2] | static_cast<std::uint32_t>(bgra[4 * i + 1]) << 8 |
                static_cast<std::uint32_t>(bgra[4 * i]) << 16 |
                static_cast<std::uint32_t>(bgra[4 * i + 3]) << 24;
  }
  return result;
}

// Checks the output and returns all of its bytes.
std::vector<std::uint8_t> check_bits(const std::string& look, const PictureShape& shape,
                                     const DepthFrame& frame, GstBuffer* picture) {
  const std::vector<std::uint8_t> before = planes(picture, shape);
  std::vector<std::uint8_t> wanted = before;
  blend_planes(shape, painted(look, shape, frame), &wanted);
  fail_unless(wanted != before);
  Rig rig(look, shape.caps(), depth_caps(frame));
  rig.push("video", picture);
  rig.push("segments", depth_buffer(frame));
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s", error.c_str());
  fail_unless_equals_int(static_cast<int>(rig.received.size()), 1);
  const std::vector<std::uint8_t> got = planes(rig.received[0], shape);
  fail_unless_equals_int(static_cast<int>(got.size()), static_cast<int>(wanted.size()));
  for (std::size_t i = 0; i < got.size(); ++i) {
    fail_unless(got[i] == wanted[i], "%s, %s: byte %zu is %d, not %d", shape.caps().c_str(),
                look.c_str(), i, got[i], wanted[i]);
  }
  return frames::bytes(rig.received[0]);
}

const std::string kRange = " palette-min=0 palette-max=255";

}  // namespace

CHECK_TEST(test_the_bits_of_the_kernels) {
  const DepthFrame frame = many_segments();
  for (const char* opacity : {"opacity=1", "opacity=0.5"}) {
    for (const auto& [width, height] :
         {std::pair{7, 5}, std::pair{33, 27}, std::pair{48, 36}, std::pair{3, 3}}) {
      for (const PictureShape& shape :
           {PictureShape{"RGBA", width, height}, PictureShape{"NV12", width, height},
            PictureShape{"NV12", width, height, ",colorimetry=bt709"},
            PictureShape{"NV12", width, height, ",colorimetry=1:4:0:0"}}) {
        GstBuffer* picture = picture_buffer(shape);
        fill(picture);
        check_bits(opacity + kRange, shape, frame, picture);
      }
    }
  }
}

// GstVideoMeta locates rows and planes; padding bytes stay unchanged. So do pixels outside of the
// caps' size in a larger picture.
CHECK_TEST(test_padded_pictures) {
  const DepthFrame frame = many_segments();
  for (const char* format : {"RGBA", "NV12"}) {
    for (const bool larger : {false, true}) {
      const PictureShape shape{format, 33, 27};
      const bool nv12 = shape.format == "NV12";
      constexpr gsize kSize = 204 * 30 + 56 * 20;
      gsize offset[GST_VIDEO_MAX_PLANES] = {4, 4 + 204 * 30};
      gint stride[GST_VIDEO_MAX_PLANES] = {204, 56};
      GstBuffer* picture = gst_buffer_new_allocate(nullptr, kSize, nullptr);
      fill(picture);
      GST_BUFFER_PTS(picture) = 0;
      gst_buffer_add_video_meta_full(
          picture, GST_VIDEO_FRAME_FLAG_NONE, nv12 ? GST_VIDEO_FORMAT_NV12 : GST_VIDEO_FORMAT_RGBA,
          larger ? 40 : 33, larger ? 30 : 27, nv12 ? 2 : 1, offset, stride);
      const std::vector<std::uint8_t> before = frames::bytes(picture);
      const std::vector<std::uint8_t> after =
          check_bits("opacity=0.5" + kRange, shape, frame, picture);
      for (gsize i = 0; i < kSize; ++i) {
        const bool second = nv12 && i >= offset[1];
        const gsize from = i < 4 ? 0 : i - offset[second ? 1 : 0];
        const gsize pitch = second ? 56 : 204;
        const gsize bytes = second ? 34 : nv12 ? 33 : 132;
        const gsize rows = second ? 14 : 27;
        if (i >= 4 && from / pitch < rows && from % pitch < bytes) continue;
        fail_unless(after[i] == before[i], "%s byte %zu", format, i);
      }
    }
  }
}

// --- pictures that are cropped in place
// -----------------------------------------------------------

namespace {

// The bytes of a picture without row padding, which gst_video_frame_copy() copies since GStreamer
// 1.26 if the strides match.
std::vector<std::uint8_t> tight(GstBuffer* buffer, const PictureShape& shape) {
  const GstVideoInfo info = shape.info();
  GstVideoFrame frame;
  fail_unless(gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ));
  std::vector<std::uint8_t> result;
  for (guint plane = 0; plane < GST_VIDEO_FRAME_N_PLANES(&frame); ++plane) {
    int bytes = 0;
    int rows = 0;
    for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS(&frame); ++c) {
      if (GST_VIDEO_FRAME_COMP_PLANE(&frame, c) != plane) continue;
      bytes = std::max(
          bytes, GST_VIDEO_FRAME_COMP_WIDTH(&frame, c) * GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, c));
      rows = std::max(rows, GST_VIDEO_FRAME_COMP_HEIGHT(&frame, c));
    }
    const auto* row = static_cast<const std::uint8_t*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, plane));
    for (; rows > 0; --rows, row += GST_VIDEO_FRAME_PLANE_STRIDE(&frame, plane)) {
      result.insert(result.end(), row, row + bytes);
    }
  }
  gst_video_frame_unmap(&frame);
  return result;
}

// A copy of the crop, made by videocrop.
GstBuffer* cut(GstBuffer* picture, const PictureShape& shape, const crops::Rectangle& crop) {
  rdp::test::PipelineRig rig("appsrc name=in format=time ! videocrop left=" +
                             std::to_string(crop.x) + " top=" + std::to_string(crop.y) +
                             " right=" + std::to_string(shape.width - crop.x - crop.width) +
                             " bottom=" + std::to_string(shape.height - crop.y - crop.height) +
                             " ! fakesink name=out sync=false async=false");
  rig.set_caps("in", shape.caps());
  rdp::test::Received received(rig.get("out"));
  rig.push("in", gst_buffer_copy_deep(picture));
  rig.end({"in"});
  rig.play();
  const std::string error = rig.wait();
  fail_unless(error.empty() && received.buffers.size() == 1, "%s", error.c_str());
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  return gst_buffer_ref(received.buffers[0]);
}

// The output for a picture with caps `shape`; an error goes to *error.
GstBuffer* drawn_on(GstBuffer* picture, const PictureShape& shape, std::string* error) {
  const DepthFrame frame = many_segments();
  Rig rig("opacity=0.5" + kRange, shape.caps(), depth_caps(frame));
  rig.push("video", picture);
  rig.push("segments", depth_buffer(frame));
  *error = rig.run();
  return rig.received.empty() ? nullptr : gst_buffer_ref(rig.received[0]);
}

// True if the first component of a pixel is the same in both pictures.
bool same_pixel(GstVideoFrame* a, GstVideoFrame* b, int row, int column) {
  const auto at = [&](GstVideoFrame* frame) {
    return static_cast<const guint8*>(GST_VIDEO_FRAME_COMP_DATA(frame, 0)) +
           row * GST_VIDEO_FRAME_COMP_STRIDE(frame, 0) +
           column * GST_VIDEO_FRAME_COMP_PSTRIDE(frame, 0);
  };
  return *at(a) == *at(b);
}

}  // namespace

// A crop in place gets the pixels of a cropped copy; pixels around it stay unchanged.
CHECK_TEST(test_cropped_pictures) {
  for (const char* format : {"RGBA", "NV12", "NV21", "I420", "YV12", "Y42B", "Y444", "GRAY8", "RGB",
                             "BGRx", "YUY2", "UYVY"}) {
    const PictureShape whole{format, 37, 29};
    const bool divided = std::string(format) == "YUY2" || std::string(format) == "UYVY";
    for (const crops::Rectangle& crop : std::initializer_list<crops::Rectangle>{
             {0, 0, 37, 29}, {2, 4, 30, 20}, {3, 5, 27, 23}, {7, 1, 30, 27}, {0, 3, 36, 26}}) {
      if (divided && crop.x % 2 != 0) continue;
      const PictureShape shape{format, crop.width, crop.height};
      GstBuffer* picture = picture_buffer(whole);
      fill(picture);
      const GstVideoInfo info = whole.info();
      GstVideoInfo own = info;
      gst_buffer_add_video_meta_full(picture, GST_VIDEO_FRAME_FLAG_NONE,
                                     GST_VIDEO_INFO_FORMAT(&info), 37, 29,
                                     GST_VIDEO_INFO_N_PLANES(&info), own.offset, own.stride);
      GstBuffer* const before = gst_buffer_copy_deep(picture);
      std::string error;
      GstBuffer* const copied = drawn_on(cut(picture, whole, crop), shape, &error);
      fail_unless(error.empty() && copied != nullptr, "%s: %s", format, error.c_str());
      crops::add(picture, crop);
      GstBuffer* const after = drawn_on(picture, shape, &error);
      fail_unless(error.empty() && after != nullptr, "%s: %s", format, error.c_str());
      gst_buffer_remove_meta(after, &gst_buffer_get_video_crop_meta(after)->meta);
      GstBuffer* const of_after = cut(after, whole, crop);
      GstBuffer* const of_before = cut(before, whole, crop);
      const std::string where =
          std::string(format) + ", " + std::to_string(crop.x) + ", " + std::to_string(crop.y);
      fail_unless(tight(of_after, shape) == tight(copied, shape), "%s", where.c_str());
      fail_unless(tight(of_after, shape) != tight(of_before, shape), "%s", where.c_str());
      GstVideoFrame a, b;
      fail_unless(gst_video_frame_map(&a, &info, before, GST_MAP_READ));
      fail_unless(gst_video_frame_map(&b, &info, after, GST_MAP_READ));
      for (int row = 0; row < 29 && GST_VIDEO_FRAME_COMP_PSTRIDE(&a, 0) > 0; ++row) {
        for (int column = 0; column < 37; ++column) {
          const bool inside = row >= crop.y && row < crop.y + crop.height && column >= crop.x &&
                              column < crop.x + crop.width;
          fail_unless(inside || same_pixel(&a, &b, row, column), "%s: row %d, column %d",
                      where.c_str(), row, column);
        }
      }
      gst_video_frame_unmap(&b);
      gst_video_frame_unmap(&a);
      for (GstBuffer* buffer : {before, copied, after, of_after, of_before}) {
        gst_buffer_unref(buffer);
      }
    }
  }
}

CHECK_TEST(test_crops_that_cannot_be_drawn_on) {
  struct Case {
    const char* format;
    crops::Rectangle crop;
    const char* part;
  };
  for (const Case& one : {
           Case{"YUY2", {1, 0, 20, 20}, "share bytes: crop at an even x"},
           Case{"v210", {2, 0, 20, 20}, "from x=2, y=0 on (GstVideoCropMeta)"},
           Case{"NV12", {18, 0, 20, 20}, "20x20 from x=18, y=0 on, but its picture is 37x29"},
           Case{"I420", {0, 0, 19, 20}, "the buffer's GstVideoCropMeta says 19x20"},
       }) {
    GstBuffer* picture = picture_buffer({one.format, 37, 29});
    const GstVideoInfo info = PictureShape{one.format, 37, 29}.info();
    GstVideoInfo own = info;
    gst_buffer_add_video_meta_full(picture, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT(&info),
                                   37, 29, GST_VIDEO_INFO_N_PLANES(&info), own.offset, own.stride);
    crops::add(picture, one.crop);
    std::string error;
    fail_unless(drawn_on(picture, {one.format, 20, 20}, &error) == nullptr);
    rdp::test::check_has(error, one.part);
  }
}

// Caps switch to a format that libgstvideo blends, and back: each picture gets the same drawing.
CHECK_TEST(test_formats_in_turn) {
  const DepthFrame frame = many_segments();
  const std::string look = "opacity=0.5" + kRange;
  const PictureShape shape{"RGBA", 33, 27};
  std::vector<std::uint8_t> wanted(static_cast<std::size_t>(4 * 33 * 27), 128);
  blend_planes(shape, painted(look, shape, frame), &wanted);
  Rig rig(look, shape.caps(), depth_caps(frame));
  rig.push("segments", depth_buffer(frame));
  guint i = 0;
  for (const char* format : {"RGBA", "BGRA", "RGBA", "NV12", "RGBA"}) {
    const PictureShape now{format, 33, 27};
    rig.set_caps("video", now.caps());
    rig.push("video", picture_buffer(now, i++ * GST_SECOND / 30));
  }
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s", error.c_str());
  fail_unless_equals_int(static_cast<int>(rig.received.size()), 5);
  for (const std::size_t rgba : {0U, 2U, 4U}) {
    fail_unless(planes(rig.received[rgba], shape) == wanted, "picture %zu", rgba);
  }
}

// rdpoverlay offers cropping in place to upstream, except for formats whose pixels share bytes:
// upstream elements do not check where the crop begins.
CHECK_TEST(test_crops_are_offered) {
  const struct {
    const char* format;
    gboolean offered;
  } cases[] = {{"RGBA", TRUE}, {"NV12", TRUE}, {"I420", TRUE}, {"YUY2", FALSE}, {"v210", FALSE}};
  for (const auto& c : cases) {
    g_autoptr(GstElement) overlay = gst_element_factory_make("rdpoverlay", nullptr);
    g_autoptr(GstHarness) harness = gst_harness_new_with_element(overlay, "video", "src");
    gst_harness_add_propose_allocation_meta(harness, GST_VIDEO_CROP_META_API_TYPE, nullptr);
    g_autoptr(GstCaps) caps = gst_caps_from_string(
        (std::string("video/x-raw,width=48,height=36,framerate=30/1,format=") + c.format).c_str());
    gst_harness_set_src_caps(harness, gst_caps_ref(caps));
    g_autoptr(GstQuery) query = gst_query_new_allocation(caps, FALSE);
    fail_unless(gst_pad_peer_query(harness->srcpad, query));
    fail_unless(
        gst_query_find_allocation_meta(query, GST_VIDEO_CROP_META_API_TYPE, nullptr) == c.offered,
        "%s", c.format);
  }
}

CHECK_CASE(rdpoverlay_bits, .seconds = 60)
