// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-mcapsink
 * @title: mcapsink
 *
 * Records depth, pictures, clouds and JSON with their cameras and metadata into an MCAP file, which
 * viewers of robotics, ros2 bag and mcapsrc read.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 depthtestsrc num-buffers=100 ! rdpsegment ! mcapsink location=street.mcap
 * ]| Records disparity and its segments.
 */
#include "gst/elements/mcap/gstmcapsink.h"

#include <gst/base/gstbasesink.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "common/boundary.h"
#include "gst/elements/base/depth_caps.h"
#include "gst/elements/base/points_caps.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/base/shared_text.h"
#include "gst/elements/package.h"
#include "gst/elements/pointcloud/file_pattern.h"

GST_DEBUG_CATEGORY(gst_mcap_sink_debug);
#define GST_CAT_DEFAULT gst_mcap_sink_debug

namespace {

using rdp::gst::McapCompression;
using rdp::gst::McapDisparity;
using rdp::gst::McapPadKind;
using rdp::gst::McapWhenFull;
using rdp::gst::ShownText;
using rdp::mcap::Compression;
using rdp::mcap::Recording;
using rdp::mcap::RecordingCounts;
using rdp::mcap::RecordingFailure;

// The application's settings, guarded by the object lock.
struct Settings : rdp::mcap::RecordingSettings {
  rdp::gst::SharedText location;
  McapCompression compression = McapCompression::kAuto;
  gint level = 1;
  McapWhenFull when_full = McapWhenFull::kBlock;
  gint64 start_time = -1;
  McapDisparity disparity = McapDisparity::kBoth;
  bool metadata = true;
  bool markers = false;
};

using Own = rdp::gst::PropertyOf<Settings>;
constexpr auto kProperties = std::to_array<rdp::gst::PropertyRow<Settings>>({
    {{.name = "location",
      .nick = "Location",
      .blurb = "File to write, or pattern with a number (%d, %05d) for several files",
      .flags = rdp::gst::kInReady},
     Own::as_string<&Settings::location>()},
    {{.name = "compression",
      .nick = "Compression",
      .blurb = "Compression of chunks",
      .flags = rdp::gst::kInReady},
     Own::as_enum<&Settings::compression>(rdp::gst::mcap_compression_get_type)},
    {{.name = "compression-level",
      .nick = "Compression level",
      .blurb = "Level of the compression: a larger one takes longer",
      .flags = rdp::gst::kInReady},
     Own::as_int<&Settings::level>(1, 19)},
    {{.name = "chunk-size",
      .nick = "Chunk size",
      .blurb = "Size of a chunk in bytes, with whose last message it is written",
      .unit = "bytes",
      .flags = rdp::gst::kInReady},
     Own::as_uint<&Settings::chunk_size>(1, 1 << 29)},
    {{.name = "chunk-time",
      .nick = "Chunk time",
      .blurb = "Duration of a chunk in ns, after which it is written (0 = any)",
      .unit = "ns",
      .flags = rdp::gst::kInReady},
     Own::as_uint64<&Settings::chunk_time>()},
    {{.name = "max-size",
      .nick = "Maximum size",
      .blurb = "Size of a file in bytes, beyond which the next one begins (0 = any)",
      .unit = "bytes",
      .flags = rdp::gst::kInReady},
     Own::as_uint64<&Settings::max_size>()},
    {{.name = "max-duration",
      .nick = "Maximum duration",
      .blurb = "Duration of a file in ns, after which the next one begins (0 = any)",
      .unit = "ns",
      .flags = rdp::gst::kInReady},
     Own::as_uint64<&Settings::max_duration>()},
    {{.name = "max-queue",
      .nick = "Maximum queue",
      .blurb = "Number of chunks that wait to be written",
      .flags = rdp::gst::kInReady},
     Own::as_uint<&Settings::max_queue>(1, 1024)},
    {{.name = "when-full",
      .nick = "When full",
      .blurb = "Handling of frames while max-queue chunks wait",
      .flags = rdp::gst::kInReady},
     Own::as_enum<&Settings::when_full>(rdp::gst::mcap_when_full_get_type)},
    {{.name = "fsync-interval",
      .nick = "fsync interval",
      .blurb = "Time in ns after which what was written is brought to the disk (0 = at the end)",
      .unit = "ns",
      .flags = rdp::gst::kInReady},
     Own::as_uint64<&Settings::fsync_interval>()},
    {{.name = "start-time",
      .nick = "Start time",
      .blurb = "Unix time of running time 0 in ns (-1 = the wall clock then)",
      .unit = "ns",
      .flags = rdp::gst::kInReady},
     Own::as_int64<&Settings::start_time>(-1, G_MAXINT64)},
    {{.name = "disparity",
      .nick = "Disparity",
      .blurb = "Topics of disparity, and of depth that is not in mm",
      .flags = rdp::gst::kInReady},
     Own::as_enum<&Settings::disparity>(rdp::gst::mcap_disparity_get_type)},
    {{.name = "metadata",
      .nick = "Metadata",
      .blurb = "Record what mcapsrc restores: metadata, camera and times without loss",
      .flags = rdp::gst::kInReady},
     Own::as_boolean<&Settings::metadata>()},
    {{.name = "markers",
      .nick = "Markers",
      .blurb = "Record segments, planes and obstacles with metres as markers, too",
      .flags = rdp::gst::kInReady},
     Own::as_boolean<&Settings::markers>()},
    {{.name = "stats",
      .nick = "Statistics",
      .blurb = "Counters of the recording: messages, dropped, bytes, chunks, files"},
     Own::other_structure()},
});

}  // namespace

