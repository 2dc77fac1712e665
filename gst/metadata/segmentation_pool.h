// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_SEGMENTATION_POOL_H_
#define RDP_GST_METADATA_SEGMENTATION_POOL_H_

#include <gst/rdpsegment/rdpsegmentationkind.h>

#include <cstddef>
#include <string>
#include <utility>

#include "common/rdp/segment_list.h"
#include "gst/metadata/remote.h"
#include "gst/metadata/result_pool.h"

namespace rdp::gst {

// One frame's part of a list that several frames share: `columns` columns and `segments` segments
// from the given first ones. A list of one frame is a slice from 0, 0.
struct SegmentSlice {
  int first_column = 0;
  std::size_t first_segment = 0;
  int columns = 0;
  std::size_t segments = 0;
};

// The segments of one frame, or of several that share one list. fetch() copies a slice, with
// offsets relative to the slice's first segment.
using RemoteSegments = Remote<const SegmentSlice&, SegmentList*>;

// The segments of a frame: in the list on the host, or remote.
class SegmentationContent {
 public:
  using Kind = meta::SegmentationKind;

  // Returns the list, which the caller fills on the host.
  SegmentList& list() {
    remote_.reset();
    return list_;
  }

  // Uses segments in the remote arrays' `slice` instead. They are copied to the list when first
  // read; their numbers are known at once.
  void use_remote(RemoteRef<RemoteSegments> remote, const SegmentSlice& slice) {
    remote_ = std::move(remote);
    slice_ = slice;
  }

  // Copies remote arrays to the host now, and releases the remote memory. False: *reason says why
  // they are lost, and the list may be filled instead. True if they are on the host already.
  bool fetch(std::string* reason) noexcept {
    if (remote_ && !remote_->fetch(slice_, &list_, reason)) return false;
    remote_.reset();
    return true;
  }

  GstRdpSegmentationArrays arrays() const {
    if (remote_) return {static_cast<guint>(slice_.columns), slice_.segments, nullptr, nullptr};
    return {static_cast<guint>(list_.columns()), list_.segment_count(), list_.offsets().data(),
            reinterpret_cast<const GstRdpSegment*>(list_.segments().data())};
  }

  void clear() { list_.resize_columns(0)[0] = 0; }
  void recycled() noexcept { remote_.reset(); }

 private:
  SegmentList list_;
  RemoteRef<RemoteSegments> remote_;  // null once the arrays are on the host
  SegmentSlice slice_;
};

using SegmentationPool = ResultPool<SegmentationContent>;
using SegmentationDraft = SegmentationPool::Draft;

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_SEGMENTATION_POOL_H_
