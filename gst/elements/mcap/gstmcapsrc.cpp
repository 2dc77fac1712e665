// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-mcapsrc
 * @title: mcapsrc
 *
 * Reads a topic of an MCAP file: recordings of mcapsink, bit-identical, and depth, pictures, clouds
 * and texts of ROS 2.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 mcapsrc location=street.mcap ! rdpmetaconvert ! filesink location=street.jsonl
 * ]| Writes the recorded segments as JSON.
 */
#include <gst/base/gstpushsrc.h>
#include <gst/rdpsegment/rdpsegment.h>

#include <array>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "common/boundary.h"
#include "gst/elements/base/depth_caps.h"
#include "gst/elements/base/filtered_caps.h"
#include "gst/elements/base/open_error.h"
#include "gst/elements/base/points_caps.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/base/shared_text.h"
#include "gst/elements/mcap/topic_source.h"

GST_DEBUG_CATEGORY_STATIC(gst_mcap_src_debug);
#define GST_CAT_DEFAULT gst_mcap_src_debug

namespace {

using rdp::gst::McapAxes;
using rdp::gst::MessageFrame;
using rdp::gst::ShownText;
using rdp::gst::TopicSource;

// The application's settings, guarded by the object lock.
struct Settings {
  rdp::gst::SharedText location;
  rdp::gst::SharedText topic;
  rdp::gst::SharedText camera_topic;
  double depth_unit = 0.001;
  McapAxes axes = McapAxes::kAuto;
  bool skip_damaged = false;
};

using Own = rdp::gst::PropertyOf<Settings>;
constexpr auto kProperties = std::to_array<rdp::gst::PropertyRow<Settings>>({
    {{.name = "location", .nick = "Location", .blurb = "File to read", .flags = rdp::gst::kInReady},
     Own::as_string<&Settings::location>()},
    {{.name = "topic",
      .nick = "Topic",
      .blurb = "Topic to read (none = the only one that the next element accepts)",
      .flags = rdp::gst::kInReady},
     Own::as_string<&Settings::topic>()},
    {{.name = "camera-info-topic",
      .nick = "Camera info topic",
      .blurb = "Topic with the camera of pictures by others (none = camera_info beside the topic)",
      .flags = rdp::gst::kInReady},
     Own::as_string<&Settings::camera_topic>()},
    {{.name = "depth-unit",
      .nick = "Depth unit",
      .blurb = "Metres of a sample that 32FC1 becomes",
      .unit = "metres",
      .flags = rdp::gst::kInReady},
     Own::as_double<&Settings::depth_unit>(1e-6, 1000.0)},
    {{.name = "axes",
      .nick = "Axes",
      .blurb = "Axes of clouds by others",
      .flags = rdp::gst::kInReady},
     Own::as_enum<&Settings::axes>(rdp::gst::mcap_axes_get_type)},
    {{.name = "skip-damaged",
      .nick = "Skip damaged",
      .blurb = "Pass over damaged chunks and messages with a warning, instead of an error",
      .flags = rdp::gst::kInReady},
     Own::as_boolean<&Settings::skip_damaged>()},
});

}  // namespace

G_DECLARE_FINAL_TYPE(GstMcapSrc, gst_mcap_src, GST, MCAP_SRC, GstPushSrc)

struct _GstMcapSrc {
  GstPushSrc parent;

  Settings settings;
  // From start to stop they do not change.
  Settings used;
  std::unique_ptr<TopicSource> source;
  GstClockTime duration;  // guarded by the object lock; none: not known
  // Streaming thread.
  GstCaps* caps;                          // of the last frame
  std::unique_ptr<MessageFrame> waiting;  // read for its caps
};

G_DEFINE_TYPE(GstMcapSrc, gst_mcap_src, GST_TYPE_PUSH_SRC)
GST_ELEMENT_REGISTER_DEFINE(mcapsrc, "mcapsrc", GST_RANK_NONE, gst_mcap_src_get_type())

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS("video/x-raw, format = (string) { GRAY16_LE, GRAY8, RGB, BGR, RGBA, BGRA, "
                    "NV12, I420 }, " RDP_SIDES "; image/jpeg; image/png; " RDP_POINTS_CAPS
                    "; application/x-json; text/x-raw, format = (string) utf8"));

