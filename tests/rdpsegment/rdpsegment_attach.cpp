// SPDX-License-Identifier: LGPL-2.1-or-later
// Frames that arrive with segment metadata: its owner, its removal, and the effect of the crop.
#include <algorithm>
#include <array>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegmentationkind.h>
#include <gst/video/video.h>

#include "gst/metadata/attach_results.h"
#include "tests/support/check_test.h"
#include "tests/support/segmentation_fixture.h"

namespace {

std::vector<GstRdpSegmentMeta*> metas_of(GstBuffer* buffer) {
  std::vector<GstRdpSegmentMeta*> metas;
  gpointer state = nullptr;
  while (GstMeta* meta =
             gst_buffer_iterate_meta_filtered(buffer, &state, GST_RDP_SEGMENT_META_API_TYPE)) {
    metas.push_back(reinterpret_cast<GstRdpSegmentMeta*>(meta));
  }
  return metas;
}

GstRdpSegmentMeta* add_locked(GstBuffer* buffer, GstRdpSegmentation* segmentation) {
  GstRdpSegmentMeta* meta = gst_buffer_add_rdp_segment_meta(buffer, segmentation);
  meta->meta.flags = static_cast<GstMetaFlags>(meta->meta.flags | GST_META_FLAG_LOCKED);
  meta->scale_x = 3;
  meta->offset_y = 4;
  meta->batch_index = 5;
  return meta;
}

void expect_at_its_place(const GstRdpSegmentMeta* meta, guint index, double x = 0, double y = 0) {
  fail_unless_equals_float(meta->scale_x, 1);
  fail_unless_equals_float(meta->scale_y, 1);
  fail_unless_equals_float(meta->offset_x, x);
  fail_unless_equals_float(meta->offset_y, y);
  fail_unless_equals_int(meta->batch_index, index);
}

// Segmentations start with their mini object.
template <typename Segmentations>
void attach_segmentations(GstBuffer* buffer, const Segmentations& all) {
  rdp::gst::attach_results<rdp::meta::SegmentationKind>(
      buffer, {reinterpret_cast<GstMiniObject* const*>(all.data()), all.size()});
}

}  // namespace

// `locked` locked metas, with others around them, and `frames` frames.
CHECK_TEST(test_replaced) {
  for (const int locked : {0, 1, 2, 4}) {
    for (const int frames : {0, 1, 3}) {
      g_autoptr(GstRdpSegmentation) old = new_three_columns(100);
      std::vector<GstRdpSegmentation*> segmentations;
      for (int i = 0; i < frames; ++i) segmentations.push_back(new_three_columns(i));
      GstBuffer* buffer = gst_buffer_new();
      gst_buffer_add_rdp_segment_meta(buffer, old);
      std::vector<GstRdpSegmentMeta*> kept;
      for (int i = 0; i < locked; ++i) {
        kept.push_back(add_locked(buffer, old));
        gst_buffer_add_rdp_segment_meta(buffer, old);
      }
      gst_buffer_add_video_meta(buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, 4, 4);

      attach_segmentations(buffer, segmentations);
      ASSERT_MINI_OBJECT_REFCOUNT(old, "old", 1);
      fail_unless(gst_buffer_get_video_meta(buffer) != nullptr);
      const std::vector<GstRdpSegmentMeta*> metas = metas_of(buffer);
      fail_unless_equals_int(metas.size(), std::max(locked, frames));
      for (int i = 0; i < static_cast<int>(metas.size()); ++i) {
        if (i < locked) fail_unless(metas[i] == kept[i]);
        fail_unless(metas[i]->segmentation == (i < frames ? segmentations[i] : nullptr));
        expect_at_its_place(metas[i], i < frames ? i : 0);
      }
      for (GstRdpSegmentation* one : segmentations) ASSERT_MINI_OBJECT_REFCOUNT(one, "new", 2);
      for (guint i = 0; i < 4; ++i) {
        fail_unless(gst_rdp_buffer_get_batch_segmentation(buffer, i) ==
                    (static_cast<int>(i) < frames ? segmentations[i] : nullptr));
      }
      gst_buffer_unref(buffer);
      for (GstRdpSegmentation* one : segmentations) {
        ASSERT_MINI_OBJECT_REFCOUNT(one, "new", 1);
        gst_rdp_segmentation_unref(one);
      }
    }
  }
}

// Segments of a frame cropped in place lie at the crop.
CHECK_TEST(test_cropped) {
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  for (const bool locked : {false, true}) {
    g_autoptr(GstBuffer) buffer = gst_buffer_new();
    if (locked) add_locked(buffer, segmentation);
    GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(buffer);
    crop->x = 20;
    crop->y = 10;
    crop->width = 3;
    crop->height = 10;
    const std::array<GstRdpSegmentation*, 2> two{segmentation, segmentation};
    attach_segmentations(buffer, two);
    fail_unless_equals_int(metas_of(buffer).size(), 2);
    expect_at_its_place(metas_of(buffer)[0], 0, 20, 10);
    expect_at_its_place(metas_of(buffer)[1], 1, 20, 10);
  }
}

// The element works if the frame's metadata belongs to its pool.
CHECK_TEST(test_element) {
  for (const int locked : {1, 2}) {
    g_autoptr(GstHarness) harness = gst_harness_new_parse("rdpsegment backend=cpu");
    gst_harness_set_src_caps_str(harness,
                                 "video/x-raw,format=GRAY8,width=8,height=4,framerate=1/1");
    g_autoptr(GstRdpSegmentation) old = new_three_columns(100);
    for (guint64 frame = 0; frame < 3; ++frame) {
      GstBuffer* buffer = gst_buffer_new_allocate(nullptr, 32, nullptr);
      gst_buffer_memset(buffer, 0, 7, 32);
      for (int i = 0; i < locked; ++i) add_locked(buffer, old);
      g_autoptr(GstBuffer) output = gst_harness_push_and_pull(harness, buffer);
      fail_unless(output != nullptr);
      const std::vector<GstRdpSegmentMeta*> metas = metas_of(output);
      fail_unless_equals_int(metas.size(), locked);
      expect_at_its_place(metas[0], 0);
      const GstRdpSegmentationInfo* info = gst_rdp_segmentation_get_info(metas[0]->segmentation);
      fail_unless_equals_int(info->width, 8);
      fail_unless_equals_uint64(info->frame, frame);
      for (int i = 1; i < locked; ++i) fail_unless(metas[i]->segmentation == nullptr);
      ASSERT_MINI_OBJECT_REFCOUNT(old, "old", 1);
    }
  }
}

CHECK_CASE(rdpsegment_attach, .seconds = 20)
