// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/pinned_memory.h"

#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "common/boundary.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

GST_DEBUG_CATEGORY_STATIC(rdp_pinned_allocator_debug);
#define GST_CAT_DEFAULT rdp_pinned_allocator_debug

namespace {

constexpr char kMemoryType[] = "rdp.pinned.memory";

// A page-locked block, or a shared part of one.
struct PinnedMemory {
  GstMemory memory;
  std::byte* data;
  std::shared_ptr<void> keep_alive;
};

}  // namespace

G_BEGIN_DECLS

#define RDP_TYPE_PINNED_ALLOCATOR (rdp_pinned_allocator_get_type())
G_DECLARE_FINAL_TYPE(RdpPinnedAllocator, rdp_pinned_allocator, RDP, PINNED_ALLOCATOR, GstAllocator)

G_END_DECLS

struct _RdpPinnedAllocator {
  GstAllocator parent;

  CUcontext context;
  std::shared_ptr<void> keep_alive;
};

G_DEFINE_TYPE(RdpPinnedAllocator, rdp_pinned_allocator, GST_TYPE_ALLOCATOR)

// Page-locked memory is page-aligned; larger alignments get ordinary memory.
static constexpr gsize kPageMask = 4095;

// Throws CudaError and std::bad_alloc.
static GstMemory* make_page_locked(GstAllocator* allocator, gsize size,
                                   const GstAllocationParams& params) {
  RdpPinnedAllocator* self = RDP_PINNED_ALLOCATOR(allocator);
  const gsize maxsize = size + params.prefix + params.padding;
  auto memory = std::make_unique<PinnedMemory>();
  void* data = nullptr;
  {
    const rdp::cuda::ContextScope scope(self->context);
    rdp::cuda::check(rdp::cuda::driver().cuMemHostAlloc(
                         &data, maxsize, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
                     "allocating page-locked memory");
  }
  memory->data = static_cast<std::byte*>(data);
  memory->keep_alive = self->keep_alive;
  // Padding between rows is never written, but goes into files.
  std::memset(memory->data, 0, maxsize);
  gst_memory_init(&memory->memory, params.flags, allocator, nullptr, maxsize, params.align,
                  params.prefix, size);
  return &memory.release()->memory;
}

static GstMemory* rdp_pinned_allocator_alloc(GstAllocator* allocator, gsize size,
                                             GstAllocationParams* params) {
  const gsize maxsize = size + params->prefix + params->padding;
  const auto use_ordinary_memory = [&](const char* reason) {
    GST_WARNING_OBJECT(allocator,
                       "no page-locked memory of %" G_GSIZE_FORMAT
                       " bytes (%s): using ordinary memory, which is copied more slowly",
                       maxsize, reason);
    return gst_allocator_alloc(nullptr, size, params);
  };
  if (maxsize == 0) return use_ordinary_memory("there is none without a size");
  if (params->align > kPageMask) return use_ordinary_memory("it is aligned to pages");
  return rdp::contain([&] { return make_page_locked(allocator, size, *params); },
                      use_ordinary_memory);
}

static void rdp_pinned_allocator_free(GstAllocator* allocator, GstMemory* base) {
  auto* memory = reinterpret_cast<PinnedMemory*>(base);
  if (base->parent == nullptr) {
    const rdp::cuda::FreeingScope scope(RDP_PINNED_ALLOCATOR(allocator)->context);
    if (scope) rdp::cuda::driver().cuMemFreeHost(memory->data);
  }
  delete memory;
}

static gpointer pinned_map(GstMemory* memory, gsize, GstMapFlags) {
  return reinterpret_cast<PinnedMemory*>(memory)->data;
}

static void pinned_unmap(GstMemory*) {}

static GstMemory* pinned_share(GstMemory* memory, gssize offset, gssize size) {
  GstMemory* parent = memory->parent == nullptr ? memory : memory->parent;
  if (size == -1) size = static_cast<gssize>(memory->size) - offset;
  const auto flags = static_cast<GstMemoryFlags>(GST_MINI_OBJECT_FLAGS(parent) |
                                                 GST_MINI_OBJECT_FLAG_LOCK_READONLY);
  auto* part = new (std::nothrow) PinnedMemory{};
  if (part == nullptr) return nullptr;  // GStreamer copies then
  part->data = reinterpret_cast<PinnedMemory*>(memory)->data;
  gst_memory_init(&part->memory, flags, memory->allocator, parent, memory->maxsize, memory->align,
                  memory->offset + static_cast<gsize>(offset), static_cast<gsize>(size));
  return &part->memory;
}

static void rdp_pinned_allocator_finalize(GObject* object) {
  RdpPinnedAllocator* self = RDP_PINNED_ALLOCATOR(object);
  self->keep_alive.~shared_ptr();
  G_OBJECT_CLASS(rdp_pinned_allocator_parent_class)->finalize(object);
}

static void rdp_pinned_allocator_class_init(RdpPinnedAllocatorClass* klass) {
  GST_DEBUG_CATEGORY_INIT(rdp_pinned_allocator_debug, "rdppinnedallocator", 0,
                          "page-locked system memory");
  G_OBJECT_CLASS(klass)->finalize = rdp_pinned_allocator_finalize;
  auto* allocator_class = GST_ALLOCATOR_CLASS(klass);
  allocator_class->alloc = rdp_pinned_allocator_alloc;
  allocator_class->free = rdp_pinned_allocator_free;
}

static void rdp_pinned_allocator_init(RdpPinnedAllocator* self) {
  new (&self->keep_alive) std::shared_ptr<void>;
  GstAllocator* allocator = GST_ALLOCATOR(self);
  allocator->mem_type = kMemoryType;
  allocator->mem_map = pinned_map;
  allocator->mem_unmap = pinned_unmap;
  allocator->mem_share = pinned_share;
}

namespace rdp::gst {

GstAllocator* pinned_allocator_new(CUcontext context, std::shared_ptr<void> keep_alive) {
  auto* allocator =
      static_cast<RdpPinnedAllocator*>(g_object_new(RDP_TYPE_PINNED_ALLOCATOR, nullptr));
  gst_object_ref_sink(allocator);
  allocator->context = context;
  allocator->keep_alive = std::move(keep_alive);
  return GST_ALLOCATOR(allocator);
}

}  // namespace rdp::gst
