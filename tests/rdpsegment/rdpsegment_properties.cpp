// SPDX-License-Identifier: LGPL-2.1-or-later
// Each segmentation property has a table row, a member of rdp::Parameters, a field of
// GstRdpSegmentationInfo, a serialised form and a documentation row. All must agree. The metadata
// does not keep other properties. RDP_SOURCES is the source folder.
#include <algorithm>
#include <cfloat>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gst/elements/rdpsegment/segment_properties.h"
#include "gst/rdpsegment/rdpsegmentationparameters.h"
#include "tests/support/check_test.h"
#include "tests/support/frames.h"

namespace {

using Info = GstRdpSegmentationInfo;
using rdp::gst::kRdpProperties;
using rdp::gst::PropertyRow;

// C has no way to list the fields of a struct: test_fields compares this list with the header.
struct Field {
  const char* name;
  double (*value)(const Info&);
};
#define FIELD(name)                                                        \
  {                                                                        \
#name, [](const Info& info) { return static_cast<double>(info.name); } \
  }
const Field kFields[] = {
    FIELD(frame),          FIELD(width),         FIELD(height),
    FIELD(epsilon),        FIELD(sample_scale),  FIELD(min_value),
    FIELD(max_value),      FIELD(domain),        FIELD(fit),
    FIELD(inverse_scale),  FIELD(median),        FIELD(column_width),
    FIELD(merge_cost),     FIELD(max_gap),       FIELD(refine),
    FIELD(merge),          FIELD(classify),      FIELD(ground_slope),
    FIELD(far_value),      FIELD(ground_offset), FIELD(ground_per_column),
    FIELD(ground_per_row), FIELD(merge_bounded),
};
// Fields that describe the frame, not its segmentation.
const std::set<std::string> kOfTheFrame = {
    "frame", "width", "height", "ground_offset", "ground_per_column", "ground_per_row"};

const Field* field_of(const std::string& property) {
  std::string name = property;
  std::replace(name.begin(), name.end(), '-', '_');
  for (const Field& field : kFields) {
    if (name == field.name) return &field;
  }
  return nullptr;
}

// The names of the fields that differ.
std::set<std::string> differences(const Info& a, const Info& b) {
  std::set<std::string> names;
  for (const Field& field : kFields) {
    if (field.value(a) != field.value(b)) names.insert(field.name);
  }
  return names;
}

std::string listed(const std::set<std::string>& names) {
  std::string result;
  for (const std::string& name : names) result += (result.empty() ? "" : ", ") + name;
  return result.empty() ? "none" : result;
}

const PropertyRow<rdp::Parameters>* row_of(const std::string& name) {
  for (const auto& row : kRdpProperties) {
    if (name == row.text.name) return &row;
  }
  return nullptr;
}

// The properties of the object's type and of its base types in the plugin.
std::vector<GParamSpec*> properties_of(GObject* object) {
  guint count = 0;
  GParamSpec** all = g_object_class_list_properties(G_OBJECT_GET_CLASS(object), &count);
  std::vector<GParamSpec*> own;
  for (GParamSpec* spec : std::vector<GParamSpec*>(all, all + count)) {
    const std::string owner = g_type_name(spec->owner_type);
    if (owner.starts_with("GstRdp") || owner.starts_with("GstDepth")) own.push_back(spec);
  }
  g_free(all);
  return own;
}

double number(const GValue& value) {
  if (G_VALUE_HOLDS_DOUBLE(&value)) return g_value_get_double(&value);
  if (G_VALUE_HOLDS_UINT(&value)) return g_value_get_uint(&value);
  if (G_VALUE_HOLDS_INT(&value)) return g_value_get_int(&value);
  if (G_VALUE_HOLDS_INT64(&value)) return static_cast<double>(g_value_get_int64(&value));
  // GST_CLOCK_TIME_NONE, the largest value, is written as -1.
  if (G_VALUE_HOLDS_UINT64(&value)) {
    return static_cast<double>(static_cast<gint64>(g_value_get_uint64(&value)));
  }
  if (G_VALUE_HOLDS_BOOLEAN(&value)) return g_value_get_boolean(&value);
  if (G_VALUE_HOLDS_ENUM(&value)) return g_value_get_enum(&value);
  ck_abort_msg("a property of a type that this test does not know");
  return 0;
}

double default_of(GParamSpec* spec) { return number(*g_param_spec_get_default_value(spec)); }

// Sets a property to a non-default value, and returns the default.
double set_other(GObject* object, GParamSpec* spec) {
  const double initial = default_of(spec);
  GValue value = G_VALUE_INIT;
  g_value_init(&value, spec->value_type);
  if (G_IS_PARAM_SPEC_DOUBLE(spec)) {
    g_value_set_double(&value, initial < 0 ? 1e5 : initial == 0 ? 1 : 2 * initial);
  } else if (G_IS_PARAM_SPEC_UINT(spec)) {
    const guint most = G_PARAM_SPEC_UINT(spec)->maximum;
    g_value_set_uint(&value, static_cast<guint>(initial < most ? initial + 1 : initial - 1));
  } else if (G_IS_PARAM_SPEC_INT(spec)) {
    g_value_set_int(&value, static_cast<gint>(initial) + 1);
  } else if (G_IS_PARAM_SPEC_BOOLEAN(spec)) {
    g_value_set_boolean(&value, initial == 0);
  } else if (G_IS_PARAM_SPEC_ENUM(spec)) {
    const GEnumClass* values = G_PARAM_SPEC_ENUM(spec)->enum_class;
    g_value_set_enum(&value, values->values[values->values[0].value == initial ? 1 : 0].value);
  }
  g_object_set_property(object, spec->name, &value);
  const double result = number(value);
  g_value_unset(&value);
  return result;
}

using Segmentation = std::unique_ptr<GstRdpSegmentation, decltype(&gst_rdp_segmentation_unref)>;

// The segmentation of a frame on the CPU, after `change` has set the properties.
template <typename Change>
Segmentation segment(Change change) {
  GstElement* element = gst_element_factory_make("rdpsegment", nullptr);
  g_object_set(element, "backend", 1, nullptr);
  change(G_OBJECT(element));
  GstHarness* harness = gst_harness_new_with_element(element, "sink", "src");
  gst_object_unref(element);
  gst_harness_set_src_caps(harness, frames::caps({}));
  GstBuffer* output = gst_harness_push_and_pull(harness, frames::make({}));
  fail_unless(output != nullptr);
  GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(output);
  fail_unless(segmentation != nullptr);
  gst_rdp_segmentation_ref(segmentation);
  gst_buffer_unref(output);
  gst_harness_teardown(harness);
  return {segmentation, gst_rdp_segmentation_unref};
}

const Info& info_of(const Segmentation& segmentation) {
  return *gst_rdp_segmentation_get_info(segmentation.get());
}

// A round trip through bytes.
Segmentation through_bytes(const Segmentation& segmentation) {
  GBytes* bytes = gst_rdp_segmentation_to_bytes(segmentation.get());
  GError* error = nullptr;
  GstRdpSegmentation* read = gst_rdp_segmentation_new_from_bytes(bytes, &error);
  fail_unless(read != nullptr, "%s", error == nullptr ? "" : error->message);
  g_bytes_unref(bytes);
  return {read, gst_rdp_segmentation_unref};
}

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(RDP_SOURCES) + "/" + path);
  fail_unless(file.good(), "there is no %s in %s", path.c_str(), RDP_SOURCES);
  return {std::istreambuf_iterator<char>(file), {}};
}

