// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpsegment at the limits of buffers: samples that start far beyond 2^31, rows 2 GiB apart, and
// layouts whose sizes overflow in careless products. Also at the ends of every property's range.
#include <sys/mman.h>

#include <climits>
#include <cmath>
#include <cstring>

#include "tests/support/check_test.h"
#include "tests/support/frames.h"

using frames::Shape;

namespace {

// A buffer of sparse memory, with the scene of frames::make() in the layout of a shape. Null if the
// address space is too small.
GstBuffer* make_sparse(const Shape& shape, gsize size, const std::vector<std::uint8_t>& tight) {
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  struct Mapping {
    void* data;
    gsize size;
  };
  GstMemory* memory = gst_memory_new_wrapped(static_cast<GstMemoryFlags>(0), data, size, 0, size,
                                             new Mapping{data, size}, [](gpointer user_data) {
                                               auto* mapping = static_cast<Mapping*>(user_data);
                                               munmap(mapping->data, mapping->size);
                                               delete mapping;
                                             });
  GstBuffer* buffer = gst_buffer_new();
  gst_buffer_append_memory(buffer, memory);
  const Shape packed{shape.format, shape.width, shape.height};
  const rdp::DepthView from = frames::view(packed, tight);
  const auto row_bytes = static_cast<gsize>(shape.width * rdp::bytes_per_sample(from.type));
  for (int row = 0; row < shape.height; ++row) {
    const gsize at = shape.offset + static_cast<gsize>(row) * static_cast<gsize>(shape.stride);
    if (at + row_bytes > size) break;  // of a buffer that is too small
    std::memcpy(static_cast<std::byte*>(data) + at, from.row(row), row_bytes);
  }
  gsize offsets[GST_VIDEO_MAX_PLANES] = {shape.offset};
  gint strides[GST_VIDEO_MAX_PLANES] = {shape.stride};
  gst_buffer_add_video_meta_full(buffer, GST_VIDEO_FRAME_FLAG_NONE, shape.format,
                                 static_cast<guint>(shape.width), static_cast<guint>(shape.height),
                                 1, offsets, strides);
  return buffer;
}

gsize size_of(const Shape& shape) {
  return shape.offset + static_cast<gsize>(shape.stride) * static_cast<gsize>(shape.height - 1) +
         static_cast<gsize>(shape.width * rdp::bytes_per_sample(frames::sample_type(shape)));
}

std::vector<std::uint8_t> scene(const Shape& shape) {
  GstBuffer* buffer = frames::make({shape.format, shape.width, shape.height});
  const std::vector<std::uint8_t> content = frames::bytes(buffer);
  gst_buffer_unref(buffer);
  return content;
}

constexpr gsize kGiB = gsize{1} << 30;

}  // namespace

CHECK_TEST(test_far_samples) {
  for (const GstVideoFormat format : {GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY16_LE}) {
    for (const Shape& shape :
         {Shape{format, 21, 16, 3 * kGiB + 1, 64}, Shape{format, 21, 7, 5 * kGiB, INT_MAX},
          Shape{format, 21, 7, 0, INT_MAX - 1}}) {
      const std::vector<std::uint8_t> content = scene(shape);
      const Shape packed{format, shape.width, shape.height};
      GstHarness* harness = gst_harness_new_parse("rdpsegment backend=cpu");
      gst_harness_set_src_caps(harness, frames::caps(packed));
      GstBuffer* input = make_sparse(shape, size_of(shape), content);
      if (input == nullptr) {
        g_print("not tested: there are no %" G_GSIZE_FORMAT " bytes of addresses\n",
                size_of(shape));
        gst_harness_teardown(harness);
        return;
      }
      g_autoptr(GstBuffer) output = gst_harness_push_and_pull(harness, input);
      fail_unless(output != nullptr);
      frames::check_segmentation(gst_rdp_buffer_get_segmentation(output), packed, content, {});
      gst_harness_teardown(harness);
    }
  }
}

