// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_CONFORMANCE_NVMM_H_
#define RDP_TESTS_CONFORMANCE_NVMM_H_

#include <memory>
#include <vector>

#include "tests/conformance/stream.h"
#include "tests/support/nvmm_surface.h"

// Frames in NVMM memory, each a batch of one.
namespace conformance {

inline constexpr char kNvmm[] = "memory:NVMM";

// True if its caps name NVMM memory.
bool takes_nvmm(const Element& element);
// The same where the CPU works.
std::vector<const Memory*> memories_of_cpu(const Element& element);
// In memory of the batch's type.
GstBuffer* new_nvmm_buffer(const Content& content, const nvmm_frames::Batch& batch);
// Surfaces stay until the next stream begins: a driver that says no does it to the element alone.
inline bool surfaces_are_held = false;

bool is_nvmm(GstBuffer* buffer);
// The samples of such a buffer; empty where its context is lost.
std::vector<std::uint8_t> nvmm_samples(GstBuffer* buffer);

}  // namespace conformance

#endif  // RDP_TESTS_CONFORMANCE_NVMM_H_