GObject* new_object(const char* factory) {
  auto* element = G_OBJECT(gst_element_factory_make(factory, nullptr));
  fail_unless(element != nullptr, "there is no %s", factory);
  return element;
}

}  // namespace

CHECK_TEST(test_fields) {
  const std::string header = text_of("gst/rdpsegment/rdpsegmentation.h");
  const std::string begin = "struct _GstRdpSegmentationInfo {\n";
  const std::size_t from = header.find(begin) + begin.size();
  const std::size_t to = header.find("/*< private >*/", from);
  fail_unless(from > begin.size() && to != std::string::npos);
  std::vector<std::string> declared;
  for (std::size_t at = from, end; (end = header.find(";\n", at)) < to; at = end + 2) {
    declared.push_back(header.substr(header.rfind(' ', end) + 1, end - header.rfind(' ', end) - 1));
  }
  const std::string metadata = text_of("docs/metadata.md");
  std::vector<std::string> known;
  for (const Field& field : kFields) known.push_back(field.name);
  fail_unless(declared == known, "GstRdpSegmentationInfo has other fields than this test knows");
  for (const std::string& name : known) {
    fail_unless(header.find(" * @" + name + ": ") != std::string::npos, "@%s is not documented",
                name.c_str());
    fail_unless(
        kOfTheFrame.count(name) == 1 ||
            std::any_of(kRdpProperties.begin(), kRdpProperties.end(),
                        [&](const auto& row) { return field_of(row.text.name)->name == name; }),
        "no property is kept in %s", name.c_str());
  }
}

