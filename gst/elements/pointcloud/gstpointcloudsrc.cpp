// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-pointcloudsrc
 * @title: pointcloudsrc
 *
 * Reads clouds of points from files: PCD, PLY, and scans of KITTI, with colours, intensities and
 * labels. One file is one cloud; a location with %06d is a sequence.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 pointcloudsrc location=room.pcd ! depthplanes ! fakesink
 * ]| Finds the planes of a room.
 * |[
 * gst-launch-1.0 pointcloudsrc location=velodyne/%06d.bin ! application/x-points,framerate=10/1 ! \
 *     pointcloudsink location=scan-%06d.ply
 * ]| Makes PLY files of a drive of KITTI.
 */
#include <gst/base/gstpushsrc.h>

#include <new>
#include <string>

#include "common/boundary.h"
#include "common/clouds/text_lines.h"
#include "common/image/float_environment.h"
#include "gst/elements/base/filtered_caps.h"
#include "gst/elements/base/frame_source.h"
#include "gst/elements/base/open_error.h"
#include "gst/elements/base/points_caps.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/base/shared_text.h"
#include "gst/elements/pointcloud/cloud_enums.h"
#include "gst/elements/pointcloud/cloud_files.h"
#include "gst/elements/pointcloud/cloud_pool.h"

GST_DEBUG_CATEGORY_STATIC(gst_point_cloud_src_debug);
#define GST_CAT_DEFAULT gst_point_cloud_src_debug

namespace {

using rdp::gst::CloudAxes;
using rdp::gst::PointsFormat;
using rdp::gst::ShownText;

constexpr int kSequenceRate = 10;  // scans a second

// Warnings that the user has had: once in a stream each.
enum Warned : guint {
  kOfComments = 1,
  kOfEmptyFile = 2,
  kOfFloats = 4,
  kOfOtherFields = 8,
  kOfRotation = 16
};

// The application's settings, guarded by the object lock.
struct Settings {
  rdp::gst::SharedText location;
  rdp::clouds::FileFormat format = rdp::clouds::FileFormat::kAuto;
  gint start_index = 0;
  gint stop_index = -1;
  bool loop = false;
  double unit = 0.0;
  CloudAxes axes = CloudAxes::kAuto;
  guint point_floats = 0;
};

using Own = rdp::gst::PropertyOf<Settings>;
constexpr auto kProperties = std::to_array<rdp::gst::PropertyRow<Settings>>({
    {{.name = "location",
      .nick = "Location",
      .blurb = "File to read, or pattern with a number (%d, %i, %u, %06d) for a sequence",
      .flags = rdp::gst::kInReady},
     Own::as_string<&Settings::location>()},
    {{.name = "format",
      .nick = "Format",
      .blurb = "Format of the files",
      .flags = rdp::gst::kInReady},
     Own::as_enum<&Settings::format>(rdp::gst::cloud_file_format_get_type)},
    {{.name = "start-index",
      .nick = "Start index",
      .blurb = "Number in the name of the first file of a sequence (not a count of files to skip)",
      .flags = rdp::gst::kInReady},
     Own::as_int<&Settings::start_index>(0, G_MAXINT)},
    {{.name = "stop-index",
      .nick = "Stop index",
      .blurb = "Number in the name of the last file of a sequence; a missing file before it is an "
               "error (-1 = end at the first missing number)",
      .flags = rdp::gst::kInReady},
     Own::as_int<&Settings::stop_index>(-1, G_MAXINT)},
    {{.name = "loop",
      .nick = "Loop",
      .blurb = "Start again after the last file",
      .flags = rdp::gst::kInReady},
     Own::as_boolean<&Settings::loop>()},
    {{.name = "unit",
      .nick = "Unit",
      .blurb = "Unit of the coordinates in m (0 = from a comment in the file, else 1)",
      .unit = "m",
      .flags = rdp::gst::kInReady},
     Own::as_double<&Settings::unit>(0.0, 1e9)},
    {{.name = "axes",
      .nick = "Axes",
      .blurb = "Directions of the coordinate axes",
      .flags = rdp::gst::kInReady},
     Own::as_enum<&Settings::axes>(rdp::gst::cloud_axes_get_type)},
    {{.name = "point-floats",
      .nick = "Floats per point",
      .blurb =
          "Number of floats per point in raw files (*.bin), 3 to 8, x, y and z first (0 = detect)",
      .flags = rdp::gst::kInReady},
     Own::as_uint<&Settings::point_floats>(0, rdp::clouds::kMaxFloats)},
});

}  // namespace

