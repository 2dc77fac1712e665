// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_LIST_OVERLAY_H_
#define RDP_GST_ELEMENTS_BASE_LIST_OVERLAY_H_

#include <functional>

#include "gst/elements/base/picture_pad.h"
#include "gst/memory/picture_mapper.h"

namespace rdp::gst {

// The pictures of an extra pad, for elements that paint lists on the host without FrameWork.
// Streaming thread.
class ListOverlay {
 public:
  // `element` posts the errors and lives longer.
  explicit ListOverlay(GstElement* element) : element_(element) {}

  // Call before the pad is told caps: its pictures are painted on the host.
  static void prepare(GstRdpPicturePad* pad);
  // Sends the picture of `frame`, painted by `paint`, if one is wanted. Without `paint` it sends a
  // GAP. Returns the pad's result. Throws what `paint` throws.
  GstFlowReturn push(GstRdpPicturePad* pad, GstBuffer* frame, GstClockTime running_time,
                     const std::function<void(const RgbaView& picture)>& paint);

 private:
  GstElement* const element_;
  PictureMapper picture_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_LIST_OVERLAY_H_
