// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthfilter/filter_metas.h"

#include <gst/rdpsegment/rdpcamerameta.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

namespace rdp::gst {
namespace {

bool is_result(GType api) {
  return api == GST_RDP_SEGMENT_META_API_TYPE || api == GST_RDP_PLANES_META_API_TYPE ||
         api == GST_RDP_TRACKS_META_API_TYPE || api == GST_RDP_MOTION_META_API_TYPE ||
         api == GST_RDP_HEIGHTS_META_API_TYPE || api == GST_RDP_OBSTACLES_META_API_TYPE;
}

// True for metadata that depends on the picture's size, except its layout and its camera.
bool has_places(const GstMetaInfo* info) {
  static const GQuark size = g_quark_from_static_string(GST_META_TAG_VIDEO_SIZE_STR);
  const GType api = info->api;
  return gst_meta_api_type_has_tag(api, size) && api != GST_VIDEO_META_API_TYPE &&
         api != GST_VIDEO_CROP_META_API_TYPE && api != GST_RDP_CAMERA_META_API_TYPE &&
         !is_result(api) && info->transform_func != nullptr;
}

template <bool (*kGoes)(const GstMetaInfo*)>
void remove_metas(GstBuffer* buffer) {
  gst_buffer_foreach_meta(
      buffer,
      [](GstBuffer*, GstMeta** meta, gpointer) -> gboolean {
        if (kGoes((*meta)->info)) *meta = nullptr;
        return TRUE;
      },
      nullptr);
}

bool is_result_meta(const GstMetaInfo* info) { return is_result(info->api); }

}  // namespace

void drop_results(GstBuffer* buffer) { remove_metas<is_result_meta>(buffer); }

void scale_metas(GstBuffer* frame, const DecimatedSize& size, GstBuffer* buffer) {
  remove_metas<has_places>(buffer);
  GstVideoInfo from, to;
  gst_video_info_init(&from);
  gst_video_info_init(&to);
  to.width = static_cast<gint>(size.width);
  to.height = static_cast<gint>(size.height);
  from.width = static_cast<gint>(size.width * size.side);
  from.height = static_cast<gint>(size.height * size.side);
  GstVideoMetaTransform scaling = {&from, &to};
  gpointer state = nullptr;
  while (GstMeta* meta = gst_buffer_iterate_meta(frame, &state)) {
    if (!has_places(meta->info)) continue;
    meta->info->transform_func(buffer, meta, frame, gst_video_meta_transform_scale_get_quark(),
                               &scaling);
  }
}

void add_decimated_camera(GstRdpCamera* camera, const DecimatedSize& size, GstBuffer* buffer) {
  if (camera == nullptr) return;
  GstRdpCamera* blocks =
      gst_rdp_camera_crop(camera, 0, 0, size.width * size.side, size.height * size.side);
  if (blocks == nullptr) return;
  if (GstRdpCamera* scaled = gst_rdp_camera_scale(blocks, size.width, size.height)) {
    gst_buffer_add_rdp_camera_meta(buffer, scaled);
    gst_rdp_camera_unref(scaled);
  }
  gst_rdp_camera_unref(blocks);
}

}  // namespace rdp::gst