static void gst_mcap_src_set_property(GObject* object, guint id, const GValue* value,
                                      GParamSpec* pspec) {
  rdp::gst::set_property(object, kProperties, GST_MCAP_SRC(object)->settings, id, value, pspec);
}

static void gst_mcap_src_get_property(GObject* object, guint id, GValue* value, GParamSpec* pspec) {
  rdp::gst::get_property(object, kProperties, GST_MCAP_SRC(object)->settings, id, value, pspec);
}

static void gst_mcap_src_finalize(GObject* object) {
  GstMcapSrc* self = GST_MCAP_SRC(object);
  gst_clear_caps(&self->caps);
  self->waiting.~unique_ptr();
  self->source.~unique_ptr();
  self->used.~Settings();
  self->settings.~Settings();
  G_OBJECT_CLASS(gst_mcap_src_parent_class)->finalize(object);
}

// --- errors -------------------------------------------------------------------------------------

static void post_decode_error(GstMcapSrc* self, const char* text) {
  GST_ELEMENT_ERROR(self, STREAM, DECODE, ("%s", ShownText(text).get()),
                    ("skip-damaged=true goes on behind what is damaged"));
}

static void post_file_error(GstMcapSrc* self, const rdp::mcap::McapError& error) {
  const ShownText text(error.what());
  switch (error.kind()) {
    case rdp::mcap::McapError::Kind::kNotMcap:
      GST_ELEMENT_ERROR(self, STREAM, WRONG_TYPE, ("%s.", text.get()), (nullptr));
      break;
    case rdp::mcap::McapError::Kind::kFile:
      GST_ELEMENT_ERROR(self, RESOURCE, READ, ("%s.", text.get()), (nullptr));
      break;
    case rdp::mcap::McapError::Kind::kUnsupported:
      GST_ELEMENT_ERROR(self, STREAM, CODEC_NOT_FOUND, ("%s.", text.get()), (nullptr));
      break;
    default:
      post_decode_error(self, (std::string(error.what()) + ".").c_str());
  }
}

// Calls body(). If it throws, posts an element error and returns false.
template <typename Body>
static bool reads(GstMcapSrc* self, Body&& body) {
  return rdp::contain(
      [&] {
        try {
          body();
          return true;
        } catch (const rdp::gst::OpenError& error) {
          error.post(self);
        } catch (const rdp::mcap::McapError& error) {
          post_file_error(self, error);
        } catch (const rdp::gst::TopicError& error) {
          GST_ELEMENT_ERROR(self, STREAM, FORMAT, ("%s", ShownText(error.what()).get()), (nullptr));
        } catch (const rdp::gst::MessageError& error) {
          post_decode_error(self, error.what());
        }
        return false;
      },
      [&](const char* reason) {
        GST_ELEMENT_ERROR(
            self, RESOURCE, NO_SPACE_LEFT,
            ("Not enough memory to read \"%s\".", ShownText(self->used.location.get()).get()),
            ("%s", reason));
        return false;
      });
}

static void warn(GstMcapSrc* self, const char* text) {
  GST_ELEMENT_WARNING(self, STREAM, DECODE, ("%s", ShownText(text).get()), (nullptr));
}

// --- the file -----------------------------------------------------------------------------------

static void note_duration(GstMcapSrc* self) {
  GST_OBJECT_LOCK(self);
  self->duration = self->source->duration();
  GST_OBJECT_UNLOCK(self);
}

static void choose_topic(GstMcapSrc* self) {
  const Settings& used = self->used;
  rdp::gst::TopicSettings settings;
  if (used.topic) settings.topic = used.topic.get();
  if (used.camera_topic) settings.camera_topic = used.camera_topic.get();
  settings.frame = {used.depth_unit, used.axes};
  const rdp::gst::CapsRef taken(gst_pad_peer_query_caps(GST_BASE_SRC_PAD(self), nullptr));
  self->source->choose(settings, [&](const GstCaps* caps) {
    return gst_caps_can_intersect(caps, taken.get()) != FALSE;
  });
  note_duration(self);
  gst_element_post_message(GST_ELEMENT(self), gst_message_new_duration_changed(GST_OBJECT(self)));
}

