// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/fuzz/json_check.h"

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "gst/elements/rdpmetaconvert/json_writer.h"
#include "tests/fuzz/fuzz_input.h"

namespace rdp::fuzz {
namespace {

// As much of a reader of JSON as is needed to see that the text is JSON.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // The numbers in the array that is the value of "columns", and how deep each is in it.
  struct Number {
    double value;
    float as_float;
    int depth;
  };
  std::vector<Number> numbers;
  int columns = 0;

  void line() {
    value("", 0);
    FUZZ_CHECK(text_ == "\n", "there is more behind the object: %.20s", text_.data());
  }

 private:
  char next() const { return text_.empty() ? '\0' : text_[0]; }
  void take(char c) {
    FUZZ_CHECK(next() == c, "'%c' where '%c' is expected", next(), c);
    text_.remove_prefix(1);
  }
  std::string string() {
    take('"');
    const std::size_t end = text_.find('"');
    FUZZ_CHECK(end != std::string_view::npos, "a string without an end");
    std::string result(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return result;
  }
  void number(bool of_columns, int depth) {
    std::size_t size = 0;
    while (size < text_.size() && std::strchr("+-.eE0123456789", text_[size]) != nullptr) ++size;
    const std::string token(text_.substr(0, size));
    const std::size_t digit = token.find_first_not_of('-');
    FUZZ_CHECK(
        digit <= 1 && digit < size && std::isdigit(token[digit]) != 0 &&
            std::isdigit(token.back()) != 0 &&
            (token[digit] != '0' || digit + 1 == size || std::isdigit(token[digit + 1]) == 0),
        "'%s' is no number", token.c_str());
    char* end = nullptr;
    const double value = std::strtod(token.c_str(), &end);
    FUZZ_CHECK(*end == '\0', "'%s' is no number", token.c_str());
    if (of_columns) numbers.push_back({value, std::strtof(token.c_str(), nullptr), depth});
    text_.remove_prefix(size);
  }
  void value(std::string_view key, int depth) {
    const bool of_columns = key == "columns";
    switch (next()) {
      case '{':
        take('{');
        for (bool more = next() != '}'; more;) {
          const std::string name = string();
          take(':');
          value(name, 0);
          more = next() == ',';
          if (more) take(',');
        }
        take('}');
        break;
      case '[':
        take('[');
        for (bool more = next() != ']'; more;) {
          if (of_columns && depth == 0) ++columns;
          value(key, depth + 1);
          more = next() == ',';
          if (more) take(',');
        }
        take(']');
        break;
      case '"':
        string();
        break;
      case 'n':
        for (const char c : {'n', 'u', 'l', 'l'}) take(c);
        break;
      default:
        number(of_columns, depth);
    }
  }

  std::string_view text_;
};

void check_line(GstRdpSegmentation* segmentation, std::string_view line) {
  Reader reader(line);
  reader.line();
  gsize n = 0;
  const GstRdpSegment* segments = gst_rdp_segmentation_peek_segments(segmentation, &n);
  FUZZ_CHECK(reader.columns == static_cast<int>(gst_rdp_segmentation_get_n_columns(segmentation)),
             "%d columns", reader.columns);
  FUZZ_CHECK(reader.numbers.size() == 4 * n, "%zu numbers of %zu segments", reader.numbers.size(),
             n);
  for (gsize i = 0; i < n; ++i) {
    const Reader::Number* read = reader.numbers.data() + 4 * i;
    FUZZ_CHECK(read[0].value == segments[i].first_row && read[1].value == segments[i].last_row &&
                   read[2].as_float == segments[i].first_value &&
                   read[3].as_float == segments[i].last_value && read[0].depth == 3,
               "segment %zu is read as [%g, %g, %.9g, %.9g]", i, read[0].value, read[1].value,
               static_cast<double>(read[2].as_float), static_cast<double>(read[3].as_float));
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
  for (int i = 0; i < batch; ++i) {
    const std::size_t end = lines.find('\n');
    FUZZ_CHECK(end != std::string_view::npos, "%d lines of %d", i, batch);
    check_line(segmentation, lines.substr(0, end + 1));
    lines.remove_prefix(end + 1);
  }
  FUZZ_CHECK(lines.empty(), "more lines than metas");
  gst_buffer_unref(buffer);
}

}  // namespace rdp::fuzz
