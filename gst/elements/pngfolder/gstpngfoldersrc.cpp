// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-pngfoldersrc
 * @title: pngfoldersrc
 *
 * Reads the PNG files of a folder, or those that match a pattern, in natural order. They are depth
 * with 16 bits or 8, or colour pictures, as the first file decides. Samples are unchanged, and the
 * files are checked.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 pngfoldersrc location=depth ! rdpsegment ! rdpmetaconvert ! \
 *     filesink location=segments.jsonl
 * ]| Segments a folder of depth pictures.
 * |[
 * gst-launch-1.0 pngfoldersrc location=rgb timestamps=names ! videoconvert ! autovideosink
 * ]| Shows pictures when their names say.
 */
#include <gst/base/gstpushsrc.h>
#include <gst/rdpsegment/rdpfilemeta.h>
#include <gst/video/video.h>

#include <cmath>
#include <initializer_list>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "common/boundary.h"
#include "gst/elements/base/depth_caps.h"
#include "gst/elements/base/enum_type.h"
#include "gst/elements/base/filtered_caps.h"
#include "gst/elements/base/frame_source.h"
#include "gst/elements/base/open_error.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/base/shared_text.h"
#include "gst/elements/pngfolder/picture_list.h"
#include "gst/elements/pngfolder/picture_times.h"
#include "gst/elements/pngfolder/png_reader.h"

GST_DEBUG_CATEGORY_STATIC(gst_png_folder_src_debug);
#define GST_CAT_DEFAULT gst_png_folder_src_debug

namespace {

using rdp::gst::PictureFile;
using rdp::gst::PictureTimes;
using rdp::gst::PngClass;
using rdp::gst::PngHeader;
using rdp::gst::ShownText;

// The files' names, which the metadata on frames shares as long as they are kept here.
struct ReleaseName {
  void operator()(char* name) const { g_ref_string_release(name); }
};
using SharedNames = std::vector<std::unique_ptr<char, ReleaseName>>;

enum class Timestamps { kIndex, kNames };

GType timestamps_get_type() {
  return rdp::gst::enum_type<Timestamps>(
      "GstPngFolderSrcTimestamps",
      {{Timestamps::kIndex, "Index of the picture and framerate", "index"},
       {Timestamps::kNames, "Seconds in the file names", "names"}});
}

constexpr rdp::gst::Fraction kDefaultRate = {10, 1};

// The application's settings, guarded by the object lock.
struct Settings {
  rdp::gst::SharedText location;
  rdp::gst::Fraction framerate = kDefaultRate;
  bool loop = false;
  guint start = 0;
  Timestamps timestamps = Timestamps::kIndex;
  double time_origin = -1.0;
};

using Own = rdp::gst::PropertyOf<Settings>;
constexpr auto kProperties = std::to_array<rdp::gst::PropertyRow<Settings>>({
    {{.name = "location",
      .nick = "Location",
      .blurb = "Folder, pattern such as depth/*.png, or file to read",
      .flags = rdp::gst::kInReady},
     Own::as_string<&Settings::location>()},
    {{.name = "framerate",
      .nick = "Frame rate",
      .blurb = "Frame rate of the pictures",
      .needs = "timestamps=index",
      .flags = rdp::gst::kInReady},
     Own::as_fraction<&Settings::framerate>()},
    {{.name = "loop",
      .nick = "Loop",
      .blurb = "Start again after the last picture; timestamps continue",
      .flags = rdp::gst::kInReady},
     Own::as_boolean<&Settings::loop>()},
    {{.name = "start",
      .nick = "Start",
      .blurb = "Number of pictures to skip at the start (a count, not the number in a file name)",
      .flags = rdp::gst::kInReady},
     Own::as_uint<&Settings::start>(0, G_MAXINT)},
    {{.name = "timestamps",
      .nick = "Timestamps",
      .blurb = "Timestamp source: frame index and framerate, or seconds in the file name",
      .flags = rdp::gst::kInReady},
     Own::as_enum<&Settings::timestamps>(timestamps_get_type)},
    {{.name = "time-origin",
      .nick = "Time origin",
      .blurb = "Time in file names that is time 0 of the stream, in s (-1 = that of the first "
               "picture); the same on two sources keeps their pictures together",
      .unit = "s",
      .needs = "timestamps=names",
      .flags = rdp::gst::kInReady},
     Own::as_double<&Settings::time_origin>(-1.0, 9e9)},
});

}  // namespace

