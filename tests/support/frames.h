// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_FRAMES_H_
#define RDP_TESTS_SUPPORT_FRAMES_H_

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "common/rdp/reference.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

// Frames for the element tests, and the comparison with the scalar reference.
namespace frames {

struct Shape {
  GstVideoFormat format = GST_VIDEO_FORMAT_GRAY16_LE;
  int width = 64;
  int height = 48;
  // Where the samples lie in the buffer. stride 0: as the caps say, without a GstVideoMeta.
  gsize offset = 0;
  gint stride = 0;
};

inline std::string caps_string(const Shape& shape) {
  return std::string("video/x-raw,format=") + gst_video_format_to_string(shape.format) +
         ",width=" + std::to_string(shape.width) + ",height=" + std::to_string(shape.height) +
         ",framerate=30/1";
}

inline GstCaps* caps(const Shape& shape) {
  return gst_caps_from_string(caps_string(shape).c_str());
}

inline rdp::SampleType sample_type(const Shape& shape) {
  return shape.format == GST_VIDEO_FORMAT_GRAY8 ? rdp::SampleType::kU8 : rdp::SampleType::kU16;
}

// A slanted surface with a step, some noise and some unknown samples: a bit of everything.
inline std::uint16_t scene_sample(const Shape& shape, int row, int column, std::mt19937& random) {
  if (random() % 8 == 0) return 0;
  const int value = 40 + row + (column > shape.width / 2 ? 60 : 0) + static_cast<int>(random() % 9);
  return static_cast<std::uint16_t>(shape.format == GST_VIDEO_FORMAT_GRAY8 ? value % 256
                                                                           : value * 64 % 65536);
}

// A buffer with the scene of `seed`, its pts that of frame `number`. Bytes between the rows and
// around the frame are 0xA5.
inline GstBuffer* make(const Shape& shape, unsigned seed = 1, unsigned number = 0) {
  const int bytes = rdp::bytes_per_sample(sample_type(shape));
  const gint tight = GST_ROUND_UP_4(shape.width * bytes);
  const gint stride = shape.stride == 0 ? tight : shape.stride;
  const gsize size = shape.offset + static_cast<gsize>(stride) * static_cast<gsize>(shape.height);
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, size, nullptr);
  GstMapInfo map;
  fail_unless(gst_buffer_map(buffer, &map, GST_MAP_WRITE));
  std::fill(map.data, map.data + map.size, 0xA5);
  const rdp::MutableDepthView view{reinterpret_cast<std::byte*>(map.data) + shape.offset, stride,
                                   shape.width, shape.height, sample_type(shape)};
  std::mt19937 random(seed);
  for (int row = 0; row < shape.height; ++row) {
    for (int column = 0; column < shape.width; ++column) {
      view.set(row, column, scene_sample(shape, row, column, random));
    }
  }
  gst_buffer_unmap(buffer, &map);
  if (shape.stride != 0 || shape.offset != 0) {
    gsize offsets[GST_VIDEO_MAX_PLANES] = {shape.offset};
    gint strides[GST_VIDEO_MAX_PLANES] = {stride};
    gst_buffer_add_video_meta_full(buffer, GST_VIDEO_FRAME_FLAG_NONE, shape.format,
                                   static_cast<guint>(shape.width),
                                   static_cast<guint>(shape.height), 1, offsets, strides);
  }
  GST_BUFFER_PTS(buffer) = number * GST_SECOND / 30;
  GST_BUFFER_DURATION(buffer) = GST_SECOND / 30;
  return buffer;
}

// The bytes of a buffer.
inline std::vector<std::uint8_t> bytes(GstBuffer* buffer) {
  std::vector<std::uint8_t> result(gst_buffer_get_size(buffer));
  gst_buffer_extract(buffer, 0, result.data(), result.size());
  return result;
}

inline rdp::DepthView view(const Shape& shape, const std::vector<std::uint8_t>& content) {
  const int sample = rdp::bytes_per_sample(sample_type(shape));
  const gint stride = shape.stride == 0 ? GST_ROUND_UP_4(shape.width * sample) : shape.stride;
  return {reinterpret_cast<const std::byte*>(content.data()) + shape.offset, stride, shape.width,
          shape.height, sample_type(shape)};
}

