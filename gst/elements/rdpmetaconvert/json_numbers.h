// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_NUMBERS_H_
#define RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_NUMBERS_H_

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

// Numbers and words as text. Each function returns the end of what it has written.
namespace rdp::json {

// The longest texts: std::to_chars needs to be told where memory ends, and these are never reached.
inline constexpr std::size_t kMaxNumber = 24;  // "-2.2250738585072014e-308" of a double
inline constexpr std::size_t kMaxFloat = 15;   // "-1.1754944e-38", and one
// Most bytes written for one request for room, apart from lists.
inline constexpr std::size_t kMaxFixedPart = 240 + 11 * (kMaxNumber + 2);

inline char* put(char* out, std::string_view text) {
  return std::copy(text.begin(), text.end(), out);
}

inline constexpr std::size_t kMaxEscape = 6;  // "\u001f" of a character

// A text of UTF-8 in quotes.
inline char* put_text(char* out, std::string_view text) {
  *out++ = '"';
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20) {
      out = put(out, code < 0x10 ? "\\u000" : "\\u001");
      *out++ = "0123456789abcdef"[code & 15];
      continue;
    }
    if (c == '"' || c == '\\') *out++ = '\\';
    *out++ = c;
  }
  *out++ = '"';
  return out;
}

inline char* put_integer(char* out, std::uint64_t value) {
  return std::to_chars(out, out + kMaxNumber, value).ptr;
}

// The shortest text that is read back as the same value, and that a reader takes for a floating
// point number.
inline char* put_double(char* out, double value) {
  // JSON has no word for what is not a number. No valid metadata holds such a value.
  if (!std::isfinite(value)) return put(out, "null");
  char* const end = std::to_chars(out, out + kMaxNumber, value).ptr;
  const bool integral =
      std::all_of(out, end, [](char c) { return c == '-' || (c >= '0' && c <= '9'); });
  return integral ? put(end, ".0") : end;
}

// Rows and almost all values: at most five digits.
inline char* put_u16(char* out, std::uint32_t value) {
  return std::to_chars(out, out + 5, value).ptr;
}

// The shortest text that is read back as the same value. Samples are whole numbers, for which it is
// the integer's.
inline char* put_float(char* out, float value) {
  if (value >= 0.0F && value <= 65535.0F) {
    const auto whole = static_cast<std::uint32_t>(value);
    if (static_cast<float>(whole) == value) return put_u16(out, whole);
  }
  if (!std::isfinite(value)) return put(out, "null");
  return std::to_chars(out, out + kMaxFloat, value).ptr;
}

// A list of what put_entry() writes of each entry.
template <typename List, typename Put>
char* put_list(char* out, const List& list, Put&& put_entry) {
  *out++ = '[';
  for (const auto& entry : list) {
    out = put_entry(out, entry);
    *out++ = ',';
  }
  if (std::size(list) > 0) --out;
  *out++ = ']';
  return out;
}

}  // namespace rdp::json

#endif  // RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_NUMBERS_H_