struct _GstMcapSink {
  GstBin parent;

  Settings settings;
  // Guarded by the object lock.
  std::shared_ptr<Recording> recording;  // from READY to PAUSED and back
  RecordingCounts last_counts;           // of the recording before
  Settings used;
  gint64 started;                // Unix ns of running time 0; -1: not yet known
  bool warned;                   // of drops
  std::recursive_mutex failing;  // held while a failure is posted: other threads wait for that
  bool said_failure;
  GList* ended;  // inputs; not owned
};

static void gst_mcap_sink_child_proxy_init(gpointer interface, gpointer data);

G_DEFINE_TYPE_WITH_CODE(GstMcapSink, gst_mcap_sink, GST_TYPE_BIN,
                        G_IMPLEMENT_INTERFACE(GST_TYPE_CHILD_PROXY, gst_mcap_sink_child_proxy_init))
GST_ELEMENT_REGISTER_DEFINE(mcapsink, "mcapsink", GST_RANK_NONE, gst_mcap_sink_get_type())

static GstStaticPadTemplate depth_template = GST_STATIC_PAD_TEMPLATE(
    "depth_%u", GST_PAD_SINK, GST_PAD_REQUEST, GST_STATIC_CAPS("video/x-raw, " RDP_DEPTH_FIELDS));
static GstStaticPadTemplate video_template = GST_STATIC_PAD_TEMPLATE(
    "video_%u", GST_PAD_SINK, GST_PAD_REQUEST,
    GST_STATIC_CAPS("video/x-raw, format = (string) { RGB, BGR, RGBA, BGRA, GRAY8, NV12, I420 "
                    "}, " RDP_SIDES "; image/jpeg; image/png"));
static GstStaticPadTemplate points_template = GST_STATIC_PAD_TEMPLATE(
    "points_%u", GST_PAD_SINK, GST_PAD_REQUEST, GST_STATIC_CAPS(RDP_POINTS_CAPS));
static GstStaticPadTemplate json_template = GST_STATIC_PAD_TEMPLATE(
    "json_%u", GST_PAD_SINK, GST_PAD_REQUEST, GST_STATIC_CAPS("application/x-json"));

static constexpr std::pair<McapPadKind, GstStaticPadTemplate*> kTemplates[] = {
    {McapPadKind::kDepth, &depth_template},
    {McapPadKind::kVideo, &video_template},
    {McapPadKind::kPoints, &points_template},
    {McapPadKind::kJson, &json_template},
};

// --- properties ---------------------------------------------------------------------------------

