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

static void gst_depth_upload_class_init(GstDepthUploadClass* klass) {
  auto* element_class = GST_ELEMENT_CLASS(klass);
  gst_element_class_add_static_pad_template(element_class, &sink_template);
  gst_element_class_add_static_pad_template(element_class, &src_template);
  gst_element_class_set_static_metadata(element_class, "Depth uploader", "Filter/Video/Hardware",
                                        "Copies depth frames from system memory to CUDA memory",
                                        "The rdpsegment authors");
  auto* transfer_class = GST_DEPTH_TRANSFER_CLASS(klass);
  transfer_class->upload = TRUE;
  transfer_class->doing = "to the GPU";
}

static void gst_depth_upload_init(GstDepthUpload*) {}
