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

// An input of GstRdpJoiner as its stream sees it, serialised with the buffers: the pad itself may
// already have the caps of later buffers.
struct JoinedInput {
  const JoinerPadRow* row = nullptr;  // of the element's table
  guint number = 0;                   // the pad's, in a row of several
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

  // From READY to PAUSED. False, after an element error. May throw.
  virtual bool start() { return true; }
  // Sets the inputs, the first of them the main one, with their caps as far as known. Valid until
  // the next call, which alone changes their number.
  virtual void set_inputs(std::span<const JoinedInput> /*inputs*/) {}
  // Takes new caps of one input. False: they are refused, after an element error or a logged
  // reason.
  virtual bool accept_caps(std::size_t /*input*/) { return true; }
  // Called when src was linked anew, or downstream wants other caps or another pool.
  virtual void renegotiate() {}

  // Works on the buffers of `set`. *made is the buffer for src (transfer full), or null if the set
  // was dropped (Pairing::drop_pair()). Pushes to extra pads itself: *extra is their result, as of
  // gst_rdp_extra_pad_combine_flow (). Posts the element error itself if it returns an error.
  virtual GstFlowReturn work(Pairing& set, GstBuffer** made, GstFlowReturn* extra) = 0;
  // Called after each look at the inputs' buffers, with those dropped.
  virtual void look_at(const PairingMisses&) {}
  // Called at the end of the stream.
  virtual void end() {}
  // Called on a flush: forget the stream's state. Any thread.
  virtual void flush() {}
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_JOINER_STREAM_H_
