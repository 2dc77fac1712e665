// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_VIEW_PROPERTIES_H_
#define RDP_GST_ELEMENTS_BASE_VIEW_PROPERTIES_H_

#include <array>

#include "gst/elements/base/property_table.h"

namespace rdp::gst {

// More than any batch has: what is beyond is a mistake, such as -1.
inline constexpr guint kMostSurface = 1023;

// Properties of overlay pads, for Settings with members of these names.
template <typename Settings>
constexpr auto legend_property() {
  return std::to_array<PropertyRow<Settings>>({
      {{.name = "legend",
        .nick = "Legend",
        .blurb = "Whether pictures say what their colours stand for: a scale with its unit, and "
                 "the names of classes (small pictures have no room for it)",
        .flags = kWhilePlaying},
       PropertyOf<Settings>::template as_boolean<&Settings::legend>()},
  });
}
template <typename Settings>
constexpr auto surface_property() {
  return std::to_array<PropertyRow<Settings>>({
      {{.name = "surface",
        .nick = "Surface",
        .blurb = "Which surface of a batch is painted, from 0 (batches without it: no picture)",
        .flags = kWhilePlaying},
       PropertyOf<Settings>::template as_uint<&Settings::surface>(0, kMostSurface)},
  });
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_VIEW_PROPERTIES_H_