// The rows are the element's properties with a field; the others have none.
CHECK_TEST(test_rows) {
  GObject* element = new_object("rdpsegment");
  std::size_t kept = 0;
  for (GParamSpec* spec : properties_of(element)) {
    const bool is_kept = row_of(spec->name) != nullptr;
    fail_unless(is_kept == (field_of(spec->name) != nullptr),
                is_kept ? "%s has no field of that name" : "%s has a field, and no row",
                spec->name);
    if (is_kept) ++kept;
  }
  fail_unless_equals_uint64(kept, kRdpProperties.size());
  g_object_unref(element);
}

// Defaults agree in all places.
CHECK_TEST(test_defaults) {
  GObject* element = new_object("rdpsegment");
  Info initial;
  gst_rdp_segmentation_info_init(&initial);
  const Segmentation made = segment([](GObject*) {});
  const std::set<std::string> of_frame = differences(initial, info_of(made));
  fail_unless(of_frame == std::set<std::string>({"width", "height"}),
              "a frame's info has other defaults: %s", listed(of_frame).c_str());
  for (const auto& row : kRdpProperties) {
    GParamSpec* spec = g_object_class_find_property(G_OBJECT_GET_CLASS(element), row.text.name);
    const double in_info = field_of(row.text.name)->value(initial);
    GValue now = G_VALUE_INIT;
    g_object_get_property(element, row.text.name, &now);
    fail_unless(default_of(spec) == in_info && number(now) == in_info,
                "%s is %g by default, the element has %g and the info %g", row.text.name,
                default_of(spec), number(now), in_info);
    g_value_unset(&now);
  }
  g_object_unref(element);
}

// Setting a property changes only the field of its name, in the info and after bytes.
CHECK_TEST(test_one_field_each) {
  const Segmentation untouched = segment([](GObject*) {});
  GObject* element = new_object("rdpsegment");
  for (GParamSpec* spec : properties_of(element)) {
    // Properties that need a device or a file.
    const std::set<std::string> not_set = {"backend", "cuda-device-id", "calibration"};
    if ((spec->flags & G_PARAM_WRITABLE) == 0 || not_set.count(spec->name) == 1) continue;
    double value = 0;
    const Segmentation made = segment([&](GObject* object) { value = set_other(object, spec); });
    const Field* field = field_of(spec->name);
    std::set<std::string> wanted;
    if (field != nullptr) wanted.insert(field->name);
    const std::set<std::string> changed = differences(info_of(untouched), info_of(made));
    fail_unless(changed == wanted, "%s changes: %s", spec->name, listed(changed).c_str());
    fail_unless(field == nullptr || field->value(info_of(made)) == value,
                "%s is %g, and %g in the info", spec->name, value,
                field == nullptr ? 0 : field->value(info_of(made)));
    const std::set<std::string> lost = differences(info_of(made), info_of(through_bytes(made)));
    fail_unless(lost.empty(), "with another %s, bytes lose: %s", spec->name, listed(lost).c_str());
  }
  g_object_unref(element);
}

// All at once: no field overwrites another, and the engines' parameters round-trip.
CHECK_TEST(test_all_fields) {
  std::map<std::string, double> set;
  std::map<std::string, GType> types;  // the plugin's
  const Segmentation made = segment([&](GObject* object) {
    for (const auto& row : kRdpProperties) {
      GParamSpec* spec = g_object_class_find_property(G_OBJECT_GET_CLASS(object), row.text.name);
      set[row.text.name] = set_other(object, spec);
      types[row.text.name] = spec->value_type;
    }
  });
  const Segmentation read = through_bytes(made);
  for (const auto& [name, value] : set) {
    fail_unless(field_of(name)->value(info_of(made)) == value, "%s is not %g", name.c_str(), value);
    fail_unless(field_of(name)->value(info_of(read)) == value, "%s is not %g behind bytes",
                name.c_str(), value);
  }
  const rdp::Parameters parameters = rdp::meta::parameters_from_info(info_of(made));
  for (const auto& row : kRdpProperties) {
    GValue value = G_VALUE_INIT;
    g_value_init(&value, types[row.text.name]);
    row.field.load(parameters, &value);
    fail_unless(number(value) == set[row.text.name], "%s is %g in the parameters, not %g",
                row.text.name, number(value), set[row.text.name]);
    g_value_unset(&value);
  }
  Info back;
  rdp::meta::info_from_parameters(parameters, &back);
  back.width = info_of(made).width;
  back.height = info_of(made).height;
  const std::set<std::string> lost = differences(info_of(made), back);
  fail_unless(lost.empty(), "parameters and info do not agree on: %s", listed(lost).c_str());
}

