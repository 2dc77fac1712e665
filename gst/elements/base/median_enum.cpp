// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/median_enum.h"

#include "common/rdp/parameters.h"

GType gst_rdp_median_get_type(void) {
  // The type's name is older than the other elements that have the property, and stays.
  return rdp::gst::enum_type<rdp::Median>("GstRdpSegmentMedian",
                                          {{rdp::Median::kNone, "No median", "none"},
                                           {rdp::Median::k3x3, "Median of 3x3 samples", "3x3"},
                                           {rdp::Median::k5x5, "Median of 5x5 samples", "5x5"}});
}
