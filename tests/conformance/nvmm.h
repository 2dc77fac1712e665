// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_CONFORMANCE_NVMM_H_
#define RDP_TESTS_CONFORMANCE_NVMM_H_

#include <memory>
#include <vector>

#include "tests/conformance/stream.h"
#include "tests/support/nvmm_surface.h"

// Frames in NVMM memory, each a batch of one surface.
namespace conformance {

inline constexpr char kNvmm[] = "memory:NVMM";

// True if the element's caps name NVMM memory.
bool takes_nvmm(const Element& element);
// The kinds of memory to test on the CPU.
std::vector<const Memory*> memories_of_cpu(const Element& element);
// A buffer in memory of the batch's type.
GstBuffer* new_nvmm_buffer(const Content& content, const nvmm_frames::Batch& batch);
// Keeps surfaces until the next stream begins, so that injected driver errors hit the element only.
inline bool surfaces_are_held = false;

bool is_nvmm(GstBuffer* buffer);
// The samples of an NVMM buffer; empty if its context is lost.
std::vector<std::uint8_t> nvmm_samples(GstBuffer* buffer);

}  // namespace conformance

#endif  // RDP_TESTS_CONFORMANCE_NVMM_H_
