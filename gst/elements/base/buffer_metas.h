/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_BASE_BUFFER_METAS_H_
#define RDP_GST_ELEMENTS_BASE_BUFFER_METAS_H_

#include <gst/gst.h>
#include <gst/video/video.h>

namespace rdp::gst {

// Gives a picture (or another buffer that an element makes of a frame, one to one and of the same
// size) what describes the frame: timestamps, offsets, the flags that concern the stream, and every
// meta that says nothing of the memory, such as GstReferenceTimestampMeta or time codes. Not
// copied: metas with the tag "memory" and those of the layout (GstVideoMeta, GstVideoCropMeta), our
// own metadata (it describes depth, and belongs to the frame alone) and NVIDIA's (NvDsMeta is a
// tree that its own pool owns). Allocates nothing where there is no meta to copy.
void describe_picture(GstBuffer* picture, GstBuffer* frame);

// The same of a cloud with a point for each pixel of a frame, whose size `shape` has: segments and
// planes go on with it.
void describe_cloud(GstBuffer* cloud, GstBuffer* frame, GstVideoInfo* shape);

// The element error of a picture that was given by a pool and cannot be mapped.
void post_unwritable_picture(GstElement* element, GstBuffer* picture, const char* reason);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_BUFFER_METAS_H_
