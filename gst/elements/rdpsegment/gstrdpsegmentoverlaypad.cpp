// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpsegment/gstrdpsegmentoverlaypad.h"

#include "gst/elements/base/property_table.h"
#include "gst/elements/rdpsegment/overlay_properties.h"

struct _GstRdpSegmentOverlayPad {
  GstRdpPicturePad parent;

  rdp::gst::OverlaySettings settings;  // under the object lock
};

G_DEFINE_TYPE(GstRdpSegmentOverlayPad, gst_rdp_segment_overlay_pad, GST_TYPE_RDP_PICTURE_PAD)

static void gst_rdp_segment_overlay_pad_set_property(GObject* object, guint id, const GValue* value,
                                                     GParamSpec* pspec) {
  auto* self = GST_RDP_SEGMENT_OVERLAY_PAD(object);
  rdp::gst::set_property(object, rdp::gst::kOverlayProperties, self->settings, id, value, pspec);
}

static void gst_rdp_segment_overlay_pad_get_property(GObject* object, guint id, GValue* value,
                                                     GParamSpec* pspec) {
  auto* self = GST_RDP_SEGMENT_OVERLAY_PAD(object);
  rdp::gst::get_property(object, rdp::gst::kOverlayProperties, self->settings, id, value, pspec);
}

static void gst_rdp_segment_overlay_pad_class_init(GstRdpSegmentOverlayPadClass* klass) {
  GObjectClass* object_class = G_OBJECT_CLASS(klass);
  object_class->set_property = gst_rdp_segment_overlay_pad_set_property;
  object_class->get_property = gst_rdp_segment_overlay_pad_get_property;
  rdp::gst::install_properties(object_class, rdp::gst::kOverlayProperties);
}

static void gst_rdp_segment_overlay_pad_init(GstRdpSegmentOverlayPad* self) {
  self->settings = rdp::gst::OverlaySettings();
}

rdp::gst::OverlaySettings gst_rdp_segment_overlay_pad_get_settings(GstRdpSegmentOverlayPad* self) {
  GST_OBJECT_LOCK(self);
  const rdp::gst::OverlaySettings settings = self->settings;
  GST_OBJECT_UNLOCK(self);
  return settings;
}
