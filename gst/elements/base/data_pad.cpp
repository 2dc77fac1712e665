// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/data_pad.h"

#include <new>

#include "gst/cuda/gpu_provider.h"
#include "gst/elements/base/pad_memory.h"

GST_DEBUG_CATEGORY_EXTERN(gst_rdp_extra_pad_debug);
#define GST_CAT_DEFAULT gst_rdp_extra_pad_debug

using rdp::gst::MemoryKind;
using rdp::gst::PadMemory;

struct GstRdpDataPadPrivate {
  PadMemory memory;
};

G_DEFINE_TYPE_WITH_PRIVATE(GstRdpDataPad, gst_rdp_data_pad, GST_TYPE_RDP_EXTRA_PAD)

static PadMemory& gst_rdp_data_pad_memory(gpointer pad) {
  auto* self = GST_RDP_DATA_PAD(pad);
  return static_cast<GstRdpDataPadPrivate*>(gst_rdp_data_pad_get_instance_private(self))->memory;
}

void gst_rdp_data_pad_set_context(GstRdpDataPad* self, GstObject* context) {
  gst_rdp_data_pad_memory(self).set_context(context);
}

const GstVideoInfo* gst_rdp_data_pad_get_info(GstRdpDataPad* self) {
  return &gst_rdp_data_pad_memory(self).info();
}

MemoryKind gst_rdp_data_pad_get_memory(GstRdpDataPad* self) {
  return gst_rdp_data_pad_memory(self).memory();
}

static GstCaps* gst_rdp_data_pad_choose_caps(GstRdpExtraPad* pad, GstCaps* told) {
  GstVideoInfo info;
  if (gst_video_info_from_caps(&info, told)) {
    return gst_rdp_data_pad_memory(pad).choose_caps(info);
  }
  GST_WARNING_OBJECT(pad, "no data of %" GST_PTR_FORMAT, told);
  return nullptr;
}

static GstBufferPool* gst_rdp_data_pad_decide_pool(GstRdpExtraPad* pad, GstCaps*, GstQuery* query) {
  return gst_rdp_data_pad_memory(pad).decide_pool(query);
}

static void gst_rdp_data_pad_negotiated(GstRdpExtraPad* pad, GstBufferPool*) {
  gst_rdp_data_pad_memory(pad).negotiated();
}

static void gst_rdp_data_pad_stopped(GstRdpExtraPad* pad) { gst_rdp_data_pad_memory(pad).let_go(); }

static void gst_rdp_data_pad_finalize(GObject* object) {
  gst_rdp_data_pad_memory(object).~PadMemory();
  G_OBJECT_CLASS(gst_rdp_data_pad_parent_class)->finalize(object);
}

static void gst_rdp_data_pad_class_init(GstRdpDataPadClass* klass) {
  G_OBJECT_CLASS(klass)->finalize = gst_rdp_data_pad_finalize;
  gst_type_mark_as_plugin_api(GST_TYPE_RDP_DATA_PAD, static_cast<GstPluginAPIFlags>(0));
  auto* pad_class = GST_RDP_EXTRA_PAD_CLASS(klass);
  pad_class->choose_caps = gst_rdp_data_pad_choose_caps;
  pad_class->decide_pool = gst_rdp_data_pad_decide_pool;
  pad_class->negotiated = gst_rdp_data_pad_negotiated;
  pad_class->stopped = gst_rdp_data_pad_stopped;
}

static void gst_rdp_data_pad_init(GstRdpDataPad* self) {
  new (gst_rdp_data_pad_get_instance_private(self))
      GstRdpDataPadPrivate{PadMemory(GST_RDP_EXTRA_PAD(self))};
  // NVMM memory that both the CPU and every GPU write to.
  gst_rdp_data_pad_memory(self).set_nvmm(0, true, false);
  gst_rdp_extra_pad_set_capacity(GST_RDP_EXTRA_PAD(self), 2);
}
