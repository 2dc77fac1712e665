// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-depthrvlenc
 * @title: depthrvlenc
 * @short_description: Encodes depth frames without loss
 *
 * Encodes depth or disparity of GRAY16_LE by RVL, each frame by itself. The caps carry the frames'
 * camera, so that it survives transports without metadata. depthrvldec restores the frames and
 * their camera.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 depthtestsrc num-buffers=100 ! depthrvlenc ! gdppay ! filesink location=depth.gdp
 * ]|
 */
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/gstvideoencoder.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "common/boundary.h"
#include "common/rvl/rvl.h"
#include "gst/elements/base/camera_choice.h"
#include "gst/elements/base/caps_explainer.h"
#include "gst/elements/depthrvl/rvl_caps.h"
#include "gst/memory/pool_negotiation.h"
#include "gst/memory/system_memory.h"

GST_DEBUG_CATEGORY_STATIC(gst_depth_rvl_enc_debug);
#define GST_CAT_DEFAULT gst_depth_rvl_enc_debug

#define GST_TYPE_DEPTH_RVL_ENC (gst_depth_rvl_enc_get_type())
G_DECLARE_FINAL_TYPE(GstDepthRvlEnc, gst_depth_rvl_enc, GST, DEPTH_RVL_ENC, GstVideoEncoder)

// Streaming thread only.
struct _GstDepthRvlEnc {
  GstVideoEncoder parent;

  GstVideoCodecState* input;  // null before caps
  GstRdpCamera* camera;       // in the caps; null: none
  bool warned_of_lost;
  bool renegotiate;  // the caps are new
  GstBufferPool* pool;
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE(
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS(RDP_RVL_DEPTH_CAPS));
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS(RDP_RVL_CAPS));

G_DEFINE_TYPE(GstDepthRvlEnc, gst_depth_rvl_enc, GST_TYPE_VIDEO_ENCODER)
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(
    depthrvlenc, "depthrvlenc", GST_RANK_NONE, GST_TYPE_DEPTH_RVL_ENC,
    GST_DEBUG_CATEGORY_INIT(gst_depth_rvl_enc_debug, "depthrvlenc", 0, "lossless depth encoder"))

namespace {

constexpr rdp::gst::CapsWords kCapsWords = {.takes = "format GRAY16_LE, up to 16384x16384",
                                            .remedy = rdp::gst::kDepthRemedy,
                                            .media = "video/x-raw in system memory"};

void set_pool(GstDepthRvlEnc* self, GstBufferPool* pool) {
  std::swap(self->pool, pool);
  if (pool == nullptr) return;
  // Downstream may offer the pool in use once more.
  if (pool != self->pool) gst_buffer_pool_set_active(pool, FALSE);
  gst_object_unref(pool);
}

// Sets the caps of the next frame.
bool set_output_caps(GstDepthRvlEnc* self) {
  GstCaps* caps = gst_caps_new_empty_simple("image/x-rvl");
  if (self->camera != nullptr) {
    g_autofree gchar* json = gst_rdp_camera_to_json(self->camera);
    if (json == nullptr) {
      gst_caps_unref(caps);
      GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, ("No memory for the camera."), (nullptr));
      return false;
    }
    gst_caps_set_simple(caps, rdp::gst::kRvlCameraField, G_TYPE_STRING, json, nullptr);
  }
  gst_video_codec_state_unref(
      gst_video_encoder_set_output_state(GST_VIDEO_ENCODER(self), caps, self->input));
  self->renegotiate = true;
  return true;
}

// The camera of a frame (transfer full), or null, with a warning where one was lost on the way.
GstRdpCamera* camera_of(GstDepthRvlEnc* self, GstBuffer* buffer) {
  g_autoptr(GError) error = nullptr;
  GstRdpCamera* camera = gst_rdp_buffer_get_camera(buffer, &error);
  std::string lost = error != nullptr ? error->message : "";
  if (camera != nullptr) lost = rdp::gst::camera_size_fault(camera, self->input->info);
  if (lost.empty()) return camera;
  g_clear_pointer(&camera, gst_rdp_camera_unref);
  if (!self->warned_of_lost) {
    self->warned_of_lost = true;
    GST_ELEMENT_WARNING(
        self, STREAM, FORMAT,
        ("Frames are encoded without their camera from this one on: %s.", lost.c_str()), (nullptr));
  }
  return nullptr;
}