static void gst_mcap_sink_set_property(GObject* object, guint id, const GValue* value,
                                       GParamSpec* pspec) {
  rdp::gst::set_property(object, kProperties, GST_MCAP_SINK(object)->settings, id, value, pspec);
}

static RecordingCounts counts_of(GstMcapSink* self) {
  GST_OBJECT_LOCK(self);
  const RecordingCounts counts =
      self->recording != nullptr ? self->recording->counts() : self->last_counts;
  GST_OBJECT_UNLOCK(self);
  return counts;
}

static void gst_mcap_sink_get_property(GObject* object, guint id, GValue* value,
                                       GParamSpec* pspec) {
  GstMcapSink* self = GST_MCAP_SINK(object);
  if (id != rdp::gst::property_id(kProperties, "stats")) {
    rdp::gst::get_property(object, kProperties, self->settings, id, value, pspec);
    return;
  }
  const RecordingCounts counts = counts_of(self);
  g_value_take_boxed(
      value, gst_structure_new("application/x-mcapsink-stats", "messages", G_TYPE_UINT64,
                               counts.messages, "dropped", G_TYPE_UINT64, counts.dropped, "bytes",
                               G_TYPE_UINT64, counts.bytes, "chunks", G_TYPE_UINT64, counts.chunks,
                               "files", G_TYPE_UINT, counts.files, nullptr));
}

// --- pads ---------------------------------------------------------------------------------------

static GstPad* gst_mcap_sink_request_new_pad(GstElement* element, GstPadTemplate* templ,
                                             const gchar* wanted, const GstCaps*) {
  GstMcapSink* self = GST_MCAP_SINK(element);
  const char* pattern = GST_PAD_TEMPLATE_NAME_TEMPLATE(templ);
  const auto* row = std::ranges::find_if(kTemplates, [&](const auto& one) {
    return g_strcmp0(one.second->name_template, pattern) == 0;
  });
  g_return_val_if_fail(row != std::end(kTemplates), nullptr);
  g_autofree gchar* name = g_strdup(wanted);
  for (guint number = 0; name == nullptr; ++number) {
    g_autofree gchar* next =
        g_strdup_printf("%.*s%u", static_cast<int>(std::strlen(pattern)) - 2, pattern, number);
    g_autoptr(GstPad) taken = gst_element_get_static_pad(element, next);
    if (taken == nullptr) name = static_cast<gchar*>(g_steal_pointer(&next));
  }
  GstMcapPad* pad = rdp::gst::new_mcap_pad(self, row->first, name, templ);
  if (pad == nullptr) return nullptr;
  gst_element_sync_state_with_parent(rdp::gst::input_of(pad));
  gst_pad_set_active(GST_PAD(pad), TRUE);
  if (!gst_element_add_pad(element, GST_PAD(pad))) return nullptr;
  gst_child_proxy_child_added(GST_CHILD_PROXY(element), G_OBJECT(pad), name);
  return GST_PAD(pad);
}

static void gst_mcap_sink_release_pad(GstElement* element, GstPad* pad) {
  GstElement* input = rdp::gst::input_of(GST_MCAP_PAD(pad));
  gst_object_ref(pad);
  g_autofree gchar* name = gst_object_get_name(GST_OBJECT(pad));
  gst_child_proxy_child_removed(GST_CHILD_PROXY(element), G_OBJECT(pad), name);
  gst_ghost_pad_set_target(GST_GHOST_PAD(pad), nullptr);
  gst_element_set_state(input, GST_STATE_NULL);
  gst_element_remove_pad(element, pad);
  rdp::gst::note_end(GST_MCAP_SINK(element), input, false);
  // At its end the element has let go of its inputs already.
  if (GST_OBJECT_PARENT(input) == GST_OBJECT(element)) gst_bin_remove(GST_BIN(element), input);
  gst_object_unref(pad);
}

