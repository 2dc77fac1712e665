// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-depthrvldec
 * @title: depthrvldec
 * @short_description: Decodes depth frames of depthrvlenc
 *
 * Decodes frames of RVL, and attaches the camera of the caps to each. A damaged frame is dropped
 * with a warning; more than `max-errors` in a row are an error.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=depth.gdp ! gdpdepay ! depthrvldec ! videoconvert !
 * autovideosink
 * ]|
 */
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/gstvideodecoder.h>

#include <cstddef>
#include <exception>
#include <span>
#include <string>

#include "common/boundary.h"
#include "common/rvl/rvl.h"
#include "gst/elements/base/caps_explainer.h"
#include "gst/elements/depthrvl/rvl_caps.h"
#include "gst/memory/pool_negotiation.h"
#include "gst/memory/system_memory.h"

GST_DEBUG_CATEGORY_STATIC(gst_depth_rvl_dec_debug);
#define GST_CAT_DEFAULT gst_depth_rvl_dec_debug

#define GST_TYPE_DEPTH_RVL_DEC (gst_depth_rvl_dec_get_type())
G_DECLARE_FINAL_TYPE(GstDepthRvlDec, gst_depth_rvl_dec, GST, DEPTH_RVL_DEC, GstVideoDecoder)

// Streaming thread only.
struct _GstDepthRvlDec {
  GstVideoDecoder parent;

  GstRdpCamera* camera;  // of the caps; null: none
  GstCaps* frames;       // the caps without their camera; null: none yet
  bool damaged;          // the last frame was damaged, and a warning was posted
  GstBuffer* code;       // input of the frame that the base class is pushing
};

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS(RDP_RVL_CAPS));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS(RDP_RVL_DEPTH_CAPS));

G_DEFINE_TYPE(GstDepthRvlDec, gst_depth_rvl_dec, GST_TYPE_VIDEO_DECODER)
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(
    depthrvldec, "depthrvldec", GST_RANK_PRIMARY, GST_TYPE_DEPTH_RVL_DEC,
    GST_DEBUG_CATEGORY_INIT(gst_depth_rvl_dec_debug, "depthrvldec", 0, "lossless depth decoder"))

