// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_GSTRDPANALYZER_PRIVATE_H_
#define RDP_GST_ELEMENTS_BASE_GSTRDPANALYZER_PRIVATE_H_

#include <gst/video/video.h>

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gst/cuda/gpu_provider.h"
#include "gst/elements/base/backend_choice.h"
#include "gst/elements/base/camera_source.h"
#include "gst/elements/base/gstrdpanalyzer.h"
#include "gst/elements/base/picture_pad.h"
#include "gst/elements/base/seek_filter.h"
#include "gst/memory/frame_mapper.h"
#include "gst/memory/nvmm_buffer.h"
#include "gst/memory/picture_mapper.h"

// What the files of the base share: gstrdpanalyzer.cpp has the object (states, pads),
// gstrdpanalyzerstream.cpp what flows through it (buffers, events, queries),
// gstrdpanalyzerframe.cpp the work on one buffer, gstrdpanalyzercamera.cpp the camera of its
// frames, gstrdpanalyzeroutput.cpp frames of its own.

// Every function of the base has the element as `self`.
#define GST_CAT_DEFAULT (GST_RDP_ANALYZER_GET_CLASS(self)->category)

// What exists between READY and PAUSED and beyond; made and freed while no data flows.
struct GstRdpAnalyzerSession {
  GstRdpAnalyzerSession(GstElement* element, const rdp::gst::AnalyzerSettings& settings,
                        std::unique_ptr<rdp::gst::Method> of_element)
      : camera(element),
        method(std::move(of_element)),
        choice(settings.backend),
        cuda_device_id(settings.cuda_device_id),
        nvmm_buffers(rdp::gst::nvmm_buffer_pool_new()) {
    gst_segment_init(&segment, GST_FORMAT_UNDEFINED);
  }
  ~GstRdpAnalyzerSession();
  GstRdpAnalyzerSession(const GstRdpAnalyzerSession&) = delete;
  GstRdpAnalyzerSession& operator=(const GstRdpAnalyzerSession&) = delete;

  rdp::gst::CameraSource camera;  // of the frames, for methods that measure
  std::unique_ptr<rdp::gst::Method> method;
  rdp::gst::BackendChoice choice;
  gint cuda_device_id;

  // The stream.
  GstSegment segment;
  bool have_caps = false;
  bool is_video = false;
  GstVideoInfo info{};  // of video
  rdp::gst::MemoryKind memory = rdp::gst::MemoryKind::kSystem;
  guint64 frame = 0;
  // Caps events that have been answered with an error: one that core refuses, and one that the
  // element does. Core sends them again before the next event and the next frame, which is no news.
  GstEvent* explained_caps = nullptr;
  GstEvent* refused_caps = nullptr;

  // The buffer that is worked on.
  rdp::gst::FrameMapper input;
  rdp::gst::PictureMapper picture;
  std::vector<GstMiniObject*> results;
  // The input that the user was told a batch does not have: see Method::painted_input().
  std::optional<std::size_t> missing_input;
  GstBufferPool* nvmm_buffers;

  // Frames of the element's own: see transform_caps().
  GstVideoInfo output_info{};
  GstBufferPool* output_pool = nullptr;
  rdp::gst::FrameMapper output;
};

struct _GstRdpAnalyzerPrivate : rdp::gst::InstanceMemory {
  explicit _GstRdpAnalyzerPrivate(GstElement* element) : gpu(element) {}

  // From construction on; what is in there is under the object lock.
  std::unique_ptr<rdp::gst::AnalyzerSettings> settings;

  // Under the object lock.
  rdp::gst::AnalyzerStats stats;
  GstRdpPicturePad* overlay = nullptr;  // owned by the element's list of pads

  // Streaming thread; changed between READY and PAUSED.
  GstRdpAnalyzerSession* session = nullptr;
  // Lives as long as the element; is started when there is work for it.
  rdp::gst::GpuProvider gpu;
  rdp::gst::SeekFilter seeks;
};

// What becomes of one buffer.
struct GstRdpAnalyzerOutcome {
  GstBuffer* output = nullptr;   // what goes on to src; owned
  GstBuffer* picture = nullptr;  // owned
  bool gap = false;              // no picture is wanted, but the stream runs
  GstFlowReturn picture_flow = GST_FLOW_OK;
};

// Sets the functions of sink and src, and of an overlay pad.
void gst_rdp_analyzer_init_pads(GstRdpAnalyzer* self);
void gst_rdp_analyzer_init_overlay_pad(GstRdpAnalyzer* self, GstRdpPicturePad* pad);

// A reference to the overlay pad, or null. Any thread.
GstRdpPicturePad* gst_rdp_analyzer_ref_overlay(GstRdpAnalyzer* self);

// A copy of the settings that the base has. Any thread.
rdp::gst::AnalyzerSettings gst_rdp_analyzer_copy_settings(GstRdpAnalyzer* self);

// Decides who works on frames of new caps, and makes them ready. False, with an element error: the
// frames cannot be worked on. May throw.
bool gst_rdp_analyzer_choose_backend(GstRdpAnalyzer* self, const GstCaps* caps);

// Makes the method's engine in the session that frames of the host go to, which is started: what
// cannot work here is found out before frames come. Throws GpuError and std::bad_alloc.
void gst_rdp_analyzer_prepare_gpu(GstRdpAnalyzer* self, rdp::gst::Method& method, int device_id);

// Works on `buffer`, which is writable and stays the caller's. Posts an element error on failure;
// what *outcome has is the caller's in any case.
GstFlowReturn gst_rdp_analyzer_work(GstRdpAnalyzer* self, GstRdpPicturePad* overlay,
                                    GstBuffer* buffer, GstRdpAnalyzerOutcome* outcome);

// The camera of the frames: what the method is told of it, whether it gives the metres that the
// picture is to show, and the meta on the frame that goes on. The second one posts an error where
// the user has asked for metres that there never are: *flow is then an error.
void gst_rdp_analyzer_find_camera(GstRdpAnalyzer* self, GstBuffer* buffer,
                                  const rdp::gst::CameraSettings& settings);
bool gst_rdp_analyzer_has_metres(GstRdpAnalyzer* self, GstFlowReturn* flow);
void gst_rdp_analyzer_attach_camera(GstRdpAnalyzer* self, const GstRdpAnalyzerOutcome& outcome,
                                    GstBuffer* buffer);

// Frames of the element's own. Caps of src for new caps of the sink: sends them, and finds a pool.
// False, with an element error: there are none that both sides take.
bool gst_rdp_analyzer_negotiate_output(GstRdpAnalyzer* self, GstCaps* input);
// A frame to be written, which describes the same moment as `input`; null with *flow.
GstBuffer* gst_rdp_analyzer_acquire_output(GstRdpAnalyzer* self, GstBuffer* input,
                                           GstFlowReturn* flow);

#endif  // RDP_GST_ELEMENTS_BASE_GSTRDPANALYZER_PRIVATE_H_
