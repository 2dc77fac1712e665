// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-pointcloudsink
 * @title: pointcloudsink
 *
 * Writes each cloud of points as a file of its own, PLY or PCD, with its colours, intensities and
 * labels.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 pointcloudsrc location=room.pcd ! pointcloudsink location=room.ply
 * ]| Makes a PLY of a PCD.
 */
#include <gst/base/gstbasesink.h>

#include <gst/rdpsegment/rdpsegment.h>

#include <array>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include "common/boundary.h"
#include "common/clouds/cloud_writer.h"
#include "common/clouds/output_file.h"
#include "common/image/index_colour.h"
#include "gst/elements/base/caps_explainer.h"
#include "gst/elements/base/points_caps.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/base/shared_text.h"
#include "gst/elements/pointcloud/cloud_enums.h"
#include "gst/elements/pointcloud/file_pattern.h"

GST_DEBUG_CATEGORY_STATIC(gst_point_cloud_sink_debug);
#define GST_CAT_DEFAULT gst_point_cloud_sink_debug

namespace {

using rdp::gst::PointsFormat;
using rdp::gst::ShownText;
using rdp::gst::UnknownPoints;
using rdp::gst::WrittenColours;
using rdp::gst::WrittenFormat;

// The application's settings, guarded by the object lock; each cloud takes a copy.
struct Settings {
  rdp::gst::SharedText location;
  WrittenFormat format = WrittenFormat::kAuto;
  UnknownPoints unknown = UnknownPoints::kAuto;
  gint index = 0;
  bool labels = false;
  WrittenColours colours = WrittenColours::kFile;
};

using Own = rdp::gst::PropertyOf<Settings>;
constexpr auto kProperties = std::to_array<rdp::gst::PropertyRow<Settings>>({
    {{.name = "location",
      .nick = "Location",
      .blurb = "File to write, replaced by each cloud, or pattern with a number (%d, %i, %u, %06d) "
               "for one file per cloud",
      .flags = rdp::gst::kInReady},
     Own::as_string<&Settings::location>()},
    {{.name = "format",
      .nick = "Format",
      .blurb = "Format of the files",
      .flags = rdp::gst::kInReady},
     Own::as_enum<&Settings::format>(rdp::gst::cloud_written_format_get_type)},
    {{.name = "unknown",
      .nick = "Unknown points",
      .blurb = "Handling of points with a coordinate that is not finite",
      .flags = rdp::gst::kInReady},
     Own::as_enum<&Settings::unknown>(rdp::gst::cloud_unknown_get_type)},
    {{.name = "index",
      .nick = "Index",
      .blurb = "Number of the next file of a pattern",
      .flags = rdp::gst::kWhilePlaying},
     Own::as_int<&Settings::index>(0, G_MAXINT)},
    {{.name = "labels",
      .nick = "Labels",
      .blurb = "Write the plane of each point, as a label and a colour, if depthplanes found some",
      .flags = rdp::gst::kInReady},
     Own::as_boolean<&Settings::labels>()},
    {{.name = "colors",
      .nick = "Colors",
      .blurb = "Colours of the points",
      .flags = rdp::gst::kInReady},
     Own::as_enum<&Settings::colours>(rdp::gst::cloud_colours_get_type)},
});

}  // namespace

G_DECLARE_FINAL_TYPE(GstPointCloudSink, gst_point_cloud_sink, GST, POINT_CLOUD_SINK, GstBaseSink)

struct _GstPointCloudSink {
  GstBaseSink parent;

  Settings settings;
  // Streaming thread.
  PointsFormat format;
  rdp::clouds::CloudWriter writer;
  rdp::clouds::OutputFile file;
  std::string name;
  // The pattern of the location that was used last.
  rdp::gst::SharedText location;
  rdp::gst::FilePattern pattern;
  guint64 written;
  bool warned;  // of labels
  bool warned_of_pose;
  // The file of the largest number was written; guarded by the object lock, until index is set.
  bool used_up;
};

G_DEFINE_TYPE(GstPointCloudSink, gst_point_cloud_sink, GST_TYPE_BASE_SINK)
GST_ELEMENT_REGISTER_DEFINE(pointcloudsink, "pointcloudsink", GST_RANK_NONE,
                            gst_point_cloud_sink_get_type())

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS(RDP_POINTS_CAPS));

