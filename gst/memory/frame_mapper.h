// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_FRAME_MAPPER_H_
#define RDP_GST_MEMORY_FRAME_MAPPER_H_

#include <gst/video/video.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/image/depth_view.h"
#include "gst/memory/memory_kind.h"
#include "gst/memory/nvmm_host.h"
#include "gst/memory/nvmm_memory.h"
#include "gst/memory/system_memory.h"
#include "kernels/runtime/device_view.h"
#ifdef RDP_HAVE_GST_CUDA
#include "gst/memory/cuda_memory.h"
#endif

struct CUctx_st;

namespace rdp::gst {

// The CUDA context that the samples of a frame belong to.
struct FrameContext {
  GstObject* gst = nullptr;  // a GstCudaContext (transfer none)
  gint64 device = -1;        // if gst is null: the device, for its primary context
  // True for system memory, which any context can use.
  bool any() const { return gst == nullptr && device < 0; }
};

// One surface of a mapped buffer, for engines: a video frame's samples on the host or on the
// device, or the bytes of other data.
struct FrameSurface {
  MutableDepthView host;         // with data, if it is mapped for the host
  cuda::DeviceDepthView device;  // with data, if it is mapped for the device
  // The chroma of NV12 in system memory, on request: rows of U and V pairs.
  MutableDepthView host_chroma;
  cuda::DeviceDepthView device_chroma;
  std::span<std::byte> bytes;  // of a blob
  // A copy of the blob on the device, if uploaded.
  cuda::DevicePointer device_bytes = 0;

  // The size of a video frame in samples, on the host or on the device. A pixel of a packed colour
  // is several samples.
  int width() const { return device.data != 0 ? device.width : host.width; }
  int height() const { return device.data != 0 ? device.height : host.height; }
};

// A buffer in any memory, mapped during this object's life or until close(). open() finds the
// surfaces and tells who can reach them; then map_host() or map_device() maps them for one side.
// The object is reused for one buffer after the other, and allocates only for batches larger than
// before.
class FrameMapper {
 public:
  FrameMapper() = default;
  ~FrameMapper() { close(); }
  FrameMapper(const FrameMapper&) = delete;
  FrameMapper& operator=(const FrameMapper&) = delete;

  // Opens `buffer`, whose caps are `info` (GRAY8, GRAY16_LE, packed colours; with Access::kRead
  // NV12 and I420, too) in memory of `kind`. NV12 and I420 give their luma, in place, as 8-bit
  // samples of any range. System and CUDA memory has one surface, NVMM memory one for each frame of
  // the batch. `chroma`: gives the chroma of NV12 in system memory, too. Validates all of the
  // buffer's metadata; reads no sample. False: *reason says what was expected and what came, and
  // nothing is open. Throws GpuError and std::bad_alloc; then call close().
  bool open(GstBuffer* buffer, const GstVideoInfo& info, MemoryKind kind, Access access,
            std::string* reason, bool chroma = false);
  // Opens a buffer in system memory that is not video. Maps it for the host, as one piece.
  bool open_blob(GstBuffer* buffer, Access access, std::string* reason);
  // Opens a surface without samples on the host, in place of a missing buffer.
  void open_none();
  void close();

  // Valid only while open.

  MemoryKind kind() const { return kind_; }
  // True if the CPU, or a device, can work on all surfaces in place. If a device cannot,
  // map_device() maps for the host, and the GPU worker copies.
  bool host_reaches() const;
  bool device_reaches() const;
  // The context of the samples: CUDA memory's own, the primary context of NVMM memory's device, any
  // for system memory. `users_device` is the property cuda-device-id, -1: any. It selects the
  // device for NVMM memory on the host.
  FrameContext context(int users_device) const;
  // The surfaces of a batch in NVMM memory; empty for other memory.
  std::span<const NvmmSurface> nvmm() const { return batch_.view(); }

  // Maps all surfaces for the CPU. False: *reason says why the CPU cannot reach them.
  bool map_host(std::string* reason);
  // Maps all surfaces for work in `context`, which the caller has made current: that of context(),
  // or any one if that is any(). `keep_alive` keeps it. False: *reason says why it cannot reach
  // them. Only in builds with CUDA. Throws GpuError.
  bool map_device(CUctx_st* context, const std::shared_ptr<void>& keep_alive, std::string* reason);

  // Valid once mapped.
  std::span<const FrameSurface> surfaces() const { return surfaces_; }

 private:
  bool map_host_surface(std::size_t index, std::string* reason);

  MemoryKind kind_ = MemoryKind::kSystem;
  Access access_ = Access::kRead;
  GstBuffer* blob_ = nullptr;
  GstMapInfo blob_map_ = GST_MAP_INFO_INIT;
  SystemFrame system_;
#ifdef RDP_HAVE_GST_CUDA
  CudaFrame cuda_;
#endif
  NvmmFrame batch_;
  std::vector<std::unique_ptr<NvmmHostSurface>> host_surfaces_;
  std::vector<FrameSurface> surfaces_;
};

// Finds the context for work on several frames: that of the first frame whose context() is not
// any(). The other such frames must be in the same one. False: *reason says which are not.
bool find_shared_context(std::span<const FrameMapper* const> frames, int users_device,
                         FrameContext* context, std::string* reason);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_FRAME_MAPPER_H_