namespace {

constexpr rdp::gst::CapsWords kCapsWords = {
    .takes = "with width and height up to 16384",
    .remedy = "put depthrvlenc before it, and gdppay and gdpdepay around what carries bytes alone",
    .media = "image/x-rvl",
    .example = "image/x-rvl,width=640,height=480",
};

// The caps' camera (transfer full), or null, with a warning where it cannot be used.
GstRdpCamera* camera_of(GstDepthRvlDec* self, const GstVideoCodecState* state) {
  const gchar* json =
      gst_structure_get_string(gst_caps_get_structure(state->caps, 0), rdp::gst::kRvlCameraField);
  if (json == nullptr) return nullptr;
  g_autoptr(GError) error = nullptr;
  GstRdpCamera* camera = gst_rdp_camera_new_from_json(json, &error);
  const std::string fault =
      camera == nullptr ? error->message : rdp::gst::camera_size_fault(camera, state->info);
  if (fault.empty()) return camera;
  GST_ELEMENT_WARNING(
      self, STREAM, FORMAT,
      ("The camera of the caps cannot be used, frames have none: %s.", fault.c_str()),
      ("%s", json));
  g_clear_pointer(&camera, gst_rdp_camera_unref);
  return nullptr;
}

// Posts an error if the base class gives no frame, and returns the flow. A pad marked for
// reconfiguration means failed negotiation, which the base class reports as an error as well.
GstFlowReturn explain_no_frame(GstVideoDecoder* decoder) {
  GstPad* src = GST_VIDEO_DECODER_SRC_PAD(decoder);
  if (!gst_pad_needs_reconfigure(src)) {
    GST_ELEMENT_ERROR(decoder, RESOURCE, NO_SPACE_LEFT, ("No memory for a frame."),
                      ("the pool gives none"));
    return GST_FLOW_ERROR;
  }
  GstVideoCodecState* output = gst_video_decoder_get_output_state(decoder);
  if (output->caps != nullptr && !gst_pad_peer_query_accept_caps(src, output->caps)) {
    GST_ELEMENT_ERROR(decoder, CORE, NEGOTIATION,
                      ("The element downstream of depthrvldec does not accept its output caps."),
                      ("these are %" GST_PTR_FORMAT ": change the caps there, or put a converter "
                       "behind depthrvldec",
                       output->caps));
  }
  gst_video_codec_state_unref(output);
  return GST_FLOW_NOT_NEGOTIATED;
}

// Decodes into the frame's output buffer. False: *fault says why.
bool decode(GstVideoCodecFrame* frame, const GstVideoInfo& info, std::string* fault) {
  rdp::gst::SystemFrame output;
  if (!output.map(frame->output_buffer, info, rdp::gst::Access::kReadWrite, fault)) return false;
  GstMapInfo map;
  if (!gst_buffer_map(frame->input_buffer, &map, GST_MAP_READ)) {
    *fault = "the buffer cannot be mapped";
    return false;
  }
  try {
    rdp::rvl::decode({reinterpret_cast<const std::byte*>(map.data), map.size}, output.view());
  } catch (const std::exception& error) {
    rdp::give_reason(fault, error.what());
  }
  gst_buffer_unmap(frame->input_buffer, &map);
  return fault->empty();
}

// Drops a damaged frame. Consecutive ones get one warning, and an error beyond max-errors.
GstFlowReturn drop_damaged(GstDepthRvlDec* self, GstVideoCodecFrame* frame,
                           const std::string& fault) {
  GstFlowReturn flow = GST_FLOW_OK;
  GST_VIDEO_DECODER_ERROR(self, 1, STREAM, DECODE,
                          ("A frame cannot be decoded: %s.", fault.c_str()),
                          ("%" GST_PTR_FORMAT, frame->input_buffer), flow);
  if (flow == GST_FLOW_OK && !self->damaged) {
    GST_ELEMENT_WARNING(self, STREAM, DECODE,
                        ("A frame cannot be decoded and is left out: %s.", fault.c_str()),
                        ("%" GST_PTR_FORMAT, frame->input_buffer));
  }
  self->damaged = true;
  const GstFlowReturn dropped = gst_video_decoder_drop_frame(GST_VIDEO_DECODER(self), frame);
  return flow != GST_FLOW_OK ? flow : dropped;
}

// The base class drops DTS, and takes decreasing PTS for reordered frames.
GstPadProbeReturn restore_times(GstPad*, GstPadProbeInfo* info, gpointer data) {
  GstBuffer* code = static_cast<GstDepthRvlDec*>(data)->code;
  if (code == nullptr) return GST_PAD_PROBE_OK;
  GstBuffer* frame = gst_buffer_make_writable(GST_PAD_PROBE_INFO_BUFFER(info));
  GST_PAD_PROBE_INFO_DATA(info) = frame;
  GST_BUFFER_PTS(frame) = GST_BUFFER_PTS(code);
  GST_BUFFER_DTS(frame) = GST_BUFFER_DTS(code);
  GST_BUFFER_DURATION(frame) = GST_BUFFER_DURATION(code);
  GST_BUFFER_OFFSET(frame) = GST_BUFFER_OFFSET(code);
  GST_BUFFER_OFFSET_END(frame) = GST_BUFFER_OFFSET_END(code);
  return GST_PAD_PROBE_OK;
}

}  // namespace

static gboolean set_format(GstVideoDecoder* decoder, GstVideoCodecState* state) {
  GstDepthRvlDec* self = GST_DEPTH_RVL_DEC(decoder);
  g_clear_pointer(&self->camera, gst_rdp_camera_unref);
  self->camera = rdp::contain([&] { return camera_of(self, state); },
                              [&](const char* reason) -> GstRdpCamera* {
                                GST_WARNING_OBJECT(self, "no camera: %s", reason);
                                return nullptr;
                              });
  // A moving camera changes the caps with each frame; the pool stays.
  g_autoptr(GstCaps) frames = gst_caps_copy(state->caps);
  gst_structure_remove_field(gst_caps_get_structure(frames, 0), rdp::gst::kRvlCameraField);
  if (self->frames != nullptr && gst_caps_is_equal(self->frames, frames)) return TRUE;
  gst_caps_replace(&self->frames, frames);
  gst_video_codec_state_unref(gst_video_decoder_set_output_state(
      decoder, GST_VIDEO_FORMAT_GRAY16_LE, static_cast<guint>(GST_VIDEO_INFO_WIDTH(&state->info)),
      static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&state->info)), state));
  return TRUE;
}

