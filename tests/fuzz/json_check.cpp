// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/fuzz/json_check.h"

#include <gst/rdpsegment/rdpplaneskind.h>

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "gst/elements/rdpmetaconvert/frame_list.h"
#include "gst/elements/rdpmetaconvert/json_writer.h"
#include "tests/fuzz/fuzz_input.h"

namespace rdp::fuzz {
namespace {

// JSON-GLib accepts more than JSON: comments, 'strings', octal numbers, trailing commas. So the
// text must be free of these, and every number must follow JSON's grammar.
void check_grammar(const std::string& text) {
  FUZZ_CHECK(text.find_first_of(" \t\r\n/'") == std::string::npos, "not as written: %s",
             text.c_str());
  static GRegex* const no_number =
      g_regex_new("(?<=[\\[,:])(?!-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?[\\],}])[-+.0-9]",
                  static_cast<GRegexCompileFlags>(G_REGEX_OPTIMIZE | G_REGEX_RAW),
                  static_cast<GRegexMatchFlags>(0), nullptr);
  FUZZ_CHECK(!g_regex_match(no_number, text.c_str(), static_cast<GRegexMatchFlags>(0), nullptr),
             "a number that is none of JSON's: %s", text.c_str());
  FUZZ_CHECK(text.find(",]") == std::string::npos && text.find(",}") == std::string::npos,
             "a comma at the end of a list: %s", text.c_str());
}

// The double that a reader gets from the shortest text that identifies the float. It is not always
// the double nearest to the float: conversions that round twice would differ.
double as_read(float value) {
  char text[32] = "";
  *std::to_chars(text, text + sizeof text - 1, value).ptr = '\0';
  FUZZ_CHECK(std::strtof(text, nullptr) == value, "%s is not %.9g", text,
             static_cast<double>(value));
  return std::strtod(text, nullptr);
}

void check_segment(JsonArray* read, const GstRdpSegment& segment) {
  FUZZ_CHECK(json_array_get_length(read) == 4, "a segment of %u numbers",
             json_array_get_length(read));
  const double wanted[] = {static_cast<double>(segment.first_row),
                           static_cast<double>(segment.last_row), as_read(segment.first_value),
                           as_read(segment.last_value)};
  for (guint i = 0; i < 4; ++i) {
    JsonNode* node = json_array_get_element(read, i);
    FUZZ_CHECK(JSON_NODE_HOLDS_VALUE(node), "a segment has something else than numbers");
    FUZZ_CHECK(json_node_get_double(node) == wanted[i],
               "number %u of a segment is %.17g, not %.17g", i, json_node_get_double(node),
               wanted[i]);
  }
}

// Parses a line as an object.
JsonObject* parse(const std::string& line) {
  // Wrapped in an array, so that a second object is an error.
  const std::string text = "[" + line + "]";
  check_grammar(text);
  static JsonParser* const parser = json_parser_new();
  g_autoptr(GError) error = nullptr;
  FUZZ_CHECK(
      json_parser_load_from_data(parser, text.data(), static_cast<gssize>(text.size()), &error),
      "%s: %s", error->message, text.c_str());
  JsonArray* all = json_node_get_array(json_parser_get_root(parser));
  FUZZ_CHECK(json_array_get_length(all) == 1, "%u objects", json_array_get_length(all));
  return json_array_get_object_element(all, 0);
}

void check_line(GstRdpSegmentation* segmentation, const std::string& line) {
  JsonArray* columns = json_object_get_array_member(parse(line), "columns");
  FUZZ_CHECK(json_array_get_length(columns) == gst_rdp_segmentation_get_n_columns(segmentation),
             "%u columns", json_array_get_length(columns));
  for (guint c = 0; c < json_array_get_length(columns); ++c) {
    gsize count = 0;
    const GstRdpSegment* segments = gst_rdp_segmentation_get_column(segmentation, c, &count);
    JsonArray* column = json_array_get_array_element(columns, c);
    FUZZ_CHECK(json_array_get_length(column) == count, "column %u has %u segments", c,
               json_array_get_length(column));
    for (guint i = 0; i < count; ++i) {
      check_segment(json_array_get_array_element(column, i), segments[i]);
    }
  }
}

// Checks the points of a buffer's only segmentation.
void check_points(GstBuffer* buffer, GstRdpSegmentation* segmentation, FrameList* frames,
                  JsonWriter* writer, const std::string& line_without) {
  static GstRdpCamera* const camera = [] {
    GstRdpCameraInfo info;
    gst_rdp_camera_info_init(&info);
    info.focal_length = 617.25;
    info.focal_length_y = 617.5;
    info.principal_x = 317.5;
    info.principal_y = 0.5;
    info.rectified = TRUE;
    info.measures = GST_RDP_MEASURE_DEPTH;
    info.depth_unit = 0.001;
    return gst_rdp_camera_new(&info, nullptr);
  }();
  gst_buffer_add_rdp_camera_meta(buffer, camera);
  g_autoptr(GError) error = nullptr;
  FUZZ_CHECK(frames->take(buffer, {.metres = true}, &error) == FrameList::Result::kOk,
             "no points: %s", error != nullptr ? error->message : "and no reason");
  std::string line(writer->lines(frames->frames(), GST_BUFFER_PTS(buffer), true));
  FUZZ_CHECK(!line.empty() && line.back() == '\n', "%s", line.c_str());
  line.pop_back();
  FUZZ_CHECK(line.starts_with(line_without.substr(0, line_without.size() - 1)),
             "%s does not begin as without points", line.c_str());
  JsonObject* object = parse(line);
  FUZZ_CHECK(json_object_get_object_member(object, "camera") != nullptr, "no camera");
  JsonArray* columns = json_object_get_array_member(object, "points");
  FUZZ_CHECK(json_array_get_length(columns) == gst_rdp_segmentation_get_n_columns(segmentation),
             "points of %u columns", json_array_get_length(columns));
  g_autoptr(GBytes) bytes = gst_rdp_segmentation_get_points(segmentation, camera, &error);
  FUZZ_CHECK(bytes != nullptr, "%s", error->message);
  gsize size = 0;
  const auto* wanted = static_cast<const gfloat*>(g_bytes_get_data(bytes, &size));
  gsize n = 0;
  for (guint c = 0; c < json_array_get_length(columns); ++c) {
    JsonArray* column = json_array_get_array_element(columns, c);
    for (guint i = 0; i < json_array_get_length(column); ++i) {
      JsonArray* ends = json_array_get_array_element(column, i);
      FUZZ_CHECK(json_array_get_length(ends) == 6, "%u coordinates", json_array_get_length(ends));
      for (guint k = 0; k < 6; ++k, ++n) {
        FUZZ_CHECK(n < size / sizeof(gfloat), "more points than segments");
        JsonNode* node = json_array_get_element(ends, k);
        FUZZ_CHECK(
            json_node_is_null(node) == std::isnan(wanted[n]) &&
                (json_node_is_null(node) || json_node_get_double(node) == as_read(wanted[n])),
            "coordinate %zu is %.9g, not %.9g", n, json_node_get_double(node),
            static_cast<double>(wanted[n]));
      }
    }
  }
  FUZZ_CHECK(n == size / sizeof(gfloat), "%zu coordinates of %zu", n, size / sizeof(gfloat));
}

void check_numbers(JsonArray* read, std::initializer_list<double> wanted) {
  FUZZ_CHECK(json_array_get_length(read) == wanted.size(), "%u numbers",
             json_array_get_length(read));
  guint i = 0;
  for (const double number : wanted) {
    const double found = json_array_get_double_element(read, i++);
    FUZZ_CHECK(found == number, "%.17g, not %.17g", found, number);
  }
}

void check_number(JsonObject* object, const char* key, double wanted) {
  const double found = json_object_get_double_member(object, key);
  FUZZ_CHECK(found == wanted, "%s is %.17g, not %.17g", key, found, wanted);
}

void check_plane(JsonObject* object, const GstRdpPlanesInfo& info, const GstRdpPlane& plane,
                 const GstRdpPlaneCorner* corners) {
  check_numbers(json_object_get_array_member(object, "normal"),
                {as_read(plane.normal_x), as_read(plane.normal_y), as_read(plane.normal_z)});
  check_number(object, "distance", as_read(plane.distance));
  check_numbers(json_object_get_array_member(object, "centroid"),
                {as_read(plane.centroid_x), as_read(plane.centroid_y), as_read(plane.centroid_z)});
  check_number(object, "rms", as_read(plane.rms));
  check_number(object, "inliers", plane.inliers);
  check_number(object, "area", as_read(plane.area));
  FUZZ_CHECK((json_object_has_member(object, "box") != FALSE) == (info.width > 0), "a box?");
  if (info.width > 0) {
    check_numbers(json_object_get_array_member(object, "box"),
                  {double(plane.box_x), double(plane.box_y), double(plane.box_width),
                   double(plane.box_height)});
  }
  JsonArray* hull = json_object_get_array_member(object, "hull");
  const bool cloud = info.cloud != FALSE;
  JsonArray* points = cloud ? hull : json_object_get_array_member(object, "points");
  FUZZ_CHECK(json_array_get_length(hull) == plane.n_corners &&
                 json_array_get_length(points) == plane.n_corners,
             "other corners");
  for (guint i = 0; i < plane.n_corners; ++i) {
    const GstRdpPlaneCorner& corner = corners[plane.first_corner + i];
    check_numbers(json_array_get_array_element(points, i),
                  {as_read(corner.x), as_read(corner.y), as_read(corner.z)});
    if (!cloud) {
      check_numbers(json_array_get_array_element(hull, i),
                    {double(corner.column), double(corner.row)});
    }
  }
}

}  // namespace

JsonObject* line_of(GstBuffer* buffer) {
  static JsonWriter writer;
  static FrameList frames;
  FUZZ_CHECK(frames.take(buffer, {}, nullptr) == FrameList::Result::kOk, "the frame is not taken");
  std::string line(writer.lines(frames.frames(), GST_BUFFER_PTS(buffer), true));
  frames.clear();
  FUZZ_CHECK(!line.empty() && line.back() == '\n', "%s", line.c_str());
  line.pop_back();
  return parse(line);
}

void check_float(JsonArray* list, guint index, float wanted) {
  JsonNode* node = json_array_get_element(list, index);
  if (!std::isfinite(wanted)) {
    FUZZ_CHECK(json_node_is_null(node), "a number that is none");
  } else {
    FUZZ_CHECK(json_node_get_double(node) == as_read(wanted), "%.17g, not %.9g",
               json_node_get_double(node), static_cast<double>(wanted));
  }
}

void check_json(GstRdpPlanes* planes) {
  JsonObject* object = line_of<meta::PlanesKind>(planes);
  const GstRdpPlanesInfo& info = *gst_rdp_planes_get_info(planes);
  check_number(object, "ground", info.ground);
  if (info.ground >= 0) check_number(object, "camera-height", info.camera_height);
  JsonArray* list = json_object_get_array_member(object, "planes");
  gsize n_planes = 0;
  gsize n_corners = 0;
  const GstRdpPlane* all = gst_rdp_planes_peek_planes(planes, &n_planes);
  const GstRdpPlaneCorner* corners = gst_rdp_planes_peek_corners(planes, &n_corners);
  FUZZ_CHECK(json_array_get_length(list) == n_planes, "%u planes", json_array_get_length(list));
  for (guint i = 0; i < n_planes; ++i) {
    check_plane(json_array_get_object_element(list, i), info, all[i], corners);
  }
}

void check_json(GstRdpSegmentation* segmentation, int batch) {
  static JsonWriter writer;
  static FrameList frames;
  g_autoptr(GstBuffer) buffer = gst_buffer_new();
  for (int i = 0; i < batch; ++i) {
    gst_buffer_add_rdp_segment_meta(buffer, segmentation)->batch_index = static_cast<guint>(i);
  }
  if (batch > 1) GST_BUFFER_PTS(buffer) = GST_CLOCK_TIME_NONE - 1;
  FUZZ_CHECK(frames.take(buffer, {}, nullptr) == FrameList::Result::kOk, "%d frames were not taken",
             batch);
  std::string_view lines = writer.lines(frames.frames(), GST_BUFFER_PTS(buffer), false);
  const std::string first(lines.substr(0, lines.find('\n')));
  check_line(segmentation, first);
  for (int i = 0; i < batch; ++i) {
    const std::size_t end = lines.find('\n');
    FUZZ_CHECK(end != std::string_view::npos, "%d lines of %d", i, batch);
    // The others differ from the first only in their batch index.
    const std::size_t place = first.rfind("\"batch-index\":0");
    FUZZ_CHECK((place != std::string::npos) == (batch > 1), "%s", first.c_str());
    std::string wanted = first;
    if (batch > 1) wanted.replace(place + 14, 1, std::to_string(i));
    FUZZ_CHECK(lines.substr(0, end) == wanted, "line %d is not %s", i, wanted.c_str());
    lines.remove_prefix(end + 1);
  }
  FUZZ_CHECK(lines.empty(), "more lines than metas");
  if (batch == 1) check_points(buffer, segmentation, &frames, &writer, first);
  frames.clear();
}

}  // namespace rdp::fuzz
