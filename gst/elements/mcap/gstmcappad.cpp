// SPDX-License-Identifier: LGPL-2.1-or-later
// The pads of mcapsink, and the base sink behind each.
#include <gst/base/gstbasesink.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <utility>

#include "common/boundary.h"
#include "gst/elements/base/depth_caps.h"
#include "gst/elements/base/filtered_caps.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/base/shared_text.h"
#include "gst/elements/mcap/gstmcapsink.h"

#define GST_CAT_DEFAULT gst_mcap_sink_debug
GST_DEBUG_CATEGORY_EXTERN(gst_mcap_sink_debug);

namespace {

using rdp::gst::McapDepthEncoding;
using rdp::gst::McapPadKind;
using rdp::mcap::Recording;

struct Settings {
  rdp::gst::SharedText topic;
  rdp::gst::SharedText frame_id;
  McapDepthEncoding encoding = McapDepthEncoding::kRaw;
};

using Own = rdp::gst::PropertyOf<Settings>;
constexpr auto kProperties = std::to_array<rdp::gst::PropertyRow<Settings>>({
    {{.name = "topic",
      .nick = "Topic",
      .blurb = "Topic that those of the pad begin with (none = / and the pad's name)",
      .flags = rdp::gst::kInReady},
     Own::as_string<&Settings::topic>()},
    {{.name = "frame-id",
      .nick = "Frame id",
      .blurb = "frame_id of the messages (none = the pad's name and _optical_frame; clouds with "
               "axes=forward-left-up: the name)",
      .flags = rdp::gst::kInReady},
     Own::as_string<&Settings::frame_id>()},
    {{.name = "depth-encoding",
      .nick = "Depth encoding",
      .blurb = "Encoding of depth in mm",
      .flags = rdp::gst::kInReady},
     Own::as_enum<&Settings::encoding>(rdp::gst::mcap_depth_encoding_get_type)},
});

}  // namespace

struct _GstMcapPad {
  GstGhostPad parent;

  McapPadKind kind;
  Settings settings;
  GstElement* input;
  guint32 explained;  // the number of the CAPS event that was refused last
};

G_DEFINE_TYPE(GstMcapPad, gst_mcap_pad, GST_TYPE_GHOST_PAD)

// Base sink that records the buffers of one pad. It does not synchronise: files have no clock.
G_DECLARE_FINAL_TYPE(GstMcapInput, gst_mcap_input, GST, MCAP_INPUT, GstBaseSink)
struct _GstMcapInput {
  GstBaseSink parent;

  GstMcapSink* sink;  // has the input
  GstMcapPad* pad;    // likewise
  // Streaming thread.
  bool refused;                        // the caps were refused, with an error
  bool warned_late;                    // of times that ROS cannot express
  std::optional<rdp::gst::Pose> pose;  // in /tf_static
  std::shared_ptr<Recording> recording;
  std::unique_ptr<rdp::gst::McapStream> stream;
};
G_DEFINE_TYPE(GstMcapInput, gst_mcap_input, GST_TYPE_BASE_SINK)

// --- pads ---------------------------------------------------------------------------------------

static void gst_mcap_pad_set_property(GObject* object, guint id, const GValue* value,
                                      GParamSpec* pspec) {
  rdp::gst::set_property(object, kProperties, GST_MCAP_PAD(object)->settings, id, value, pspec);
}

static void gst_mcap_pad_get_property(GObject* object, guint id, GValue* value, GParamSpec* pspec) {
  rdp::gst::get_property(object, kProperties, GST_MCAP_PAD(object)->settings, id, value, pspec);
}

static void gst_mcap_pad_finalize(GObject* object) {
  GST_MCAP_PAD(object)->settings.~Settings();
  gst_object_unref(GST_MCAP_PAD(object)->input);
  G_OBJECT_CLASS(gst_mcap_pad_parent_class)->finalize(object);
}

static void gst_mcap_pad_class_init(GstMcapPadClass* klass) {
  auto* object_class = G_OBJECT_CLASS(klass);
  object_class->set_property = gst_mcap_pad_set_property;
  object_class->get_property = gst_mcap_pad_get_property;
  object_class->finalize = gst_mcap_pad_finalize;
  rdp::gst::install_properties(object_class, kProperties);
}

static void gst_mcap_pad_init(GstMcapPad* self) { new (&self->settings) Settings; }

static Settings settings_of(GstMcapPad* self) {
  GST_OBJECT_LOCK(self);
  Settings settings = self->settings;
  GST_OBJECT_UNLOCK(self);
  return settings;
}

