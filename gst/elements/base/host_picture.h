// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_HOST_PICTURE_H_
#define RDP_GST_ELEMENTS_BASE_HOST_PICTURE_H_

#include <gst/video/video.h>

#include <cstddef>
#include <string>

namespace rdp::gst {

// Copies a picture if others hold it, too. False: the picture is lost; *reason says why.
bool make_writable(GstBuffer** picture, std::string* reason);

// A picture in system memory, mapped during this object's life. If the picture is cropped in place,
// the crop.
class HostPicture {
 public:
  HostPicture() = default;
  ~HostPicture() {
    if (mapped_) gst_video_frame_unmap(&frame_);
  }
  HostPicture(const HostPicture&) = delete;
  HostPicture& operator=(const HostPicture&) = delete;

  // Maps `picture`, which is writable and has the caps `info`. Call once. False: *reason says what
  // failed, or what in the buffer's GstVideoMeta is impossible.
  bool map(GstBuffer* picture, const GstVideoInfo& info, std::string* reason,
           GstMapFlags flags = GST_MAP_READWRITE);
  GstVideoFrame& frame() { return frame_; }
  std::byte* plane(guint p) {
    return static_cast<std::byte*>(GST_VIDEO_FRAME_PLANE_DATA(&frame_, p));
  }
  std::ptrdiff_t stride(guint p) const { return GST_VIDEO_FRAME_PLANE_STRIDE(&frame_, p); }

 private:
  GstVideoFrame frame_{};
  bool mapped_ = false;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_HOST_PICTURE_H_
