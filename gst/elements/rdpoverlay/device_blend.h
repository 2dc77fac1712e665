// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPOVERLAY_DEVICE_BLEND_H_
#define RDP_GST_ELEMENTS_RDPOVERLAY_DEVICE_BLEND_H_

#include <gst/video/video.h>

#include <cstddef>
#include <span>
#include <string>

#include "common/image/rgba_view.h"
#include "common/rdp/placed_segments.h"
#include "gst/cuda/gpu_provider.h"
#include "gst/memory/device_video.h"
#include "gst/memory/memory_kind.h"
#include "gst/memory/nvmm_memory.h"
#ifdef RDP_HAVE_GST_CUDA
#include "gst/memory/cuda_video.h"
#endif

namespace rdp::gst {

// The drawing for a picture: segments that the GPU paints itself, or else a drawing that the host
// has painted.
struct DeviceDrawing {
  const PlacedSegments* segments = nullptr;
  RgbaView painted;
  guint64 number = 0;  // unique for each drawing; 0: nothing to draw
};

// Draws in place onto RGBA and NV12 pictures in CUDA and NVMM memory. Streaming thread only.
// Without CUDA in the build every call throws GpuError.
class DeviceBlend {
 public:
  // `gpu` outlives it.
  explicit DeviceBlend(GpuProvider& gpu) : gpu_(gpu) {}
  DeviceBlend(const DeviceBlend&) = delete;
  DeviceBlend& operator=(const DeviceBlend&) = delete;

  // Blends one drawing for each surface of a batch into `picture`, whose caps are `info` with
  // `memory`. Drawings have the picture's size; one with the same number as last time is not copied
  // again. False: *reason says what is wrong with the picture. Throws GpuError and std::bad_alloc.
  bool blend(std::span<const DeviceDrawing> drawings, GstBuffer* picture, const GstVideoInfo& info,
             MemoryKind memory, int device_id, std::string* reason);

 private:
  bool open(GstBuffer* picture, const GstVideoInfo& info, MemoryKind memory, int device_id,
            FrameContext* context, std::string* reason);
  bool find_video(std::size_t surface, GpuSession& session, MemoryKind memory, DeviceVideo* video,
                  std::string* reason);
  bool blend_in_context(GpuSession& session, std::span<const DeviceDrawing> drawings,
                        GstBuffer* picture, const GstVideoInfo& info, MemoryKind memory,
                        std::string* reason);

  GpuProvider& gpu_;
  NvmmFrame nvmm_;
#ifdef RDP_HAVE_GST_CUDA
  CudaVideo cuda_;
#endif
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPOVERLAY_DEVICE_BLEND_H_
