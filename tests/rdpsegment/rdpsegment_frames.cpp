// SPDX-License-Identifier: LGPL-2.1-or-later
// The effect of rdpsegment on frames: formats and sizes, metadata, pixels on src, parameters that
// change while playing.
#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>

#include "tests/support/await.h"
#include "tests/support/check_test.h"
#include "tests/support/frames.h"

using frames::Shape;

static rdp::Parameters default_parameters() { return {}; }

// One frame through the element with the properties of `launch`; the result has the same memory.
static void check_frame(const Shape& shape, const char* launch, const rdp::Parameters& parameters) {
  g_autoptr(GstHarness) harness = gst_harness_new_parse(launch);
  gst_harness_set_src_caps(harness, frames::caps(shape));
  GstBuffer* input = frames::make(shape);
  const std::vector<std::uint8_t> content = frames::bytes(input);
  GstMemory* memory = gst_buffer_peek_memory(input, 0);
  g_autoptr(GstBuffer) output = gst_harness_push_and_pull(harness, input);
  fail_unless(output != nullptr);
  fail_unless(gst_buffer_peek_memory(output, 0) == memory, "the frame was copied");
  fail_unless(frames::bytes(output) == content, "the frame was changed");
  GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(output);
  fail_unless(meta != nullptr);
  fail_unless_equals_float(meta->scale_x, 1.0);
  fail_unless_equals_float(meta->scale_y, 1.0);
  frames::check_segmentation(meta->segmentation, shape, content, parameters);
}

CHECK_TEST(test_formats_and_sizes) {
  for (GstVideoFormat format : {GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_GRAY8}) {
    for (int width : {1, 2, 3, 17, 64, 101}) {
      for (int height : {1, 2, 3, 31, 48, 233}) {
        check_frame({format, width, height}, "rdpsegment", default_parameters());
      }
    }
  }
}

CHECK_TEST(test_largest_sides) {
  check_frame({GST_VIDEO_FORMAT_GRAY16_LE, 16384, 2}, "rdpsegment", default_parameters());
  check_frame({GST_VIDEO_FORMAT_GRAY16_LE, 2, 16384}, "rdpsegment", default_parameters());
}

CHECK_TEST(test_every_property) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 45, 67};
  rdp::Parameters parameters;
  parameters.epsilon = 1.5;
  parameters.sample_scale = 0.00390625;
  check_frame(shape, "rdpsegment epsilon=1.5 sample-scale=0.00390625", parameters);
  parameters = {};
  parameters.min_value = 3000;
  parameters.max_value = 7000;
  check_frame(shape, "rdpsegment min-value=3000 max-value=7000", parameters);
  parameters = {};
  parameters.min_value = 0;
  check_frame(shape, "rdpsegment min-value=0 threads=3", parameters);
  parameters = {};
  parameters.median = rdp::Median::k3x3;
  check_frame(shape, "rdpsegment median=3x3", parameters);
  parameters.median = rdp::Median::k5x5;
  parameters.column_width = 4;
  check_frame(shape, "rdpsegment median=5x5 column-width=4 backend=cpu", parameters);
  parameters = {};
  parameters.domain = rdp::Domain::kInverse;
  parameters.inverse_scale = 5e6;
  parameters.epsilon = 20;
  check_frame(shape, "rdpsegment domain=inverse inverse-scale=5e6 epsilon=20", parameters);
  check_frame({GST_VIDEO_FORMAT_GRAY8, 45, 67},
              "rdpsegment domain=inverse inverse-scale=5e6 epsilon=20", parameters);
  parameters = {};
  parameters.epsilon = 200;
  parameters.max_gap = 1;
  check_frame(shape, "rdpsegment epsilon=200 max-gap=1", parameters);
  parameters.refine = true;
  check_frame(shape, "rdpsegment epsilon=200 max-gap=1 refine=true", parameters);
  parameters.refine = false;
  parameters.max_gap = 0;
  parameters.merge = true;
  check_frame(shape, "rdpsegment epsilon=200 merge=true", parameters);
  parameters.merge_cost = 333;
  check_frame(shape, "rdpsegment epsilon=200 merge=true merge-cost=333", parameters);
  parameters.fit = rdp::Fit::kAbsolute;
  check_frame(shape, "rdpsegment epsilon=200 merge=true merge-cost=333 fit=absolute", parameters);
  parameters.merge_bounded = true;
  check_frame(shape,
              "rdpsegment epsilon=200 merge=true merge-cost=333 fit=absolute merge-bounded=true",
              parameters);
}

