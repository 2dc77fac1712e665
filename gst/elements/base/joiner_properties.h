// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_JOINER_PROPERTIES_H_
#define RDP_GST_ELEMENTS_BASE_JOINER_PROPERTIES_H_

#include "common/image/float_environment.h"
#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/gstrdpjoiner.h"
#include "gst/elements/base/pairing_properties.h"
#include "gst/elements/base/property_table.h"

namespace rdp::gst {

// The GObject functions for the properties of such an element.
template <typename Settings, const auto& Rows>
struct JoinerProperties {
  static void set(GObject* object, guint id, const GValue* value, GParamSpec* pspec) {
    auto* self = GST_RDP_JOINER(object);
    set_property(object, Rows, static_cast<Settings&>(*gst_rdp_joiner_get_settings(self)), id,
                 value, pspec);
    gst_rdp_joiner_settings_changed(self);
  }
  static void get(GObject* object, guint id, GValue* value, GParamSpec* pspec) {
    auto* self = GST_RDP_JOINER(object);
    if (id == property_id(Rows, "stats")) {
      gst_rdp_joiner_get_stats(self, value);
      return;
    }
    get_property(object, Rows, static_cast<const Settings&>(*gst_rdp_joiner_get_settings(self)), id,
                 value, pspec);
  }
};

// In class_init of an element on GstRdpJoiner: its settings are a Settings, which derives from
// JoinerSettings, and Rows, a constant with static storage, is its whole table of properties, the
// rows of base_properties() and kPairingProperties included.
template <typename Settings, const auto& Rows>
void install_joiner_properties(GstRdpJoinerClass* klass) {
  using Properties = JoinerProperties<Settings, Rows>;
  auto* object_class = G_OBJECT_CLASS(klass);
  klass->new_settings = []() -> JoinerSettings* { return new Settings(); };
  object_class->set_property = Properties::set;
  object_class->get_property = in_standard_floats<Properties::get>;  // statistics have quotients
  install_properties(object_class, Rows);
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_JOINER_PROPERTIES_H_
