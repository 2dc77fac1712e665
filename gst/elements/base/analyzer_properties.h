// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_ANALYZER_PROPERTIES_H_
#define RDP_GST_ELEMENTS_BASE_ANALYZER_PROPERTIES_H_

#include "common/image/float_environment.h"
#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/gstrdpanalyzer.h"
#include "gst/elements/base/property_table.h"

namespace rdp::gst {

// The GObject functions for the properties of such an element.
template <typename Settings, const auto& Rows>
struct AnalyzerProperties {
  static void set(GObject* object, guint id, const GValue* value, GParamSpec* pspec) {
    AnalyzerSettings* settings = gst_rdp_analyzer_get_settings(GST_RDP_ANALYZER(object));
    set_property(object, Rows, static_cast<Settings&>(*settings), id, value, pspec);
  }
  static void get(GObject* object, guint id, GValue* value, GParamSpec* pspec) {
    auto* self = GST_RDP_ANALYZER(object);
    if (id == property_id(Rows, "stats")) {
      gst_rdp_analyzer_get_stats(self, value);
      return;
    }
    const AnalyzerSettings* settings = gst_rdp_analyzer_get_settings(self);
    get_property(object, Rows, static_cast<const Settings&>(*settings), id, value, pspec);
  }
};

// In class_init of an analysing element: its settings are a Settings, which derives from
// AnalyzerSettings, and Rows, a constant with static storage, is its whole table of properties, the
// rows of base_properties() included.
template <typename Settings, const auto& Rows>
void install_analyzer_properties(GstRdpAnalyzerClass* klass) {
  using Properties = AnalyzerProperties<Settings, Rows>;
  auto* object_class = G_OBJECT_CLASS(klass);
  klass->new_settings = []() -> AnalyzerSettings* { return new Settings(); };
  // Directions are checked, and statistics have quotients.
  object_class->set_property = in_standard_floats<Properties::set>;
  object_class->get_property = in_standard_floats<Properties::get>;
  install_properties(object_class, Rows);
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_ANALYZER_PROPERTIES_H_
