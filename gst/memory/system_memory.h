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

  // Maps `buffer`, whose caps are `info` (GRAY8 or GRAY16_LE; for reading NV12 and I420, of which
  // view() is the luma). Of a colour frame only the memories that hold the luma are mapped: it is
  // copied only where GStreamer has to, because it goes on from one memory to the next. A
  // GstVideoMeta on it decides where
  // the samples are; everything it says is checked against the buffer before a byte is read. With
  // Access::kReadWrite the buffer must be writable. False: *reason says what was expected and what
  // came, and nothing is mapped.
  bool map(GstBuffer* buffer, const GstVideoInfo& info, Access access, std::string* reason);
  void unmap();

  // Only while mapped; written to only if mapped with Access::kReadWrite.
  const MutableDepthView& view() const { return view_; }

 private:
  bool map_luma(GstBuffer* buffer, const FrameLayout& layout, gsize rows, gsize row_bytes,
                std::string* reason);

  GstBuffer* buffer_ = nullptr;
  GstMapInfo map_ = GST_MAP_INFO_INIT;
  MutableDepthView view_;
};
static_assert(MemoryAdapter<SystemFrame>);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_SYSTEM_MEMORY_H_
