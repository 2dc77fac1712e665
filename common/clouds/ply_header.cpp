// SPDX-License-Identifier: LGPL-2.1-or-later
// The header of PLY files: elements, and the properties of each. The points are the vertices.
#include <algorithm>
#include <utility>

#include "common/clouds/cloud_header.h"
#include "common/clouds/field_sources.h"
#include "common/clouds/text_lines.h"

namespace rdp::clouds {

namespace {

bool kind_of(std::string_view word, NumberKind* kind) {
  using enum NumberKind;
  struct Row {
    std::string_view name, other;
    NumberKind kind;
  };
  constexpr Row kRows[] = {{"char", "int8", kInt8},      {"uchar", "uint8", kUint8},
                           {"short", "int16", kInt16},   {"ushort", "uint16", kUint16},
                           {"int", "int32", kInt32},     {"uint", "uint32", kUint32},
                           {"float", "float32", kFloat}, {"double", "float64", kDouble}};
  for (const Row& row : kRows) {
    if (word != row.name && word != row.other) continue;
    *kind = row.kind;
    return true;
  }
  return false;
}

class PlyHeader {
 public:
  PlyHeader(std::string_view name, std::string_view start, CloudHeader* header)
      : name_(name), lines_(start, 1), header_(header), sources_(header) {}

  void read() {
    std::string_view line;
    if (!lines_.next(&line, true) || !is_word(line, "ply"))
      fail("the first line", shown(line), "ply");
    while (lines_.next(&line, true)) {
      if (is_word(line, "end_header")) return finish();
      read_line(line);
    }
    fail("end_header", no_end(lines_.size()), "it behind the properties");
  }

 private:
  [[noreturn]] void fail(std::string_view field, const std::string& found,
                         std::string_view expected) const {
    fail_at_line(name_, std::max<std::uint64_t>(lines_.line(), 1), field, found, expected);
  }

  void read_line(std::string_view line) {
    Words words(line);
    const std::string_view what = words.next();
    if (what == "comment") {
      read_comment(line.substr(line.find(what) + what.size()), lines_.line(), header_);
    } else if (what == "obj_info") {
      const std::string_view field = words.next();
      const std::string_view value = words.next();
      if (field == "num_cols") parse_number(value, &columns_);
      if (field == "num_rows") parse_number(value, &rows_);
    } else if (what == "format") {
      read_format(words.next());
    } else if (what == "element") {
      begin_element(words);
    } else if (what == "property") {
      add_property(words);
    } else if (!what.empty()) {
      fail("the header", shown(what), "format, comment, obj_info, element, property or end_header");
    }
  }

  void read_format(std::string_view word) {
    if (word == "ascii") {
      header_->encoding = Encoding::kText;
    } else if (word == "binary_little_endian") {
      header_->encoding = Encoding::kBinary;
    } else if (word == "binary_big_endian") {
      header_->encoding = Encoding::kBigEndian;
    } else {
      fail("format", shown(word), "ascii, binary_little_endian or binary_big_endian");
    }
    has_format_ = true;
  }

  void begin_element(Words& words) {
    Element element;
    const std::string_view name = words.next();
    const std::string_view count = words.next();
    if (!parse_number(count, &element.count) || element.count > kMaxPoints) {
      fail("element " + shown(name), count.empty() ? "nothing" : shown(count),
           "a number from 0 to 2147483647");
    }
    // Elements after the points are ignored: their properties are not kept.
    in_points_ = false;
    behind_ = has_points_;
    rows_of_element_ = element.count;
    if (behind_) return;
    element.first = header_->properties.size();
    header_->elements.push_back(element);
    in_points_ = has_points_ = name == "vertex";
  }

  void add_property(Words& words) {
    Property property;
    std::string_view type = words.next();
    if (type == "list") {
      property.list = true;
      const std::string_view count_type = words.next();
      if (!kind_of(count_type, &property.count_kind) || property.count_kind >= NumberKind::kFloat) {
        fail("property", shown(count_type), "an integer type for the length of a list");
      }
      type = words.next();
    }
    const std::string_view field = words.next();
    if (!kind_of(type, &property.kind) || field.empty()) {
      fail("property", field.empty() ? "no name" : "the type " + shown(type),
           "char, uchar, short, ushort, int, uint, float or double and a name");
    }
    if (behind_) {
      header_->rows_behind += std::exchange(rows_of_element_, 0);
      return;
    }
    if (header_->elements.empty()) fail("property", "it before an element", "element first");
    Element& element = header_->elements.back();
    const Coordinate coordinate = {element.properties, element.bytes, property.kind};
    const char* wrong = in_points_ ? sources_.add(field, coordinate, !property.list) : nullptr;
    if (wrong != nullptr) {
      fail("property " + std::string(field), property.list ? "a list" : wrong,
           "one number a vertex");
    }
    element.bytes += size_of(property.list ? property.count_kind : property.kind);
    element.lists |= property.list;
    ++element.tokens;
    ++element.properties;
    header_->properties.push_back(property);
  }

  void finish() {
    if (!has_format_) fail("format", "no such line", "format binary_little_endian 1.0 or another");
    if (!has_points_) fail("element", "no vertex", "element vertex and the number of points");
    if (const char missing = sources_.finish()) {
      fail("element vertex", std::string("no property ") + missing, "the properties x, y and z");
    }
    header_->body = lines_.position();
    header_->line = lines_.line() + 1;
    header_->points = header_->elements.back().count;
    if (rows_ > 1 && columns_ > 0 && columns_ <= kMaxPoints && rows_ <= kMaxPoints &&
        columns_ * rows_ == header_->points) {
      header_->width = static_cast<std::uint32_t>(columns_);
      header_->height = static_cast<std::uint32_t>(rows_);
    }
  }

  std::string_view name_;
  TextLines lines_;
  CloudHeader* header_;
  bool has_format_ = false, has_points_ = false, in_points_ = false, behind_ = false;
  FieldSources sources_;
  std::uint64_t rows_of_element_ = 0;  // of one behind the points, until it has a property
  std::uint64_t columns_ = 0, rows_ = 0;
};

}  // namespace

void read_ply_header(std::string_view name, std::string_view start, CloudHeader* header) {
  header->format = FileFormat::kPly;
  PlyHeader(name, start, header).read();
}

}  // namespace rdp::clouds