// The ends of a property's range are valid in infos and in bytes.
CHECK_TEST(test_ends_of_ranges) {
  GObject* element = new_object("rdpsegment");
  for (const auto& row : kRdpProperties) {
    GParamSpec* spec = g_object_class_find_property(G_OBJECT_GET_CLASS(element), row.text.name);
    for (const bool least : {true, false}) {
      GValue value = G_VALUE_INIT;
      g_value_init(&value, spec->value_type);
      if (G_IS_PARAM_SPEC_DOUBLE(spec)) {
        const GParamSpecDouble* range = G_PARAM_SPEC_DOUBLE(spec);
        g_value_set_double(&value, least ? range->minimum : range->maximum);
      } else if (G_IS_PARAM_SPEC_UINT(spec)) {
        const GParamSpecUInt* range = G_PARAM_SPEC_UINT(spec);
        g_value_set_uint(&value, least ? range->minimum : range->maximum);
      } else if (G_IS_PARAM_SPEC_ENUM(spec)) {
        const GEnumClass* values = G_PARAM_SPEC_ENUM(spec)->enum_class;
        g_value_set_enum(&value, least ? values->minimum : values->maximum);
      } else {
        g_value_set_boolean(&value, !least);
      }
      rdp::Parameters parameters;
      row.field.store(parameters, &value);
      Info info;
      rdp::meta::info_from_parameters(parameters, &info);
      info.width = info.height = 1;
      const guint32 offsets[] = {0, 0};
      const Segmentation made(gst_rdp_segmentation_new(&info, offsets, 2, nullptr, 0),
                              gst_rdp_segmentation_unref);
      fail_unless(made != nullptr, "%s cannot be %g in an info", row.text.name, number(value));
      fail_unless(field_of(row.text.name)->value(info_of(through_bytes(made))) == number(value),
                  "%s is not %g behind bytes", row.text.name, number(value));
      g_value_unset(&value);
    }
  }
  g_object_unref(element);
}

// A row's unit equals the one in the property's blurb, and its `needs` names a property.
CHECK_TEST(test_texts) {
  GObject* element = new_object("rdpsegment");
  for (const auto& row : kRdpProperties) {
    if (row.text.unit != nullptr) {
      fail_unless(std::string(row.text.blurb).find(row.text.unit) != std::string::npos,
                  "%s: the unit is not in the text", row.text.name);
    }
    if (row.text.needs == nullptr) continue;
    const std::string needs = row.text.needs;
    const std::string name = needs.substr(0, needs.find('='));
    GParamSpec* needed = g_object_class_find_property(G_OBJECT_GET_CLASS(element), name.c_str());
    fail_unless(needed != nullptr, "%s needs %s, which is no property", row.text.name,
                name.c_str());
    GValue value = G_VALUE_INIT;
    g_value_init(&value, needed->value_type);
    fail_unless(gst_value_deserialize(&value, needs.c_str() + name.size() + 1) &&
                    number(value) != default_of(needed),
                "%s needs %s", row.text.name, needs.c_str());
    g_value_unset(&value);
  }
  g_object_unref(element);
}

namespace {

// The segments as bytes and their classes, without the info.
std::vector<guint8> result_of(const Segmentation& segmentation) {
  std::vector<guint8> result;
  for (GBytes* bytes : {gst_rdp_segmentation_get_offsets(segmentation.get()),
                        gst_rdp_segmentation_get_segments(segmentation.get()),
                        gst_rdp_segmentation_get_classes(segmentation.get())}) {
    if (bytes == nullptr) continue;
    gsize size = 0;
    const auto* data = static_cast<const guint8*>(g_bytes_get_data(bytes, &size));
    result.insert(result.end(), data, data + size);
    g_bytes_unref(bytes);
  }
  return result;
}

}  // namespace

