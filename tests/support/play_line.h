// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_PLAY_LINE_H_
#define RDP_TESTS_SUPPORT_PLAY_LINE_H_

#include <gst/gst.h>

#include <functional>
#include <string>

#include "tests/support/bus_texts.h"

namespace rdp::test {

using LookAtBuffer = std::function<void(GstPad*, GstBuffer*)>;

// Plays a launch line until EOS or an error, whose text it returns. `look`, if set, sees the
// buffers at this pad of this element.
inline std::string play_line(const std::string& line, const LookAtBuffer& look = {},
                             const char* element = nullptr, const char* pad_name = "sink") {
  g_autoptr(GError) refused = nullptr;
  g_autoptr(GstElement) pipeline = gst_parse_launch(line.c_str(), &refused);
  if (refused != nullptr) return refused->message;
  LookAtBuffer called = look;
  if (look) {
    g_autoptr(GstElement) found = gst_bin_get_by_name(GST_BIN(pipeline), element);
    g_autoptr(GstPad) pad = gst_element_get_static_pad(found, pad_name);
    const auto call = [](GstPad* from, GstPadProbeInfo* info, gpointer user) {
      (*static_cast<LookAtBuffer*>(user))(from, GST_PAD_PROBE_INFO_BUFFER(info));
      return GST_PAD_PROBE_OK;
    };
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, call, &called, nullptr);
  }
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  g_autoptr(GstBus) bus = gst_element_get_bus(pipeline);
  constexpr auto kEnds = static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  const MessageText last = [&] {
    g_autoptr(GstMessage) message = gst_bus_timed_pop_filtered(bus, 60 * GST_SECOND, kEnds);
    if (message == nullptr) return MessageText{.text = line + " came to no end"};
    return GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS ? MessageText{} : text_of(message);
  }();
  gst_element_set_state(pipeline, GST_STATE_NULL);
  return last.text.empty() ? "" : last.both();
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_PLAY_LINE_H_
