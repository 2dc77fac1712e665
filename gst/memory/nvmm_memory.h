// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_NVMM_MEMORY_H_
#define RDP_GST_MEMORY_NVMM_MEMORY_H_

#include <gst/video/video.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gst/memory/frame_layout.h"
#include "gst/memory/nvmm_layout.h"

// memory:NVMM, the memory of NVIDIA's elements on Jetson and in DeepStream. A buffer has one
// memory, which maps to an NvBufSurface: a batch of one or more surfaces, located by its memType.
// This file validates a batch and finds its surfaces; nvmm_host.h and nvmm_device.h map them. Needs
// neither CUDA nor NVIDIA's libraries.
namespace rdp::gst {

// One surface of a mapped batch, checked against the caps; for a buffer cropped in place, the
// crop's rectangle.
struct NvmmSurface {
  nvmm::MemType type = nvmm::MemType::kDefault;
  std::byte* data = nullptr;  // the first sample's CUDA or host address; null: see params
  std::size_t pitch = 0;
  int width = 0;
  int height = 0;
  FrameOrigin origin;    // of `data` on the surface
  int sample_bytes = 0;  // 4: RGBA
  guint gpu = 0;         // the device it belongs to
  guint index = 0;       // within the batch
  // The memory and batch of the surface, while it is mapped.
  GstMemory* memory = nullptr;
  nvmm::Surface* batch = nullptr;
  nvmm::SurfaceParams* params = nullptr;

  // Bytes from the start of the surface's plane to the first sample, with `row_pitch` bytes a row.
  std::size_t origin_bytes(std::size_t row_pitch) const {
    return origin.y * row_pitch + origin.x * static_cast<std::size_t>(sample_bytes);
  }
  // Samples as engines see them: a pixel of 4 bytes is 4 samples.
  SampleType sample_type() const { return sample_bytes == 2 ? SampleType::kU16 : SampleType::kU8; }
  int samples_of_row() const { return sample_bytes == 4 ? 4 * width : width; }
  // True if it is memory of the device `gpu`, not of the host.
  bool of_device() const {
    return type != nvmm::MemType::kSystem && type != nvmm::MemType::kCudaPinned;
  }
  // The device that would process it. Host memory belongs to none, whatever gpuId says, so the user
  // may choose (-1: no choice).
  int working_device(int users_choice) const {
    return of_device() || users_choice < 0 ? static_cast<int>(gpu) : users_choice;
  }
  // True if CUDA devices can work on it in place; see nvmm_host_readable() for the CPU.
  bool device_readable() const { return type != nvmm::MemType::kSystem; }
};

// The name of a memory type in NVIDIA's documentation: "NVBUF_MEM_CUDA_DEVICE".
const char* nvmm_type_name(nvmm::MemType type);

// The batch size that a buffer in NVMM memory declares; reads nothing else. Both are 0 for other
// buffers.
struct NvmmBatchSize {
  guint filled = 0;  // surfaces that hold frames
  guint most = 0;    // capacity of the batch
};
NvmmBatchSize nvmm_batch_size(GstBuffer* buffer);

// A batch of frames in NVMM memory, mapped for as long as the object lives.
class NvmmFrame {
 public:
  NvmmFrame() = default;
  ~NvmmFrame() { unmap(); }
  NvmmFrame(const NvmmFrame&) = delete;
  NvmmFrame& operator=(const NvmmFrame&) = delete;

  // Maps `buffer`, whose caps are `info` (GRAY8, GRAY16_LE, RGBA, NV12, for reading also I420). The
  // buffer must be one memory that maps to an NvBufSurface. All its filled surfaces must have the
  // caps' format and size and lie within their memory. For reading, NV12 and I420 are checked and
  // shown as luma only. A GstVideoCropMeta applies to all surfaces of the batch. Reads only these
  // structures. False: *reason says what was expected and what came, and nothing is mapped.
  //
  // Access::kReadWrite requires that nobody else holds the buffer or its memory. NVMM memory is
  // never copied, because that copies only the structures, which point to surfaces that the
  // producer reuses. Allocates only for a batch larger than before.
  bool map(GstBuffer* buffer, const GstVideoInfo& info, Access access, std::string* reason);
  void unmap();
  bool mapped() const { return buffer_ != nullptr; }

  // The filled surfaces; only while mapped.
  std::span<const NvmmSurface> view() const { return surfaces_; }

 private:
  bool find_surfaces(const GstVideoInfo& info, Access access, std::string* reason);

  GstBuffer* buffer_ = nullptr;
  GstMapInfo map_ = GST_MAP_INFO_INIT;
  std::vector<NvmmSurface> surfaces_;
};
static_assert(MemoryAdapter<NvmmFrame>);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_NVMM_MEMORY_H_
