// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpoverlay on pictures in system memory: formats, compositions, sizes, cameras, errors.
#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>
#include <gst/video/video-overlay-composition.h>

#include <cstdlib>
#include <numbers>

#include "common/image/blend.h"
#include "common/rdp/birdseye.h"
#include "common/rdp/overlay_pixels.h"
#include "tests/rdpoverlay/overlay_rig.h"
#include "tests/support/await.h"
#include "tests/support/check_test.h"
#include "tests/support/obstacles_fixture.h"
#include "tests/support/planes_fixture.h"

using namespace overlay_rig;

namespace {

std::uint32_t palette(int value) { return rdp::make_pale_colours().level[0].entry[value]; }

// Draws `frame` on one picture and returns the result of drawing().
std::string draw_one(Rig& rig, const PictureShape& shape, const DepthFrame& frame) {
  rig.push("video", picture_buffer(shape));
  rig.push("segments", depth_buffer(frame));
  const std::string error = rig.run();
  if (!error.empty()) return error;
  fail_unless_equals_int(static_cast<int>(rig.received.size()), 1);
  return drawing(rig.received[0], shape);
}

std::string draw_one(const std::string& properties, const PictureShape& shape,
                     const DepthFrame& frame) {
  Rig rig(properties, shape.caps(), depth_caps(frame));
  return draw_one(rig, shape, frame);
}

// A depth camera with 100 px of focal length and samples in centimetres. Its pose is the place (x,
// y, z) in the world, unless `has_pose` is false.
GstRdpCamera* camera_at(double x, double y, double z, guint width = 13, guint height = 6,
                        bool has_pose = true) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = width;
  info.height = height;
  info.focal_length = info.focal_length_y = 100.0;
  info.principal_x = 4.0;
  info.principal_y = 2.0;
  info.measures = GST_RDP_MEASURE_DEPTH;
  info.depth_unit = 0.01;
  info.has_pose = has_pose;
  const double pose[12] = {1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z};
  if (has_pose) std::copy(pose, pose + 12, info.pose);
  GError* error = nullptr;
  GstRdpCamera* camera = gst_rdp_camera_new(&info, &error);
  fail_unless(camera != nullptr, "%s", error != nullptr ? error->message : "");
  return camera;
}

}  // namespace

// Undrawn pixels stay unchanged in every format; drawn pixels change.
CHECK_TEST(test_formats) {
  for (const char* format :
       {"I420",  "NV12",  "YV12",      "YUY2",      "UYVY",      "Y444", "Y42B", "AYUV",
        "RGBA",  "BGRA",  "ARGB",      "RGBx",      "BGRx",      "xRGB", "RGB",  "BGR",
        "RGB16", "GRAY8", "GRAY16_LE", "P010_10LE", "I420_10LE", "v210", "NV16", "GBR"}) {
    const PictureShape shape{format, 48, 36};
    const DepthFrame frame = two_columns();
    Rig rig(kOpaque, shape.caps(), depth_caps(frame));
    // 10-bit samples are at most 1023, and three of them leave two bits of a word unused.
    const std::uint8_t fill = shape.format == "I420_10LE" || shape.format == "v210" ? 1 : 128;
    rig.push("video", picture_buffer(shape, 0, fill));
    rig.push("segments", depth_buffer(frame));
    check(rig.run(), "");
    fail_unless_equals_int(static_cast<int>(rig.received.size()), 1);
    const GstVideoInfo info = shape.info();
    GstVideoFrame out;
    fail_unless(gst_video_frame_map(&out, &info, rig.received[0], GST_MAP_READ));
    fail_unless_equals_int(GST_VIDEO_FRAME_WIDTH(&out), 48);
    const auto* row_of = static_cast<const guint8*>(GST_VIDEO_FRAME_PLANE_DATA(&out, 0));
    const auto stride = GST_VIDEO_FRAME_PLANE_STRIDE(&out, 0);
    const int bytes = GST_VIDEO_INFO_PLANE_STRIDE(&info, 0) / 48;
    // The first and the last row are outside of the segments, the middle row inside.
    for (const int row : {0, 35}) {
      for (int i = 0; i < 48 * bytes; ++i) {
        fail_unless(row_of[row * stride + i] == fill, "%s row %d byte %d", format, row, i);
      }
    }
    bool changed = false;
    for (int i = 20 * bytes; i < 28 * bytes; ++i) {
      changed = changed || row_of[18 * stride + i] != fill;
    }
    fail_unless(changed, "%s", format);
    gst_video_frame_unmap(&out);
  }
}

