// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_PALETTE_PROPERTIES_H_
#define RDP_GST_ELEMENTS_BASE_PALETTE_PROPERTIES_H_

#include <array>

#include "gst/elements/base/property_table.h"
#include "gst/elements/base/view_properties.h"

namespace rdp::gst {

// The properties of overlay pads whose pictures use the palette: rows of Settings, which is
// rdp::OverlayOptions or derives from it.
template <typename Settings>
constexpr auto palette_properties() {
  using Of = PropertyOf<Settings>;
  constexpr auto kEnds = std::to_array<PropertyRow<Settings>>({
      {{.name = "palette-min",
        .nick = "Palette minimum",
        .blurb =
            "Sample at the start of the palette (min and max both 0 = the frame's 1st percentile)",
        .flags = kWhilePlaying},
       Of::template as_double<&Settings::palette_min>(-G_MAXDOUBLE, G_MAXDOUBLE)},
      {{.name = "palette-max",
        .nick = "Palette maximum",
        .blurb =
            "Sample at the end of the palette (min and max both 0 = the frame's 99th percentile)",
        .flags = kWhilePlaying},
       Of::template as_double<&Settings::palette_max>(-G_MAXDOUBLE, G_MAXDOUBLE)},
  });
  return join(kEnds, legend_property<Settings>());
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_PALETTE_PROPERTIES_H_