G_DECLARE_FINAL_TYPE(GstPointCloudSrc, gst_point_cloud_src, GST, POINT_CLOUD_SRC, GstPushSrc)

struct _GstPointCloudSrc {
  GstPushSrc parent;

  Settings settings;
  // Streaming thread.
  Settings used;
  rdp::gst::CloudFiles files;
  rdp::gst::CloudPool pool;
  PointsFormat format;
  bool has_format;
  rdp::gst::FramePosition position;
  guint warned;  // Warned
  // Format of the next cloud, guarded by the object lock.
  PointsFormat next;
  bool has_next;
};

G_DEFINE_TYPE(GstPointCloudSrc, gst_point_cloud_src, GST_TYPE_PUSH_SRC)
GST_ELEMENT_REGISTER_DEFINE(pointcloudsrc, "pointcloudsrc", GST_RANK_NONE,
                            gst_point_cloud_src_get_type())

static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE("src", GST_PAD_SRC, GST_PAD_ALWAYS,
                            GST_STATIC_CAPS(RDP_POINTS_CAPS ", framerate = (fraction) [ 0, max ]"));

static void gst_point_cloud_src_set_property(GObject* object, guint id, const GValue* value,
                                             GParamSpec* pspec) {
  rdp::gst::set_property(object, kProperties, GST_POINT_CLOUD_SRC(object)->settings, id, value,
                         pspec);
}

static void gst_point_cloud_src_get_property(GObject* object, guint id, GValue* value,
                                             GParamSpec* pspec) {
  rdp::gst::get_property(object, kProperties, GST_POINT_CLOUD_SRC(object)->settings, id, value,
                         pspec);
}

static void gst_point_cloud_src_finalize(GObject* object) {
  GstPointCloudSrc* self = GST_POINT_CLOUD_SRC(object);
  self->pool.~CloudPool();
  self->files.~CloudFiles();
  self->used.~Settings();
  self->settings.~Settings();
  G_OBJECT_CLASS(gst_point_cloud_src_parent_class)->finalize(object);
}

// The format of the file that is open, but for the frame rate.
static PointsFormat format_of_file(GstPointCloudSrc* self) {
  const rdp::clouds::CloudHeader& header = self->files.header();
  const rdp::clouds::CloudBody& body = self->files.body();
  const Settings& used = self->used;
  PointsFormat format;
  format.point_step = static_cast<gint>(body.step);
  format.offset = static_cast<gint>(body.x);
  format.fields = body.fields;
  format.unit = used.unit > 0.0 ? used.unit : header.unit > 0.0 ? header.unit : 1.0;
  format.forward_left_up = used.axes == CloudAxes::kAuto
                               ? !header.says_axes || header.forward_left_up
                               : used.axes == CloudAxes::kForwardLeftUp;
  format.width = static_cast<gint>(header.width);
  format.height = static_cast<gint>(header.height);
  format.pose = header.pose;
  return format;
}

// Warns, once in a stream, of comments in the open file about its unit and axes that cannot be
// understood, if nothing else gives these.
static void warn_of_comments(GstPointCloudSrc* self) {
  if ((self->warned & kOfComments) != 0) return;
  const rdp::clouds::CloudHeader& header = self->files.header();
  const auto warn = [&](const rdp::clouds::UnreadComment& comment, const char* expected) {
    GST_ELEMENT_WARNING(
        self, STREAM, FORMAT,
        ("%s", ShownText(rdp::clouds::unread_text(self->files.name(), comment, expected)).get()),
        (nullptr));
    self->warned |= kOfComments;
  };
  if (self->used.unit == 0.0 && header.unit == 0.0 && header.unread_unit.line > 0) {
    warn(header.unread_unit,
         "unit and the metres of one, from 1e-9 to 1e9, such as \"unit 0.001\"; it is taken for 1 "
         "m: "
         "set the property unit");
  }
  if (self->used.axes == CloudAxes::kAuto && !header.says_axes && header.unread_axes.line > 0) {
    warn(header.unread_axes,
         "axes and camera or forward-left-up; they are taken for forward-left-up: set the property "
         "axes");
  }
}

