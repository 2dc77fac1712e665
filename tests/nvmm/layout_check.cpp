// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares gst/memory/nvmm_layout.h and the tests' offsets with NVIDIA's header of a release.
// Nothing is run: the compiler names a wrong line. layout_check.sh compiles this file for each
// folder with such a header.
#include <nvbufsurface.h>

#include <cstddef>
#include <type_traits>

#include "gst/memory/nvmm_layout.h"
#include "tests/standin/nvmm_abi.h"

namespace nvmm = rdp::gst::nvmm;

#define SAME_OFFSET(ours, our_field, theirs, their_field)                    \
  static_assert(offsetof(ours, our_field) == offsetof(theirs, their_field)); \
  static_assert(sizeof(std::declval<ours>().our_field) ==                    \
                sizeof(std::declval<theirs>().their_field))

SAME_OFFSET(nvmm::Surface, gpu_id, NvBufSurface, gpuId);
SAME_OFFSET(nvmm::Surface, batch_size, NvBufSurface, batchSize);
SAME_OFFSET(nvmm::Surface, num_filled, NvBufSurface, numFilled);
SAME_OFFSET(nvmm::Surface, is_contiguous, NvBufSurface, isContiguous);
SAME_OFFSET(nvmm::Surface, mem_type, NvBufSurface, memType);
SAME_OFFSET(nvmm::Surface, surfaces, NvBufSurface, surfaceList);

SAME_OFFSET(nvmm::SurfaceParams, width, NvBufSurfaceParams, width);
SAME_OFFSET(nvmm::SurfaceParams, height, NvBufSurfaceParams, height);
SAME_OFFSET(nvmm::SurfaceParams, pitch, NvBufSurfaceParams, pitch);
SAME_OFFSET(nvmm::SurfaceParams, color_format, NvBufSurfaceParams, colorFormat);
SAME_OFFSET(nvmm::SurfaceParams, layout, NvBufSurfaceParams, layout);
SAME_OFFSET(nvmm::SurfaceParams, buffer_desc, NvBufSurfaceParams, bufferDesc);
SAME_OFFSET(nvmm::SurfaceParams, data_size, NvBufSurfaceParams, dataSize);
SAME_OFFSET(nvmm::SurfaceParams, data, NvBufSurfaceParams, dataPtr);
static_assert(offsetof(nvmm::SurfaceParams, planes) == offsetof(NvBufSurfaceParams, planeParams));
SAME_OFFSET(nvmm::SurfaceParams, mapped, NvBufSurfaceParams, mappedAddr.addr);
SAME_OFFSET(nvmm::SurfaceParams, egl_image, NvBufSurfaceParams, mappedAddr.eglImage);

SAME_OFFSET(nvmm::PlaneParams, num_planes, NvBufSurfacePlaneParams, num_planes);
SAME_OFFSET(nvmm::PlaneParams, width, NvBufSurfacePlaneParams, width);
SAME_OFFSET(nvmm::PlaneParams, height, NvBufSurfacePlaneParams, height);
SAME_OFFSET(nvmm::PlaneParams, pitch, NvBufSurfacePlaneParams, pitch);
SAME_OFFSET(nvmm::PlaneParams, offset, NvBufSurfacePlaneParams, offset);
SAME_OFFSET(nvmm::PlaneParams, psize, NvBufSurfacePlaneParams, psize);
SAME_OFFSET(nvmm::PlaneParams, bytes_per_pixel, NvBufSurfacePlaneParams, bytesPerPix);
static_assert(NVBUF_MAX_PLANES == 4);

