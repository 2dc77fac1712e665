// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_ELEMENT_PROPERTIES_H_
#define RDP_GST_ELEMENTS_BASE_ELEMENT_PROPERTIES_H_

#include "common/image/float_environment.h"
#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/element_core.h"
#include "gst/elements/base/property_table.h"

namespace rdp::gst {

// The GObject functions for the properties of an element whose core kCore() finds.
template <auto kCore, typename Settings, const auto& Rows>
struct ElementProperties {
  static void set(GObject* object, guint id, const GValue* value, GParamSpec* pspec) {
    ElementCore& core = kCore(object);
    set_property(object, Rows, static_cast<Settings&>(*core.settings), id, value, pspec);
    core.settings_changed();
  }
  static void get(GObject* object, guint id, GValue* value, GParamSpec* pspec) {
    ElementCore& core = kCore(object);
    if (id == property_id(Rows, "stats")) {
      g_value_take_boxed(value, core.make_stats());
      return;
    }
    get_property(object, Rows, static_cast<const Settings&>(*core.settings), id, value, pspec);
  }
};

// For class_init of an element on GstRdpAnalyzer or GstRdpJoiner; kCore is the base's function.
// Settings derives from AnalyzerSettings or JoinerSettings. Rows, a constant with static storage,
// is the whole table of properties: it includes base_properties() and, for a joiner,
// kPairingProperties.
template <auto kCore, typename Settings, const auto& Rows, typename Class>
void install_element_properties(Class* klass) {
  using Properties = ElementProperties<kCore, Settings, Rows>;
  auto* object_class = G_OBJECT_CLASS(klass);
  klass->new_settings = []() -> AnalyzerSettings* { return new Settings(); };
  // Directions are checked, and statistics have quotients.
  object_class->set_property = in_standard_floats<Properties::set>;
  object_class->get_property = in_standard_floats<Properties::get>;
  install_properties(object_class, Rows);
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_ELEMENT_PROPERTIES_H_
