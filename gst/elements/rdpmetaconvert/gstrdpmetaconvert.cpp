// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-rdpmetaconvert
 * @title: rdpmetaconvert
 * @short_description: Writes the segments of frames as JSON
 *
 * Takes frames that rdpsegment has put segments on and makes one line of JSON of each frame's
 * segments. The pixels are not read: frames of any format and in any memory are taken.
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

#include <new>
#include <string_view>

#include "common/boundary.h"
#include "gst/elements/rdpmetaconvert/json_writer.h"
#include "gst/memory/pool_negotiation.h"

GST_DEBUG_CATEGORY_STATIC(gst_rdp_meta_convert_debug);
#define GST_CAT_DEFAULT gst_rdp_meta_convert_debug

#define DEFAULT_SKIP_MISSING FALSE

enum {
  PROP_0,
  PROP_SKIP_MISSING,
};

struct _GstRdpMetaConvert {
  GstBaseTransform parent;

  gboolean skip_missing;  // under the object lock

  // Streaming thread only.
  rdp::JsonWriter* writer;
  std::string_view line;  // of the frame in work, from making room for it to copying it there; a
                          // batch has several
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE(
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS("video/x-raw(ANY)"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS("application/x-json"));

G_DEFINE_TYPE(GstRdpMetaConvert, gst_rdp_meta_convert, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(
    rdpmetaconvert, "rdpmetaconvert", GST_RANK_NONE, GST_TYPE_RDP_META_CONVERT,
    GST_DEBUG_CATEGORY_INIT(gst_rdp_meta_convert_debug, "rdpmetaconvert", 0, "segments to JSON"))

static void set_property(GObject* object, guint id, const GValue* value, GParamSpec* pspec) {
  GstRdpMetaConvert* self = GST_RDP_META_CONVERT(object);
  switch (id) {
    case PROP_SKIP_MISSING:
      GST_OBJECT_LOCK(self);
      self->skip_missing = g_value_get_boolean(value);
      GST_OBJECT_UNLOCK(self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
}

static void get_property(GObject* object, guint id, GValue* value, GParamSpec* pspec) {
  GstRdpMetaConvert* self = GST_RDP_META_CONVERT(object);
  switch (id) {
    case PROP_SKIP_MISSING:
      GST_OBJECT_LOCK(self);
      g_value_set_boolean(value, self->skip_missing);
      GST_OBJECT_UNLOCK(self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
}

static GstCaps* transform_caps(GstBaseTransform* transform, GstPadDirection direction,
                               GstCaps* caps, GstCaps* filter) {
  GstPad* other = direction == GST_PAD_SINK ? GST_BASE_TRANSFORM_SRC_PAD(transform)
                                            : GST_BASE_TRANSFORM_SINK_PAD(transform);
  GstCaps* result = gst_pad_get_pad_template_caps(other);
  if (filter != nullptr) {
    GstCaps* filtered = gst_caps_intersect_full(filter, result, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref(result);
    result = filtered;
  }
  return result;
}

// Frames may come with any padding between their rows, and cropped in place, since nobody looks at
// them.
static gboolean propose_allocation(GstBaseTransform* transform, GstQuery* decide_query,
                                   GstQuery* query) {
  if (!GST_BASE_TRANSFORM_CLASS(gst_rdp_meta_convert_parent_class)
           ->propose_allocation(transform, decide_query, query)) {
    return FALSE;
  }
  rdp::gst::offer_metas(query, {GST_VIDEO_META_API_TYPE, GST_VIDEO_CROP_META_API_TYPE});
  return TRUE;
}

// Lines have no common size, which buffers of a pool have: each gets memory of its own.
static gboolean decide_allocation(GstBaseTransform* transform, GstQuery* query) {
  while (gst_query_get_n_allocation_pools(query) > 0) {
    gst_query_remove_nth_allocation_pool(query, 0);
  }
  return GST_BASE_TRANSFORM_CLASS(gst_rdp_meta_convert_parent_class)
      ->decide_allocation(transform, query);
}

static GstFlowReturn missing_segments(GstRdpMetaConvert* self, GstBuffer* frame) {
  GST_OBJECT_LOCK(self);
  const gboolean skip = self->skip_missing;
  GST_OBJECT_UNLOCK(self);
  if (skip) {
    GST_LOG_OBJECT(self, "skipping %" GST_PTR_FORMAT ", which has no segments", frame);
    return GST_BASE_TRANSFORM_FLOW_DROPPED;
  }
  GST_ELEMENT_ERROR(
      self, STREAM, FORMAT,
      ("The frame carries no segments: put rdpsegment before rdpmetaconvert, with nothing between "
       "them that drops its metadata."),
      ("No GstRdpSegmentMeta on %" GST_PTR_FORMAT
       ". Elements that crop, turn or mix pictures drop it, and so do those that do not know "
       "metadata about the size of a picture. Put rdpmetaconvert on its own branch of a tee, "
       "directly after rdpsegment. Set skip-missing=true where frames without segments are meant "
       "to be passed over.",
       frame));
  return GST_FLOW_ERROR;
}

// Brings the segments of all frames of the buffer to the host. Those that the GPU has lost are an
// error rather than a line that says that nothing is in the frame.
static GstFlowReturn fetch_segments(GstRdpMetaConvert* self, GstBuffer* frame) {
  gpointer state = nullptr;
  while (GstMeta* meta =
             gst_buffer_iterate_meta_filtered(frame, &state, GST_RDP_SEGMENT_META_API_TYPE)) {
    GstRdpSegmentation* segmentation = reinterpret_cast<GstRdpSegmentMeta*>(meta)->segmentation;
    g_autoptr(GError) error = nullptr;
    if (segmentation == nullptr || gst_rdp_segmentation_fetch(segmentation, &error) != FALSE) {
      continue;
    }
    GST_ELEMENT_ERROR(self, RESOURCE, READ,
                      ("The segments of a frame are lost: the GPU that had them failed."),
                      ("%s: %" GST_PTR_FORMAT, error->message, frame));
    return GST_FLOW_ERROR;
  }
  return GST_FLOW_OK;
}

static GstFlowReturn submit_input_buffer(GstBaseTransform* transform, gboolean is_discont,
                                         GstBuffer* frame) {
  GstRdpMetaConvert* self = GST_RDP_META_CONVERT(transform);
  const GstFlowReturn result = gst_rdp_buffer_get_segmentation(frame) == nullptr
                                   ? missing_segments(self, frame)
                                   : fetch_segments(self, frame);
  if (result != GST_FLOW_OK) {
    gst_buffer_unref(frame);
    return result;
  }
  return GST_BASE_TRANSFORM_CLASS(gst_rdp_meta_convert_parent_class)
      ->submit_input_buffer(transform, is_discont, frame);
}

// Writes the line before there is a buffer for it, since its size is known only then. The one copy
// that follows costs a fraction of the writing, and leaves downstream with buffers that hold
// nothing but text.
static GstFlowReturn prepare_output_buffer(GstBaseTransform* transform, GstBuffer* frame,
                                           GstBuffer** out) {
  GstRdpMetaConvert* self = GST_RDP_META_CONVERT(transform);
  GstAllocator* allocator = nullptr;
  GstAllocationParams params;
  gst_base_transform_get_allocator(transform, &allocator, &params);
  *out = nullptr;
  // No memory for the text is reported with the other way that memory may be missing.
  const bool written = rdp::contain(
      [&] {
        self->line = self->writer->lines(frame);
        return true;
      },
      [](const char*) { return false; });
  if (written) *out = gst_buffer_new_allocate(allocator, self->line.size(), &params);
  gst_clear_object(&allocator);
  if (*out == nullptr) {
    GST_ELEMENT_ERROR(
        self, RESOURCE, NO_SPACE_LEFT, ("Not enough memory for the segments of a frame as text."),
        ("%" G_GSIZE_FORMAT " segments in %" GST_PTR_FORMAT,
         gst_rdp_segmentation_get_n_segments(gst_rdp_buffer_get_segmentation(frame)), frame));
    return GST_FLOW_ERROR;
  }
  GST_BASE_TRANSFORM_GET_CLASS(transform)->copy_metadata(transform, frame, *out);
  return GST_FLOW_OK;
}

static GstFlowReturn write_line(GstBaseTransform* transform, GstBuffer* frame, GstBuffer* out) {
  GstRdpMetaConvert* self = GST_RDP_META_CONVERT(transform);
  if (gst_buffer_fill(out, 0, self->line.data(), self->line.size()) != self->line.size()) {
    GST_ELEMENT_ERROR(self, RESOURCE, WRITE, ("The buffer for the text cannot be written."),
                      ("%" GST_PTR_FORMAT, out));
    return GST_FLOW_ERROR;
  }
  return GST_FLOW_OK;
}

// The memory of the largest line is given back between streams.
static gboolean start(GstBaseTransform* transform) {
  GstRdpMetaConvert* self = GST_RDP_META_CONVERT(transform);
  self->writer = new (std::nothrow) rdp::JsonWriter;
  if (self->writer != nullptr) return TRUE;
  GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, ("Not enough memory to start."), (nullptr));
  return FALSE;
}

static gboolean stop(GstBaseTransform* transform) {
  GstRdpMetaConvert* self = GST_RDP_META_CONVERT(transform);
  self->line = {};
  delete self->writer;
  self->writer = nullptr;
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
  transform_class->submit_input_buffer = submit_input_buffer;
  transform_class->prepare_output_buffer = prepare_output_buffer;
  transform_class->transform = write_line;
  transform_class->start = start;
  transform_class->stop = stop;

  g_object_class_install_property(
      object_class, PROP_SKIP_MISSING,
      g_param_spec_boolean("skip-missing", "Skip missing",
                           "Pass over frames that carry no segments, which are an error otherwise",
                           DEFAULT_SKIP_MISSING,
                           static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                                    GST_PARAM_MUTABLE_PLAYING)));

  gst_element_class_add_static_pad_template(element_class, &sink_template);
  gst_element_class_add_static_pad_template(element_class, &src_template);
  gst_element_class_set_static_metadata(
      element_class, "Segments to JSON", "Filter/Converter",
      "Writes the segments that rdpsegment puts on frames as JSON, one line a frame",
      "The rdpsegment authors");
}

static void gst_rdp_meta_convert_init(GstRdpMetaConvert* self) {
  self->skip_missing = DEFAULT_SKIP_MISSING;
}