CHECK_TEST(test_colours_and_opacity) {
  const PictureShape shape;
  const DepthFrame frame = two_columns();
  Rig rig(kOpaque, shape.caps(), depth_caps(frame));
  check(draw_one(rig, shape, frame), kTwoColumns);
  GstBuffer* out = rig.received[0];
  fail_unless_equals_int_hex(pixel(out, shape, 2, 3) & 0xFFFFFF, palette(100) & 0xFFFFFF);
  fail_unless_equals_int_hex(pixel(out, shape, 1, 3) & 0xFFFFFF,
                             rdp::darkened(palette(100)) & 0xFFFFFF);

  // A quarter drawing, three quarters picture.
  Rig quarter("opacity=0.25 palette-min=0 palette-max=255", shape.caps(), depth_caps(frame));
  draw_one(quarter, shape, frame);
  fail_unless_equals_int_hex(pixel(quarter.received[0], shape, 2, 3),
                             rdp::blended_pixel(0x80808080, (palette(100) & 0xFFFFFF) | 64U << 24));
  check(draw_one("opacity=0", shape, frame),
        "........ ........ ........ ........ ........ ........ ");
  check(draw_one("style=classes opacity=1", shape, frame), kTwoColumns);
}

// A controlled property has its value at each picture's time.
CHECK_TEST(test_controlled_opacity) {
  const PictureShape shape;
  const DepthFrame frame = two_columns();
  Rig rig("palette-min=0 palette-max=255", shape.caps(), depth_caps(frame));
  GstControlSource* source = gst_interpolation_control_source_new();
  g_object_set(source, "mode", GST_INTERPOLATION_MODE_LINEAR, nullptr);
  gst_object_add_control_binding(
      GST_OBJECT(rig.element()),
      gst_direct_control_binding_new(GST_OBJECT(rig.element()), "opacity", source));
  auto* timed = GST_TIMED_VALUE_CONTROL_SOURCE(source);
  gst_timed_value_control_source_set(timed, 0, 0.0);
  gst_timed_value_control_source_set(timed, GST_SECOND, 1.0);
  for (guint i = 0; i < 3; ++i) {
    rig.push("video", picture_buffer(shape, i * GST_SECOND / 2, 255));
    rig.push("segments", depth_buffer(frame, i * GST_SECOND / 2));
  }
  check(rig.run(), "");
  fail_unless_equals_int(static_cast<int>(rig.received.size()), 3);
  const auto green = [&](int i) {
    return static_cast<int>(pixel(rig.received[static_cast<std::size_t>(i)], shape, 3, 3) >> 8 &
                            0xFF);
  };
  const int opaque = static_cast<int>(palette(100) >> 8 & 0xFF);
  fail_unless_equals_int(green(0), 255);
  fail_unless(std::abs(green(1) - (255 + opaque) / 2) <= 1, "%d, of %d", green(1), opaque);
  fail_unless_equals_int(green(2), opaque);
  gst_object_unref(source);
}

CHECK_TEST(test_sizes_differ) {
  const DepthFrame frame = two_columns();
  check(draw_one(kOpaque, {"RGBA", 16, 6}, frame),
        "................ ......####...... ......####...... ......####...... ......####...... "
        "................ ");
  check(draw_one(kOpaque, {"RGBA", 4, 3}, frame), ".#.. .#.. .... ");
  // The placement in the metadata follows scaling and cropping.
  GstBuffer* depth = depth_buffer(frame);
  GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(depth);
  meta->scale_x = 0.5;
  meta->offset_x = 2.0;
  const PictureShape shape;
  Rig rig(kOpaque, shape.caps(), depth_caps(frame));
  rig.push("video", picture_buffer(shape));
  rig.push("segments", depth);
  check(rig.run(), "");
  check(drawing(rig.received[0], shape), "........ ...#.... ...#.... ...#.... ...#.... ........ ");
}

