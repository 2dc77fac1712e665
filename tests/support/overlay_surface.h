// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_OVERLAY_SURFACE_H_
#define RDP_TESTS_SUPPORT_OVERLAY_SURFACE_H_

#include <cstring>
#include <vector>

#include "tests/support/bus_texts.h"
#include "tests/support/nvmm_rig.h"

// Tests of the property `surface` of rdpsegment's overlay, which all engines share.
namespace nvmm_frames {

// Fails unless the picture of `shape` has these pixels, in rows without gaps.
inline void check_picture(GstBuffer* picture, const Shape& shape,
                          const std::vector<std::uint8_t>& expected, guint surface) {
  GstVideoInfo info;
  gst_video_info_set_format(&info, GST_VIDEO_FORMAT_RGBA, static_cast<guint>(shape.width),
                            static_cast<guint>(shape.height));
  GstVideoFrame mapped;
  fail_unless(gst_video_frame_map(&mapped, &info, picture, GST_MAP_READ));
  const gsize row_bytes = 4 * static_cast<gsize>(shape.width);
  for (gsize row = 0; row < static_cast<gsize>(shape.height); ++row) {
    const auto* const pixels = static_cast<guint8*>(GST_VIDEO_FRAME_PLANE_DATA(&mapped, 0)) +
                               row * static_cast<gsize>(GST_VIDEO_FRAME_PLANE_STRIDE(&mapped, 0));
    fail_unless(std::memcmp(pixels, expected.data() + row * row_bytes, row_bytes) == 0,
                "the picture is not that of surface %u: row %d", surface, static_cast<int>(row));
  }
  gst_video_frame_unmap(&mapped);
}

// The number of GAP events from the overlay.
inline int count_gaps(GstHarness* overlay) {
  int gaps = 0;
  while (GstEvent* event = gst_harness_try_pull_event(overlay)) {
    if (GST_EVENT_TYPE(event) == GST_EVENT_GAP) ++gaps;
    gst_event_unref(event);
  }
  return gaps;
}

// Pushes batches like `batch`, of 5 surfaces or fewer, and changes `surface` in between. The
// picture shows the original surface, even if the element overwrites it.
inline void check_overlay_surface(const Batch& batch, const char* backend, bool reconstruct) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 52, 40};
  Rig rig(shape, backend, reconstruct, "video/x-raw");
  unsigned number = 0;
  const auto set = [&](guint surface) {
    gst_child_proxy_set(GST_CHILD_PROXY(rig.element), "overlay::surface", surface, nullptr);
  };
  const auto push = [&](guint filled) {
    Batch some = batch;
    some.size = 5;
    some.filled = filled;
    const auto surfaces = make_surface(shape, some, 10 * number);
    GstBuffer* output = gst_harness_push_and_pull(rig.main, wrap(surfaces, number));
    fail_unless(output != nullptr);
    check_batch(output, shape, filled, 10 * number);
    for (guint i = 0; i < some.size; ++i) {
      const Expected expected = expect(shape, 10 * number + i);
      const bool written = reconstruct && i < filled;
      fail_unless(surfaces->samples(i) == (written ? expected.reconstructed : expected.samples),
                  "surface %u of %u", i, filled);
    }
    gst_buffer_unref(output);
    ++number;
  };
  // Pulls the picture of the latest batch.
  const auto pull = [&](guint surface) {
    GstBuffer* picture = gst_harness_pull(rig.overlay);
    fail_unless(picture != nullptr);
    check_picture(picture, shape, expect(shape, 10 * (number - 1) + surface).picture, surface);
    gst_buffer_unref(picture);
    fail_unless(gst_harness_try_pull(rig.overlay) == nullptr);
  };

  // The default is the first surface.
  push(5);
  pull(0);
  for (const guint surface : {4, 0, 2, 1}) {
    set(surface);
    for (int i = 0; i < 2; ++i) {
      push(5);
      pull(surface);
    }
  }
  fail_unless_equals_int(count_gaps(rig.overlay), 0);
  fail_unless(gst_bus_pop_filtered(rig.bus, GST_MESSAGE_WARNING) == nullptr);

  // A batch without the surface makes a GAP instead of a picture, and one warning in all.
  set(3);
  const auto check_warning = [&](const char* part) {
    g_autoptr(GstMessage) message = frames::wait_message(rig.bus, GST_MESSAGE_WARNING);
    const auto warning = rdp::test::text_of(message);
    fail_unless(warning.is(GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS));
    fail_unless(warning.has(part), "'%s' is not in: %s", part, warning.text.c_str());
  };
  push(3);
  check_warning("surface 3 of each batch, but a batch has 3");
  push(2);
  push(4);
  pull(3);  // after both gaps
  fail_unless_equals_int(count_gaps(rig.overlay), 2);
  push(1);
  fail_unless(gst_bus_pop_filtered(rig.bus, GST_MESSAGE_WARNING) == nullptr);
  // Another missing surface causes a new warning.
  set(1023U);
  push(5);
  check_warning("surface 1023 of each batch, but a batch has 5");
  set(1);
  push(2);
  pull(1);
  fail_unless_equals_int(count_gaps(rig.overlay), 2);
}

// The stream must begin even if the first batch lacks the surface.
inline void check_overlay_without_surface(const Batch& batch, const char* backend) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 52, 40};
  Rig rig(shape, backend, false, "video/x-raw");
  gst_child_proxy_set(GST_CHILD_PROXY(rig.element), "overlay::surface", 1, nullptr);
  GstBuffer* output = gst_harness_push_and_pull(rig.main, make(shape, batch, 1));
  check_batch(output, shape, 1, 1);
  gst_buffer_unref(output);
  Batch two = batch;
  two.size = two.filled = 2;
  output = gst_harness_push_and_pull(rig.main, make(shape, two, 20, 1));
  check_batch(output, shape, 2, 20);
  gst_buffer_unref(output);
  GstBuffer* picture = gst_harness_pull(rig.overlay);
  check_picture(picture, shape, expect(shape, 21).picture, 1);
  gst_buffer_unref(picture);
  fail_unless_equals_int(count_gaps(rig.overlay), 1);
}

}  // namespace nvmm_frames

#endif  // RDP_TESTS_SUPPORT_OVERLAY_SURFACE_H_