static GstFlowReturn handle_frame(GstVideoDecoder* decoder, GstVideoCodecFrame* frame) {
  GstDepthRvlDec* self = GST_DEPTH_RVL_DEC(decoder);
  if (const GstFlowReturn flow = gst_video_decoder_allocate_output_frame(decoder, frame);
      flow != GST_FLOW_OK) {
    gst_video_decoder_release_frame(decoder, frame);
    return flow == GST_FLOW_ERROR ? explain_no_frame(decoder) : flow;
  }
  GstVideoCodecState* output = gst_video_decoder_get_output_state(decoder);
  std::string fault;
  const bool decoded = rdp::contain([&] { return decode(frame, output->info, &fault); },
                                    [&](const char* reason) {
                                      rdp::give_reason(&fault, reason);
                                      return false;
                                    });
  gst_video_codec_state_unref(output);
  if (!decoded) return drop_damaged(self, frame, fault);
  self->damaged = false;
  rdp::gst::describe_as(frame->output_buffer, frame->input_buffer);
  if (self->camera != nullptr) {
    gst_buffer_add_rdp_camera_meta(frame->output_buffer, self->camera);
  }
  // Backwards, the base class pushes frames later than it gets them.
  if (decoder->output_segment.rate > 0) gst_buffer_replace(&self->code, frame->input_buffer);
  const GstFlowReturn flow = gst_video_decoder_finish_frame(decoder, frame);
  gst_clear_buffer(&self->code);
  return flow;
}

// Metas are carried by describe_as().
static gboolean transform_meta(GstVideoDecoder*, GstVideoCodecFrame*, GstMeta*) { return FALSE; }

// Downstream's pool, or one of ours if that does not fit. The base class would not check that it
// can be activated.
static gboolean decide_allocation(GstVideoDecoder* decoder, GstQuery* query) {
  std::string reason;
  g_autoptr(GstBufferPool) pool = rdp::gst::decide_pool(query, {}, &reason);
  auto* parent = GST_VIDEO_DECODER_CLASS(gst_depth_rvl_dec_parent_class);
  if (pool != nullptr) {
    if (!parent->decide_allocation(decoder, query)) return FALSE;
    if (gst_buffer_pool_set_active(pool, TRUE)) return TRUE;
  }
  GST_ELEMENT_ERROR(decoder, RESOURCE, NO_SPACE_LEFT, ("No memory for frames."),
                    ("%s", reason.empty() ? "the pool gives none" : reason.c_str()));
  return FALSE;
}

static gboolean stop(GstVideoDecoder* decoder) {
  GstDepthRvlDec* self = GST_DEPTH_RVL_DEC(decoder);
  g_clear_pointer(&self->camera, gst_rdp_camera_unref);
  gst_clear_caps(&self->frames);
  self->damaged = false;
  rdp::gst::forget_explained_caps_events(GST_ELEMENT(decoder));
  return TRUE;
}

static void gst_depth_rvl_dec_class_init(GstDepthRvlDecClass* klass) {
  GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
  GstVideoDecoderClass* decoder_class = GST_VIDEO_DECODER_CLASS(klass);
  decoder_class->set_format = set_format;
  decoder_class->handle_frame = handle_frame;
  decoder_class->transform_meta = transform_meta;
  decoder_class->decide_allocation = decide_allocation;
  decoder_class->stop = stop;
  gst_element_class_add_static_pad_template(element_class, &sink_template);
  gst_element_class_add_static_pad_template(element_class, &src_template);
  gst_element_class_set_static_metadata(
      element_class, "Lossless depth decoder", "Codec/Decoder/Video",
      "Decodes 16-bit depth and disparity of depthrvlenc (RVL)", "The rdpsegment authors");
}

static void gst_depth_rvl_dec_init(GstDepthRvlDec* self) {
  auto* decoder = GST_VIDEO_DECODER(self);
  gst_video_decoder_set_packetized(decoder, TRUE);
  gst_video_decoder_set_needs_format(decoder, TRUE);
  gst_video_decoder_set_use_default_pad_acceptcaps(decoder, TRUE);
  g_object_set(self, "qos", FALSE, nullptr);  // lossless: sinks handle late frames
  gst_pad_add_probe(GST_VIDEO_DECODER_SRC_PAD(self), GST_PAD_PROBE_TYPE_BUFFER, restore_times, self,
                    nullptr);
  rdp::gst::explain_caps_of_pad(GST_VIDEO_DECODER_SINK_PAD(self), &kCapsWords);
}
