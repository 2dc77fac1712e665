// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_GSTRDPANALYZER_PRIVATE_H_
#define RDP_GST_ELEMENTS_BASE_GSTRDPANALYZER_PRIVATE_H_

#include <gst/video/video.h>

#include <memory>

#include "gst/elements/base/camera_source.h"
#include "gst/elements/base/frame_output.h"
#include "gst/elements/base/frame_work.h"
#include "gst/elements/base/gstrdpanalyzer.h"
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
  // event and the next frame, without a new error.
  GstEvent* refused_caps = nullptr;
};

struct _GstRdpAnalyzerPrivate final : rdp::gst::ElementCore {
  explicit _GstRdpAnalyzerPrivate(GstRdpAnalyzer* element);
  ~_GstRdpAnalyzerPrivate() override;

  GstStructure* make_stats() override;
  bool check_backend(bool with_method) override;
  std::unique_ptr<rdp::gst::Method> new_method();
  // The overlay, or none. Any thread.
  rdp::gst::ExtraPadRef ref_overlay() const { return extra.ref(0); }

  GstRdpAnalyzer* const self;
  // Streaming thread; changed between READY and PAUSED.
  GstRdpAnalyzerSession* session = nullptr;
};

// Sets the functions of sink and src.
void gst_rdp_analyzer_init_pads(GstRdpAnalyzer* self);
// The functions of an overlay pad.
gboolean gst_rdp_analyzer_src_event(GstPad* pad, GstObject* parent, GstEvent* event);
gboolean gst_rdp_analyzer_overlay_query(GstPad* pad, GstObject* parent, GstQuery* query);

// True if src sends the element's own frames. Any thread.
bool gst_rdp_analyzer_makes_frames(GstRdpAnalyzer* self);

#endif  // RDP_GST_ELEMENTS_BASE_GSTRDPANALYZER_PRIVATE_H_
