// SPDX-License-Identifier: LGPL-2.1-or-later
// The camera on buffers: the changes that it follows, those that invalidate it, and the camera of
// segments after their picture has changed.
#include "tests/support/allocation_count.h"

#include <cstring>
#include <string>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include "tests/support/camera_fixture.h"
#include "tests/support/check_test.h"
#include "tests/support/segmentation_fixture.h"

CHECK_TEST(test_registered) {
  const GstMetaInfo* info = gst_rdp_camera_meta_get_info();
  fail_unless(info != nullptr && info == gst_rdp_camera_meta_get_info());
  fail_unless(gst_meta_get_info("GstRdpCameraMeta") == info);
  std::vector<std::string> tags;
  for (auto tag = gst_meta_api_type_get_tags(GST_RDP_CAMERA_META_API_TYPE); *tag != nullptr;
       ++tag) {
    tags.emplace_back(*tag);
  }
  const std::vector<std::string> expected{"video", "orientation", "size"};
  fail_unless(tags == expected);
}

// A frame of `width` x `height` with the camera of 640x480.
static GstBuffer* new_frame(GstRdpCamera* camera, int width = 640, int height = 480,
                            GstVideoFormat format = GST_VIDEO_FORMAT_GRAY16_LE) {
  GstVideoInfo info;
  gst_video_info_set_format(&info, format, static_cast<guint>(width), static_cast<guint>(height));
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, info.size, nullptr);
  gst_buffer_memset(buffer, 0, 1, info.size);
  gst_buffer_add_video_meta(buffer, GST_VIDEO_FRAME_FLAG_NONE, format, static_cast<guint>(width),
                            static_cast<guint>(height));
  gst_buffer_add_rdp_camera_meta(buffer, camera);
  GST_BUFFER_PTS(buffer) = 0;
  return buffer;
}

static GstVideoCropMeta* add_crop(GstBuffer* buffer, guint x, guint y, guint width, guint height) {
  GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(buffer);
  crop->x = x;
  crop->y = y;
  crop->width = width;
  crop->height = height;
  return crop;
}

// (transfer full)
static GstRdpCamera* camera_of(GstBuffer* buffer) {
  GError* error = nullptr;
  GstRdpCamera* camera = gst_rdp_buffer_get_camera(buffer, &error);
  fail_unless(camera != nullptr, "%s", error != nullptr ? error->message : "there is none");
  fail_unless(error == nullptr);
  return camera;
}

template <typename... Words>
static void expect_lost(GstBuffer* buffer, const Words&... words) {
  GError* error = nullptr;
  fail_unless(gst_rdp_buffer_get_camera(buffer, &error) == nullptr);
  expect_error(&error, GST_LIBRARY_ERROR_SETTINGS, "lost", words...);
  fail_unless(gst_rdp_buffer_get_camera(buffer, nullptr) == nullptr);
}

static gboolean transform(GstBuffer* target, GstBuffer* source, GQuark type, gpointer data) {
  GstMeta* meta = GST_META_CAST(gst_buffer_get_rdp_camera_meta(source));
  return meta->info->transform_func(target, meta, source, type, data);
}

struct Picture {
  int width, height;
  int par_n = 1, par_d = 1;
  GstVideoFormat format = GST_VIDEO_FORMAT_GRAY16_LE;
};

static GstVideoInfo info_of_picture(const Picture& picture) {
  GstVideoInfo info;
  gst_video_info_set_format(&info, picture.format, static_cast<guint>(picture.width),
                            static_cast<guint>(picture.height));
  info.par_n = picture.par_n;
  info.par_d = picture.par_d;
  return info;
}

// The metadata transform of a scaling element. (transfer full)
static GstBuffer* scale(GstBuffer* source, const Picture& from, const Picture& to) {
  GstVideoInfo in = info_of_picture(from);
  GstVideoInfo out = info_of_picture(to);
  GstVideoMetaTransform data = {&in, &out};
  GstBuffer* target = gst_buffer_new();
  fail_unless(transform(target, source, gst_video_meta_transform_scale_get_quark(), &data));
  return target;
}

