// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_PARAMETERS_H_
#define RDP_TESTS_SUPPORT_PARAMETERS_H_

#include <gst/gst.h>

#include "common/rdp/parameters.h"
#include "gst/elements/rdpsegment/segment_properties.h"

// Sets all properties of rdpsegment that control the segmentation.
inline void set_parameters(GstElement* element, const rdp::Parameters& parameters) {
  for (const auto& row : rdp::gst::kRdpProperties) {
    GObjectClass* klass = G_OBJECT_GET_CLASS(element);
    GValue value = G_VALUE_INIT;
    // The plugin's own enumeration type, not the program's.
    g_value_init(&value, g_object_class_find_property(klass, row.text.name)->value_type);
    row.field.load(parameters, &value);
    g_object_set_property(G_OBJECT(element), row.text.name, &value);
    g_value_unset(&value);
  }
}

#endif  // RDP_TESTS_SUPPORT_PARAMETERS_H_
