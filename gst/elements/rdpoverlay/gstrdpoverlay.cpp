// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-rdpoverlay
 * @title: rdpoverlay
 * @short_description: Draws the segments, obstacles or planes of depth frames onto pictures
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
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/image/float_environment.h"
#include "gst/elements/base/element_properties.h"
#include "gst/elements/base/host_picture.h"
#include "gst/elements/base/pairing_properties.h"
#include "gst/elements/rdpoverlay/batch_frames.h"
#include "gst/elements/rdpoverlay/composition.h"
#include "gst/elements/rdpoverlay/device_blend.h"
#include "gst/elements/rdpoverlay/drawing.h"
#include "gst/elements/rdpoverlay/host_blend.h"
#include "gst/elements/rdpoverlay/overlay_properties.h"
#include "gst/elements/rdpoverlay/overlay_settings.h"
#include "gst/elements/rdpoverlay/picture_caps.h"
#include "gst/memory/nvmm_memory.h"

GST_DEBUG_CATEGORY_STATIC(gst_rdp_overlay_debug);
#define GST_CAT_DEFAULT gst_rdp_overlay_debug

using rdp::gst::Drawing;
using rdp::gst::JoinerPadRow;
using rdp::gst::make_writable;
using rdp::gst::MemoryKind;
using rdp::gst::OverlayElementSettings;
using rdp::gst::Pairing;

// GStreamer calls unnamed elements after their type: rdpoverlay0.
G_DECLARE_FINAL_TYPE(GstRdpoverlay, gst_rdp_overlay, GST, RDP_OVERLAY, GstRdpJoiner)

struct _GstRdpoverlay {
  GstRdpJoiner parent;
};

G_DEFINE_TYPE(GstRdpoverlay, gst_rdp_overlay, GST_TYPE_RDP_JOINER)
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(rdpoverlay, "rdpoverlay", GST_RANK_NONE,
                                      gst_rdp_overlay_get_type(),
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
        "Statistics since the element went to PAUSED: pictures with segments (paired) and without "
        "(unpaired), frames of segments without a picture (dropped), pictures skipped to catch up "
        "(late)"));

// --- pads and caps ------------------------------------------------------------------------------

static GstCaps* gst_rdp_overlay_any_video() { return gst_caps_from_string("video/x-raw(ANY)"); }

// The pictures on video go out as they came.
static constexpr auto kPads = std::to_array<JoinerPadRow>({
    {.name = "video",
     .role = JoinerPadRow::Role::kPassing,
     .caps = rdp::gst::picture_caps,
     .words = &kVideoWords,
     .presence = GST_PAD_ALWAYS},
    {.name = "segments",
     .role = JoinerPadRow::Role::kMetadata,
     .caps = gst_rdp_overlay_any_video,
     .words = &kVideoWords,
     .presence = GST_PAD_ALWAYS},
    {.name = "src", .role = JoinerPadRow::Role::kSource, .caps = rdp::gst::picture_caps},
});

