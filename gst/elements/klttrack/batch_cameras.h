// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_KLTTRACK_BATCH_CAMERAS_H_
#define RDP_GST_ELEMENTS_KLTTRACK_BATCH_CAMERAS_H_

#include <gst/gst.h>

#include <cstddef>
#include <deque>
#include <vector>

#include "gst/elements/klttrack/tracked_camera.h"
#include "gst/memory/batch_sources.h"

namespace rdp::gst {

// Finds the camera of each frame of a batch. DeepStream's metadata says it, by the number of its
// source; where there is none it is the place in the batch, as long as batches have one size.
// Streaming thread only.
class BatchCameras {
 public:
  // A camera that brings nothing for so long has gone.
  static constexpr GstClockTime kPatience = 10 * GST_SECOND;

  struct Frame {
    std::size_t camera;
    std::size_t turn;  // how many frames of it are in the batch before this one
    GstClockTime pts;
  };

  enum class Change {
    kNone,
    // Nothing says which frame is of which camera any more: all tracks have to end.
    kOtherNumber,  // of frames in a batch
    kOtherNames,   // the batches before had the metadata, or this one has
  };
  // Looks at a batch of so many frames. Throws std::bad_alloc.
  Change look(GstBuffer* buffer, std::size_t frames);

  // About the batch that was looked at last. A camera stays where it is in memory.
  const Frame& of_frame(std::size_t place) const { return frames_[place]; }
  // The number of frames in the batch before that.
  std::size_t frames_before() const { return before_; }

  TrackedCamera& operator[](std::size_t camera) { return cameras_[camera]; }
  std::size_t size() const { return cameras_.size(); }
  auto begin() { return cameras_.begin(); }
  auto end() { return cameras_.end(); }

 private:
  std::size_t find(std::uint32_t source);
  void drop_absent(GstClockTime now);

  std::deque<TrackedCamera> cameras_;
  std::vector<Frame> frames_;
  std::vector<BatchSource> sources_;
  std::size_t before_ = 0;
  bool named_ = false;  // by metadata
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_KLTTRACK_BATCH_CAMERAS_H_
