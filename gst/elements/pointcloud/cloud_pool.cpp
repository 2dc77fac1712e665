// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/pointcloud/cloud_pool.h"

#include <algorithm>
#include <bit>

namespace rdp::gst {

namespace {

// Rounds up by an eighth or 4 KiB at most.
gsize with_room(gsize size) {
  const gsize step = std::max<gsize>(std::bit_floor(size) / 8, 4096);
  return (size + step - 1) / step * step;
}

}  // namespace

void CloudPool::decide(GstQuery* query) {
  while (gst_query_get_n_allocation_pools(query) > 0) {
    gst_query_remove_nth_allocation_pool(query, 0);
  }
  stop();
  gst_allocation_params_init(&params_);
  if (gst_query_get_n_allocation_params(query) > 0) {
    gst_query_parse_nth_allocation_param(query, 0, &allocator_, &params_);
  }
}

bool CloudPool::make(gsize size) {
  GstBufferPool* pool = gst_buffer_pool_new();
  GstStructure* config = gst_buffer_pool_get_config(pool);
  gst_buffer_pool_config_set_params(config, nullptr, static_cast<guint>(size), 0, 0);
  gst_buffer_pool_config_set_allocator(config, allocator_, &params_);
  if (!gst_buffer_pool_set_config(pool, config) || !gst_buffer_pool_set_active(pool, TRUE)) {
    gst_object_unref(pool);
    return false;
  }
  pool_ = pool;
  capacity_ = size;
  return true;
}

GstBuffer* CloudPool::acquire(gsize size, bool several, GstFlowReturn* flow) {
  *flow = GST_FLOW_ERROR;
  // A pool would discard buffers without bytes as changed.
  if (size == 0) {
    *flow = GST_FLOW_OK;
    return gst_buffer_new();
  }
  if (pool_ != nullptr && size > capacity_) {
    gst_buffer_pool_set_active(pool_, FALSE);
    gst_clear_object(&pool_);
  }
  // Pools have sizes of 32 bits.
  if (size > G_MAXUINT32) {
    GstBuffer* buffer = gst_buffer_new_allocate(allocator_, size, &params_);
    if (buffer != nullptr) *flow = GST_FLOW_OK;
    return buffer;
  }
  if (pool_ == nullptr) {
    const gsize room = several ? std::min<gsize>(with_room(size), G_MAXUINT32) : size;
    if (!make(room)) return nullptr;
  }
  GstBuffer* buffer = nullptr;
  *flow = gst_buffer_pool_acquire_buffer(pool_, &buffer, nullptr);
  if (*flow != GST_FLOW_OK) return nullptr;
  gst_buffer_set_size(buffer, static_cast<gssize>(size));
  return buffer;
}

void CloudPool::stop() {
  if (pool_ != nullptr) gst_buffer_pool_set_active(pool_, FALSE);
  gst_clear_object(&pool_);
  gst_clear_object(&allocator_);
  capacity_ = 0;
}

}  // namespace rdp::gst