// Pads are the children, as in depth_0::topic=/depth, and not the elements behind them.
static GObject* gst_mcap_sink_get_child(GstChildProxy* proxy, guint index) {
  GstElement* element = GST_ELEMENT(proxy);
  GST_OBJECT_LOCK(element);
  auto* pad = static_cast<GObject*>(g_list_nth_data(element->pads, index));
  if (pad != nullptr) g_object_ref(pad);
  GST_OBJECT_UNLOCK(element);
  return pad;
}

static guint gst_mcap_sink_count_children(GstChildProxy* proxy) {
  GstElement* element = GST_ELEMENT(proxy);
  GST_OBJECT_LOCK(element);
  const guint count = element->numpads;
  GST_OBJECT_UNLOCK(element);
  return count;
}

static void gst_mcap_sink_child_proxy_init(gpointer interface, gpointer) {
  auto* functions = static_cast<GstChildProxyInterface*>(interface);
  functions->get_child_by_index = gst_mcap_sink_get_child;
  functions->get_children_count = gst_mcap_sink_count_children;
}

// --- the recording ------------------------------------------------------------------------------

static Compression compression_of(McapCompression wanted) {
  switch (wanted) {
    case McapCompression::kNone:
      return Compression::kNone;
    case McapCompression::kLz4:
      return Compression::kLz4;
    case McapCompression::kZstd:
      return Compression::kZstd;
    case McapCompression::kAuto:
      break;
  }
  return rdp::mcap::is_built_in(Compression::kZstd) ? Compression::kZstd : Compression::kNone;
}

// False: after an element error.
static bool start_recording(GstMcapSink* self) {
  GST_OBJECT_LOCK(self);
  const Settings used = self->used = self->settings;
  self->started = used.start_time;
  self->warned = self->said_failure = false;
  GST_OBJECT_UNLOCK(self);
  const auto refuse = [&](const std::string& text) {
    GST_ELEMENT_ERROR(self, RESOURCE, SETTINGS, ("%s", ShownText(text).get()), (nullptr));
    return false;
  };
  if (!used.location) {
    GST_ELEMENT_ERROR(self, RESOURCE, NOT_FOUND,
                      ("Property location is not set: set it to a file, or to a name with %%05d."),
                      (nullptr));
    return false;
  }
  return rdp::contain(
      [&] {
        try {
          rdp::mcap::RecordingSettings settings = used;
          settings.writer.header = {"ros2", "rdpsegment " PACKAGE_VERSION};
          settings.writer.compression = compression_of(used.compression);
          settings.writer.level = used.level;
          if (!rdp::mcap::is_built_in(settings.writer.compression)) {
            return refuse(
                "This build lacks the compression that was asked for: set "
                "compression=auto, or build with its library (libzstd, liblz4).");
          }
          settings.drop = used.when_full == McapWhenFull::kDrop;
          const rdp::gst::FilePattern pattern(used.location.get());
          if (!pattern.has_number() && (used.max_size > 0 || used.max_duration > 0)) {
            return refuse(std::string("location is \"") + used.location.get() +
                          "\", expected a name with a number such as %05d, which several files "
                          "need: set one, or leave max-size and max-duration at 0.");
          }
          auto recording = std::make_shared<Recording>(settings, [pattern](unsigned number) {
            std::string name;
            pattern.write_name(static_cast<int>(number), &name);
            return name;
          });
          GST_OBJECT_LOCK(self);
          self->recording = std::move(recording);
          GST_OBJECT_UNLOCK(self);
          return true;
        } catch (const rdp::gst::PatternError& error) {
          return refuse(std::string(error.what()) + ".");
        } catch (const std::system_error& error) {
          GST_ELEMENT_ERROR(self, RESOURCE, OPEN_WRITE,
                            ("Cannot write \"%s\": %s.", ShownText(used.location.get()).get(),
                             error.code().message().c_str()),
                            (nullptr));
          return false;
        }
      },
      [&](const char* reason) {
        GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, ("Not enough memory to record."),
                          ("%s", reason));
        return false;
      });
}

static std::shared_ptr<Recording> recording(GstMcapSink* self) {
  GST_OBJECT_LOCK(self);
  auto current = self->recording;
  GST_OBJECT_UNLOCK(self);
  return current;
}

