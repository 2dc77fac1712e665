// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_NUMBERS_H_
#define RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_NUMBERS_H_

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

// Numbers and words as text. Each function returns the end of what it has written.
namespace rdp::json {

// The room that a function has for its text: far more than for a number, or for a short list.
inline constexpr std::size_t kRoom = 512;

inline char* print(char* out, std::string_view text) {
  return std::copy(text.begin(), text.end(), out);
}

inline char* print(char* out, std::integral auto value) {
  return std::to_chars(out, out + kRoom, value).ptr;
}

// The shortest text that is read back as the same value, and that a reader takes for a floating
// point number.
inline char* print(char* out, double value) {
  // JSON has no NaN or infinity; no valid metadata holds one.
  if (!std::isfinite(value)) return print(out, "null");
  char* const end = std::to_chars(out, out + kRoom, value).ptr;
  const bool integral =
      std::all_of(out, end, [](char c) { return c == '-' || (c >= '0' && c <= '9'); });
  return integral ? print(end, ".0") : end;
}

// The shortest text that is read back as the same value; whole samples print as integers.
inline char* print(char* out, float value) {
  if (value >= 0.0F && value <= 65535.0F) {
    const auto whole = static_cast<std::uint32_t>(value);
    if (static_cast<float>(whole) == value) return std::to_chars(out, out + 5, whole).ptr;
  }
  if (!std::isfinite(value)) return print(out, "null");
  return std::to_chars(out, out + kRoom, value).ptr;
}

// A short list.
template <typename List>
char* print_list(char* out, const List& list) {
  char before = '[';
  for (const auto& entry : list) {
    *out++ = before;
    out = print(out, entry);
    before = ',';
  }
  *out++ = ']';
  return out;
}

// A list of members.
template <auto... kMembers, typename Struct>
char* print_members(char* out, const Struct& of) {
  char before = '[';
  ((*out++ = before, out = print(out, of.*kMembers), before = ','), ...);
  *out++ = ']';
  return out;
}

template <auto kMember, typename Struct>
char* print_member(char* out, const Struct& of) {
  return print(out, of.*kMember);
}

// A key of an object, and what writes its value.
template <typename Struct>
struct Row {
  std::string_view name;
  char* (*print_value)(char* out, const Struct& of);
};
template <typename Struct>
using Rows = std::span<const Row<std::type_identity_t<Struct>>>;

// A short object.
template <typename Struct>
char* print_object(char* out, const Struct& of, Rows<Struct> rows) {
  char before = '{';
  for (const auto& [name, print_value] : rows) {
    *out++ = before;
    out = print_value(print(print(print(out, "\""), name), "\":"), of);
    before = ',';
  }
  return print(out, "}");
}

}  // namespace rdp::json

#endif  // RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_NUMBERS_H_
