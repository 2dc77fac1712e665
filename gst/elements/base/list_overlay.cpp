// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/list_overlay.h"

#include <memory>
#include <string>

#include "gst/elements/base/buffer_metas.h"

namespace rdp::gst {

void ListOverlay::prepare(GstRdpPicturePad* pad) {
  gst_rdp_picture_pad_set_context(pad, nullptr);
  gst_rdp_picture_pad_set_nvmm(pad, 0, TRUE, FALSE);
}

GstFlowReturn ListOverlay::push(GstRdpPicturePad* pad, GstBuffer* frame, GstClockTime running_time,
                                const std::function<void(const RgbaView& picture)>& paint) {
  gboolean gap;
  if (!gst_rdp_picture_pad_wants(pad, running_time, &gap)) {
    return gst_rdp_picture_pad_skip(pad, frame, gap);
  }
  if (!paint) return gst_rdp_picture_pad_skip(pad, frame, TRUE);
  GstFlowReturn flow = GST_FLOW_OK;
  std::unique_ptr<GstBuffer, void (*)(GstBuffer*)> buffer(
      gst_rdp_extra_pad_acquire(GST_RDP_EXTRA_PAD(pad), &flow), gst_buffer_unref);
  if (buffer == nullptr) {
    return flow == GST_FLOW_OK ? gst_rdp_picture_pad_skip(pad, frame, TRUE) : flow;
  }
  describe_picture(buffer.get(), frame);
  std::string reason;
  if (!picture_.map_host(buffer.get(), *gst_rdp_picture_pad_get_info(pad),
                         gst_rdp_picture_pad_get_memory(pad), &reason)) {
    post_unwritable_picture(element_, buffer.get(), reason.c_str());
    return GST_FLOW_ERROR;
  }
  const struct Unmap {
    PictureMapper& picture;
    ~Unmap() { picture.unmap(); }
  } unmap{picture_};
  paint(picture_.host());
  picture_.unmap();
  return gst_rdp_extra_pad_push(GST_RDP_EXTRA_PAD(pad), buffer.release());
}

}  // namespace rdp::gst
