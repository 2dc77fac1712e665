/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "gst/rdpsegment/files/tree.h"

// Parsers of line-based files: key files (ZED), assignments (Middlebury) and words (KITTI, COLMAP).
namespace rdp::calibration {

namespace {

constexpr std::string_view kSpace = " \t\r\f\v";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// Calls body(line without line end and surrounding spaces, line number).
template <typename Body>
void for_each_line(std::string_view text, Body&& body) {
  int number = 1;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    body(trimmed(text.substr(0, end)), number++);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

std::string quoted(std::string_view line) {
  return "the line \"" + std::string(line.substr(0, 40)) + "\"";
}

// Splits lines into words, and counts those of a document.
class Words {
 public:
  explicit Words(const Document& document) : file_(document.file) {}

  // Splits a text at any of `separators` into a list.
  Node list(std::string_view text, std::string_view separators, int line, const std::string& name) {
    Node list;
    list.kind = Node::Kind::kList;
    list.line = line;
    std::size_t first = 0;
    while ((first = text.find_first_not_of(separators)) != std::string_view::npos) {
      text.remove_prefix(first);
      const std::string_view word = text.substr(0, text.find_first_of(separators));
      text.remove_prefix(word.size());
      if (++count_ > kMaxNodes) {
        fail(file_, line, name, "more than " + std::to_string(kMaxNodes) + " values",
             "a calibration");
      }
      Node node;
      node.kind = Node::Kind::kText;
      node.line = line;
      node.text = std::string(word);
      list.items.push_back(std::move(node));
    }
    return list;
  }

 private:
  const std::string& file_;
  std::size_t count_ = 0;
};

struct KeyFileDelete {
  GKeyFile* file = g_key_file_new();
  ~KeyFileDelete() { g_key_file_free(file); }
};

}  // namespace

// GKeyFile reports neither the bad line nor duplicate keys, so this scans the lines first.
void parse_key_file(Document* document) {
  Node root;
  root.kind = Node::Kind::kMap;
  for_each_line(document->text, [&](std::string_view line, int number) {
    if (line.empty() || line.front() == '#') return;
    const auto refuse = [&](const std::string& expected) {
      fail(document->file, number, "", quoted(line), expected);
    };
    Node node;
    node.line = number;
    if (line.front() == '[') {
      if (line.back() != ']' || line.size() < 3) refuse("[GROUP]");
      node.kind = Node::Kind::kMap;
      add_item(document->file, "", &root, std::string(line.substr(1, line.size() - 2)),
               std::move(node));
      return;
    }
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) refuse("KEY=VALUE or [GROUP]");
    const std::string_view key = trimmed(line.substr(0, equals));
    if (key.empty()) refuse("KEY=VALUE or [GROUP]");
    if (root.items.empty()) refuse("[GROUP] before the first value");
    node.kind = Node::Kind::kText;
    add_item(document->file, root.names.back(), &root.items.back(), std::string(key),
             std::move(node));
  });

  KeyFileDelete keys;
  g_autoptr(GError) error = nullptr;
  if (!g_key_file_load_from_data(keys.file, document->text.data(), document->text.size(),
                                 G_KEY_FILE_NONE, &error)) {
    fail(document->file, 1, "", std::string("an invalid key file (") + error->message + ")",
         "groups and keys");
  }
  for (std::size_t g = 0; g < root.items.size(); ++g) {
    Node& group = root.items[g];
    for (std::size_t k = 0; k < group.items.size(); ++k) {
      g_autofree gchar* value =
          g_key_file_get_value(keys.file, root.names[g].c_str(), group.names[k].c_str(), nullptr);
      if (value != nullptr) group.items[k].text = std::string(trimmed(value));
    }
  }
  document->root = std::move(root);
}

void parse_assignments(Document* document) {
  Node root;
  root.kind = Node::Kind::kMap;
  Words words(*document);
  for_each_line(document->text, [&](std::string_view line, int number) {
    if (line.empty() || line.front() == '#') return;
    const std::size_t equals = line.find('=');
    std::string name(trimmed(line.substr(0, equals)));
    if (equals == std::string_view::npos || name.empty()) {
      fail(document->file, number, "", quoted(line), "NAME=VALUE");
    }
    std::string_view value = trimmed(line.substr(equals + 1));
    Node node;
    node.line = number;
    if (!value.empty() && value.front() == '[') {
      if (value.back() != ']' || value.size() < 2) {
        fail(document->file, number, name, quoted(value), "a matrix in brackets: [a b c; d e f]");
      }
      node = words.list(value.substr(1, value.size() - 2), " \t,;", number, name);
    } else {
      node.kind = value.empty() ? Node::Kind::kNothing : Node::Kind::kText;
      node.text = std::string(value);
    }
    add_item(document->file, "", &root, std::move(name), std::move(node));
  });
  document->root = std::move(root);
}

void parse_number_lines(Document* document) {
  Node root;
  root.kind = Node::Kind::kMap;
  Words words(*document);
  int alone = 0;
  for_each_line(document->text, [&](std::string_view line, int number) {
    if (line.empty() || line.front() == '#') return;
    // Lines without names are called "line 1", "line 2", …: in KITTI's files cameras 0, 1, ….
    std::string name;
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos) {
      name = std::string(trimmed(line.substr(0, colon)));
      line.remove_prefix(colon + 1);
    } else {
      name = "line " + std::to_string(++alone);
    }
    Node list = words.list(line, kSpace, number, name);
    add_item(document->file, "", &root, std::move(name), std::move(list));
  });
  document->root = std::move(root);
}

}  // namespace rdp::calibration
