// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_FUZZ_JSON_CHECK_H_
#define RDP_TESTS_FUZZ_JSON_CHECK_H_

#include <gst/rdpsegment/rdpsegment.h>
#include <json-glib/json-glib.h>

namespace rdp::fuzz {

// Writes the segmentation as rdpmetaconvert does, as one of `batch` that a buffer has. Fails where
// the lines are no JSON, or their numbers are not those of the segments to the last bit.
void check_json(GstRdpSegmentation* segmentation, int batch);

// The same of planes that are alone on their buffer, with the corners in metres.
void check_json(GstRdpPlanes* planes);

// The one line that rdpmetaconvert makes of the buffer, with points=true. Fails where it is no
// JSON. Valid until the next one is read.
JsonObject* line_of(GstBuffer* buffer);

// Fails where a number of the list is not this one, or not null where that is not finite.
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
