// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_BUS_TEXTS_H_
#define RDP_TESTS_SUPPORT_BUS_TEXTS_H_

#include <gst/gst.h>

#include <string>

namespace rdp::test {

// The texts of the warnings and errors on the bus, which has none of them afterwards: "warning: …"
// and "error: …", a line each.
inline std::string bus_texts(GstBus* bus) {
  std::string all;
  while (GstMessage* message = gst_bus_pop(bus)) {
    const bool is_error = GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR;
    if (is_error || GST_MESSAGE_TYPE(message) == GST_MESSAGE_WARNING) {
      g_autoptr(GError) error = nullptr;
      is_error ? gst_message_parse_error(message, &error, nullptr)
               : gst_message_parse_warning(message, &error, nullptr);
      all += std::string(is_error ? "error: " : "warning: ") + error->message + "\n";
    }
    gst_message_unref(message);
  }
  return all;
}

// What went wrong, with the first error on the bus.
inline std::string with_error_of(GstBus* bus, std::string what) {
  GstMessage* message = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR);
  if (message == nullptr) return what;
  g_autoptr(GError) error = nullptr;
  g_autofree gchar* debug = nullptr;
  gst_message_parse_error(message, &error, &debug);
  gst_message_unref(message);
  return what + ": " + error->message + " " + (debug == nullptr ? "" : debug);
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_BUS_TEXTS_H_
