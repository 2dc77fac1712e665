// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-depthdownload
 * @title: depthdownload
 * @short_description: Brings depth frames back from the GPU
 *
 * Copies frames of GRAY16_LE and GRAY8 from CUDA memory to system memory, which GStreamer's
 * cudadownload does not do for gray formats. Frames that are in system memory pass through.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 depthtestsrc ! depthupload ! rdpsegment output=reconstruct ! depthdownload !
 * videoconvert ! autovideosink
 * ]|
 */
#include "gst/elements/depthtransfer/gstdepthdownload.h"

#include <exception>

#include "gst/memory/system_memory.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

struct _GstDepthDownload {
  GstDepthTransfer parent;
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE(
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS(GST_DEPTH_TRANSFER_CUDA_CAPS ";" GST_DEPTH_TRANSFER_SYSTEM_CAPS));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS(GST_DEPTH_TRANSFER_SYSTEM_CAPS));

G_DEFINE_TYPE(GstDepthDownload, gst_depth_download, GST_TYPE_DEPTH_TRANSFER)
GST_ELEMENT_REGISTER_DEFINE(depthdownload, "depthdownload", GST_RANK_NONE, GST_TYPE_DEPTH_DOWNLOAD)

static bool gst_depth_download_copy(GstDepthTransfer* transfer, GstBuffer* from, GstBuffer* to,
                                    std::string* reason) {
  const GstVideoInfo& info = gst_depth_transfer_get_info(transfer);
  rdp::gst::CudaFrame device_frame;
  rdp::gst::SystemFrame frame;
  if (!device_frame.map(from, info, rdp::gst::Access::kRead, reason)) return false;
  if (!frame.map(to, info, rdp::gst::Access::kReadWrite, reason)) return false;
  // A frame can be copied only in the context that it lives in.
  if (!gst_depth_transfer_use_context(transfer, device_frame.context())) return false;
  const auto& view = frame.view();
  const auto& device = device_frame.view();
  const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(device_frame.context()));
  const CUstream stream = gst_depth_transfer_get_stream(transfer);
  try {
    gst_depth_transfer_get_bands(transfer).download(
        {device.data, static_cast<std::size_t>(device.pitch)},
        {view.data, view.stride,
         static_cast<std::size_t>(view.width) *
             static_cast<std::size_t>(rdp::bytes_per_sample(view.type)),
         view.height},
        stream);
  } catch (const std::exception&) {
    // Copies that have been started may still write to the frame.
    rdp::cuda::driver().cuStreamSynchronize(stream);
    throw;
  }
  return true;
}

static gboolean gst_depth_download_propose_allocation(GstBaseTransform* base,
                                                      GstQuery* decide_query, GstQuery* query) {
  GstDepthTransfer* transfer = GST_DEPTH_TRANSFER(base);
  auto* parent = GST_BASE_TRANSFORM_CLASS(gst_depth_download_parent_class);
  if (!parent->propose_allocation(base, decide_query, query)) return FALSE;
  if (decide_query == nullptr) return TRUE;  // frames pass through, downstream has answered

  GstCaps* caps = nullptr;
  gboolean need_pool = FALSE;
  gst_query_parse_allocation(query, &caps, &need_pool);
  if (caps == nullptr) return FALSE;
  if (need_pool) {
    guint size = 0;
    GstBufferPool* pool = gst_depth_transfer_new_device_pool(transfer, caps, 0, &size);
    if (pool != nullptr) {
      gst_query_add_allocation_pool(query, pool, size, 0, 0);
      gst_object_unref(pool);
    }
  }
  gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr);
  return TRUE;
}

static gboolean gst_depth_download_decide_allocation(GstBaseTransform* base, GstQuery* query) {
  GstDepthTransfer* transfer = GST_DEPTH_TRANSFER(base);
  auto* parent = GST_BASE_TRANSFORM_CLASS(gst_depth_download_parent_class);
  // Downstream's memory is best where it has a wish: the copy goes straight into it.
  bool wish = false;
  if (gst_query_get_n_allocation_params(query) > 0) {
    GstAllocator* allocator = nullptr;
    gst_query_parse_nth_allocation_param(query, 0, &allocator, nullptr);
    wish = allocator != nullptr;
    gst_clear_object(&allocator);
  }
  guint min = 0;
  if (gst_query_get_n_allocation_pools(query) > 0) {
    GstBufferPool* pool = nullptr;
    gst_query_parse_nth_allocation_pool(query, 0, &pool, nullptr, &min, nullptr);
    wish = wish || pool != nullptr;
    gst_clear_object(&pool);
  }
  if (wish) return parent->decide_allocation(base, query);

  GstCaps* caps = nullptr;
  gst_query_parse_allocation(query, &caps, nullptr);
  GstVideoInfo info;
  if (caps == nullptr || !gst_video_info_from_caps(&info, caps)) return FALSE;
  auto size = static_cast<guint>(GST_VIDEO_INFO_SIZE(&info));
  GstBufferPool* pool = gst_depth_transfer_new_pinned_pool(transfer, caps, min, &size);
  if (pool == nullptr) return FALSE;
  GstAllocator* allocator = gst_depth_transfer_new_pinned_allocator(transfer);
  if (allocator != nullptr && gst_query_get_n_allocation_params(query) > 0) {
    gst_query_set_nth_allocation_param(query, 0, allocator, nullptr);
  } else if (allocator != nullptr) {
    gst_query_add_allocation_param(query, allocator, nullptr);
  }
  gst_clear_object(&allocator);
  if (gst_query_get_n_allocation_pools(query) > 0) {
    gst_query_set_nth_allocation_pool(query, 0, pool, size, min, 0);
  } else {
    gst_query_add_allocation_pool(query, pool, size, min, 0);
  }
  gst_object_unref(pool);
  return parent->decide_allocation(base, query);
}

static void gst_depth_download_class_init(GstDepthDownloadClass* klass) {
  auto* element_class = GST_ELEMENT_CLASS(klass);
  gst_element_class_add_static_pad_template(element_class, &sink_template);
  gst_element_class_add_static_pad_template(element_class, &src_template);
  gst_element_class_set_static_metadata(element_class, "Depth downloader", "Filter/Video/Hardware",
                                        "Copies depth frames from CUDA memory to system memory",
                                        "The rdpsegment authors");
  auto* base_class = GST_BASE_TRANSFORM_CLASS(klass);
  base_class->propose_allocation = gst_depth_download_propose_allocation;
  base_class->decide_allocation = gst_depth_download_decide_allocation;
  auto* transfer_class = GST_DEPTH_TRANSFER_CLASS(klass);
  transfer_class->src_feature = nullptr;
  transfer_class->doing = "from the GPU";
  transfer_class->copy = gst_depth_download_copy;
}

static void gst_depth_download_init(GstDepthDownload*) {}