// Pictures without matching segments pass through without a copy.
CHECK_TEST(test_bare_pictures) {
  const PictureShape shape;
  const DepthFrame frame = two_columns();
  Rig rig(kOpaque + " max-age=50000000", shape.caps(), depth_caps(frame));
  GstBuffer* pictures[4];
  for (guint i = 0; i < 4; ++i) {
    pictures[i] = picture_buffer(shape, i * GST_SECOND / 30);
    rig.push("video", gst_buffer_ref(pictures[i]));
  }
  rig.push("segments", depth_buffer(frame, GST_SECOND / 30));
  check(rig.run(), "");
  fail_unless_equals_int(static_cast<int>(rig.received.size()), 4);
  // Picture 0 precedes the frame, 1 and 2 match it, and it is too old for 3.
  for (const guint i : {0U, 3U}) {
    fail_unless(gst_buffer_peek_memory(rig.received[i], 0) ==
                gst_buffer_peek_memory(pictures[i], 0));
  }
  for (const guint i : {1U, 2U}) {
    check(drawing(rig.received[i], shape), kTwoColumns);
    // The test holds a reference, so rdpoverlay must not write to the picture.
    check(drawing(pictures[i], shape), "........ ........ ........ ........ ........ ........ ");
    fail_unless_equals_uint64(GST_BUFFER_PTS(rig.received[i]), GST_BUFFER_PTS(pictures[i]));
  }
  for (GstBuffer* picture : pictures) gst_buffer_unref(picture);
  g_autoptr(GstStructure) stats = nullptr;
  g_object_get(rig.element(), "stats", &stats, nullptr);
  guint64 paired = 0;
  guint64 unpaired = 0;
  fail_unless(gst_structure_get(stats, "paired", G_TYPE_UINT64, &paired, "unpaired", G_TYPE_UINT64,
                                &unpaired, nullptr));
  fail_unless_equals_uint64(paired, 2);
  fail_unless_equals_uint64(unpaired, 2);
}

// rdpoverlay draws in place on buffers without other references.
CHECK_TEST(test_no_copy_where_none_is_needed) {
  const PictureShape shape;
  const DepthFrame frame = two_columns();
  Rig rig(kOpaque, shape.caps(), depth_caps(frame));
  GstBuffer* picture = picture_buffer(shape);
  GstMemory* memory = gst_buffer_peek_memory(picture, 0);
  rig.push("video", picture);
  rig.push("segments", depth_buffer(frame));
  check(rig.run(), "");
  fail_unless(gst_buffer_peek_memory(rig.received[0], 0) == memory);
  check(drawing(rig.received[0], shape), kTwoColumns);
}

// --- compositions -------------------------------------------------------------------------------

