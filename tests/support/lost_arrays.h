// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_LOST_ARRAYS_H_
#define RDP_TESTS_SUPPORT_LOST_ARRAYS_H_

#include <string>

#include "common/boundary.h"
#include "gst/metadata/segmentation_pool.h"

// The arrays of a segmentation that are lost, as if the GPU failed before the first read.
class LostArrays : public rdp::gst::RemoteSegments {
 public:
  explicit LostArrays(const char* why) : why_(why) {}

  bool fetch(const rdp::gst::SegmentSlice&, rdp::SegmentList*,
             std::string* reason) noexcept override {
    rdp::give_reason(reason, why_);
    return false;
  }

  // Makes them the arrays of a draft.
  static void put_into(rdp::gst::SegmentationDraft* draft, int columns, const char* why) {
    (*draft)->use_remote(rdp::gst::RemoteRef<LostArrays>(new LostArrays(why)), {0, 0, columns, 7});
  }

 private:
  const char* why_;
};

#endif  // RDP_TESTS_SUPPORT_LOST_ARRAYS_H_
