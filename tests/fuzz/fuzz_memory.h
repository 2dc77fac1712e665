// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_FUZZ_FUZZ_MEMORY_H_
#define RDP_TESTS_FUZZ_FUZZ_MEMORY_H_

#include <gst/gst.h>

#include <vector>

namespace rdp::fuzz {

// Backing store of GstMemory that may refuse to be mapped. The harness can inspect its bytes after
// the memory is freed.
struct Backing {
  std::vector<guint8> bytes;
  int owners = 1;  // the harness, and each memory that lies in it
};

void backing_unref(Backing* backing);

// Number of live backings; any left at the end is a leak.
int live_backings();

// Layout of a buffer over the bytes of a backing: n ascending cuts (offsets) make n + 1 memories.
struct MemoryPlan {
  std::vector<gsize> cuts;
  bool read_only = false;
  GstMapFlags refused = static_cast<GstMapFlags>(0);  // access modes in which mapping always fails
};
Backing* backing_new(std::vector<guint8> bytes);
GstBuffer* buffer_on(Backing* backing, const MemoryPlan& plan);

}  // namespace rdp::fuzz

#endif  // RDP_TESTS_FUZZ_FUZZ_MEMORY_H_