static void gst_point_cloud_sink_set_property(GObject* object, guint id, const GValue* value,
                                              GParamSpec* pspec) {
  GstPointCloudSink* self = GST_POINT_CLOUD_SINK(object);
  rdp::gst::set_property(object, kProperties, self->settings, id, value, pspec);
  if (id != rdp::gst::property_id(kProperties, "index")) return;
  GST_OBJECT_LOCK(self);
  self->used_up = false;
  GST_OBJECT_UNLOCK(self);
}

static void gst_point_cloud_sink_get_property(GObject* object, guint id, GValue* value,
                                              GParamSpec* pspec) {
  rdp::gst::get_property(object, kProperties, GST_POINT_CLOUD_SINK(object)->settings, id, value,
                         pspec);
}

static void gst_point_cloud_sink_finalize(GObject* object) {
  GstPointCloudSink* self = GST_POINT_CLOUD_SINK(object);
  self->pattern.~FilePattern();
  self->location.~SharedText();
  self->name.~basic_string();
  self->file.~OutputFile();
  self->writer.~CloudWriter();
  self->settings.~Settings();
  G_OBJECT_CLASS(gst_point_cloud_sink_parent_class)->finalize(object);
}

static Settings settings_of(GstPointCloudSink* self) {
  GST_OBJECT_LOCK(self);
  Settings settings = self->settings;
  GST_OBJECT_UNLOCK(self);
  return settings;
}

// The location may be another one after start(), up to PAUSED. False: after an element error.
static bool use_location(GstPointCloudSink* self, const rdp::gst::SharedText& location) {
  if (self->location && self->location == location) return true;
  if (!location) {
    GST_ELEMENT_ERROR(self, RESOURCE, NOT_FOUND,
                      ("Property location is not set: set it to a file, or to a name with %%06d."),
                      (nullptr));
    return false;
  }
  return rdp::contain(
      [&] {
        try {
          self->pattern = rdp::gst::FilePattern(location.get());
          self->location = location;
          self->written = 0;
          return true;
        } catch (const rdp::gst::PatternError& error) {
          GST_ELEMENT_ERROR(self, RESOURCE, SETTINGS, ("%s.", ShownText(error.what()).get()),
                            (nullptr));
          return false;
        }
      },
      [&](const char* reason) {
        GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, ("Not enough memory to start."),
                          ("%s", reason));
        return false;
      });
}

static gboolean gst_point_cloud_sink_start(GstBaseSink* sink) {
  GstPointCloudSink* self = GST_POINT_CLOUD_SINK(sink);
  self->warned = self->warned_of_pose = false;
  self->location = {};
  return use_location(self, settings_of(self).location) ? TRUE : FALSE;
}

// Posts an error before core silently refuses the caps. Once, as sticky caps come again with later
// events and buffers.
static GstPadProbeReturn gst_point_cloud_sink_explain_caps(GstPad* pad, GstPadProbeInfo* info,
                                                           gpointer data) {
  auto* self = static_cast<GstPointCloudSink*>(data);
  GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
  if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS || rdp::gst::caps_event_is_explained(pad, event)) {
    return GST_PAD_PROBE_OK;
  }
  const auto explain = [&](const char* reason) {
    rdp::gst::note_explained_caps_event(pad, event);
    GST_ELEMENT_ERROR(self, CORE, NEGOTIATION, ("These points cannot be written: %s.", reason),
                      ("depthpoints makes points of depth frames, pointcloudsrc reads files of "
                       "them; put one of them before this element"));
  };
  rdp::contain(
      [&] {
        GstCaps* caps;
        gst_event_parse_caps(event, &caps);
        PointsFormat format;
        std::string problem;
        if (!rdp::gst::read_points_caps(caps, &format, &problem)) explain(problem.c_str());
      },
      explain);
  return GST_PAD_PROBE_OK;
}

static gboolean gst_point_cloud_sink_stop(GstBaseSink* sink) {
  rdp::gst::forget_explained_caps_events(GST_ELEMENT(sink));
  return TRUE;
}

static gboolean gst_point_cloud_sink_set_caps(GstBaseSink* sink, GstCaps* caps) {
  GstPointCloudSink* self = GST_POINT_CLOUD_SINK(sink);
  return rdp::contain(
      [&]() -> gboolean {
        std::string problem;
        return rdp::gst::read_points_caps(caps, &self->format, &problem) ? TRUE : FALSE;
      },
      [](const char*) { return FALSE; });
}

