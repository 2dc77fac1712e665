/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cameras as JSON. */
#include <gst/rdpsegment/rdpcamera.h>
#include <json-glib/json-glib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "common/boundary.h"
#include "gst/rdpsegment/private/camera_projection.h"
#include "gst/rdpsegment/private/nearest_name.h"

namespace rdp::meta {
namespace {

/* One row of the format for each number of the info. */
struct NumberField {
  const char* name;
  double GstRdpCameraInfo::*member;
};
constexpr NumberField kLens[] = {{"focal-length", &GstRdpCameraInfo::focal_length},
                                 {"focal-length-y", &GstRdpCameraInfo::focal_length_y},
                                 {"principal-x", &GstRdpCameraInfo::principal_x},
                                 {"principal-y", &GstRdpCameraInfo::principal_y}};
constexpr NumberField kSamples[] = {{"baseline", &GstRdpCameraInfo::baseline},
                                    {"disparity-offset", &GstRdpCameraInfo::disparity_offset},
                                    {"disparity-unit", &GstRdpCameraInfo::disparity_unit},
                                    {"depth-unit", &GstRdpCameraInfo::depth_unit}};
constexpr const char* kOthers[] = {"size",     "distortion", "rectified",
                                   "measures", "pose",       "projection"};
constexpr const char* kMeasures[] = {"unknown", "disparity", "depth"};

/* No camera has lists in lists deeper than this. */
constexpr int kMaxNesting = 32;

/* The shortest text that is read back as the same value. With a point: json-glib takes others for
 * whole numbers, which have 64 bits and no -0. */
void append(std::string* out, double value) {
  char text[32];
  const std::string_view number(text, std::to_chars(text, text + sizeof text, value).ptr - text);
  *out += number;
  const bool integral = number.find_first_not_of("-0123456789") == std::string_view::npos;
  if (integral) *out += ".0";
}

void append_list(std::string* out, const double* values, int n) {
  *out += '[';
  for (int i = 0; i < n; ++i) {
    if (i > 0) *out += ',';
    append(out, values[i]);
  }
  *out += ']';
}

void append_matrix(std::string* out, const char* name, const double (&values)[12]) {
  *out += std::string(",\"") + name + "\":[";
  for (int r = 0; r < 3; ++r) {
    if (r > 0) *out += ',';
    append_list(out, values + 4 * r, 4);
  }
  *out += ']';
}

std::string text_of(const GstRdpCameraInfo& info) {
  std::string out =
      "{\"size\":[" + std::to_string(info.width) + ',' + std::to_string(info.height) + ']';
  const auto append_field = [&](const NumberField& field) {
    out += std::string(",\"") + field.name + "\":";
    append(&out, info.*field.member);
  };
  for (const NumberField& field : kLens) append_field(field);
  out += ",\"distortion\":";
  append_list(&out, info.distortion, 8);
  out += std::string(",\"rectified\":") + (info.rectified != FALSE ? "true" : "false");
  out += std::string(",\"measures\":\"") + kMeasures[info.measures] + '"';
  for (const NumberField& field : kSamples) append_field(field);
  if (info.has_pose != FALSE) append_matrix(&out, "pose", info.pose);
  if (info.has_projection != FALSE) append_matrix(&out, "projection", info.projection);
  return out + '}';
}

/* The type of a node, for a message. */
std::string describe(JsonNode* node) {
  switch (json_node_get_node_type(node)) {
    case JSON_NODE_OBJECT:
      return "an object";
    case JSON_NODE_ARRAY:
      return "a list of " + std::to_string(json_array_get_length(json_node_get_array(node)));
    case JSON_NODE_NULL:
      return "null";
    default:
      break;
  }
  g_autofree gchar* text = json_to_string(node, FALSE);
  return text;
}

bool is_number(JsonNode* node) {
  if (!JSON_NODE_HOLDS_VALUE(node)) return false;
  const GType type = json_node_get_value_type(node);
  return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE;
}

/* Numbers of a list and of the lists in it, one after the other, counted on beyond `count`. */
void collect(JsonNode* node, double* numbers, int count, int* found, std::string* wrong) {
  JsonArray* list = json_node_get_array(node);
  const guint length = json_array_get_length(list);
  for (guint i = 0; i < length && wrong->empty(); ++i) {
    JsonNode* element = json_array_get_element(list, i);
    if (JSON_NODE_HOLDS_ARRAY(element)) {
      collect(element, numbers, count, found, wrong);
    } else if (!is_number(element)) {
      *wrong = "a list with " + describe(element) + " in it";
    } else {
      if (*found < count) numbers[*found] = json_node_get_double(element);
      ++*found;
    }
  }
}

/* Empty, or what was found instead of a list of `count` numbers. */
std::string read_numbers(JsonNode* node, double* numbers, int count) {
  if (!JSON_NODE_HOLDS_ARRAY(node)) return describe(node);
  int found = 0;
  std::string wrong;
  collect(node, numbers, count, &found, &wrong);
  if (wrong.empty() && found != count) wrong = "a list of " + std::to_string(found) + " numbers";
  return wrong;
}

/* The first thing that is wrong, told as "FIELD is X, expected Y". */
class Reader {
 public:
  explicit Reader(JsonObject* object) : object_(object) {}