// Updates the caps if the frame's camera differs from the last frame's.
bool follow_camera(GstDepthRvlEnc* self, GstBuffer* buffer) {
  g_autoptr(GstRdpCamera) camera = camera_of(self, buffer);
  if (camera == self->camera) return true;
  const bool same = camera != nullptr && self->camera != nullptr &&
                    rdp::gst::same_camera(*gst_rdp_camera_get_info(camera),
                                          *gst_rdp_camera_get_info(self->camera));
  g_clear_pointer(&self->camera, gst_rdp_camera_unref);
  self->camera = static_cast<GstRdpCamera*>(g_steal_pointer(&camera));
  return same || set_output_caps(self);
}

GstFlowReturn negotiate(GstDepthRvlEnc* self) {
  if (!self->renegotiate && self->pool != nullptr) return GST_FLOW_OK;
  if (gst_video_encoder_negotiate(GST_VIDEO_ENCODER(self))) {
    self->renegotiate = false;
    return GST_FLOW_OK;
  }
  GstPad* src = GST_VIDEO_ENCODER_SRC_PAD(self);
  gst_pad_mark_reconfigure(src);
  return GST_PAD_IS_FLUSHING(src) ? GST_FLOW_FLUSHING : GST_FLOW_NOT_NEGOTIATED;
}

// Writes the code of a frame to a buffer of the pool.
GstFlowReturn encode(GstDepthRvlEnc* self, const rdp::DepthView& frame, GstBuffer** code) {
  if (const GstFlowReturn flow = gst_buffer_pool_acquire_buffer(self->pool, code, nullptr);
      flow != GST_FLOW_OK) {
    if (flow == GST_FLOW_ERROR) {
      GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, ("No memory for the code of a frame."),
                        ("the pool gives none"));
    }
    return flow;
  }
  GstMapInfo map;
  const bool mapped = gst_buffer_map(*code, &map, GST_MAP_WRITE) != FALSE;
  if (!mapped || map.size < rdp::rvl::max_bytes(frame.width, frame.height)) {
    GST_ELEMENT_ERROR(self, RESOURCE, WRITE, ("Cannot write the code of a frame."),
                      ("the pool gave %" GST_PTR_FORMAT ", the code needs up to %" G_GSIZE_FORMAT
                       " writable bytes",
                       *code, rdp::rvl::max_bytes(frame.width, frame.height)));
    if (mapped) gst_buffer_unmap(*code, &map);
    gst_clear_buffer(code);
    return GST_FLOW_ERROR;
  }
  const std::size_t size =
      rdp::rvl::encode(frame, {reinterpret_cast<std::byte*>(map.data), map.size});
  gst_buffer_unmap(*code, &map);
  gst_buffer_set_size(*code, static_cast<gssize>(size));
  return GST_FLOW_OK;
}

GstFlowReturn work(GstDepthRvlEnc* self, GstVideoCodecFrame* frame) {
  rdp::gst::SystemFrame input;
  std::string reason;
  if (!input.map(frame->input_buffer, self->input->info, rdp::gst::Access::kRead, &reason)) {
    GST_ELEMENT_ERROR(self, STREAM, FORMAT, ("A frame cannot be read: %s.", reason.c_str()),
                      ("%" GST_PTR_FORMAT, frame->input_buffer));
    return GST_FLOW_ERROR;
  }
  if (!follow_camera(self, frame->input_buffer)) return GST_FLOW_ERROR;
  if (const GstFlowReturn flow = negotiate(self); flow != GST_FLOW_OK) return flow;
  return encode(self, input.view(), &frame->output_buffer);
}

}  // namespace

static gboolean set_format(GstVideoEncoder* encoder, GstVideoCodecState* state) {
  GstDepthRvlEnc* self = GST_DEPTH_RVL_ENC(encoder);
  if (rdp::gst::explain_mixed_frames(GST_ELEMENT(encoder), state->caps)) return FALSE;
  g_clear_pointer(&self->input, gst_video_codec_state_unref);
  self->input = gst_video_codec_state_ref(state);
  return set_output_caps(self);
}

