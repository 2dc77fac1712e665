// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_FUZZ_FUZZ_MEMORY_H_
#define RDP_TESTS_FUZZ_FUZZ_MEMORY_H_

#include <gst/gst.h>

#include <vector>

namespace rdp::fuzz {

// Memory as it may come from anybody: it may refuse to be mapped, and its bytes stay where the
// harness can look at them for as long as it wants.
struct Backing {
  std::vector<guint8> bytes;
  int owners = 1;  // the harness, and each memory that lies in it
};

void backing_unref(Backing* backing);

// How many of them there are: what is left over was lost.
int live_backings();

// A buffer of the bytes of `backing`, in as many memories as there are cuts and one more. The cuts
// are ascending offsets.
struct MemoryPlan {
  std::vector<gsize> cuts;
  bool read_only = false;
  GstMapFlags refused = static_cast<GstMapFlags>(0);  // what cannot be mapped, ever
};
Backing* backing_new(std::vector<guint8> bytes);
GstBuffer* buffer_on(Backing* backing, const MemoryPlan& plan);

}  // namespace rdp::fuzz

#endif  // RDP_TESTS_FUZZ_FUZZ_MEMORY_H_
