// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/metadata/attach_segmentations.h"

#include <gst/video/video.h>

#include <cstddef>

namespace rdp::gst {
namespace {

struct Attaching {
  std::span<GstRdpSegmentation* const> segmentations;
  double offset_x;  // the crop's, of metadata that is used again
  double offset_y;
  std::size_t next = 0;  // that has no metadata yet

  // Makes `meta`, which may have been another frame's, that of the next one; empties it where there
  // is none.
  void fill(GstRdpSegmentMeta* meta) {
    GstRdpSegmentation* old = meta->segmentation;
    meta->segmentation = nullptr;
    meta->scale_x = meta->scale_y = 1.0;
    meta->offset_x = offset_x;
    meta->offset_y = offset_y;
    meta->batch_index = 0;
    if (next < segmentations.size()) {
      meta->segmentation = gst_rdp_segmentation_ref(segmentations[next]);
      meta->batch_index = static_cast<guint>(next);
      ++next;
    }
    if (old != nullptr) gst_rdp_segmentation_unref(old);
  }
};

gboolean replace(GstBuffer*, GstMeta** meta, gpointer user_data) {
  if ((*meta)->info->api != GST_RDP_SEGMENT_META_API_TYPE) return TRUE;
  if (GST_META_FLAG_IS_SET(*meta, GST_META_FLAG_LOCKED)) {
    static_cast<Attaching*>(user_data)->fill(reinterpret_cast<GstRdpSegmentMeta*>(*meta));
  } else {
    *meta = nullptr;  // removes it
  }
  return TRUE;
}

}  // namespace

void attach_segmentations(GstBuffer* buffer, std::span<GstRdpSegmentation* const> segmentations) {
  const GstVideoCropMeta* crop = gst_buffer_get_video_crop_meta(buffer);
  Attaching attaching{segmentations, crop != nullptr ? static_cast<double>(crop->x) : 0.0,
                      crop != nullptr ? static_cast<double>(crop->y) : 0.0};
  gst_buffer_foreach_meta(buffer, replace, &attaching);
  while (attaching.next < segmentations.size()) {
    gst_buffer_add_rdp_segment_meta(buffer, segmentations[attaching.next])->batch_index =
        static_cast<guint>(attaching.next);
    ++attaching.next;
  }
}

}  // namespace rdp::gst