static gboolean gst_mcap_src_start(GstBaseSrc* src) {
  GstMcapSrc* self = GST_MCAP_SRC(src);
  GST_OBJECT_LOCK(self);
  self->used = self->settings;
  GST_OBJECT_UNLOCK(self);
  if (!self->used.location) {
    GST_ELEMENT_ERROR(self, RESOURCE, NOT_FOUND,
                      ("Property location is not set: set it to a file."), (nullptr));
    return FALSE;
  }
  gst_clear_caps(&self->caps);
  return reads(self, [&] {
    self->source = std::make_unique<TopicSource>(
        self->used.location.get(), self->used.skip_damaged,
        [self](const std::string& text) { warn(self, text.c_str()); });
    note_duration(self);
    // An error from here ends the change of state; gst-launch-1.0 may miss one from the first
    // frame.
    if (self->used.topic && *self->used.topic.get() != '\0') choose_topic(self);
  });
}

static gboolean gst_mcap_src_stop(GstBaseSrc* src) {
  GstMcapSrc* self = GST_MCAP_SRC(src);
  gst_clear_caps(&self->caps);
  self->waiting.reset();
  self->source.reset();
  GST_OBJECT_LOCK(self);
  self->duration = GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK(self);
  return TRUE;
}

// Buffers wrap the samples of a message, of any size, so pools are of no use.
static gboolean gst_mcap_src_decide_allocation(GstBaseSrc*, GstQuery* query) {
  while (gst_query_get_n_allocation_pools(query) > 0) {
    gst_query_remove_nth_allocation_pool(query, 0);
  }
  return TRUE;
}

static GstCaps* gst_mcap_src_get_caps(GstBaseSrc* src, GstCaps* filter) {
  return rdp::gst::filtered_caps(gst_pad_get_pad_template_caps(GST_BASE_SRC_PAD(src)), filter);
}

// False: after an element error.
static bool send_caps(GstMcapSrc* self, GstCaps* caps) {
  if (self->caps != nullptr && gst_caps_is_equal(self->caps, caps)) return true;
  GstPad* pad = GST_BASE_SRC_PAD(self);
  if (gst_pad_peer_query_accept_caps(pad, caps) || !gst_pad_is_linked(pad)) {
    if (!gst_base_src_set_caps(GST_BASE_SRC(self), caps)) return false;
    gst_caps_replace(&self->caps, caps);
    return true;
  }
  if (GST_PAD_IS_FLUSHING(pad)) return false;
  g_autoptr(GstCaps) taken = gst_pad_peer_query_caps(pad, nullptr);
  g_autofree gchar* has = gst_caps_to_string(caps);
  g_autofree gchar* takes = gst_caps_to_string(taken);
  GST_ELEMENT_ERROR(
      self, CORE, NEGOTIATION,
      ("Not negotiated: the topic is %s, which the element after mcapsrc does not accept. "
       "Set another topic, or put a converter behind mcapsrc.",
       has),
      ("downstream accepts %s", takes));
  return false;
}

// Reads a frame first: the caps are its caps, and core asks for memory by them.
static gboolean gst_mcap_src_negotiate(GstBaseSrc* src) {
  GstMcapSrc* self = GST_MCAP_SRC(src);
  if (self->source == nullptr) return FALSE;
  const bool read = reads(self, [&] {
    if (!self->source->is_chosen()) choose_topic(self);
    if (self->waiting != nullptr) return;
    auto frame = std::make_unique<MessageFrame>();
    if (self->source->next(frame.get())) self->waiting = std::move(frame);
  });
  if (!read) return FALSE;
  return self->waiting == nullptr || send_caps(self, self->waiting->caps.get()) ? TRUE : FALSE;
}

