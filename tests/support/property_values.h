// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_PROPERTY_VALUES_H_
#define RDP_TESTS_SUPPORT_PROPERTY_VALUES_H_

#include <gst/gst.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

// Test values for properties of any type. Include after gst/check/gstcheck.h.
namespace rdp::test {

class PropertyValue {
 public:
  explicit PropertyValue(GType type) { g_value_init(&value_, type); }
  PropertyValue(const PropertyValue& other) : PropertyValue(G_VALUE_TYPE(&other.value_)) {
    g_value_copy(&other.value_, &value_);
  }
  PropertyValue& operator=(PropertyValue other) {
    std::swap(value_, other.value_);
    return *this;
  }
  ~PropertyValue() { g_value_unset(&value_); }

  GValue* get() { return &value_; }
  const GValue* get() const { return &value_; }
  std::string text() const {
    g_autofree gchar* text = g_strdup_value_contents(&value_);
    return std::string(text).substr(0, 100);
  }

 private:
  GValue value_ = G_VALUE_INIT;
};

using PropertyValues = std::vector<PropertyValue>;

namespace property_values {

// Adds both ends of the range, and those of 0, 1 and 2 within it.
template <typename T>
void add_numbers(PropertyValues* values, GType type, T least, T most, void (*set)(GValue*, T)) {
  std::vector<T> numbers = {least, most};
  for (const T number : {T{0}, T{1}, T{2}}) {
    if (number >= least && number <= most) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (const T number : numbers) {
    values->emplace_back(type);
    set(values->back().get(), number);
  }
}

// Adds arrays of zero, one, three and four numbers, some of no direction, some of other types.
inline void add_arrays(PropertyValues* values) {
  for (const char* text : {"<>", "<0.0>", "<0.0,0.0,0.0>", "<0.0,-1.0,0.0>", "<1.0,2.0>",
                           "<1.0,1.0,1.0,1.0>", "<1e308,1e308,1e308>", "<1e-320,0.0,0.0>",
                           "<nan,0.0,0.0>", "<1.0,inf,0.0>", "<1,2,3>", "<a,b,c>"}) {
    PropertyValue value(GST_TYPE_ARRAY);
    if (gst_value_deserialize(value.get(), text)) values->push_back(value);
  }
}

}  // namespace property_values

// Test values of a property: both ends of its range and 0, 1 and 2; each enumerator; no flags and
// all; null and each of `texts`. An unknown type fails the test.
inline PropertyValues values_to_try(GParamSpec* spec, const std::vector<std::string>& texts) {
  using property_values::add_numbers;
  PropertyValues values;
  const GType type = spec->value_type;
  const auto add = [&](auto set, auto value) {
    values.emplace_back(type);
    set(values.back().get(), value);
  };
  if (type == G_TYPE_BOOLEAN) {
    add(g_value_set_boolean, FALSE);
    add(g_value_set_boolean, TRUE);
  } else if (type == G_TYPE_INT) {
    const GParamSpecInt* range = G_PARAM_SPEC_INT(spec);
    add_numbers(&values, type, range->minimum, range->maximum, g_value_set_int);
  } else if (type == G_TYPE_UINT) {
    const GParamSpecUInt* range = G_PARAM_SPEC_UINT(spec);
    add_numbers(&values, type, range->minimum, range->maximum, g_value_set_uint);
  } else if (type == G_TYPE_INT64) {
    const GParamSpecInt64* range = G_PARAM_SPEC_INT64(spec);
    add_numbers(&values, type, range->minimum, range->maximum, g_value_set_int64);
  } else if (type == G_TYPE_UINT64) {
    const GParamSpecUInt64* range = G_PARAM_SPEC_UINT64(spec);
    add_numbers(&values, type, range->minimum, range->maximum, g_value_set_uint64);
  } else if (type == G_TYPE_DOUBLE) {
    const GParamSpecDouble* range = G_PARAM_SPEC_DOUBLE(spec);
    add_numbers(&values, type, range->minimum, range->maximum, g_value_set_double);
  } else if (type == GST_TYPE_FRACTION) {
    const GstParamSpecFraction* range = GST_PARAM_SPEC_FRACTION(spec);
    for (const auto& [n, d] : {std::pair{range->min_num, range->min_den},
                               {1, 2},
                               {1, 1},
                               {30000, 1001},
                               {range->max_num, range->max_den}}) {
      values.emplace_back(type);
      gst_value_set_fraction(values.back().get(), n, d);
    }
  } else if (G_TYPE_IS_ENUM(type)) {
    const GEnumClass* names = G_PARAM_SPEC_ENUM(spec)->enum_class;
    for (guint i = 0; i < names->n_values; ++i) add(g_value_set_enum, names->values[i].value);
  } else if (G_TYPE_IS_FLAGS(type)) {
    add(g_value_set_flags, 0U);
    add(g_value_set_flags, G_PARAM_SPEC_FLAGS(spec)->flags_class->mask);
  } else if (type == G_TYPE_STRING) {
    add(g_value_set_string, nullptr);
    for (const std::string& text : texts) add(g_value_set_string, text.c_str());
  } else if (type == GST_TYPE_ARRAY) {
    property_values::add_arrays(&values);
  } else {
    fail_unless(false, "no values are known for %s, a %s: add some to values_to_try ()", spec->name,
                g_type_name(type));
  }
  return values;
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_PROPERTY_VALUES_H_