static bool writes_pcd(const Settings& settings) {
  if (settings.format != WrittenFormat::kAuto) return settings.format == WrittenFormat::kPcd;
  return std::string_view(settings.location.get()).ends_with(".pcd");
}

// Label 0 is no plane, label 1 the first one.
static const rdp::Rgb* label_colours() {
  static constexpr auto kColours = [] {
    std::array<rdp::Rgb, 256> colours{};
    colours[0] = {128, 128, 128};
    for (int i = 1; i < 256; ++i) {
      colours[static_cast<std::size_t>(i)] = rdp::index_colour(i - 1);
    }
    return colours;
  }();
  return kColours.data();
}

// The label of each point, valid as long as the buffer. Null, with a warning at the first time:
// there are none.
static const guint8* labels_of(GstPointCloudSink* self, GstBuffer* buffer, gsize points) {
  const GstRdpPlanesMeta* meta = gst_buffer_get_rdp_planes_meta(buffer);
  std::string problem = "the clouds have no planes: put depthplanes before this element";
  if (meta != nullptr) {
    gsize count = 0;
    g_autoptr(GError) error = nullptr;
    const gboolean fetched = gst_rdp_planes_fetch_labels(meta->planes, &error);
    const guint8* labels = fetched ? gst_rdp_planes_peek_labels(meta->planes, &count) : nullptr;
    if (labels != nullptr && count == points) return labels;
    problem = error != nullptr ? error->message
                               : "the planes have " + std::to_string(count) + " labels, expected " +
                                     std::to_string(points) + ", one a point";
  }
  if (!self->warned && !self->format.fields.label.is_there()) {
    GST_ELEMENT_WARNING(self, STREAM, FAILED, ("Labels cannot be written: %s.", problem.c_str()),
                        (nullptr));
  }
  self->warned = true;
  return nullptr;
}

// Returns 0, or an errno.
static int write_cloud(GstPointCloudSink* self, const Settings& settings, GstBuffer* buffer,
                       const GstMapInfo& map, gsize points) {
  const PointsFormat& format = self->format;
  const bool pcd = writes_pcd(settings);
  rdp::clouds::WrittenCloud cloud;
  cloud.data = reinterpret_cast<const std::byte*>(map.data);
  cloud.points = points;
  cloud.step = static_cast<std::size_t>(format.point_step);
  cloud.offset = static_cast<std::size_t>(format.offset);
  cloud.width = static_cast<std::uint32_t>(format.width);
  cloud.height = static_cast<std::uint32_t>(format.height);
  cloud.unit = format.unit;
  cloud.forward_left_up = format.forward_left_up;
  cloud.pose = format.pose;
  cloud.known_only = settings.unknown == UnknownPoints::kAuto
                         ? !pcd
                         : settings.unknown == UnknownPoints::kLeaveOut;
  cloud.fields = format.fields;
  const bool of_labels = settings.colours == WrittenColours::kLabels;
  const bool has_labels = format.fields.label.is_there();
  if (points > 0 && (settings.labels || (of_labels && !has_labels))) {
    cloud.labels = labels_of(self, buffer, points);
  }
  const bool by_default = settings.labels && !format.fields.colour.is_there();
  if ((of_labels || by_default) && (cloud.labels != nullptr || has_labels)) {
    cloud.colours = label_colours();
  }
  const auto [header, body] = pcd ? self->writer.pcd(cloud) : self->writer.ply(cloud);
  self->pattern.write_name(settings.index, &self->name);
  if (!pcd && !self->warned_of_pose && !rdp::clouds::is_identity(format.pose)) {
    GST_ELEMENT_WARNING(self, STREAM, FORMAT,
                        ("PLY has no place for the pose of a cloud: it is lost. Write PCD, which "
                         "has it as VIEWPOINT."),
                        ("pose=%s", rdp::clouds::pose_text(format.pose).c_str()));
    self->warned_of_pose = true;
  }
  return self->file.write(self->name, header, body);
}

