/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cameras as JSON. */
#include <gst/rdpsegment/rdpcamera.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/boundary.h"
#include "gst/rdpsegment/files/readers.h"
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
constexpr std::initializer_list<const char*> kMeasures{"unknown", "disparity", "depth"};

/* Appends the shortest text that reads back as the same value. It always has a point or an
 * exponent: json-glib reads other numbers as 64-bit integers, which have no -0. */
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
  out += std::string(",\"measures\":\"") + kMeasures.begin()[info.measures] + '"';
  for (const NumberField& field : kSamples) append_field(field);
  if (info.has_pose != FALSE) append_matrix(&out, "pose", info.pose);
  if (info.has_projection != FALSE) append_matrix(&out, "projection", info.projection);
  return out + '}';
}

using calibration::Field;
using calibration::Node;

/* A value, for a message. */
std::string describe(const Field& field) {
  const Node& node = field.node();
  if (field.is_map()) return "an object";
  if (field.is_list()) return "a list of " + std::to_string(field.size());
  if (field.is_nothing()) return "null";
  return node.quoted ? '"' + node.text + '"' : node.text;
}

[[noreturn]] void fail(const Field& field, const std::string& name, const std::string& is,
                       const std::string& expected) {
  field.refuse(name + " is " + is + ", expected " + expected);
}

std::optional<double> number_in(const Field& field) {
  const Node& node = field.node();
  if (node.kind != Node::Kind::kText || node.quoted) return std::nullopt;
  return calibration::number_of(node.text);
}

void read_number(const Field& object, const char* name, double* value) {
  const auto field = object.find(name);
  if (!field) return;
  const auto number = number_in(*field);
  if (!number) fail(*field, name, describe(*field), "a number");
  *value = *number;
}

/* Appends the numbers of nested lists in order. Returns a description of the first item that is no
 * number, or an empty text. */
std::string collect(const Field& list, std::vector<double>* numbers) {
  std::string wrong;
  for (std::size_t i = 0; i < list.size() && wrong.empty(); ++i) {
    const Field item = list.at(i);
    if (item.is_list()) {
      wrong = collect(item, numbers);
    } else if (const auto number = number_in(item)) {
      numbers->push_back(*number);
    } else {
      wrong = "a list with " + describe(item) + " in it";
    }
  }
  return wrong;
}

void read_numbers(const Field& object, const char* name, std::span<double> values,
                  const char* expected) {
  const auto field = object.find(name);
  if (!field) return;
  std::vector<double> numbers;
  std::string wrong = field->is_list() ? collect(*field, &numbers) : describe(*field);
  if (wrong.empty() && numbers.size() != values.size()) {
    wrong = "a list of " + std::to_string(numbers.size()) + " numbers";
  }
  if (!wrong.empty()) fail(*field, name, wrong, expected);
  std::copy(numbers.begin(), numbers.end(), values.begin());
}

void read_size(const Field& object, guint* width, guint* height) {
  double size[2] = {};
  read_numbers(object, "size", size, "[width, height] in pixels");
  for (const double side : size) {
    if (side >= 0 && side <= 65535 && side == std::floor(side)) continue;
    const Field field = *object.find("size");
    fail(field, "size", describe(field) + " with " + std::to_string(side),
         "whole pixels, 0 to 65535");
  }
  *width = static_cast<guint>(size[0]);
  *height = static_cast<guint>(size[1]);
}

/* The index of a word in `words`; empty if the field is absent. */
std::optional<int> read_word(const Field& object, const char* name, bool quoted,
                             std::initializer_list<const char*> words, const char* expected) {
  const auto field = object.find(name);
  if (!field) return std::nullopt;
  const Node& node = field->node();
  const auto word = std::find(words.begin(), words.end(), node.text);
  if (node.kind == Node::Kind::kText && node.quoted == quoted && word != words.end()) {
    return static_cast<int>(word - words.begin());
  }
  fail(*field, name, describe(*field), expected);
}

/* Refuses unknown names: a misspelt field would otherwise be ignored. */
void refuse_others(const Field& object) {
  std::vector<const char*> known(std::begin(kOthers), std::end(kOthers));
  for (const NumberField& field : kLens) known.push_back(field.name);
  for (const NumberField& field : kSamples) known.push_back(field.name);
  for (const std::string& name : object.node().names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string text = "unknown field \"" + name + "\"";
    if (const char* nearest = nearest_name(name, known)) {
      text += std::string(" (is \"") + nearest + "\" meant?)";
    }
    text += ", expected";
    for (const char* one : known) text += std::string(" ") + one;
    object.find(name)->refuse(text);
  }
}

constexpr const char* kMatrix = "three rows of four numbers";

[[noreturn]] void refuse_without_focal_length(const Field& object) {
  Field field = object;
  std::string hint;
  for (const std::string& name : object.node().names) {
    if (!hint.empty() || !may_be(name, "focal-length")) continue;
    hint = " (but \"" + name + "\" is: is \"focal-length\" meant?)";
    field = *object.find(name);
  }
  field.refuse("there is no focal-length" + hint + ", expected one in pixels, or a projection of " +
               kMatrix);
}

