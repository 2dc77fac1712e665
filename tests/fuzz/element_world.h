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

// A pushed frame, and the settings that its output must match.
struct SentFrame {
  std::vector<guint8> bytes;  // of the whole buffer
  GstVideoInfo info;          // of its caps
  gsize offset = 0;           // of the first sample
  gsize stride = 0;
  Parameters parameters;
  bool reconstruct = false;
};

// An rdpsegment between pads that the harness controls. All of it runs in one thread, except
// `display`, which receives on the overlay pad's thread.
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

  // Answers of the surrounding pads.
  std::mutex caps_mutex;         // guards the next two
  GstCaps* down_caps = nullptr;  // null: anything
  GstCaps* display_caps = nullptr;
  GstFlowReturn down_flow = GST_FLOW_OK;
  std::atomic<GstFlowReturn> display_flow = GST_FLOW_OK;
  bool upstream_takes_events = true;
  std::atomic<int> allocation = 0;  // selects display's answer to the allocation query

  // Pushes `buffer` (transfer full), which holds `frame`, and checks the result. `readable`: the
  // buffer matches its caps and its GstVideoMeta, and can be mapped.
  void push(GstBuffer* buffer, const SentFrame& frame, bool readable);
  // Sends an event from upstream. Returns true if it arrived.
  bool send(GstEvent* event);

  void set_state(GstState state);
  void request_overlay();
  void release_overlay();

  // Returns the number of errors that the element has posted since the last call.
  int take_errors();

  // The parameters that the properties hold.
  Parameters parameters() const;
  bool reconstructs() const;

 private:
  static GstFlowReturn take_frame(GstPad* pad, GstObject* parent, GstBuffer* buffer);
  static GstFlowReturn take_picture(GstPad* pad, GstObject* parent, GstBuffer* buffer);
  static gboolean answer(GstPad* pad, GstObject* parent, GstQuery* query);
  static gboolean take_event(GstPad* pad, GstObject* parent, GstEvent* event);

  // Frames whose overlay picture has not arrived.
  struct SentSize {
    int width;
    int height;
    bool any;  // a frame with other caps: see caps_refused_
  };
  std::mutex mutex_;  // guards without_picture_
  std::deque<SentSize> without_picture_;

  GstBus* bus_;
  const SentFrame* sent_ = nullptr;  // while it is on its way
  int frames_ = 0;                   // that came out of it
  bool caps_refused_ = false;        // the element refused upstream's last ones
  bool explained_ = false;           // an error was posted since the last caps
};

}  // namespace rdp::fuzz

#endif  // RDP_TESTS_FUZZ_ELEMENT_WORLD_H_