G_DECLARE_FINAL_TYPE(GstPngFolderSrc, gst_png_folder_src, GST, PNG_FOLDER_SRC, GstPushSrc)

struct _GstPngFolderSrc {
  GstPushSrc parent;

  Settings settings;
  // Constant from start to stop. The object lock guards the times and the class, which queries of
  // other threads read.
  Settings used;
  std::vector<PictureFile> files;
  SharedNames names;
  PictureTimes times;
  bool has_class;
  // All pictures share the class. The size is the first picture's, then that of the last one read.
  PngHeader next;
  // Streaming thread.
  rdp::gst::PngReader reader;
  GstVideoInfo info;
  gint64 frame;  // the next one; -1: backwards beyond the first one
};

G_DEFINE_TYPE(GstPngFolderSrc, gst_png_folder_src, GST_TYPE_PUSH_SRC)
GST_ELEMENT_REGISTER_DEFINE(pngfoldersrc, "pngfoldersrc", GST_RANK_NONE,
                            gst_png_folder_src_get_type())

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS("video/x-raw, format = (string) { GRAY16_LE, GRAY8, "
                    "RGB }, " RDP_SIDES ", framerate = (fraction) [ 0, max ]"));

static void gst_png_folder_src_set_property(GObject* object, guint id, const GValue* value,
                                            GParamSpec* pspec) {
  rdp::gst::set_property(object, kProperties, GST_PNG_FOLDER_SRC(object)->settings, id, value,
                         pspec);
}

static void gst_png_folder_src_get_property(GObject* object, guint id, GValue* value,
                                            GParamSpec* pspec) {
  rdp::gst::get_property(object, kProperties, GST_PNG_FOLDER_SRC(object)->settings, id, value,
                         pspec);
}

static void gst_png_folder_src_finalize(GObject* object) {
  GstPngFolderSrc* self = GST_PNG_FOLDER_SRC(object);
  self->reader.~PngReader();
  self->times.~PictureTimes();
  self->names.~vector();
  self->files.~vector();
  self->used.~Settings();
  self->settings.~Settings();
  G_OBJECT_CLASS(gst_png_folder_src_parent_class)->finalize(object);
}

// --- files --------------------------------------------------------------------------------------

// Calls body(). If it throws, posts an element error and returns false.
template <typename Body>
static bool reads(GstPngFolderSrc* self, Body&& body) {
  return rdp::contain(
      [&] {
        try {
          body();
          return true;
        } catch (const rdp::gst::OpenError& error) {
          error.post(self);
        } catch (const rdp::gst::NamesError& error) {
          GST_ELEMENT_ERROR(self, RESOURCE, NOT_FOUND, ("%s", ShownText(error.what()).get()),
                            (nullptr));
        } catch (const std::bad_alloc&) {
          GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT,
                            ("Not enough memory for the pictures of \"%s\".",
                             ShownText(self->used.location.get()).get()),
                            (nullptr));
        }
        return false;
      },
      [&](const char* reason) {
        GST_ELEMENT_ERROR(self, STREAM, DECODE, ("%s", ShownText(reason).get()), (nullptr));
        return false;
      });
}

// The times in the files' names, from the origin on. Throws NamesError.
static std::vector<GstClockTime> times_in_names(const Settings& used,
                                                const std::vector<PictureFile>& files) {
  const guint64 origin = used.time_origin < 0.0
                             ? files.front().seconds_ns
                             : static_cast<guint64>(std::llround(used.time_origin * 1e9));
  if (files.front().seconds_ns < origin) {
    throw rdp::gst::NamesError(
        rdp::gst::in_quotes(files.front().path) + " is from before time-origin (" +
        std::to_string(static_cast<double>(origin) * 1e-9) + " s): expected at most " +
        std::to_string(static_cast<double>(files.front().seconds_ns) * 1e-9) +
        " s. Set time-origin to no more than the first time in the names of both sources, or leave "
        "pictures out with start.");
  }
  std::vector<GstClockTime> times;
  times.reserve(files.size());
  for (const PictureFile& file : files) times.push_back(file.seconds_ns - origin);
  return times;
}

