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

// A frame of a buffer that is to be written. What it has is the buffer's.
struct ConvertedFrame {
  GstRdpSegmentation* segmentation = nullptr;  // null: planes alone
  SegmentArrays segments;
  GstRdpPlanes* planes = nullptr;  // null: segments alone
  bool of_batch = false;           // the buffer has others, which may be left out
  guint batch_index = 0;

  // Where somebody asks for metres; else null, and no points. Planes alone may have none.
  CameraRef camera;
  MetricCamera metric;            // of the segments' values
  std::span<const float> points;  // x1 y1 z1 x2 y2 z2 of each segment, in their order

  // Of the segments.
  const GstRdpSegmentationInfo& info() const {
    return *gst_rdp_segmentation_get_info(segmentation);
  }
};

// What is to be taken of a buffer.
struct Wanted {
  bool segments = true;
  bool planes = true;
  // With the camera, and the points of segments. Planes are in metres without one.
  bool metres = false;
  // Frames for which there are no metres are left out; else they are an error.
  bool skip = false;
};

// The frames of one buffer. Keeps its memory between buffers.
class FrameList {
 public:
  enum class Result {
    kOk,
    kNothing,   // none of its frames has what is wanted
    kLost,      // a frame's segments are lost: see error
    kNoMetres,  // a frame has no camera (no error), or one that gives no metres: see error
  };

  // Takes the frames of `buffer`, which has to outlive them, and brings their segments to the host;
  // the labels of planes are not needed. Segments and planes with the same index within a batch are
  // one frame. Throws std::bad_alloc.
  Result take(GstBuffer* buffer, const Wanted& wanted, GError** error);
  void clear() { frames_.clear(); }

  std::span<const ConvertedFrame> frames() const { return frames_; }

 private:
  // False: *result says why not to go on.
  bool take_segments(GstBuffer* buffer, const Wanted& wanted, Result* result, GError** error);
  bool take_planes(GstBuffer* buffer, const Wanted& wanted, Result* result, GError** error);
  void add_points();

  std::vector<ConvertedFrame> frames_;
  int found_ = 0;                // with those that were left out
  std::vector<guint> left_out_;  // the indices of those with segments, whose planes may follow
  bool without_metres_ = false;
  GrowBuffer<float> points_;
};

}  // namespace rdp

#endif  // RDP_GST_ELEMENTS_RDPMETACONVERT_FRAME_LIST_H_