SAME_OFFSET(nvmm::CreateParams, gpu_id, NvBufSurfaceCreateParams, gpuId);
SAME_OFFSET(nvmm::CreateParams, width, NvBufSurfaceCreateParams, width);
SAME_OFFSET(nvmm::CreateParams, height, NvBufSurfaceCreateParams, height);
SAME_OFFSET(nvmm::CreateParams, size, NvBufSurfaceCreateParams, size);
SAME_OFFSET(nvmm::CreateParams, is_contiguous, NvBufSurfaceCreateParams, isContiguous);
SAME_OFFSET(nvmm::CreateParams, color_format, NvBufSurfaceCreateParams, colorFormat);
SAME_OFFSET(nvmm::CreateParams, layout, NvBufSurfaceCreateParams, layout);
SAME_OFFSET(nvmm::CreateParams, mem_type, NvBufSurfaceCreateParams, memType);
static_assert(sizeof(nvmm::CreateParams) >= sizeof(NvBufSurfaceCreateParams));

// The layout is one of the two generations, never a mixture.
constexpr bool is_of(const nvmm::BatchLayout& layout) {
  return sizeof(NvBufSurface) == layout.surface_size &&
         sizeof(NvBufSurfaceParams) == layout.params_size;
}
static_assert(is_of(nvmm::kClassicLayout) || is_of(nvmm::kExtendedLayout));

constexpr bool same(nvmm::MemType ours, NvBufSurfaceMemType theirs) {
  return static_cast<int>(ours) == static_cast<int>(theirs);
}
static_assert(same(nvmm::MemType::kDefault, NVBUF_MEM_DEFAULT));
static_assert(same(nvmm::MemType::kCudaPinned, NVBUF_MEM_CUDA_PINNED));
static_assert(same(nvmm::MemType::kCudaDevice, NVBUF_MEM_CUDA_DEVICE));
static_assert(same(nvmm::MemType::kCudaUnified, NVBUF_MEM_CUDA_UNIFIED));
static_assert(same(nvmm::MemType::kSurfaceArray, NVBUF_MEM_SURFACE_ARRAY));
static_assert(same(nvmm::MemType::kHandle, NVBUF_MEM_HANDLE));
static_assert(same(nvmm::MemType::kSystem, NVBUF_MEM_SYSTEM));

constexpr bool same(nvmm::ColorFormat ours, NvBufSurfaceColorFormat theirs) {
  return static_cast<int>(ours) == static_cast<int>(theirs);
}
static_assert(same(nvmm::ColorFormat::kGray8, NVBUF_COLOR_FORMAT_GRAY8));
static_assert(same(nvmm::ColorFormat::kYuv420, NVBUF_COLOR_FORMAT_YUV420));
static_assert(same(nvmm::ColorFormat::kYuv420FullRange, NVBUF_COLOR_FORMAT_YUV420_ER));
static_assert(same(nvmm::ColorFormat::kNv12, NVBUF_COLOR_FORMAT_NV12));
static_assert(same(nvmm::ColorFormat::kNv12FullRange, NVBUF_COLOR_FORMAT_NV12_ER));
static_assert(same(nvmm::ColorFormat::kRgba, NVBUF_COLOR_FORMAT_RGBA));
static_assert(same(nvmm::ColorFormat::kYuv420Bt709, NVBUF_COLOR_FORMAT_YUV420_709));
static_assert(same(nvmm::ColorFormat::kYuv420Bt709FullRange, NVBUF_COLOR_FORMAT_YUV420_709_ER));
static_assert(same(nvmm::ColorFormat::kNv12Bt709, NVBUF_COLOR_FORMAT_NV12_709));
static_assert(same(nvmm::ColorFormat::kNv12Bt709FullRange, NVBUF_COLOR_FORMAT_NV12_709_ER));
static_assert(same(nvmm::ColorFormat::kYuv420Bt2020, NVBUF_COLOR_FORMAT_YUV420_2020));
static_assert(same(nvmm::ColorFormat::kNv12Bt2020, NVBUF_COLOR_FORMAT_NV12_2020));
#ifdef HAVE_GRAY8_ER
static_assert(same(nvmm::ColorFormat::kGray8FullRange, NVBUF_COLOR_FORMAT_GRAY8_ER));
#endif
#ifdef HAVE_GRAY16_LE
static_assert(same(nvmm::ColorFormat::kGray16Le, NVBUF_COLOR_FORMAT_GRAY16_LE));
#endif

