// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthplanes/gstdepthplanesoverlaypad.h"

#include <new>

#include "gst/elements/base/property_table.h"
#include "gst/elements/depthplanes/planes_properties.h"

struct _GstDepthPlanesOverlayPad {
  GstRdpPicturePad parent;

  rdp::gst::PlanesOverlaySettings settings;  // under the object lock
};

G_DEFINE_TYPE(GstDepthPlanesOverlayPad, gst_depth_planes_overlay_pad, GST_TYPE_RDP_PICTURE_PAD)

static void gst_depth_planes_overlay_pad_set_property(GObject* object, guint id,
                                                      const GValue* value, GParamSpec* pspec) {
  auto* self = GST_DEPTH_PLANES_OVERLAY_PAD(object);
  rdp::gst::set_property(object, rdp::gst::kPlanesOverlayProperties, self->settings, id, value,
                         pspec);
}

static void gst_depth_planes_overlay_pad_get_property(GObject* object, guint id, GValue* value,
                                                      GParamSpec* pspec) {
  auto* self = GST_DEPTH_PLANES_OVERLAY_PAD(object);
  rdp::gst::get_property(object, rdp::gst::kPlanesOverlayProperties, self->settings, id, value,
                         pspec);
}

static void gst_depth_planes_overlay_pad_class_init(GstDepthPlanesOverlayPadClass* klass) {
  GObjectClass* object_class = G_OBJECT_CLASS(klass);
  object_class->set_property = gst_depth_planes_overlay_pad_set_property;
  object_class->get_property = gst_depth_planes_overlay_pad_get_property;
  rdp::gst::install_properties(object_class, rdp::gst::kPlanesOverlayProperties);
}

static void gst_depth_planes_overlay_pad_init(GstDepthPlanesOverlayPad* self) {
  new (&self->settings) rdp::gst::PlanesOverlaySettings();
}

rdp::gst::PlanesOverlaySettings gst_depth_planes_overlay_pad_get_settings(
    GstDepthPlanesOverlayPad* self) {
  GST_OBJECT_LOCK(self);
  const rdp::gst::PlanesOverlaySettings settings = self->settings;
  GST_OBJECT_UNLOCK(self);
  return settings;
}
