// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_BUS_TEXTS_H_
#define RDP_TESTS_SUPPORT_BUS_TEXTS_H_

#include <gst/gst.h>

#include <string>

namespace rdp::test {

// The content of an error or warning message; all empty: there was none.
struct MessageText {
  GQuark domain = 0;
  int code = 0;
  std::string text;
  std::string debug;

  std::string both() const { return text + " | " + debug; }
  bool is(GQuark of, int number) const { return domain == of && code == number; }
  bool has(const char* part) const { return both().find(part) != std::string::npos; }
};

// The content of a message, which may be null.
inline MessageText text_of(GstMessage* message) {
  if (message == nullptr) return {};
  g_autoptr(GError) error = nullptr;
  g_autofree gchar* debug = nullptr;
  GST_MESSAGE_TYPE(message) == GST_MESSAGE_WARNING
      ? gst_message_parse_warning(message, &error, &debug)
      : gst_message_parse_error(message, &error, &debug);
  return {error->domain, error->code, error->message, debug == nullptr ? "" : debug};
}

// The content of the next message of that type on the bus; waits up to `wait` for it.
inline MessageText next_text(GstBus* bus, GstMessageType type, GstClockTime wait = 0) {
  g_autoptr(GstMessage) message = gst_bus_timed_pop_filtered(bus, wait, type);
  return text_of(message);
}

// Pops all messages from the bus. Returns its warnings and errors, one per line: "warning: …",
// "error: …".
inline std::string bus_texts(GstBus* bus) {
  std::string all;
  while (GstMessage* message = gst_bus_pop(bus)) {
    const bool is_error = GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR;
    if (is_error || GST_MESSAGE_TYPE(message) == GST_MESSAGE_WARNING) {
      all += std::string(is_error ? "error: " : "warning: ") + text_of(message).text + "\n";
    }
    gst_message_unref(message);
  }
  return all;
}

// Appends the first error on the bus to a failure text.
inline std::string with_error_of(GstBus* bus, std::string what) {
  const MessageText error = next_text(bus, GST_MESSAGE_ERROR);
  return error.domain == 0 ? what : what + ": " + error.text + " " + error.debug;
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_BUS_TEXTS_H_