// Warns of facts that the open file lacks, or that it has and nobody uses.
static void warn_of_file(GstPointCloudSrc* self) {
  const rdp::clouds::CloudHeader& header = self->files.header();
  // No text is made where there is nothing to say.
  const auto warn = [&](bool applies, Warned of, const auto&... parts) {
    if (!applies || (self->warned & of) != 0) return;
    self->warned |= of;
    const std::string text = ((self->files.name() + ": ") + ... + parts);
    GST_ELEMENT_WARNING(self, STREAM, FORMAT, ("%s.", ShownText(text).get()), (nullptr));
  };
  const bool raw = header.format == rdp::clouds::FileFormat::kKitti;
  warn(raw && header.points == 0, kOfEmptyFile, "the file is empty, a cloud without points");
  warn(self->files.guesses_floats(), kOfFloats,
       "the number of floats per point is not known, and 4 are assumed: set the property "
       "point-floats");
  warn(!header.others.empty(), kOfOtherFields,
       "positions, colours, intensity and labels are read; not read: ", header.others);
  warn(
      header.no_rotation, kOfRotation,
      "VIEWPOINT has a quaternion of zeros, expected one of length 1, qw qx qy qz; it is taken for "
      "no rotation, 1 0 0 0");
}

enum class Next { kCloud, kEnd, kFailed };

// Opens the next file and reads its header. kFailed: after an element error.
static Next open_next(GstPointCloudSrc* self) {
  std::string warning;
  const auto failed = [&](const char* reason) {
    GST_ELEMENT_ERROR(self, STREAM, DECODE, ("%s.", ShownText(reason).get()), (nullptr));
    return Next::kFailed;
  };
  const Next next = rdp::contain(
      [&] {
        try {
          if (!self->files.open_next(&warning)) return Next::kEnd;
          warn_of_comments(self);
          warn_of_file(self);
          return Next::kCloud;
        } catch (const rdp::gst::OpenError& error) {
          error.post(self);
          return Next::kFailed;
        }
      },
      failed);
  if (!warning.empty()) {
    GST_ELEMENT_WARNING(self, RESOURCE, NOT_FOUND, ("%s", ShownText(warning).get()), (nullptr));
  }
  if (next != Next::kCloud) return next;
  const PointsFormat format = rdp::with_standard_floats([&] { return format_of_file(self); });
  GST_OBJECT_LOCK(self);
  self->next = format;
  self->has_next = true;
  GST_OBJECT_UNLOCK(self);
  return next;
}

static GstCaps* gst_point_cloud_src_get_caps(GstBaseSrc* src, GstCaps* filter) {
  GstPointCloudSrc* self = GST_POINT_CLOUD_SRC(src);
  GST_OBJECT_LOCK(self);
  const bool known = self->has_next;
  const PointsFormat next = self->next;
  GST_OBJECT_UNLOCK(self);
  GstCaps* caps = nullptr;
  if (known) {
    caps = rdp::gst::new_points_caps(next);
    gst_caps_set_simple(caps, "framerate", GST_TYPE_FRACTION_RANGE, 0, 1, G_MAXINT, 1, nullptr);
  } else {
    caps = gst_pad_get_pad_template_caps(GST_BASE_SRC_PAD(src));
  }
  return rdp::gst::filtered_caps(caps, filter);
}

static GstCaps* gst_point_cloud_src_fixate(GstBaseSrc* src, GstCaps* caps) {
  const bool many = GST_POINT_CLOUD_SRC(src)->files.several();
  caps = gst_caps_make_writable(caps);
  GstStructure* structure = gst_caps_get_structure(caps, 0);
  gst_structure_fixate_field_nearest_fraction(structure, "framerate", many ? kSequenceRate : 0, 1);
  return GST_BASE_SRC_CLASS(gst_point_cloud_src_parent_class)->fixate(src, caps);
}

// Opens the first file before, as the caps come from it.
static gboolean gst_point_cloud_src_negotiate(GstBaseSrc* src) {
  GstPointCloudSrc* self = GST_POINT_CLOUD_SRC(src);
  const Next next = open_next(self);
  if (next != Next::kCloud) return next == Next::kEnd ? TRUE : FALSE;
  if (GST_BASE_SRC_CLASS(gst_point_cloud_src_parent_class)->negotiate(src)) return TRUE;
  GstPad* pad = GST_BASE_SRC_PAD(src);
  if (GST_PAD_IS_FLUSHING(pad)) return FALSE;
  g_autoptr(GstCaps) own = gst_point_cloud_src_get_caps(src, nullptr);
  g_autoptr(GstCaps) downstream = gst_pad_peer_query_caps(pad, nullptr);
  g_autofree gchar* has = gst_caps_to_string(own);
  g_autofree gchar* takes = gst_caps_to_string(downstream);
  GST_ELEMENT_ERROR(self, CORE, NEGOTIATION,
                    ("The points of \"%s\" are %s, but downstream accepts %s.",
                     ShownText(self->files.name()).get(), has, takes),
                    ("set the properties unit and axes if the files do not give them"));
  return FALSE;
}