CHECK_TEST(test_on_buffer) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  g_autoptr(GstRdpCamera) other = new_camera(depth_camera_info());
  GstBuffer* buffer = gst_buffer_new();
  GError* error = nullptr;
  fail_unless(gst_buffer_get_rdp_camera_meta(buffer) == nullptr);
  fail_unless(gst_rdp_buffer_get_camera(buffer, &error) == nullptr);
  fail_unless(error == nullptr, "there never was one");
  GstRdpCameraMeta* meta = gst_buffer_add_rdp_camera_meta(buffer, other);
  ASSERT_MINI_OBJECT_REFCOUNT(other, "other", 2);
  fail_unless(gst_buffer_add_rdp_camera_meta(buffer, camera) == meta, "in place of the other");
  ASSERT_MINI_OBJECT_REFCOUNT(other, "other", 1);
  fail_unless(meta->camera == camera);
  GstRdpCamera* got = camera_of(buffer);
  fail_unless(got == camera);
  gst_rdp_camera_unref(got);
  GstBuffer* shared = gst_buffer_ref(buffer);
  expect_critical("*is_writable*",
                  [&] { fail_unless(gst_buffer_add_rdp_camera_meta(buffer, camera) == nullptr); });
  gst_buffer_unref(shared);
  gst_buffer_unref(buffer);
  ASSERT_MINI_OBJECT_REFCOUNT(camera, "camera", 1);

  // An empty meta, as a pool may leave it.
  g_autoptr(GstBuffer) empty = gst_buffer_new();
  gst_buffer_add_meta(empty, GST_RDP_CAMERA_META_INFO, nullptr);
  fail_unless(gst_buffer_get_rdp_camera_meta(empty) == nullptr);
  fail_unless(gst_rdp_buffer_get_camera(empty, &error) == nullptr && error == nullptr);
  g_autoptr(GstBuffer) copy = gst_buffer_copy(empty);
  fail_unless(gst_buffer_get_meta(copy, GST_RDP_CAMERA_META_API_TYPE) == nullptr);
  gst_buffer_add_rdp_camera_meta(empty, camera);
  got = camera_of(empty);
  fail_unless(got == camera);
  gst_rdp_camera_unref(got);
}

CHECK_TEST(test_copies) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  GstBuffer* buffer = new_frame(camera);
  GstBuffer* shallow = gst_buffer_copy(buffer);
  GstBuffer* deep = gst_buffer_copy_deep(buffer);
  fail_unless(gst_buffer_get_rdp_camera_meta(shallow)->camera == camera);
  fail_unless(gst_buffer_get_rdp_camera_meta(deep)->camera == camera);
  ASSERT_MINI_OBJECT_REFCOUNT(camera, "camera", 4);
  GstBuffer* part = gst_buffer_copy_region(buffer, GST_BUFFER_COPY_ALL, 0, 100);
  fail_unless(gst_buffer_get_rdp_camera_meta(part) == nullptr, "a part of a frame is no frame");
  for (GstBuffer* one : {buffer, shallow, deep, part}) gst_buffer_unref(one);
  ASSERT_MINI_OBJECT_REFCOUNT(camera, "camera", 1);
}

CHECK_TEST(test_scaled) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  g_autoptr(GstBuffer) buffer = new_frame(camera);
  g_autoptr(GstBuffer) half = scale(buffer, {640, 480}, {320, 240});
  g_autoptr(GstRdpCamera) scaled = camera_of(half);
  const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(scaled);
  fail_unless_equals_int(info.width, 320);
  fail_unless_equals_int(info.height, 240);
  fail_unless_equals_float(info.focal_length, 250);
  fail_unless_equals_float(info.focal_length_y, 255);
  fail_unless_equals_float(info.principal_x, 159.5);
  fail_unless_equals_float(info.principal_y, 119.5);
  fail_unless_equals_float(info.disparity_unit, 1.0 / 512);
  fail_unless(gst_rdp_camera_get_depth(scaled, 2560) == gst_rdp_camera_get_depth(camera, 2560));

  // The next frame gets the same camera, without an allocation.
  g_autoptr(GstBuffer) next = scale(buffer, {640, 480}, {320, 240});
  fail_unless(gst_buffer_get_rdp_camera_meta(next)->camera == scaled);
  // A mere conversion is a scaling to the same size.
  g_autoptr(GstBuffer) same = scale(buffer, {640, 480}, {640, 480});
  fail_unless(gst_buffer_get_rdp_camera_meta(same)->camera == camera);

  // Each axis has its own factor if the pixel aspect ratio compensates.
  g_autoptr(GstBuffer) wide = scale(buffer, {640, 480}, {320, 480, 2, 1});
  g_autoptr(GstRdpCamera) of_wide = camera_of(wide);
  fail_unless_equals_float(gst_rdp_camera_get_info(of_wide)->focal_length, 250);
  fail_unless_equals_float(gst_rdp_camera_get_info(of_wide)->focal_length_y, 510);
  fail_unless(gst_rdp_camera_get_depth(of_wide, 2560) == gst_rdp_camera_get_depth(camera, 2560));
}

