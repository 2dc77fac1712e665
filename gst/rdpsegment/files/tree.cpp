/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gst/rdpsegment/files/tree.h"

#include <glib.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rdp::calibration {

namespace {

// A value cut to a length that fits an error.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 40;
  std::string result = text.substr(0, kMost);
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  // Removes a UTF-8 character that was cut in two.
  while (!g_utf8_validate(result.data(), static_cast<gssize>(result.size()), nullptr)) {
    result.pop_back();
  }
  return text.size() > kMost ? result + "…" : result;
}

std::string count_of(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string place_of(const std::string& file, int line) {
  return file.empty() ? file : file + ":" + std::to_string(line) + ": ";
}

}  // namespace

void fail(const std::string& file, int line, const std::string& field, const std::string& found,
          const std::string& expected) {
  std::string message = place_of(file, line);
  if (!field.empty()) message += field + ": ";
  throw Error(message + "found " + found + ", expected " + expected);
}

void add_item(const std::string& file, const std::string& path, Node* map, std::string name,
              Node item) {
  const auto refuse = [&](const std::string& found, const std::string& expected) {
    const std::string field = shortened(name);
    fail(file, item.line, path.empty() ? field : path + "." + field, found, expected);
  };
  if (name.size() > kLongestName) {
    refuse("a name of " + count_of(name.size(), "byte"), "the name of a field");
  }
  const auto same = std::find(map->names.begin(), map->names.end(), name);
  if (same != map->names.end()) {
    const Node& first = map->items[static_cast<std::size_t>(same - map->names.begin())];
    refuse("it a second time (first in line " + std::to_string(first.line) + ")",
           "each field once");
  }
  if (map->names.size() == kMaxNames) {
    refuse("more than " + count_of(kMaxNames, "field"), "a calibration");
  }
  map->names.push_back(std::move(name));
  map->items.push_back(std::move(item));
}

std::optional<double> number_of(std::string_view text) {
  std::string word(text);
  std::string plain = word;
  if (!plain.empty() && (plain[0] == '-' || plain[0] == '+')) plain.erase(0, 1);
  if (!plain.empty() && plain[0] == '.') plain.erase(0, 1);
  const auto is = [&](const char* name) { return g_ascii_strcasecmp(plain.c_str(), name) == 0; };
  if (is("nan")) return std::numeric_limits<double>::quiet_NaN();
  if (is("inf") || is("infinity")) return std::numeric_limits<double>::infinity();
  if (word.find_first_not_of("0123456789+-.eE") != std::string::npos) return std::nullopt;
  if (word.find_first_of("0123456789") == std::string::npos) return std::nullopt;
  gchar* end = nullptr;
  const double value = g_ascii_strtod(word.c_str(), &end);
  if (end != word.c_str() + word.size()) return std::nullopt;
  return value;
}

std::string to_text(double number) {
  gchar buffer[G_ASCII_DTOSTR_BUF_SIZE];
  return g_ascii_formatd(buffer, sizeof buffer, "%.6g", number);
}

Field Field::item(std::size_t index, const std::string& path) const {
  Field result = *this;
  result.node_ = &node_->items[index];
  result.path_ = path;
  return result;
}

std::optional<Field> Field::find(std::string_view name) const {
  if (!is_map()) return std::nullopt;
  const auto place = std::find(node_->names.begin(), node_->names.end(), name);
  if (place == node_->names.end()) return std::nullopt;
  return item(static_cast<std::size_t>(place - node_->names.begin()),
              path_.empty() ? *place : path_ + "." + *place);
}

std::optional<Field> Field::find(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    if (auto found = find(name)) return found;
  }
  return std::nullopt;
}

Field Field::at(std::string_view name, const std::string& expected) const {
  if (auto found = find(name)) return *found;
  if (!is_map()) fail("a map with \"" + std::string(name) + "\": " + expected);
  calibration::fail(file(), line(),
                    path_.empty() ? std::string(name) : path_ + "." + std::string(name), "nothing",
                    expected);
}

Field Field::at(std::size_t index) const {
  return item(index, path_ + "[" + std::to_string(index) + "]");
}

Field Field::named(std::string name) const {
  Field result = *this;
  result.path_ = std::move(name);
  return result;
}