CHECK_TEST(test_attached_where_downstream_blends) {
  for (const bool blends : {true, false}) {
    const PictureShape shape{"NV12", 16, 12};
    const DepthFrame frame = two_columns();
    Rig rig(kOpaque, shape.caps(), depth_caps(frame));
    rig.downstream_blends = blends;
    rig.push("video", picture_buffer(shape));
    rig.push("segments", depth_buffer(frame));
    check(rig.run(), "");
    GstBuffer* out = rig.received[0];
    GstVideoOverlayCompositionMeta* meta = gst_buffer_get_video_overlay_composition_meta(out);
    GstCaps* caps = rig.sink_caps();
    const bool marked = gst_caps_features_contains(
        gst_caps_get_features(caps, 0), GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION);
    gst_caps_unref(caps);
    fail_unless_equals_int(marked, blends);
    fail_unless_equals_int(meta != nullptr, blends);
    bool touched = false;
    for (const std::uint8_t byte : frames::bytes(out)) touched = touched || byte != 128;
    fail_unless_equals_int(touched, !blends);
    if (!blends) continue;
    fail_unless_equals_int(
        static_cast<int>(gst_video_overlay_composition_n_rectangles(meta->overlay)), 1);
    GstVideoOverlayRectangle* rectangle =
        gst_video_overlay_composition_get_rectangle(meta->overlay, 0);
    GstBuffer* pixels = gst_video_overlay_rectangle_get_pixels_unscaled_argb(
        rectangle, GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
    const PictureShape argb{"BGRA", 16, 12};
    std::string row;
    for (int column = 0; column < 16; ++column) {
      row += pixel(pixels, argb, 6, column) == 0 ? '.' : '#';
    }
    check(row, "......####......");
    const std::uint32_t p = pixel(pixels, argb, 6, 7);
    const std::uint32_t rgb = palette(100);
    fail_unless_equals_int_hex(
        p, (rgb & 0xFF00U) | (rgb >> 16 & 0xFF) | (rgb & 0xFF) << 16 | 0xFF000000U);
  }
}

// So do elements in between that know no allocation before they have caps, and what takes pictures
// with compositions alone.
CHECK_TEST(test_attached_further_down) {
  const PictureShape shape{"NV12", 16, 12};
  const DepthFrame frame = two_columns();
  constexpr const char* kNoOthers =
      " ! video/x-raw(memory:SystemMemory,meta:GstVideoOverlayComposition)";
  for (const auto& [behind, blends] : {std::pair{" ! identity", true}, std::pair{" ! queue", true},
                                       std::pair{" ! videoconvert", true},
                                       std::pair{kNoOthers, true}, std::pair{kNoOthers, false}}) {
    Rig rig(kOpaque, shape.caps(), depth_caps(frame), behind);
    rig.downstream_blends = blends;
    rig.push("video", picture_buffer(shape));
    rig.push("segments", depth_buffer(frame));
    check(rig.run(), "");
    fail_unless_equals_int(static_cast<int>(rig.received.size()), 1);
    fail_unless(gst_buffer_get_video_overlay_composition_meta(rig.received[0]) != nullptr, "%s",
                behind);
  }
}

// Compositions already attached stay; the segments go on top.
CHECK_TEST(test_compositions_that_came_along) {
  const PictureShape shape{"NV12", 16, 12};
  const DepthFrame frame = two_columns();
  std::string caps = shape.caps();
  caps.insert(std::string("video/x-raw").size(),
              "(memory:SystemMemory,meta:GstVideoOverlayComposition)");
  Rig rig(kOpaque, caps, depth_caps(frame));
  rig.downstream_blends = true;
  g_autoptr(GstBuffer) pixels = picture_buffer({"BGRA", 4, 4});
  gst_buffer_add_video_meta(pixels, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_BGRA, 4, 4);
  GstVideoOverlayRectangle* text =
      gst_video_overlay_rectangle_new_raw(pixels, 1, 1, 4, 4, GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
  GstVideoOverlayComposition* composition = gst_video_overlay_composition_new(text);
  GstBuffer* picture = picture_buffer(shape);
  gst_buffer_add_video_overlay_composition_meta(picture, composition);
  rig.push("video", picture);
  rig.push("segments", depth_buffer(frame));
  check(rig.run(), "");
  GstVideoOverlayCompositionMeta* meta =
      gst_buffer_get_video_overlay_composition_meta(rig.received[0]);
  fail_unless(meta != nullptr);
  fail_unless_equals_int(
      static_cast<int>(gst_video_overlay_composition_n_rectangles(meta->overlay)), 2);
  fail_unless(gst_video_overlay_composition_get_rectangle(meta->overlay, 0) == text);
  gst_video_overlay_composition_unref(composition);
  gst_video_overlay_rectangle_unref(text);
}

// Segments shared by several pictures are painted once.
CHECK_TEST(test_drawings_are_used_again) {
  const PictureShape shape;
  const DepthFrame frame = two_columns();
  Rig rig(kOpaque, shape.caps(), depth_caps(frame));
  rig.downstream_blends = true;
  for (guint i = 0; i < 3; ++i) rig.push("video", picture_buffer(shape, i * GST_SECOND / 30));
  rig.push("segments", depth_buffer(frame));
  check(rig.run(), "");
  const auto composition = [&](guint i) {
    return gst_buffer_get_video_overlay_composition_meta(rig.received[i])->overlay;
  };
  fail_unless(composition(0) == composition(1) && composition(1) == composition(2));
}

// --- cameras ------------------------------------------------------------------------------------

// The colour camera is 5 cm to the right of the depth camera: 5 px at 1 m, 10 px at 50 cm.
CHECK_TEST(test_projection) {
  g_autoptr(GstRdpCamera) depth = camera_at(7.0, 1.0, 0.0);
  g_autoptr(GstRdpCamera) colour = camera_at(7.05, 1.0, 0.0, 8);
  DepthFrame frame;
  frame.width = 13;
  frame.camera = depth;
  frame.columns.resize(13);
  frame.columns[7] = {{0, 4, 100.0F, 100.0F}};  // column 2 of the picture
  frame.columns[12] = {{1, 3, 50.0F, 50.0F}};   // the same column, in front of it
  const PictureShape shape;
  Rig rig(kOpaque, shape.caps(), depth_caps(frame));
  GstBuffer* picture = picture_buffer(shape);
  gst_buffer_add_rdp_camera_meta(picture, colour);
  rig.push("video", picture);
  rig.push("segments", depth_buffer(frame));
  check(rig.run(), "");
  check(drawing(rig.received[0], shape), "..#..... ..#..... ..#..... ..#..... ..#..... ........ ");
  fail_unless_equals_int_hex(pixel(rig.received[0], shape, 2, 2) & 0xFFFFFF,
                             palette(50) & 0xFFFFFF);
  fail_unless(rig.warnings.empty(), "%s", rig.warnings[0].c_str());
}

// Without the data for a projection, segments are scaled. If a camera on video suggests that a
// projection was intended, a warning names the missing data.
CHECK_TEST(test_no_projection) {
  GstRdpCamera* with_pose = camera_at(7.0, 1.0, 0.0);
  GstRdpCamera* colour = camera_at(7.05, 1.0, 0.0, 8);
  GstRdpCamera* without = camera_at(0, 0, 0, 13, 6, false);
  GstRdpCamera* colour_without = camera_at(0, 0, 0, 8, 6, false);
  GstRdpCameraInfo unknown = *gst_rdp_camera_get_info(with_pose);
  unknown.measures = GST_RDP_MEASURE_UNKNOWN;
  unknown.depth_unit = 0.0;
  GstRdpCamera* no_metres = gst_rdp_camera_new(&unknown, nullptr);
  fail_unless(no_metres != nullptr);
  struct {
    GstRdpCamera* video;
    GstRdpCamera* segments;
    const char* warning;
  } cases[] = {
      {nullptr, nullptr, nullptr},
      {nullptr, with_pose, nullptr},
      {colour_without, without, nullptr},
      {colour, nullptr, "the frames on segments have no camera"},
      {colour, without, "the camera of the frames on segments has no pose"},
      {colour_without, with_pose, "the camera of video has no pose"},
      {colour, no_metres, "measure"},
      {with_pose, with_pose, "13x6"},  // of a picture of another size: it was lost
  };
  for (const auto& one : cases) {
    DepthFrame frame;
    frame.width = 13;
    frame.camera = one.segments;
    frame.columns.assign(13, {{0, 4, 100.0F, 100.0F}});
    const PictureShape shape;
    Rig rig(kOpaque, shape.caps(), depth_caps(frame));
    for (guint i = 0; i < 2; ++i) {
      GstBuffer* picture = picture_buffer(shape, i * GST_SECOND / 30);
      if (one.video != nullptr) gst_buffer_add_rdp_camera_meta(picture, one.video);
      rig.push("video", picture);
      rig.push("segments", depth_buffer(frame, i * GST_SECOND / 30));
    }
    check(rig.run(), "");
    fail_unless_equals_int(static_cast<int>(rig.received.size()), 2);
    check(drawing(rig.received[1], shape),
          "######## ######## ######## ######## ######## ........ ");
    // One warning per stream.
    fail_unless(rig.warnings.size() == (one.warning == nullptr ? 0U : 1U), "%zu warnings, not %s",
                rig.warnings.size(), one.warning == nullptr ? "none" : one.warning);
    if (one.warning != nullptr) check_has(rig.warnings[0], one.warning);
  }
  for (GstRdpCamera* camera : {with_pose, colour, without, colour_without, no_metres}) {
    gst_rdp_camera_unref(camera);
  }
}

// --- from above ---------------------------------------------------------------------------------

// The view has the requested corner and width; everything else stays unchanged.
CHECK_TEST(test_birdseye) {
  g_autoptr(GstRdpCamera) camera = camera_at(0, 0, 0, 40, 30, false);
  DepthFrame frame;
  frame.width = 40;
  frame.height = 30;
  frame.camera = camera;
  frame.columns.assign(40, {{0, 29, 300.0F, 300.0F}});
  const PictureShape shape{"RGBA", 100, 100};
  // A margin of 2 px and half of the width, 50 px. A camera with so narrow a view gives a square.
  const struct {
    const char* position;
    int left;
    int top;
  } corners[] = {
      {"top-left", 2, 2}, {"top-right", 48, 2}, {"bottom-left", 2, 48}, {"bottom-right", 48, 48}};
  for (const auto& corner : corners) {
    Rig rig(
        std::string("opacity=1 style=birdseye inset-size=0.5 inset-position=") + corner.position,
        shape.caps(), depth_caps(frame));
    rig.push("video", picture_buffer(shape));
    rig.push("segments", depth_buffer(frame));
    check(rig.run(), "");
    bool obstacle = false;
    for (int row = 0; row < 100; ++row) {
      for (int column = 0; column < 100; ++column) {
        const bool inside = row >= corner.top && row < corner.top + 50 && column >= corner.left &&
                            column < corner.left + 50;
        const std::uint32_t p = pixel(rig.received[0], shape, row, column);
        fail_unless(inside || p == 0x80808080, "%s: row %d, column %d", corner.position, row,
                    column);
        obstacle = obstacle || (p & 0xFFFFFF) == (rdp::kObstaclePixel & 0xFFFFFF);
      }
    }
    // The wall 3 m ahead.
    fail_unless(obstacle, "%s", corner.position);
  }
}

CHECK_TEST(test_birdseye_needs_metres) {
  const DepthFrame frame = two_columns();
  check_has(draw_one("style=birdseye", {}, frame), "style=birdseye needs metres");
  check_has(draw_one("style=birdseye", {}, frame), "the frames on segments have no camera");
}

// --- boxes --------------------------------------------------------------------------------------

static GstBuffer* buffer_of_obstacles(const DepthFrame& frame) {
  ObstaclesContent content = two_obstacles();
  content.info.width = frame.width;
  content.info.height = frame.height;
  for (GstRdpObstacle& object : content.objects) object.rows = 4;
  GstRdpObstacles* obstacles = new_obstacles(content);
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, 96, nullptr);
  GST_BUFFER_PTS(buffer) = 0;
  gst_buffer_add_rdp_obstacles_meta(buffer, obstacles);
  gst_rdp_obstacles_unref(obstacles);
  return buffer;
}

// Two columns from the third row on, with a dark edge.
CHECK_TEST(test_boxes) {
  const PictureShape shape;
  const DepthFrame frame = two_columns();
  Rig rig("opacity=1 style=boxes", shape.caps(), depth_caps(frame));
  rig.push("video", picture_buffer(shape));
  rig.push("segments", buffer_of_obstacles(frame));
  check(rig.run(), "");
  check(drawing(rig.received[0], shape), "........ ####.... ####.... ####.... ####.... ####.... ");

  Rig without("style=boxes", shape.caps(), depth_caps(frame));
  check_has(draw_one(without, shape, frame), "no obstacles, which style=boxes needs");
  Rig of_segments(kOpaque, shape.caps(), depth_caps(frame));
  of_segments.push("video", picture_buffer(shape));
  of_segments.push("segments", buffer_of_obstacles(frame));
  check_has(of_segments.run(), "carries obstacles and no segments. Set style=boxes");
}

// --- errors -------------------------------------------------------------------------------------

CHECK_TEST(test_frames_without_segments) {
  const PictureShape shape;
  const DepthFrame frame = two_columns();
  Rig rig(kOpaque, shape.caps(), depth_caps(frame));
  rig.push("video", picture_buffer(shape));
  rig.push("segments", gst_buffer_new_allocate(nullptr, 96, nullptr));
  check_has(rig.run(), "put rdpsegment before that pad");

  Rig of_planes(kOpaque, shape.caps(), depth_caps(frame));
  of_planes.push("video", picture_buffer(shape));
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, 96, nullptr);
  GstRdpPlanes* planes = new_planes(wall_and_floor());
  gst_buffer_add_rdp_planes_meta(buffer, planes);
  gst_rdp_planes_unref(planes);
  of_planes.push("segments", buffer);
  check_has(of_planes.run(), "Set style=planes, or put rdpsegment before that pad");
}

