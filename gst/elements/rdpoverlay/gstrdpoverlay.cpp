// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-rdpoverlay
 * @title: rdpoverlay
 * @short_description: Draws the segments of depth frames onto colour pictures
 *
 * Pairs the pictures on `video` with the frames on `segments` and draws the segments onto them.
 * Where both carry a camera with a pose, the segments are projected; otherwise they are scaled to
 * the picture.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 rdpoverlay name=o ! videoconvert ! autovideosink depthtestsrc ! rdpsegment !
 * o.segments videotestsrc ! video/x-raw,width=1280,height=720 ! o.video
 * ]|
 */
#include "gst/elements/rdpoverlay/gstrdpoverlay.h"

#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/image/float_environment.h"
#include "gst/cuda/gpu_provider.h"
#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/caps_explainer.h"
#include "gst/elements/base/pairing.h"
#include "gst/elements/base/pairing_properties.h"
#include "gst/elements/rdpoverlay/composition.h"
#include "gst/elements/rdpoverlay/device_blend.h"
#include "gst/elements/rdpoverlay/drawing.h"
#include "gst/elements/rdpoverlay/host_blend.h"
#include "gst/elements/rdpoverlay/overlay_properties.h"
#include "gst/elements/rdpoverlay/overlay_settings.h"
#include "gst/elements/rdpoverlay/picture_caps.h"
#include "gst/memory/memory_kind.h"
#include "gst/memory/pool_negotiation.h"

GST_DEBUG_CATEGORY_STATIC(gst_rdp_overlay_debug);
#define GST_CAT_DEFAULT gst_rdp_overlay_debug

using rdp::gst::Drawing;
using rdp::gst::MemoryKind;
using rdp::gst::OverlayElementSettings;
using rdp::gst::Pairing;

namespace {

// What belongs to the streaming thread.
struct Stream {
  Stream(GstElement* element, rdp::gst::GpuProvider& gpu) : drawing(element), device(gpu) {}
  ~Stream() {
    gst_clear_caps(&picture_caps);
    gst_clear_caps(&frame_caps);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  Drawing drawing;
  rdp::gst::Composition composition;        // where downstream or libgstvideo blends
  std::vector<std::byte> drawn;             // the drawing where this element does
  rdp::gst::DeviceBlend device;             // where that is not in system memory
  MemoryKind memory = MemoryKind::kSystem;  // of the pictures
  // As they come in turn with the buffers: the pads themselves have those of what still waits.
  GstCaps* picture_caps = nullptr;
  GstCaps* frame_caps = nullptr;
  GstVideoInfo picture{};  // of video
  GstVideoInfo frame{};    // of the frame that is drawn
  bool attaches = false;   // downstream blends
  bool said_grey = false;
};

}  // namespace

struct _GstRdpOverlay {
  GstAggregator parent;

