// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/conformance/nvmm.h"

namespace conformance {

// The kinds of memory in builds without CUDA.
std::vector<const Memory*> memories_of(const Element& element) { return memories_of_cpu(element); }

Rows cuda_rows() { return {"contexts", {}}; }

}  // namespace conformance
