// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STANDIN_NVDS_ABI_H_
#define RDP_TESTS_STANDIN_NVDS_ABI_H_

#include <cstddef>

// Sizes and offsets of DeepStream's batch metadata, as compiled from NVIDIA's headers. Tests write
// the structures with these, so that they do not depend on the product's declarations.
namespace nvds_abi {

// NvDsMeta, a GstMeta.
namespace meta {
inline constexpr std::size_t kSize = 72, kData = 16, kUser = 24, kType = 32;
}
// NvDsBaseMeta, the first member of the following structures.
namespace base {
inline constexpr std::size_t kBatch = 0, kType = 8;
}
// NvDsBatchMeta.
namespace batch {
inline constexpr std::size_t kSize = 192, kMaxFrames = 40, kFrames = 44, kList = 96;
}
// NvDsFrameMeta.
namespace frame {
inline constexpr std::size_t kSize = 256, kPad = 40, kPlace = 44, kNumber = 48, kPts = 56,
                             kSource = 72;
}
// NVDS_BATCH_GST_META; NVDS_BATCH_META and NVDS_FRAME_META.
inline constexpr int kBatchGst = 4097, kBatch = 1, kFrame = 2;

}  // namespace nvds_abi

#endif  // RDP_TESTS_STANDIN_NVDS_ABI_H_
