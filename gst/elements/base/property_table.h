// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_PROPERTY_TABLE_H_
#define RDP_GST_ELEMENTS_BASE_PROPERTY_TABLE_H_

#include <gst/gst.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

// The properties of an element as one table. A row has all facts about a property, from which
// installing, setting and getting follow. The default is the initial value of its member in the
// settings struct, and only there.
//
//   struct Settings {
//     rdp::Parameters parameters;
//     guint threads = 0;
//   };
//   using Own = rdp::gst::PropertyOf<Settings>;
//   constexpr auto kOwnProperties = std::to_array<rdp::gst::PropertyRow<Settings>>({
//       {{.name = "threads", .nick = "Threads", .blurb = "Threads of the CPU engine",
//         .flags = rdp::gst::kWhilePlaying},
//        Own::as_uint<&Settings::threads>(0, 256)},
//   });
//   // The rows of another struct, as a member of this one, and the element's own rows.
//   constexpr auto kProperties = rdp::gst::join(
//       rdp::gst::properties_of_member<Settings, &Settings::parameters, kRdpProperties>(),
//       kOwnProperties);
//
//   class_init:    rdp::gst::install_properties(object_class, kProperties);
//   set_property:  rdp::gst::set_property(object, kProperties, self->settings, id, value, pspec);
//   get_property:  rdp::gst::get_property(object, kProperties, self->settings, id, value, pspec);
// The id of a property is its index in the table, from 1. A property outside the settings
// (read-only statistics, or one kept by a base class of GStreamer) has a row with only a type. The
// element answers for it before it asks the table:
//
//   if (id == rdp::gst::property_id(kProperties, "stats")) …
//
// A base class may install a table of its own. GObject asks the class that installed a property, so
// ids of different classes do not meet. See base_properties.h.
namespace rdp::gst {

enum PropertyFlags : unsigned {
  kReadOnly = 0,
  kInReady = 1,       // can be changed in NULL and READY alone
  kWhilePlaying = 2,  // can be changed at any time, and takes effect with the next frame
  kControllable = 4,  // by GstController; implies kWhilePlaying
};

// The value of a property such as a frame rate.
struct Fraction {
  int numerator;
  int denominator;
};

// Texts for people and tools.
struct PropertyText {
  const char* name;
  const char* nick;
  const char* blurb;
  // For tests, which compare them with the blurb and the behaviour. unit: in the blurb's words, or
  // null. needs: "merge=true" if the property has no effect otherwise.
  const char* unit = nullptr;
  const char* needs = nullptr;
  unsigned flags = kReadOnly;
};

enum class PropertyType {
  kBoolean,
  kInt,
  kUInt,
  kInt64,
  kUInt64,
  kDouble,
  kFraction,
  kEnum,
  kString,
  kStructure,
  kNumbers
};

// The type of a property and its range of values.
struct PropertyRange {
  PropertyType type;
  gint64 least = 0;  // of integers
  gint64 most = 0;
  double smallest = 0.0;  // of floating point numbers
  double largest = 0.0;
  GType (*enum_type)() = nullptr;
  bool kept = true;  // as a member of the settings
};

// Access to a property in the settings. Both functions are null if it is no member of them.
template <typename Settings>
struct PropertyField {
  PropertyRange range;
  void (*store)(Settings&, const GValue*) = nullptr;
  void (*load)(const Settings&, GValue*) = nullptr;
};

template <typename Settings>
struct PropertyRow {
  PropertyText text;
  PropertyField<Settings> field;
};

// Fields of a row: the property's type, its member of Settings, and the range. The member may have
// another integer type, or any enumeration.
template <typename Settings>
class PropertyOf {
  using Field = PropertyField<Settings>;

  template <auto Member>
  using Type = std::remove_cvref_t<decltype(std::declval<Settings&>().*Member)>;

 public:
  template <auto Member>
  static constexpr Field as_boolean() {
    return {{.type = PropertyType::kBoolean},
            [](Settings& s, const GValue* v) { s.*Member = g_value_get_boolean(v) != FALSE; },
            [](const Settings& s, GValue* v) { g_value_set_boolean(v, s.*Member ? TRUE : FALSE); }};
  }

