// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_VIEW_PROPERTIES_H_
#define RDP_GST_ELEMENTS_BASE_VIEW_PROPERTIES_H_

#include <array>

#include "gst/elements/base/property_table.h"

namespace rdp::gst {

// Above the surfaces of any batch: larger values are mistakes, such as -1.
inline constexpr guint kMaxSurface = 1023;

// Properties of overlay pads, for Settings with members of these names.
template <typename Settings>
constexpr auto legend_property() {
  return std::to_array<PropertyRow<Settings>>({
      {{.name = "legend",
        .nick = "Legend",
        .blurb = "Draw a legend: a colour scale with its unit, or the names of classes (not on "
                 "small pictures)",
        .flags = kWhilePlaying},
       PropertyOf<Settings>::template as_boolean<&Settings::legend>()},
  });
}
template <typename Settings>
constexpr auto surface_property() {
  return std::to_array<PropertyRow<Settings>>({
      {{.name = "surface",
        .nick = "Surface",
        .blurb = "Index of the surface in a batch that is shown, from 0 (no picture of batches "
                 "without it)",
        .flags = kWhilePlaying},
       PropertyOf<Settings>::template as_uint<&Settings::surface>(0, kMaxSurface)},
  });
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_VIEW_PROPERTIES_H_
