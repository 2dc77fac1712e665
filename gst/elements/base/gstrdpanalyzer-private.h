// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_GSTRDPANALYZER_PRIVATE_H_
#define RDP_GST_ELEMENTS_BASE_GSTRDPANALYZER_PRIVATE_H_

#include <gst/video/video.h>

#include <memory>

#include "gst/cuda/gpu_provider.h"
#include "gst/elements/base/camera_source.h"
#include "gst/elements/base/extra_pads.h"
#include "gst/elements/base/frame_output.h"
#include "gst/elements/base/frame_work.h"
#include "gst/elements/base/gstrdpanalyzer.h"
#include "gst/elements/base/seek_filter.h"
#include "gst/memory/nvmm_buffer.h"

// Shared by the files of the base: gstrdpanalyzer.cpp has the object (states, pads),
// gstrdpanalyzerstream.cpp the stream (buffers, events, queries). FrameWork does the work on a
// frame; FrameOutput makes frames of the element's own.

// Every function of the base has the element as `self`.
#define GST_CAT_DEFAULT (GST_RDP_ANALYZER_GET_CLASS(self)->category)

// State from READY to PAUSED and beyond; made and freed while no data flows.
struct GstRdpAnalyzerSession {
  GstRdpAnalyzerSession(GstRdpAnalyzer* self, const rdp::gst::AnalyzerSettings& settings,
                        std::unique_ptr<rdp::gst::Method> method);
  ~GstRdpAnalyzerSession();
  GstRdpAnalyzerSession(const GstRdpAnalyzerSession&) = delete;
  GstRdpAnalyzerSession& operator=(const GstRdpAnalyzerSession&) = delete;

  rdp::gst::CameraSource camera;  // of the frames, for methods that measure
  rdp::gst::FrameWork work;
  rdp::gst::FrameOutput output;  // frames of the element's own: see transform_caps()
  rdp::gst::TaggedBuffers tagged;

  // The stream.
  GstSegment segment;
  bool have_caps = false;
  bool is_video = false;
  GstVideoInfo info{};  // of video
  rdp::gst::MemoryKind memory = rdp::gst::MemoryKind::kSystem;
  // The caps event that the element has answered with an error. Core sends it again before the next
  // event and the next frame, which is no news.
  GstEvent* refused_caps = nullptr;
};

struct _GstRdpAnalyzerPrivate : rdp::gst::InstanceMemory {
  explicit _GstRdpAnalyzerPrivate(GstElement* element) : extra(element, 1), gpu(element) {}

  // From construction on; what is in there is under the object lock.
  std::unique_ptr<rdp::gst::AnalyzerSettings> settings;

  // Under the object lock.
  rdp::gst::AnalyzerStats stats;
  rdp::gst::ExtraPads extra;  // the overlay

  // Streaming thread; changed between READY and PAUSED.
  GstRdpAnalyzerSession* session = nullptr;
  // Lives as long as the element; is started when there is work for it.
  rdp::gst::GpuProvider gpu;
  rdp::gst::SeekFilter seeks;
};

// Sets the functions of sink and src.
void gst_rdp_analyzer_init_pads(GstRdpAnalyzer* self);
// The functions of an overlay pad.
gboolean gst_rdp_analyzer_src_event(GstPad* pad, GstObject* parent, GstEvent* event);
gboolean gst_rdp_analyzer_overlay_query(GstPad* pad, GstObject* parent, GstQuery* query);

// Any thread.
rdp::gst::ExtraPadRef gst_rdp_analyzer_ref_overlay(GstRdpAnalyzer* self);

// True if src sends frames of the element's own. Any thread.
bool gst_rdp_analyzer_makes_frames(GstRdpAnalyzer* self);

// The words of its class.
rdp::gst::ElementWords gst_rdp_analyzer_words(GstRdpAnalyzer* self);

#endif  // RDP_GST_ELEMENTS_BASE_GSTRDPANALYZER_PRIVATE_H_
