// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_NVMM_LAYOUT_H_
#define RDP_GST_MEMORY_NVMM_LAYOUT_H_

#include <cstddef>
#include <cstdint>

// The fields of NVIDIA's NvBufSurface, the content of a memory:NVMM buffer, that we read. Their
// offsets are the same in all releases of DeepStream (4.0 to 9.1) and Jetson Linux (r32 to r36). So
// one binary works with each, and builds without their headers. The size of the structures did
// change, see BatchLayout. tests/nvmm/layout_check.cpp compares them with NVIDIA's headers, if
// installed.
namespace rdp::gst::nvmm {

// NvBufSurfaceMemType.
enum class MemType : std::int32_t {
  kDefault = 0,  // the platform's preference: one of the two marked below
  kCudaPinned = 1,
  kCudaDevice = 2,  // discrete GPUs, Thor
  kCudaUnified = 3,
  kSurfaceArray = 4,  // Jetson up to Orin: reached through EGL
  kHandle = 5,
  kSystem = 6,  // malloc
  kCudaArray = 7,
};

// NvBufSurfaceColorFormat.
enum class ColorFormat : std::int32_t {
  kGray8 = 1,
  kYuv420 = 2,
  kYuv420FullRange = 4,
  kNv12 = 6,
  kNv12FullRange = 7,
  kRgba = 19,
  // Other matrices, which do not affect the luma.
  kYuv420Bt709 = 31,
  kYuv420Bt709FullRange = 32,
  kNv12Bt709 = 33,
  kNv12Bt709FullRange = 34,
  kYuv420Bt2020 = 35,
  kNv12Bt2020 = 36,
  kGray8FullRange = 88,
  kGray16Le = 92,  // since the headers of 2024
};

// NvBufSurfaceLayout.
enum class PlaneLayout : std::int32_t { kPitch = 0, kBlockLinear = 1 };

// The start of NvBufSurfacePlaneParams.
struct PlaneParams {
  std::uint32_t num_planes;
  std::uint32_t width[4];
  std::uint32_t height[4];
  std::uint32_t pitch[4];   // bytes
  std::uint32_t offset[4];  // bytes, from the surface's start
  std::uint32_t psize[4];
  std::uint32_t bytes_per_pixel[4];
};
static_assert(sizeof(PlaneParams) == 100);

// The start of NvBufSurfaceParams: one surface.
struct SurfaceParams {
  std::uint32_t width;
  std::uint32_t height;
  std::uint32_t pitch;
  ColorFormat color_format;
  PlaneLayout layout;
  std::uint64_t buffer_desc;  // a DMA-BUF's descriptor on Jetson
  std::uint32_t data_size;
  void* data;
  PlaneParams planes;
  std::byte unread[132];
  void* mapped[4];  // addresses by NvBufSurfaceMap(), one for each plane
  void* egl_image;  // set by NvBufSurfaceMapEglImage()
};
static_assert(offsetof(SurfaceParams, color_format) == 12);
static_assert(offsetof(SurfaceParams, buffer_desc) == 24);
static_assert(offsetof(SurfaceParams, data_size) == 32);
static_assert(offsetof(SurfaceParams, data) == 40);
static_assert(offsetof(SurfaceParams, planes) == 48);
static_assert(offsetof(SurfaceParams, mapped) == 280);
static_assert(offsetof(SurfaceParams, egl_image) == 312);

// The start of NvBufSurface: a batch of surfaces of one kind.
struct Surface {
  std::uint32_t gpu_id;
  std::uint32_t batch_size;
  std::uint32_t num_filled;
  bool is_contiguous;
  MemType mem_type;
  SurfaceParams* surfaces;  // spaced by BatchLayout::params_size, not sizeof (SurfaceParams)
};
static_assert(offsetof(Surface, is_contiguous) == 12);
static_assert(offsetof(Surface, mem_type) == 16);
static_assert(offsetof(Surface, surfaces) == 24);

// The two sizes that the structures have in different releases.
struct BatchLayout {
  std::size_t surface_size;  // of NvBufSurface
  std::size_t params_size;   // sizeof (NvBufSurfaceParams): the distance of a batch's surfaces
};
inline constexpr BatchLayout kClassicLayout{64, 384};  // DeepStream up to 7, Jetson Linux up to r36
inline constexpr BatchLayout kExtendedLayout{72, 416};  // DeepStream 8 and 9

// NvBufSurfaceCreateParams. Newer releases append fields, whose default is zero.
struct CreateParams {
  std::uint32_t gpu_id;
  std::uint32_t width;
  std::uint32_t height;
  std::uint32_t size;
  bool is_contiguous;
  ColorFormat color_format;
  PlaneLayout layout;
  MemType mem_type;
  std::byte later[96];
};
static_assert(offsetof(CreateParams, is_contiguous) == 16);
static_assert(offsetof(CreateParams, mem_type) == 28);

// NvBufSurfaceMemMapFlags.
enum class MapFlags : std::int32_t { kRead = 0, kWrite = 1, kReadWrite = 2 };

}  // namespace rdp::gst::nvmm

#endif  // RDP_GST_MEMORY_NVMM_LAYOUT_H_