static gboolean gst_png_folder_src_start(GstBaseSrc* src) {
  GstPngFolderSrc* self = GST_PNG_FOLDER_SRC(src);
  GST_OBJECT_LOCK(self);
  self->used = self->settings;
  GST_OBJECT_UNLOCK(self);
  const Settings& used = self->used;
  self->frame = 0;
  gst_video_info_init(&self->info);
  if (!used.location) {
    GST_ELEMENT_ERROR(self, RESOURCE, NOT_FOUND,
                      ("Property location is not set: set it to a folder, or to a pattern such as "
                       "\"depth/*.png\"."),
                      (nullptr));
    return FALSE;
  }
  return reads(self, [&] {
    const bool names = used.timestamps == Timestamps::kNames;
    std::vector<PictureFile> files = rdp::gst::find_pictures(used.location.get());
    if (names) rdp::gst::sort_by_time(&files);
    if (used.start >= files.size()) {
      throw rdp::gst::NamesError("start is " + std::to_string(used.start) + ", but " +
                                 rdp::gst::in_quotes(used.location.get()) + " has " +
                                 std::to_string(files.size()) + " pictures: expected 0 to " +
                                 std::to_string(files.size() - 1) + ".");
    }
    files.erase(files.begin(), files.begin() + used.start);
    PictureTimes times;
    if (names) {
      const GstClockTime alone =
          gst_util_uint64_scale_int(GST_SECOND, kDefaultRate.denominator, kDefaultRate.numerator);
      times.set_times(times_in_names(used, files), alone, used.loop);
    } else {
      times.set_rate(files.size(), {used.framerate.numerator, used.framerate.denominator},
                     used.loop);
    }
    self->names.clear();
    self->names.reserve(files.size());
    for (const PictureFile& file : files) {
      self->names.emplace_back(g_ref_string_new_intern(file.path.c_str() + file.name_at));
    }
    const PngHeader first = self->reader.header_of(files.front().path);
    GST_DEBUG_OBJECT(self, "%" G_GSIZE_FORMAT " pictures, the first one %s", files.size(),
                     rdp::gst::words_of(first.png_class));
    GST_OBJECT_LOCK(self);
    self->files = std::move(files);
    self->times = std::move(times);
    self->next = first;
    self->has_class = true;
    GST_OBJECT_UNLOCK(self);
  });
}

static gboolean gst_png_folder_src_stop(GstBaseSrc* src) {
  GstPngFolderSrc* self = GST_PNG_FOLDER_SRC(src);
  self->reader.forget();
  self->names.clear();
  GST_OBJECT_LOCK(self);
  self->has_class = false;
  self->times.clear();
  self->files = {};
  GST_OBJECT_UNLOCK(self);
  return TRUE;
}

enum class Next { kPicture, kEnd, kFailed };

// Loads the next picture. kFailed: after an element error.
static Next load_next(GstPngFolderSrc* self) {
  if (self->frame < 0 || !self->times.has(static_cast<guint64>(self->frame))) return Next::kEnd;
  const PictureFile& file = self->files[self->times.picture(static_cast<guint64>(self->frame))];
  rdp::gst::PngReader& reader = self->reader;
  if (reader.is_loaded() && reader.path() == file.path) return Next::kPicture;
  const bool loaded = reads(self, [&] {
    const PngHeader& header = reader.load(file.path);
    if (header.png_class == self->next.png_class) return;
    reader.unload();
    throw rdp::gst::PngError(
        rdp::gst::in_quotes(file.path) + " is " + rdp::gst::words_of(header.png_class) + ", but " +
        rdp::gst::in_quotes(self->files.front().path) + ", the first, is " +
        rdp::gst::words_of(self->next.png_class) +
        ": expected pictures of one format. Put the others into a folder of their own, or set "
        "location to a pattern that matches one format alone.");
  });
  if (!loaded) return Next::kFailed;
  GST_OBJECT_LOCK(self);
  self->next = reader.header();
  GST_OBJECT_UNLOCK(self);
  return Next::kPicture;
}

// --- caps ---------------------------------------------------------------------------------------

static const char* format_of(PngClass png_class) {
  switch (png_class) {
    case PngClass::kGray16:
      return "GRAY16_LE";
    case PngClass::kGray8:
      return "GRAY8";
    case PngClass::kColour:
      return "RGB";
  }
  g_return_val_if_reached("GRAY8");
}