// The metadata's info describes the frame and the parameters that it was segmented with.
CHECK_TEST(test_info) {
  g_autoptr(GstHarness) harness = gst_harness_new_parse(
      "rdpsegment epsilon=2.5 sample-scale=0.5 min-value=2 max-value=9000 median=3x3 "
      "domain=inverse "
      "inverse-scale=123456 column-width=3 merge-cost=7.5 merge=true max-gap=9 fit=absolute "
      "merge-bounded=true classify=true ground-slope=0.75 far-value=3.5");
  gst_harness_set_src_caps(harness, frames::caps({}));
  for (unsigned number = 0; number < 3; ++number) {
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(harness, frames::make({}, 1, number));
    GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(output);
    const GstRdpSegmentationInfo* info = gst_rdp_segmentation_get_info(segmentation);
    fail_unless_equals_uint64(info->frame, number);
    fail_unless_equals_int(info->width, 64);
    fail_unless_equals_int(info->height, 48);
    fail_unless_equals_float(info->epsilon, 2.5);
    fail_unless_equals_float(info->sample_scale, 0.5);
    fail_unless_equals_int(info->min_value, 2);
    fail_unless_equals_int(info->max_value, 9000);
    fail_unless_equals_int(info->median, GST_RDP_MEDIAN_3X3);
    fail_unless_equals_int(info->domain, GST_RDP_DOMAIN_INVERSE);
    fail_unless_equals_float(info->inverse_scale, 123456);
    fail_unless_equals_int(info->column_width, 3);
    fail_unless_equals_float(info->merge_cost, 7.5);
    fail_unless_equals_int(info->max_gap, 9);
    fail_unless(info->merge && info->merge_bounded && !info->refine && info->classify);
    fail_unless_equals_int(info->fit, GST_RDP_FIT_ABSOLUTE);
    fail_unless_equals_float(info->ground_slope, 0.75);
    fail_unless_equals_float(info->far_value, 3.5);
    fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(segmentation), 22);
  }
}

// No frame rate is required.
CHECK_TEST(test_no_framerate) {
  g_autoptr(GstHarness) harness = gst_harness_new("rdpsegment");
  gst_harness_set_live(harness, FALSE);
  g_autoptr(GstHarness) overlay =
      gst_harness_new_with_element(harness->element, nullptr, "overlay");
  gst_harness_set_src_caps_str(harness, "video/x-raw,format=GRAY16_LE,width=64,height=48");
  fail_unless_equals_int(gst_harness_push(harness, frames::make({})), GST_FLOW_OK);
  fail_unless_equals_int(gst_harness_buffers_received(harness), 1);
  rdp::test::check_received(overlay, 1);
}

// The second of two rdpsegment replaces the first one's segmentation.
CHECK_TEST(test_two_in_a_row) {
  g_autoptr(GstHarness) harness =
      gst_harness_new_parse("rdpsegment epsilon=1 ! rdpsegment epsilon=400");
  gst_harness_set_src_caps(harness, frames::caps({}));
  GstBuffer* input = frames::make({});
  const std::vector<std::uint8_t> content = frames::bytes(input);
  g_autoptr(GstBuffer) output = gst_harness_push_and_pull(harness, input);
  rdp::Parameters parameters;
  parameters.epsilon = 400;
  frames::check_segmentation(gst_rdp_buffer_get_segmentation(output), {}, content, parameters);
}

// output=reconstruct writes the lines into the frame, in place when nobody else holds it, into a
// copy otherwise.
CHECK_TEST(test_reconstruct) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 39, 57, 6, 82};
  rdp::Parameters parameters;
  parameters.epsilon = 300;
  for (bool shared : {false, true}) {
    g_autoptr(GstHarness) harness =
        gst_harness_new_parse("rdpsegment output=reconstruct epsilon=300");
    gst_harness_set_src_caps(harness, frames::caps(shape));
    GstBuffer* input = frames::make(shape);
    const std::vector<std::uint8_t> content = frames::bytes(input);
    GstMemory* memory = gst_buffer_peek_memory(input, 0);
    if (shared) gst_buffer_ref(input);
    GstBuffer* output = gst_harness_push_and_pull(harness, input);
    fail_unless(shared || gst_buffer_peek_memory(output, 0) == memory, "the frame was copied");

    std::vector<std::uint8_t> expected = content;
    const rdp::DepthView before = frames::view(shape, content);
    const rdp::MutableDepthView after{reinterpret_cast<std::byte*>(expected.data()) + shape.offset,
                                      before.stride, before.width, before.height, before.type};
    rdp::SegmentList segments;
    rdp::reference::segment_filtered(before, parameters, &segments);
    rdp::reference::reconstruct(rdp::reference::filter(before, parameters), segments, parameters,
                                after);
    fail_unless(expected != content);
    fail_unless(frames::bytes(output) == expected);
    frames::check_segmentation(gst_rdp_buffer_get_segmentation(output), shape, content, parameters);
    gst_buffer_unref(output);
    if (shared) {
      fail_unless(frames::bytes(input) == content, "somebody else's frame was changed");
      gst_buffer_unref(input);
    }
  }
}