CHECK_TEST(test_other_aspect_ratio) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  g_autoptr(GstBuffer) buffer = new_frame(camera);
  for (const Picture& to : {Picture{320, 320}, Picture{320, 480}, Picture{640, 480, 2, 1},
                            Picture{320, 240, 1, 2}, Picture{321, 240}}) {
    g_autoptr(GstBuffer) target = scale(buffer, {640, 480}, to);
    fail_unless(gst_buffer_get_rdp_camera_meta(target) != nullptr, "what is lost can be seen");
    fail_unless(gst_buffer_get_rdp_camera_meta(target)->camera == nullptr);
    const std::string size = std::to_string(to.width) + "x" + std::to_string(to.height);
    expect_lost(target, "640x480", size.c_str(), "same aspect ratio", "set calibration");
    // What the samples are worth since, as far as borders cannot be left and right.
    expect_lost(target,
                to.par_n != to.par_d ? ", and disparity-unit or depth-unit, on the next element"
                : to.width == 320    ? ", and disparity-unit=0.001953125, on the next element"
                                  : ", and disparity-unit=0.00390625 (where it was scaled: times");

    // Copies stay invalid.
    g_autoptr(GstBuffer) copy = gst_buffer_copy(target);
    expect_lost(copy, "640x480", size.c_str(), "borders");
    g_autoptr(GstBuffer) later = scale(copy, {320, 320}, {100, 100});
    expect_lost(later, "640x480", size.c_str(), "borders", "and disparity-unit or depth-unit, on");
    // An element with its own calibration replaces the camera.
    g_autoptr(GstRdpCamera) own = gst_rdp_camera_scale(camera, 100, 100);
    gst_buffer_add_rdp_camera_meta(later, own);
    g_autoptr(GstRdpCamera) got = camera_of(later);
    fail_unless(got == own);
  }
}

CHECK_TEST(test_other_size) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  g_autoptr(GstBuffer) buffer = new_frame(camera, 600, 480);
  expect_lost(buffer, "640x480", "600x480", "without updating the camera", "set calibration");
  g_autoptr(GstBuffer) rows = new_frame(camera, 640, 400);
  expect_lost(rows, "640x480", "640x400", "without updating the camera");
  // Scaling back to the old size does not restore it.
  g_autoptr(GstBuffer) target = scale(buffer, {600, 480}, {640, 480});
  expect_lost(target, "640x480", "600x480", "without updating the camera", "set calibration");

  // The crop is relative to the new picture, not to the camera's.
  g_autoptr(GstBuffer) cropped = new_frame(camera, 320, 240);
  add_crop(cropped, 0, 0, 160, 120);
  g_autoptr(GstBuffer) scaled_crop = scale(cropped, {160, 120}, {320, 240});
  expect_lost(scaled_crop, "640x480", "320x240", "without updating the camera");

  // Without a GstVideoMeta there is nothing to compare.
  g_autoptr(GstBuffer) plain = gst_buffer_new();
  gst_buffer_add_rdp_camera_meta(plain, camera);
  g_autoptr(GstRdpCamera) got = camera_of(plain);
  fail_unless(got == camera);
}

