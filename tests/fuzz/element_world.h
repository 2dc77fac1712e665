// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_FUZZ_ELEMENT_WORLD_H_
#define RDP_TESTS_FUZZ_ELEMENT_WORLD_H_

#include <gst/gst.h>
#include <gst/video/video.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "common/rdp/parameters.h"
#include "tests/fuzz/fuzz_memory.h"

namespace rdp::fuzz {

// A frame that was sent, and what must become of it.
struct SentFrame {
  std::vector<guint8> bytes;  // of the whole buffer
  GstVideoInfo info;          // of its caps
  gsize offset = 0;           // of the first sample
  gsize stride = 0;
  Parameters parameters;
  bool reconstruct = false;
};

// An rdpsegment between pads that do as they are told. All of it is in one thread, except what
// comes to `display`, on the thread of the overlay pad.
class World {
 public:
  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  GstElement* element;
  GstPad* sink;  // the element's
  GstPad* src;
  GstPad* overlay = nullptr;
  GstPad* up;  // linked to them
  GstPad* down;
  GstPad* display;

  // What the pads around say.
  std::mutex caps_mutex;         // of these two
  GstCaps* down_caps = nullptr;  // null: anything
  GstCaps* display_caps = nullptr;
  GstFlowReturn down_flow = GST_FLOW_OK;
  std::atomic<GstFlowReturn> display_flow = GST_FLOW_OK;
  bool upstream_takes_events = true;
  std::atomic<int> allocation = 0;  // how display answers the allocation query

  // Sends `buffer` (transfer full), which holds `frame`; `readable`: the buffer is what its caps
  // and its GstVideoMeta say, and can be mapped. Checks what comes of it.
  void push(GstBuffer* buffer, const SentFrame& frame, bool readable);
  // Sends an event from upstream. Says whether it arrived.
  bool send(GstEvent* event);

  void set_state(GstState state);
  void request_overlay();
  void release_overlay();

  // How many errors the element has posted since the last call.
  int take_errors();

  // The parameters as the properties say them.
  Parameters parameters() const;
  bool reconstructs() const;

 private:
  static GstFlowReturn take_frame(GstPad* pad, GstObject* parent, GstBuffer* buffer);
  static GstFlowReturn take_picture(GstPad* pad, GstObject* parent, GstBuffer* buffer);
  static gboolean answer(GstPad* pad, GstObject* parent, GstQuery* query);
  static gboolean take_event(GstPad* pad, GstObject* parent, GstEvent* event);

  // Frames whose picture has not come.
  struct SentSize {
    int width;
    int height;
    bool any;  // a frame of other caps: see caps_refused_
  };
  std::mutex mutex_;  // of what follows
  std::deque<SentSize> without_picture_;

  GstBus* bus_;
  const SentFrame* sent_ = nullptr;  // while it is on its way
  int frames_ = 0;                   // that came out of it
  bool caps_refused_ = false;        // those that upstream says
  bool explained_ = false;           // since the last caps, an error was posted
};

}  // namespace rdp::fuzz

#endif  // RDP_TESTS_FUZZ_ELEMENT_WORLD_H_