// Downstream's caps, with and without compositions: pictures that downstream would blend can be
// blended here.
static GstCaps* gst_rdp_overlay_input_caps(GstRdpJoiner* joiner, GstPad*, GstCaps* own) {
  GstCaps* taken = gst_pad_peer_query_caps(GST_AGGREGATOR_SRC_PAD(joiner), nullptr);
  taken = rdp::gst::also_without_composition(taken);
  GstCaps* both = gst_caps_intersect_full(taken, own, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref(taken);
  gst_caps_unref(own);
  return both;
}

// True if downstream takes compositions on pictures of these caps, by its answer to an allocation
// query.
static bool gst_rdp_overlay_downstream_blends(GstPad* src, GstCaps* caps) {
  GstQuery* query = gst_query_new_allocation(caps, FALSE);
  const bool blends =
      gst_pad_peer_query(src, query) &&
      gst_query_find_allocation_meta(query, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, nullptr);
  gst_query_unref(query);
  return blends;
}

// True if the drawing is attached to pictures. Sends the caps that say so: elements in between
// answer no allocation query before they have them.
static bool gst_rdp_overlay_attaches(GstAggregator* aggregator, GstCaps* caps) {
  GstPad* src = GST_AGGREGATOR_SRC_PAD(aggregator);
  g_autoptr(GstCaps) marked = rdp::gst::with_composition(caps);
  const bool came_so = rdp::gst::has_composition(caps);
  if (!came_so && !gst_pad_peer_query_accept_caps(src, marked)) return false;
  gst_aggregator_set_src_caps(aggregator, marked);
  return came_so || gst_rdp_overlay_downstream_blends(src, marked) ||
         !gst_pad_peer_query_accept_caps(src, caps);
}

// --- pictures -----------------------------------------------------------------------------------

namespace {

class Stream final : public rdp::gst::JoinerStream {
 public:
  explicit Stream(GstRdpJoiner* joiner)
      : joiner_(joiner), gpu_(gst_rdp_joiner_core(joiner).gpu), device_(gpu_) {}
  ~Stream() override {
    gst_clear_caps(&frame_caps_);
    gpu_.stop();
  }

  void set_inputs(std::span<const rdp::gst::JoinedInput> inputs) override { inputs_ = inputs; }
  bool accept_caps(std::size_t input) override {
    if (input == 0) renegotiate();
    return true;
  }
  void renegotiate() override;
  GstFlowReturn work(Pairing& pair, GstBuffer** made, GstFlowReturn* extra) override;

 private:
  const rdp::gst::JoinedInput& video() const { return inputs_[0]; }
  bool composes() const;
  void warn_of_grey();
  bool accept_frame_caps(GstCaps* caps);
  GstFlowReturn refuse_frame(GstBuffer* frame, rdp::gst::DrawnStyle style);
  // The drawing on one picture of a batch.
  struct SurfaceDrawing {
    SurfaceDrawing(GstElement* element, Drawing::WarnedOnce* said) : drawing(element, said) {}
    Drawing drawing;
    std::vector<std::byte> painted;  // where this element blends, unless the GPU paints
    guint64 number = 0;              // DeviceDrawing::number of the drawing
  };

  GstFlowReturn draw(GstBuffer* frame, rdp::gst::DrawnStyle style, GstBuffer** picture);
  bool goes_on_with_old_style(rdp::gst::DrawnStyle style, const char* why);
  std::size_t pictures_in(GstBuffer* picture) const;
  SurfaceDrawing& shown_on(std::size_t place);
  GstFlowReturn refuse_style(rdp::gst::DrawnStyle style, const std::string& reason);
  GstFlowReturn refuse_picture(GstBuffer* picture, const std::string& reason);
  bool compose(bool renewed, GstBuffer** picture, std::string* reason);
  bool blend_on_host(bool renewed, GstBuffer** picture, std::string* reason);
  bool paint_anew(SurfaceDrawing* shown, bool renewed, rdp::RgbaView* view) const;
  rdp::gst::DeviceDrawing drawing_for_device(SurfaceDrawing* shown, bool renewed);
  bool blend_on_device(int device_id, GstBuffer** picture, std::string* reason);

  GstRdpJoiner* const joiner_;
  rdp::gst::GpuProvider& gpu_;
  std::span<const rdp::gst::JoinedInput> inputs_;
  Drawing::WarnedOnce said_;
  std::deque<SurfaceDrawing> shown_;
  rdp::gst::BatchFrames batch_;
  std::vector<rdp::gst::DeviceDrawing> drawings_;  // for the pictures of a buffer
  guint64 numbers_ = 0;
  rdp::gst::Composition composition_;  // where downstream or libgstvideo blends
  rdp::gst::DeviceBlend device_;       // where pictures are not in system memory
  GstCaps* frame_caps_ = nullptr;      // of the frame that is drawn
  GstVideoInfo frame_{};
  bool attaches_ = false;  // downstream blends
  bool said_grey_ = false;
  // The last style that could be drawn, and the later one already reported as impossible.
  std::optional<rdp::gst::DrawnStyle> fitting_;
  std::optional<rdp::gst::DrawnStyle> said_unfit_;
};

// Sets caps that allow compositions only if downstream blends.
void Stream::renegotiate() {
  if (inputs_.empty() || video().caps == nullptr) return;
  auto* aggregator = GST_AGGREGATOR(joiner_);
  attaches_ =
      video().memory == MemoryKind::kSystem && gst_rdp_overlay_attaches(aggregator, video().caps);
  GST_INFO_OBJECT(joiner_, "segments are %s", attaches_ ? "attached" : "blended");
  if (!attaches_) gst_aggregator_set_src_caps(aggregator, video().caps);
  warn_of_grey();
}

// Warns of grey pictures, which lose the colours of distances, classes and tracks. If downstream
// blends, it may have colours.
void Stream::warn_of_grey() {
  const GstVideoFormatInfo* format = video().info.finfo;
  if (said_grey_ || attaches_ || !GST_VIDEO_FORMAT_INFO_IS_GRAY(format)) return;
  said_grey_ = true;
  GST_ELEMENT_WARNING(
      joiner_, STREAM, FORMAT,
      ("The pictures on video are grey, and so is the drawing: its colours cannot be told apart."),
      ("expected pictures with colours, got format=%s: put videoconvert ! "
       "video/x-raw,format=I420 before the pad video",
       GST_VIDEO_FORMAT_INFO_NAME(format)));
}

// False if they are no video caps.
bool Stream::accept_frame_caps(GstCaps* caps) {
  if (caps == nullptr) return false;
  if (caps == frame_caps_) return true;
  if (!gst_video_info_from_caps(&frame_, caps)) return false;
  gst_caps_replace(&frame_caps_, caps);
  return true;
}

GstFlowReturn Stream::refuse_frame(GstBuffer* frame, rdp::gst::DrawnStyle style) {
  const rdp::gst::DrawnThings things = rdp::gst::drawn_things(style);
  const bool segments = things.needed_by == nullptr;
  if (segments && gst_buffer_get_rdp_obstacles_meta(frame) != nullptr) {
    GST_ELEMENT_ERROR(joiner_, STREAM, FORMAT,
                      ("A frame on segments carries obstacles and no segments. Set style=boxes, or "
                       "put rdpsegment before that pad."),
                      ("No GstRdpSegmentMeta on %" GST_PTR_FORMAT, frame));
    return GST_FLOW_ERROR;
  }
  if (segments && gst_buffer_get_rdp_planes_meta(frame) != nullptr) {
    GST_ELEMENT_ERROR(
        joiner_, STREAM, FORMAT,
        ("A frame on segments carries planes and no segments. Set style=planes, or put rdpsegment "
         "before that pad."),
        ("No GstRdpSegmentMeta on %" GST_PTR_FORMAT, frame));
    return GST_FLOW_ERROR;
  }
  GST_ELEMENT_ERROR(
      joiner_, STREAM, FORMAT,
      ("A frame on segments carries no %s%s%s%s: put %s before that pad, with nothing between them "
       "that drops its metadata.",
       things.name, segments ? "" : ", which style=", segments ? "" : things.needed_by,
       segments ? "" : " needs", things.maker),
      ("No %s on %" GST_PTR_FORMAT ". Elements that crop, rotate or mix pictures drop it; so do "
       "elements that drop metadata tagged with the picture's size.",
       things.meta, frame));
  return GST_FLOW_ERROR;
}

// True if the drawing is a composition, which others blend. Otherwise it is blended in the integers
// of common/image/blend.h, wherever the picture is.
bool Stream::composes() const {
  return video().memory == MemoryKind::kSystem &&
         (attaches_ || !rdp::gst::blends_on_host(GST_VIDEO_INFO_FORMAT(&video().info)));
}

// Attaches the drawing to a picture in system memory, or has libgstvideo draw it. False: *reason
// says what failed.
bool Stream::compose(bool renewed, GstBuffer** picture, std::string* reason) {
  const GstVideoInfo& info = video().info;
  if ((renewed || !composition_.drawn()) &&
      !composition_.draw(
          GST_VIDEO_INFO_WIDTH(&info), GST_VIDEO_INFO_HEIGHT(&info),
          [&](const rdp::RgbaView& view) { shown_on(0).drawing.paint(view); }, reason)) {
    return false;
  }
  if (!make_writable(picture, reason)) return false;
  if (!attaches_) return composition_.blend(*picture, info, reason);
  composition_.attach(*picture);
  return true;
}

// The number of pictures in a buffer. A buffer that is no batch is refused when it is mapped.
std::size_t Stream::pictures_in(GstBuffer* picture) const {
  if (video().memory != MemoryKind::kNvmm) return 1;
  return std::max(rdp::gst::nvmm_batch_size(picture).filled, 1U);
}

// The drawing on that picture of a batch. Drawings behind the first have no threads of their own.
Stream::SurfaceDrawing& Stream::shown_on(std::size_t place) {
  while (shown_.size() <= place) {
    shown_.emplace_back(GST_ELEMENT(joiner_), &said_);
    if (shown_.size() > 1) shown_.back().drawing.set_threads(1);
  }
  return shown_[place];
}

// Sets *view to the drawing's memory. True if it has to be painted there.
bool Stream::paint_anew(SurfaceDrawing* shown, bool renewed, rdp::RgbaView* view) const {
  const GstVideoInfo& info = video().info;
  const int width = GST_VIDEO_INFO_WIDTH(&info);
  const int height = GST_VIDEO_INFO_HEIGHT(&info);
  const std::ptrdiff_t stride = std::ptrdiff_t{4} * width;
  const auto bytes = static_cast<std::size_t>(stride) * static_cast<std::size_t>(height);
  const bool anew = renewed || shown->painted.size() != bytes;
  shown->painted.resize(bytes);
  *view = {shown->painted.data(), stride, width, height};
  return anew;
}

// Draws in place onto a picture in system memory.
bool Stream::blend_on_host(bool renewed, GstBuffer** picture, std::string* reason) {
  SurfaceDrawing& shown = shown_on(0);
  rdp::RgbaView drawn;
  const bool anew = paint_anew(&shown, renewed, &drawn);
  if (renewed) shown.number = 0;
  rdp::gst::HostBlend host;
  if (!make_writable(picture, reason) || !host.open(*picture, video().info, reason)) {
    shown.painted.clear();
    return false;
  }
  // Rows that were just painted are in the caches.
  const Drawing::Rows blend_rows = [&](int first, int end) { host.blend(drawn, first, end); };
  if (anew) {
    shown.drawing.paint(drawn, blend_rows);
  } else {
    shown.drawing.for_rows(drawn.height, blend_rows);
  }
  return true;
}

rdp::gst::DeviceDrawing Stream::drawing_for_device(SurfaceDrawing* shown, bool renewed) {
  rdp::gst::DeviceDrawing drawing;
  bool anew = renewed || shown->number == 0;
  drawing.segments = shown->drawing.segments();
  if (drawing.segments != nullptr) {
    if (renewed) shown->painted.clear();  // it is of other segments now
  } else if (paint_anew(shown, renewed, &drawing.painted)) {
    shown->drawing.paint(drawing.painted);
    anew = true;
  }
  if (anew) shown->number = ++numbers_;
  drawing.number = shown->number;
  return drawing;
}

// Draws in place onto pictures in GPU memory. May throw GpuError.
bool Stream::blend_on_device(int device_id, GstBuffer** picture, std::string* reason) {
  // NVMM memory is never copied: a copy is of the structure that describes it.
  if (video().memory != MemoryKind::kNvmm && !make_writable(picture, reason)) return false;
  return device_.blend(drawings_, *picture, video().info, video().memory, device_id, reason);
}

// Keeps the previous style if one set during playback cannot be drawn. False: there is no previous
// one.
bool Stream::goes_on_with_old_style(rdp::gst::DrawnStyle style, const char* why) {
  if (!fitting_ || *fitting_ == style) return false;
  if (said_unfit_ == style) return true;
  said_unfit_ = style;
  GST_ELEMENT_WARNING(
      joiner_, LIBRARY, SETTINGS,
      ("The new style cannot be drawn, and the previous one stays in effect: %s.", why),
      ("set another style, or add the data that this one needs"));
  return true;
}

GstFlowReturn Stream::refuse_style(rdp::gst::DrawnStyle style, const std::string& reason) {
  if (style == rdp::gst::DrawnStyle::kPlanes) {
    GST_ELEMENT_ERROR(joiner_, LIBRARY, SETTINGS,
                      ("style=planes needs depth and pictures of one camera: %s.", reason.c_str()),
                      (nullptr));
    return GST_FLOW_ERROR;
  }
  GST_ELEMENT_ERROR(joiner_, LIBRARY, SETTINGS,
                    ("style=birdseye needs metres, and there are none."), ("%s", reason.c_str()));
  return GST_FLOW_ERROR;
}

GstFlowReturn Stream::refuse_picture(GstBuffer* picture, const std::string& reason) {
  GST_ELEMENT_ERROR(joiner_, STREAM, FORMAT,
                    ("A picture on video cannot be drawn on: %s.", reason.c_str()),
                    ("%" GST_PTR_FORMAT, picture));
  return GST_FLOW_ERROR;
}

// May throw GpuError and std::bad_alloc.
GstFlowReturn Stream::draw(GstBuffer* frame, rdp::gst::DrawnStyle style, GstBuffer** picture) {
  auto settings = rdp::gst::copy_settings<OverlayElementSettings>(joiner_);
  settings.drawing.style = style;
  const std::size_t pictures = pictures_in(*picture);
  const bool on_device = video().memory != MemoryKind::kSystem;
  if (batch_.look(*picture, pictures, frame)) shown_.clear();
  shown_on(0).drawing.set_threads(settings.threads);
  drawings_.assign(on_device ? pictures : 0, {});
  bool drawn = false;
  std::string reason;
  for (std::size_t i = 0; i < pictures; ++i) {
    const guint place = batch_.places()[i];
    if (place == rdp::gst::BatchFrames::kNone) continue;
    SurfaceDrawing& shown = shown_on(on_device ? batch_.slots()[i] : 0);
    const auto look_at = [&] {
      return shown.drawing.look(frame, place, frame_, *picture, video().info, settings.drawing,
                                composes() ? rdp::PixelOrder::kBgra : rdp::PixelOrder::kRgba);
    };
    Drawing::Look look = look_at();
    if (look == Drawing::Look::kRefused &&
        goes_on_with_old_style(style, shown.drawing.reason().c_str())) {
      settings.drawing.style = *fitting_;
      look = look_at();
    }
    if (look == Drawing::Look::kNothing) continue;
    if (look == Drawing::Look::kRefused) return refuse_style(style, shown.drawing.reason());
    const bool renewed = look == Drawing::Look::kNew;
    drawn = true;
    if (on_device) {
      drawings_[i] = drawing_for_device(&shown, renewed);
    } else if (composes() ? !compose(renewed, picture, &reason)
                          : !blend_on_host(renewed, picture, &reason)) {
      return refuse_picture(*picture, reason);
    }
  }
  if (drawn && on_device && !blend_on_device(settings.cuda_device_id, picture, &reason)) {
    return refuse_picture(*picture, reason);
  }
  if (settings.drawing.style == style) {
    if (fitting_ != style) said_unfit_.reset();
    fitting_ = style;
  }
  return GST_FLOW_OK;
}

GstFlowReturn Stream::work(Pairing& pair, GstBuffer** made, GstFlowReturn*) {
  GstBuffer* frame = pair.other(0);
  rdp::gst::DrawnStyle style =
      rdp::gst::copy_settings<OverlayElementSettings>(joiner_).drawing.style;
  if (frame != nullptr && !Drawing::has_drawn(frame, style)) {
    g_autofree gchar* why =
        g_strconcat("frames on segments carry no ", rdp::gst::drawn_things(style).name, nullptr);
    if (!goes_on_with_old_style(style, why) || !Drawing::has_drawn(frame, *fitting_)) {
      return refuse_frame(frame, style);
    }
    style = *fitting_;
  }
  GstBuffer* picture = pair.take_main();
  GstFlowReturn flow = GST_FLOW_OK;
  if (frame != nullptr && video().caps != nullptr && accept_frame_caps(pair.other_caps())) {
    try {
      flow = rdp::with_standard_floats([&] { return draw(frame, style, &picture); });
    } catch (const rdp::GpuError& error) {
      gpu_.forget();
      GST_ELEMENT_ERROR(joiner_, RESOURCE, FAILED, ("The GPU cannot draw on a picture."),
                        ("%s: %" GST_PTR_FORMAT, error.what(), picture));
      flow = GST_FLOW_ERROR;
    } catch (const std::exception& error) {
      GST_ELEMENT_ERROR(joiner_, RESOURCE, NO_SPACE_LEFT,
                        ("There is not enough memory to draw the segments."), ("%s", error.what()));
      flow = GST_FLOW_ERROR;
    }
  }
  if (flow != GST_FLOW_OK) gst_clear_buffer(&picture);
  *made = picture;
  return flow;
}

}  // namespace

// --- the element --------------------------------------------------------------------------------

// There has to be a GPU before anything starts.
static bool gst_rdp_overlay_check_backend(GstRdpJoiner* joiner) {
  const auto settings = rdp::gst::copy_settings<OverlayElementSettings>(joiner);
  std::string missing;
  if (settings.backend != GST_RDP_BACKEND_CUDA ||
      rdp::gst::GpuProvider::device_exists(settings.cuda_device_id, &missing)) {
    return true;
  }
  GST_ELEMENT_ERROR(joiner, RESOURCE, NOT_FOUND,
                    ("backend=cuda is not available: %s.", missing.c_str()),
                    ("use backend=auto, or backend=cpu for pictures in system memory"));
  return false;
}

static void gst_rdp_overlay_class_init(GstRdpoverlayClass* klass) {
  auto* joiner_class = GST_RDP_JOINER_CLASS(klass);
  rdp::gst::install_element_properties<gst_rdp_joiner_core, OverlayElementSettings, kProperties>(
      joiner_class);
  joiner_class->category = gst_rdp_overlay_debug;
  joiner_class->verb = "draw on";
  joiner_class->participle = "drawn on";
  joiner_class->rules = {rdp::gst::PairingRules::Unpaired::kGoesOn, true};
  joiner_class->new_stream = [](GstRdpJoiner* joiner) -> rdp::gst::JoinerStream* {
    return new Stream(joiner);
  };
  joiner_class->check_backend = gst_rdp_overlay_check_backend;
  joiner_class->cpu_caps = rdp::gst::in_system_memory;
  joiner_class->input_caps = gst_rdp_overlay_input_caps;
  gst_rdp_joiner_class_set_pads(joiner_class, kPads);
  gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(klass),
                                        "Overlay of segments, tracks, motion, obstacles and planes",
                                        "Filter/Effect/Video",
                                        "Draws the segments, tracks, motion, obstacles or planes "
                                        "of depth frames onto the pictures of a colour camera",
                                        "The rdpsegment authors");
}

static void gst_rdp_overlay_init(GstRdpoverlay*) {}