// An element that crops in place transforms no metadata: the camera still describes the whole
// picture, and the crop is applied on reading.
CHECK_TEST(test_crop_in_place) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  g_autoptr(GstBuffer) buffer = new_frame(camera);
  GstVideoCropMeta* crop = add_crop(buffer, 100, 50, 400, 300);
  g_autoptr(GstRdpCamera) shown = camera_of(buffer);
  fail_unless_equals_int(gst_rdp_camera_get_info(shown)->width, 400);
  fail_unless_equals_int(gst_rdp_camera_get_info(shown)->height, 300);
  fail_unless_equals_float(gst_rdp_camera_get_info(shown)->principal_x, 219.5);
  fail_unless_equals_float(gst_rdp_camera_get_info(shown)->principal_y, 189.5);
  fail_unless(gst_buffer_get_rdp_camera_meta(buffer)->camera == camera);
  const std::uint64_t before = allocation_count::count;
  bool same_again = true; /* fail_unless() allocates */
  for (int i = 0; i < 50; ++i) {
    g_autoptr(GstRdpCamera) again = gst_rdp_buffer_get_camera(buffer, nullptr);
    same_again = same_again && again == shown;
  }
  const std::uint64_t allocations = allocation_count::count - before;
  fail_unless(same_again);
  fail_unless_equals_uint64(allocations, 0);
  crop->x = 110;
  g_autoptr(GstRdpCamera) moved = camera_of(buffer);
  fail_unless_equals_float(gst_rdp_camera_get_info(moved)->principal_x, 209.5);
  g_autoptr(GstBuffer) copy = gst_buffer_copy(buffer);
  g_autoptr(GstRdpCamera) of_copy = camera_of(copy);
  fail_unless(of_copy == moved);

  // A scaling element reads the cropped region.
  g_autoptr(GstBuffer) target = scale(buffer, {400, 300}, {200, 150});
  g_autoptr(GstRdpCamera) scaled = camera_of(target);
  fail_unless_equals_int(gst_rdp_camera_get_info(scaled)->width, 200);
  fail_unless_equals_float(gst_rdp_camera_get_info(scaled)->principal_x, 104.5);
  fail_unless_equals_float(gst_rdp_camera_get_info(scaled)->principal_y, 94.5);
  g_autoptr(GstBuffer) other = scale(buffer, {300, 300}, {200, 200});
  expect_lost(other, "400x300", "300x300");
}

// A camera added to a frame cropped in place describes the crop.
CHECK_TEST(test_added_to_crop) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  GstVideoInfo info = info_of_picture({800, 600});
  g_autoptr(GstBuffer) buffer = gst_buffer_new_allocate(nullptr, info.size, nullptr);
  GstVideoCropMeta* crop = add_crop(buffer, 20, 10, 640, 480);
  for (const bool with_video_meta : {false, true}) {
    if (with_video_meta) {
      gst_buffer_add_video_meta(buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY16_LE, 800,
                                600);
    }
    GstRdpCameraMeta* meta = gst_buffer_add_rdp_camera_meta(buffer, camera);
    const GstRdpCameraInfo& whole = *gst_rdp_camera_get_info(meta->camera);
    fail_unless_equals_int(whole.width, with_video_meta ? 800 : 0);
    fail_unless_equals_int(whole.height, with_video_meta ? 600 : 0);
    fail_unless_equals_float(whole.principal_x, 339.5);
    fail_unless_equals_float(whole.principal_y, 249.5);
    g_autoptr(GstRdpCamera) shown = camera_of(buffer);
    fail_unless(same_camera(shown, camera));
  }
  crop->x = 0;
  g_autoptr(GstRdpCamera) moved = camera_of(buffer);
  fail_unless_equals_float(gst_rdp_camera_get_info(moved)->principal_x, 339.5);
}

