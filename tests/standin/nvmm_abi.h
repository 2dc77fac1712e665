// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STANDIN_NVMM_ABI_H_
#define RDP_TESTS_STANDIN_NVMM_ABI_H_

#include <cstddef>

// Sizes and offsets of NvBufSurface, as compiled from NVIDIA's headers. Tests access the structures
// with these, so that they do not depend on the product's declarations.
namespace nvmm_abi {

// NvBufSurface and NvBufSurfaceParams in the two generations of headers.
struct Sizes {
  std::size_t surface;
  std::size_t params;
};
inline constexpr Sizes kClassic{64, 384};
inline constexpr Sizes kExtended{72, 416};

// NvBufSurfaceMemType.
inline constexpr int kDefault = 0, kPinned = 1, kDevice = 2, kUnified = 3, kSurfaceArray = 4,
                     kHandle = 5, kSystem = 6;
// NvBufSurfaceColorFormat.
inline constexpr int kGray8 = 1, kYuv420 = 2, kYuv420FullRange = 4, kNv12 = 6, kNv12FullRange = 7,
                     kRgba = 19, kYuv420Bt709 = 31, kYuv420Bt709FullRange = 32, kNv12Bt709 = 33,
                     kNv12Bt709FullRange = 34, kYuv420Bt2020 = 35, kNv12Bt2020 = 36,
                     kGray8FullRange = 88, kGray16 = 92;

// NvBufSurface.
namespace surface {
inline constexpr std::size_t kGpuId = 0, kBatchSize = 4, kNumFilled = 8, kMemType = 16, kList = 24;
}
// NvBufSurfaceParams.
namespace params {
inline constexpr std::size_t kWidth = 0, kHeight = 4, kPitch = 8, kColorFormat = 12, kLayout = 16,
                             kBufferDesc = 24, kDataSize = 32, kData = 40, kNumPlanes = 48,
                             kPlaneWidth = 52, kPlaneHeight = 68, kPlanePitch = 84,
                             kPlaneOffset = 100, kPlaneSize = 116, kBytesPerPixel = 132,
                             kMapped = 280, kEglImage = 312;
}
// NvBufSurfaceCreateParams.
namespace create {
inline constexpr std::size_t kGpuId = 0, kWidth = 4, kHeight = 8, kColorFormat = 20, kLayout = 24,
                             kMemType = 28;
}

}  // namespace nvmm_abi

#endif  // RDP_TESTS_STANDIN_NVMM_ABI_H_
