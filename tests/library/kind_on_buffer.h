// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_LIBRARY_KIND_ON_BUFFER_H_
#define RDP_TESTS_LIBRARY_KIND_ON_BUFFER_H_

#include <gst/check/gstcheck.h>
#include <gst/video/video.h>

namespace rdp::test {

// The functions of a kind of metadata that have to do with buffers.
template <typename Object, typename Meta>
struct KindOnBuffer {
  const char* name;  // of the GstMeta
  Object* (*get)(GstBuffer*);
  Object* (*get_of_batch)(GstBuffer*, guint);
  Meta* (*add)(GstBuffer*, Object*);
  const Meta* (*get_meta)(GstBuffer*);
  void (*get_placement)(GstBuffer*, const Meta*, gdouble*, gdouble*, gdouble*, gdouble*);

  void expect_placement(GstBuffer* buffer, double scale_x, double scale_y, double offset_x,
                        double offset_y) const {
    const Meta* meta = get_meta(buffer);
    fail_unless(meta != nullptr);
    double found[4] = {};
    get_placement(buffer, meta, &found[0], &found[1], &found[2], &found[3]);
    fail_unless_equals_float(found[0], scale_x);
    fail_unless_equals_float(found[1], scale_y);
    fail_unless_equals_float(found[2], offset_x);
    fail_unless_equals_float(found[3], offset_y);
  }

  // On a buffer, on its copy, cropped in place and scaled, as videoscale does it: the numbers stay
  // those of the frame, of 3x10 pixels, and its place changes.
  void check(Object* object) const {
    g_autoptr(GstBuffer) buffer = gst_buffer_new_allocate(nullptr, 30, nullptr);
    fail_unless(get(buffer) == nullptr);
    Meta* meta = add(buffer, object);
    fail_unless(gst_meta_get_info(name) == meta->meta.info);
    fail_unless(get(buffer) == object);
    fail_unless(get_of_batch(buffer, 1) == nullptr);
    expect_placement(buffer, 1, 1, 0, 0);
    GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(buffer);
    crop->x = 2;
    crop->y = 1;
    expect_placement(buffer, 1, 1, -2, -1);
    g_autoptr(GstBuffer) copy = gst_buffer_copy(buffer);
    fail_unless(get(copy) == object);
    GstVideoInfo small, large;
    gst_video_info_set_format(&small, GST_VIDEO_FORMAT_GRAY8, 3, 10);
    gst_video_info_set_format(&large, GST_VIDEO_FORMAT_GRAY8, 6, 5);
    g_autoptr(GstBuffer) scaled = gst_buffer_new();
    GstVideoMetaTransform transform = {&small, &large};
    fail_unless(meta->meta.info->transform_func(
        scaled, &meta->meta, buffer, gst_video_meta_transform_scale_get_quark(), &transform));
    expect_placement(scaled, 2, 0.5, -4, -0.5);
    fail_unless(get(scaled) == object);
  }
};

}  // namespace rdp::test

#endif  // RDP_TESTS_LIBRARY_KIND_ON_BUFFER_H_