static gboolean gst_point_cloud_src_set_caps(GstBaseSrc* src, GstCaps* caps) {
  GstPointCloudSrc* self = GST_POINT_CLOUD_SRC(src);
  return rdp::contain(
      [&]() -> gboolean {
        PointsFormat format;
        std::string problem;
        if (!rdp::gst::read_points_caps(caps, &format, &problem)) {
          GST_ERROR_OBJECT(self, "%s", problem.c_str());
          return FALSE;
        }
        const rdp::gst::FrameRate rate(format.fps_n, format.fps_d);
        if (self->position.rate != rate) self->position.set_rate(rate);
        self->format = format;
        self->has_format = true;
        return TRUE;
      },
      [&](const char* reason) {
        GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, ("Not enough memory."), ("%s", reason));
        return FALSE;
      });
}

static gboolean gst_point_cloud_src_decide_allocation(GstBaseSrc* src, GstQuery* query) {
  GST_POINT_CLOUD_SRC(src)->pool.decide(query);
  return TRUE;
}

// True if `read`, which reads the file that is open, ends without an exception; otherwise it posts
// an element error.
template <typename Read>
static bool reads(GstPointCloudSrc* self, Read read) {
  return rdp::contain(
      [&] {
        rdp::with_standard_floats(read);
        return true;
      },
      [&](const char* reason) {
        GST_ELEMENT_ERROR(self, STREAM, DECODE, ("%s.", ShownText(reason).get()),
                          ("while reading \"%s\"", ShownText(self->files.name()).get()));
        return false;
      });
}