// Every frame is segmented with one consistent set of parameters: the ones in force when it came.
CHECK_TEST(test_parameters_change_while_playing) {
  g_autoptr(GstHarness) harness = gst_harness_new("rdpsegment");
  gst_harness_set_src_caps(harness, frames::caps({}));
  rdp::Parameters parameters;
  for (unsigned number = 0; number < 40; ++number) {
    parameters.epsilon = 1.0 + 20 * number;
    parameters.column_width = 1 + static_cast<int>(number) % 5;
    parameters.median = number % 3 == 0   ? rdp::Median::kNone
                        : number % 3 == 1 ? rdp::Median::k3x3
                                          : rdp::Median::k5x5;
    parameters.domain = number % 2 == 0 ? rdp::Domain::kLinear : rdp::Domain::kInverse;
    parameters.merge = number % 4 == 3;
    parameters.merge_cost = 60.0 * (number % 8);
    parameters.refine = number % 5 == 1;
    parameters.fit = number % 7 < 3 ? rdp::Fit::kSquares : rdp::Fit::kAbsolute;
    parameters.merge_bounded = number % 3 == 1;
    parameters.max_gap = static_cast<int>(number) % 3;
    g_object_set(harness->element, "epsilon", parameters.epsilon, "column-width",
                 parameters.column_width, "median", static_cast<int>(parameters.median), "domain",
                 static_cast<int>(parameters.domain), "threads", number % 4, "merge",
                 parameters.merge ? TRUE : FALSE, "merge-cost", parameters.merge_cost, "refine",
                 parameters.refine ? TRUE : FALSE, "max-gap",
                 static_cast<guint>(parameters.max_gap), "fit", static_cast<int>(parameters.fit),
                 "merge-bounded", parameters.merge_bounded ? TRUE : FALSE, nullptr);
    GstBuffer* input = frames::make({}, number, number);
    const std::vector<std::uint8_t> content = frames::bytes(input);
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(harness, input);
    frames::check_segmentation(gst_rdp_buffer_get_segmentation(output), {}, content, parameters);
  }
}

// epsilon follows a GstControlSource over the frames' stream time.
CHECK_TEST(test_controlled_epsilon) {
  g_autoptr(GstHarness) harness = gst_harness_new("rdpsegment");
  gst_harness_set_src_caps(harness, frames::caps({}));
  GstControlSource* source = gst_interpolation_control_source_new();
  g_object_set(source, "mode", GST_INTERPOLATION_MODE_LINEAR, nullptr);
  gst_object_add_control_binding(
      GST_OBJECT(harness->element),
      gst_direct_control_binding_new_absolute(GST_OBJECT(harness->element), "epsilon", source));
  auto* timed = GST_TIMED_VALUE_CONTROL_SOURCE(source);
  gst_timed_value_control_source_set(timed, 0, 0.0);
  gst_timed_value_control_source_set(timed, 10 * GST_SECOND, 1000.0);
  for (unsigned number : {0U, 30U, 150U}) {
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(harness, frames::make({}, 1, number));
    const auto* info = gst_rdp_segmentation_get_info(gst_rdp_buffer_get_segmentation(output));
    fail_unless_equals_float(info->epsilon, number / 30 * 100.0);
  }
  gst_object_unref(source);
}

CHECK_TEST(test_stats) {
  g_autoptr(GstHarness) harness = gst_harness_new_parse("rdpsegment backend=cpu");
  gst_harness_set_src_caps(harness, frames::caps({}));
  guint64 segments = 0;
  for (unsigned number = 0; number < 4; ++number) {
    g_autoptr(GstBuffer) output =
        gst_harness_push_and_pull(harness, frames::make({}, number, number));
    segments += gst_rdp_segmentation_get_n_segments(gst_rdp_buffer_get_segmentation(output));
  }
  g_autoptr(GstStructure) stats = nullptr;
  GstElement* element = gst_harness_find_element(harness, "rdpsegment");
  g_object_get(element, "stats", &stats, nullptr);
  gst_object_unref(element);
  guint64 frames_seen = 0;
  guint64 segments_seen = 0;
  guint64 last = 0;
  guint64 mean = 0;
  gdouble pixels_per_segment = 0;
  fail_unless(gst_structure_get(stats, "frames", G_TYPE_UINT64, &frames_seen, "segments",
                                G_TYPE_UINT64, &segments_seen, "last-time", G_TYPE_UINT64, &last,
                                "mean-time", G_TYPE_UINT64, &mean, "pixels-per-segment",
                                G_TYPE_DOUBLE, &pixels_per_segment, nullptr));
  fail_unless_equals_uint64(frames_seen, 4);
  fail_unless_equals_uint64(segments_seen, segments);
  fail_unless(last > 0 && mean > 0);
  fail_unless_equals_float(pixels_per_segment, 4.0 * 64 * 48 / static_cast<double>(segments));
  fail_unless_equals_string(gst_structure_get_string(stats, "backend"), "cpu");
}

CHECK_CASE(rdpsegment_frames)
