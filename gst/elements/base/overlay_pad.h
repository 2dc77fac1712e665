// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_OVERLAY_PAD_H_
#define RDP_GST_ELEMENTS_BASE_OVERLAY_PAD_H_

#include <new>
#include <type_traits>

#include "gst/elements/base/picture_pad.h"
#include "gst/elements/base/property_table.h"

namespace rdp::gst {

// The request pad of an element whose pictures have properties: a picture pad with a Settings,
// whose properties are in the table Rows. kName is its GType's name. Both are constants with static
// storage. An element writes
//   inline constexpr char kNamePad[] = "GstNameOverlayPad";
//   using NameOverlayPad = OverlayPad<kNamePad, NameOverlaySettings, kNameOverlayProperties>;
// and hands NameOverlayPad::get_type() to its base class.
template <const auto& kName, typename Settings, const auto& Rows>
struct OverlayPad {
  static_assert(std::is_trivially_destructible_v<Settings>);

  GstRdpPicturePad parent;
  Settings settings;  // under the object lock

  static GType get_type() {
    static const GType type = g_type_register_static_simple(
        GST_TYPE_RDP_PICTURE_PAD, kName, sizeof(GstRdpPicturePadClass), class_init,
        sizeof(OverlayPad), init, static_cast<GTypeFlags>(0));
    return type;
  }
  // Returns a copy of such a pad's properties. Any thread.
  static Settings get_settings(GstRdpPicturePad* pad) {
    GST_OBJECT_LOCK(pad);
    const Settings settings = of(pad).settings;
    GST_OBJECT_UNLOCK(pad);
    return settings;
  }

  // The functions that GObject calls.
  static OverlayPad& of(gpointer pad) {
    return *G_TYPE_CHECK_INSTANCE_CAST(pad, get_type(), OverlayPad);
  }
  static void class_init(gpointer klass, gpointer) {
    auto* object_class = G_OBJECT_CLASS(klass);
    object_class->set_property = [](GObject* object, guint id, const GValue* value,
                                    GParamSpec* pspec) {
      rdp::gst::set_property(object, Rows, of(object).settings, id, value, pspec);
    };
    object_class->get_property = [](GObject* object, guint id, GValue* value, GParamSpec* pspec) {
      rdp::gst::get_property(object, Rows, of(object).settings, id, value, pspec);
    };
    install_properties(object_class, Rows);
  }
  static void init(GTypeInstance* pad, gpointer) {
    new (&reinterpret_cast<OverlayPad*>(pad)->settings) Settings();
  }
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_OVERLAY_PAD_H_
