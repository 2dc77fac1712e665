// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/fuzz/fuzz_properties.h"

#include <cstring>
#include <string_view>
#include <vector>

namespace rdp::fuzz {
namespace {

// Properties of its type, and of its base types in the plugin.
std::vector<GParamSpec*> own_properties(GObject* object) {
  guint count = 0;
  GParamSpec** all = g_object_class_list_properties(G_OBJECT_GET_CLASS(object), &count);
  std::vector<GParamSpec*> own;
  for (guint i = 0; i < count; ++i) {
    const std::string_view owner = g_type_name(all[i]->owner_type);
    if (owner.starts_with("GstRdp") || owner.starts_with("GstDepth")) own.push_back(all[i]);
  }
  g_free(all);
  return own;
}

// Makes a valid value. Returns false for unsupported types.
bool take_value(Input* input, GParamSpec* spec, GValue* value) {
  if (G_IS_PARAM_SPEC_DOUBLE(spec)) {
    const GParamSpecDouble* range = G_PARAM_SPEC_DOUBLE(spec);
    const double number = input->real(0.0);
    g_value_set_double(
        value, std::clamp(input->flag() ? -number : number, range->minimum, range->maximum));
  } else if (G_IS_PARAM_SPEC_UINT(spec)) {
    const GParamSpecUInt* range = G_PARAM_SPEC_UINT(spec);
    // More threads only take longer to start.
    const guint most = std::strcmp(spec->name, "threads") == 0 ? 4 : range->maximum;
    const guint64 width = std::uint64_t{most} - range->minimum + 1;
    const guint64 number = input->flag() ? input->bits<guint16>() : input->byte();
    g_value_set_uint(value, range->minimum + static_cast<guint>(number % width));
  } else if (G_IS_PARAM_SPEC_INT(spec)) {
    const GParamSpecInt* range = G_PARAM_SPEC_INT(spec);
    g_value_set_int(value, std::clamp<int>(input->byte() - 1, range->minimum, range->maximum));
  } else if (G_IS_PARAM_SPEC_BOOLEAN(spec)) {
    g_value_set_boolean(value, input->flag());
  } else if (G_IS_PARAM_SPEC_ENUM(spec)) {
    const GEnumClass* values = G_PARAM_SPEC_ENUM(spec)->enum_class;
    g_value_set_enum(value, values->values[input->below(values->n_values)].value);
  } else {
    return false;
  }
  return true;
}

}  // namespace

void set_any_property(Input* input, GObject* object) {
  const std::vector<GParamSpec*> own = own_properties(object);
  GParamSpec* spec = own[input->below(static_cast<std::uint32_t>(own.size()))];
  GValue value = G_VALUE_INIT;
  g_value_init(&value, G_PARAM_SPEC_VALUE_TYPE(spec));
  const bool writable = (spec->flags & G_PARAM_WRITABLE) != 0 && take_value(input, spec, &value);
  if (writable) g_object_set_property(object, spec->name, &value);
  GValue read = G_VALUE_INIT;
  g_value_init(&read, G_PARAM_SPEC_VALUE_TYPE(spec));
  g_object_get_property(object, spec->name, &read);
  FUZZ_CHECK(!writable || g_param_values_cmp(spec, &value, &read) == 0,
             "%s is another value than it was set to", spec->name);
  g_value_unset(&read);
  g_value_unset(&value);
}

}  // namespace rdp::fuzz
