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

// A frame of a buffer to be written. The buffer owns what it has.
struct ConvertedFrame {
  std::array<GstMiniObject*, kMaxKinds> objects{};  // of each kind; null: it has none of that
  bool of_batch = false;  // the buffer has other frames, written or left out
  guint batch_index = 0;

  // The camera of the first kind that has one, if metres are wanted; else null. Not all need one.
  CameraRef camera;
  MetricCamera metric;  // of the segments' values
};

// The wanted content of a buffer.
struct Wanted {
  std::uint32_t kinds = ~0U;  // a bit for each
  bool metres = false;        // with the camera
  // Leaves out frames without metres, and objects about things that their frame lacks. If false,
  // both are errors.
  bool skip = false;
};

// The frames of one buffer. Keeps its memory between buffers.
class FrameList {
 public:
  enum class Result {
    kOk,
    kNothing,   // none of its frames has what is wanted
    kLost,      // a frame's data is lost: see error and lost()
    kUnfit,     // an object does not fit its frame: see error and unfit()
    kNoMetres,  // a frame has no camera (no error), or one that gives no metres: see error
  };

  // Collects the frames of `buffer`, which must outlive them, and copies data to be written to the
  // host. Metadata of different kinds with the same index in a batch forms one frame. Throws
  // std::bad_alloc.
  Result take(GstBuffer* buffer, const Wanted& wanted, GError** error);
  void clear() { frames_.clear(); }

  std::span<const ConvertedFrame> frames() const { return frames_; }
  const char* lost() const { return lost_; }
  const ConvertKind* unfit() const { return unfit_; }

 private:
  // A frame without metres, left out unless a further kind needs none.
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