// A changed sample format invalidates only the unit.
CHECK_TEST(test_other_format) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  g_autoptr(GstBuffer) buffer = new_frame(camera);
  g_autoptr(GstBuffer) gray8 = scale(buffer, {640, 480}, {320, 240, 1, 1, GST_VIDEO_FORMAT_GRAY8});
  g_autoptr(GstRdpCamera) of_gray8 = camera_of(gray8);
  fail_unless_equals_float(gst_rdp_camera_get_info(of_gray8)->focal_length, 250);
  fail_unless_equals_float(gst_rdp_camera_get_info(of_gray8)->disparity_unit, 0);
  GError* error = nullptr;
  fail_if(gst_rdp_camera_measures_metres(of_gray8, &error));
  expect_error(&error, GST_LIBRARY_ERROR_SETTINGS, "unknown unit", "set disparity-unit");
  g_autoptr(GstBuffer) copy = gst_buffer_copy(gray8);
  g_autoptr(GstRdpCamera) of_copy = camera_of(copy);
  fail_unless(of_copy == of_gray8, "a copy knows, too");
  // The same camera and crop, with units and without.
  g_autoptr(GstBuffer) gray16 = scale(buffer, {640, 480}, {320, 240});
  for (GstBuffer* one : {gray16, copy, gray16}) {
    g_autoptr(GstBuffer) cropped = gst_buffer_copy(one);
    add_crop(cropped, 10, 10, 100, 100);
    g_autoptr(GstRdpCamera) shown = camera_of(cropped);
    fail_unless_equals_float(gst_rdp_camera_get_info(shown)->disparity_unit,
                             one == copy ? 0 : 1.0 / 512);
  }
  const Picture small = {320, 240, 1, 1, GST_VIDEO_FORMAT_GRAY8};
  g_autoptr(GstBuffer) later = scale(copy, small, {160, 120, 1, 1, GST_VIDEO_FORMAT_GRAY8});
  g_autoptr(GstRdpCamera) of_later = camera_of(later);
  fail_unless_equals_float(gst_rdp_camera_get_info(of_later)->disparity_unit, 0);
  g_autoptr(GstBuffer) back = scale(copy, {320, 240, 1, 1, GST_VIDEO_FORMAT_GRAY8}, {320, 240});
  g_autoptr(GstRdpCamera) of_back = camera_of(back);
  fail_unless_equals_float(gst_rdp_camera_get_info(of_back)->disparity_unit, 0);

  // Byte order does not affect the unit.
  g_autoptr(GstBuffer) swapped =
      scale(buffer, {640, 480}, {640, 480, 1, 1, GST_VIDEO_FORMAT_GRAY16_BE});
  g_autoptr(GstRdpCamera) of_swapped = camera_of(swapped);
  fail_unless(of_swapped == camera);
}

// Two cameras' pictures in one.
CHECK_TEST(test_mixed) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  g_autoptr(GstRdpCamera) other = new_camera(depth_camera_info());
  g_autoptr(GstBuffer) one = new_frame(camera);
  g_autoptr(GstBuffer) two = new_frame(other);
  g_autoptr(GstBuffer) target = scale(one, {640, 480}, {640, 480});
  GstVideoInfo info = info_of_picture({640, 480});
  GstVideoMetaTransform data = {&info, &info};
  fail_unless(transform(target, one, gst_video_meta_transform_scale_get_quark(), &data));
  g_autoptr(GstRdpCamera) twice = camera_of(target);
  fail_unless(twice == camera);
  fail_unless(transform(target, two, gst_video_meta_transform_scale_get_quark(), &data));
  expect_lost(target, "mixed", "before they are mixed");
}

CHECK_TEST(test_unknown_transform) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  g_autoptr(GstBuffer) buffer = new_frame(camera);
  g_autoptr(GstBuffer) target = gst_buffer_new();
  fail_if(transform(target, buffer, g_quark_from_static_string("no-such-transform"), nullptr));
  fail_unless(gst_buffer_get_rdp_camera_meta(target) == nullptr);
}

// A frame with the camera through `elements`.
static GstBuffer* through(const char* elements, GstRdpCamera* camera, bool takes_crops = false) {
  GstHarness* harness = gst_harness_new_parse(elements);
  if (GstElement* flip = gst_harness_find_element(harness, "videoflip"); flip != nullptr) {
    // GStreamer 1.22.0 forgets the method that it was made with.
    const std::string from = std::strstr(elements, "method=") + std::strlen("method=");
    gst_util_set_object_arg(G_OBJECT(flip), "method", from.substr(0, from.find(' ')).c_str());
    gst_object_unref(flip);
  }
  if (takes_crops) {
    gst_harness_add_propose_allocation_meta(harness, GST_VIDEO_META_API_TYPE, nullptr);
    gst_harness_add_propose_allocation_meta(harness, GST_VIDEO_CROP_META_API_TYPE, nullptr);
  }
  gst_harness_set_src_caps_str(harness,
                               "video/x-raw,format=GRAY8,width=640,height=480,framerate=1/1,"
                               "pixel-aspect-ratio=1/1");
  GstBuffer* result =
      gst_harness_push_and_pull(harness, new_frame(camera, 640, 480, GST_VIDEO_FORMAT_GRAY8));
  fail_unless(result != nullptr, "%s", elements);
  gst_harness_teardown(harness);
  return result;
}