static GstFlowReturn gst_mcap_src_create(GstPushSrc* src, GstBuffer** buffer) {
  GstMcapSrc* self = GST_MCAP_SRC(src);
  MessageFrame frame;
  bool there = false;
  if (self->waiting != nullptr) {
    frame = std::move(*self->waiting);
    self->waiting.reset();
    there = true;
  } else if (!reads(self, [&] { there = self->source->next(&frame); })) {
    return GST_FLOW_ERROR;
  }
  if (!there) return GST_FLOW_EOS;
  const GstSegment& segment = GST_BASE_SRC(src)->segment;
  const GstClockTime pts = GST_BUFFER_PTS(frame.buffer.get());
  if (GST_CLOCK_TIME_IS_VALID(segment.stop) && GST_CLOCK_TIME_IS_VALID(pts) &&
      pts >= segment.stop) {
    return GST_FLOW_EOS;
  }
  if (!send_caps(self, frame.caps.get())) {
    return GST_PAD_IS_FLUSHING(GST_BASE_SRC_PAD(src)) ? GST_FLOW_FLUSHING : GST_FLOW_NOT_NEGOTIATED;
  }
  *buffer = frame.buffer.release();
  return GST_FLOW_OK;
}

// --- time ---------------------------------------------------------------------------------------

static gboolean gst_mcap_src_is_seekable(GstBaseSrc*) { return TRUE; }

// Seeks to the first frame at that time or later.
static gboolean gst_mcap_src_do_seek(GstBaseSrc* src, GstSegment* segment) {
  GstMcapSrc* self = GST_MCAP_SRC(src);
  if (segment->format != GST_FORMAT_TIME || segment->rate < 0.0 || self->source == nullptr) {
    return FALSE;
  }
  segment->time = segment->start;
  return reads(self,
               [&] {
                 if (!self->source->is_chosen()) {
                   if (segment->start == 0) return;
                   choose_topic(self);
                 }
                 self->waiting.reset();
                 self->source->seek(segment->start);
               })
             ? TRUE
             : FALSE;
}

static gboolean gst_mcap_src_query(GstBaseSrc* src, GstQuery* query) {
  GstMcapSrc* self = GST_MCAP_SRC(src);
  if (GST_QUERY_TYPE(query) == GST_QUERY_DURATION) {
    GstFormat format;
    gst_query_parse_duration(query, &format, nullptr);
    GST_OBJECT_LOCK(self);
    const GstClockTime duration = self->duration;
    GST_OBJECT_UNLOCK(self);
    if (format == GST_FORMAT_TIME && GST_CLOCK_TIME_IS_VALID(duration)) {
      gst_query_set_duration(query, format, static_cast<gint64>(duration));
      return TRUE;
    }
  }
  return GST_BASE_SRC_CLASS(gst_mcap_src_parent_class)->query(src, query);
}

static void gst_mcap_src_class_init(GstMcapSrcClass* klass) {
  auto* object_class = G_OBJECT_CLASS(klass);
  auto* element_class = GST_ELEMENT_CLASS(klass);
  auto* base_class = GST_BASE_SRC_CLASS(klass);
  GST_DEBUG_CATEGORY_INIT(gst_mcap_src_debug, "mcapsrc", 0, "MCAP source");

  object_class->set_property = gst_mcap_src_set_property;
  object_class->get_property = gst_mcap_src_get_property;
  object_class->finalize = gst_mcap_src_finalize;
  rdp::gst::install_properties(object_class, kProperties);

  gst_element_class_add_static_pad_template(element_class, &src_template);
  gst_element_class_set_static_metadata(element_class, "MCAP source", "Source/File",
                                        "Reads depth, pictures, clouds and texts of MCAP files",
                                        "The rdpsegment authors");

  base_class->start = gst_mcap_src_start;
  base_class->stop = gst_mcap_src_stop;
  base_class->get_caps = gst_mcap_src_get_caps;
  base_class->negotiate = gst_mcap_src_negotiate;
  base_class->decide_allocation = gst_mcap_src_decide_allocation;
  base_class->is_seekable = gst_mcap_src_is_seekable;
  base_class->do_seek = gst_mcap_src_do_seek;
  base_class->query = gst_mcap_src_query;
  GST_PUSH_SRC_CLASS(klass)->create = gst_mcap_src_create;
}

static void gst_mcap_src_init(GstMcapSrc* self) {
  new (&self->settings) Settings;
  new (&self->used) Settings;
  new (&self->source) std::unique_ptr<TopicSource>;
  new (&self->waiting) std::unique_ptr<MessageFrame>;
  self->duration = GST_CLOCK_TIME_NONE;
  gst_base_src_set_format(GST_BASE_SRC(self), GST_FORMAT_TIME);
}
