/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_BASE_BUFFER_METAS_H_
#define RDP_GST_ELEMENTS_BASE_BUFFER_METAS_H_

#include <gst/gst.h>
#include <gst/video/video.h>

namespace rdp::gst {

// Copies a frame's description to a picture, or to another buffer of the same size made from that
// frame. Copied: timestamps, offsets, flags of the stream, and metas that are independent of
// memory, such as GstReferenceTimestampMeta or time codes. Not copied: metas with the tag "memory"
// and layout metas (GstVideoMeta, GstVideoCropMeta). Also left out: our metadata, which describes
// depth and belongs to the frame alone, and NVIDIA's (NvDsMeta is a tree that its own pool owns).
// Allocates nothing if there is no meta to copy.
void describe_picture(GstBuffer* picture, GstBuffer* frame);

// Does the same for a point cloud with one point per pixel of a frame, whose size is in `shape`.
// Segments and planes are copied, too.
void describe_cloud(GstBuffer* cloud, GstBuffer* frame, GstVideoInfo* shape);

// Posts the element error for a pool's picture that cannot be mapped.
void post_unwritable_picture(GstElement* element, GstBuffer* picture, const char* reason);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_BUFFER_METAS_H_
