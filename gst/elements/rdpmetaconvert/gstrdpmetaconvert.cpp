// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-rdpmetaconvert
 * @title: rdpmetaconvert
 * @short_description: Writes the metadata of frames as JSON, PLY or CSV
 *
 * Takes frames with segments of rdpsegment, and frames and clouds with planes of depthplanes. Makes
 * one line of JSON of each frame, or a PLY file in metres, for which segments need a camera.
 * Obstacles of depthobstacles can be lines of CSV, too. The pixels are not read: frames may have
 * any format and memory.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 depthtestsrc num-buffers=10 ! rdpsegment ! rdpmetaconvert !
 * filesink location=segments.jsonl
 * ]|
 */
#include "gst/elements/rdpmetaconvert/gstrdpmetaconvert.h"

#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <cstdint>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "common/boundary.h"
#include "gst/elements/base/caps_explainer.h"
#include "gst/elements/base/filtered_caps.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/rdpmetaconvert/convert_enums.h"
#include "gst/elements/rdpmetaconvert/csv_writer.h"
#include "gst/elements/rdpmetaconvert/frame_list.h"
#include "gst/elements/rdpmetaconvert/json_writer.h"
#include "gst/elements/rdpmetaconvert/ply_writer.h"
#include "gst/memory/pool_negotiation.h"

GST_DEBUG_CATEGORY_STATIC(gst_rdp_meta_convert_debug);
#define GST_CAT_DEFAULT gst_rdp_meta_convert_debug

namespace {

// The application's settings.
struct Settings {
  bool skip_missing = false;
  bool points = false;
  bool file_names = false;
  bool grid = false;
  GstRdpConvertFormat format = GST_RDP_CONVERT_JSON;
  GstRdpPlyContent ply_content = GST_RDP_PLY_CLOUD;
  GstRdpCsvContent csv_content = GST_RDP_CSV_FRAMES;
};

using Own = rdp::gst::PropertyOf<Settings>;

constexpr auto kProperties = std::to_array<rdp::gst::PropertyRow<Settings>>({
    {{.name = "skip-missing",
      .nick = "Skip missing",
      .blurb = "Skip frames without anything to write, without a camera where metres are needed, "
               "or with the motion of other segments; otherwise they are errors",
      .flags = rdp::gst::kWhilePlaying},
     Own::as_boolean<&Settings::skip_missing>()},
    {{.name = "points",
      .nick = "Points",
      .blurb = "Write to JSON in metres: both ends of each segment, corners of planes, tracks of "
               "motion, and the camera",
      .flags = rdp::gst::kWhilePlaying},
     Own::as_boolean<&Settings::points>()},
    {{.name = "file-names",
      .nick = "File names",
      .blurb = "Write to JSON the name of the file that pngfoldersrc read a frame from",
      .needs = "format=json",
      .flags = rdp::gst::kWhilePlaying},
     Own::as_boolean<&Settings::file_names>()},
    {{.name = "grid",
      .nick = "Grid",
      .blurb = "Write to JSON the grid of obstacles: the state of each cell, and the tops of those "
               "that are occupied",
      .needs = "format=json",
      .flags = rdp::gst::kWhilePlaying},
     Own::as_boolean<&Settings::grid>()},
    {{.name = "format",
      .nick = "Format",
      .blurb = "Output format: one line of JSON per frame, one PLY file per frame, or CSV of "
               "obstacles",
      .flags = rdp::gst::kInReady},
     Own::as_enum<&Settings::format>(gst_rdp_convert_format_get_type)},
    {{.name = "ply-content",
      .nick = "PLY content",
      .blurb = "Content of a PLY file: points of segments in all their rows, one line per segment, "
               "or hulls of planes (frames with planes alone: always hulls)",
      .needs = "format=ply",
      .flags = rdp::gst::kWhilePlaying},
     Own::as_enum<&Settings::ply_content>(gst_rdp_ply_content_get_type)},
    {{.name = "csv-content",
      .nick = "CSV content",
      .blurb = "Lines of CSV: the nearest obstacle of each frame, or each object",
      .needs = "format=csv",
      .flags = rdp::gst::kInReady},
     Own::as_enum<&Settings::csv_content>(gst_rdp_csv_content_get_type)},
});

constexpr rdp::gst::CapsWords kCapsWords = {
    .takes = "with the segments of rdpsegment or the planes of depthplanes on them",
    .remedy =
        "put rdpmetaconvert directly behind rdpsegment or depthplanes, before what encodes or "
        "packs frames",
    .media = "video/x-raw in any memory, and application/x-points",
};

constexpr const char* kJsonType = "application/x-json";
constexpr const char* kPlyType = "application/x-ply";
constexpr const char* kCsvType = "text/csv";

// PLY has segments and planes, or with kPlanesOnly planes alone. CSV has obstacles.
constexpr std::uint32_t kPlanesOnly = 1U << rdp::kPlanes;
constexpr std::uint32_t kObstaclesOnly = 1U << rdp::kObstacles;

// The writers and the frames of the buffer in work.
struct Writers {
  rdp::FrameList frames;
  rdp::JsonWriter json;
  rdp::PlyWriter ply;
  rdp::CsvWriter csv;
};

}  // namespace

