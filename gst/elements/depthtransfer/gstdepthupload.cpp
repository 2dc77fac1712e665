// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-depthupload
 * @title: depthupload
 * @short_description: Brings depth frames to the GPU
 *
 * Copies frames of GRAY16_LE and GRAY8 from system memory to CUDA memory, which GStreamer's
 * cudaupload does not do for gray formats. Frames that are in CUDA memory pass through. Sources
 * that take buffers from downstream write straight into page-locked memory.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 depthtestsrc ! depthupload ! rdpsegment ! fakesink
 * ]|
 */
#include "gst/elements/depthtransfer/gstdepthupload.h"

#include <exception>

#include "gst/memory/system_memory.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

struct _GstDepthUpload {
  GstDepthTransfer parent;
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE(
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS(GST_DEPTH_TRANSFER_SYSTEM_CAPS ";" GST_DEPTH_TRANSFER_CUDA_CAPS));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS(GST_DEPTH_TRANSFER_CUDA_CAPS));

G_DEFINE_TYPE(GstDepthUpload, gst_depth_upload, GST_TYPE_DEPTH_TRANSFER)
GST_ELEMENT_REGISTER_DEFINE(depthupload, "depthupload", GST_RANK_NONE, GST_TYPE_DEPTH_UPLOAD)

static bool gst_depth_upload_copy(GstDepthTransfer* transfer, GstBuffer* from, GstBuffer* to,
                                  std::string* reason) {
  const GstVideoInfo& info = gst_depth_transfer_get_info(transfer);
  rdp::gst::SystemFrame frame;
  rdp::gst::CudaFrame device_frame;
  if (!frame.map(from, info, rdp::gst::Access::kRead, reason)) return false;
  if (!device_frame.map(to, info, rdp::gst::Access::kReadWrite, reason)) return false;
  const auto& view = frame.view();
  const auto& device = device_frame.view();
  const rdp::cuda::ContextScope scope(
      rdp::gst::cuda_handle(gst_depth_transfer_get_context(transfer)));
  const CUstream stream = gst_depth_transfer_get_stream(transfer);
  try {
    gst_depth_transfer_get_bands(transfer).upload(
        {view.data, view.stride,
         static_cast<std::size_t>(view.width) *
             static_cast<std::size_t>(rdp::bytes_per_sample(view.type)),
         view.height},
        {device.data, static_cast<std::size_t>(device.pitch)}, stream);
  } catch (const std::exception&) {
    // Copies that have been started may still read the frame.
    rdp::cuda::driver().cuStreamSynchronize(stream);
    throw;
  }
  // Downstream works on streams of its own, and upstream may reuse the frame.
  rdp::cuda::check(rdp::cuda::driver().cuStreamSynchronize(stream), "copying a frame to the GPU");
  return true;
}

static gboolean gst_depth_upload_propose_allocation(GstBaseTransform* base, GstQuery* decide_query,
                                                    GstQuery* query) {
  GstDepthTransfer* transfer = GST_DEPTH_TRANSFER(base);
  auto* parent = GST_BASE_TRANSFORM_CLASS(gst_depth_upload_parent_class);
  if (!parent->propose_allocation(base, decide_query, query)) return FALSE;
  if (decide_query == nullptr) return TRUE;  // frames pass through, downstream has answered

  GstCaps* caps = nullptr;
  gboolean need_pool = FALSE;
  gst_query_parse_allocation(query, &caps, &need_pool);
  GstVideoInfo info;
  if (caps == nullptr || !gst_video_info_from_caps(&info, caps)) return FALSE;
  if (need_pool) {
    auto size = static_cast<guint>(GST_VIDEO_INFO_SIZE(&info));
    GstBufferPool* pool = gst_depth_transfer_new_pinned_pool(transfer, caps, 0, &size);
    if (pool != nullptr) {
      gst_query_add_allocation_pool(query, pool, size, 0, 0);
      gst_object_unref(pool);
    }
  }
  GstAllocator* allocator = gst_depth_transfer_new_pinned_allocator(transfer);
  if (allocator != nullptr) gst_query_add_allocation_param(query, allocator, nullptr);
  gst_clear_object(&allocator);
  gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr);
  return TRUE;
}

static gboolean gst_depth_upload_decide_allocation(GstBaseTransform* base, GstQuery* query) {
  GstDepthTransfer* transfer = GST_DEPTH_TRANSFER(base);
  if (!gst_depth_transfer_is_started(transfer)) return FALSE;
  GstCaps* caps = nullptr;
  gst_query_parse_allocation(query, &caps, nullptr);
  GstVideoInfo info;
  if (caps == nullptr || !gst_video_info_from_caps(&info, caps)) return FALSE;
  auto size = static_cast<guint>(GST_VIDEO_INFO_SIZE(&info));
  guint min = 0;
  guint max = 0;
  GstBufferPool* pool = nullptr;
  const bool proposed = gst_query_get_n_allocation_pools(query) > 0;
  if (proposed) {
    gst_query_parse_nth_allocation_pool(query, 0, &pool, nullptr, &min, &max);
    // Memory of another context would be of no use to the copy.
    if (pool != nullptr &&
        rdp::gst::cuda_depth_pool_context(pool) != gst_depth_transfer_get_context(transfer)) {
      gst_clear_object(&pool);
    }
  }
  if (pool == nullptr) {
    max = 0;
    pool = gst_depth_transfer_new_device_pool(transfer, caps, min, &size);
    if (pool == nullptr) {
      gst_depth_transfer_post_no_frames(transfer, caps);
      return FALSE;
    }
  }
  if (proposed) {
    gst_query_set_nth_allocation_pool(query, 0, pool, size, min, max);
  } else {
    gst_query_add_allocation_pool(query, pool, size, min, max);
  }
  gst_object_unref(pool);
  return GST_BASE_TRANSFORM_CLASS(gst_depth_upload_parent_class)->decide_allocation(base, query);
}

static void gst_depth_upload_class_init(GstDepthUploadClass* klass) {
  auto* element_class = GST_ELEMENT_CLASS(klass);
  gst_element_class_add_static_pad_template(element_class, &sink_template);
  gst_element_class_add_static_pad_template(element_class, &src_template);
  gst_element_class_set_static_metadata(element_class, "Depth uploader", "Filter/Video/Hardware",
                                        "Copies depth frames from system memory to CUDA memory",
                                        "The rdpsegment authors");
  auto* base_class = GST_BASE_TRANSFORM_CLASS(klass);
  base_class->propose_allocation = gst_depth_upload_propose_allocation;
  base_class->decide_allocation = gst_depth_upload_decide_allocation;
  auto* transfer_class = GST_DEPTH_TRANSFER_CLASS(klass);
  transfer_class->src_feature = GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY;
  transfer_class->doing = "to the GPU";
  transfer_class->copy = gst_depth_upload_copy;
}

static void gst_depth_upload_init(GstDepthUpload*) {}