static GstCaps* gst_png_folder_src_get_caps(GstBaseSrc* src, GstCaps* filter) {
  GstPngFolderSrc* self = GST_PNG_FOLDER_SRC(src);
  GST_OBJECT_LOCK(self);
  const bool known = self->has_class;
  const PngHeader next = self->next;
  const bool names = self->used.timestamps == Timestamps::kNames;
  const rdp::gst::Fraction rate = names ? rdp::gst::Fraction{0, 1} : self->used.framerate;
  GST_OBJECT_UNLOCK(self);
  GstCaps* caps = nullptr;
  if (known) {
    caps = gst_caps_new_simple("video/x-raw", "format", G_TYPE_STRING, format_of(next.png_class),
                               "width", G_TYPE_INT, next.width, "height", G_TYPE_INT, next.height,
                               "framerate", GST_TYPE_FRACTION, rate.numerator, rate.denominator,
                               "pixel-aspect-ratio", GST_TYPE_FRACTION, 1, 1, "interlace-mode",
                               G_TYPE_STRING, "progressive", nullptr);
  } else {
    caps = gst_pad_get_pad_template_caps(GST_BASE_SRC_PAD(src));
  }
  return rdp::gst::filtered_caps(caps, filter);
}

// Explains why downstream does not take pictures of these caps, and the remedy.
static std::string explain_refusal(GstCaps* own, GstCaps* downstream) {
  g_autoptr(GstCaps) part = gst_caps_copy(own);
  const auto fits_without = [&](std::initializer_list<const char*> fields) {
    for (const char* field : fields) {
      gst_structure_remove_field(gst_caps_get_structure(part, 0), field);
    }
    return gst_caps_can_intersect(part, downstream) != FALSE;
  };
  if (fits_without({"framerate"})) return "Its frame rate differs: set framerate";
  if (fits_without({"width", "height"})) {
    return "Its size differs: put videoscale behind pngfoldersrc, for depth with "
           "method=nearest-neighbour";
  }
  g_autoptr(GstCaps) gray = gst_caps_from_string("video/x-raw, " RDP_DEPTH_FIELDS);
  const std::string format = gst_structure_get_string(gst_caps_get_structure(own, 0), "format");
  if (!gst_caps_can_intersect(own, gray) && gst_caps_can_intersect(gray, downstream)) {
    return "It is in colour (" + format +
           "), expected gray, as depth is: set location to the depth pictures; for the brightness "
           "of a view, put videoconvert behind pngfoldersrc";
  }
  return "It is " + format +
         ", expected another format or colorimetry: put videoconvert behind pngfoldersrc";
}

// Loads the next picture first, as the caps come from it.
static gboolean gst_png_folder_src_negotiate(GstBaseSrc* src) {
  GstPngFolderSrc* self = GST_PNG_FOLDER_SRC(src);
  const Next next = load_next(self);
  if (next != Next::kPicture) return next == Next::kEnd ? TRUE : FALSE;
  if (GST_BASE_SRC_CLASS(gst_png_folder_src_parent_class)->negotiate(src)) return TRUE;
  GstPad* pad = GST_BASE_SRC_PAD(src);
  if (GST_PAD_IS_FLUSHING(pad)) return FALSE;
  g_autoptr(GstCaps) own = gst_png_folder_src_get_caps(src, nullptr);
  g_autoptr(GstCaps) downstream = gst_pad_peer_query_caps(pad, nullptr);
  g_autofree gchar* has = gst_caps_to_string(own);
  g_autofree gchar* takes = gst_caps_to_string(downstream);
  GST_ELEMENT_ERROR(
      self, CORE, NEGOTIATION,
      ("Not negotiated: downstream does not accept \"%s\". %s.",
       ShownText(self->reader.path()).get(), explain_refusal(own, downstream).c_str()),
      ("The picture has the caps %s; downstream accepts %s.", has, takes));
  return FALSE;
}

