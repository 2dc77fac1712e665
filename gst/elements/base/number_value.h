// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_NUMBER_VALUE_H_
#define RDP_GST_ELEMENTS_BASE_NUMBER_VALUE_H_

#include <glib-object.h>
#include <gst/gst.h>

#include <cmath>

// The elements of properties that are several numbers (PropertyOf::as_numbers).
namespace rdp::gst {

// Returns a number of any type as a double; not finite if it is not a number.
inline double number_of(const GValue* value) {
  GValue number = G_VALUE_INIT;
  g_value_init(&number, G_TYPE_DOUBLE);
  const bool is_number = g_value_transform(value, &number) != FALSE;
  const double result = is_number ? g_value_get_double(&number) : NAN;
  g_value_unset(&number);
  return result;
}

// Appends to a GstValueArray.
inline void append_number(GValue* array, double number) {
  GValue element = G_VALUE_INIT;
  g_value_init(&element, G_TYPE_DOUBLE);
  g_value_set_double(&element, number);
  gst_value_array_append_and_take_value(array, &element);
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_NUMBER_VALUE_H_
