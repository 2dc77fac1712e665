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
  GstObject* gst = nullptr;  // a GstCudaContext, without a reference
  gint64 device = -1;        // where gst is null: the device whose primary context it is
  // System memory belongs to none: any context will do.
  bool any() const { return gst == nullptr && device < 0; }
};

// One surface of a mapped buffer, for whoever works on it: the samples of a frame of video on the
// host or on the device, or the bytes of something that is no video.
struct FrameSurface {
  MutableDepthView host;         // with data, if it is mapped for the host
  cuda::DeviceDepthView device;  // with data, if it is mapped for the device
  // The chroma of NV12 in system memory, if it was asked for: rows of pairs of U and V.
  MutableDepthView host_chroma;
  cuda::DeviceDepthView device_chroma;
  std::span<std::byte> bytes;  // of a blob
  // The blob once more on the device, if it was brought there.
  cuda::DevicePointer device_bytes = 0;

  // The size of a frame of video in samples, on the host or on the device. A pixel of a packed
  // colour is several samples.
  int width() const { return device.data != 0 ? device.width : host.width; }
  int height() const { return device.data != 0 ? device.height : host.height; }
};

// A buffer in whatever memory, mapped for as long as the object lives or until close(): open() says
// what there is and who can reach it, then map_host() or map_device() makes the surfaces ready for
// one side. Works on one buffer after the other and keeps its memory; allocates only for batches
// that are larger than those before.
class FrameMapper {
 public:
  FrameMapper() = default;
  ~FrameMapper() { close(); }
  FrameMapper(const FrameMapper&) = delete;
  FrameMapper& operator=(const FrameMapper&) = delete;

  // Opens `buffer`, whose caps are `info` (GRAY8, GRAY16_LE, packed colours; with Access::kRead
  // NV12 and I420 too) and speak of `kind`. Of NV12 and I420 the luma is shown, in place, as 8-bit
  // samples, whatever their range. Memory of the host and CUDA memory has one surface, NVMM memory
  // one for each frame of the batch. Everything that the buffer says of itself is checked; no
  // sample is read. False: *reason says what was expected and what came, and nothing is open.
  // Throws GpuError and std::bad_alloc, after either of which close() is to be called. `chroma`:
  // that of NV12 in system memory is shown as well.
  bool open(GstBuffer* buffer, const GstVideoInfo& info, MemoryKind kind, Access access,
            std::string* reason, bool chroma = false);
  // Opens a buffer in system memory that holds something else than video. It is mapped for the
  // host, as one piece.
  bool open_blob(GstBuffer* buffer, Access access, std::string* reason);
  // Nothing, in the place of a buffer: a surface of the host without samples.
  void open_none();
  void close();

  // The following only while open.

  MemoryKind kind() const { return kind_; }
  // True if the CPU, or a device, can work on all surfaces in place. If a device cannot,
  // map_device() maps for the host and the GPU worker copies.
  bool host_reaches() const;
  bool device_reaches() const;
  // The context of the samples: for CUDA memory its own, for NVMM memory the primary one of its
  // device, for system memory any. `users_device` is the property cuda-device-id, -1: any. NVMM
  // memory of the host goes to that device where the user has chosen one.
  FrameContext context(int users_device) const;
  // The surfaces of a batch in NVMM memory; none for other memory.
  std::span<const NvmmSurface> nvmm() const { return batch_.view(); }

  // Maps all surfaces for the CPU. False: *reason says why it cannot reach them.
  bool map_host(std::string* reason);
  // Maps all surfaces for work in `context`, which the caller has made current: the one that
  // context() tells, or any one where that says any(). `keep_alive` keeps it. False: *reason says
  // why it cannot reach them. Only in builds with CUDA. Throws GpuError.
  bool map_device(CUctx_st* context, const std::shared_ptr<void>& keep_alive, std::string* reason);

  // Once they are mapped.
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

// The context that one piece of work on several frames is done in: that of the first of them that
// is not of the host. The others have to be in the same one. False: *reason says which are not.
bool find_shared_context(std::span<const FrameMapper* const> frames, int users_device,
                         FrameContext* context, std::string* reason);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_FRAME_MAPPER_H_
