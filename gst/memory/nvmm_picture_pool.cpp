// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/nvmm_picture_pool.h"

#include <gst/video/video.h>

#include "gst/memory/nvmm_library.h"

using rdp::gst::nvmm::MemType;
using rdp::gst::nvmm::Surface;

GST_DEBUG_CATEGORY_STATIC(rdp_nvmm_picture_pool_debug);
#define GST_CAT_DEFAULT rdp_nvmm_picture_pool_debug

G_BEGIN_DECLS

#define RDP_TYPE_NVMM_PICTURE_POOL (rdp_nvmm_picture_pool_get_type())
G_DECLARE_FINAL_TYPE(RdpNvmmPicturePool, rdp_nvmm_picture_pool, RDP, NVMM_PICTURE_POOL,
                     GstBufferPool)

G_END_DECLS

struct _RdpNvmmPicturePool {
  GstBufferPool parent;

  guint gpu;
  gboolean for_host;
  GstVideoInfo info;  // of the configuration
};

G_DEFINE_TYPE(RdpNvmmPicturePool, rdp_nvmm_picture_pool, GST_TYPE_BUFFER_POOL)

static gboolean rdp_nvmm_picture_pool_set_config(GstBufferPool* pool, GstStructure* config) {
  RdpNvmmPicturePool* self = RDP_NVMM_PICTURE_POOL(pool);
  GstCaps* caps = nullptr;
  guint min, max;
  if (!gst_buffer_pool_config_get_params(config, &caps, nullptr, &min, &max) || caps == nullptr ||
      !gst_video_info_from_caps(&self->info, caps) ||
      GST_VIDEO_INFO_FORMAT(&self->info) != GST_VIDEO_FORMAT_RGBA) {
    GST_WARNING_OBJECT(self, "this pool has pictures of RGBA, not %" GST_PTR_FORMAT,
                       static_cast<void*>(caps));
    return FALSE;
  }
  // A buffer maps to the NvBufSurface structure, whose size is the buffer's.
  const auto size = static_cast<guint>(rdp::gst::nvmm::library()->layout.surface_size);
  gst_buffer_pool_config_set_params(config, caps, size, min, max);
  return GST_BUFFER_POOL_CLASS(rdp_nvmm_picture_pool_parent_class)->set_config(pool, config);
}

static Surface* create(RdpNvmmPicturePool* self, MemType type) {
  rdp::gst::nvmm::CreateParams params{};
  params.gpu_id = self->gpu;
  params.width = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&self->info));
  params.height = static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&self->info));
  params.color_format = rdp::gst::nvmm::ColorFormat::kRgba;
  params.layout = rdp::gst::nvmm::PlaneLayout::kPitch;
  params.mem_type = type;
  Surface* surface = nullptr;
  if (rdp::gst::nvmm::library()->NvBufSurfaceCreate(&surface, 1, &params) != 0) return nullptr;
  return surface;
}

static void destroy(gpointer surface) {
  rdp::gst::nvmm::library()->NvBufSurfaceDestroy(static_cast<Surface*>(surface));
}

static GstFlowReturn rdp_nvmm_picture_pool_alloc_buffer(GstBufferPool* pool, GstBuffer** buffer,
                                                        GstBufferPoolAcquireParams*) {
  RdpNvmmPicturePool* self = RDP_NVMM_PICTURE_POOL(pool);
  Surface* surface = create(self, MemType::kDefault);
  if (surface != nullptr && self->for_host && surface->mem_type != MemType::kSurfaceArray) {
    destroy(surface);
    surface = create(self, MemType::kCudaPinned);
  }
  if (surface == nullptr) {
    GST_WARNING_OBJECT(self, "NvBufSurfaceCreate() makes no picture of %dx%d on GPU %u",
                       GST_VIDEO_INFO_WIDTH(&self->info), GST_VIDEO_INFO_HEIGHT(&self->info),
                       self->gpu);
    return GST_FLOW_ERROR;
  }
  surface->num_filled = 1;
  const gsize size = rdp::gst::nvmm::library()->layout.surface_size;
  *buffer = gst_buffer_new();
  // Not shareable, like the memory of NVIDIA's pools: a part of the structure is useless.
  gst_buffer_append_memory(*buffer, gst_memory_new_wrapped(GST_MEMORY_FLAG_NO_SHARE, surface, size,
                                                           0, size, surface, destroy));
  return GST_FLOW_OK;
}

static void rdp_nvmm_picture_pool_class_init(RdpNvmmPicturePoolClass* klass) {
  GST_DEBUG_CATEGORY_INIT(rdp_nvmm_picture_pool_debug, "rdpnvmmpicturepool", 0,
                          "RGBA pictures in NVMM memory");
  auto* pool_class = GST_BUFFER_POOL_CLASS(klass);
  pool_class->set_config = rdp_nvmm_picture_pool_set_config;
  pool_class->alloc_buffer = rdp_nvmm_picture_pool_alloc_buffer;
}

static void rdp_nvmm_picture_pool_init(RdpNvmmPicturePool* self) {
  gst_video_info_init(&self->info);
}

namespace rdp::gst {

GstBufferPool* nvmm_picture_pool_new(guint gpu, bool for_host) {
  auto* pool = static_cast<RdpNvmmPicturePool*>(g_object_new(RDP_TYPE_NVMM_PICTURE_POOL, nullptr));
  gst_object_ref_sink(pool);
  pool->gpu = gpu;
  pool->for_host = for_host;
  return GST_BUFFER_POOL(pool);
}

}  // namespace rdp::gst
