// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_CUDA_VIDEO_H_
#define RDP_GST_MEMORY_CUDA_VIDEO_H_

#include <gst/video/video.h>

#include <string>

#include "gst/memory/cuda_memory.h"
#include "gst/memory/device_video.h"

namespace rdp::gst {

// A colour picture of one or two planes in CUDA memory, mapped for writing for as long as the
// object lives or until unmap().
class CudaVideo {
 public:
  CudaVideo() = default;
  ~CudaVideo() { unmap(); }
  CudaVideo(const CudaVideo&) = delete;
  CudaVideo& operator=(const CudaVideo&) = delete;

  // Maps `buffer`, which is writable and whose caps are `info` (RGBA or NV12). If it is cropped in
  // place, view() is the crop. Shared memory is copied first, by GStreamer. Validates all of the
  // buffer's metadata. False: *reason says what was expected and what came. Throws CudaError.
  bool map(GstBuffer* buffer, const GstVideoInfo& info, std::string* reason);
  void unmap();

  // While mapped.
  const DeviceVideo& view() const { return view_; }

 private:
  GstBuffer* buffer_ = nullptr;
  GstMapInfo map_ = GST_MAP_INFO_INIT;
  DeviceVideo view_;
};

// Returns the context of a buffer in CUDA memory (transfer none); null for other buffers.
GstObject* cuda_context_of(GstBuffer* buffer);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_CUDA_VIDEO_H_