// A property has an effect only with the setting that its row names.
CHECK_TEST(test_needs) {
  const std::vector<guint8> untouched = result_of(segment([](GObject*) {}));
  for (const auto& row : kRdpProperties) {
    if (row.text.needs == nullptr) continue;
    const auto set_row = [&](GObject* object) {
      set_other(object, g_object_class_find_property(G_OBJECT_GET_CLASS(object), row.text.name));
    };
    const auto set_needed = [&](GObject* object) {
      gchar** parts = g_strsplit(row.text.needs, "=", 2);
      gst_util_set_object_arg(object, parts[0], parts[1]);
      g_strfreev(parts);
    };
    fail_unless(result_of(segment(set_row)) == untouched, "%s has an effect without %s",
                row.text.name, row.text.needs);
    const auto set_both = [&](GObject* object) {
      set_needed(object);
      set_row(object);
    };
    fail_unless(result_of(segment(set_both)) != result_of(segment(set_needed)),
                "%s has no effect with %s", row.text.name, row.text.needs);
  }
}

namespace {

struct Documented {
  std::string initial;
  std::string meaning;
};

std::vector<std::string> split(const std::string& text, const std::string& between) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t to; (to = text.find(between, from)) != std::string::npos;
       from = to + between.size()) {
    parts.push_back(text.substr(from, to - from));
  }
  parts.push_back(text.substr(from));
  return parts;
}

// An empty cell has a space on each side.
std::string cells_apart(std::string line) {
  const std::size_t at = line.find("| |");
  return at == std::string::npos ? line : line.replace(at, 3, "|  |");
}

// The table of properties under `head` in a file of docs/, by name. A row may describe several.
std::map<std::string, Documented> documented(const std::string& path, const std::string& head) {
  std::map<std::string, Documented> result;
  const std::string text = text_of(path);
  std::size_t at = text.find("\n" + head + "\n");
  fail_unless(at != std::string::npos, "%s has no table %s", path.c_str(), head.c_str());
  const std::vector<std::string> lines = split(text.substr(at + 1), "\n");
  for (std::size_t i = 2; i < lines.size() && lines[i].starts_with("| `"); ++i) {
    const std::vector<std::string> cells = split(cells_apart(lines[i].substr(2)), " | ");
    fail_unless(cells.size() == 3, "%s: %s", path.c_str(), lines[i].c_str());
    const std::vector<std::string> names = split(cells[0], ", ");
    const std::vector<std::string> defaults = split(cells[1], ", ");
    fail_unless(names.size() == defaults.size(), "%s: %s", path.c_str(), lines[i].c_str());
    for (std::size_t n = 0; n < names.size(); ++n) {
      result[names[n].substr(1, names[n].size() - 2)] = {defaults[n], cells[2]};
    }
  }
  return result;
}

// The documentation's text for a range; empty if it is the type's full range.
std::string range_text(GParamSpec* spec) {
  if (G_IS_PARAM_SPEC_DOUBLE(spec)) {
    const double least = G_PARAM_SPEC_DOUBLE(spec)->minimum;
    const double most = G_PARAM_SPEC_DOUBLE(spec)->maximum;
    gchar* text = nullptr;
    if (most < DBL_MAX) {
      text = g_strdup_printf("%g to %g", least, most);
    } else if (least == DBL_MIN) {
      text = g_strdup("above 0");
    } else if (least > -DBL_MAX) {
      text = g_strdup_printf("%g or more", least);
    }
    const std::string result = text == nullptr ? "" : text;
    g_free(text);
    return result;
  }
  if (G_IS_PARAM_SPEC_UINT(spec)) {
    const GParamSpecUInt* range = G_PARAM_SPEC_UINT(spec);
    if (range->maximum == G_MAXUINT) return "";
    if (default_of(spec) == 0) return "up to " + std::to_string(range->maximum);
    return std::to_string(range->minimum) + " to " + std::to_string(range->maximum);
  }
  if (G_IS_PARAM_SPEC_INT(spec)) {
    const GParamSpecInt* range = G_PARAM_SPEC_INT(spec);
    const std::string least = std::to_string(range->minimum);
    return least + (range->minimum == -1 ? ":" : " to " + std::to_string(range->maximum));
  }
  return "";
}

// The numbers of a list, as the page writes them.
std::string list_text(GObject* object, GParamSpec* spec) {
  GValue list = G_VALUE_INIT;
  g_value_init(&list, GST_TYPE_ARRAY);
  g_object_get_property(object, spec->name, &list);
  std::string text = "`<";
  for (guint i = 0; i < gst_value_array_get_size(&list); ++i) {
    char number_text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(number_text, sizeof number_text, "%g",
                    number(*gst_value_array_get_value(&list, i)));
    text += (i == 0 ? "" : ",") + std::string(number_text);
  }
  g_value_unset(&list);
  return text + ">`";
}

