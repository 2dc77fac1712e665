// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPMETACONVERT_FRAME_LIST_H_
#define RDP_GST_ELEMENTS_RDPMETACONVERT_FRAME_LIST_H_

#include <gst/gst.h>
#include <gst/rdpsegment/rdpcamerameta.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/image/camera.h"
#include "gst/elements/rdpmetaconvert/convert_kind.h"

namespace rdp {

struct UnrefCamera {
  void operator()(GstRdpCamera* camera) const { gst_rdp_camera_unref(camera); }
};
using CameraRef = std::unique_ptr<GstRdpCamera, UnrefCamera>;

// A frame of a buffer that is to be written. What it has is the buffer's.
struct ConvertedFrame {
  std::array<GstMiniObject*, kMaxKinds> objects{};  // of each kind; null: it has none of that
  bool of_batch = false;                            // the buffer has others, which may be left out
  guint batch_index = 0;

  // The camera of the first kind that has one, if metres are wanted; else null. Not all need one.
  CameraRef camera;
  MetricCamera metric;  // of the segments' values
};

// The wanted content of a buffer.
struct Wanted {
  std::uint32_t kinds = ~0U;  // a bit for each
  bool metres = false;        // with the camera
  // Frames for which there are no metres are left out, and what is about things that its frame does
  // not have; else they are an error.
  bool skip = false;
};

// The frames of one buffer. Keeps its memory between buffers.
class FrameList {
 public:
  enum class Result {
    kOk,
    kNothing,   // none of its frames has what is wanted
    kLost,      // what a frame has is lost: see error and lost()
    kUnfit,     // what a frame has is about other things than it has: see error and unfit()
    kNoMetres,  // a frame has no camera (no error), or one that gives no metres: see error
  };

  // Takes the frames of `buffer`, which has to outlive them, and brings what is written to the
  // host. Metadata of different kinds with the same index within a batch is one frame. Throws
  // std::bad_alloc.
  Result take(GstBuffer* buffer, const Wanted& wanted, GError** error);
  void clear() { frames_.clear(); }

  std::span<const ConvertedFrame> frames() const { return frames_; }
  const char* lost() const { return lost_; }
  const ConvertKind* unfit() const { return unfit_; }

 private:
  // A frame without metres, which is left out unless a further kind needs none.
  struct LeftOut {
    guint batch_index;
    std::uint32_t kinds;
  };

  Result read_kind(std::size_t kind, GstBuffer* buffer, const Wanted& wanted, GError** error);

  std::vector<ConvertedFrame> frames_;
  std::vector<LeftOut> left_out_;
  int found_ = 0;  // with those that were left out
  const char* lost_ = nullptr;
  const ConvertKind* unfit_ = nullptr;
};

}  // namespace rdp

#endif  // RDP_GST_ELEMENTS_RDPMETACONVERT_FRAME_LIST_H_
