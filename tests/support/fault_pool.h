// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_FAULT_POOL_H_
#define RDP_TESTS_SUPPORT_FAULT_POOL_H_

#include "tests/support/frames.h"

// A buffer pool and an allocator that fail on demand.

// The operation that a pool fails.
enum class PoolFault {
  kNone,
  kConfigure,  // refuses every configuration
  kStart,      // cannot be made active
  kAllocate,   // allocates no buffer from the nth on
  kAcquire,    // returns GST_FLOW_ERROR for the nth buffer
  kFlushing,   // returns GST_FLOW_FLUSHING from the nth buffer on
};

struct FaultPool {
  GstBufferPool parent;
  PoolFault fault;
  int nth;  // from 1
  int calls;
};
struct FaultPoolClass {
  GstBufferPoolClass parent;
};

G_DEFINE_TYPE(FaultPool, fault_pool, GST_TYPE_BUFFER_POOL)

static void fault_pool_class_init(FaultPoolClass* klass) {
  auto* pool_class = GST_BUFFER_POOL_CLASS(klass);
  pool_class->set_config = [](GstBufferPool* pool, GstStructure* config) -> gboolean {
    if (reinterpret_cast<FaultPool*>(pool)->fault == PoolFault::kConfigure) return FALSE;
    return GST_BUFFER_POOL_CLASS(fault_pool_parent_class)->set_config(pool, config);
  };
  pool_class->start = [](GstBufferPool* pool) -> gboolean {
    if (reinterpret_cast<FaultPool*>(pool)->fault == PoolFault::kStart) return FALSE;
    return GST_BUFFER_POOL_CLASS(fault_pool_parent_class)->start(pool);
  };
  pool_class->alloc_buffer = [](GstBufferPool* pool, GstBuffer** buffer,
                                GstBufferPoolAcquireParams* params) -> GstFlowReturn {
    auto* self = reinterpret_cast<FaultPool*>(pool);
    if (self->fault == PoolFault::kAllocate && ++self->calls >= self->nth) return GST_FLOW_ERROR;
    return GST_BUFFER_POOL_CLASS(fault_pool_parent_class)->alloc_buffer(pool, buffer, params);
  };
  pool_class->acquire_buffer = [](GstBufferPool* pool, GstBuffer** buffer,
                                  GstBufferPoolAcquireParams* params) -> GstFlowReturn {
    auto* self = reinterpret_cast<FaultPool*>(pool);
    const bool acquires = self->fault == PoolFault::kAcquire || self->fault == PoolFault::kFlushing;
    if (acquires) self->calls++;
    if (self->fault == PoolFault::kAcquire && self->calls == self->nth) return GST_FLOW_ERROR;
    if (self->fault == PoolFault::kFlushing && self->calls >= self->nth) return GST_FLOW_FLUSHING;
    return GST_BUFFER_POOL_CLASS(fault_pool_parent_class)->acquire_buffer(pool, buffer, params);
  };
}

static void fault_pool_init(FaultPool*) {}

inline GstBufferPool* fault_pool_new(PoolFault fault, int nth) {
  auto* pool = static_cast<FaultPool*>(g_object_new(fault_pool_get_type(), nullptr));
  gst_object_ref_sink(pool);
  pool->fault = fault;
  pool->nth = nth;
  return GST_BUFFER_POOL(pool);
}

// An allocator of system memory that fails from the nth call on.
struct FaultAllocator {
  GstAllocator parent;
  int nth;  // from 1
  int calls;
};
struct FaultAllocatorClass {
  GstAllocatorClass parent;
};

G_DEFINE_TYPE(FaultAllocator, fault_allocator, GST_TYPE_ALLOCATOR)

static void fault_allocator_class_init(FaultAllocatorClass* klass) {
  klass->parent.alloc = [](GstAllocator* allocator, gsize size,
                           GstAllocationParams* params) -> GstMemory* {
    auto* self = reinterpret_cast<FaultAllocator*>(allocator);
    return ++self->calls >= self->nth ? nullptr : gst_allocator_alloc(nullptr, size, params);
  };
}

static void fault_allocator_init(FaultAllocator* self) { self->parent.mem_type = "FaultMemory"; }

inline GstAllocator* fault_allocator_new(int nth) {
  auto* allocator = static_cast<FaultAllocator*>(g_object_new(fault_allocator_get_type(), nullptr));
  gst_object_ref_sink(allocator);
  allocator->nth = nth;
  return GST_ALLOCATOR(allocator);
}

#endif  // RDP_TESTS_SUPPORT_FAULT_POOL_H_