static_assert(static_cast<int>(nvmm::PlaneLayout::kPitch) == NVBUF_LAYOUT_PITCH);
static_assert(static_cast<int>(nvmm::PlaneLayout::kBlockLinear) == NVBUF_LAYOUT_BLOCK_LINEAR);
static_assert(static_cast<int>(nvmm::MapFlags::kRead) == NVBUF_MAP_READ);
static_assert(static_cast<int>(nvmm::MapFlags::kWrite) == NVBUF_MAP_WRITE);
static_assert(static_cast<int>(nvmm::MapFlags::kReadWrite) == NVBUF_MAP_READ_WRITE);

// Functions looked up by name.
template <typename Expected, typename Function>
constexpr bool is_a(Function*) {
  return std::is_same_v<Expected, Function>;
}
static_assert(
    is_a<int(NvBufSurface**, std::uint32_t, NvBufSurfaceCreateParams*)>(NvBufSurfaceCreate));
static_assert(is_a<int(NvBufSurface*)>(NvBufSurfaceDestroy));
static_assert(is_a<int(NvBufSurface*, int, int, NvBufSurfaceMemMapFlags)>(NvBufSurfaceMap));
static_assert(is_a<int(NvBufSurface*, int, int)>(NvBufSurfaceUnMap));
static_assert(is_a<int(NvBufSurface*, int, int)>(NvBufSurfaceSyncForCpu));
static_assert(is_a<int(NvBufSurface*, int, int)>(NvBufSurfaceSyncForDevice));
static_assert(is_a<int(NvBufSurface*, int)>(NvBufSurfaceMapEglImage));
static_assert(is_a<int(NvBufSurface*, int)>(NvBufSurfaceUnMapEglImage));

// Offsets that tests write to.
namespace abi = nvmm_abi;
static_assert(abi::kClassic.surface == nvmm::kClassicLayout.surface_size);
static_assert(abi::kClassic.params == nvmm::kClassicLayout.params_size);
static_assert(abi::kExtended.surface == nvmm::kExtendedLayout.surface_size);
static_assert(abi::kExtended.params == nvmm::kExtendedLayout.params_size);
static_assert(abi::surface::kNumFilled == offsetof(NvBufSurface, numFilled));
static_assert(abi::surface::kMemType == offsetof(NvBufSurface, memType));
static_assert(abi::surface::kList == offsetof(NvBufSurface, surfaceList));
static_assert(abi::params::kColorFormat == offsetof(NvBufSurfaceParams, colorFormat));
static_assert(abi::params::kBufferDesc == offsetof(NvBufSurfaceParams, bufferDesc));
static_assert(abi::params::kDataSize == offsetof(NvBufSurfaceParams, dataSize));
static_assert(abi::params::kData == offsetof(NvBufSurfaceParams, dataPtr));
static_assert(abi::params::kNumPlanes == offsetof(NvBufSurfaceParams, planeParams.num_planes));
static_assert(abi::params::kPlaneWidth == offsetof(NvBufSurfaceParams, planeParams.width));
static_assert(abi::params::kPlaneHeight == offsetof(NvBufSurfaceParams, planeParams.height));
static_assert(abi::params::kPlanePitch == offsetof(NvBufSurfaceParams, planeParams.pitch));
static_assert(abi::params::kPlaneOffset == offsetof(NvBufSurfaceParams, planeParams.offset));
static_assert(abi::params::kPlaneSize == offsetof(NvBufSurfaceParams, planeParams.psize));
static_assert(abi::params::kBytesPerPixel == offsetof(NvBufSurfaceParams, planeParams.bytesPerPix));
static_assert(abi::params::kMapped == offsetof(NvBufSurfaceParams, mappedAddr.addr));
static_assert(abi::params::kEglImage == offsetof(NvBufSurfaceParams, mappedAddr.eglImage));
static_assert(abi::create::kColorFormat == offsetof(NvBufSurfaceCreateParams, colorFormat));
static_assert(abi::create::kLayout == offsetof(NvBufSurfaceCreateParams, layout));
static_assert(abi::create::kMemType == offsetof(NvBufSurfaceCreateParams, memType));