CHECK_TEST(test_pictures_that_cannot_be_drawn_on) {
  const PictureShape shape;
  const DepthFrame frame = two_columns();
  Rig rig(kOpaque, shape.caps(), depth_caps(frame));
  GstBuffer* small = gst_buffer_new_allocate(nullptr, 100, nullptr);
  GST_BUFFER_PTS(small) = 0;
  rig.push("video", small);
  rig.push("segments", depth_buffer(frame));
  check_has(rig.run(), "8x6 RGBA, which takes 192 bytes (32 a row), but the buffer has 100");

  Rig smaller(kOpaque, shape.caps(), depth_caps(frame));
  GstBuffer* picture = picture_buffer(shape);
  gst_buffer_add_video_meta(picture, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_RGBA, 8, 4);
  smaller.push("video", picture);
  smaller.push("segments", depth_buffer(frame));
  check_has(smaller.run(), "the caps say 8x6, but its GstVideoMeta is 8x4");
}

CHECK_TEST(test_refused_caps) {
  const DepthFrame frame = two_columns();
  Rig rig(kOpaque, "video/x-raw(memory:NVMM),format=P010_10LE,width=8,height=6,framerate=30/1",
          depth_caps(frame));
  rig.push("video", picture_buffer({}));
  rig.push("segments", depth_buffer(frame));
  const std::string error = rig.run();
  check_has(error, "rdpoverlay takes");
  check_has(error, "P010_10LE");
}

CHECK_CASE(rdpoverlay, .seconds = 60)
