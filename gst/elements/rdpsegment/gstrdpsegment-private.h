// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPSEGMENT_GSTRDPSEGMENT_PRIVATE_H_
#define RDP_GST_ELEMENTS_RDPSEGMENT_GSTRDPSEGMENT_PRIVATE_H_

#include <gst/video/video.h>

#include <memory>
#include <vector>

#include "common/rdp/engine.h"
#include "common/rdp/parameters.h"
#include "gst/elements/base/backend_trial.h"
#include "gst/elements/base/instance_memory.h"
#include "gst/elements/base/seek_filter.h"
#include "gst/elements/rdpsegment/enums.h"
#include "gst/elements/rdpsegment/gpu_backend.h"
#include "gst/elements/rdpsegment/gstrdpsegment.h"
#include "gst/elements/rdpsegment/gstrdpsegmentoverlaypad.h"
#include "gst/memory/host_picture.h"
#include "gst/memory/nvmm_buffer.h"
#include "gst/memory/nvmm_memory.h"
#include "gst/rdpsegment/rdpsegmentationpool.h"

// What the files of rdpsegment share: gstrdpsegment.cpp has the object (states, pads),
// gstrdpsegmentproperties.cpp its properties, gstrdpsegmentstream.cpp what flows through it
// (buffers, events, queries), gstrdpsegmentframe.cpp the work on one frame.

// What the user has set. A frame works on a copy taken when it arrives.
struct GstRdpSegmentSettings : rdp::gst::InstanceMemory {
  rdp::Parameters parameters;
  GstRdpOutput output = GST_RDP_OUTPUT_PASSTHROUGH;
  GstRdpBackend backend = GST_RDP_BACKEND_AUTO;
  gint cuda_device_id = -1;
  guint threads = 0;
};

struct GstRdpSegmentStats : rdp::gst::InstanceMemory {
  guint64 frames = 0;
  guint64 segments = 0;
  guint64 pixels = 0;
  GstClockTime last_time = 0;  // spent on the last frame: filters, segmentation, reconstruction
  GstClockTime total_time = 0;
  bool on_gpu = false;  // the last frame
};

// Who works on the frames of the stream as its caps are now.
enum class GstRdpSegmentRoute {
  kCpu,
  kGpu,
  kTrial,  // one after the other, until the faster one is known; then that one
};

// What becomes of the overlay for one frame.
struct GstRdpSegmentPicture {
  GstBuffer* buffer = nullptr;  // owned
  bool gap = false;             // none is wanted, but the stream runs
  GstFlowReturn flow = GST_FLOW_OK;
};

// What exists between READY and PAUSED and beyond; made and freed while no data flows.
struct GstRdpSegmentSession {
  explicit GstRdpSegmentSession(const GstRdpSegmentSettings& settings)
      : backend(settings.backend),
        cuda_device_id(settings.cuda_device_id),
        pool(gst_rdp_segmentation_pool_new()),
        nvmm_buffers(rdp::gst::nvmm_buffer_pool_new()) {
    gst_segment_init(&segment, GST_FORMAT_UNDEFINED);
  }
  ~GstRdpSegmentSession() {
    gst_clear_event(&explained_caps);
    gst_clear_event(&refused_caps);
    gst_rdp_segmentation_pool_unref(pool);
    gst_buffer_pool_set_active(nvmm_buffers, FALSE);
    gst_object_unref(nvmm_buffers);
  }
  GstRdpSegmentSession(const GstRdpSegmentSession&) = delete;
  GstRdpSegmentSession& operator=(const GstRdpSegmentSession&) = delete;

  rdp::Engine engine{1};
  guint threads = 1;  // as the engine was last told
  GstRdpBackend backend;
  gint cuda_device_id;
  GstRdpSegmentationPool* pool;
  std::vector<GstRdpSegmentation*> segmentations;  // of the buffer that is worked on
  rdp::gst::NvmmFrame nvmm;                        // that buffer, if it is in NVMM memory
  GstBufferPool* nvmm_buffers;
  rdp::gst::HostPicture picture;  // while the CPU paints it
  GstSegment segment;
  bool have_info = false;
  GstVideoInfo info{};
  // Caps events that have been answered with an error: one that core refuses, and one that the
  // element does. Core sends them again before the next event and the next frame, which is no news.
  GstEvent* explained_caps = nullptr;
  GstEvent* refused_caps = nullptr;
  rdp::gst::MemoryKind memory = rdp::gst::MemoryKind::kSystem;
  GstRdpSegmentRoute route = GstRdpSegmentRoute::kCpu;
  rdp::gst::BackendTrial trial;
  bool gpu_failed = false;  // on trial; not tried again
  bool warned_of_empty_range = false;
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

  // Streaming thread; changed between READY and PAUSED.
  GstRdpSegmentSession* session;
  // Lives as long as the element; is started when there is work for it.
  rdp::gst::GpuBackend* gpu;

  rdp::gst::SeekFilter* seeks;
};

void gst_rdp_segment_element_set_property(GObject* object, guint id, const GValue* value,
                                          GParamSpec* pspec);
void gst_rdp_segment_element_get_property(GObject* object, guint id, GValue* value,
                                          GParamSpec* pspec);
void gst_rdp_segment_element_install_properties(GObjectClass* klass);

// Sets the functions of sink and src.
void gst_rdp_segment_element_init_pads(GstRdpSegmentElement* self);
void gst_rdp_segment_element_init_overlay_pad(GstRdpSegmentOverlayPad* pad);

// A reference to the overlay pad, or null. Any thread.
GstRdpSegmentOverlayPad* gst_rdp_segment_element_ref_overlay(GstRdpSegmentElement* self);

// Decides who works on frames of new caps, and makes them ready. False, with an element error: the
// frames cannot be worked on.
bool gst_rdp_segment_element_choose_route(GstRdpSegmentElement* self, const GstCaps* caps);

// How many threads the engine is to have (0: one for each processor). Where the system does not
// give so many, the element goes on with fewer and posts a warning. Throws std::bad_alloc.
void gst_rdp_segment_element_set_threads(GstRdpSegmentElement* self, GstRdpSegmentSession& session,
                                         guint threads);

// The context of the overlay's pictures if they may lie in CUDA memory, else null.
GstObject* gst_rdp_segment_element_picture_context(GstRdpSegmentElement* self);

// Segments `buffer`, which is writable, and attaches the result. Where a picture is to be painted
// (overlay may be null), *picture gets it. Posts an element error on failure.
GstFlowReturn gst_rdp_segment_element_work(GstRdpSegmentElement* self,
                                           GstRdpSegmentOverlayPad* overlay, GstBuffer* buffer,
                                           GstRdpSegmentPicture* picture);

#endif  // RDP_GST_ELEMENTS_RDPSEGMENT_GSTRDPSEGMENT_PRIVATE_H_
