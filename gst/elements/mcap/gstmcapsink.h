// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_MCAP_GSTMCAPSINK_H_
#define RDP_GST_ELEMENTS_MCAP_GSTMCAPSINK_H_

#include <gst/gst.h>

#include <memory>

#include "common/mcap/recording.h"
#include "gst/elements/mcap/mcap_stream.h"

G_DECLARE_FINAL_TYPE(GstMcapSink, gst_mcap_sink, GST, MCAP_SINK, GstBin)

// The pads of mcapsink: ghost pads with properties of their own. Behind each is an input.
G_DECLARE_FINAL_TYPE(GstMcapPad, gst_mcap_pad, GST, MCAP_PAD, GstGhostPad)
#define GST_TYPE_MCAP_PAD (gst_mcap_pad_get_type())

namespace rdp::gst {

// Makes a pad and its input, a child of `sink`. Null if GStreamer core refuses it.
GstMcapPad* new_mcap_pad(GstMcapSink* sink, McapPadKind kind, const char* name,
                         GstPadTemplate* templ);
GstElement* input_of(GstMcapPad* pad);
// The topic of the pad, for comparisons.
std::string topic_of(GstMcapPad* pad);

// --- what inputs ask of the element; any thread may ---

// The current recording, and the sink's options for a new stream. Null: nothing is being recorded.
std::shared_ptr<mcap::Recording> recording_of(GstMcapSink* sink, StreamOptions* options);
// Unix ns of running time 0.
gint64 start_time_of(GstMcapSink* sink);
// Notes that the input's stream has ended, or has not. The file ends with the last input.
void note_end(GstMcapSink* sink, GstElement* input, bool ended);
// Posts, once, a warning of dropped messages or the error that ended the recording.
void post_drops(GstMcapSink* sink);
void post_failure(GstMcapSink* sink);
// The pad before `pad` whose topic equals `topic`, lies below it or contains it. (transfer full)
// (nullable)
GstMcapPad* pad_beside(GstMcapSink* sink, GstMcapPad* pad, const std::string& topic);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_MCAP_GSTMCAPSINK_H_