// The caps of each kind in words, and what to put before a pad.
static rdp::gst::CapsWords words_of(McapPadKind kind) {
  switch (kind) {
    case McapPadKind::kDepth:
      return rdp::gst::kDepthWords;
    case McapPadKind::kVideo:
      return {"format RGB, BGR, RGBA, BGRA, GRAY8, NV12 or I420, up to 16384x16384, JPEG or PNG",
              "Put videoconvert before it."};
    case McapPadKind::kPoints:
      return {"application/x-points",
              "depthpoints makes points of depth frames, pointcloudsrc reads files of them."};
    case McapPadKind::kJson:
      break;
  }
  return {"application/x-json", "Put rdpmetaconvert before it."};
}

// Posts an error before core silently refuses caps. Once, as sticky caps come again with later
// events and buffers.
static GstPadProbeReturn explain_caps(GstPad* pad, GstPadProbeInfo* info, gpointer sink) {
  GstMcapPad* self = GST_MCAP_PAD(pad);
  GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
  if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS) return GST_PAD_PROBE_OK;
  GstCaps* caps = nullptr;
  gst_event_parse_caps(event, &caps);
  g_autoptr(GstCaps) taken = gst_pad_get_pad_template_caps(pad);
  if (gst_caps_is_subset(caps, taken) || self->explained == gst_event_get_seqnum(event)) {
    return GST_PAD_PROBE_OK;
  }
  self->explained = gst_event_get_seqnum(event);
  const rdp::gst::CapsWords words = words_of(self->kind);
  g_autofree gchar* came = gst_caps_to_string(caps);
  GST_ELEMENT_ERROR(sink, CORE, NEGOTIATION,
                    ("The pad %s does not take these caps, expected in system memory: %s.",
                     GST_PAD_NAME(pad), words.takes),
                    ("%s came. %s", came, words.remedy));
  return GST_PAD_PROBE_OK;
}

// --- inputs -------------------------------------------------------------------------------------

// Names of ROS: letters, digits and _ between slashes, no part begins with a digit.
static bool is_topic(const std::string& topic) {
  bool begins = false;  // a part
  for (std::size_t i = 0; i < topic.size(); ++i) {
    const char c = topic[i];
    if (c == '/') {
      if (begins) return false;
      begins = true;
      continue;
    }
    if (i == 0 || (!g_ascii_isalnum(c) && c != '_') || (begins && g_ascii_isdigit(c))) return false;
    begins = false;
  }
  return !topic.empty() && !begins;
}

static rdp::gst::StreamSetup setup_of(GstMcapInput* self) {
  const Settings settings = settings_of(self->pad);
  g_autofree gchar* name = gst_object_get_name(GST_OBJECT(self->pad));
  rdp::gst::StreamSetup setup;
  setup.kind = self->pad->kind;
  setup.pad_name = name;
  setup.topic = rdp::gst::topic_of(self->pad);
  if (settings.frame_id) setup.frame_id = settings.frame_id.get();
  setup.encoding = settings.encoding;
  if (!is_topic(setup.topic)) {
    throw rdp::gst::StreamError("The topic of the pad " + setup.pad_name + " is \"" + setup.topic +
                                "\", expected one such as /camera/depth: letters, digits and _ "
                                "behind slashes, and no digit behind a slash.");
  }
  g_autoptr(GstMcapPad) other = rdp::gst::pad_beside(self->sink, self->pad, setup.topic);
  if (other != nullptr) {
    throw rdp::gst::StreamError(std::string("The topics of the pads ") + GST_PAD_NAME(other) +
                                " and " + setup.pad_name + " are \"" + rdp::gst::topic_of(other) +
                                "\" and \"" + setup.topic +
                                "\", expected topics of which none is or begins the other: set "
                                "topic on one of them.");
  }
  return setup;
}

// Calls body(). If it throws, posts an element error and returns `failed`.
template <typename Body>
static auto records(GstMcapInput* self, decltype(std::declval<Body>()()) failed, Body&& body) {
  return rdp::contain(
      [&] {
        try {
          return body();
        } catch (const rdp::gst::StreamError& error) {
          GST_ELEMENT_ERROR(self->sink, STREAM, FORMAT,
                            ("%s", rdp::gst::ShownText(error.what()).get()), (nullptr));
        } catch (const rdp::gst::LostError& error) {
          GST_ELEMENT_ERROR(self->sink, RESOURCE, READ, ("%s", error.what()), (nullptr));
        } catch (const std::length_error& error) {
          GST_ELEMENT_ERROR(self->sink, STREAM, FORMAT,
                            ("A buffer cannot be recorded: %s.", error.what()), (nullptr));
        }
        return failed;
      },
      [&](const char* reason) {
        GST_ELEMENT_ERROR(self->sink, RESOURCE, NO_SPACE_LEFT,
                          ("Not enough memory to record a buffer."), ("%s", reason));
        return failed;
      });
}

