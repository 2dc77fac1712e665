// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/fuzz/fuzz_memory.h"

#include <utility>

#include "tests/fuzz/fuzz_input.h"

namespace {

int backings = 0;

// Allocator of memory that refuses some map modes.
struct FuzzMemory {
  GstMemory memory;
  rdp::fuzz::Backing* backing;
  guint8* data;
  int refused;
};

struct FuzzAllocator {
  GstAllocator parent;
};
struct FuzzAllocatorClass {
  GstAllocatorClass parent;
};
G_DEFINE_TYPE(FuzzAllocator, fuzz_allocator, GST_TYPE_ALLOCATOR)

gpointer map_full(GstMemory* memory, GstMapInfo* info, gsize) {
  auto* self = reinterpret_cast<FuzzMemory*>(memory);
  return (static_cast<int>(info->flags) & self->refused) != 0 ? nullptr : self->data;
}

void free_memory(GstAllocator*, GstMemory* memory) {
  auto* self = reinterpret_cast<FuzzMemory*>(memory);
  rdp::fuzz::backing_unref(self->backing);
  delete self;
}

void fuzz_allocator_class_init(FuzzAllocatorClass* klass) {
  auto* allocator_class = GST_ALLOCATOR_CLASS(klass);
  allocator_class->alloc = nullptr;
  allocator_class->free = free_memory;
}

void fuzz_allocator_init(FuzzAllocator* self) {
  GstAllocator* allocator = GST_ALLOCATOR_CAST(self);
  allocator->mem_type = "FuzzMemory";
  allocator->mem_map_full = map_full;
  allocator->mem_unmap_full = [](GstMemory*, GstMapInfo*) {};
  GST_OBJECT_FLAG_SET(self, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
  GST_OBJECT_FLAG_SET(self, GST_OBJECT_FLAG_MAY_BE_LEAKED);
}

}  // namespace

namespace rdp::fuzz {

Backing* backing_new(std::vector<guint8> bytes) {
  ++backings;
  return new Backing{std::move(bytes), 1};
}

void backing_unref(Backing* backing) {
  FUZZ_CHECK(backing->owners > 0, "memory was freed twice");
  if (--backing->owners > 0) return;
  --backings;
  delete backing;
}

int live_backings() { return backings; }

GstBuffer* buffer_on(Backing* backing, const MemoryPlan& plan) {
  static auto* allocator = static_cast<GstAllocator*>(
      gst_object_ref_sink(g_object_new(fuzz_allocator_get_type(), nullptr)));
  GstBuffer* buffer = gst_buffer_new();
  for (std::size_t i = 0; i <= plan.cuts.size(); ++i) {
    const gsize first = i == 0 ? 0 : plan.cuts[i - 1];
    const gsize end = i == plan.cuts.size() ? backing->bytes.size() : plan.cuts[i];
    auto* self = new FuzzMemory{};
    self->backing = backing;
    self->data = backing->bytes.data() + first;
    self->refused = plan.refused;
    ++backing->owners;
    // Not shareable: sub-memories would need their own maps.
    int flags = GST_MEMORY_FLAG_NO_SHARE;
    if (plan.read_only) flags |= GST_MEMORY_FLAG_READONLY;
    gst_memory_init(GST_MEMORY_CAST(self), static_cast<GstMemoryFlags>(flags), allocator, nullptr,
                    end - first, 0, 0, end - first);
    gst_buffer_append_memory(buffer, GST_MEMORY_CAST(self));
  }
  return buffer;
}

}  // namespace rdp::fuzz
