// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPMETACONVERT_FRAME_LIST_H_
#define RDP_GST_ELEMENTS_RDPMETACONVERT_FRAME_LIST_H_

#include <gst/gst.h>
#include <gst/rdpsegment/rdpcamerameta.h>
#include <gst/rdpsegment/rdpsegment.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "common/image/camera.h"
#include "common/image/grow_buffer.h"
#include "common/rdp/segment_list.h"

namespace rdp {

struct UnrefCamera {
  void operator()(GstRdpCamera* camera) const { gst_rdp_camera_unref(camera); }
};
using CameraRef = std::unique_ptr<GstRdpCamera, UnrefCamera>;

// A frame of a buffer that is to be written.
struct ConvertedFrame {
  GstRdpSegmentation* segmentation = nullptr;  // the buffer's
  SegmentArrays segments;
  bool of_batch = false;  // the buffer has others
  guint batch_index = 0;

  // Where somebody asks for metres; else null, and no points.
  CameraRef camera;
  MetricCamera metric;            // of the segments' values
  std::span<const float> points;  // x1 y1 z1 x2 y2 z2 of each segment, in their order

  const GstRdpSegmentationInfo& info() const {
    return *gst_rdp_segmentation_get_info(segmentation);
  }
};

// The frames of one buffer. Keeps its memory between buffers.
class FrameList {
 public:
  enum class Result {
    kOk,
    kNoSegments,  // none of its frames has any
    kLost,        // a frame's segments are lost: see error
    kNoMetres,    // a frame has no camera (no error), or one that gives no metres: see error
  };

  // Takes the frames of `buffer`, which has to outlive them, and brings their segments to the host.
  // `metres`: with the camera and the points of each; frames for which there are none are an error,
  // or are left out where `skip` says so. Throws std::bad_alloc.
  Result take(GstBuffer* buffer, bool metres, bool skip, GError** error);
  void clear() { frames_.clear(); }

  std::span<const ConvertedFrame> frames() const { return frames_; }

 private:
  void add_points();

  std::vector<ConvertedFrame> frames_;
  GrowBuffer<float> points_;
};

}  // namespace rdp

#endif  // RDP_GST_ELEMENTS_RDPMETACONVERT_FRAME_LIST_H_
