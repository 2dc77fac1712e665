// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/median_enum.h"

#include "common/rdp/parameters.h"

GType gst_rdp_median_get_type(void) {
  static const GEnumValue values[] = {
      {static_cast<gint>(rdp::Median::kNone), "No median", "none"},
      {static_cast<gint>(rdp::Median::k3x3), "Median of 3x3 samples", "3x3"},
      {static_cast<gint>(rdp::Median::k5x5), "Median of 5x5 samples", "5x5"},
      {0, nullptr, nullptr},
  };
  // The type's name is older than the other elements that have the property, and stays.
  static const GType type = g_enum_register_static("GstRdpSegmentMedian", values);
  return type;
}