struct _GstRdpMetaConvert {
  GstBaseTransform parent;

  Settings settings;  // under the object lock

  // Streaming thread only.
  Writers* writers;
  GstRdpConvertFormat writes;  // as the caps of src say
  GstBuffer* input;            // the buffer in work: each of its frames may get a buffer
  Settings asked;              // settings for it
  Settings fitting;            // last settings that frames could meet
  bool has_fitting;
  bool said_unfit;
  gsize next_frame;       // index of the first frame of input that is not written yet
  std::string_view text;  // from allocating its buffer to the copy into it
};

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
                            GST_STATIC_CAPS("video/x-raw(ANY); application/x-points"));
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE("src", GST_PAD_SRC, GST_PAD_ALWAYS,
                            GST_STATIC_CAPS("application/x-json; application/x-ply; text/csv"));

G_DEFINE_TYPE(GstRdpMetaConvert, gst_rdp_meta_convert, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(rdpmetaconvert, "rdpmetaconvert", GST_RANK_NONE,
                                      GST_TYPE_RDP_META_CONVERT,
                                      GST_DEBUG_CATEGORY_INIT(gst_rdp_meta_convert_debug,
                                                              "rdpmetaconvert", 0,
                                                              "metadata to JSON, PLY or CSV"))

static void set_property(GObject* object, guint id, const GValue* value, GParamSpec* pspec) {
  Settings& settings = GST_RDP_META_CONVERT(object)->settings;
  rdp::gst::set_property(object, kProperties, settings, id, value, pspec);
}

static void get_property(GObject* object, guint id, GValue* value, GParamSpec* pspec) {
  const Settings& settings = GST_RDP_META_CONVERT(object)->settings;
  rdp::gst::get_property(object, kProperties, settings, id, value, pspec);
}

static Settings settings_of(GstRdpMetaConvert* self) {
  GST_OBJECT_LOCK(self);
  const Settings settings = self->settings;
  GST_OBJECT_UNLOCK(self);
  return settings;
}

static GstCaps* transform_caps(GstBaseTransform* transform, GstPadDirection direction,
                               GstCaps* caps, GstCaps* filter) {
  static constexpr const char* kTypes[] = {kJsonType, kPlyType, kCsvType};
  const char* type = kTypes[settings_of(GST_RDP_META_CONVERT(transform)).format];
  GstCaps* result = direction == GST_PAD_SINK
                        ? gst_caps_new_empty_simple(type)
                        : gst_pad_get_pad_template_caps(GST_BASE_TRANSFORM_SINK_PAD(transform));
  return rdp::gst::filtered_caps(result, filter);
}

static gboolean set_caps(GstBaseTransform* transform, GstCaps* in, GstCaps* out) {
  const GstStructure* type = gst_caps_get_structure(out, 0);
  GST_RDP_META_CONVERT(transform)->writes =
      gst_structure_has_name(type, kPlyType)   ? GST_RDP_CONVERT_PLY
      : gst_structure_has_name(type, kCsvType) ? GST_RDP_CONVERT_CSV
                                               : GST_RDP_CONVERT_JSON;
  return TRUE;
}

// Accepts frames with any row padding and crop in place, since nobody reads their pixels.
static gboolean propose_allocation(GstBaseTransform* transform, GstQuery* decide_query,
                                   GstQuery* query) {
  if (!GST_BASE_TRANSFORM_CLASS(gst_rdp_meta_convert_parent_class)
           ->propose_allocation(transform, decide_query, query)) {
    return FALSE;
  }
  rdp::gst::offer_metas(query, {GST_VIDEO_META_API_TYPE, GST_VIDEO_CROP_META_API_TYPE});
  return TRUE;
}

// Texts have no common size, which buffers of a pool have: each gets memory of its own.
static gboolean decide_allocation(GstBaseTransform* transform, GstQuery* query) {
  while (gst_query_get_n_allocation_pools(query) > 0) {
    gst_query_remove_nth_allocation_pool(query, 0);
  }
  return GST_BASE_TRANSFORM_CLASS(gst_rdp_meta_convert_parent_class)
      ->decide_allocation(transform, query);
}

// The words of the kinds whose bits are set and that can be alone on a frame, separated by
// `between`.
static gchar* words_of(std::uint32_t wanted, const char* rdp::ConvertKind::*word,
                       const char* between) {
  GString* words = g_string_new(nullptr);
  for (const rdp::ConvertKind* kind : rdp::convert_kinds()) {
    if ((wanted & 1) != 0 && kind->fits == nullptr) {
      g_string_append_printf(words, "%s%s", words->len > 0 ? between : "", kind->*word);
    }
    wanted >>= 1;
  }
  return g_string_free(words, FALSE);
}

static GstFlowReturn missing_metadata(GstRdpMetaConvert* self, GstBuffer* frame,
                                      std::uint32_t wanted) {
  if (settings_of(self).skip_missing) {
    GST_LOG_OBJECT(self, "skipping %" GST_PTR_FORMAT ", which has nothing to be written", frame);
    return GST_BASE_TRANSFORM_FLOW_DROPPED;
  }
  const char* one = wanted == kPlanesOnly      ? ", which ply-content=planes needs"
                    : wanted == kObstaclesOnly ? ", which format=csv needs"
                                               : nullptr;
  g_autofree gchar* things = words_of(wanted, &rdp::ConvertKind::things, " nor ");
  g_autofree gchar* makers = words_of(wanted, &rdp::ConvertKind::maker, " or ");
  g_autofree gchar* metas = words_of(wanted, &rdp::ConvertKind::meta_name, " and no ");
  GST_ELEMENT_ERROR(
      self, STREAM, FORMAT,
      ("The frame carries %s %s%s: put %s before rdpmetaconvert, with nothing between them that "
       "drops metadata.",
       one != nullptr ? "no" : "neither", things, one != nullptr ? one : "", makers),
      ("No %s on %" GST_PTR_FORMAT
       ". Elements that crop, rotate or mix pictures drop it; so do elements that drop metadata "
       "tagged with the picture's size. Put rdpmetaconvert on its own branch of a tee, directly "
       "after %s. Set skip-missing=true to skip such frames.",
       metas, frame, makers));
  return GST_FLOW_ERROR;
}

static GstFlowReturn missing_metres(GstRdpMetaConvert* self, GstBuffer* frame,
                                    const GError* error) {
  const char* reason = error != nullptr ? error->message : "the frame has no camera";
  if (settings_of(self).skip_missing) {
    GST_LOG_OBJECT(self, "skipping %" GST_PTR_FORMAT ": %s", frame, reason);
    return GST_BASE_TRANSFORM_FLOW_DROPPED;
  }
  GST_ELEMENT_ERROR(
      self, STREAM, FORMAT,
      ("%s needs a metric camera: %s. Set calibration, or focal-length with baseline (disparity) "
       "or depth-unit (depth), on depthstereo or rdpsegment.",
       self->writes == GST_RDP_CONVERT_PLY ? "format=ply" : "points=true", reason),
      ("On %" GST_PTR_FORMAT
       ". On depthstereo or rdpsegment, calibration=FILE, or focal-length, principal-x and "
       "principal-y, set the camera; measures, baseline and disparity-unit, or depth-unit, set the "
       "unit of samples. "
       "Elements that rotate or mix pictures between rdpsegment and rdpmetaconvert drop the "
       "camera. Set skip-missing=true to skip frames without one.",
       frame));
  return GST_FLOW_ERROR;
}

static GstFlowReturn unfit_metadata(GstRdpMetaConvert* self, const rdp::ConvertKind& kind,
                                    const GError* error) {
  GST_ELEMENT_ERROR(self, STREAM, FORMAT,
                    ("The %s of a frame does not match it: %s. Put %s behind the last element that "
                     "changes the segments.",
                     kind.things, error->message, kind.maker),
                    ("%s on %" GST_PTR_FORMAT
                     ". Nothing between %s and rdpmetaconvert may put other segments on frames, or "
                     "drop those that are there. Set skip-missing=true to skip such metadata.",
                     kind.meta_name, self->input, kind.maker));
  return GST_FLOW_ERROR;
}

static GstFlowReturn no_memory(GstRdpMetaConvert* self) {
  GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT,
                    ("Not enough memory for the metadata of a frame as text."),
                    ("%" GST_PTR_FORMAT, self->input));
  return GST_FLOW_ERROR;
}

