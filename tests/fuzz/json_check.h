// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_FUZZ_JSON_CHECK_H_
#define RDP_TESTS_FUZZ_JSON_CHECK_H_

#include <gst/rdpsegment/rdpsegment.h>
#include <json-glib/json-glib.h>

namespace rdp::fuzz {

// Writes the segmentation as rdpmetaconvert does, as one of `batch` on a buffer. Fails unless the
// lines are JSON and their numbers are bit-identical to the segments'.
void check_json(GstRdpSegmentation* segmentation, int batch);

// Checks planes that are alone on their buffer, with the corners in metres.
void check_json(GstRdpPlanes* planes);

// The single line that rdpmetaconvert writes for the buffer with points=true. Fails unless it is
// JSON. Valid until the next call.
JsonObject* line_of(GstBuffer* buffer);

// Fails unless element `index` of the list is `wanted`, or null if `wanted` is not finite.
void check_float(JsonArray* list, guint index, float wanted);

// The line of an object that is alone on its buffer.
template <typename Kind>
JsonObject* line_of(typename Kind::Object* object) {
  g_autoptr(GstBuffer) buffer = gst_buffer_new();
  auto* meta = reinterpret_cast<typename Kind::Meta*>(
      gst_buffer_add_meta(buffer, Kind::meta_info(), nullptr));
  gst_mini_object_ref(GST_MINI_OBJECT_CAST(object));
  meta->*Kind::kObject = object;
  return line_of(buffer);
}

}  // namespace rdp::fuzz

#endif  // RDP_TESTS_FUZZ_JSON_CHECK_H_
