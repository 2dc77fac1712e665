// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_PICTURE_MAPPER_H_
#define RDP_GST_MEMORY_PICTURE_MAPPER_H_

#include <gst/video/video.h>

#include <memory>
#include <string>

#include "common/image/rgba_view.h"
#include "gst/memory/memory_kind.h"
#include "gst/memory/nvmm_host.h"
#include "gst/memory/nvmm_memory.h"
#include "kernels/runtime/device_view.h"
#ifdef RDP_HAVE_GST_CUDA
#include "gst/memory/cuda_memory.h"
#endif

struct CUctx_st;

namespace rdp::gst {

// An RGBA picture for painting, in any memory, mapped during this object's life or until unmap().
class PictureMapper {
 public:
  PictureMapper() = default;
  ~PictureMapper() { unmap(); }
  PictureMapper(const PictureMapper&) = delete;
  PictureMapper& operator=(const PictureMapper&) = delete;

  // Maps `buffer`, whose caps are `info` in memory of `kind`, for the CPU. A picture in CUDA memory
  // is uploaded by the next mapping for the device. False: *reason says why it cannot be written.
  bool map_host(GstBuffer* buffer, const GstVideoInfo& info, MemoryKind kind, std::string* reason);
  // Maps it for work in `context`, which is current and kept by `keep_alive`. CUDA memory of
  // another context and system memory are mapped for the host. Only in builds with CUDA. Throws
  // GpuError.
  bool map_device(GstBuffer* buffer, const GstVideoInfo& info, MemoryKind kind, CUctx_st* context,
                  const std::shared_ptr<void>& keep_alive, std::string* reason);
  void unmap();

  // While mapped, exactly one has data.
  const RgbaView& host() const { return host_; }
  const cuda::DeviceRgbaView& device() const { return device_; }

 private:
  GstVideoFrame frame_{};
  bool frame_mapped_ = false;
#ifdef RDP_HAVE_GST_CUDA
  CudaFrame cuda_;
#endif
  NvmmFrame batch_;
  NvmmHostSurface surface_;
  RgbaView host_;
  cuda::DeviceRgbaView device_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_PICTURE_MAPPER_H_