  template <auto Member>
  static constexpr Field as_int(gint least, gint most) {
    return {{.type = PropertyType::kInt, .least = least, .most = most},
            [](Settings& s, const GValue* v) {
              s.*Member = static_cast<Type<Member>>(g_value_get_int(v));
            },
            [](const Settings& s, GValue* v) { g_value_set_int(v, static_cast<gint>(s.*Member)); }};
  }

  template <auto Member>
  static constexpr Field as_uint(guint least, guint most) {
    return {
        {.type = PropertyType::kUInt, .least = least, .most = most},
        [](Settings& s, const GValue* v) {
          s.*Member = static_cast<Type<Member>>(g_value_get_uint(v));
        },
        [](const Settings& s, GValue* v) { g_value_set_uint(v, static_cast<guint>(s.*Member)); }};
  }

  template <auto Member>
  static constexpr Field as_int64(gint64 least, gint64 most) {
    return {{.type = PropertyType::kInt64, .least = least, .most = most},
            [](Settings& s, const GValue* v) { s.*Member = g_value_get_int64(v); },
            [](const Settings& s, GValue* v) { g_value_set_int64(v, s.*Member); }};
  }

  // Times in ns over the whole range; the largest value means none.
  template <auto Member>
  static constexpr Field as_uint64() {
    return {{.type = PropertyType::kUInt64},
            [](Settings& s, const GValue* v) { s.*Member = g_value_get_uint64(v); },
            [](const Settings& s, GValue* v) { g_value_set_uint64(v, s.*Member); }};
  }

  template <auto Member>
  static constexpr Field as_double(double smallest, double largest) {
    return {{.type = PropertyType::kDouble, .smallest = smallest, .largest = largest},
            [](Settings& s, const GValue* v) { s.*Member = g_value_get_double(v); },
            [](const Settings& s, GValue* v) { g_value_set_double(v, s.*Member); }};
  }

  // A Fraction above 0.
  template <auto Member>
  static constexpr Field as_fraction() {
    return {
        {.type = PropertyType::kFraction},
        [](Settings& s, const GValue* v) {
          s.*Member = {gst_value_get_fraction_numerator(v), gst_value_get_fraction_denominator(v)};
        },
        [](const Settings& s, GValue* v) {
          gst_value_set_fraction(v, (s.*Member).numerator, (s.*Member).denominator);
        }};
  }

  template <auto Member>
  static constexpr Field as_enum(GType (*enum_type)()) {
    return {
        {.type = PropertyType::kEnum, .enum_type = enum_type},
        [](Settings& s, const GValue* v) {
          s.*Member = static_cast<Type<Member>>(g_value_get_enum(v));
        },
        [](const Settings& s, GValue* v) { g_value_set_enum(v, static_cast<gint>(s.*Member)); }};
  }

  // A SharedText (shared_text.h). The default is none.
  template <auto Member>
  static constexpr Field as_string() {
    return {{.type = PropertyType::kString},
            [](Settings& s, const GValue* v) { s.*Member = Type<Member>(g_value_get_string(v)); },
            [](const Settings& s, GValue* v) { g_value_set_string(v, (s.*Member).get()); }};
  }

  // Several numbers, such as a direction: an array that is empty until it is set. In a launch line:
  // up="<0.0,-1.0,0.0>". The member has set (const GValue*) and get (GValue*).
  template <auto Member>
  static constexpr Field as_numbers() {
    return {{.type = PropertyType::kNumbers},
            [](Settings& s, const GValue* v) { (s.*Member).set(v); },
            [](const Settings& s, GValue* v) { (s.*Member).get(v); }};
  }

  // Properties that are not members of the settings. The default is FALSE, or none.
  static constexpr Field other_boolean() {
    return {{.type = PropertyType::kBoolean, .kept = false}};
  }
  static constexpr Field other_structure() {
    return {{.type = PropertyType::kStructure, .kept = false}};
  }
};

// Fails to compile if the table has no such property.
template <typename Settings, std::size_t N>
consteval guint property_id(const std::array<PropertyRow<Settings>, N>& rows,
                            std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (rows[i].text.name == name) return static_cast<guint>(i + 1);
  }
  throw "there is no property of that name";
}

