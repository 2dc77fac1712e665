// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/nvmm_buffer.h"

G_BEGIN_DECLS

#define RDP_TYPE_NVMM_BUFFER_POOL (rdp_nvmm_buffer_pool_get_type())
G_DECLARE_FINAL_TYPE(RdpNvmmBufferPool, rdp_nvmm_buffer_pool, RDP, NVMM_BUFFER_POOL, GstBufferPool)

G_END_DECLS

struct _RdpNvmmBufferPool {
  GstBufferPool parent;
};

G_DEFINE_TYPE(RdpNvmmBufferPool, rdp_nvmm_buffer_pool, GST_TYPE_BUFFER_POOL)

static GstFlowReturn rdp_nvmm_buffer_pool_alloc_buffer(GstBufferPool*, GstBuffer** buffer,
                                                       GstBufferPoolAcquireParams*) {
  *buffer = gst_buffer_new();
  return GST_FLOW_OK;
}

// Removes the memory before the metadata, which returns the original to its own pool. That pool
// keeps a buffer only if nobody else holds its memory.
static void rdp_nvmm_buffer_pool_reset_buffer(GstBufferPool* pool, GstBuffer* buffer) {
  gst_buffer_remove_all_memory(buffer);
  GST_BUFFER_POOL_CLASS(rdp_nvmm_buffer_pool_parent_class)->reset_buffer(pool, buffer);
  GST_BUFFER_FLAG_UNSET(buffer, GST_BUFFER_FLAG_TAG_MEMORY);
}

static void rdp_nvmm_buffer_pool_class_init(RdpNvmmBufferPoolClass* klass) {
  auto* pool_class = GST_BUFFER_POOL_CLASS(klass);
  pool_class->alloc_buffer = rdp_nvmm_buffer_pool_alloc_buffer;
  pool_class->reset_buffer = rdp_nvmm_buffer_pool_reset_buffer;
}

static void rdp_nvmm_buffer_pool_init(RdpNvmmBufferPool*) {}

namespace rdp::gst {

GstBufferPool* nvmm_buffer_pool_new() {
  auto* pool = GST_BUFFER_POOL(g_object_new(RDP_TYPE_NVMM_BUFFER_POOL, nullptr));
  gst_object_ref_sink(pool);
  GstStructure* config = gst_buffer_pool_get_config(pool);
  gst_buffer_pool_config_set_params(config, nullptr, 0, 0, 0);
  gst_buffer_pool_set_config(pool, config);
  gst_buffer_pool_set_active(pool, TRUE);
  return pool;
}

namespace {

gboolean copy_meta_of_memory(GstBuffer* from, GstMeta** meta, gpointer to) {
  static const GQuark memory = g_quark_from_static_string(GST_META_TAG_MEMORY_STR);
  const GstMetaInfo* info = (*meta)->info;
  if (info->transform_func == nullptr || !gst_meta_api_type_has_tag(info->api, memory)) return TRUE;
  GstMetaTransformCopy whole{FALSE, 0, static_cast<gsize>(-1)};
  info->transform_func(static_cast<GstBuffer*>(to), *meta, from, _gst_meta_transform_copy, &whole);
  return TRUE;
}

}  // namespace

GstBuffer* nvmm_make_writable(GstBuffer* buffer, GstBufferPool* pool) {
  if (gst_buffer_is_writable(buffer)) return buffer;
  GstBuffer* writable = nullptr;
  if (gst_buffer_pool_acquire_buffer(pool, &writable, nullptr) != GST_FLOW_OK) {
    gst_buffer_unref(buffer);
    return nullptr;
  }
  constexpr auto kAllButMemory = static_cast<GstBufferCopyFlags>(
      GST_BUFFER_COPY_FLAGS | GST_BUFFER_COPY_TIMESTAMPS | GST_BUFFER_COPY_META);
  gst_buffer_copy_into(writable, buffer, kAllButMemory, 0, static_cast<gsize>(-1));
  for (guint i = 0; i < gst_buffer_n_memory(buffer); ++i) {
    gst_buffer_append_memory(writable, gst_buffer_get_memory(buffer, i));
  }
  // The memory is the same, so copy also metadata about it (GstVideoMeta), which was left out
  // above.
  gst_buffer_foreach_meta(buffer, copy_meta_of_memory, writable);
  // The memories are complete and unchanged.
  GST_BUFFER_FLAG_UNSET(writable, GST_BUFFER_FLAG_TAG_MEMORY);
  gst_buffer_add_parent_buffer_meta(writable, buffer);
  gst_buffer_unref(buffer);
  return writable;
}

TaggedBuffers::~TaggedBuffers() {
  gst_buffer_pool_set_active(pool_, FALSE);
  gst_object_unref(pool_);
}

GstBuffer* TaggedBuffers::make_writable(GstElement* element, GstBuffer* buffer, MemoryKind memory,
                                        GstFlowReturn* flow) {
  const bool in_nvmm = memory == MemoryKind::kNvmm;
  buffer = in_nvmm ? nvmm_make_writable(buffer, pool_) : gst_buffer_make_writable(buffer);
  if (buffer != nullptr) return buffer;
  *flow = in_nvmm ? GST_FLOW_FLUSHING : GST_FLOW_ERROR;  // the pool is being stopped
  if (in_nvmm) return nullptr;
  // The memory can neither be shared with another buffer nor be copied.
  GST_ELEMENT_ERROR(element, STREAM, FORMAT,
                    ("A frame cannot be read: others hold its buffer, and there is no copy of its "
                     "memory, which cannot be mapped."),
                    (nullptr));
  return nullptr;
}

}  // namespace rdp::gst
