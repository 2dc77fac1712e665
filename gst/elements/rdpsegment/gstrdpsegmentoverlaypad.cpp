// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpsegment/gstrdpsegmentoverlaypad.h"

#include "gst/elements/rdpsegment/enums.h"

struct _GstRdpSegmentOverlayPad {
  GstRdpPicturePad parent;

  // Under the object lock.
  rdp::OverlayOptions options;
};

G_DEFINE_TYPE(GstRdpSegmentOverlayPad, gst_rdp_segment_overlay_pad, GST_TYPE_RDP_PICTURE_PAD)

enum { PROP_0, PROP_STYLE, PROP_PALETTE_MIN, PROP_PALETTE_MAX };

static void gst_rdp_segment_overlay_pad_set_property(GObject* object, guint id, const GValue* value,
                                                     GParamSpec* pspec) {
  auto* self = GST_RDP_SEGMENT_OVERLAY_PAD(object);
  GST_OBJECT_LOCK(self);
  switch (id) {
    case PROP_STYLE:
      self->options.style = static_cast<rdp::OverlayStyle>(g_value_get_enum(value));
      break;
    case PROP_PALETTE_MIN:
      self->options.palette_min = g_value_get_double(value);
      break;
    case PROP_PALETTE_MAX:
      self->options.palette_max = g_value_get_double(value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
  GST_OBJECT_UNLOCK(self);
}

static void gst_rdp_segment_overlay_pad_get_property(GObject* object, guint id, GValue* value,
                                                     GParamSpec* pspec) {
  const auto options = gst_rdp_segment_overlay_pad_get_options(GST_RDP_SEGMENT_OVERLAY_PAD(object));
  switch (id) {
    case PROP_STYLE:
      g_value_set_enum(value, static_cast<gint>(options.style));
      break;
    case PROP_PALETTE_MIN:
      g_value_set_double(value, options.palette_min);
      break;
    case PROP_PALETTE_MAX:
      g_value_set_double(value, options.palette_max);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
}

static void gst_rdp_segment_overlay_pad_class_init(GstRdpSegmentOverlayPadClass* klass) {
  GObjectClass* object_class = G_OBJECT_CLASS(klass);
  object_class->set_property = gst_rdp_segment_overlay_pad_set_property;
  object_class->get_property = gst_rdp_segment_overlay_pad_get_property;

  const auto flags = static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                              GST_PARAM_MUTABLE_PLAYING);
  const rdp::OverlayOptions defaults;
  g_object_class_install_property(
      object_class, PROP_STYLE,
      g_param_spec_enum("style", "Style", "What is painted", gst_rdp_overlay_style_get_type(),
                        static_cast<gint>(defaults.style), flags));
  g_object_class_install_property(
      object_class, PROP_PALETTE_MIN,
      g_param_spec_double("palette-min", "Palette minimum",
                          "The sample the palette starts at (both 0: the frame's 1st percentile)",
                          -G_MAXDOUBLE, G_MAXDOUBLE, defaults.palette_min, flags));
  g_object_class_install_property(
      object_class, PROP_PALETTE_MAX,
      g_param_spec_double("palette-max", "Palette maximum",
                          "The sample the palette ends at (both 0: the frame's 99th percentile)",
                          -G_MAXDOUBLE, G_MAXDOUBLE, defaults.palette_max, flags));
}

static void gst_rdp_segment_overlay_pad_init(GstRdpSegmentOverlayPad* self) {
  self->options = rdp::OverlayOptions();
}

rdp::OverlayOptions gst_rdp_segment_overlay_pad_get_options(GstRdpSegmentOverlayPad* self) {
  GST_OBJECT_LOCK(self);
  const rdp::OverlayOptions options = self->options;
  GST_OBJECT_UNLOCK(self);
  return options;
}
