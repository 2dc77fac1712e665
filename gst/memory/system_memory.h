// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_SYSTEM_MEMORY_H_
#define RDP_GST_MEMORY_SYSTEM_MEMORY_H_

#include <gst/video/video.h>

#include <string>

#include "common/image/depth_view.h"
#include "gst/memory/frame_layout.h"

namespace rdp::gst {

// A frame in system memory, mapped for as long as the object lives.
class SystemFrame {
 public:
  SystemFrame() = default;
  ~SystemFrame() { unmap(); }
  SystemFrame(const SystemFrame&) = delete;
  SystemFrame& operator=(const SystemFrame&) = delete;

  // Maps `buffer`, whose caps are `info` (GRAY8, GRAY16_LE or a packed colour; for reading NV12 and
  // I420, of which view() is the luma). For a colour frame it maps only the memories with luma:
  // GStreamer copies only luma that spans several memories. A GstVideoMeta locates the samples; it
  // is validated against the buffer before a byte is read. With `chroma`, the chroma of NV12 is
  // mapped, too. Access::kReadWrite requires a writable buffer. False: *reason says what was
  // expected and what came, and nothing is mapped.
  bool map(GstBuffer* buffer, const GstVideoInfo& info, Access access, std::string* reason,
           bool chroma = false);
  void unmap();

  // Valid while mapped; writable only with Access::kReadWrite.
  const MutableDepthView& view() const { return view_; }
  // Rows of U and V pairs, for reading; empty unless requested.
  const MutableDepthView& chroma() const { return chroma_; }

 private:
  bool map_plane(GstBuffer* buffer, const FrameLayout& layout, GstMapInfo* map,
                 MutableDepthView* view, std::string* reason);

  GstBuffer* buffer_ = nullptr;
  GstBuffer* chroma_buffer_ = nullptr;  // whose chroma is mapped
  GstMapInfo map_ = GST_MAP_INFO_INIT;
  GstMapInfo chroma_map_ = GST_MAP_INFO_INIT;
  MutableDepthView view_;
  MutableDepthView chroma_;
};
static_assert(MemoryAdapter<SystemFrame>);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_SYSTEM_MEMORY_H_