CHECK_TEST(test_elements) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  for (const char* keeps : {"identity", "tee ! queue", "capsfilter caps=video/x-raw",
                            "videoconvert ! capsfilter caps=video/x-raw,format=GRAY8"}) {
    g_autoptr(GstBuffer) result = through(keeps, camera);
    g_autoptr(GstRdpCamera) got = camera_of(result);
    fail_unless(got == camera, "%s", keeps);
  }
  g_autoptr(GstBuffer) half =
      through("videoscale ! capsfilter caps=video/x-raw,width=320,height=240", camera);
  g_autoptr(GstRdpCamera) scaled = camera_of(half);
  fail_unless_equals_float(gst_rdp_camera_get_info(scaled)->focal_length, 250);

  g_autoptr(GstBuffer) cropped = through("identity ! videocrop left=20 top=10", camera, true);
  fail_unless(gst_buffer_get_video_crop_meta(cropped) != nullptr);
  g_autoptr(GstRdpCamera) shown = camera_of(cropped);
  fail_unless_equals_int(gst_rdp_camera_get_info(shown)->width, 620);
  fail_unless_equals_float(gst_rdp_camera_get_info(shown)->principal_y, 229.5);

  g_autoptr(GstBuffer) converted =
      through("videoconvert ! capsfilter caps=video/x-raw,format=GRAY16_LE", camera);
  g_autoptr(GstRdpCamera) of_converted = camera_of(converted);
  fail_unless_equals_float(gst_rdp_camera_get_info(of_converted)->disparity_unit, 0);

#if !GST_CHECK_VERSION(1, 28, 0)
  // With borders above and below, which the element does not report.
  g_autoptr(GstBuffer) square = through(
      "videoscale ! capsfilter caps=video/x-raw,width=320,height=320,pixel-aspect-ratio=1/1",
      camera);
  expect_lost(square, "640x480", "320x320", "same aspect ratio");
#endif
}

// A mirrored or rotated picture has no camera, whether the element reports it (GStreamer 1.28 and
// later) or not.
CHECK_TEST(test_turned) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  for (const char* turns : {"videoflip method=horizontal-flip", "videoflip method=vertical-flip",
                            "videoflip method=rotate-180", "videoflip method=clockwise"}) {
    g_autoptr(GstBuffer) result = through(turns, camera);
    g_autoptr(GError) error = nullptr;
    fail_unless(gst_rdp_buffer_get_camera(result, &error) == nullptr, "%s", turns);
#if GST_CHECK_VERSION(1, 28, 0)
    fail_unless(error != nullptr && std::strstr(error->message, "mirrored or rotated") != nullptr);
#endif
  }
}

#if GST_CHECK_VERSION(1, 28, 0)
CHECK_TEST(test_matrix) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  g_autoptr(GstBuffer) buffer = new_frame(camera);
  GstVideoInfo in = info_of_picture({640, 480});
  GstVideoInfo out = info_of_picture({400, 800});
  // Without a margin of 40 columns, in the middle of a picture of another shape.
  const GstVideoRectangle from = {40, 0, 600, 480};
  const GstVideoRectangle to = {0, 160, 400, 480};
  GstVideoMetaTransformMatrix matrix;
  gst_video_meta_transform_matrix_init(&matrix, &in, &from, &out, &to);
  const GQuark quark = gst_video_meta_transform_matrix_get_quark();
  g_autoptr(GstBuffer) target = gst_buffer_new();
  fail_unless(transform(target, buffer, quark, &matrix));
  g_autoptr(GstRdpCamera) moved = camera_of(target);
  const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(moved);
  fail_unless_equals_int(info.width, 400);
  fail_unless_equals_int(info.height, 800);
  fail_unless(std::fabs(info.focal_length - 500 * 2 / 3.0) < 1e-4);
  fail_unless_equals_float(info.focal_length_y, 510);
  fail_unless(std::fabs(info.principal_x - ((320 - 40) * 2 / 3.0 - 0.5)) < 1e-4);
  fail_unless_equals_float(info.principal_y, 239.5 + 160);

  matrix.matrix[0][0] = -matrix.matrix[0][0];
  g_autoptr(GstBuffer) mirrored = gst_buffer_new();
  fail_unless(transform(mirrored, buffer, quark, &matrix));
  expect_lost(mirrored, "mirrored or rotated");
  matrix.matrix[0][1] = 0.1F;
  g_autoptr(GstBuffer) turned = gst_buffer_new();
  fail_unless(transform(turned, buffer, quark, &matrix));
  expect_lost(turned, "mirrored or rotated");
}
#endif