// Completes the file, or posts an element error.
static void finish_recording(GstMcapSink* self) {
  const auto current = recording(self);
  if (current == nullptr) return;
  current->finish();
  if (current->has_failed()) rdp::gst::post_failure(self);
}

static void forget_recording(GstMcapSink* self) {
  GST_OBJECT_LOCK(self);
  std::shared_ptr<Recording> current = std::move(self->recording);
  self->recording = nullptr;
  if (current != nullptr) self->last_counts = current->counts();
  g_clear_pointer(&self->ended, g_list_free);
  GST_OBJECT_UNLOCK(self);
}

static GstStateChangeReturn gst_mcap_sink_change_state(GstElement* element,
                                                       GstStateChange transition) {
  GstMcapSink* self = GST_MCAP_SINK(element);
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !start_recording(self)) {
    return GST_STATE_CHANGE_FAILURE;
  }
  const GstStateChangeReturn result =
      GST_ELEMENT_CLASS(gst_mcap_sink_parent_class)->change_state(element, transition);
  const bool failed =
      transition == GST_STATE_CHANGE_READY_TO_PAUSED && result == GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY || failed) {
    finish_recording(self);
    forget_recording(self);
  }
  return result;
}

// --- for inputs ---------------------------------------------------------------------------------

namespace rdp::gst {

std::shared_ptr<mcap::Recording> recording_of(GstMcapSink* self, StreamOptions* options) {
  GST_OBJECT_LOCK(self);
  options->disparity = self->used.disparity;
  options->metadata = self->used.metadata;
  options->markers = self->used.markers;
  auto current = self->recording;
  GST_OBJECT_UNLOCK(self);
  return current;
}

gint64 start_time_of(GstMcapSink* self) {
  GST_OBJECT_LOCK(self);
  const bool known = self->started >= 0;
  const gint64 started = self->started;
  GST_OBJECT_UNLOCK(self);
  if (known) return started;
  gint64 now = g_get_real_time() * 1000;
  g_autoptr(GstClock) clock = gst_element_get_clock(GST_ELEMENT(self));
  const GstClockTime base = gst_element_get_base_time(GST_ELEMENT(self));
  if (clock != nullptr && GST_CLOCK_TIME_IS_VALID(base)) {
    now -= static_cast<gint64>(gst_clock_get_time(clock)) - static_cast<gint64>(base);
  }
  GST_OBJECT_LOCK(self);
  if (self->started < 0) self->started = std::max<gint64>(now, 0);
  const gint64 result = self->started;
  GST_OBJECT_UNLOCK(self);
  return result;
}

void note_end(GstMcapSink* self, GstElement* input, bool ended) {
  GST_OBJECT_LOCK(self);
  self->ended = g_list_remove(self->ended, input);
  if (ended) self->ended = g_list_prepend(self->ended, input);
  const bool all = ended && g_list_length(self->ended) >= GST_ELEMENT(self)->numsinkpads;
  GST_OBJECT_UNLOCK(self);
  if (all) finish_recording(self);
}

void post_drops(GstMcapSink* self) {
  GST_OBJECT_LOCK(self);
  const bool said = std::exchange(self->warned, true);
  GST_OBJECT_UNLOCK(self);
  if (said) return;
  GST_ELEMENT_WARNING(self, RESOURCE, WRITE,
                      ("The disk or the compression is slower than the frames: some are dropped. "
                       "Set when-full=block, a larger max-queue or compression=none."),
                      (nullptr));
}

void post_failure(GstMcapSink* self) {
  const auto current = recording(self);
  if (current == nullptr) return;
  // Others wait here, so that the error is posted before the flow of any pad ends.
  const std::lock_guard lock(self->failing);
  GST_OBJECT_LOCK(self);
  const bool said = std::exchange(self->said_failure, true);
  GST_OBJECT_UNLOCK(self);
  if (said) return;
  if (!current->has_failed()) {
    GST_ELEMENT_ERROR(self, RESOURCE, WRITE,
                      ("The file was finished at the end of the stream, and more came: stop the "
                       "pipeline before it plays again."),
                      (nullptr));
    return;
  }
  contain(
      [&] {
        current->finish();  // queued messages are lost, too
        const RecordingFailure failure = current->failure();
        const bool full =
            failure.error == ENOSPC || failure.error == EFBIG || failure.error == EDQUOT;
        std::string text = std::generic_category().message(failure.error) + ". ";
        if (failure.bytes > 0) {
          text += "The " + std::to_string(failure.messages) + " messages before are in it, " +
                  (failure.finished ? "and it is complete; " : "but it has no summary; ");
        }
        text += std::to_string(failure.lost_messages) + " are lost.";
        if (full) text += " Free space, or set location to another disk.";
        gst_element_message_full(
            GST_ELEMENT(self), GST_MESSAGE_ERROR, GST_RESOURCE_ERROR,
            full ? GST_RESOURCE_ERROR_NO_SPACE_LEFT : GST_RESOURCE_ERROR_WRITE,
            g_strdup_printf("Cannot write \"%s\": %s", ShownText(failure.file).get(), text.c_str()),
            g_strdup_printf("%" G_GUINT64_FORMAT " bytes of the file are good", failure.bytes),
            __FILE__, GST_FUNCTION, __LINE__);
        return true;
      },
      [&](const char* reason) {
        GST_ELEMENT_ERROR(self, RESOURCE, WRITE, ("The file cannot be written."), ("%s", reason));
        return false;
      });
}

GstMcapPad* pad_beside(GstMcapSink* self, GstMcapPad* pad, const std::string& topic) {
  for (guint i = 0;; ++i) {
    GObject* other = gst_mcap_sink_get_child(GST_CHILD_PROXY(self), i);
    if (other == nullptr || other == G_OBJECT(pad)) {
      g_clear_object(&other);
      return nullptr;
    }
    const std::string theirs = topic_of(GST_MCAP_PAD(other));
    if ((theirs + "/").starts_with(topic + "/") || (topic + "/").starts_with(theirs + "/")) {
      return GST_MCAP_PAD(other);
    }
    g_object_unref(other);
  }
}

}  // namespace rdp::gst

