// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_INSTANCE_MEMORY_H_
#define RDP_GST_MEMORY_INSTANCE_MEMORY_H_

#include <glib.h>

#include <cstddef>
#include <vector>

namespace rdp::gst {

// For what an element has from its first moment to its last. A function that initialises instances
// cannot fail, so this memory comes from where the instance's own does: from GLib, which ends the
// process where there is none.
struct InstanceMemory {
  static void* operator new(std::size_t size) { return g_malloc(size); }
  static void operator delete(void* memory) { g_free(memory); }
};

// The same for an array whose length depends on pads, where those who add to it cannot fail.
template <typename T>
struct InstanceAllocator {
  using value_type = T;
  InstanceAllocator() = default;
  template <typename Other>
  InstanceAllocator(const InstanceAllocator<Other>&) {}  // NOLINT: as the C++ library wants it
  T* allocate(std::size_t count) { return static_cast<T*>(g_malloc_n(count, sizeof(T))); }
  void deallocate(T* memory, std::size_t) { g_free(memory); }
  bool operator==(const InstanceAllocator&) const = default;
};
template <typename T>
using InstanceVector = std::vector<T, InstanceAllocator<T>>;

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_INSTANCE_MEMORY_H_
