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

static void gst_depth_download_class_init(GstDepthDownloadClass* klass) {
  auto* element_class = GST_ELEMENT_CLASS(klass);
  gst_element_class_add_static_pad_template(element_class, &sink_template);
  gst_element_class_add_static_pad_template(element_class, &src_template);
  gst_element_class_set_static_metadata(element_class, "Depth downloader", "Filter/Video/Hardware",
                                        "Copies depth frames from CUDA memory to system memory",
                                        "The rdpsegment authors");
  auto* transfer_class = GST_DEPTH_TRANSFER_CLASS(klass);
  transfer_class->upload = FALSE;
  transfer_class->doing = "from the GPU";
}

static void gst_depth_download_init(GstDepthDownload*) {}
