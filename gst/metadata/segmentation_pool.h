// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_SEGMENTATION_POOL_H_
#define RDP_GST_METADATA_SEGMENTATION_POOL_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <cstddef>
#include <string>

#include "common/rdp/segment_list.h"
#include "gst/metadata/recycling_pool.h"
#include "gst/metadata/remote_arrays.h"

namespace rdp::gst {

// What a segmentation is made of; lives on with it.
class SegmentationBody;

// The segments of a frame while they are made. Either the list is filled or the arrays are left
// where they are; then finish() makes a GstRdpSegmentation of them, which is immutable. A draft
// that is not finished goes back to its pool.
class SegmentationDraft {
 public:
  SegmentationDraft(SegmentationDraft&&) noexcept;
  SegmentationDraft& operator=(SegmentationDraft&&) noexcept;
  ~SegmentationDraft();

  // The list for the caller to fill: the segments are on the host.
  SegmentList& list();

  // Says, instead of filling the list, that the remote arrays have this frame's segments in
  // `slice`. The list gets them when somebody reads them; the numbers are known at once.
  void use_remote(RemoteRef<RemoteArrays> remote, const SegmentSlice& slice);
  // The same for arrays that have this frame alone.
  void use_remote(RemoteRef<RemoteArrays> remote, int columns, std::size_t segments) {
    use_remote(std::move(remote), {0, 0, columns, segments});
  }

  // Brings the arrays to the host now. False: *reason says why they cannot be had, and the list may
  // be filled instead. True where they are on the host already.
  bool try_fetch(std::string* reason);

  int columns() const;
  std::size_t segment_count() const;

  // (transfer full): the segmentation. Allocates nothing and does not fail. The draft is empty
  // afterwards, and may only be destroyed or assigned to.
  GstRdpSegmentation* finish(const GstRdpSegmentationInfo& info) noexcept;

 private:
  friend class SegmentationPool;
  explicit SegmentationDraft(RecyclingPool<SegmentationBody>::Handle body);

  RecyclingPool<SegmentationBody>::Handle body_;
};

// Where the memory of segmentations waits for the next frame: that of the object and of its list.
// References to remote arrays are not kept. Segmentations may outlive the pool. Thread safe.
class SegmentationPool {
 public:
  // Throws std::bad_alloc.
  SegmentationPool();
  ~SegmentationPool();
  SegmentationPool(SegmentationPool&&) noexcept;
  SegmentationPool& operator=(SegmentationPool&&) noexcept;

  // An empty draft: no column. Throws std::bad_alloc.
  SegmentationDraft acquire();

 private:
  RecyclingPool<SegmentationBody> pool_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_SEGMENTATION_POOL_H_
