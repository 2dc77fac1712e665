// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPOVERLAY_HOST_BLEND_H_
#define RDP_GST_ELEMENTS_RDPOVERLAY_HOST_BLEND_H_

#include <gst/video/video.h>

#include <string>

#include "common/image/blend.h"
#include "common/image/rgba_view.h"
#include "gst/elements/base/host_picture.h"

namespace rdp::gst {

// True if HostBlend supports this format: those that kernels blend, so that results are
// bit-identical in every memory. libgstvideo rounds differently.
bool blends_on_host(GstVideoFormat format);

// The matrix from colours to pixels of NV12 with these caps.
YuvMatrix matrix_of(const GstVideoInfo& info);

// A picture in system memory that is blended into, some rows at a time.
class HostBlend {
 public:
  // `picture` is writable, and its caps are `info`. Once. False: *reason says what failed.
  bool open(GstBuffer* picture, const GstVideoInfo& info, std::string* reason) {
    matrix_ = matrix_of(info);
    return mapped_.map(picture, info, reason);
  }
  // Blends rows [first_row, end_row) of `drawing`, which has the size of the picture. `first_row`
  // is even, and so is `end_row` unless it is the picture's end. Any threads, on disjoint rows.
  void blend(const RgbaView& drawing, int first_row, int end_row);

 private:
  HostPicture mapped_;
  YuvMatrix matrix_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPOVERLAY_HOST_BLEND_H_
