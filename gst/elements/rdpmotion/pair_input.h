// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPMOTION_PAIR_INPUT_H_
#define RDP_GST_ELEMENTS_RDPMOTION_PAIR_INPUT_H_

#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <string>

#include "common/motion/input.h"

// Conversion of a pair of frames to the engine's input. Pure functions.
namespace rdp::gst {

// The visible size of a frame: its crop's, else its caps'.
struct FrameSize {
  guint width = 0;
  guint height = 0;
};
FrameSize size_of(GstBuffer* frame, const GstVideoInfo& info);

// True if the segments lie on the frame as they were found there. Scaling or cropping the frame
// since then has moved them.
bool is_unmoved(GstBuffer* depth, const GstRdpSegmentMeta* meta);

// Finds the map from places of tracks to places on the depth frame. False: the frames have
// different shapes, so that they cannot be two pictures of one camera.
bool find_placement(GstBuffer* video, const GstRdpTracksMeta* meta, const FrameSize& of_video,
                    const FrameSize& of_depth, motion::Placement* placement);

// Compares the cameras of two frames of these sizes: empty if they can be the same, or the
// difference. A pose that one of them lacks is no difference.
std::string explain_difference(const GstRdpCameraInfo& depth, const GstRdpCameraInfo& video,
                               const FrameSize& of_depth, const FrameSize& of_video);

// Reads a frame's segments to the host, and the meaning of their values without a camera.
void read_segments(GstRdpSegmentation* segmentation, motion::Input* input);
// Reads the meaning of their values from a camera that measures metres.
void read_camera(const GstRdpCameraInfo& camera, motion::Input* input);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPMOTION_PAIR_INPUT_H_