static GstFlowReturn write_points(GstPointCloudSink* self, GstBuffer* buffer,
                                  const GstMapInfo& map) {
  gsize points = 0;
  std::string problem;
  if (!rdp::gst::count_points(self->format, map.size, &points, &problem)) {
    GST_ELEMENT_ERROR(self, STREAM, FORMAT,
                      ("These points cannot be written: %s.", problem.c_str()), (nullptr));
    return GST_FLOW_ERROR;
  }
  GST_OBJECT_LOCK(self);
  const Settings settings = self->settings;
  const bool used_up = self->used_up;
  GST_OBJECT_UNLOCK(self);
  if (!use_location(self, settings.location)) return GST_FLOW_ERROR;
  const bool numbered = self->pattern.has_number();
  if (numbered && used_up) {
    GST_ELEMENT_ERROR(
        self, RESOURCE, NO_SPACE_LEFT,
        ("There is no number for a file after \"%s\", expected at most %d: set index to "
         "a smaller one.",
         ShownText(self->name).get(), G_MAXINT),
        (nullptr));
    return GST_FLOW_ERROR;
  }
  const int code = write_cloud(self, settings, buffer, map, points);
  if (code != 0) {
    GST_ELEMENT_ERROR(self, RESOURCE, WRITE,
                      ("Cannot write \"%s\": %s.", ShownText(self->name).get(),
                       std::generic_category().message(code).c_str()),
                      (nullptr));
    return GST_FLOW_ERROR;
  }
  GST_LOG_OBJECT(self, "%" G_GSIZE_FORMAT " points in %s", points, self->name.c_str());
  if (++self->written == 2 && !numbered && self->file.replaces()) {
    GST_ELEMENT_WARNING(self, RESOURCE, SETTINGS,
                        ("Each cloud replaces the previous one in \"%s\": write a number such as "
                         "%%06d into location for a file each.",
                         ShownText(self->name).get()),
                        (nullptr));
  }
  GST_OBJECT_LOCK(self);
  if (self->settings.index == settings.index) {
    self->used_up = numbered && settings.index == G_MAXINT;
    if (settings.index < G_MAXINT) ++self->settings.index;
  }
  GST_OBJECT_UNLOCK(self);
  return GST_FLOW_OK;
}

static GstFlowReturn gst_point_cloud_sink_render(GstBaseSink* sink, GstBuffer* buffer) {
  GstPointCloudSink* self = GST_POINT_CLOUD_SINK(sink);
  GstMapInfo map;
  if (!gst_buffer_map(buffer, &map, GST_MAP_READ)) {
    GST_ELEMENT_ERROR(self, RESOURCE, READ, ("Cannot read a buffer."), (nullptr));
    return GST_FLOW_ERROR;
  }
  const GstFlowReturn result =
      rdp::contain([&] { return write_points(self, buffer, map); },
                   [&](const char* reason) {
                     GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT,
                                       ("Not enough memory to write points."), ("%s", reason));
                     return GST_FLOW_ERROR;
                   });
  gst_buffer_unmap(buffer, &map);
  return result;
}

static void gst_point_cloud_sink_class_init(GstPointCloudSinkClass* klass) {
  auto* object_class = G_OBJECT_CLASS(klass);
  auto* element_class = GST_ELEMENT_CLASS(klass);
  auto* base_class = GST_BASE_SINK_CLASS(klass);
  GST_DEBUG_CATEGORY_INIT(gst_point_cloud_sink_debug, "pointcloudsink", 0, "point cloud sink");

  object_class->set_property = gst_point_cloud_sink_set_property;
  object_class->get_property = gst_point_cloud_sink_get_property;
  object_class->finalize = gst_point_cloud_sink_finalize;
  rdp::gst::install_properties(object_class, kProperties);

  gst_element_class_add_static_pad_template(element_class, &sink_template);
  gst_element_class_set_static_metadata(element_class, "Point cloud sink", "Sink/File",
                                        "Writes each point cloud to a PLY or PCD file",
                                        "The rdpsegment authors");

  base_class->start = gst_point_cloud_sink_start;
  base_class->stop = gst_point_cloud_sink_stop;
  base_class->set_caps = gst_point_cloud_sink_set_caps;
  base_class->render = gst_point_cloud_sink_render;
}

static void gst_point_cloud_sink_init(GstPointCloudSink* self) {
  new (&self->settings) Settings;
  new (&self->format) PointsFormat;
  new (&self->writer) rdp::clouds::CloudWriter;
  new (&self->file) rdp::clouds::OutputFile;
  new (&self->name) std::string;
  new (&self->location) rdp::gst::SharedText;
  new (&self->pattern) rdp::gst::FilePattern;
  gst_pad_add_probe(GST_BASE_SINK_PAD(self), GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
                    gst_point_cloud_sink_explain_caps, self, nullptr);
  // Files have no clock to keep to.
  gst_base_sink_set_sync(GST_BASE_SINK(self), FALSE);
}
