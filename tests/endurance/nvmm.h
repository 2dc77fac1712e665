// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_NVMM_H_
#define RDP_TESTS_ENDURANCE_NVMM_H_

#include <gst/gst.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "tests/endurance/content.h"

// Frames in NVMM memory, as a producer other than NVIDIA's makes them. GstMemory of NVMM is never
// shared or copied: each buffer has its own memory that wraps the same surface.
namespace rdp::endurance {

inline constexpr char kNvmmFeature[] = "memory:NVMM";

// Makes frames whose samples begin at the shape's offset, with its stride if it has one.
using NvmmMaker = std::function<GstBuffer*(const Content&)>;

// The surfaces are on the device (8-bit ones in page-locked memory) or in system memory. The maker
// throws std::runtime_error if the build does not support that.
NvmmMaker make_nvmm_maker(bool on_device);

// The following take any buffer.

// Returns another buffer of the same surface (transfer full) (nullable: other memory).
GstBuffer* share_nvmm(GstBuffer* buffer);
// Writes the samples again after an element has changed them in place.
void restore_nvmm(GstBuffer* buffer, const Content& content);
// The samples as they are in the surface, row after row without gaps; empty for other memory.
std::vector<std::byte> nvmm_samples(GstBuffer* buffer);

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_NVMM_H_