// One byte less is refused, and overflowing sizes do not bypass the check.
CHECK_TEST(test_one_byte_short) {
  struct Case {
    Shape shape;
    gsize size;
  };
  constexpr GstVideoFormat kFormat = GST_VIDEO_FORMAT_GRAY16_LE;
  const Shape near{kFormat, 21, 16, 6, 64};
  const Shape far{kFormat, 21, 7, 5 * kGiB, INT_MAX};
  const Case cases[] = {
      {near, size_of(near) - 1},
      {far, size_of(far) - 1},
      {{kFormat, 21, 16, G_MAXSIZE, 64}, 4096},
      {{kFormat, 21, 16, G_MAXSIZE - 1000, 64}, 4096},
      {{kFormat, 16384, 16384, 0, INT_MAX}, kGiB},
      {{kFormat, 16384, 16384, G_MAXSIZE / 2, INT_MAX}, kGiB},
  };
  for (const Case& one : cases) {
    const Shape packed{kFormat, one.shape.width, one.shape.height};
    const bool small = one.shape.height < 100;
    g_autoptr(GstHarness) harness = gst_harness_new_parse("rdpsegment backend=cpu");
    g_autoptr(GstElement) element = gst_harness_find_element(harness, "rdpsegment");
    GstBus* bus = frames::attach_bus(element);
    gst_harness_set_src_caps(harness, frames::caps(packed));
    Shape filled = one.shape;
    if (!small || filled.offset > 8 * kGiB) filled.height = 0;  // samples would be out of bounds
    GstBuffer* input =
        make_sparse(filled, one.size, small ? scene(packed) : scene({kFormat, 4, 4}));
    if (input != nullptr) {
      GstVideoMeta* meta = gst_buffer_get_video_meta(input);
      meta->height = static_cast<guint>(one.shape.height);
      fail_unless_equals_int(gst_harness_push(harness, input), GST_FLOW_ERROR);
      frames::check_error(bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "offset");
    }
    frames::detach_bus(element, bus);
  }
}

// GObject refuses values beyond the ends; NaN: rdpsegment_errors.
static void check_ends(bool merge, rdp::Domain domain, const char* output) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 19, 40};
  g_autoptr(GstHarness) harness = gst_harness_new_parse("rdpsegment backend=cpu min-value=0");
  g_autoptr(GstElement) element = gst_harness_find_element(harness, "rdpsegment");
  g_object_set(element, "merge", merge ? TRUE : FALSE, "domain", static_cast<int>(domain), nullptr);
  gst_util_set_object_arg(G_OBJECT(element), "output", output);
  gst_harness_set_src_caps(harness, frames::caps(shape));
  for (const char* name : {"epsilon", "sample-scale", "inverse-scale", "merge-cost"}) {
    const auto* range =
        G_PARAM_SPEC_DOUBLE(g_object_class_find_property(G_OBJECT_GET_CLASS(element), name));
    gdouble before;
    g_object_get(element, name, &before, nullptr);
    for (const double value :
         {range->minimum, std::nextafter(range->minimum, 1.0), G_MINDOUBLE, 1.0, range->maximum}) {
      g_object_set(element, name, value, nullptr);
      rdp::Parameters parameters;
      parameters.min_value = 0;
      parameters.merge = merge;
      parameters.domain = domain;
      g_object_get(element, "epsilon", &parameters.epsilon, "sample-scale",
                   &parameters.sample_scale, "inverse-scale", &parameters.inverse_scale,
                   "merge-cost", &parameters.merge_cost, nullptr);
      GstBuffer* input = frames::make(shape);
      const std::vector<std::uint8_t> content = frames::bytes(input);
      g_autoptr(GstBuffer) made = gst_harness_push_and_pull(harness, input);
      fail_unless(made != nullptr, "%s=%g", name, value);
      frames::check_segmentation(gst_rdp_buffer_get_segmentation(made), shape, content, parameters);
    }
    g_object_set(element, name, before, nullptr);
  }
}

CHECK_TEST(test_ends_of_properties) {
  for (const rdp::Domain domain : {rdp::Domain::kLinear, rdp::Domain::kInverse}) {
    for (const char* output : {"passthrough", "reconstruct"}) {
      for (const bool merge : {false, true}) check_ends(merge, domain, output);
    }
  }
}

CHECK_CASE(rdpsegment_limits)
