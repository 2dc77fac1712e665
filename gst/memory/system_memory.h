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

  // Maps `buffer`, whose caps are `info` (GRAY8, GRAY16_LE or a packed colour; for reading NV12
  // and I420, of which view() is the luma). Of a colour frame only the memories that hold the luma
  // are mapped: it is copied only where GStreamer has to, because it goes on from one memory to the
  // next. A GstVideoMeta on it decides where the samples are; everything it says is checked against
  // the buffer before a byte is read. With Access::kReadWrite the buffer must be writable. False:
  // *reason says what was expected and what came, and nothing is mapped. With `chroma`, that of
  // NV12 is mapped as well.
  bool map(GstBuffer* buffer, const GstVideoInfo& info, Access access, std::string* reason,
           bool chroma = false);
  void unmap();

  // Only while mapped; written to only if mapped with Access::kReadWrite.
  const MutableDepthView& view() const { return view_; }
  // Rows of pairs of U and V, for reading; without data unless it was asked for.
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
