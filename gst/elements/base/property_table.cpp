// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/property_table.h"

namespace rdp::gst {
namespace {

GParamFlags param_flags(unsigned flags) {
  unsigned result = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  if (flags & (kInReady | kWhilePlaying | kControllable)) result |= G_PARAM_WRITABLE;
  if (flags & kInReady) result |= GST_PARAM_MUTABLE_READY;
  if (flags & (kWhilePlaying | kControllable)) result |= GST_PARAM_MUTABLE_PLAYING;
  if (flags & kControllable) result |= GST_PARAM_CONTROLLABLE;
  return static_cast<GParamFlags>(result);
}

GParamSpec* make_spec(const PropertyText& text, const PropertyRange& range, const GValue* initial) {
  const GParamFlags flags = param_flags(text.flags);
  switch (range.type) {
    case PropertyType::kBoolean:
      return g_param_spec_boolean(text.name, text.nick, text.blurb,
                                  initial == nullptr ? FALSE : g_value_get_boolean(initial), flags);
    case PropertyType::kInt:
      return g_param_spec_int(text.name, text.nick, text.blurb, static_cast<gint>(range.least),
                              static_cast<gint>(range.most), g_value_get_int(initial), flags);
    case PropertyType::kUInt:
      return g_param_spec_uint(text.name, text.nick, text.blurb, static_cast<guint>(range.least),
                               static_cast<guint>(range.most), g_value_get_uint(initial), flags);
    case PropertyType::kInt64:
      return g_param_spec_int64(text.name, text.nick, text.blurb, range.least, range.most,
                                g_value_get_int64(initial), flags);
    case PropertyType::kUInt64:
      return g_param_spec_uint64(text.name, text.nick, text.blurb, 0, G_MAXUINT64,
                                 g_value_get_uint64(initial), flags);
    case PropertyType::kDouble:
      return g_param_spec_double(text.name, text.nick, text.blurb, range.smallest, range.largest,
                                 g_value_get_double(initial), flags);
    case PropertyType::kFraction:
      return gst_param_spec_fraction(text.name, text.nick, text.blurb, 1, G_MAXINT, G_MAXINT, 1,
                                     gst_value_get_fraction_numerator(initial),
                                     gst_value_get_fraction_denominator(initial), flags);
    case PropertyType::kEnum:
      gst_type_mark_as_plugin_api(range.enum_type(), static_cast<GstPluginAPIFlags>(0));
      return g_param_spec_enum(text.name, text.nick, text.blurb, range.enum_type(),
                               g_value_get_enum(initial), flags);
    case PropertyType::kString:
      return g_param_spec_string(text.name, text.nick, text.blurb, g_value_get_string(initial),
                                 flags);
    case PropertyType::kNumbers:
      return gst_param_spec_array(text.name, text.nick, text.blurb, nullptr, flags);
    case PropertyType::kStructure:
      return g_param_spec_boxed(text.name, text.nick, text.blurb, GST_TYPE_STRUCTURE, flags);
  }
  g_return_val_if_reached(nullptr);
}

}  // namespace

GType property_value_type(const PropertyRange& range) {
  switch (range.type) {
    case PropertyType::kBoolean:
      return G_TYPE_BOOLEAN;
    case PropertyType::kInt:
      return G_TYPE_INT;
    case PropertyType::kUInt:
      return G_TYPE_UINT;
    case PropertyType::kInt64:
      return G_TYPE_INT64;
    case PropertyType::kUInt64:
      return G_TYPE_UINT64;
    case PropertyType::kDouble:
      return G_TYPE_DOUBLE;
    case PropertyType::kFraction:
      return GST_TYPE_FRACTION;
    case PropertyType::kEnum:
      return range.enum_type();
    case PropertyType::kString:
      return G_TYPE_STRING;
    case PropertyType::kStructure:
      return GST_TYPE_STRUCTURE;
    case PropertyType::kNumbers:
      return GST_TYPE_ARRAY;
  }
  g_return_val_if_reached(G_TYPE_INVALID);
}

void install_property(GObjectClass* klass, guint id, const PropertyText& text,
                      const PropertyRange& range, const GValue* initial) {
  g_object_class_install_property(klass, id, make_spec(text, range, initial));
}

}  // namespace rdp::gst
