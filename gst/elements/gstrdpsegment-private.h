// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_GSTRDPSEGMENT_PRIVATE_H_
#define RDP_GST_ELEMENTS_GSTRDPSEGMENT_PRIVATE_H_

#include <gst/base/gstflowcombiner.h>
#include <gst/video/video.h>

#include <memory>

#include "common/engine.h"
#include "common/parameters.h"
#include "gst/elements/enums.h"
#include "gst/elements/gstrdpsegment.h"
#include "gst/elements/gstrdpsegmentoverlaypad.h"
#include "gst/rdpsegment/rdpsegmentationpool.h"

// What the files of rdpsegment share: gstrdpsegment.cpp has the object (properties, states, pads),
// gstrdpsegmentstream.cpp what flows through it (buffers, events, queries).

// What the user has set. A frame works on a copy taken when it arrives.
struct GstRdpSegmentSettings {
  rdp::Parameters parameters;
  GstRdpOutput output = GST_RDP_OUTPUT_PASSTHROUGH;
  GstRdpBackend backend = GST_RDP_BACKEND_AUTO;
  gint cuda_device_id = -1;
  guint threads = 0;
};

struct GstRdpSegmentStats {
  guint64 frames = 0;
  guint64 segments = 0;
  guint64 pixels = 0;
  GstClockTime last_time = 0;  // spent on the last frame: filters, segmentation, reconstruction
  GstClockTime total_time = 0;
};

// What exists between READY and PAUSED and beyond; made and freed while no data flows.
struct GstRdpSegmentSession {
  explicit GstRdpSegmentSession(guint wanted_threads)
      : engine(wanted_threads), threads(wanted_threads), pool(gst_rdp_segmentation_pool_new()) {
    gst_segment_init(&segment, GST_FORMAT_UNDEFINED);
  }
  ~GstRdpSegmentSession() { gst_rdp_segmentation_pool_unref(pool); }
  GstRdpSegmentSession(const GstRdpSegmentSession&) = delete;
  GstRdpSegmentSession& operator=(const GstRdpSegmentSession&) = delete;

  rdp::Engine engine;
  guint threads;  // as the engine was last told
  GstRdpSegmentationPool* pool;
  GstSegment segment;
  bool have_info = false;
  GstVideoInfo info{};
  guint64 frame = 0;
};

struct _GstRdpSegmentElement {
  GstElement parent;

  GstPad* sinkpad;
  GstPad* srcpad;

  // Under the object lock.
  GstRdpSegmentSettings* settings;
  GstRdpSegmentStats* stats;
  GstRdpSegmentOverlayPad* overlay;  // owned by the element's list of pads
  guint32 seek_seqnum;               // of the last seek that went upstream
  guint seek_pads;                   // which source pads it has come from

  // Streaming thread; changed between READY and PAUSED.
  GstRdpSegmentSession* session;

  // Guards the combiner: streaming on one side, requesting and releasing the overlay on the other.
  GMutex flow_lock;
  GstFlowCombiner* combiner;
};

// The static caps of sink and src, for the message about caps that are refused.
#define GST_RDP_SEGMENT_CAPS                                                          \
  "video/x-raw, format = (string) { GRAY16_LE, GRAY8 }, width = (int) [ 1, 16384 ], " \
  "height = (int) [ 1, 16384 ]"

// Sets the functions of sink and src.
void gst_rdp_segment_element_init_pads(GstRdpSegmentElement* self);
void gst_rdp_segment_element_init_overlay_pad(GstRdpSegmentOverlayPad* pad);

// A reference to the overlay pad, or null. Any thread.
GstRdpSegmentOverlayPad* gst_rdp_segment_element_ref_overlay(GstRdpSegmentElement* self);

#endif  // RDP_GST_ELEMENTS_GSTRDPSEGMENT_PRIVATE_H_
