// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_MEMORY_KIND_H_
#define RDP_GST_MEMORY_MEMORY_KIND_H_

#include <gst/gst.h>

namespace rdp::gst {

enum class MemoryKind { kSystem, kCuda, kNvmm };

// Caps features that name memory other than the system's.
inline constexpr const char* kCudaFeature = "memory:CUDAMemory";
inline constexpr const char* kNvmmFeature = "memory:NVMM";

// Returns the kind of memory of caps with these features.
inline MemoryKind memory_kind(const GstCapsFeatures* features) {
  if (features == nullptr) return MemoryKind::kSystem;
  if (gst_caps_features_contains(features, kCudaFeature)) return MemoryKind::kCuda;
  if (gst_caps_features_contains(features, kNvmmFeature)) return MemoryKind::kNvmm;
  return MemoryKind::kSystem;
}
// Returns the kind of memory of fixed caps.
inline MemoryKind memory_kind(const GstCaps* caps) {
  return memory_kind(gst_caps_get_features(caps, 0));
}

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_MEMORY_KIND_H_
