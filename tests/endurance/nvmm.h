// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_NVMM_H_
#define RDP_TESTS_ENDURANCE_NVMM_H_

#include <gst/gst.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "tests/endurance/content.h"

// Frames in NVMM memory, as a producer other than NVIDIA's makes them. Nobody shares or copies such
// memory: each buffer of a surface has a memory of its own, and one surface goes round.
namespace rdp::endurance {

inline constexpr char kNvmmFeature[] = "memory:NVMM";

// Makes frames whose samples lie at the shape's offset, with its stride if it has one.
using NvmmMaker = std::function<GstBuffer*(const Content&)>;

// On the device, those of 8 bits in page-locked memory, or in system memory. Where the build cannot
// do that, the maker throws std::runtime_error.
NvmmMaker make_nvmm_maker(bool on_device);

// The following take any buffer.

// Another buffer of the same surface, or null for other memory.
GstBuffer* share_nvmm(GstBuffer* buffer);
// Writes the samples again, which somebody was asked to change.
void restore_nvmm(GstBuffer* buffer, const Content& content);
// The samples as they are in the surface, row after row without gaps; empty for other memory.
std::vector<std::byte> nvmm_samples(GstBuffer* buffer);

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_NVMM_H_