static gboolean gst_point_cloud_src_start(GstBaseSrc* src) {
  GstPointCloudSrc* self = GST_POINT_CLOUD_SRC(src);
  GST_OBJECT_LOCK(self);
  self->used = self->settings;
  self->has_next = false;
  GST_OBJECT_UNLOCK(self);
  self->has_format = false;
  self->warned = 0;
  self->position = {};
  const Settings& used = self->used;
  if (!used.location) {
    GST_ELEMENT_ERROR(self, RESOURCE, NOT_FOUND,
                      ("Property location is not set: set it to a file, or to a name with %%06d."),
                      (nullptr));
    return FALSE;
  }
  if (used.stop_index >= 0 && used.stop_index < used.start_index) {
    GST_ELEMENT_ERROR(self, RESOURCE, SETTINGS,
                      ("stop-index is %d, expected -1, or start-index (%d) or more.",
                       used.stop_index, used.start_index),
                      (nullptr));
    return FALSE;
  }
  if (used.point_floats > 0 && used.point_floats < rdp::clouds::kFewestFloats) {
    GST_ELEMENT_ERROR(self, RESOURCE, SETTINGS,
                      ("point-floats is %u, expected 3 to 8, x, y and z first, or 0 to find out.",
                       used.point_floats),
                      (nullptr));
    return FALSE;
  }
  if (used.unit > 0.0 && used.unit < rdp::clouds::kLeastUnit) {
    GST_ELEMENT_ERROR(
        self, RESOURCE, SETTINGS,
        ("unit is %g m, expected 1e-9 to 1e9, or 0: as a comment in the file says, else 1 m.",
         used.unit),
        (nullptr));
    return FALSE;
  }
  const bool started = rdp::contain(
      [&] {
        try {
          self->files.start({rdp::gst::FilePattern(used.location.get()), used.format,
                             used.start_index, used.stop_index, used.loop, used.point_floats});
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
  // Posts faults of the first file now, while there is no stream to take back.
  if (!started || open_next(self) != Next::kCloud) return FALSE;
  if (reads(self, [&] { self->files.load(); })) return TRUE;
  self->files.stop();
  return FALSE;
}

static gboolean gst_point_cloud_src_stop(GstBaseSrc* src) {
  GstPointCloudSrc* self = GST_POINT_CLOUD_SRC(src);
  self->files.stop();
  self->pool.stop();
  GST_OBJECT_LOCK(self);
  self->has_next = false;
  GST_OBJECT_UNLOCK(self);
  return TRUE;
}

// True if the next cloud has the caps of the stream.
static bool fits_caps(GstPointCloudSrc* self) {
  PointsFormat format = self->next;  // only this thread writes it
  format.fps_n = self->format.fps_n;
  format.fps_d = self->format.fps_d;
  return self->has_format && format == self->format;
}

static GstFlowReturn read_cloud(GstPointCloudSrc* self, GstBuffer* buffer) {
  GstMapInfo map;
  if (!gst_buffer_map(buffer, &map, GST_MAP_WRITE)) {
    GST_ELEMENT_ERROR(self, RESOURCE, WRITE, ("Cannot write to a buffer."), (nullptr));
    return GST_FLOW_ERROR;
  }
  const bool read = reads(self, [&] {
    self->files.read({reinterpret_cast<std::byte*>(map.data), map.size});
  });
  gst_buffer_unmap(buffer, &map);
  return read ? GST_FLOW_OK : GST_FLOW_ERROR;
}

static void set_times(GstPointCloudSrc* self, GstBuffer* buffer) {
  rdp::gst::FramePosition& position = self->position;
  rdp::gst::stamp_frame(buffer, position.number(), position.begin(), position.end());
  // Without a frame rate only the first one has a time.
  if (position.rate.is_still() && position.frame > 0) GST_BUFFER_PTS(buffer) = GST_CLOCK_TIME_NONE;
  ++position.frame;
}

static GstFlowReturn gst_point_cloud_src_create(GstPushSrc* src, GstBuffer** result) {
  GstPointCloudSrc* self = GST_POINT_CLOUD_SRC(src);
  const Next next = open_next(self);
  if (next != Next::kCloud) return next == Next::kEnd ? GST_FLOW_EOS : GST_FLOW_ERROR;
  GstFlowReturn flow = fits_caps(self) ? GST_FLOW_OK : rdp::gst::renegotiate(GST_BASE_SRC(src));
  if (flow != GST_FLOW_OK) return flow;
  const gsize size = self->files.bytes();
  GstBuffer* buffer = self->pool.acquire(size, self->files.several(), &flow);
  if (buffer == nullptr) {
    GST_ELEMENT_ERROR(
        self, RESOURCE, NO_SPACE_LEFT,
        ("Not enough memory for the %" G_GSIZE_FORMAT " bytes of the points of \"%s\".", size,
         ShownText(self->files.name()).get()),
        (nullptr));
    return flow == GST_FLOW_OK ? GST_FLOW_ERROR : flow;
  }
  flow = read_cloud(self, buffer);
  if (flow != GST_FLOW_OK) {
    gst_buffer_unref(buffer);
    return flow;
  }
  GST_LOG_OBJECT(self, "%" G_GUINT64_FORMAT " points of %s", self->files.header().points,
                 self->files.name().c_str());
  self->files.finish();
  set_times(self, buffer);
  *result = buffer;
  return GST_FLOW_OK;
}

static void gst_point_cloud_src_class_init(GstPointCloudSrcClass* klass) {
  auto* object_class = G_OBJECT_CLASS(klass);
  auto* element_class = GST_ELEMENT_CLASS(klass);
  auto* base_class = GST_BASE_SRC_CLASS(klass);
  GST_DEBUG_CATEGORY_INIT(gst_point_cloud_src_debug, "pointcloudsrc", 0, "point cloud source");

  object_class->set_property = gst_point_cloud_src_set_property;
  object_class->get_property = gst_point_cloud_src_get_property;
  object_class->finalize = gst_point_cloud_src_finalize;
  rdp::gst::install_properties(object_class, kProperties);

  gst_element_class_add_static_pad_template(element_class, &src_template);
  gst_element_class_set_static_metadata(
      element_class, "Point cloud source", "Source/File",
      "Reads point clouds from PCD, PLY or KITTI files, one or a sequence",
      "The rdpsegment authors");

  base_class->get_caps = gst_point_cloud_src_get_caps;
  base_class->negotiate = gst_point_cloud_src_negotiate;
  base_class->fixate = gst_point_cloud_src_fixate;
  base_class->set_caps = gst_point_cloud_src_set_caps;
  base_class->decide_allocation = gst_point_cloud_src_decide_allocation;
  base_class->start = gst_point_cloud_src_start;
  base_class->stop = gst_point_cloud_src_stop;
  GST_PUSH_SRC_CLASS(klass)->create = gst_point_cloud_src_create;
}

static void gst_point_cloud_src_init(GstPointCloudSrc* self) {
  new (&self->settings) Settings;
  new (&self->used) Settings;
  new (&self->files) rdp::gst::CloudFiles;
  new (&self->pool) rdp::gst::CloudPool;
  new (&self->format) PointsFormat;
  new (&self->next) PointsFormat;
  new (&self->position) rdp::gst::FramePosition;
  gst_base_src_set_format(GST_BASE_SRC(self), GST_FORMAT_TIME);
}