// The camera of the segmented 640x480 frame, read later from the buffer with its segments.
static void expect_segmented(GstBuffer* buffer, GstRdpCamera* expected) {
  GError* error = nullptr;
  g_autoptr(GstRdpCamera) camera =
      gst_rdp_segment_meta_get_camera(buffer, gst_buffer_get_rdp_segment_meta(buffer), &error);
  fail_unless(camera != nullptr, "%s", error != nullptr ? error->message : "there is none");
  const GstRdpCameraInfo& a = *gst_rdp_camera_get_info(camera);
  const GstRdpCameraInfo& b = *gst_rdp_camera_get_info(expected);
  fail_unless_equals_int(a.width, b.width);
  fail_unless_equals_int(a.height, b.height);
  fail_unless(std::fabs(a.focal_length - b.focal_length) < 1e-9);
  fail_unless(std::fabs(a.focal_length_y - b.focal_length_y) < 1e-9);
  fail_unless(std::fabs(a.principal_x - b.principal_x) < 1e-9);
  fail_unless(std::fabs(a.principal_y - b.principal_y) < 1e-9);
  fail_unless(std::fabs(a.disparity_unit - b.disparity_unit) < 1e-12);
}

static GstRdpSegmentation* new_segmentation_of(guint width, guint height) {
  return new_segmentation(info_of(width, height), Columns(width));
}

static void scale_segments(GstBuffer* target, GstBuffer* source, const Picture& from,
                           const Picture& to) {
  GstVideoInfo in = info_of_picture(from);
  GstVideoInfo out = info_of_picture(to);
  GstVideoMetaTransform data = {&in, &out};
  GstMeta* meta = GST_META_CAST(gst_buffer_get_rdp_segment_meta(source));
  fail_unless(meta->info->transform_func(target, meta, source,
                                         gst_video_meta_transform_scale_get_quark(), &data));
}

CHECK_TEST(test_segmented) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  g_autoptr(GstRdpSegmentation) segmentation = new_segmentation_of(640, 480);
  g_autoptr(GstBuffer) buffer = new_frame(camera);
  gst_buffer_add_rdp_segment_meta(buffer, segmentation);
  const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(buffer);
  g_autoptr(GstRdpCamera) same = gst_rdp_segment_meta_get_camera(buffer, meta, nullptr);
  fail_unless(same == camera);

  // Cropped in place, then scaled: the camera is unchanged.
  add_crop(buffer, 40, 80, 600, 400);
  expect_segmented(buffer, camera);
  g_autoptr(GstBuffer) target = scale(buffer, {600, 400}, {200, 400, 3, 1});
  scale_segments(target, buffer, {600, 400}, {200, 400, 3, 1});
  expect_segmented(target, camera);
  add_crop(target, 7, 8, 90, 100);
  expect_segmented(target, camera);
  // The same after the samples were converted to a picture.
  g_autoptr(GstBuffer) shown =
      scale(target, {90, 100, 3, 1}, {90, 100, 3, 1, GST_VIDEO_FORMAT_RGBA});
  scale_segments(shown, target, {90, 100}, {90, 100});
  expect_segmented(shown, camera);
  // Nothing is allocated for the next frame.
  GstRdpSegmentMeta* of_target = gst_buffer_get_rdp_segment_meta(target);
  const std::uint64_t before = allocation_count::count;
  for (int i = 0; i < 20; ++i) {
    gst_rdp_camera_unref(gst_rdp_segment_meta_get_camera(target, of_target, nullptr));
  }
  const std::uint64_t allocations = allocation_count::count - before;
  fail_unless_equals_uint64(allocations, 0);

  of_target->scale_x = -1;
  GError* error = nullptr;
  fail_unless(gst_rdp_segment_meta_get_camera(target, of_target, &error) == nullptr);
  expect_error(&error, GST_LIBRARY_ERROR_SETTINGS, "mirrored", "expected above 0");
}

