// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_LOST_ARRAYS_H_
#define RDP_TESTS_SUPPORT_LOST_ARRAYS_H_

#include <gst/rdpsegment/rdpsegmentationpool.h>

#include <memory>
#include <string>

#include "common/boundary.h"

// The arrays of a segmentation that cannot be had: as when a GPU fails before they are read.
class LostArrays : public rdp::meta::RemoteArrays {
 public:
  explicit LostArrays(const char* why) : why_(why) {}

  bool fetch(rdp::SegmentList*, std::string* reason) noexcept override {
    rdp::give_reason(reason, why_);
    return false;
  }

  // Gives them to a segmentation that nobody else knows.
  static void put_into(GstRdpSegmentation* segmentation, int columns, const char* why) {
    gst_rdp_segmentation_set_remote(segmentation, std::make_unique<LostArrays>(why));
    gst_rdp_segmentation_use_remote(segmentation, columns, 7);
  }

 private:
  const char* why_;
};

#endif  // RDP_TESTS_SUPPORT_LOST_ARRAYS_H_
