// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/cuda_memory.h"

GST_DEBUG_CATEGORY_STATIC(rdp_cuda_depth_pool_debug);
#define GST_CAT_DEFAULT rdp_cuda_depth_pool_debug

G_BEGIN_DECLS

#define RDP_TYPE_CUDA_DEPTH_POOL (rdp_cuda_depth_pool_get_type())
G_DECLARE_FINAL_TYPE(RdpCudaDepthPool, rdp_cuda_depth_pool, RDP, CUDA_DEPTH_POOL, GstBufferPool)

G_END_DECLS

struct _RdpCudaDepthPool {
  GstBufferPool parent;

  GstCudaContext* context;
  // From the configuration: the frames, and the format that their memory is allocated as.
  GstVideoInfo info;
  GstVideoInfo surrogate;
#ifdef RDP_GST_CUDA_STREAMS
  GstCudaStream* stream;
#endif
};

G_DEFINE_TYPE(RdpCudaDepthPool, rdp_cuda_depth_pool, GST_TYPE_BUFFER_POOL)

// Fills in an RGBA format with the same bytes per row and the same rows. GStreamer's CUDA allocator
// ends the process (1.22) or fails (later) for gray formats, also when it copies such memory. It
// uses the format only to compute sizes. The GstVideoMeta has the real format.
static void surrogate_for(const GstVideoInfo& info, GstVideoInfo* surrogate) {
  const guint row_bytes = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info)) *
                          static_cast<guint>(GST_VIDEO_INFO_COMP_PSTRIDE(&info, 0));
  gst_video_info_set_format(surrogate, GST_VIDEO_FORMAT_RGBA, (row_bytes + 3) / 4,
                            static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info)));
}

static GstMemory* allocate(RdpCudaDepthPool* self) {
  GstAllocator* allocator = gst_allocator_find(GST_CUDA_MEMORY_TYPE_NAME);
#ifdef RDP_GST_CUDA_STREAMS
  GstMemory* memory = gst_cuda_allocator_alloc(GST_CUDA_ALLOCATOR_CAST(allocator), self->context,
                                               self->stream, &self->surrogate);
#else
  GstMemory* memory =
      gst_cuda_allocator_alloc(GST_CUDA_ALLOCATOR_CAST(allocator), self->context, &self->surrogate);
#endif
  gst_object_unref(allocator);
  return memory;
}

static const gchar** rdp_cuda_depth_pool_get_options(GstBufferPool*) {
  static const gchar* options[] = {GST_BUFFER_POOL_OPTION_VIDEO_META, nullptr};
  return options;
}

static gboolean rdp_cuda_depth_pool_set_config(GstBufferPool* pool, GstStructure* config) {
  RdpCudaDepthPool* self = RDP_CUDA_DEPTH_POOL(pool);
  GstCaps* caps = nullptr;
  guint size, min, max;
  if (!gst_buffer_pool_config_get_params(config, &caps, &size, &min, &max) || caps == nullptr) {
    GST_WARNING_OBJECT(self, "the configuration has no caps: %" GST_PTR_FORMAT,
                       static_cast<void*>(config));
    return FALSE;
  }
  GstVideoInfo info;
  if (!gst_video_info_from_caps(&info, caps) ||
      (GST_VIDEO_INFO_FORMAT(&info) != GST_VIDEO_FORMAT_GRAY8 &&
       GST_VIDEO_INFO_FORMAT(&info) != GST_VIDEO_FORMAT_GRAY16_LE)) {
    GST_WARNING_OBJECT(self, "this pool has frames of GRAY8 and GRAY16_LE, not %" GST_PTR_FORMAT,
                       static_cast<void*>(caps));
    return FALSE;
  }
  self->info = info;
  surrogate_for(info, &self->surrogate);
#ifdef RDP_GST_CUDA_STREAMS
  gst_clear_cuda_stream(&self->stream);
  self->stream = gst_buffer_pool_config_get_cuda_stream(config);
#endif
  // Only the device knows its pitch, and so the size: allocate one memory to find out.
  GstMemory* memory = allocate(self);
  if (memory == nullptr) {
    GST_WARNING_OBJECT(self, "the device has no memory for %" GST_PTR_FORMAT,
                       static_cast<void*>(caps));
    return FALSE;
  }
  const auto memory_size = static_cast<guint>(memory->size);
  gst_memory_unref(memory);
  gst_buffer_pool_config_set_params(config, caps, memory_size, min, max);
  gst_buffer_pool_config_add_option(config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  return GST_BUFFER_POOL_CLASS(rdp_cuda_depth_pool_parent_class)->set_config(pool, config);
}

static GstFlowReturn rdp_cuda_depth_pool_alloc_buffer(GstBufferPool* pool, GstBuffer** buffer,
                                                      GstBufferPoolAcquireParams*) {
  RdpCudaDepthPool* self = RDP_CUDA_DEPTH_POOL(pool);
  GstMemory* memory = allocate(self);
  if (memory == nullptr) {
    GST_WARNING_OBJECT(self, "the device has no memory for another frame");
    return GST_FLOW_ERROR;
  }
  GstBuffer* frame = gst_buffer_new();
  gst_buffer_append_memory(frame, memory);
  GstVideoInfo& layout = GST_CUDA_MEMORY_CAST(memory)->info;
  gst_buffer_add_video_meta_full(
      frame, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT(&self->info),
      static_cast<guint>(GST_VIDEO_INFO_WIDTH(&self->info)),
      static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&self->info)), 1, layout.offset, layout.stride);
  *buffer = frame;
  return GST_FLOW_OK;
}

