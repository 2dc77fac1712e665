// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/metadata/attach_segmentations.h"

#include "gst/metadata/attach_metas.h"

namespace rdp::gst {
namespace {

struct SegmentKind {
  using Meta = GstRdpSegmentMeta;
  using Object = GstRdpSegmentation;
  static constexpr auto kObject = &GstRdpSegmentMeta::segmentation;
  static GType api_type() { return GST_RDP_SEGMENT_META_API_TYPE; }
  static Meta* add(GstBuffer* buffer, Object* object) {
    return gst_buffer_add_rdp_segment_meta(buffer, object);
  }
};

}  // namespace

void attach_segmentations(GstBuffer* buffer, std::span<GstRdpSegmentation* const> segmentations) {
  MetaAttacher<SegmentKind>::attach(buffer, segmentations);
}

}  // namespace rdp::gst
