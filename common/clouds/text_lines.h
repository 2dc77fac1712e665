// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_TEXT_LINES_H_
#define RDP_COMMON_CLOUDS_TEXT_LINES_H_

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "common/clouds/cloud_header.h"

// Lines and words of files of points, and the errors that name them.
namespace rdp::clouds {

// A file's text quoted for a message: at most 40 characters, unprintable ones as '?'.
inline std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string result = "\"";
  for (const char c : text.substr(0, kMost)) result += c >= ' ' && c <= '~' ? c : '?';
  result += text.size() > kMost ? "...\"" : "\"";
  return result;
}

[[noreturn]] inline void fail_at_line(std::string_view name, std::uint64_t line,
                                      std::string_view field, const std::string& found,
                                      std::string_view expected) {
  throw CloudError(std::string(name) + ":" + std::to_string(line) + ": " + std::string(field) +
                   ": found " + found + ", expected " + std::string(expected));
}

[[noreturn]] inline void fail_at_offset(std::string_view name, std::uint64_t offset,
                                        std::string_view field, const std::string& found,
                                        std::string_view expected) {
  throw CloudError(std::string(name) + ": offset " + std::to_string(offset) + ": " +
                   std::string(field) + ": found " + found + ", expected " + std::string(expected));
}

// A comment that was not understood, for a warning.
inline std::string unread_text(std::string_view name, const UnreadComment& comment,
                               std::string_view expected) {
  return std::string(name) + ":" + std::to_string(comment.line) + ": a comment: found " +
         shown(comment.text) + ", expected " + std::string(expected) + ".";
}

// Splits text into lines. They end with \n or \r\n, or with \r if the first one does; the last line
// needs no end.
class TextLines {
 public:
  TextLines(std::string_view text, std::uint64_t first_line)
      : all_(text), left_(text), line_(first_line - 1) {
    const std::size_t end = text.find_first_of("\r\n");
    const std::size_t behind = text.find_first_not_of('\r', end);
    const bool returns = end != std::string_view::npos && text[end] == '\r' &&
                         (behind == std::string_view::npos || text[behind] != '\n');
    if (returns) end_ = '\r';
  }

  // Reads the next line; returns false at the end. `ended`, for headers: ignores a last line
  // without an end.
  bool next(std::string_view* text, bool ended = false) {
    const std::size_t end = left_.find(end_);
    if (left_.empty() || (ended && end == std::string_view::npos)) return false;
    *text = left_.substr(0, end);
    left_.remove_prefix(end == std::string_view::npos ? left_.size() : end + 1);
    while (!text->empty() && text->back() == '\r') text->remove_suffix(1);
    ++line_;
    return true;
  }
  std::uint64_t line() const { return line_; }  // of the last next()
  std::size_t position() const { return all_.size() - left_.size(); }
  std::size_t size() const { return all_.size(); }

 private:
  std::string_view all_;
  std::string_view left_;
  std::uint64_t line_;
  char end_ = '\n';
};

// The words of a line; "" when there are no more.
class Words {
 public:
  explicit Words(std::string_view line) : left_(line) {}
  std::string_view next() {
    const std::size_t begin = left_.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return left_ = {};
    left_.remove_prefix(begin);
    const std::string_view word = left_.substr(0, left_.find_first_of(kBlanks));
    left_.remove_prefix(word.size());
    return word;
  }

 private:
  static constexpr std::string_view kBlanks = " \t\r\v\f";
  std::string_view left_;
};

// Parses all of `text` as a number. Returns false if it is not a number of the type.
template <typename T>
bool parse_number(std::string_view text, T* value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, *value);
  return result.ec == std::errc() && result.ptr == end;
}

// True if a line has this one word.
inline bool is_word(std::string_view line, std::string_view word) {
  Words words(line);
  return words.next() == word && words.next().empty();
}

// Message text about the searched part of a header without an end.
inline std::string no_end(std::size_t bytes) {
  if (bytes < kMaxHeaderBytes) {
    return "no such line up to the end of the file, in " + std::to_string(bytes) + " bytes";
  }
  return "no such line in the first " + std::to_string(kMaxHeaderBytes) +
         " bytes, which are the most that a header may have";
}

// Reads the comments about axes and unit that pointcloudsink writes. A similar comment that cannot
// be understood is noted; any other is ignored.
inline void read_comment(std::string_view comment, std::uint64_t line, CloudHeader* header) {
  Words words(comment);
  const std::string_view what = words.next();
  const std::string_view value = words.next();
  const bool alone = words.next().empty();
  if (what == "axes") {
    if (alone && (value == "camera" || value == "forward-left-up")) {
      header->says_axes = true;
      header->forward_left_up = value == "forward-left-up";
    } else {
      header->unread_axes = {std::string(comment), line};
    }
  } else if (what == "unit") {
    double unit = 0.0;
    if (alone && parse_number(value, &unit) && unit >= kLeastUnit && unit <= kMaxUnit) {
      header->unit = unit;
    } else {
      header->unread_unit = {std::string(comment), line};
    }
  }
}

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_TEXT_LINES_H_