static GstFlowReturn handle_frame(GstVideoEncoder* encoder, GstVideoCodecFrame* frame) {
  GstDepthRvlEnc* self = GST_DEPTH_RVL_ENC(encoder);
  const GstFlowReturn flow =
      rdp::contain([&] { return work(self, frame); },
                   [&](const char* reason) {
                     GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT,
                                       ("A frame cannot be encoded."), ("%s", reason));
                     return GST_FLOW_ERROR;
                   });
  if (flow != GST_FLOW_OK) {
    gst_video_codec_frame_unref(frame);
    return flow;
  }
  GST_VIDEO_CODEC_FRAME_SET_SYNC_POINT(frame);
  return gst_video_encoder_finish_frame(encoder, frame);
}

// The base class has set flags and DTS of its own.
static GstFlowReturn pre_push(GstVideoEncoder*, GstVideoCodecFrame* frame) {
  rdp::gst::describe_as(frame->output_buffer, frame->input_buffer);
  return GST_FLOW_OK;
}

// Metas are carried by describe_as().
static gboolean transform_meta(GstVideoEncoder*, GstVideoCodecFrame*, GstMeta*) { return FALSE; }

static gboolean propose_allocation(GstVideoEncoder* encoder, GstQuery* query) {
  rdp::gst::offer_metas(query, {GST_VIDEO_META_API_TYPE, GST_VIDEO_CROP_META_API_TYPE});
  return GST_VIDEO_ENCODER_CLASS(gst_depth_rvl_enc_parent_class)
      ->propose_allocation(encoder, query);
}

// The pool is the element's own: the base class would allocate for each frame.
static gboolean decide_allocation(GstVideoEncoder* encoder, GstQuery* query) {
  GstDepthRvlEnc* self = GST_DEPTH_RVL_ENC(encoder);
  const GstVideoInfo& info = self->input->info;
  std::string reason;
  rdp::gst::PoolNeeds needs;
  needs.kind = rdp::gst::byte_pools();
  needs.size = static_cast<guint>(
      rdp::rvl::max_bytes(GST_VIDEO_INFO_WIDTH(&info), GST_VIDEO_INFO_HEIGHT(&info)));
  GstBufferPool* pool = rdp::gst::decide_pool(query, needs, &reason);
  if (pool != nullptr && !gst_buffer_pool_set_active(pool, TRUE)) gst_clear_object(&pool);
  set_pool(self, pool);
  if (pool != nullptr) return TRUE;
  GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, ("No memory for the code of frames."),
                    ("%s", reason.empty() ? "the pool gives none" : reason.c_str()));
  return FALSE;
}

static gboolean stop(GstVideoEncoder* encoder) {
  GstDepthRvlEnc* self = GST_DEPTH_RVL_ENC(encoder);
  set_pool(self, nullptr);
  g_clear_pointer(&self->input, gst_video_codec_state_unref);
  g_clear_pointer(&self->camera, gst_rdp_camera_unref);
  self->warned_of_lost = false;
  rdp::gst::forget_explained_caps_events(GST_ELEMENT(encoder));
  return TRUE;
}

static void gst_depth_rvl_enc_class_init(GstDepthRvlEncClass* klass) {
  GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
  GstVideoEncoderClass* encoder_class = GST_VIDEO_ENCODER_CLASS(klass);
  encoder_class->set_format = set_format;
  encoder_class->handle_frame = handle_frame;
  encoder_class->pre_push = pre_push;
  encoder_class->transform_meta = transform_meta;
  encoder_class->propose_allocation = propose_allocation;
  encoder_class->decide_allocation = decide_allocation;
  encoder_class->stop = stop;
  gst_element_class_add_static_pad_template(element_class, &sink_template);
  gst_element_class_add_static_pad_template(element_class, &src_template);
  gst_element_class_set_static_metadata(
      element_class, "Lossless depth encoder", "Codec/Encoder/Video",
      "Encodes 16-bit depth and disparity without loss (RVL)", "The rdpsegment authors");
}

static void gst_depth_rvl_enc_init(GstDepthRvlEnc* self) {
  rdp::gst::explain_caps_of_pad(GST_VIDEO_ENCODER_SINK_PAD(self), &kCapsWords);
}
