/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <json-glib/json-glib.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "gst/rdpsegment/files/tree.h"

namespace rdp::calibration {

namespace {

// Scans the text once before JSON-GLib, and records the lines of all values in order, which
// JSON-GLib's tree lacks. It refuses input that JSON-GLib would not survive, since its recursion is
// unlimited. It also refuses input that JSON-GLib would accept silently: comments, integers that
// overflow, duplicate names, and a second top-level value, which leaks the first. JSON-GLib reports
// all other syntax errors.
class Scanner {
 public:
  explicit Scanner(const Document& document) : file_(document.file), text_(document.text) {}

  // The lines of all values, each before those of its items. A member's line is that of its name.
  std::vector<int> scan() {
    for (at_ = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c == '"') {
        take_string();
      } else if (c == '[' || c == '{') {
        add_value();
        if (open_.size() == kDeepest) {
          refuse("more than " + std::to_string(kDeepest) + " levels, one in the other",
                 "a calibration");
        }
        open_.emplace_back();
      } else if (c == ']' || c == '}') {
        if (!open_.empty()) open_.pop_back();
      } else if (g_ascii_isalnum(c) || c == '-') {
        take_word();
      } else if (!g_ascii_isspace(c) && c != ',' && c != ':') {
        const gchar* character = text_.c_str() + at_;
        refuse("the character '" +
                   text_.substr(at_,
                                static_cast<std::size_t>(g_utf8_next_char(character) - character)) +
                   "' outside of a text",
               "JSON, which has no comments");
      }
    }
    return std::move(lines_);
  }

 private:
  struct Member {
    std::string_view name;
    int line;
  };

  [[noreturn]] void refuse(const std::string& found, const std::string& expected,
                           const std::string& field = {}) const {
    fail(file_, line_, field, found, expected);
  }

  void add_value() {
    if (open_.empty() && !lines_.empty()) {
      refuse("a second value behind the first one", "one, to the end of the file");
    }
    if (lines_.size() == kMaxNodes) {
      refuse("more than " + std::to_string(kMaxNodes) + " values", "a calibration");
    }
    lines_.push_back(name_line_ > 0 ? name_line_ : line_);
    name_line_ = 0;
  }

  void take_string() {
    const std::size_t begin = at_ + 1;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size() && text_[at_] == '\n')
        refuse("a text without an end", "a \" in its line");
    }
    const std::size_t end = std::min(at_, text_.size());
    std::size_t next = end + 1;
    while (next < text_.size() && g_ascii_isspace(text_[next])) ++next;
    if (next < text_.size() && text_[next] == ':') {
      add_name(std::string_view(text_).substr(begin, end - begin));
    } else {
      add_value();
    }
  }

  void add_name(std::string_view name) {
    name_line_ = line_;
    if (open_.empty()) return;
    std::vector<Member>& members = open_.back();
    const std::string field(name.substr(0, kLongestName));
    for (const Member& member : members) {
      if (member.name == name) {
        refuse("it a second time (first in line " + std::to_string(member.line) + ")",
               "each field once", field);
      }
    }
    if (members.size() == kMaxNames) {
      refuse("more than " + std::to_string(kMaxNames) + " fields", "a calibration");
    }
    members.push_back({name, line_});
  }

  void take_word() {
    add_value();
    const std::size_t begin = at_;
    while (at_ + 1 < text_.size() &&
           (g_ascii_isalnum(text_[at_ + 1]) || std::strchr("+-.", text_[at_ + 1]) != nullptr)) {
      ++at_;
    }
    const std::string_view word = std::string_view(text_).substr(begin, at_ + 1 - begin);
    if (word.size() > 18 && word.find_first_not_of("-0123456789") == std::string_view::npos) {
      refuse("an integer of " + std::to_string(word.size()) + " digits", "a smaller one");
    }
  }

  const std::string& file_;
  const std::string& text_;
  std::size_t at_ = 0;
  int line_ = 1;
  int name_line_ = 0;  // line of the name before the next value, or 0
  std::vector<std::vector<Member>> open_;
  std::vector<int> lines_;
};

// Converts JSON-GLib's tree, with the lines of its values.
class Copier {
 public:
  Copier(const Document& document, std::vector<int> lines)
      : file_(document.file), lines_(std::move(lines)) {}

  Node copy(JsonNode* json, const std::string& path) {
    Node node;
    node.line = next_ < lines_.size() ? lines_[next_++] : 1;
    switch (json_node_get_node_type(json)) {
      case JSON_NODE_OBJECT: {
        node.kind = Node::Kind::kMap;
        JsonObjectIter iter;
        json_object_iter_init_ordered(&iter, json_node_get_object(json));
        const gchar* name = nullptr;
        JsonNode* member = nullptr;
        while (json_object_iter_next_ordered(&iter, &name, &member)) {
          const std::string inner(name, strnlen(name, kLongestName));
          add_item(file_, path, &node, name,
                   copy(member, path.empty() ? inner : path + "." + inner));
        }
        break;
      }
      case JSON_NODE_ARRAY: {
        node.kind = Node::Kind::kList;
        JsonArray* array = json_node_get_array(json);
        const guint count = json_array_get_length(array);
        node.items.reserve(count);
        for (guint i = 0; i < count; ++i) {
          node.items.push_back(
              copy(json_array_get_element(array, i), path + "[" + std::to_string(i) + "]"));
        }
        break;
      }
      case JSON_NODE_VALUE:
        copy_scalar(json, &node);
        break;
      case JSON_NODE_NULL:
        break;
    }
    return node;
  }

 private:
  static void copy_scalar(JsonNode* json, Node* node) {
    node->kind = Node::Kind::kText;
    const GType type = json_node_get_value_type(json);
    if (type == G_TYPE_INT64) {
      node->text = std::to_string(json_node_get_int(json));
    } else if (type == G_TYPE_DOUBLE) {
      gchar buffer[G_ASCII_DTOSTR_BUF_SIZE];
      node->text = g_ascii_dtostr(buffer, sizeof buffer, json_node_get_double(json));
      // Keeps the number real: written back as JSON it would be an integer, which has no -0.
      if (node->text.find_first_of(".en") == std::string::npos) node->text += ".0";
    } else if (type == G_TYPE_BOOLEAN) {
      node->text = json_node_get_boolean(json) ? "true" : "false";
    } else {
      node->quoted = true;
      const gchar* text = json_node_get_string(json);
      if (text != nullptr) node->text = text;
    }
  }

  const std::string& file_;
  std::vector<int> lines_;
  std::size_t next_ = 0;
};

}  // namespace

void parse_json(Document* document) {
  std::vector<int> lines = Scanner(*document).scan();
  g_autoptr(JsonParser) parser = json_parser_new();
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
    fail(document->file, line, "", std::string("invalid JSON (") + problem + ")",
         "JSON to the end of the file: it may have been cut off or edited");
  }
  JsonNode* root = json_parser_get_root(parser);
  if (root == nullptr) fail(document->file, 1, "", "an empty text", "a calibration");
  document->root = Copier(*document, std::move(lines)).copy(root, "");
}

}  // namespace rdp::calibration
