// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_JOINER_STREAM_H_
#define RDP_GST_ELEMENTS_BASE_JOINER_STREAM_H_

#include <gst/base/gstaggregator.h>
#include <gst/video/video.h>

#include <span>

#include "gst/elements/base/pairing.h"
#include "gst/memory/instance_memory.h"
#include "gst/memory/memory_kind.h"

namespace rdp::gst {

struct JoinerPadRow;

// An input of GstRdpJoiner as its stream has come so far, in turn with the buffers: the pad itself
// has the caps of what still waits.
struct JoinedInput {
  const JoinerPadRow* row = nullptr;  // of the element's table
  guint number = 0;                   // of the pad, of a row of several
  GstAggregatorPad* pad = nullptr;
  GstCaps* caps = nullptr;  // null: none have come
  GstVideoInfo info{};      // of video
  MemoryKind memory = MemoryKind::kSystem;

  const char* name() const {
    return GST_OBJECT_NAME(pad);
  }  // does not change while it has a parent
};

// The work of an element on GstRdpJoiner between READY and PAUSED. Made by new_stream() of its
// class, before any data flows, and freed on the way back. Streaming thread only, but for start()
// and flush().
class JoinerStream : public InstanceMemory {
 public:
  JoinerStream() = default;
  virtual ~JoinerStream() = default;
  JoinerStream(const JoinerStream&) = delete;
  JoinerStream& operator=(const JoinerStream&) = delete;

  // False, after an element error: this cannot be. May throw.
  virtual bool start() { return true; }
  // The inputs are others from now on, the first of them the main one, and what they know of their
  // caps is in them. Valid until the next call. Their number does not change but here.
  virtual void set_inputs(std::span<const JoinedInput> /*inputs*/) {}
  // New caps of one of them. False: they are not taken; after an element error, or with a reason
  // logged.
  virtual bool accept_caps(std::size_t /*input*/) { return true; }
  // Something else was linked to src, or downstream wants other caps or another pool.
  virtual void renegotiate() {}

  // Works on the buffers of `set` and gives in *made what src sends, or null where it has dropped
  // the set (Pairing::drop_pair()); the buffer is the caller's, and so is an error that is posted
  // where anything but OK is returned. What goes to extra pads is pushed here: *extra is what they
  // said, as gst_rdp_extra_pad_combine_flow () has it.
  virtual GstFlowReturn work(Pairing& set, GstBuffer** made, GstFlowReturn* extra) = 0;
  // After each look at the inputs' buffers: what of them was dropped.
  virtual void look_at(const PairingMisses&) {}
  // Nothing comes any more.
  virtual void end() {}
  // A flush: what was known of the stream does not go on. Any thread.
  virtual void flush() {}
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_JOINER_STREAM_H_