  bool has(const char* name) const { return json_object_has_member(object_, name) != FALSE; }
  const std::string& error() const { return error_; }

  void fail(const char* name, const std::string& is, const std::string& expected) {
    if (error_.empty()) error_ = std::string(name) + " is " + is + ", expected " + expected;
  }

  void number(const char* name, double* value) {
    if (!has(name)) return;
    JsonNode* node = json_object_get_member(object_, name);
    if (!is_number(node)) return fail(name, describe(node), "a number");
    *value = json_node_get_double(node);
  }

  void boolean(const char* name, gboolean* value) {
    if (!has(name)) return;
    JsonNode* node = json_object_get_member(object_, name);
    if (!JSON_NODE_HOLDS_VALUE(node) || json_node_get_value_type(node) != G_TYPE_BOOLEAN) {
      return fail(name, describe(node), "true or false");
    }
    *value = json_node_get_boolean(node);
  }

  void numbers(const char* name, double* values, int count, const char* expected) {
    if (!has(name)) return;
    const std::string is = read_numbers(json_object_get_member(object_, name), values, count);
    if (!is.empty()) fail(name, is, expected);
  }

  void size(guint* width, guint* height) {
    double size[2] = {};
    numbers("size", size, 2, "[width, height] in pixels");
    if (!error_.empty()) return;
    for (const double side : size) {
      if (side >= 0 && side <= 65535 && side == std::floor(side)) continue;
      return fail(
          "size",
          describe(json_object_get_member(object_, "size")) + " with " + std::to_string(side),
          "whole pixels, 0 to 65535");
    }
    *width = static_cast<guint>(size[0]);
    *height = static_cast<guint>(size[1]);
  }

  void measures(GstRdpMeasure* value) {
    if (!has("measures")) return;
    JsonNode* node = json_object_get_member(object_, "measures");
    const bool is_text =
        JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING;
    for (int i = 0; is_text && i < 3; ++i) {
      if (std::strcmp(json_node_get_string(node), kMeasures[i]) != 0) continue;
      *value = static_cast<GstRdpMeasure>(i);
      return;
    }
    fail("measures", describe(node), "\"unknown\", \"disparity\" or \"depth\"");
  }

  /* A name that is not known may be one with a slip in it, and what it was to say would be missing.
   */
  void refuse_others() {
    std::vector<const char*> known(std::begin(kOthers), std::end(kOthers));
    for (const NumberField& field : kLens) known.push_back(field.name);
    for (const NumberField& field : kSamples) known.push_back(field.name);
    g_autoptr(GList) names = json_object_get_members(object_);
    for (const GList* item = names; item != nullptr && error_.empty(); item = item->next) {
      const auto* name = static_cast<const char*>(item->data);
      const auto is_name = [&](const char* one) { return std::strcmp(one, name) == 0; };
      if (std::any_of(known.begin(), known.end(), is_name)) continue;
      error_ = std::string("unknown field \"") + name + "\"";
      if (const char* nearest = nearest_name(name, known)) {
        error_ += std::string(" (is \"") + nearest + "\" meant?)";
      }
      error_ += ", expected";
      for (const char* one : known) error_ += std::string(" ") + one;
    }
  }

