// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/fuzz/json_check.h"

#include <json-glib/json-glib.h>

#include <charconv>
#include <string>
#include <string_view>

#include "gst/elements/rdpmetaconvert/json_writer.h"
#include "tests/fuzz/fuzz_input.h"

namespace rdp::fuzz {
namespace {

// JSON-GLib takes more than JSON: comments, 'strings', octal numbers. What the writer never writes
// is not in the text, and every number follows JSON's grammar.
void check_grammar(const std::string& text) {
  FUZZ_CHECK(text.find_first_of(" \t\r\n/'") == std::string::npos, "not as written: %s",
             text.c_str());
  static GRegex* const no_number =
      g_regex_new("(?<=[\\[,:])(?!-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?[\\],}])[-+.0-9]",
                  static_cast<GRegexCompileFlags>(G_REGEX_OPTIMIZE | G_REGEX_RAW),
                  static_cast<GRegexMatchFlags>(0), nullptr);
  FUZZ_CHECK(!g_regex_match(no_number, text.c_str(), static_cast<GRegexMatchFlags>(0), nullptr),
             "a number that is none of JSON's: %s", text.c_str());
}

// What a reader of doubles has of the shortest text that is read back as the same float. It is not
// always what is nearest to the float: conversions that round twice would differ.
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

void check_line(GstRdpSegmentation* segmentation, const std::string& line) {
  // As the one element of an array: more than one object is an error then.
  const std::string text = "[" + line + "]";
  check_grammar(text);
  static JsonParser* const parser = json_parser_new();
  g_autoptr(GError) error = nullptr;
  FUZZ_CHECK(
      json_parser_load_from_data(parser, text.data(), static_cast<gssize>(text.size()), &error),
      "%s: %s", error->message, text.c_str());
  JsonArray* all = json_node_get_array(json_parser_get_root(parser));
  FUZZ_CHECK(json_array_get_length(all) == 1, "%u objects", json_array_get_length(all));
  JsonArray* columns =
      json_object_get_array_member(json_array_get_object_element(all, 0), "columns");
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

}  // namespace

void check_json(GstRdpSegmentation* segmentation, int batch) {
  static JsonWriter writer;
  GstBuffer* buffer = gst_buffer_new();
  for (int i = 0; i < batch; ++i) {
    gst_buffer_add_rdp_segment_meta(buffer, segmentation)->batch_index = static_cast<guint>(i);
  }
  if (batch > 1) GST_BUFFER_PTS(buffer) = GST_CLOCK_TIME_NONE - 1;
  std::string_view lines = writer.lines(buffer);
  const std::string first(lines.substr(0, lines.find('\n')));
  check_line(segmentation, first);
  for (int i = 0; i < batch; ++i) {
    const std::size_t end = lines.find('\n');
    FUZZ_CHECK(end != std::string_view::npos, "%d lines of %d", i, batch);
    // The others differ from the first in their place alone.
    const std::size_t place = first.rfind("\"batch-index\":0");
    FUZZ_CHECK((place != std::string::npos) == (batch > 1), "%s", first.c_str());
    std::string wanted = first;
    if (batch > 1) wanted.replace(place + 14, 1, std::to_string(i));
    FUZZ_CHECK(lines.substr(0, end) == wanted, "line %d is not %s", i, wanted.c_str());
    lines.remove_prefix(end + 1);
  }
  FUZZ_CHECK(lines.empty(), "more lines than metas");
  gst_buffer_unref(buffer);
}

}  // namespace rdp::fuzz