GstRdpCameraInfo read_info(const Field& object) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  const bool matrix_alone = !object.find("focal-length");
  const auto projection = object.find("projection");
  if (matrix_alone && !projection) refuse_without_focal_length(object);
  read_size(object, &info.width, &info.height);
  double matrix[12] = {};
  read_numbers(object, "projection", matrix, kMatrix);
  if (matrix_alone) {
    const std::string wrong = decompose_projection(matrix, &info);
    if (!wrong.empty()) projection->refuse("projection: " + wrong);
  } else {
    refuse_others(object);
    for (const NumberField& field : kLens) read_number(object, field.name, &(info.*field.member));
    if (info.focal_length_y == 0) info.focal_length_y = info.focal_length;
    if (!object.find("principal-x") && info.width > 0) info.principal_x = (info.width - 1) / 2.0;
    if (!object.find("principal-y") && info.height > 0) info.principal_y = (info.height - 1) / 2.0;
    info.has_pose = object.find("pose") ? TRUE : FALSE;
    read_numbers(object, "pose", info.pose, kMatrix);
    info.has_projection = projection ? TRUE : FALSE;
    if (projection) std::copy_n(matrix, 12, info.projection);
  }
  read_numbers(object, "distortion", info.distortion, "the eight numbers k1 k2 p1 p2 k3 k4 k5 k6");
  if (matrix_alone) {
    info.rectified =
        std::all_of(info.distortion, info.distortion + 8, [](double k) { return k == 0; });
  }
  info.rectified = read_word(object, "rectified", false, {"false", "true"}, "true or false")
                       .value_or(info.rectified);
  info.measures = static_cast<GstRdpMeasure>(
      read_word(object, "measures", true, kMeasures, "\"unknown\", \"disparity\" or \"depth\"")
          .value_or(info.measures));
  for (const NumberField& field : kSamples) read_number(object, field.name, &(info.*field.member));
  return info;
}

/* The field that the message names first, the longest if several match there; else the camera. */
Field named_by(const Field& camera, const std::string& message) {
  std::string best;
  std::size_t first = std::string::npos;
  for (const std::string& name : camera.node().names) {
    std::string other = name;
    std::replace(other.begin(), other.end(), '-', '_');
    const std::size_t at = std::min(message.find(name), message.find(other));
    if (at == std::string::npos || at > first) continue;
    if (at < first || name.size() > best.size()) best = name;
    first = at;
  }
  return best.empty() ? camera : *camera.find(best);
}

GstRdpCamera* read_text(const char* json) {
  calibration::Document document;
  document.text = json;
  try {
    calibration::parse_json(&document);
  } catch (const calibration::Error& wrong) {
    g_autofree gchar* text = g_utf8_make_valid(wrong.what(), -1);
    throw calibration::Error(std::string("invalid JSON: ") + text);
  }
  const Field root(document);
  if (root.is_map()) return calibration::read_json_camera(root);
  root.refuse(
      "the JSON is no object, expected one camera {\"size\":[width,height],\"focal-length\":pixels,"
      "...}; gst_rdp_camera_read_files() reads several");
}

}  // namespace
}  // namespace rdp::meta

namespace rdp::calibration {

GstRdpCamera* read_json_camera(const Field& object) {
  const GstRdpCameraInfo info = meta::read_info(object);
  g_autoptr(GError) error = nullptr;
  g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&info, &error);
  if (g_error_matches(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED)) throw std::bad_alloc();
  if (camera == nullptr) meta::named_by(object, error->message).refuse(error->message);
  /* Without a size the principal point has no default: 0 would be the corner. */
  for (const char* name : {"principal-x", "principal-y"}) {
    if (info.width > 0 || object.find(name) || !object.find("focal-length")) continue;
    object.refuse(std::string(name) +
                  " is not there, and neither is size, expected it in pixels, or size, whose "
                  "centre it is where it is left out");
  }
  return static_cast<GstRdpCamera*>(g_steal_pointer(&camera));
}

}  // namespace rdp::calibration

/**
 * gst_rdp_camera_to_json:
 * @self: a #GstRdpCamera
 *
 * The camera as a JSON object in one line, which gst_rdp_camera_new_from_json() reads back bit for
 * bit: numbers have as many digits as that takes. Calibration files may contain it, and
 * rdpmetaconvert writes it under the key "camera".
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
 * Reads the output of gst_rdp_camera_to_json(), or a similar text written by hand. Only
 * "focal-length" is required, and "size" or both of "principal-x" and "principal-y". Other fields
 * are unknown if left out; the principal point is then the centre of "size". Instead of the focal
 * length, "size" and "projection" (three rows of four numbers, world to image) suffice: the matrix
 * is decomposed and also kept.
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
        try {
          return rdp::meta::read_text(json);
        } catch (const rdp::calibration::Error& wrong) {
          g_set_error_literal(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, wrong.what());
          return nullptr;
        }
      },
      [&](const char* reason) -> GstRdpCamera* {
        g_set_error(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED, "no camera: %s", reason);
        return nullptr;
      });
}