template <typename Settings, auto Member, const auto& Rows, std::size_t I>
void store_member(Settings& settings, const GValue* value) {
  Rows[I].field.store(settings.*Member, value);
}

template <typename Settings, auto Member, const auto& Rows, std::size_t I>
void load_member(const Settings& settings, GValue* value) {
  Rows[I].field.load(settings.*Member, value);
}

// Turns row `I` of a struct into a row of a settings struct with the member `Member` of its type.
template <typename Settings, auto Member, const auto& Rows, std::size_t I>
constexpr PropertyRow<Settings> property_of_member() {
  PropertyRow<Settings> row{Rows[I].text, {Rows[I].field.range}};
  // Not a null check of the functions: with sanitizers that is no constant for gcc.
  if (Rows[I].field.range.kept) {
    row.field.store = store_member<Settings, Member, Rows, I>;
    row.field.load = load_member<Settings, Member, Rows, I>;
  }
  return row;
}

// Does the same for all rows. Rows is a constant with static storage.
template <typename Settings, auto Member, const auto& Rows>
constexpr auto properties_of_member() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<PropertyRow<Settings>, sizeof...(I)>{
        property_of_member<Settings, Member, Rows, I>()...};
  }
  (std::make_index_sequence<Rows.size()>());
}

template <typename Settings, std::size_t... N>
constexpr auto join(const std::array<PropertyRow<Settings>, N>&... tables) {
  std::array<PropertyRow<Settings>, (N + ...)> all{};
  std::size_t count = 0;
  const auto append = [&](const auto& rows) {
    for (const auto& row : rows) all[count++] = row;
  };
  (append(tables), ...);
  return all;
}

// Returns some rows of a table, in the order of `names`. Fails to compile if the table lacks one.
template <typename Settings, std::size_t N, std::size_t M>
consteval std::array<PropertyRow<Settings>, M> choose(
    const std::array<PropertyRow<Settings>, N>& rows, const std::string_view (&names)[M]) {
  std::array<PropertyRow<Settings>, M> chosen{};
  for (std::size_t i = 0; i < M; ++i) chosen[i] = rows[property_id(rows, names[i]) - 1];
  return chosen;
}

// The type of a property's values.
GType property_value_type(const PropertyRange& range);

// Installs a property. `initial` holds the default; null if it is not a member of the settings.
// Marks enums as part of the plugin's API.
void install_property(GObjectClass* klass, guint id, const PropertyText& text,
                      const PropertyRange& range, const GValue* initial);

template <typename Settings, std::size_t N>
void install_properties(GObjectClass* klass, const std::array<PropertyRow<Settings>, N>& rows) {
  const Settings defaults{};
  for (std::size_t i = 0; i < N; ++i) {
    const PropertyRow<Settings>& row = rows[i];
    const auto id = static_cast<guint>(i + 1);
    if (row.field.load == nullptr) {
      install_property(klass, id, row.text, row.field.range, nullptr);
      continue;
    }
    GValue initial = G_VALUE_INIT;
    g_value_init(&initial, property_value_type(row.field.range));
    row.field.load(defaults, &initial);
    install_property(klass, id, row.text, row.field.range, &initial);
    g_value_unset(&initial);
  }
}

// The body of GObjectClass::set_property. `object` is a GstObject, whose lock guards `settings`.
// The value is within the range: GObject has refused others, and NaN.
template <typename Settings, std::size_t N>
void set_property(GObject* object, const std::array<PropertyRow<Settings>, N>& rows,
                  Settings& settings, guint id, const GValue* value, GParamSpec* pspec) {
  if (id < 1 || id > N || rows[id - 1].field.store == nullptr) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK(object);
  rows[id - 1].field.store(settings, value);
  GST_OBJECT_UNLOCK(object);
}

// The body of GObjectClass::get_property.
template <typename Settings, std::size_t N>
void get_property(GObject* object, const std::array<PropertyRow<Settings>, N>& rows,
                  const Settings& settings, guint id, GValue* value, GParamSpec* pspec) {
  if (id < 1 || id > N || rows[id - 1].field.load == nullptr) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK(object);
  rows[id - 1].field.load(settings, value);
  GST_OBJECT_UNLOCK(object);
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_PROPERTY_TABLE_H_
