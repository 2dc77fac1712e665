// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_REMOTE_ARRAYS_H_
#define RDP_GST_METADATA_REMOTE_ARRAYS_H_

#include <atomic>
#include <cstddef>
#include <string>

#include "common/rdp/segment_list.h"
#include "gst/metadata/remote_ref.h"

namespace rdp::gst {

// Which part of a list that several frames share is one frame's: `columns` columns and `segments`
// segments from the first ones on. A list of one frame is a slice from 0, 0.
struct SegmentSlice {
  int first_column = 0;
  std::size_t first_segment = 0;
  int columns = 0;
  std::size_t segments = 0;
};

// Segments (no other results yet) where the host cannot read them, such as on a GPU: of one frame,
// or of several that share one list. Reference counted: each segmentation of such a frame has a
// reference until its last reader has let go.
class RemoteArrays {
 public:
  RemoteArrays(const RemoteArrays&) = delete;
  RemoteArrays& operator=(const RemoteArrays&) = delete;

  // Copies a slice to the host, its offsets counted from the slice's first segment. Called at most
  // once for a frame, from whichever thread reads the segments first; for different slices from
  // several threads at a time. False: *reason says why they cannot be had (see rdp::give_reason()
  // for what does not throw), and what is in *host is of no use.
  virtual bool fetch(const SegmentSlice& slice, SegmentList* host,
                     std::string* reason) noexcept = 0;

  void ref() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  void unref() noexcept {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) dispose();
  }

 protected:
  RemoteArrays() = default;
  virtual ~RemoteArrays() = default;

  // Nobody refers to them any more. What comes from a pool goes back there: see revive().
  virtual void dispose() noexcept { delete this; }
  // One reference again, for the next use of what dispose() has kept.
  void revive() noexcept { references_.store(1, std::memory_order_relaxed); }

 private:
  std::atomic<int> references_{1};
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_REMOTE_ARRAYS_H_