static void warn(GstMcapInput* self, const char* text) {
  GST_ELEMENT_WARNING(self->sink, STREAM, FORMAT, ("%s", rdp::gst::ShownText(text).get()),
                      ("on the pad %s", GST_PAD_NAME(self->pad)));
}

// Each pad has its own streams: new caps are a new type.
static gboolean gst_mcap_input_set_caps(GstBaseSink* base, GstCaps* caps) {
  GstMcapInput* self = GST_MCAP_INPUT(base);
  // Sticky caps come again with later events and buffers.
  if (self->refused) return FALSE;
  self->refused = !records(self, FALSE, [&]() -> gboolean {
    rdp::gst::StreamSetup setup = setup_of(self);
    self->recording = rdp::gst::recording_of(self->sink, &setup.options);
    if (self->recording == nullptr) return FALSE;
    setup.options.pose = &self->pose;
    setup.options.warn = [self](const std::string& text) { warn(self, text.c_str()); };
    setup.recording = self->recording.get();
    self->stream.reset();
    self->stream = rdp::gst::new_stream(setup, caps);
    return TRUE;
  });
  return self->refused ? FALSE : TRUE;
}

// The reference timestamp of `buffer`, if it has one of this kind.
static bool reference_of(GstBuffer* buffer, const char* name, guint64* time) {
  gpointer state = nullptr;
  while (GstMeta* meta = gst_buffer_iterate_meta_filtered(buffer, &state,
                                                          GST_REFERENCE_TIMESTAMP_META_API_TYPE)) {
    const auto* reference = reinterpret_cast<const GstReferenceTimestampMeta*>(meta);
    const GstStructure* kind = gst_caps_get_structure(reference->reference, 0);
    if (!gst_structure_has_name(kind, name) || !GST_CLOCK_TIME_IS_VALID(reference->timestamp)) {
      continue;
    }
    *time = reference->timestamp;
    return true;
  }
  return false;
}

// Unix ns.
static guint64 stamp_of(GstMcapInput* self, GstBuffer* buffer) {
  constexpr guint64 kNtpEpoch = G_GUINT64_CONSTANT(2208988800) * GST_SECOND;  // before Unix'
  guint64 time = 0;
  if (reference_of(buffer, "timestamp/x-unix", &time)) return time;
  if (reference_of(buffer, "timestamp/x-ntp", &time) && time >= kNtpEpoch) return time - kNtpEpoch;
  const GstSegment& segment = GST_BASE_SINK(self)->segment;
  if (GST_BUFFER_PTS_IS_VALID(buffer) && segment.format == GST_FORMAT_TIME) {
    // A frame that begins before its segment has a negative running time.
    guint64 running = 0;
    const int sign = gst_segment_to_running_time_full(&segment, GST_FORMAT_TIME,
                                                      GST_BUFFER_PTS(buffer), &running);
    const auto start = static_cast<guint64>(rdp::gst::start_time_of(self->sink));
    if (sign > 0) return start + running;
    if (sign < 0) return start - std::min(start, running);
  }
  return static_cast<guint64>(g_get_real_time()) * 1000;
}

static GstFlowReturn gst_mcap_input_render(GstBaseSink* base, GstBuffer* buffer) {
  GstMcapInput* self = GST_MCAP_INPUT(base);
  if (self->stream == nullptr) return GST_FLOW_NOT_NEGOTIATED;
  return records(self, GST_FLOW_ERROR, [&] {
    const guint64 stamp = stamp_of(self, buffer);
    if (stamp > guint64{rdp::ros::Time::kLast} && !std::exchange(self->warned_late, true)) {
      warn(self,
           "Messages of ROS have no times behind January 2038: their headers have the last one, "
           "log times are right. Set start-time, or the clock.");
    }
    switch (self->stream->write(buffer, stamp)) {
      case Recording::Result::kWritten:
        return GST_FLOW_OK;
      case Recording::Result::kDropped:
        rdp::gst::post_drops(self->sink);
        return GST_FLOW_OK;
      case Recording::Result::kFailed:
        break;
    }
    rdp::gst::post_failure(self->sink);
    return GST_FLOW_ERROR;
  });
}

// The template caps of the input's pad, as any kind of pad has such an input.
static GstCaps* gst_mcap_input_get_caps(GstBaseSink* base, GstCaps* filter) {
  GstMcapInput* self = GST_MCAP_INPUT(base);
  return rdp::gst::filtered_caps(gst_pad_get_pad_template_caps(GST_PAD(self->pad)), filter);
}