  OverlayElementSettings* settings;  // under the object lock
  Pairing* pairing;
  rdp::gst::GpuProvider* gpu;
  GstPad* video;  // the element keeps them
  GstPad* segments;
  Stream* stream;  // between start() and stop()
};

// Registered as GstRdpoverlay, from which GStreamer makes the names of unnamed elements:
// rdpoverlay0.
typedef GstRdpOverlay GstRdpoverlay;
typedef GstRdpOverlayClass GstRdpoverlayClass;
G_DEFINE_TYPE(GstRdpoverlay, gst_rdp_overlay, GST_TYPE_AGGREGATOR)
#define parent_class gst_rdp_overlay_parent_class
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(rdpoverlay, "rdpoverlay", GST_RANK_NONE, GST_TYPE_RDP_OVERLAY,
                                      GST_DEBUG_CATEGORY_INIT(gst_rdp_overlay_debug, "rdpoverlay",
                                                              0, "segments on colour pictures"))

static const rdp::gst::CapsWords kVideoWords = {
    "every format that GStreamer's video library blends in system memory, RGBA and NV12 in others, "
    "up to 16384x16384",
    "Put a converter before it that makes one of them: videoconvert; cudaconvert ! "
    "video/x-raw(memory:CUDAMemory),format=NV12; nvvideoconvert ! "
    "video/x-raw(memory:NVMM),format=NV12. Or bring the pictures to system memory with "
    "cudadownload or nvvideoconvert.",
    nullptr,
    "video/x-raw,format=I420,width=640,height=480 (rawvideoparse or a capsfilter adds them to raw "
    "data)",
};

// --- properties ---------------------------------------------------------------------------------

static constexpr auto kProperties = rdp::gst::join(
    rdp::gst::properties_of_member<OverlayElementSettings, &OverlayElementSettings::drawing,
                                   rdp::gst::kDrawingProperties>(),
    rdp::gst::properties_of_member<OverlayElementSettings, &OverlayElementSettings::pairing,
                                   rdp::gst::kPairingProperties>(),
    rdp::gst::properties_of_member<OverlayElementSettings, &OverlayElementSettings::pairing,
                                   rdp::gst::kMaxAgeProperties>(),
    rdp::gst::base_properties<OverlayElementSettings>(
        "Since the element went to PAUSED: pictures with segments (paired) and without (unpaired), "
        "frames of segments that met no picture (dropped), pictures left out to catch up (late)"));

static void gst_rdp_overlay_set_property(GObject* object, guint id, const GValue* value,
                                         GParamSpec* pspec) {
  GstRdpOverlay* self = GST_RDP_OVERLAY(object);
  rdp::gst::set_property(object, kProperties, *self->settings, id, value, pspec);
  GST_OBJECT_LOCK(self);
  const rdp::gst::PairingSettings pairing = self->settings->pairing;
  GST_OBJECT_UNLOCK(self);
  self->pairing->set_settings(pairing);
}

static void gst_rdp_overlay_get_property(GObject* object, guint id, GValue* value,
                                         GParamSpec* pspec) {
  GstRdpOverlay* self = GST_RDP_OVERLAY(object);
  if (id == rdp::gst::property_id(kProperties, "stats")) {
    const rdp::gst::PairingCounts counts = self->pairing->counts();
    g_value_take_boxed(
        value,
        gst_structure_new("application/x-rdpoverlay-stats", "paired", G_TYPE_UINT64, counts.paired,
                          "unpaired", G_TYPE_UINT64, counts.unpaired, "dropped", G_TYPE_UINT64,
                          counts.dropped, "late", G_TYPE_UINT64, counts.late, nullptr));
    return;
  }
  rdp::gst::get_property(object, kProperties, *self->settings, id, value, pspec);
}

static OverlayElementSettings gst_rdp_overlay_copy_settings(GstRdpOverlay* self) {
  GST_OBJECT_LOCK(self);
  const OverlayElementSettings settings = *self->settings;
  GST_OBJECT_UNLOCK(self);
  return settings;
}

// --- caps ---------------------------------------------------------------------------------------

// With backend=cpu: system memory alone.
static GstCaps* gst_rdp_overlay_own_caps(GstRdpOverlay* self, GstPad* pad) {
  GstCaps* caps = gst_pad_get_pad_template_caps(pad);
  if (pad != self->video || gst_rdp_overlay_copy_settings(self).backend != GST_RDP_BACKEND_CPU) {
    return caps;
  }
  return rdp::gst::in_system_memory(caps);
}

// What downstream takes, with and without compositions: what it would blend can be blended here.
static GstCaps* gst_rdp_overlay_video_caps(GstRdpOverlay* self, GstPad* pad, GstCaps* filter) {
  GstCaps* templ = gst_rdp_overlay_own_caps(self, pad);
  GstCaps* taken = gst_pad_peer_query_caps(GST_AGGREGATOR_SRC_PAD(self), nullptr);
  taken = rdp::gst::also_without_composition(taken);
  GstCaps* result = gst_caps_intersect_full(taken, templ, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref(taken);
  gst_caps_unref(templ);
  if (filter == nullptr) return result;
  GstCaps* filtered = gst_caps_intersect_full(filter, result, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref(result);
  return filtered;
}

// Whether downstream takes compositions on pictures of these caps, by its answer to an allocation
// query.
static bool gst_rdp_overlay_downstream_blends(GstRdpOverlay* self, GstCaps* caps) {
  GstQuery* query = gst_query_new_allocation(caps, FALSE);
  const bool blends =
      gst_pad_peer_query(GST_AGGREGATOR_SRC_PAD(self), query) &&
      gst_query_find_allocation_meta(query, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, nullptr);
  gst_query_unref(query);
  return blends;
}

// Whether the drawing goes out beside the pictures. Sends the caps that say so: elements in between
// answer no allocation query before they have them.
static bool gst_rdp_overlay_attaches(GstRdpOverlay* self, GstCaps* caps) {
  GstPad* src = GST_AGGREGATOR_SRC_PAD(self);
  g_autoptr(GstCaps) marked = rdp::gst::with_composition(caps);
  const bool came_so = rdp::gst::has_composition(caps);
  if (!came_so && !gst_pad_peer_query_accept_caps(src, marked)) return false;
  gst_aggregator_set_src_caps(GST_AGGREGATOR(self), marked);
  return came_so || gst_rdp_overlay_downstream_blends(self, marked) ||
         !gst_pad_peer_query_accept_caps(src, caps);
}

// Colours say what is near and of which class, and are no colours on a grey picture. Who blends
// downstream may have colours.
static void gst_rdp_overlay_warn_of_grey(GstRdpOverlay* self) {
  Stream& stream = *self->stream;
  const GstVideoFormatInfo* format = stream.picture.finfo;
  if (stream.said_grey || stream.attaches || !GST_VIDEO_FORMAT_INFO_IS_GRAY(format)) return;
  stream.said_grey = true;
  GST_ELEMENT_WARNING(
      self, STREAM, FORMAT,
      ("The pictures on video are grey, and so is what is drawn on them: distances and classes "
       "cannot be told apart."),
      ("expected pictures with colours, got format=%s: put videoconvert ! "
       "video/x-raw,format=I420 before the pad video",
       GST_VIDEO_FORMAT_INFO_NAME(format)));
}

// The pictures go out as they come in. Where downstream blends, the caps say that they may carry
// compositions.
static gboolean gst_rdp_overlay_negotiate(GstAggregator* aggregator) {
  GstRdpOverlay* self = GST_RDP_OVERLAY(aggregator);
  if (self->stream == nullptr || self->stream->picture_caps == nullptr) return TRUE;
  Stream& stream = *self->stream;
  stream.attaches =
      stream.memory == MemoryKind::kSystem && gst_rdp_overlay_attaches(self, stream.picture_caps);
  GST_INFO_OBJECT(self, "segments are %s", stream.attaches ? "attached" : "blended");
  if (!stream.attaches) gst_aggregator_set_src_caps(aggregator, stream.picture_caps);
  gst_rdp_overlay_warn_of_grey(self);
  return TRUE;
}

static bool gst_rdp_overlay_take_picture_caps(GstRdpOverlay* self, GstCaps* caps) {
  Stream& stream = *self->stream;
  if (!gst_video_info_from_caps(&stream.picture, caps)) {
    GST_ERROR_OBJECT(self->video, "no video: %" GST_PTR_FORMAT, caps);
    return false;
  }
  stream.memory = rdp::gst::memory_kind(caps);
  gst_caps_replace(&stream.picture_caps, caps);
  return true;
}

// Of the frame that is to be drawn. False: they are no video's.
static bool gst_rdp_overlay_take_frame_caps(GstRdpOverlay* self) {
  Stream& stream = *self->stream;
  GstCaps* caps = self->pairing->other_caps();
  if (caps == nullptr) return false;
  if (caps == stream.frame_caps) return true;
  if (!gst_video_info_from_caps(&stream.frame, caps)) return false;
  gst_caps_replace(&stream.frame_caps, caps);
  return true;
}

// --- pictures -----------------------------------------------------------------------------------

static GstFlowReturn gst_rdp_overlay_fail(GstRdpOverlay* self, GstBuffer* picture,
                                          const std::string& reason) {
  GST_ELEMENT_ERROR(self, STREAM, FORMAT,
                    ("A picture on video cannot be drawn on: %s.", reason.c_str()),
                    ("%" GST_PTR_FORMAT, picture));
  gst_buffer_unref(picture);
  return GST_FLOW_ERROR;
}

static GstFlowReturn gst_rdp_overlay_no_segments(GstRdpOverlay* self, GstBuffer* frame) {
  GST_ELEMENT_ERROR(
      self, STREAM, FORMAT,
      ("A frame on segments carries no segments: put rdpsegment before that pad, with nothing "
       "between them that drops its metadata."),
      ("No GstRdpSegmentMeta on %" GST_PTR_FORMAT
       ". Elements that crop, turn or mix pictures drop it, and so do those that do not know "
       "metadata about the size of a picture.",
       frame));
  return GST_FLOW_ERROR;
}

// Whether the drawing is a composition: others blend it. Otherwise it is blended in the integers of
// common/image/blend.h, wherever the picture is.
static bool gst_rdp_overlay_composes(const Stream& stream) {
  return stream.memory == MemoryKind::kSystem &&
         (stream.attaches || !rdp::gst::blends_on_host(GST_VIDEO_INFO_FORMAT(&stream.picture)));
}

// Attaches the drawing to a picture in system memory, or has libgstvideo draw it. False: *reason
// says what failed.
static bool gst_rdp_overlay_compose(Stream& stream, bool renewed, GstBuffer** picture,
                                    std::string* reason) {
  if ((renewed || !stream.composition.drawn()) &&
      !stream.composition.draw(
          GST_VIDEO_INFO_WIDTH(&stream.picture), GST_VIDEO_INFO_HEIGHT(&stream.picture),
          [&](const rdp::RgbaView& view) { stream.drawing.paint(view); }, reason)) {
    return false;
  }
  *picture = gst_buffer_make_writable(*picture);
  if (!stream.attaches) return stream.composition.blend(*picture, stream.picture, reason);
  stream.composition.attach(*picture);
  return true;
}

// Draws onto a picture where it is. May throw GpuError.
static bool gst_rdp_overlay_blend(Stream& stream, bool renewed, int device_id, GstBuffer** picture,
                                  std::string* reason) {
  const int width = GST_VIDEO_INFO_WIDTH(&stream.picture);
  const int height = GST_VIDEO_INFO_HEIGHT(&stream.picture);
  const std::ptrdiff_t stride = std::ptrdiff_t{4} * width;
  const auto bytes = static_cast<std::size_t>(stride) * static_cast<std::size_t>(height);
  if (renewed || stream.drawn.size() != bytes) {
    stream.drawn.resize(bytes);
    stream.drawing.paint({stream.drawn.data(), stride, width, height});
    stream.device.renew();
  }
  // NVMM memory is never copied: a copy is of the structure that describes it.
  if (stream.memory != MemoryKind::kNvmm) *picture = gst_buffer_make_writable(*picture);
  const rdp::RgbaView drawn{stream.drawn.data(), stride, width, height};
  if (stream.memory == MemoryKind::kSystem) {
    return rdp::gst::blend_on_host(drawn, *picture, stream.picture, reason);
  }
  return stream.device.blend(drawn, *picture, stream.picture, stream.memory, device_id, reason);
}

// May throw GpuError and std::bad_alloc.
static GstFlowReturn gst_rdp_overlay_draw(GstRdpOverlay* self, GstBuffer* frame,
                                          GstBuffer** picture) {
  Stream& stream = *self->stream;
  const OverlayElementSettings settings = gst_rdp_overlay_copy_settings(self);
  stream.drawing.set_threads(settings.threads);
  const bool composes = gst_rdp_overlay_composes(stream);
  const Drawing::Look look =
      stream.drawing.look(frame, stream.frame, *picture, stream.picture, settings.drawing,
                          composes ? rdp::PixelOrder::kBgra : rdp::PixelOrder::kRgba);
  if (look == Drawing::Look::kNothing) return GST_FLOW_OK;
  if (look == Drawing::Look::kRefused) {
    GST_ELEMENT_ERROR(self, LIBRARY, SETTINGS, ("style=birdseye needs metres, and there are none."),
                      ("%s", stream.drawing.reason().c_str()));
    gst_clear_buffer(picture);
    return GST_FLOW_ERROR;
  }
  const bool renewed = look == Drawing::Look::kNew;
  std::string reason;
  const bool drawn =
      composes ? gst_rdp_overlay_compose(stream, renewed, picture, &reason)
               : gst_rdp_overlay_blend(stream, renewed, settings.cuda_device_id, picture, &reason);
  if (drawn) return GST_FLOW_OK;
  return gst_rdp_overlay_fail(self, std::exchange(*picture, nullptr), reason);
}

static GstFlowReturn gst_rdp_overlay_push_pair(GstRdpOverlay* self) {
  GstBuffer* frame = self->pairing->other(0);
  if (frame != nullptr && gst_buffer_get_rdp_segment_meta(frame) == nullptr) {
    return gst_rdp_overlay_no_segments(self, frame);
  }
  GstBuffer* picture = self->pairing->take_main();
  if (frame != nullptr && self->stream->picture_caps != nullptr &&
      gst_rdp_overlay_take_frame_caps(self)) {
    try {
      const GstFlowReturn flow =
          rdp::with_standard_floats([&] { return gst_rdp_overlay_draw(self, frame, &picture); });
      if (flow != GST_FLOW_OK) return flow;
    } catch (const rdp::GpuError& error) {
      self->gpu->forget();
      GST_ELEMENT_ERROR(self, RESOURCE, FAILED, ("The GPU cannot draw on a picture."),
                        ("%s: %" GST_PTR_FORMAT, error.what(), picture));
      gst_buffer_unref(picture);
      return GST_FLOW_ERROR;
    } catch (const std::exception& error) {
      GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT,
                        ("There is not enough memory to draw the segments."), ("%s", error.what()));
      gst_buffer_unref(picture);
      return GST_FLOW_ERROR;
    }
  }
  self->pairing->release();
  return self->pairing->finish(picture);
}

static GstFlowReturn gst_rdp_overlay_aggregate(GstAggregator* aggregator, gboolean timeout) {
  GstRdpOverlay* self = GST_RDP_OVERLAY(aggregator);
  switch (self->pairing->next(timeout != FALSE)) {
    case Pairing::Next::kNeedData:
      return GST_AGGREGATOR_FLOW_NEED_DATA;
    case Pairing::Next::kEnd:
      return GST_FLOW_EOS;
    case Pairing::Next::kPair:
      break;
  }
  const GstFlowReturn flow = gst_rdp_overlay_push_pair(self);
  self->pairing->release();
  return flow;
}

// --- events and queries -------------------------------------------------------------------------

static gboolean gst_rdp_overlay_sink_event(GstAggregator* aggregator, GstAggregatorPad* pad,
                                           GstEvent* event) {
  GstRdpOverlay* self = GST_RDP_OVERLAY(aggregator);
  self->pairing->sink_event(pad, event);
  if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS && GST_PAD(pad) == self->video) {
    GstCaps* caps;
    gst_event_parse_caps(event, &caps);
    if (!gst_rdp_overlay_take_picture_caps(self, caps)) {
      gst_event_unref(event);
      return FALSE;
    }
    gst_rdp_overlay_negotiate(aggregator);
  }
  return GST_AGGREGATOR_CLASS(parent_class)->sink_event(aggregator, pad, event);
}

static GstFlowReturn gst_rdp_overlay_sink_event_pre_queue(GstAggregator* aggregator,
                                                          GstAggregatorPad* pad, GstEvent* event) {
  GST_RDP_OVERLAY(aggregator)->pairing->sink_event_pre_queue(pad, event);
  return GST_AGGREGATOR_CLASS(parent_class)->sink_event_pre_queue(aggregator, pad, event);
}

static gboolean gst_rdp_overlay_src_event(GstAggregator* aggregator, GstEvent* event) {
  GST_RDP_OVERLAY(aggregator)->pairing->src_event(event);
  return GST_AGGREGATOR_CLASS(parent_class)->src_event(aggregator, event);
}

static gboolean gst_rdp_overlay_sink_query(GstAggregator* aggregator, GstAggregatorPad* pad,
                                           GstQuery* query) {
  GstRdpOverlay* self = GST_RDP_OVERLAY(aggregator);
  if (GST_QUERY_TYPE(query) == GST_QUERY_CONTEXT && self->gpu->answer_context_query(query)) {
    return TRUE;
  }
  if (GST_QUERY_TYPE(query) == GST_QUERY_CAPS && GST_PAD(pad) == self->video) {
    GstCaps* filter;
    gst_query_parse_caps(query, &filter);
    GstCaps* caps = gst_rdp_overlay_video_caps(self, GST_PAD(pad), filter);
    gst_query_set_caps_result(query, caps);
    gst_caps_unref(caps);
    return TRUE;
  }
  return GST_AGGREGATOR_CLASS(parent_class)->sink_query(aggregator, pad, query);
}

static gboolean gst_rdp_overlay_src_query(GstAggregator* aggregator, GstQuery* query) {
  if (GST_QUERY_TYPE(query) == GST_QUERY_CONTEXT &&
      GST_RDP_OVERLAY(aggregator)->gpu->answer_context_query(query)) {
    return TRUE;
  }
  return GST_AGGREGATOR_CLASS(parent_class)->src_query(aggregator, query);
}

static void gst_rdp_overlay_set_context(GstElement* element, GstContext* context) {
  GstRdpOverlay* self = GST_RDP_OVERLAY(element);
  self->gpu->set_context(context, gst_rdp_overlay_copy_settings(self).cuda_device_id);
  GST_ELEMENT_CLASS(parent_class)->set_context(element, context);
}

// Pictures are handed on: who makes them asks who takes them. A crop in place would have to be
// known by all that blends. Of frames with segments no pixel is read: they may be cropped in place,
// which keeps their segments and their camera.
static gboolean gst_rdp_overlay_propose_allocation(GstAggregator* aggregator, GstAggregatorPad* pad,
                                                   GstQuery*, GstQuery* query) {
  GstRdpOverlay* self = GST_RDP_OVERLAY(aggregator);
  if (GST_PAD(pad) == self->video) {
    gst_pad_peer_query(GST_AGGREGATOR_SRC_PAD(aggregator), query);
    guint index;
    if (gst_query_find_allocation_meta(query, GST_VIDEO_CROP_META_API_TYPE, &index)) {
      gst_query_remove_nth_allocation_meta(query, index);
    }
    rdp::gst::offer_metas(query, {GST_VIDEO_META_API_TYPE});
    return TRUE;
  }
  rdp::gst::offer_metas(query, {GST_VIDEO_META_API_TYPE, GST_VIDEO_CROP_META_API_TYPE});
  return TRUE;
}

// Says why before core refuses the caps without a word.
static GstPadProbeReturn gst_rdp_overlay_explain(GstPad* pad, GstPadProbeInfo* info, gpointer) {
  GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
  GstElement* element = gst_pad_get_parent_element(pad);
  if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS && element != nullptr) {
    g_autoptr(GstCaps) own = gst_rdp_overlay_own_caps(GST_RDP_OVERLAY(element), pad);
    g_autoptr(GstCaps) allowed = gst_pad_query_caps(pad, nullptr);
    rdp::gst::explain_caps_event(element, pad, event, kVideoWords, own, allowed);
  }
  gst_clear_object(&element);
  return GST_PAD_PROBE_OK;
}