static void forget_input(GstRdpMetaConvert* self) {
  self->text = {};
  self->next_frame = 0;
  if (self->writers != nullptr) self->writers->frames.clear();
  gst_clear_buffer(&self->input);
}

// True if settings made during playback ask for metadata that frames lack. The previous settings
// then stay in effect, and the user is told once.
static bool ask_as_before(GstRdpMetaConvert* self) {
  const Settings& now = self->asked;
  const Settings& before = self->fitting;
  if (!self->has_fitting ||
      (now.points == before.points && now.ply_content == before.ply_content)) {
    return false;
  }
  self->asked.points = before.points;
  self->asked.ply_content = before.ply_content;
  if (self->said_unfit) return true;
  self->said_unfit = true;
  GST_ELEMENT_WARNING(self, LIBRARY, SETTINGS,
                      ("Frames lack the data for %s, and are written as before: reset the "
                       "property, or put the element that adds the data before rdpmetaconvert.",
                       self->writes == GST_RDP_CONVERT_PLY ? "ply-content" : "points=true"),
                      ("on %" GST_PTR_FORMAT, self->input));
  return true;
}

// Copies the data to be written to the host. Data lost on the GPU is an error, as its text would
// claim an empty frame.
static GstFlowReturn read_frames(GstRdpMetaConvert* self) {
  using Result = rdp::FrameList::Result;
  const Settings& settings = self->asked;
  const bool ply = self->writes == GST_RDP_CONVERT_PLY;
  rdp::Wanted wanted = {.metres = ply || settings.points, .skip = settings.skip_missing};
  if (self->writes == GST_RDP_CONVERT_CSV) wanted.kinds = kObstaclesOnly;
  if (ply) {
    wanted.kinds = kPlanesOnly;
    if (settings.ply_content != GST_RDP_PLY_PLANES) wanted.kinds |= 1U << rdp::kSegments;
  }
  g_autoptr(GError) error = nullptr;
  bool out_of_memory = false;
  const Result result =
      rdp::contain([&] { return self->writers->frames.take(self->input, wanted, &error); },
                   [&](const char*) {
                     out_of_memory = true;
                     return Result::kNothing;
                   });
  if (out_of_memory) return no_memory(self);
  const bool lacks = result == Result::kNothing || result == Result::kNoMetres;
  if (lacks && !settings.skip_missing && ask_as_before(self)) return read_frames(self);
  if (result == Result::kOk) {
    const Settings set = settings_of(self);
    self->has_fitting = true;
    self->fitting = settings;
    if (set.points == settings.points && set.ply_content == settings.ply_content) {
      self->said_unfit = false;
    }
  }
  switch (result) {
    case Result::kNothing:
      return missing_metadata(self, self->input, wanted.kinds);
    case Result::kNoMetres:
      return missing_metres(self, self->input, error);
    case Result::kUnfit:
      return unfit_metadata(self, *self->writers->frames.unfit(), error);
    case Result::kLost:
      GST_ELEMENT_ERROR(self, RESOURCE, READ,
                        ("The %s of a frame are lost: the GPU that had them failed.",
                         self->writers->frames.lost()),
                        ("%s: %" GST_PTR_FORMAT, error->message, self->input));
      return GST_FLOW_ERROR;
    case Result::kOk:
      break;
  }
  return GST_FLOW_OK;
}

