// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_ENUM_TYPE_H_
#define RDP_GST_ELEMENTS_BASE_ENUM_TYPE_H_

#include <glib-object.h>

#include <algorithm>
#include <initializer_list>

namespace rdp::gst {

// A value of an enumeration property: its effect, and the name that users write.
struct EnumValue : GEnumValue {
  template <typename Number>
  EnumValue(Number number, const char* blurb, const char* name)
      : GEnumValue{static_cast<gint>(number), blurb, name} {}
};

// The type of such a property, registered once by the first thread. `Enum` is its C++ type; each
// has one GType.
template <typename Enum>
GType enum_type(const char* name, std::initializer_list<EnumValue> values) {
  static const GType type = [&] {
    auto* lasting = g_new0(GEnumValue, values.size() + 1);  // zeros are the end
    std::copy(values.begin(), values.end(), lasting);
    return g_enum_register_static(name, lasting);
  }();
  return type;
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_ENUM_TYPE_H_