// --- states and the object ----------------------------------------------------------------------

static gboolean gst_rdp_overlay_start(GstAggregator* aggregator) {
  GstRdpOverlay* self = GST_RDP_OVERLAY(aggregator);
  self->pairing->start();
  self->stream = new (std::nothrow) Stream(GST_ELEMENT(self), *self->gpu);
  if (self->stream != nullptr) return TRUE;
  GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, ("Not enough memory to start."), (nullptr));
  return FALSE;
}

static gboolean gst_rdp_overlay_stop(GstAggregator* aggregator) {
  GstRdpOverlay* self = GST_RDP_OVERLAY(aggregator);
  self->pairing->stop();
  delete self->stream;
  self->stream = nullptr;
  self->gpu->stop();
  return TRUE;
}

// With backend=cuda there has to be a GPU before anything starts.
static GstStateChangeReturn gst_rdp_overlay_change_state(GstElement* element,
                                                         GstStateChange transition) {
  const OverlayElementSettings settings = gst_rdp_overlay_copy_settings(GST_RDP_OVERLAY(element));
  std::string missing;
  if (transition == GST_STATE_CHANGE_NULL_TO_READY && settings.backend == GST_RDP_BACKEND_CUDA &&
      !rdp::gst::GpuProvider::device_exists(settings.cuda_device_id, &missing)) {
    GST_ELEMENT_ERROR(element, RESOURCE, NOT_FOUND,
                      ("backend=cuda is not available: %s.", missing.c_str()),
                      ("use backend=auto, or backend=cpu for pictures in system memory"));
    return GST_STATE_CHANGE_FAILURE;
  }
  return GST_ELEMENT_CLASS(parent_class)->change_state(element, transition);
}

