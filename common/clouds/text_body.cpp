// SPDX-License-Identifier: LGPL-2.1-or-later
// Decodes text files: one line for each point.
#include <limits>
#include <string>

#include "common/clouds/cloud_body.h"
#include "common/clouds/load_number.h"
#include "common/clouds/text_lines.h"

namespace rdp::clouds {

namespace {

constexpr std::string_view kAxisNames = "xyz";

class TextBody {
 public:
  TextBody(std::string_view name, const CloudHeader& header, std::string_view text)
      : name_(name), header_(header), lines_(text, header.line) {}

  void decode(std::byte* out) {
    for (const Element& element : header_.elements) {
      if (element.properties == 0) continue;  // has no lines
      const bool points = &element == &header_.elements.back();
      for (std::uint64_t i = 0; i < element.count; ++i) {
        const std::string_view line = next_line(element, i);
        if (points) read_point(line, element, out + i * header_.step);
      }
    }
    refuse_more();
  }

 private:
  [[noreturn]] void fail(std::string_view field, std::string_view found,
                         std::string_view expected) const {
    fail_at_line(name_, lines_.line(), field, found.empty() ? "nothing" : shown(found), expected);
  }

  // Empty lines do not count.
  std::string_view next_line(const Element& element, std::uint64_t index) {
    std::string_view line;
    do {
      if (lines_.next(&line)) continue;
      fail_at_line(name_, lines_.line() + 1, "the end",
                   "it after " + std::to_string(index) + " lines",
                   std::to_string(element.count) + "; the file may be cut off");
    } while (Words(line).next().empty());
    return line;
  }

  // Rejects rows beyond the header's counts, which would be lost silently.
  void refuse_more() {
    std::string_view line;
    for (std::uint64_t behind = 0; lines_.next(&line);) {
      if (Words(line).next().empty() || ++behind <= header_.rows_behind) continue;
      fail_at_line(name_, lines_.line(), "the end", "more lines than the header promises",
                   "it after " + std::to_string(header_.points) + " points" +
                       (header_.rows_behind > 0
                            ? " and " + std::to_string(header_.rows_behind) + " other lines"
                            : "") +
                       "; the count in the header may be wrong");
    }
  }

  void read_point(std::string_view line, const Element& element, std::byte* out) const {
    Words words(line);
    for (std::size_t p = 0; p < element.properties; ++p) {
      const Property& property = header_.properties[element.first + p];
      std::uint64_t count = property.count;
      if (property.list) {
        const std::string_view word = words.next();
        if (!parse_number(word, &count)) fail("the length of a list", word, "0 or more");
      }
      const FieldSource* source = source_of(p);
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::string_view word = words.next();
        if (word.empty()) {
          fail_at_line(name_, lines_.line(), "a point", "the end of the line",
                       "a number for each field, " + std::to_string(element.tokens) + " or more");
        }
        if (source != nullptr) read_number(word, *source, out);
      }
    }
    const std::string_view more = words.next();
    if (!more.empty()) fail("a point", more, "the end of the line after the last field");
  }

  const FieldSource* source_of(std::size_t property) const {
    for (std::size_t i = 0; i < header_.source_count; ++i) {
      if (header_.sources[i].property == property) return &header_.sources[i];
    }
    return nullptr;
  }

  // True for a number outside the range of doubles: *value is 0 on underflow, infinite on overflow.
  static bool beyond_numbers(std::string_view word, double* value) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    const char* const end = word.data() + word.size();
    const auto result = std::from_chars(word.data(), end, *value);
    if (result.ec != std::errc::result_out_of_range || result.ptr != end) return false;
    const bool negative = word[0] == '-';
    // Digits from the first non-zero digit to the decimal point; negative for leading zeros after
    // it.
    std::int64_t left = 0;
    bool counting = false, fraction = false;
    std::size_t at = negative ? 1 : 0;
    for (; at < word.size() && word[at] != 'e' && word[at] != 'E'; ++at) {
      if (word[at] == '.') {
        fraction = true;
        continue;
      }
      counting = counting || word[at] != '0';
      if (counting && !fraction) ++left;
      if (!counting && fraction) --left;
    }
    std::int64_t exponent = 0;
    if (at < word.size()) {
      std::string_view digits = word.substr(at + 1);
      if (digits[0] == '+') digits.remove_prefix(1);
      if (!parse_number(digits, &exponent)) {  // more than 64 bits
        exponent = digits[0] == '-' ? std::numeric_limits<std::int64_t>::min() / 2
                                    : std::numeric_limits<std::int64_t>::max() / 2;
      }
    }
    const double magnitude = left + exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
    *value = negative ? -magnitude : magnitude;
    return true;
  }

  // Rounds once, to the field's type. Underflow gives 0, overflow infinity.
  void read_number(std::string_view word, const FieldSource& source, std::byte* out) const {
    const bool is_float = source.kind == NumberKind::kFloat;
    float number = 0.0F;
    if (is_float && parse_number(word, &number)) return store_number(source, number, out);
    double value = 0.0;
    if (!parse_number(word, &value) && !beyond_numbers(word, &value)) {
      const auto index = static_cast<std::size_t>(&source - header_.sources.data());
      fail(index < kAxisNames.size() ? kAxisNames.substr(index, 1) : "a colour, intensity or label",
           word, "a number, or nan for an unknown point");
    }
    if (is_float) return store_number(source, to_float(value), out);
    store_number(source, value, out);
  }

  std::string_view name_;
  const CloudHeader& header_;
  TextLines lines_;
};

}  // namespace

void decode_text(std::string_view name, const CloudHeader& header, std::span<const std::byte> bytes,
                 std::byte* out) {
  TextBody(name, header, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}).decode(out);
}

}  // namespace rdp::clouds
