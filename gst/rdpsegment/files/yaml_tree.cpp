/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <yaml.h>

#include <string>
#include <utility>

#include "gst/rdpsegment/files/tree.h"

namespace rdp::calibration {

namespace {

class Parser {
 public:
  explicit Parser(Document* document) : document_(document) {
    if (yaml_parser_initialize(&parser_) == 0) throw Error(document->file + ": no memory");
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_,
                                 reinterpret_cast<const unsigned char*>(document->text.data()),
                                 document->text.size());
  }
  ~Parser() {
    release();
    yaml_parser_delete(&parser_);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // Parses the first document of the file and ignores others: `rostopic echo` writes one per
  // message.
  void parse() {
    while (next() != YAML_DOCUMENT_START_EVENT) {
      if (event_.type == YAML_STREAM_END_EVENT) {
        fail(document_->file, 1, "", "no value at all", "a calibration");
      }
    }
    next();
    document_->root = value("", 0);
  }

 private:
  void release() {
    if (held_) yaml_event_delete(&event_);
    held_ = false;
  }

  int line() const { return static_cast<int>(event_.start_mark.line) + 1; }

  yaml_event_type_t next() {
    release();
    if (yaml_parser_parse(&parser_, &event_) == 0) {
      const bool marked = parser_.error == YAML_SCANNER_ERROR || parser_.error == YAML_PARSER_ERROR;
      const std::string problem = parser_.problem != nullptr ? parser_.problem : "no memory";
      fail(document_->file, marked ? static_cast<int>(parser_.problem_mark.line) + 1 : 1, "",
           "invalid YAML (" + problem + ")",
           "YAML to the end of the file: it may have been cut off or edited");
    }
    held_ = true;
    return event_.type;
  }

  static std::string below(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
  }

  // Reads the value that starts with the current event. Afterwards the value's last event is
  // current.
  Node value(const std::string& path, int depth) {
    Node node;
    node.line = line();
    if (++nodes_ > kMaxNodes) {
      fail(document_->file, line(), path, "more than " + std::to_string(kMaxNodes) + " values",
           "a calibration");
    }
    if (depth > kDeepest) {
      fail(document_->file, line(), path,
           "more than " + std::to_string(kDeepest) + " levels, one in the other", "a calibration");
    }
    switch (event_.type) {
      case YAML_SCALAR_EVENT: {
        const auto& scalar = event_.data.scalar;
        node.text.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
        node.quoted = scalar.style != YAML_PLAIN_SCALAR_STYLE;
        const bool nothing =
            !node.quoted && (node.text.empty() || node.text == "~" || node.text == "null");
        node.kind = nothing ? Node::Kind::kNothing : Node::Kind::kText;
        break;
      }
      case YAML_SEQUENCE_START_EVENT:
        node.kind = Node::Kind::kList;
        while (next() != YAML_SEQUENCE_END_EVENT) {
          node.items.push_back(
              value(path + "[" + std::to_string(node.items.size()) + "]", depth + 1));
        }
        break;
      case YAML_MAPPING_START_EVENT:
        node.kind = Node::Kind::kMap;
        while (next() != YAML_MAPPING_END_EVENT) {
          if (event_.type != YAML_SCALAR_EVENT) {
            fail(document_->file, line(), path, "a list or a map as a name", "the name of a field");
          }
          Node name = value(path, depth + 1);
          next();
          // add_item() refuses a name that is too long, after its value has been read.
          const std::string inner = below(path, name.text.substr(0, kLongestName));
          Node item = value(inner, depth + 1);
          // Errors show the line of the name.
          item.line = name.line;
          add_item(document_->file, path, &node, std::move(name.text), std::move(item));
        }
        break;
      case YAML_ALIAS_EVENT:
        fail(document_->file, line(), path, "an alias", "the value itself");
      default:
        fail(document_->file, line(), path, "the end of the document", "a value");
    }
    return node;
  }

  Document* document_;
  yaml_parser_t parser_;
  yaml_event_t event_;
  bool held_ = false;
  std::size_t nodes_ = 0;
};

}  // namespace

void parse_yaml(Document* document) {
  // OpenCV's first line, %YAML:1.0, is not a valid YAML directive. A comment in its place keeps the
  // line numbers.
  if (document->text.rfind("%YAML", 0) == 0) document->text[0] = '#';
  Parser(document).parse();
}

}  // namespace rdp::calibration