// Fails unless `segmentation` is what the reference makes of the samples in `content`.
inline void check_segmentation(GstRdpSegmentation* segmentation, const Shape& shape,
                               const std::vector<std::uint8_t>& content,
                               const rdp::Parameters& parameters) {
  rdp::SegmentList expected;
  rdp::reference::segment_filtered(view(shape, content), parameters, &expected);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(segmentation), expected.columns());
  fail_unless_equals_uint64(gst_rdp_segmentation_get_n_segments(segmentation),
                            expected.segment_count());
  for (int column = 0; column < expected.columns(); ++column) {
    gsize count = 0;
    const GstRdpSegment* segments =
        gst_rdp_segmentation_get_column(segmentation, static_cast<guint>(column), &count);
    const auto wanted = expected.column(column);
    fail_unless_equals_uint64(count, wanted.size());
    for (gsize i = 0; i < count; ++i) {
      fail_unless(segments[i].first_row == wanted[i].first_row &&
                      segments[i].last_row == wanted[i].last_row &&
                      segments[i].first_value == wanted[i].first_value &&
                      segments[i].last_value == wanted[i].last_value,
                  "column %d, segment %" G_GSIZE_FORMAT ": [%u, %u, %g, %g]", column, i,
                  segments[i].first_row, segments[i].last_row,
                  static_cast<double>(segments[i].first_value),
                  static_cast<double>(segments[i].last_value));
    }
  }
}

// The next message of the wanted type from the bus of a harness' element, waiting for up to a
// second.
inline GstMessage* wait_message(GstBus* bus, GstMessageType type) {
  return gst_bus_timed_pop_filtered(bus, GST_SECOND, type);
}

// The error on the bus: its domain and code are as given, its text and debug text together contain
// `part`.
inline void check_error(GstBus* bus, GQuark domain, int code, const char* part) {
  GstMessage* message = wait_message(bus, GST_MESSAGE_ERROR);
  fail_unless(message != nullptr, "no error was posted");
  GError* error = nullptr;
  gchar* debug = nullptr;
  gst_message_parse_error(message, &error, &debug);
  const std::string text = std::string(error->message) + " | " + (debug != nullptr ? debug : "");
  fail_unless(error->domain == domain && error->code == code, "%s %d: %s",
              g_quark_to_string(error->domain), error->code, text.c_str());
  fail_unless(text.find(part) != std::string::npos, "'%s' is not in: %s", part, text.c_str());
  g_error_free(error);
  g_free(debug);
  gst_message_unref(message);
}

// A bus on a harness' element, which has no pipeline around it.
inline GstBus* attach_bus(GstElement* element) {
  GstBus* bus = gst_bus_new();
  gst_element_set_bus(element, bus);
  return bus;
}

inline void detach_bus(GstElement* element, GstBus* bus) {
  gst_element_set_bus(element, nullptr);
  gst_object_unref(bus);
}

// An rdpsegment as applications have it, with a bus, between harnesses. What comes is said later.
class Rig {
 public:
  // `overlay_caps`: what the overlay's sink takes, null for no overlay.
  explicit Rig(const char* backend, const char* overlay_caps = nullptr)
      : element(gst_element_factory_make("rdpsegment", nullptr)) {
    gst_util_set_object_arg(G_OBJECT(element), "backend", backend);
    bus = attach_bus(element);
    main = gst_harness_new_with_element(element, "sink", "src");
    if (overlay_caps != nullptr) {
      overlay = gst_harness_new_with_element(element, nullptr, "overlay");
      gst_harness_set_sink_caps_str(overlay, overlay_caps);
    }
  }
  ~Rig() {
    detach_bus(element, bus);
    if (overlay != nullptr) gst_harness_teardown(overlay);
    gst_harness_teardown(main);
    gst_object_unref(element);
  }
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  GstElement* element;
  GstBus* bus;
  GstHarness* main;
  GstHarness* overlay = nullptr;
};

// Who worked on the last frame: "cpu" or "cuda".
inline std::string backend_in_use(GstElement* element) {
  GstStructure* stats = nullptr;
  g_object_get(element, "stats", &stats, nullptr);
  const std::string backend = gst_structure_get_string(stats, "backend");
  gst_structure_free(stats);
  return backend;
}

}  // namespace frames

#endif  // RDP_TESTS_SUPPORT_FRAMES_H_