// If the pool's minimum cannot be reached, GStreamer keeps the buffers already made: stop() frees
// them.
static gboolean rdp_cuda_depth_pool_start(GstBufferPool* pool) {
  auto* parent = GST_BUFFER_POOL_CLASS(rdp_cuda_depth_pool_parent_class);
  if (parent->start(pool)) return TRUE;
  parent->stop(pool);
  return FALSE;
}

static void rdp_cuda_depth_pool_finalize(GObject* object) {
  RdpCudaDepthPool* self = RDP_CUDA_DEPTH_POOL(object);
#ifdef RDP_GST_CUDA_STREAMS
  gst_clear_cuda_stream(&self->stream);
#endif
  // First the buffers, which the parent frees: each holds the context, too.
  GstCudaContext* context = self->context;
  G_OBJECT_CLASS(rdp_cuda_depth_pool_parent_class)->finalize(object);
  gst_object_unref(context);
}

static void rdp_cuda_depth_pool_class_init(RdpCudaDepthPoolClass* klass) {
  GST_DEBUG_CATEGORY_INIT(rdp_cuda_depth_pool_debug, "rdpcudadepthpool", 0,
                          "depth frames in CUDA memory");
  G_OBJECT_CLASS(klass)->finalize = rdp_cuda_depth_pool_finalize;
  auto* pool_class = GST_BUFFER_POOL_CLASS(klass);
  pool_class->get_options = rdp_cuda_depth_pool_get_options;
  pool_class->set_config = rdp_cuda_depth_pool_set_config;
  pool_class->start = rdp_cuda_depth_pool_start;
  pool_class->alloc_buffer = rdp_cuda_depth_pool_alloc_buffer;
}

static void rdp_cuda_depth_pool_init(RdpCudaDepthPool* self) {
  gst_video_info_init(&self->info);
  gst_video_info_init(&self->surrogate);
}

namespace rdp::gst {

GstBufferPool* cuda_depth_pool_new(GstCudaContext* context) {
  auto* pool = static_cast<RdpCudaDepthPool*>(g_object_new(RDP_TYPE_CUDA_DEPTH_POOL, nullptr));
  gst_object_ref_sink(pool);
  pool->context = static_cast<GstCudaContext*>(gst_object_ref(context));
  return GST_BUFFER_POOL(pool);
}

GstCudaContext* cuda_depth_pool_context(GstBufferPool* pool) {
  if (!G_TYPE_CHECK_INSTANCE_TYPE(pool, RDP_TYPE_CUDA_DEPTH_POOL)) return nullptr;
  return RDP_CUDA_DEPTH_POOL(pool)->context;
}

bool cuda_holds_depth(GstBufferPool* pool) {
  if (cuda_depth_pool_context(pool) != nullptr) return true;
  const GType type = G_OBJECT_TYPE(pool);
  return type != GST_TYPE_BUFFER_POOL && type != GST_TYPE_VIDEO_BUFFER_POOL &&
         type != GST_TYPE_CUDA_BUFFER_POOL;
}

GstBufferPool* cuda_picture_pool_new(GstCudaContext* context) {
  return gst_cuda_buffer_pool_new(context);
}

PoolKind cuda_depth_pools(GstCudaContext* context) {
  PoolKind kind;
  kind.make = [](gpointer data) { return cuda_depth_pool_new(GST_CUDA_CONTEXT(data)); };
  kind.takes = [](GstBufferPool* pool, gpointer data) {
    return cuda_depth_pool_context(pool) == data;
  };
  kind.data = context;
  kind.own_memory = true;
  return kind;
}

PoolKind cuda_picture_pools(GstCudaContext* context) {
  PoolKind kind;
  kind.make = [](gpointer data) { return cuda_picture_pool_new(GST_CUDA_CONTEXT(data)); };
  kind.takes = [](GstBufferPool* pool, gpointer data) {
    return GST_IS_CUDA_BUFFER_POOL(pool) && GST_CUDA_BUFFER_POOL(pool)->context == data;
  };
  kind.data = context;
  kind.own_memory = true;
  return kind;
}

}  // namespace rdp::gst
