// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_HOST_PICTURE_H_
#define RDP_GST_MEMORY_HOST_PICTURE_H_

#include <gst/video/video.h>

#include <string>

#include "common/rdp/overlay.h"
#include "gst/memory/nvmm_host.h"
#include "gst/memory/nvmm_memory.h"

namespace rdp::gst {

// A RGBA picture that the CPU writes, in system or NVMM memory, mapped for as long as the object
// lives or until unmap().
class HostPicture {
 public:
  HostPicture() = default;
  ~HostPicture() { unmap(); }
  HostPicture(const HostPicture&) = delete;
  HostPicture& operator=(const HostPicture&) = delete;

  // Maps `buffer`, whose caps are `info`; `nvmm`: they say memory:NVMM. False: *reason says why it
  // cannot be written.
  bool map(GstBuffer* buffer, const GstVideoInfo& info, bool nvmm, std::string* reason);
  void unmap();
  // Only while mapped.
  const RgbaView& view() const { return view_; }

 private:
  GstVideoFrame frame_{};
  bool frame_mapped_ = false;
  NvmmFrame batch_;
  NvmmHostSurface surface_;
  RgbaView view_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_HOST_PICTURE_H_
