// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/pointcloud/file_pattern.h"

#include <sys/stat.h>

#include <charconv>
#include <cstddef>
#include <vector>

namespace rdp::gst {

namespace {

constexpr int kMaxDigits = 20;

// A number in a text: %d, %5d, %05d; i or u in place of d.
struct Number {
  std::size_t at = 0;
  std::size_t length = 0;  // 0: none
  int digits = 0;
  char fill = ' ';
};

Number number_at(std::string_view text) {
  Number number;
  std::size_t end = 1;
  if (end < text.size() && text[end] == '0') number.fill = '0';
  for (; end < text.size() && text[end] >= '0' && text[end] <= '9'; ++end) {
    number.digits = number.digits * 10 + (text[end] - '0');
    if (number.digits > kMaxDigits) return {};
  }
  const bool known = end < text.size() && std::string_view("diu").find(text[end]) < 3;
  if (known) number.length = end + 1;
  return number;
}

// A conversion as printf reads it, up to its letter, for a message.
std::string_view conversion_at(std::string_view text) {
  const std::size_t letter = text.find_first_not_of("0123456789 .+-#'*hlLqjzt", 1);
  return text.substr(0, letter == std::string_view::npos ? letter : letter + 1);
}

bool is_folder(const std::string& name) {
  struct stat status = {};
  return stat(name.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

[[noreturn]] void fail(std::string_view location, const std::string& found,
                       const std::string& expected) {
  throw PatternError("location: found " + found + " in \"" + std::string(location) +
                     "\", expected " + expected);
}

}  // namespace

FilePattern::FilePattern(std::string_view location) {
  const std::size_t slash = location.rfind('/');
  const std::size_t file = slash == std::string_view::npos ? 0 : slash + 1;
  std::string text;
  std::vector<Number> numbers;
  for (std::size_t at = 0; at < location.size();) {
    const std::string_view rest = location.substr(at);
    if (rest[0] != '%' || rest.starts_with("%%")) {
      text += rest[0];
      at += rest[0] == '%' ? 2 : 1;
      continue;
    }
    Number number = number_at(rest);
    if (number.length == 0 && at >= file) {
      fail(location, '"' + std::string(conversion_at(rest)) + '"',
           "%d, %i or %u for the number of a file, with a width of up to " +
               std::to_string(kMaxDigits) + " such as %06d, or %% for a percent sign");
    }
    const std::size_t length = number.length > 0 ? number.length : 1;
    number.at = text.size();
    if (number.length > 0) numbers.push_back(number);
    text += rest.substr(0, length);
    at += length;
  }
  std::erase_if(numbers, [&](const Number& number) {
    const std::size_t end = text.find('/', number.at);
    return end != std::string::npos && is_folder(text.substr(0, end));
  });
  if (numbers.size() > 1) {
    fail(location, "two numbers", "one; %% stands for a percent sign");
  }
  if (numbers.empty()) {
    before_ = std::move(text);
    return;
  }
  const Number& number = numbers[0];
  before_ = text.substr(0, number.at);
  behind_ = text.substr(number.at + number.length);
  digits_ = number.digits;
  fill_ = number.fill;
}

void FilePattern::write_name(int number, std::string* name) const {
  *name = before_;
  if (!has_number()) return;
  char text[16];
  const auto end = std::to_chars(text, text + sizeof text, number).ptr;
  const auto count = static_cast<std::size_t>(end - text);
  const auto least = static_cast<std::size_t>(digits_);
  if (count < least) name->append(least - count, fill_);
  name->append(text, count);
  *name += behind_;
}

}  // namespace rdp::gst
