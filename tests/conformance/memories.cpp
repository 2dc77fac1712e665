// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/conformance/stream.h"

namespace conformance {

// Where there is no CUDA.
std::vector<const Memory*> memories_of(const Element& element) {
  static const Memory kHost;
  return element.gpu_only ? std::vector<const Memory*>() : std::vector<const Memory*>{&kHost};
}

Rows cuda_rows() { return {"contexts", {}}; }

}  // namespace conformance