static gboolean gst_png_folder_src_set_caps(GstBaseSrc* src, GstCaps* caps) {
  GstPngFolderSrc* self = GST_PNG_FOLDER_SRC(src);
  if (!gst_video_info_from_caps(&self->info, caps)) {
    GST_ERROR_OBJECT(self, "cannot use caps %" GST_PTR_FORMAT, static_cast<void*>(caps));
    return FALSE;
  }
  gst_base_src_set_blocksize(src, static_cast<guint>(GST_VIDEO_INFO_SIZE(&self->info)));
  return TRUE;
}

// --- time ---------------------------------------------------------------------------------------

static gboolean gst_png_folder_src_is_seekable(GstBaseSrc*) { return TRUE; }

static gboolean gst_png_folder_src_do_seek(GstBaseSrc* src, GstSegment* segment) {
  GstPngFolderSrc* self = GST_PNG_FOLDER_SRC(src);
  const PictureTimes& times = self->times;
  const bool backwards = segment->rate < 0.0;
  if (backwards && !GST_CLOCK_TIME_IS_VALID(segment->stop)) {
    segment->stop = segment->position = times.duration();
  }
  if (!rdp::gst::first_frame(src, segment, times, &self->frame)) return FALSE;
  const bool exists = self->frame < 0 || times.has(static_cast<guint64>(self->frame));
  if (backwards && !exists) --self->frame;  // to the last one
  return TRUE;
}

// Converts between times and frame numbers. -1 stays -1.
static bool convert(const PictureTimes& times, GstFormat from, gint64 value, GstFormat to,
                    gint64* result) {
  if (from == to || value == -1) {
    *result = value;
    return true;
  }
  if (value < 0 || times.count() == 0) return false;
  if (from == GST_FORMAT_TIME && to == GST_FORMAT_DEFAULT) {
    *result = static_cast<gint64>(times.frame_at(static_cast<GstClockTime>(value)));
    return true;
  }
  const auto frame = static_cast<guint64>(value);
  if (from != GST_FORMAT_DEFAULT || to != GST_FORMAT_TIME) return false;
  if (!times.has(frame) && frame != times.count()) return false;
  *result = static_cast<gint64>(times.has(frame) ? times.begin(frame) : times.duration());
  return true;
}

static gboolean gst_png_folder_src_query(GstBaseSrc* src, GstQuery* query) {
  GstPngFolderSrc* self = GST_PNG_FOLDER_SRC(src);
  switch (GST_QUERY_TYPE(query)) {
    case GST_QUERY_CONVERT: {
      GstFormat from, to;
      gint64 value, result;
      gst_query_parse_convert(query, &from, &value, &to, nullptr);
      GST_OBJECT_LOCK(self);
      const bool known = convert(self->times, from, value, to, &result);
      GST_OBJECT_UNLOCK(self);
      if (!known) return FALSE;
      gst_query_set_convert(query, from, value, to, result);
      return TRUE;
    }
    case GST_QUERY_DURATION: {
      GstFormat format;
      gst_query_parse_duration(query, &format, nullptr);
      gint buffers = -1;
      g_object_get(src, "num-buffers", &buffers, nullptr);
      GST_OBJECT_LOCK(self);
      const PictureTimes& times = self->times;
      const bool ends = times.count() > 0 && (buffers >= 0 || !self->used.loop);
      guint64 frames = times.count();
      if (buffers >= 0 && (self->used.loop || static_cast<guint64>(buffers) < frames)) {
        frames = static_cast<guint64>(buffers);
      }
      const GstClockTime time = ends && frames > 0 ? times.end(frames - 1) : 0;
      GST_OBJECT_UNLOCK(self);
      if (!ends || (format != GST_FORMAT_TIME && format != GST_FORMAT_DEFAULT)) break;
      gst_query_set_duration(query, format,
                             static_cast<gint64>(format == GST_FORMAT_TIME ? time : frames));
      return TRUE;
    }
    default:
      break;
  }
  return GST_BASE_SRC_CLASS(gst_png_folder_src_parent_class)->query(src, query);
}

// --- pictures -----------------------------------------------------------------------------------

static GstFlowReturn decode(GstPngFolderSrc* self, GstBuffer* buffer) {
  GstVideoFrame frame;
  if (!rdp::gst::map_frame(GST_BASE_SRC(self), &frame, &self->info, buffer, GST_MAP_READWRITE)) {
    return GST_FLOW_ERROR;
  }
  const bool decoded = reads(self, [&] {
    self->reader.decode(static_cast<std::byte*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0)),
                        GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0));
  });
  gst_video_frame_unmap(&frame);
  return decoded ? GST_FLOW_OK : GST_FLOW_ERROR;
}