static gboolean gst_mcap_input_event(GstBaseSink* base, GstEvent* event) {
  GstMcapInput* self = GST_MCAP_INPUT(base);
  // Notes the end, which may complete the file, before core tells the application.
  const GstEventType type = GST_EVENT_TYPE(event);
  if (type == GST_EVENT_EOS || type == GST_EVENT_FLUSH_STOP || type == GST_EVENT_STREAM_START) {
    rdp::gst::note_end(self->sink, GST_ELEMENT(self), type == GST_EVENT_EOS);
  }
  return GST_BASE_SINK_CLASS(gst_mcap_input_parent_class)->event(base, event);
}

static gboolean gst_mcap_input_propose_allocation(GstBaseSink* base, GstQuery* query) {
  gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr);
  return TRUE;
}

static gboolean gst_mcap_input_start(GstBaseSink* base) {
  GstMcapInput* self = GST_MCAP_INPUT(base);
  self->refused = self->warned_late = false;
  self->pose.reset();
  rdp::gst::note_end(self->sink, GST_ELEMENT(self), false);
  return TRUE;
}

static gboolean gst_mcap_input_stop(GstBaseSink* base) {
  GstMcapInput* self = GST_MCAP_INPUT(base);
  self->stream.reset();
  self->recording.reset();
  return TRUE;
}

static void gst_mcap_input_finalize(GObject* object) {
  GstMcapInput* self = GST_MCAP_INPUT(object);
  self->stream.~unique_ptr();
  self->recording.~shared_ptr();
  G_OBJECT_CLASS(gst_mcap_input_parent_class)->finalize(object);
}

static GstStaticPadTemplate input_template =
    GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static void gst_mcap_input_class_init(GstMcapInputClass* klass) {
  auto* base_class = GST_BASE_SINK_CLASS(klass);
  G_OBJECT_CLASS(klass)->finalize = gst_mcap_input_finalize;
  gst_element_class_add_static_pad_template(GST_ELEMENT_CLASS(klass), &input_template);
  gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(klass), "Input of mcapsink", "Sink",
                                        "Records the buffers of one pad", "The rdpsegment authors");
  base_class->start = gst_mcap_input_start;
  base_class->stop = gst_mcap_input_stop;
  base_class->set_caps = gst_mcap_input_set_caps;
  base_class->get_caps = gst_mcap_input_get_caps;
  base_class->render = gst_mcap_input_render;
  base_class->event = gst_mcap_input_event;
  base_class->propose_allocation = gst_mcap_input_propose_allocation;
}

static void gst_mcap_input_init(GstMcapInput* self) {
  new (&self->pose) std::optional<rdp::gst::Pose>;
  new (&self->recording) std::shared_ptr<Recording>;
  new (&self->stream) std::unique_ptr<rdp::gst::McapStream>;
  gst_base_sink_set_sync(GST_BASE_SINK(self), FALSE);
  gst_base_sink_set_async_enabled(GST_BASE_SINK(self), FALSE);
}

namespace rdp::gst {

GstMcapPad* new_mcap_pad(GstMcapSink* sink, McapPadKind kind, const char* name,
                         GstPadTemplate* templ) {
  auto* pad = GST_MCAP_PAD(g_object_new(GST_TYPE_MCAP_PAD, "name", name, "direction", GST_PAD_SINK,
                                        "template", templ, nullptr));
  auto* input = GST_MCAP_INPUT(g_object_new(gst_mcap_input_get_type(), nullptr));
  pad->kind = kind;
  pad->input = GST_ELEMENT(gst_object_ref_sink(input));
  input->sink = sink;
  input->pad = pad;
  g_autofree gchar* input_name = g_strconcat("input-", name, nullptr);
  gst_object_set_name(GST_OBJECT(input), input_name);
  g_autoptr(GstPad) target = gst_element_get_static_pad(GST_ELEMENT(input), "sink");
  if (!gst_bin_add(GST_BIN(sink), GST_ELEMENT(input))) {
    gst_object_unref(gst_object_ref_sink(pad));
    return nullptr;
  }
  gst_ghost_pad_set_target(GST_GHOST_PAD(pad), target);
  gst_pad_add_probe(GST_PAD(pad), GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, explain_caps, sink, nullptr);
  return pad;
}

GstElement* input_of(GstMcapPad* pad) { return pad->input; }

std::string topic_of(GstMcapPad* pad) {
  const Settings settings = settings_of(pad);
  if (settings.topic) return settings.topic.get();
  g_autofree gchar* name = gst_object_get_name(GST_OBJECT(pad));
  return std::string("/") + name;
}

}  // namespace rdp::gst