  /* The member that may be this one with a slip in it, as it is to be said; empty: none. */
  std::string hint_at(const char* missing) const {
    g_autoptr(GList) names = json_object_get_members(object_);
    for (const GList* item = names; item != nullptr; item = item->next) {
      const auto* name = static_cast<const char*>(item->data);
      if (!may_be(name, missing)) continue;
      return std::string(" (but \"") + name + "\" is: is \"" + missing + "\" meant?)";
    }
    return {};
  }

 private:
  JsonObject* object_;
  std::string error_;
};

constexpr const char* kMatrix = "three rows of four numbers";

/* Empty, or the error. */
std::string read_info(JsonObject* object, GstRdpCameraInfo* info) {
  Reader reader(object);
  const bool matrix_alone = !reader.has("focal-length");
  if (matrix_alone && !reader.has("projection")) {
    return "there is no focal-length" + reader.hint_at("focal-length") +
           ", expected one in pixels, or a projection of " + kMatrix;
  }
  reader.size(&info->width, &info->height);
  double matrix[12] = {};
  reader.numbers("projection", matrix, 12, kMatrix);
  if (matrix_alone) {
    if (!reader.error().empty()) return reader.error();
    const std::string wrong = decompose_projection(matrix, info);
    if (!wrong.empty()) return "projection: " + wrong;
  } else {
    reader.refuse_others();
    for (const NumberField& field : kLens) reader.number(field.name, &(info->*field.member));
    if (info->focal_length_y == 0) info->focal_length_y = info->focal_length;
    if (!reader.has("principal-x") && info->width > 0) info->principal_x = (info->width - 1) / 2.0;
    if (!reader.has("principal-y") && info->height > 0) {
      info->principal_y = (info->height - 1) / 2.0;
    }
    if (reader.has("pose")) {
      info->has_pose = TRUE;
      reader.numbers("pose", info->pose, 12, kMatrix);
    }
    if (reader.has("projection")) {
      info->has_projection = TRUE;
      std::copy_n(matrix, 12, info->projection);
    }
  }
  reader.numbers("distortion", info->distortion, 8, "the eight numbers k1 k2 p1 p2 k3 k4 k5 k6");
  if (matrix_alone && !reader.has("rectified")) {
    info->rectified =
        std::all_of(info->distortion, info->distortion + 8, [](double k) { return k == 0; });
  }
  reader.boolean("rectified", &info->rectified);
  reader.measures(&info->measures);
  for (const NumberField& field : kSamples) reader.number(field.name, &(info->*field.member));
  return reader.error();
}

/* The reason that a text is not given to json-glib, or empty. json-glib follows nested lists on the
 * stack, as deep as they go. It accepts comments, in which a quote is none. So text that nests
 * deeper than any camera does is refused, and so is every character that JSON has only within
 * quotes. Of several values json-glib takes the last one, and leaks the others. */
std::string text_error(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  bool begun = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (begun && depth <= 0) return "a second value behind the first one, expected one camera";
      if (++depth > kMaxNesting) {
        return "lists within lists deeper than " + std::to_string(kMaxNesting);
      }
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (!g_ascii_isalnum(c) && std::strchr(" \t\r\n+-.,:", c) == nullptr) {
      gchar hex[8];
      g_snprintf(hex, sizeof hex, "0x%02x", static_cast<guint8>(c));
      return std::string("the character ") +
             (g_ascii_isgraph(c) ? std::string("'") + c + "'" : hex) + " outside of quotes";
    }
    begun = begun || !g_ascii_isspace(c);
  }
  return {};
}

/* Parses a text; null with an error. */
JsonParser* parse_json(std::string_view text, GError** error) {
  const std::string wrong = text_error(text);
  if (!wrong.empty()) {
    g_set_error(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, "invalid JSON: %s",
                wrong.c_str());
    return nullptr;
  }
  g_autoptr(JsonParser) parser = json_parser_new_immutable();
  g_autoptr(GError) reason = nullptr;
  if (json_parser_load_from_data(parser, text.data(), static_cast<gssize>(text.size()), &reason) ==
          FALSE ||
      json_parser_get_root(parser) == nullptr) {
    g_set_error(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, "invalid JSON: %s",
                reason != nullptr ? reason->message : "the text is empty");
    return nullptr;
  }
  return static_cast<JsonParser*>(g_steal_pointer(&parser));
}

GstRdpCamera* camera_from_json(JsonObject* object, GError** error) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  const std::string wrong = read_info(object, &info);
  if (!wrong.empty()) {
    g_set_error_literal(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, wrong.c_str());
    return nullptr;
  }
  g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&info, error);
  if (camera == nullptr) return nullptr;
  /* Without a size there is no centre either; 0 would be the corner, where no camera has it. */
  const Reader reader(object);
  for (const char* name : {"principal-x", "principal-y"}) {
    if (info.width > 0 || reader.has(name) || !reader.has("focal-length")) continue;
    g_set_error(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
                "%s is not there, and neither is size, expected it in pixels, or size, whose "
                "centre it is where it is left out",
                name);
    return nullptr;
  }
  return static_cast<GstRdpCamera*>(g_steal_pointer(&camera));
}

}  // namespace
}  // namespace rdp::meta