static GstFlowReturn gst_png_folder_src_create(GstPushSrc* src, GstBuffer** result) {
  GstPngFolderSrc* self = GST_PNG_FOLDER_SRC(src);
  GstBaseSrc* base = GST_BASE_SRC(src);
  const Next next = load_next(self);
  if (next != Next::kPicture) return next == Next::kEnd ? GST_FLOW_EOS : GST_FLOW_ERROR;
  const PngHeader& header = self->reader.header();
  GstFlowReturn flow = GST_FLOW_OK;
  if (header.width != GST_VIDEO_INFO_WIDTH(&self->info) ||
      header.height != GST_VIDEO_INFO_HEIGHT(&self->info)) {
    flow = rdp::gst::renegotiate(base);
    if (flow != GST_FLOW_OK) return flow;
  }
  GstBuffer* buffer = nullptr;
  flow = GST_BASE_SRC_CLASS(gst_png_folder_src_parent_class)
             ->alloc(base, GST_BUFFER_OFFSET_NONE,
                     static_cast<guint>(GST_VIDEO_INFO_SIZE(&self->info)), &buffer);
  if (flow != GST_FLOW_OK) return flow;
  flow = decode(self, buffer);
  self->reader.unload();
  if (flow != GST_FLOW_OK) {
    gst_buffer_unref(buffer);
    return flow;
  }
  const auto frame = static_cast<guint64>(self->frame);
  rdp::gst::stamp_frame(buffer, self->frame, self->times.begin(frame), self->times.end(frame));
  gst_buffer_add_rdp_file_meta(buffer, self->names[self->times.picture(frame)].get());
  GST_LOG_OBJECT(self, "%s at %" GST_TIME_FORMAT, self->reader.path().c_str(),
                 GST_TIME_ARGS(GST_BUFFER_PTS(buffer)));
  self->frame += base->segment.rate < 0.0 ? -1 : 1;
  *result = buffer;
  return GST_FLOW_OK;
}

static void gst_png_folder_src_class_init(GstPngFolderSrcClass* klass) {
  auto* object_class = G_OBJECT_CLASS(klass);
  auto* element_class = GST_ELEMENT_CLASS(klass);
  auto* base_class = GST_BASE_SRC_CLASS(klass);
  GST_DEBUG_CATEGORY_INIT(gst_png_folder_src_debug, "pngfoldersrc", 0, "PNG folder source");

  object_class->set_property = gst_png_folder_src_set_property;
  object_class->get_property = gst_png_folder_src_get_property;
  object_class->finalize = gst_png_folder_src_finalize;
  rdp::gst::install_properties(object_class, kProperties);

  gst_element_class_add_static_pad_template(element_class, &src_template);
  gst_element_class_set_static_metadata(
      element_class, "PNG folder source", "Source/File",
      "Reads the PNG files of a folder in natural order as depth, gray or colour frames",
      "The rdpsegment authors");

  base_class->get_caps = gst_png_folder_src_get_caps;
  base_class->negotiate = gst_png_folder_src_negotiate;
  base_class->set_caps = gst_png_folder_src_set_caps;
  base_class->decide_allocation = rdp::gst::decide_frames;
  base_class->start = gst_png_folder_src_start;
  base_class->stop = gst_png_folder_src_stop;
  base_class->is_seekable = gst_png_folder_src_is_seekable;
  base_class->do_seek = gst_png_folder_src_do_seek;
  base_class->query = gst_png_folder_src_query;
  GST_PUSH_SRC_CLASS(klass)->create = gst_png_folder_src_create;
}

static void gst_png_folder_src_init(GstPngFolderSrc* self) {
  new (&self->settings) Settings;
  new (&self->used) Settings;
  new (&self->files) std::vector<PictureFile>;
  new (&self->names) SharedNames;
  new (&self->times) PictureTimes;
  new (&self->next) PngHeader;
  new (&self->reader) rdp::gst::PngReader;
  gst_video_info_init(&self->info);
  gst_base_src_set_format(GST_BASE_SRC(self), GST_FORMAT_TIME);
}
