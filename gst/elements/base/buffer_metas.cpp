// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/buffer_metas.h"

#include <gst/video/video.h>

#include <cstring>

#include "gst/memory/frame_layout.h"
#include "gst/rdpsegment/rdpcamerameta.h"
#include "gst/rdpsegment/rdpsegment.h"

namespace rdp::gst {
namespace {

// DeepStream's meta types are registered by libraries that we do not link. NvDsMeta's API has a tag
// of this name; its type's name has varied.
bool is_nvidias(GType api) {
  static const GQuark tag = g_quark_from_static_string("nvdsmeta");
  return gst_meta_api_type_has_tag(api, tag) || std::strncmp(g_type_name(api), "NvDs", 4) == 0;
}

bool is_copied(const GstMetaInfo* info) {
  const GType api = info->api;
  static const GQuark memory = g_quark_from_static_string(GST_META_TAG_MEMORY_STR);
  // Since 1.22: keeps the memory of another buffer alive.
  static const GQuark memory_reference = g_quark_from_static_string("memory-reference");
  return info->transform_func != nullptr && !gst_meta_api_type_has_tag(api, memory) &&
         !gst_meta_api_type_has_tag(api, memory_reference) && api != GST_VIDEO_META_API_TYPE &&
         api != GST_VIDEO_CROP_META_API_TYPE && api != GST_PARENT_BUFFER_META_API_TYPE &&
         api != GST_RDP_SEGMENT_META_API_TYPE && api != GST_RDP_PLANES_META_API_TYPE &&
         api != GST_RDP_CAMERA_META_API_TYPE && !is_nvidias(api);
}

}  // namespace

void describe_picture(GstBuffer* picture, GstBuffer* frame) {
  GST_BUFFER_PTS(picture) = GST_BUFFER_PTS(frame);
  GST_BUFFER_DTS(picture) = GST_BUFFER_DTS(frame);
  GST_BUFFER_DURATION(picture) = GST_BUFFER_DURATION(frame);
  GST_BUFFER_OFFSET(picture) = GST_BUFFER_OFFSET(frame);
  GST_BUFFER_OFFSET_END(picture) = GST_BUFFER_OFFSET_END(frame);
  constexpr guint kCarriedFlags = GST_BUFFER_FLAG_DISCONT | GST_BUFFER_FLAG_LIVE |
                                  GST_BUFFER_FLAG_RESYNC | GST_BUFFER_FLAG_DROPPABLE;
  GST_BUFFER_FLAG_SET(picture, GST_BUFFER_FLAGS(frame) & kCarriedFlags);

  GstMetaTransformCopy whole = {FALSE, 0, static_cast<gsize>(-1)};
  gpointer state = nullptr;
  while (GstMeta* meta = gst_buffer_iterate_meta(frame, &state)) {
    if (!is_copied(meta->info)) continue;
    meta->info->transform_func(picture, meta, frame, _gst_meta_transform_copy, &whole);
  }
}

void describe_cloud(GstBuffer* cloud, GstBuffer* frame, GstVideoInfo* shape) {
  describe_picture(cloud, frame);
  // If the frame was cropped in place, the cloud covers only the crop.
  const bool cropped = is_cropped(frame);
  GstVideoMetaTransform cut = {shape, shape};
  GstMetaTransformCopy whole = {FALSE, 0, static_cast<gsize>(-1)};
  gpointer state = nullptr;
  while (GstMeta* meta = gst_buffer_iterate_meta(frame, &state)) {
    const GType api = meta->info->api;
    if (api != GST_RDP_SEGMENT_META_API_TYPE && api != GST_RDP_PLANES_META_API_TYPE) continue;
    const GQuark type =
        cropped ? gst_video_meta_transform_scale_get_quark() : _gst_meta_transform_copy;
    meta->info->transform_func(cloud, meta, frame, type,
                               cropped ? static_cast<gpointer>(&cut) : &whole);
  }
}

void post_unwritable_picture(GstElement* element, GstBuffer* picture, const char* reason) {
  GST_ELEMENT_ERROR(element, RESOURCE, WRITE, ("Cannot write the overlay's picture."),
                    ("%" GST_PTR_FORMAT ": %s", picture, reason));
}

}  // namespace rdp::gst
