/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <json-glib/json-glib.h>

#include <cstdio>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "gst/rdpsegment/files/tree.h"

namespace rdp::calibration {

namespace {

// Refuses what JSON-GLib would not survive (it goes down without a limit) or takes without being
// JSON (comments, integers that it cannot hold). Text within quotes is left to it.
void check_text(const Document& document) {
  int line = 1;
  int depth = 0;
  std::size_t values = 0;
  std::size_t digits = 0;
  bool fraction = false;
  const auto refuse = [&](const std::string& found, const std::string& expected) {
    fail(document.file, line, "", found, expected);
  };
  const std::string& text = document.text;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') ++i;
        if (i < text.size() && text[i] == '\n') refuse("text without an end", "a \" in the same line");
      }
      continue;
    }
    if (g_ascii_isdigit(c)) {
      ++digits;
      continue;
    }
    if (c == '.' || c == 'e' || c == 'E') fraction = true;
    if (c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-') continue;
    if (digits > 18 && !fraction) refuse("an integer of " + std::to_string(digits) + " digits", "a smaller one");
    digits = 0;
    fraction = false;
    if (c == '\n') ++line;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kDeepest) {
      refuse("more than " + std::to_string(kDeepest) + " levels, one in the other", "a calibration");
    }
    if (c == ',' || c == '[' || c == '{') ++values;
    if (values > kMostNodes) {
      refuse("more than " + std::to_string(kMostNodes) + " values", "a calibration");
    }
    if (!g_ascii_isspace(c) && !g_ascii_isalpha(c) && std::strchr("[]{},:", c) == nullptr) {
      refuse(std::string("the character '") + c + "' outside of a text", "JSON, which has no comments");
    }
  }
}

// JSON-GLib's tree knows no lines, and takes the last of two members of one name. It tells of each
// value when it has read it.
struct Lines {
  const Document* document;
  std::unordered_map<JsonNode*, int> lines;
  std::unordered_map<JsonObject*, guint> members;
  std::string twice;
  int twice_line = 0;
};

void on_member(JsonParser* parser, JsonObject* object, const gchar* name, gpointer data) {
  auto* lines = static_cast<Lines*>(data);
  const int line = static_cast<int>(json_parser_get_current_line(parser));
  lines->lines[json_object_get_member(object, name)] = line;
  if (++lines->members[object] > json_object_get_size(object) && lines->twice_line == 0) {
    lines->twice = name;
    lines->twice_line = line;
    --lines->members[object];
  }
}

void on_element(JsonParser* parser, JsonArray* array, gint index, gpointer data) {
  auto* lines = static_cast<Lines*>(data);
  lines->lines[json_array_get_element(array, static_cast<guint>(index))] =
      static_cast<int>(json_parser_get_current_line(parser));
}

Node copy(JsonNode* json, const Lines& lines, const std::string& path) {
  Node node;
  const auto line = lines.lines.find(json);
  if (line != lines.lines.end()) node.line = line->second;
  switch (json_node_get_node_type(json)) {
    case JSON_NODE_OBJECT: {
      node.kind = Node::Kind::kMap;
      JsonObjectIter iter;
      json_object_iter_init(&iter, json_node_get_object(json));
      const gchar* name = nullptr;
      JsonNode* member = nullptr;
      while (json_object_iter_next(&iter, &name, &member)) {
        const std::string inner(name, strnlen(name, kLongestName));
        add_item(lines.document->file, path, &node, name,
                 copy(member, lines, path.empty() ? inner : path + "." + inner));
      }
      break;
    }
    case JSON_NODE_ARRAY: {
      node.kind = Node::Kind::kList;
      JsonArray* array = json_node_get_array(json);
      const guint count = json_array_get_length(array);
      node.items.reserve(count);
      for (guint i = 0; i < count; ++i) {
        node.items.push_back(copy(json_array_get_element(array, i), lines,
                                  path + "[" + std::to_string(i) + "]"));
      }
      break;
    }
    case JSON_NODE_VALUE: {
      node.kind = Node::Kind::kText;
      const GType type = json_node_get_value_type(json);
      if (type == G_TYPE_INT64) {
        node.text = std::to_string(json_node_get_int(json));
      } else if (type == G_TYPE_DOUBLE) {
        gchar buffer[G_ASCII_DTOSTR_BUF_SIZE];
        node.text = g_ascii_dtostr(buffer, sizeof buffer, json_node_get_double(json));
      } else if (type == G_TYPE_BOOLEAN) {
        node.text = json_node_get_boolean(json) ? "true" : "false";
      } else {
        node.quoted = true;
        const gchar* text = json_node_get_string(json);
        if (text != nullptr) node.text = text;
      }
      break;
    }
    case JSON_NODE_NULL:
      break;
  }
  // What has parts begins where the first of them is: JSON-GLib tells of its end.
  if (!node.items.empty() && node.items.front().line < node.line) {
    node.line = node.items.front().line;
  }
  return node;
}

}  // namespace

void parse_json(Document* document) {
  check_text(*document);
  Lines lines;
  lines.document = document;
  g_autoptr(JsonParser) parser = json_parser_new();
  g_signal_connect(parser, "object-member", G_CALLBACK(on_member), &lines);
  g_signal_connect(parser, "array-element", G_CALLBACK(on_element), &lines);
  g_autoptr(GError) error = nullptr;
  if (!json_parser_load_from_data(parser, document->text.data(),
                                  static_cast<gssize>(document->text.size()), &error)) {
    // <data>:LINE:COLUMN: what is wrong
    int line = 1;
    int column = 0;
    int read = 0;
    const char* problem = error->message;
    if (std::sscanf(problem, "%*[^:]:%d:%d: %n", &line, &column, &read) == 2 && read > 0) {
      problem += read;
    }
    fail(document->file, line, "", std::string("what is no JSON (") + problem + ")",
         "JSON to the end of the file: it may have been cut off or edited");
  }
  if (lines.twice_line != 0) {
    fail(document->file, lines.twice_line, lines.twice, "it a second time", "each field once");
  }
  JsonNode* root = json_parser_get_root(parser);
  if (root == nullptr) fail(document->file, 1, "", "no value at all", "a calibration");
  document->root = copy(root, lines, "");
}

}  // namespace rdp::calibration
