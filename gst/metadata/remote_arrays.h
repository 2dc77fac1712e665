// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_REMOTE_ARRAYS_H_
#define RDP_GST_METADATA_REMOTE_ARRAYS_H_

#include <cstddef>
#include <string>

#include "common/rdp/segment_list.h"
#include "gst/metadata/remote_count.h"
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

// Segments where the host cannot read them, such as on a GPU: of one frame, or of several that
// share one list. Each segmentation of such a frame has a reference until its last reader has let
// go.
class RemoteArrays : public RemoteCount {
 public:
  // Copies a slice to the host, its offsets counted from the slice's first segment. Called at most
  // once for a frame, from whichever thread reads the segments first; for different slices from
  // several threads at a time. False: *reason says why they cannot be had (see rdp::give_reason()
  // for what does not throw), and what is in *host is of no use.
  virtual bool fetch(const SegmentSlice& slice, SegmentList* host,
                     std::string* reason) noexcept = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_REMOTE_ARRAYS_H_