/**
 * gst_rdp_camera_to_json:
 * @self: a #GstRdpCamera
 *
 * The camera as an object of JSON in one line, which gst_rdp_camera_new_from_json() reads back bit
 * for bit: numbers have as many digits as that takes. It is what files of calibrations hold, and
 * the key "camera" of rdpmetaconvert's lines.
 *
 * Returns: (transfer full) (nullable): the text; %NULL where there is no memory
 *
 * Since: 0.2
 */
gchar* gst_rdp_camera_to_json(GstRdpCamera* self) {
  g_return_val_if_fail(GST_IS_RDP_CAMERA(self), nullptr);

  return rdp::contain(
      [&] { return g_strdup(rdp::meta::text_of(*gst_rdp_camera_get_info(self)).c_str()); },
      [](const char* reason) -> gchar* {
        GST_ERROR("invalid JSON of a camera: %s", reason);
        return nullptr;
      });
}

/**
 * gst_rdp_camera_new_from_json:
 * @json: an object of JSON
 * @error: return location for a #GError
 *
 * Reads what gst_rdp_camera_to_json() has written, and what people write like it. Only
 * "focal-length" must be there, and "size" or both of "principal-x" and "principal-y"; what is left
 * out is not known, the principal point is the centre of "size". In place of the focal length,
 * "size" and "projection" (three rows of four numbers, world to image) are enough: the matrix is
 * taken apart, and kept as it is, too.
 *
 * Returns: (transfer full) (nullable): the camera, or %NULL with #GST_LIBRARY_ERROR_SETTINGS: the
 *   message names the field, what it is and what was expected
 *
 * Since: 0.2
 */
GstRdpCamera* gst_rdp_camera_new_from_json(const gchar* json, GError** error) {
  g_return_val_if_fail(json != nullptr, nullptr);
  g_return_val_if_fail(error == nullptr || *error == nullptr, nullptr);

  return rdp::contain(
      [&]() -> GstRdpCamera* {
        g_autoptr(JsonParser) parser = rdp::meta::parse_json(json, error);
        if (parser == nullptr) return nullptr;
        JsonNode* root = json_parser_get_root(parser);
        if (!JSON_NODE_HOLDS_OBJECT(root)) {
          g_set_error_literal(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
                              "the JSON is no object, expected one camera {\"size\":[width,"
                              "height],\"focal-length\":pixels,...}; "
                              "gst_rdp_camera_read_files() reads several");
          return nullptr;
        }
        return rdp::meta::camera_from_json(json_node_get_object(root), error);
      },
      [&](const char* reason) -> GstRdpCamera* {
        g_set_error(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED, "no camera: %s", reason);
        return nullptr;
      });
}
