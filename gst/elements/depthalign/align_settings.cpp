// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthalign/align_settings.h"

#include "common/align/parameters.h"
#include "gst/elements/base/number_value.h"

namespace rdp::gst {

void Extrinsics::set(const GValue* value) {
  const guint count = gst_value_array_get_size(value);
  Extrinsics read;
  read.is_set = count == std::size(read.rows.m);
  for (guint i = 0; i < count && read.is_set; ++i) {
    read.rows.m[i] = number_of(gst_value_array_get_value(value, i));
  }
  if (count != 0 && !(read.is_set && align::is_rotation(read.rows))) {
    g_autofree gchar* text = gst_value_serialize(value);
    g_warning(
        "expected extrinsics as 12 numbers, the rows of [R | t] from depth to target with a "
        "rotation R and t in metres, such as <1.0,0.0,0.0,-0.015,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0>, "
        "got %s; the previous ones stay",
        text);
    return;
  }
  *this = read;
}

void Extrinsics::get(GValue* value) const {
  if (!is_set) return;
  for (const double number : rows.m) append_number(value, number);
}

}  // namespace rdp::gst
