// SPDX-License-Identifier: LGPL-2.1-or-later
// The header of PCD files, of all versions. Each line is a word and its values.
#include <algorithm>

#include "common/clouds/cloud_header.h"
#include "common/clouds/field_sources.h"
#include "common/clouds/text_lines.h"

namespace rdp::clouds {

namespace {

// TYPE and SIZE of a field as one. False: there is no such number.
bool kind_of(char type, std::uint64_t size, NumberKind* kind) {
  using enum NumberKind;
  struct Row {
    char type;
    std::uint64_t size;
    NumberKind kind;
  };
  constexpr Row kRows[] = {{'I', 1, kInt8},  {'U', 1, kUint8},  {'I', 2, kInt16}, {'U', 2, kUint16},
                           {'I', 4, kInt32}, {'U', 4, kUint32}, {'I', 8, kInt64}, {'U', 8, kUint64},
                           {'F', 4, kFloat}, {'F', 8, kDouble}};
  for (const Row& row : kRows) {
    if (row.type != type || row.size != size) continue;
    *kind = row.kind;
    return true;
  }
  return false;
}

class PcdHeader {
 public:
  PcdHeader(std::string_view name, std::string_view start, CloudHeader* header)
      : name_(name), lines_(start, 1), header_(header) {}

  void read() {
    std::string_view line;
    while (lines_.next(&line, true)) {
      if (read_line(line)) return finish();
    }
    fail("DATA", no_end(lines_.size()), "a line DATA ascii, DATA binary or DATA binary_compressed");
  }

 private:
  [[noreturn]] void fail(std::string_view field, const std::string& found,
                         std::string_view expected) const {
    fail_at_line(name_, std::max<std::uint64_t>(lines_.line(), 1), field, found, expected);
  }

  // True after the last line.
  bool read_line(std::string_view line) {
    if (!line.empty() && line[0] == '#') {
      read_comment(line.substr(1), lines_.line(), header_);
      return false;
    }
    Words words(line);
    const std::string_view what = words.next();
    if (what.empty() || what == "VERSION") return false;
    if (what == "FIELDS" || what == "COLUMNS") {
      fields_ = line;
      fields_line_ = lines_.line();
    } else if (what == "SIZE") {
      sizes_ = line;
    } else if (what == "TYPE") {
      types_ = line;
    } else if (what == "COUNT") {
      counts_ = line;
    } else if (what == "VIEWPOINT") {
      read_viewpoint(line.substr(line.find(what) + what.size()));
    } else if (what == "WIDTH") {
      width_ = number(what, words.next());
      has_width_ = true;
    } else if (what == "HEIGHT") {
      height_ = number(what, words.next());
    } else if (what == "POINTS") {
      points_ = number(what, words.next());
      has_points_ = true;
    } else if (what == "DATA") {
      read_encoding(words.next());
      return true;
    } else {
      fail("the header", shown(what),
           "VERSION, FIELDS, SIZE, TYPE, COUNT, WIDTH, HEIGHT, VIEWPOINT, POINTS or DATA");
    }
    return false;
  }

  std::uint64_t number(std::string_view field, std::string_view word) const {
    std::uint64_t value = 0;
    if (!parse_number(word, &value) || value > kMaxPoints) {
      fail(field, word.empty() ? "nothing" : shown(word), "a number from 0 to 2147483647");
    }
    return value;
  }

  void read_viewpoint(std::string_view numbers) {
    if (!parse_pose(numbers, &header_->pose)) {
      fail("VIEWPOINT", shown(numbers), "seven finite numbers, tx ty tz qw qx qy qz");
    }
    header_->no_rotation = !normalize_rotation(&header_->pose);
  }

  void read_encoding(std::string_view word) {
    if (word == "ascii") {
      header_->encoding = Encoding::kText;
    } else if (word == "binary") {
      header_->encoding = Encoding::kBinary;
    } else if (word == "binary_compressed") {
      header_->encoding = Encoding::kCompressed;
    } else {
      fail("DATA", word.empty() ? "nothing" : shown(word), "ascii, binary or binary_compressed");
    }
  }

  void finish() {
    header_->body = lines_.position();
    header_->line = lines_.line() + 1;
    read_size();
    read_fields();
  }

  void read_size() {
    if (!has_width_ && !has_points_) fail("POINTS", "nothing", "the number of points");
    if (!has_width_) width_ = points_;
    if (width_ * height_ > kMaxPoints) {
      fail("WIDTH", std::to_string(width_) + " with HEIGHT " + std::to_string(height_),
           "at most 2147483647 points");
    }
    if (has_points_ && points_ != width_ * height_) {
      fail("POINTS", std::to_string(points_),
           "WIDTH times HEIGHT, " + std::to_string(width_ * height_));
    }
    header_->points = width_ * height_;
    if (height_ > 1 && width_ > 0) {
      header_->width = static_cast<std::uint32_t>(width_);
      header_->height = static_cast<std::uint32_t>(height_);
    }
  }

  // The values of a line stand in the order of the fields.
  void read_fields() {
    Words names(fields_), sizes(sizes_), types(types_), counts(counts_);
    for (Words* words : {&names, &sizes, &types, &counts}) words->next();
    Element points;
    points.count = header_->points;
    FieldSources sources(header_);
    for (std::string_view field = names.next(); !field.empty(); field = names.next()) {
      Property property;
      const std::string_view type = types.next();
      if (type.size() != 1 || !kind_of(type[0], number("SIZE", sizes.next()), &property.kind)) {
        fail("TYPE of " + shown(field), type.empty() ? "nothing" : shown(type),
             "I, U or F with a SIZE of 1, 2, 4 or 8 (F: 4 or 8)");
      }
      if (!counts_.empty()) {
        property.count = static_cast<std::uint32_t>(number("COUNT", counts.next()));
      }
      const Coordinate coordinate = {points.properties, points.bytes, property.kind};
      if (const char* wrong = sources.add(field, coordinate, property.count == 1)) {
        fail("field " + std::string(field),
             property.count == 1 ? wrong : "a COUNT of " + std::to_string(property.count),
             "one number a point");
      }
      points.bytes += size_of(property.kind) * property.count;
      points.tokens += property.count;
      if (points.bytes > kMaxRecordBytes) {
        fail("COUNT", std::to_string(points.bytes) + " bytes a point", "at most 2^30");
      }
      header_->properties.push_back(property);
      ++points.properties;
    }
    if (const char missing = sources.finish()) {
      fail_at_line(name_, fields_line_, "FIELDS", std::string("no ") + missing,
                   "the fields x, y and z");
    }
    header_->elements.push_back(points);
  }

  std::string_view name_;
  TextLines lines_;
  CloudHeader* header_;
  std::string_view fields_, sizes_, types_, counts_;  // their lines
  std::uint64_t fields_line_ = 1;
  std::uint64_t width_ = 0, height_ = 1, points_ = 0;
  bool has_width_ = false, has_points_ = false;
};

}  // namespace

void read_pcd_header(std::string_view name, std::string_view start, CloudHeader* header) {
  header->format = FileFormat::kPcd;
  PcdHeader(name, start, header).read();
}

}  // namespace rdp::clouds
