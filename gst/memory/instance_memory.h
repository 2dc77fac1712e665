// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_INSTANCE_MEMORY_H_
#define RDP_GST_MEMORY_INSTANCE_MEMORY_H_

#include <glib.h>

#include <cstddef>
#include <vector>

namespace rdp::gst {

// Base of objects that live as long as their element. Instance initialisers cannot fail, so this
// memory comes from GLib like the instance's own: GLib ends the process if there is none.
struct InstanceMemory {
  static void* operator new(std::size_t size) { return g_malloc(size); }
  static void operator delete(void* memory) { g_free(memory); }
};

// Does the same for arrays whose length depends on pads, because adding to them cannot fail.
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
