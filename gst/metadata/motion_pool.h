// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_MOTION_POOL_H_
#define RDP_GST_METADATA_MOTION_POOL_H_

#include <gst/rdpsegment/rdpmotionkind.h>

#include "gst/metadata/result_pool.h"
#include "gst/metadata/two_arrays.h"

namespace rdp::gst {

// The motion of a frame: of its segments, and of its tracks.
class MotionContent : public TwoArrays<GstRdpSegmentMotion, GstRdpTrackMotion> {
 public:
  using Kind = meta::MotionKind;

  GstRdpMotionArrays arrays() const {
    return {first().data(), first().size(), second().data(), second().size()};
  }
};

using MotionPool = ResultPool<MotionContent>;
using MotionDraft = MotionPool::Draft;

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_MOTION_POOL_H_