// A frame that arrived cropped in place: the crop was segmented.
CHECK_TEST(test_segmented_crop) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  g_autoptr(GstRdpSegmentation) segmentation = new_segmentation_of(400, 300);
  g_autoptr(GstBuffer) buffer = new_frame(camera);
  GstVideoCropMeta* crop = add_crop(buffer, 100, 50, 400, 300);
  gst_buffer_add_rdp_segment_meta(buffer, segmentation);
  g_autoptr(GstRdpCamera) shown = camera_of(buffer);
  expect_segmented(buffer, shown);
  crop->x += 30;
  crop->width -= 100;
  expect_segmented(buffer, shown);
  g_autoptr(GstBuffer) target = scale(buffer, {300, 300}, {900, 900});
  scale_segments(target, buffer, {300, 300}, {900, 900});
  expect_segmented(target, shown);
}

CHECK_TEST(test_segmented_without) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  g_autoptr(GstRdpSegmentation) segmentation = new_segmentation_of(640, 480);
  g_autoptr(GstBuffer) bare = gst_buffer_new();
  GstRdpSegmentMeta* meta = gst_buffer_add_rdp_segment_meta(bare, segmentation);
  GError* error = nullptr;
  fail_unless(gst_rdp_segment_meta_get_camera(bare, meta, &error) == nullptr && error == nullptr);
  g_autoptr(GstBuffer) buffer = new_frame(camera);
  g_autoptr(GstBuffer) lost = scale(buffer, {640, 480}, {100, 100});
  meta = gst_buffer_add_rdp_segment_meta(lost, segmentation);
  fail_unless(gst_rdp_segment_meta_get_camera(lost, meta, &error) == nullptr);
  expect_error(&error, GST_LIBRARY_ERROR_SETTINGS, "lost", "100x100");
  g_autoptr(GstBuffer) other = new_frame(camera, 600, 480);
  meta = gst_buffer_add_rdp_segment_meta(other, segmentation);
  fail_unless(gst_rdp_segment_meta_get_camera(other, meta, &error) == nullptr);
  expect_error(&error, GST_LIBRARY_ERROR_SETTINGS, "lost", "600x480");
}

#if GST_CHECK_VERSION(1, 24, 0)
CHECK_TEST(test_serialized) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  g_autoptr(GstBuffer) buffer = new_frame(camera);
  g_autoptr(GstBuffer) gray8 = scale(buffer, {640, 480}, {640, 480, 1, 1, GST_VIDEO_FORMAT_GRAY8});
  g_autoptr(GstBuffer) lost = scale(buffer, {640, 480}, {100, 100});
  for (GstBuffer* source : {buffer, gray8, lost}) {
    g_autoptr(GByteArray) data = g_byte_array_new();
    fail_unless(
        gst_meta_serialize_simple(GST_META_CAST(gst_buffer_get_rdp_camera_meta(source)), data));
    g_autoptr(GstBuffer) target = gst_buffer_new();
    guint32 consumed = 0;
    fail_unless(gst_meta_deserialize(target, data->data, data->len, &consumed) != nullptr);
    fail_unless_equals_int(consumed, data->len);
    if (source == lost) {
      expect_lost(target, "640x480", "100x100", "same aspect ratio");
      continue;
    }
    g_autoptr(GstRdpCamera) got = camera_of(target);
    g_autoptr(GstRdpCamera) sent = camera_of(source);
    fail_unless(same_camera(got, sent));
    data->data[data->len - 1] = 0xff; /* of the depth unit */
    data->data[data->len - 2] = 0xff;
    g_autoptr(GstBuffer) refused = gst_buffer_new();
    fail_unless(gst_meta_deserialize(refused, data->data, data->len, &consumed) == nullptr);
    fail_unless(gst_buffer_get_rdp_camera_meta(refused) == nullptr);
  }
}
#endif

CHECK_CASE(camera_meta)