static void gst_rdp_overlay_finalize(GObject* object) {
  GstRdpOverlay* self = GST_RDP_OVERLAY(object);
  delete self->stream;
  delete self->pairing;
  delete self->gpu;
  delete self->settings;
  G_OBJECT_CLASS(parent_class)->finalize(object);
}

static void gst_rdp_overlay_add_template(GstElementClass* klass, const char* name,
                                         GstPadDirection direction, GstCaps* caps) {
  gst_element_class_add_pad_template(
      klass, gst_pad_template_new_with_gtype(name, direction, GST_PAD_ALWAYS, caps,
                                             GST_TYPE_AGGREGATOR_PAD));
  gst_caps_unref(caps);
}

static void gst_rdp_overlay_class_init(GstRdpOverlayClass* klass) {
  auto* object_class = G_OBJECT_CLASS(klass);
  object_class->set_property = gst_rdp_overlay_set_property;
  object_class->get_property = gst_rdp_overlay_get_property;
  object_class->finalize = gst_rdp_overlay_finalize;
  rdp::gst::install_properties(object_class, kProperties);

  auto* element_class = GST_ELEMENT_CLASS(klass);
  element_class->change_state = gst_rdp_overlay_change_state;
  element_class->set_context = gst_rdp_overlay_set_context;
  gst_rdp_overlay_add_template(element_class, "video", GST_PAD_SINK, rdp::gst::picture_caps());
  gst_rdp_overlay_add_template(element_class, "segments", GST_PAD_SINK,
                               gst_caps_from_string("video/x-raw(ANY)"));
  gst_rdp_overlay_add_template(element_class, "src", GST_PAD_SRC, rdp::gst::picture_caps());
  gst_element_class_set_static_metadata(
      element_class, "RDP segments on colour", "Filter/Effect/Video",
      "Draws the segments of depth frames onto the pictures of another camera",
      "The rdpsegment authors");

  auto* aggregator_class = GST_AGGREGATOR_CLASS(klass);
  aggregator_class->start = gst_rdp_overlay_start;
  aggregator_class->stop = gst_rdp_overlay_stop;
  aggregator_class->aggregate = gst_rdp_overlay_aggregate;
  aggregator_class->negotiate = gst_rdp_overlay_negotiate;
  aggregator_class->propose_allocation = gst_rdp_overlay_propose_allocation;
  aggregator_class->sink_event = gst_rdp_overlay_sink_event;
  aggregator_class->sink_event_pre_queue = gst_rdp_overlay_sink_event_pre_queue;
  aggregator_class->src_event = gst_rdp_overlay_src_event;
  aggregator_class->sink_query = gst_rdp_overlay_sink_query;
  aggregator_class->src_query = gst_rdp_overlay_src_query;
  aggregator_class->get_next_time = [](GstAggregator* aggregator) {
    return GST_RDP_OVERLAY(aggregator)->pairing->get_next_time();
  };
  aggregator_class->flush = [](GstAggregator* aggregator) {
    GST_RDP_OVERLAY(aggregator)->pairing->flush();
    return GST_FLOW_OK;
  };

  gst_type_mark_as_plugin_api(rdp::gst::drawn_style_get_type(), static_cast<GstPluginAPIFlags>(0));
  gst_type_mark_as_plugin_api(rdp::gst::inset_corner_get_type(), static_cast<GstPluginAPIFlags>(0));
  gst_type_mark_as_plugin_api(gst_rdp_backend_get_type(), static_cast<GstPluginAPIFlags>(0));
}

static GstPad* gst_rdp_overlay_add_pad(GstRdpOverlay* self, const char* name) {
  GstPadTemplate* templ = gst_element_get_pad_template(GST_ELEMENT(self), name);
  auto* pad = GST_PAD(g_object_new(GST_TYPE_AGGREGATOR_PAD, "name", name, "direction", GST_PAD_SINK,
                                   "template", templ, nullptr));
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, gst_rdp_overlay_explain, nullptr,
                    nullptr);
  gst_element_add_pad(GST_ELEMENT(self), pad);
  return pad;
}

static void gst_rdp_overlay_init(GstRdpOverlay* self) {
  using rdp::gst::PairingRules;
  self->settings = new OverlayElementSettings();
  self->gpu = new rdp::gst::GpuProvider(GST_ELEMENT(self));
  self->pairing = new Pairing(GST_AGGREGATOR(self), {PairingRules::Unpaired::kGoesOn, true});
  self->video = gst_rdp_overlay_add_pad(self, "video");
  self->segments = gst_rdp_overlay_add_pad(self, "segments");
  self->pairing->set_main(GST_AGGREGATOR_PAD(self->video));
  self->pairing->add_other(GST_AGGREGATOR_PAD(self->segments));
}