// Writes the text before there is a buffer for it, since its size is known only then. The one copy
// that follows costs a fraction of the writing, and leaves downstream with buffers that hold
// nothing but text.
static GstFlowReturn prepare_output_buffer(GstBaseTransform* transform, GstBuffer* frame,
                                           GstBuffer** out) {
  GstRdpMetaConvert* self = GST_RDP_META_CONVERT(transform);
  GstAllocator* allocator = nullptr;
  GstAllocationParams params;
  gst_base_transform_get_allocator(transform, &allocator, &params);
  *out = nullptr;
  const Settings& settings = self->asked;
  // Missing memory for the text is reported below, like that for the buffer.
  const bool written = rdp::contain(
      [&] {
        const std::span frames = self->writers->frames.frames();
        const GstClockTime pts = GST_BUFFER_PTS(frame);
        const GstRdpFileMeta* file =
            settings.file_names ? gst_buffer_get_rdp_file_meta(frame) : nullptr;
        Writers& to = *self->writers;
        const gsize first = std::exchange(self->next_frame, frames.size());
        switch (self->writes) {
          case GST_RDP_CONVERT_PLY:
            self->text = to.ply.file(frames[first], settings.ply_content, pts);
            self->next_frame = first + 1;
            break;
          case GST_RDP_CONVERT_CSV:
            self->text = to.csv.lines(frames, settings.csv_content, pts);
            break;
          case GST_RDP_CONVERT_JSON:
            self->text = to.json.lines(frames, pts, settings.points, settings.file_names,
                                       file != nullptr ? file->name : nullptr, settings.grid);
        }
        return true;
      },
      [](const char*) { return false; });
  if (written && self->text.empty()) {  // no objects
    gst_clear_object(&allocator);
    return GST_BASE_TRANSFORM_FLOW_DROPPED;
  }
  if (written) *out = gst_buffer_new_allocate(allocator, self->text.size(), &params);
  gst_clear_object(&allocator);
  if (*out == nullptr) return no_memory(self);
  GST_BASE_TRANSFORM_GET_CLASS(transform)->copy_metadata(transform, frame, *out);
  return GST_FLOW_OK;
}

