// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_UNMAPPABLE_MEMORY_H_
#define RDP_TESTS_SUPPORT_UNMAPPABLE_MEMORY_H_

#include <gst/gst.h>

// An allocator other than the system's. It allocates nothing; memory that names it cannot be
// mapped.
typedef GstAllocator UnmappableAllocator;
typedef GstAllocatorClass UnmappableAllocatorClass;
static GType unmappable_allocator_get_type();
G_DEFINE_TYPE(UnmappableAllocator, unmappable_allocator, GST_TYPE_ALLOCATOR)
static void unmappable_allocator_class_init(UnmappableAllocatorClass* klass) {
  klass->free = [](GstAllocator*, GstMemory* memory) { g_free(memory); };
}
static void unmappable_allocator_init(UnmappableAllocator* self) {
  self->mem_type = "UnmappableMemory";
  self->mem_map = [](GstMemory*, gsize, GstMapFlags) -> gpointer { return nullptr; };
  self->mem_unmap = [](GstMemory*) {};
  GST_OBJECT_FLAG_SET(self, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

// (transfer full)
inline GstAllocator* new_unmappable_allocator() {
  return GST_ALLOCATOR(gst_object_ref_sink(g_object_new(unmappable_allocator_get_type(), nullptr)));
}

// (transfer full)
inline GstMemory* new_unmappable_memory(gsize size, GstMemoryFlags flags = GstMemoryFlags{}) {
  static GstAllocator* const allocator = new_unmappable_allocator();
  auto* memory = g_new0(GstMemory, 1);
  gst_memory_init(memory, flags, allocator, nullptr, size, 0, 0, size);
  return memory;
}

#endif  // RDP_TESTS_SUPPORT_UNMAPPABLE_MEMORY_H_
