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
#include "gst/elements/depthtransfer/gstdepthtransfer.h"

typedef GstDepthTransfer GstDepthUpload;
typedef GstDepthTransferClass GstDepthUploadClass;
typedef GstDepthTransfer GstDepthDownload;
typedef GstDepthTransferClass GstDepthDownloadClass;

G_DEFINE_TYPE(GstDepthUpload, gst_depth_upload, GST_TYPE_DEPTH_TRANSFER)
GST_ELEMENT_REGISTER_DEFINE(depthupload, "depthupload", GST_RANK_NONE, gst_depth_upload_get_type())

G_DEFINE_TYPE(GstDepthDownload, gst_depth_download, GST_TYPE_DEPTH_TRANSFER)
GST_ELEMENT_REGISTER_DEFINE(depthdownload, "depthdownload", GST_RANK_NONE,
                            gst_depth_download_get_type())

static GstStaticPadTemplate upload_sink = GST_STATIC_PAD_TEMPLATE(
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS(GST_DEPTH_TRANSFER_SYSTEM_CAPS ";" GST_DEPTH_TRANSFER_CUDA_CAPS));
static GstStaticPadTemplate upload_src = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS(GST_DEPTH_TRANSFER_CUDA_CAPS));
static GstStaticPadTemplate download_sink = GST_STATIC_PAD_TEMPLATE(
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS(GST_DEPTH_TRANSFER_CUDA_CAPS ";" GST_DEPTH_TRANSFER_SYSTEM_CAPS));
static GstStaticPadTemplate download_src = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS(GST_DEPTH_TRANSFER_SYSTEM_CAPS));

static void gst_depth_upload_class_init(GstDepthUploadClass* klass) {
  auto* element_class = GST_ELEMENT_CLASS(klass);
  gst_element_class_add_static_pad_template(element_class, &upload_sink);
  gst_element_class_add_static_pad_template(element_class, &upload_src);
  gst_element_class_set_static_metadata(element_class, "Depth uploader", "Filter/Video/Hardware",
                                        "Copies depth frames from system memory to CUDA memory",
                                        "The rdpsegment authors");
  klass->upload = TRUE;
  klass->doing = "to the GPU";
}

static void gst_depth_download_class_init(GstDepthDownloadClass* klass) {
  auto* element_class = GST_ELEMENT_CLASS(klass);
  gst_element_class_add_static_pad_template(element_class, &download_sink);
  gst_element_class_add_static_pad_template(element_class, &download_src);
  gst_element_class_set_static_metadata(element_class, "Depth downloader", "Filter/Video/Hardware",
                                        "Copies depth frames from CUDA memory to system memory",
                                        "The rdpsegment authors");
  klass->upload = FALSE;
  klass->doing = "from the GPU";
}

static void gst_depth_upload_init(GstDepthUpload*) {}
static void gst_depth_download_init(GstDepthDownload*) {}