static GstFlowReturn write_text(GstBaseTransform* transform, GstBuffer* frame, GstBuffer* out) {
  GstRdpMetaConvert* self = GST_RDP_META_CONVERT(transform);
  if (gst_buffer_fill(out, 0, self->text.data(), self->text.size()) != self->text.size()) {
    GST_ELEMENT_ERROR(self, RESOURCE, WRITE, ("The buffer for the text cannot be written."),
                      ("%" GST_PTR_FORMAT, out));
    return GST_FLOW_ERROR;
  }
  return GST_FLOW_OK;
}

// Called until it gives no buffer: a PLY file is one frame, and a buffer may be a batch of them.
static GstFlowReturn generate_output(GstBaseTransform* transform, GstBuffer** out) {
  GstRdpMetaConvert* self = GST_RDP_META_CONVERT(transform);
  *out = nullptr;
  GstFlowReturn result = GST_FLOW_OK;
  if (transform->queued_buf != nullptr) {
    forget_input(self);  // of a batch that downstream did not take to its end
    self->input = std::exchange(transform->queued_buf, nullptr);
    self->asked = settings_of(self);
    result = read_frames(self);
  }
  if (result == GST_FLOW_OK && self->input != nullptr &&
      self->next_frame < self->writers->frames.frames().size()) {
    result = prepare_output_buffer(transform, self->input, out);
    if (result == GST_FLOW_OK) result = write_text(transform, self->input, *out);
    if (result == GST_FLOW_OK) return result;
    gst_clear_buffer(out);
  }
  forget_input(self);
  return result;
}

