// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPMETACONVERT_SEGMENT_FRAME_H_
#define RDP_GST_ELEMENTS_RDPMETACONVERT_SEGMENT_FRAME_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <new>
#include <span>

#include "common/image/grow_buffer.h"
#include "common/rdp/points.h"
#include "common/rdp/segment_list.h"
#include "gst/elements/rdpmetaconvert/frame_list.h"

namespace rdp {

// The segments of a frame, which are on the host, as JSON and PLY need them.
struct SegmentFrame {
  explicit SegmentFrame(const ConvertedFrame& of)
      : frame(of),
        segmentation(reinterpret_cast<GstRdpSegmentation*>(of.objects[kSegments])),
        info(*gst_rdp_segmentation_get_info(segmentation)) {
    gsize n_offsets = 0;
    gsize n_segments = 0;
    const guint32* offsets = gst_rdp_segmentation_peek_offsets(segmentation, &n_offsets);
    const auto* all = gst_rdp_segmentation_peek_segments(segmentation, &n_segments);
    static_assert(sizeof(GstRdpSegment) == sizeof(Segment));
    segments = {{offsets, n_offsets}, {reinterpret_cast<const Segment*>(all), n_segments}};
  }

  // The class of each segment; null if none were asked for. Throws std::bad_alloc, as null would
  // look like a frame without classes.
  const guint8* classes() const {
    gsize count = 0;
    const guint8* result = gst_rdp_segmentation_peek_classes(segmentation, &count);
    if (result == nullptr && info.classify != FALSE) throw std::bad_alloc();
    return result;
  }

  // The points of gst_rdp_segmentation_get_points(), in memory that is kept: x1 y1 z1 x2 y2 z2 of
  // each segment, in their order. Throws std::bad_alloc.
  std::span<const float> points(GrowBuffer<float>* memory) const {
    const std::span<float> all(memory->ensure(6 * segments.segment_count()),
                               6 * segments.segment_count());
    write_points(segments, static_cast<int>(info.column_width), static_cast<int>(info.width),
                 frame.metric, all.data());
    return all;
  }

  const ConvertedFrame& frame;
  GstRdpSegmentation* segmentation;
  const GstRdpSegmentationInfo& info;
  SegmentArrays segments;
};

}  // namespace rdp

#endif  // RDP_GST_ELEMENTS_RDPMETACONVERT_SEGMENT_FRAME_H_
