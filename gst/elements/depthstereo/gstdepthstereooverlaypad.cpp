// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthstereo/gstdepthstereooverlaypad.h"

#include <new>

#include "gst/elements/base/property_table.h"
#include "gst/elements/depthstereo/stereo_properties.h"

struct _GstDepthStereoOverlayPad {
  GstRdpPicturePad parent;

  rdp::gst::DisparityOverlaySettings settings;  // under the object lock
};

G_DEFINE_TYPE(GstDepthStereoOverlayPad, gst_depth_stereo_overlay_pad, GST_TYPE_RDP_PICTURE_PAD)

static void gst_depth_stereo_overlay_pad_set_property(GObject* object, guint id,
                                                      const GValue* value, GParamSpec* pspec) {
  auto* self = GST_DEPTH_STEREO_OVERLAY_PAD(object);
  rdp::gst::set_property(object, rdp::gst::kDisparityOverlayProperties, self->settings, id, value,
                         pspec);
}

static void gst_depth_stereo_overlay_pad_get_property(GObject* object, guint id, GValue* value,
                                                      GParamSpec* pspec) {
  auto* self = GST_DEPTH_STEREO_OVERLAY_PAD(object);
  rdp::gst::get_property(object, rdp::gst::kDisparityOverlayProperties, self->settings, id, value,
                         pspec);
}

static void gst_depth_stereo_overlay_pad_class_init(GstDepthStereoOverlayPadClass* klass) {
  GObjectClass* object_class = G_OBJECT_CLASS(klass);
  object_class->set_property = gst_depth_stereo_overlay_pad_set_property;
  object_class->get_property = gst_depth_stereo_overlay_pad_get_property;
  rdp::gst::install_properties(object_class, rdp::gst::kDisparityOverlayProperties);
}

static void gst_depth_stereo_overlay_pad_init(GstDepthStereoOverlayPad* self) {
  new (&self->settings) rdp::gst::DisparityOverlaySettings();
}

rdp::OverlayOptions gst_depth_stereo_overlay_pad_get_settings(GstDepthStereoOverlayPad* self) {
  GST_OBJECT_LOCK(self);
  const rdp::OverlayOptions settings = self->settings;
  GST_OBJECT_UNLOCK(self);
  return settings;
}