// The memory of the largest text is given back between streams.
static gboolean start(GstBaseTransform* transform) {
  GstRdpMetaConvert* self = GST_RDP_META_CONVERT(transform);
  self->writers = new (std::nothrow) Writers;
  self->has_fitting = self->said_unfit = false;
  if (self->writers != nullptr) return TRUE;
  GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, ("Not enough memory to start."), (nullptr));
  return FALSE;
}

static gboolean stop(GstBaseTransform* transform) {
  GstRdpMetaConvert* self = GST_RDP_META_CONVERT(transform);
  forget_input(self);
  delete self->writers;
  self->writers = nullptr;
  rdp::gst::forget_explained_caps_events(GST_ELEMENT(self));
  return TRUE;
}

static void gst_rdp_meta_convert_class_init(GstRdpMetaConvertClass* klass) {
  GObjectClass* object_class = G_OBJECT_CLASS(klass);
  GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
  GstBaseTransformClass* transform_class = GST_BASE_TRANSFORM_CLASS(klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  transform_class->transform_caps = transform_caps;
  transform_class->propose_allocation = propose_allocation;
  transform_class->decide_allocation = decide_allocation;
  transform_class->set_caps = set_caps;
  transform_class->generate_output = generate_output;
  transform_class->prepare_output_buffer = prepare_output_buffer;
  transform_class->transform = write_text;
  transform_class->start = start;
  transform_class->stop = stop;

  rdp::gst::install_properties(object_class, kProperties);
  gst_type_mark_as_plugin_api(gst_rdp_convert_format_get_type(), static_cast<GstPluginAPIFlags>(0));
  gst_type_mark_as_plugin_api(gst_rdp_ply_content_get_type(), static_cast<GstPluginAPIFlags>(0));
  gst_type_mark_as_plugin_api(gst_rdp_csv_content_get_type(), static_cast<GstPluginAPIFlags>(0));

  gst_element_class_add_static_pad_template(element_class, &sink_template);
  gst_element_class_add_static_pad_template(element_class, &src_template);
  gst_element_class_set_static_metadata(
      element_class, "Metadata to JSON, PLY or CSV", "Filter/Converter",
      "Converts the metadata of this plugin (segments, planes, tracks, motion, heights, "
      "obstacles) to JSON Lines, segments and planes to PLY files, or obstacles to CSV",
      "The rdpsegment authors");
}

static void gst_rdp_meta_convert_init(GstRdpMetaConvert* self) {
  self->settings = Settings();
  rdp::gst::explain_caps_of_pad(GST_BASE_TRANSFORM_SINK_PAD(self), &kCapsWords);
}