std::string Field::found() const {
  switch (node_->kind) {
    case Node::Kind::kNothing:
      return "nothing";
    case Node::Kind::kText:
      return node_->quoted ? "the text \"" + shortened(node_->text) + "\""
                           : '"' + shortened(node_->text) + '"';
    case Node::Kind::kList:
      return "a list of " + count_of(size(), "value");
    case Node::Kind::kMap:
      break;
  }
  return "a map of " + count_of(size(), "value");
}

void Field::fail(const std::string& found, const std::string& expected) const {
  calibration::fail(file(), line(), path_, found, expected);
}

void Field::refuse(const std::string& text) const { throw Error(place_of(file(), line()) + text); }

const std::string& Field::text(const std::string& expected) const {
  if (node_->kind != Node::Kind::kText) fail(expected);
  return node_->text;
}

double Field::number(const std::string& expected) const {
  if (node_->kind != Node::Kind::kText || node_->quoted) fail(expected);
  const std::optional<double> value = number_of(node_->text);
  if (!value) fail(expected);
  if (!std::isfinite(*value)) fail(expected + " that is finite");
  return *value;
}

unsigned Field::whole(unsigned least, unsigned most, const std::string& expected) const {
  const std::string range = expected + ", " + std::to_string(least) + " to " + std::to_string(most);
  const double value = number(range);
  if (!(value >= least && value <= most) || value != std::floor(value)) fail(range);
  return static_cast<unsigned>(value);
}

void Field::append_numbers(std::vector<double>* out, const std::string& expected) const {
  for (std::size_t i = 0; i < size(); ++i) out->push_back(at(i).number("a number: " + expected));
}

std::vector<double> Field::numbers(std::size_t count, const std::string& expected) const {
  if (!is_list()) fail(expected);
  std::vector<double> values;
  append_numbers(&values, expected);
  if (values.size() != count) fail(count_of(values.size(), "number"), expected);
  return values;
}

std::vector<double> Field::matrix(std::size_t rows, std::size_t columns) const {
  const std::string expected = count_of(rows * columns, "number") + ": a matrix of " +
                               count_of(rows, "row") + " and " + count_of(columns, "column");
  if (is_map()) {
    const Field data = at("data", expected);
    const auto check = [&](std::string_view name, std::size_t wanted) {
      if (const auto field = find(name)) {
        if (field->whole(1, 1000, "a count of " + std::string(name)) != wanted) {
          field->fail(std::to_string(wanted) + ": a matrix of " + count_of(rows, "row") + " and " +
                      count_of(columns, "column"));
        }
      }
    };
    check("rows", rows);
    check("cols", columns);
    return data.numbers(rows * columns, expected);
  }
  if (!is_list()) fail(expected);
  if (size() == 0 || !at(0).is_list()) return numbers(rows * columns, expected);
  if (size() != rows) fail(count_of(size(), "row"), expected);
  std::vector<double> values;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::vector<double> numbers = at(row).numbers(columns, count_of(columns, "number"));
    values.insert(values.end(), numbers.begin(), numbers.end());
  }
  return values;
}

std::vector<double> Field::vector(std::initializer_list<std::size_t> counts) const {
  std::string expected;
  for (const std::size_t count : counts) {
    if (!expected.empty()) expected += count == *(counts.end() - 1) ? " or " : ", ";
    expected += std::to_string(count);
  }
  expected += " numbers";
  std::vector<double> values;
  if (is_map()) {
    const Field data = at("data", expected);
    if (!data.is_list()) data.fail(expected);
    data.append_numbers(&values, expected);
    std::size_t shape = 1;
    for (const char* name : {"rows", "cols"}) {
      if (const auto field = find(name)) shape *= field->whole(0, 1000, "a count");
    }
    if (find("rows") && find("cols") && shape != values.size()) {
      data.fail(count_of(values.size(), "number"),
                count_of(shape, "number") + ", as rows and cols say");
    }
  } else {
    if (!is_list()) fail(expected);
    // Some programs write a matrix of one row or column as [[k1, k2, …]], or as a column.
    const bool nested = size() > 0 && at(0).is_list();
    for (std::size_t i = 0; nested && i < size(); ++i) {
      if (!at(i).is_list()) at(i).fail(expected);
      if (size() > 1 && at(i).size() != 1) at(i).fail("a row of one number");
      at(i).append_numbers(&values, expected);
    }
    if (!nested) append_numbers(&values, expected);
  }
  if (std::find(counts.begin(), counts.end(), values.size()) == counts.end()) {
    fail(count_of(values.size(), "number"), expected);
  }
  return values;
}

}  // namespace rdp::calibration
