// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_METAS_H_
#define RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_METAS_H_

#include <gst/rdpsegment/rdpcamera.h>

namespace rdp::gst {

// Metadata of frames whose samples the filter changes.

// Removes results found in the old samples: segments, planes, tracks, motion, heights and
// obstacles. Keeps other metadata. The buffer must be writable.
void drop_results(GstBuffer* buffer);

// The size of a frame decimated by blocks of side x side pixels.
struct DecimatedSize {
  guint width = 0;  // in blocks
  guint height = 0;
  guint side = 1;
};

// Replaces metadata of `buffer` with image positions, such as regions of interest, by that of
// `frame`, scaled.
void scale_metas(GstBuffer* frame, const DecimatedSize& size, GstBuffer* buffer);
// Attaches the decimated frame's camera: `camera` (nullable) cropped to whole blocks, then scaled.
void add_decimated_camera(GstRdpCamera* camera, const DecimatedSize& size, GstBuffer* buffer);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_METAS_H_
