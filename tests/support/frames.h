// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_FRAMES_H_
#define RDP_TESTS_SUPPORT_FRAMES_H_

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common/rdp/reference.h"
#include "tests/support/bus_texts.h"
#include "tests/support/gst_frames.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

// Frames for the element tests, and the comparison with the scalar reference.
namespace frames {

// A buffer with the scene of `seed`, its pts that of frame `number`. Bytes between the rows and
// around the frame are 0xA5.
inline GstBuffer* make(const Shape& shape, unsigned seed = 1, unsigned number = 0) {
  GstBuffer* buffer = new_buffer(draw(shape, Scene::kSurface, seed));
  fail_unless(buffer != nullptr);
  GST_BUFFER_PTS(buffer) = number * GST_SECOND / 30;
  GST_BUFFER_DURATION(buffer) = GST_SECOND / 30;
  return buffer;
}

// The bytes of a buffer.
inline std::vector<std::uint8_t> bytes(GstBuffer* buffer) {
  std::vector<std::uint8_t> result(gst_buffer_get_size(buffer));
  if (!result.empty()) gst_buffer_extract(buffer, 0, result.data(), result.size());
  return result;
}

inline rdp::DepthView view(const Shape& shape, const std::vector<std::uint8_t>& content) {
  return {reinterpret_cast<const std::byte*>(content.data()) + shape.offset, stride_of(shape),
          shape.width, shape.height, sample_type(shape)};
}

// Fails unless `segmentation` equals the reference's for the samples in `content`.
inline void check_segmentation(GstRdpSegmentation* segmentation, const Shape& shape,
                               const std::vector<std::uint8_t>& content,
                               const rdp::Parameters& parameters) {
  rdp::SegmentList expected;
  rdp::reference::segment_filtered(view(shape, content), parameters, &expected);
  const std::string wrong = difference(expected, segmentation);
  fail_unless(wrong.empty(), "%s", wrong.c_str());
}

// The next message of this type on the bus of a harness' element; waits up to 20 seconds.
inline GstMessage* wait_message(GstBus* bus, GstMessageType type) {
  return gst_bus_timed_pop_filtered(bus, 20 * GST_SECOND, type);
}

// Checks the error on the bus: its domain and code, and that its text or debug text contains
// `part`.
inline void check_error(GstBus* bus, GQuark domain, int code, const char* part) {
  g_autoptr(GstMessage) message = wait_message(bus, GST_MESSAGE_ERROR);
  fail_unless(message != nullptr, "no error was posted");
  const auto error = rdp::test::text_of(message);
  fail_unless(error.is(domain, code), "%s %d: %s", g_quark_to_string(error.domain), error.code,
              error.both().c_str());
  fail_unless(error.has(part), "'%s' is not in: %s", part, error.both().c_str());
}

// Attaches a bus to a harness' element, which has no pipeline.
inline GstBus* attach_bus(GstElement* element) {
  GstBus* bus = gst_bus_new();
  gst_element_set_bus(element, bus);
  return bus;
}

inline void detach_bus(GstElement* element, GstBus* bus) {
  gst_element_set_bus(element, nullptr);
  gst_object_unref(bus);
}

// An rdpsegment (or a similar element) between harnesses, with a bus. The caller sets the input
// caps.
class Rig {
 public:
  // `overlay_caps`: caps that the overlay's sink accepts; null: no overlay.
  explicit Rig(const char* backend, const char* overlay_caps = nullptr,
               const char* factory = "rdpsegment")
      : element(gst_element_factory_make(factory, nullptr)) {
    gst_util_set_object_arg(G_OBJECT(element), "backend", backend);
    bus = attach_bus(element);
    main = gst_harness_new_with_element(element, "sink", "src");
    // Not live: harnesses are live by default, which lets overlays drop pictures.
    gst_harness_set_live(main, FALSE);
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

// The backend of the last frame: "cpu" or "cuda".
inline std::string backend_in_use(GstElement* element) {
  GstStructure* stats = nullptr;
  g_object_get(element, "stats", &stats, nullptr);
  const std::string backend = gst_structure_get_string(stats, "backend");
  gst_structure_free(stats);
  return backend;
}

}  // namespace frames

#endif  // RDP_TESTS_SUPPORT_FRAMES_H_