void check_documented(GObject* object, const std::string& path, const std::string& head) {
  const std::map<std::string, Documented> table = documented(path, head);
  std::set<std::string> names;
  for (GParamSpec* spec : properties_of(object)) {
    names.insert(spec->name);
    fail_unless(table.count(spec->name) == 1, "%s does not list %s", path.c_str(), spec->name);
    const auto& [initial, meaning] = table.at(spec->name);
    if (G_IS_PARAM_SPEC_ENUM(spec)) {
      const GEnumClass* values = G_PARAM_SPEC_ENUM(spec)->enum_class;
      for (guint i = 0; i < values->n_values; ++i) {
        const std::string nick = values->values[i].value_nick;
        const bool is_default = values->values[i].value == default_of(spec);
        fail_unless(!is_default || initial == nick, "%s: the default of %s is %s", path.c_str(),
                    spec->name, nick.c_str());
        fail_unless(is_default || meaning.find("`" + nick + "`") != std::string::npos,
                    "%s does not say what %s=%s is", path.c_str(), spec->name, nick.c_str());
      }
    } else if (G_IS_PARAM_SPEC_BOOLEAN(spec)) {
      fail_unless(initial == (default_of(spec) != 0 ? "true" : "false"), "%s: the default of %s",
                  path.c_str(), spec->name);
    } else if (G_IS_PARAM_SPEC_STRING(spec)) {
      fail_unless(initial.empty() && G_PARAM_SPEC_STRING(spec)->default_value == nullptr,
                  "%s: the default of %s", path.c_str(), spec->name);
    } else if (GST_IS_PARAM_SPEC_ARRAY_LIST(spec)) {
      fail_unless(initial == list_text(object, spec), "%s: the default of %s is %s", path.c_str(),
                  spec->name, list_text(object, spec).c_str());
    } else if ((spec->flags & G_PARAM_WRITABLE) != 0) {
      fail_unless(!initial.empty() && g_ascii_strtod(initial.c_str(), nullptr) == default_of(spec),
                  "%s: the default of %s is %g", path.c_str(), spec->name, default_of(spec));
    }
    const std::string range = GST_IS_PARAM_SPEC_ARRAY_LIST(spec) ? "" : range_text(spec);
    fail_unless(meaning.find(range) != std::string::npos, "%s does not say that %s is %s",
                path.c_str(), spec->name, range.c_str());
    const bool controllable = (spec->flags & GST_PARAM_CONTROLLABLE) != 0;
    const bool said = meaning.find("ontrolla") != std::string::npos ||
                      meaning.find("*c*") != std::string::npos;  // the page tells the sign
    fail_unless(controllable == said, "%s: whether %s is controllable", path.c_str(), spec->name);
  }
  for (const auto& [name, row] : table) {
    fail_unless(names.count(name) == 1, "%s lists %s, which is no property", path.c_str(),
                name.c_str());
  }
}

}  // namespace

CHECK_TEST(test_documentation) {
  const std::string head = "| property | default | meaning |";
  for (const char* factory :
       {"rdpsegment", "depthstereo", "depthtestsrc", "rdpmetaconvert", "rdpoverlay"}) {
    GObject* element = new_object(factory);
    check_documented(element, std::string("docs/") + factory + ".md", head);
    g_object_unref(element);
  }
  GObject* element = new_object("rdpsegment");
  GstPad* pad = gst_element_request_pad_simple(GST_ELEMENT(element), "overlay");
  check_documented(G_OBJECT(pad), "docs/rdpsegment.md", "| pad property | default | meaning |");
  gst_object_unref(pad);

  // The others can change while playing.
  std::vector<std::string> names;
  for (GParamSpec* spec : properties_of(element)) {
    if ((spec->flags & G_PARAM_WRITABLE) == 0 || (spec->flags & GST_PARAM_MUTABLE_PLAYING) != 0) {
      continue;
    }
    names.push_back("`" + std::string(spec->name) + "`");
  }
  std::string fixed;
  for (std::size_t i = 0; i < names.size(); ++i) {
    fixed += (i == 0 ? "except " : i + 1 < names.size() ? ", " : " and ") + names[i];
  }
  std::string text = text_of("docs/rdpsegment.md");
  std::replace(text.begin(), text.end(), '\n', ' ');
  fail_unless(text.find(fixed + ".") != std::string::npos, "docs/rdpsegment.md does not say: %s",
              fixed.c_str());
  g_object_unref(element);
}

CHECK_CASE(rdpsegment_properties)