// --- class --------------------------------------------------------------------------------------

static void gst_mcap_sink_finalize(GObject* object) {
  GstMcapSink* self = GST_MCAP_SINK(object);
  self->failing.~recursive_mutex();
  self->recording.~shared_ptr();
  self->used.~Settings();
  self->settings.~Settings();
  G_OBJECT_CLASS(gst_mcap_sink_parent_class)->finalize(object);
}

static void gst_mcap_sink_class_init(GstMcapSinkClass* klass) {
  auto* object_class = G_OBJECT_CLASS(klass);
  auto* element_class = GST_ELEMENT_CLASS(klass);
  GST_DEBUG_CATEGORY_INIT(gst_mcap_sink_debug, "mcapsink", 0, "MCAP sink");

  object_class->set_property = gst_mcap_sink_set_property;
  object_class->get_property = gst_mcap_sink_get_property;
  object_class->finalize = gst_mcap_sink_finalize;
  rdp::gst::install_properties(object_class, kProperties);
  gst_type_mark_as_plugin_api(GST_TYPE_MCAP_PAD, static_cast<GstPluginAPIFlags>(0));

  element_class->change_state = gst_mcap_sink_change_state;
  element_class->request_new_pad = gst_mcap_sink_request_new_pad;
  element_class->release_pad = gst_mcap_sink_release_pad;
  for (const auto& [kind, templ] : kTemplates) {
    gst_element_class_add_static_pad_template_with_gtype(element_class, templ, GST_TYPE_MCAP_PAD);
  }
  gst_element_class_set_static_metadata(
      element_class, "MCAP sink", "Sink/File",
      "Records depth, pictures, clouds and their metadata into MCAP files",
      "The rdpsegment authors");
}

static void gst_mcap_sink_init(GstMcapSink* self) {
  new (&self->settings) Settings;
  new (&self->used) Settings;
  new (&self->recording) std::shared_ptr<Recording>;
  new (&self->failing) std::recursive_mutex;
  self->last_counts = {};
  self->started = -1;
}
