// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_METAS_H_
#define RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_METAS_H_

#include <gst/rdpsegment/rdpcamera.h>

namespace rdp::gst {

// The metadata of frames whose samples become others.

// Takes off the buffer what was found in the samples that it had: segments, planes, tracks, motion
// heights and obstacles. Other metadata stays. The buffer is writable.
void drop_results(GstBuffer* buffer);

// A frame that is made of blocks of side x side pixels.
struct DecimatedSize {
  guint width = 0;  // in blocks
  guint height = 0;
  guint side = 1;
};

// Scales the metadata with places in the picture, such as regions of interest, that `buffer` has of
// the whole frame.
void scale_metas(GstBuffer* frame, const DecimatedSize& size, GstBuffer* buffer);
// Puts the camera of the smaller frame on it: that of the whole blocks, scaled. Null: there is
// none.
void add_decimated_camera(GstRdpCamera* camera, const DecimatedSize& size, GstBuffer* buffer);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_METAS_H_
