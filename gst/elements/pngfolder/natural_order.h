// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_PNGFOLDER_NATURAL_ORDER_H_
#define RDP_GST_ELEMENTS_PNGFOLDER_NATURAL_ORDER_H_

#include <cstddef>
#include <string_view>

namespace rdp::gst {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Pops the leading digits of a text, without leading zeros: a number of any size.
inline std::string_view pop_number(std::string_view* text) {
  std::size_t end = 0;
  while (end < text->size() && is_digit((*text)[end])) ++end;
  std::string_view number = text->substr(0, end);
  text->remove_prefix(end);
  while (!number.empty() && number.front() == '0') number.remove_prefix(1);
  return number;
}

// Natural order, which compares numbers by value: 2 comes before 10. Names are split into
// alternating texts and numbers and compared part by part; a shorter text comes first. Returns a
// value below, equal to or above 0, as strcmp() does. Names that differ only in leading zeros are
// equal.
inline int natural_order(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const bool number = is_digit(a.front());
    // One text is at its end, and a number follows it.
    if (number != is_digit(b.front())) return number ? -1 : 1;
    if (number) {
      const std::string_view first = pop_number(&a);
      const std::string_view second = pop_number(&b);
      if (first.size() != second.size()) return first.size() < second.size() ? -1 : 1;
      if (const int order = first.compare(second); order != 0) return order;
      continue;
    }
    if (a.front() != b.front()) {
      return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front()) ? -1 : 1;
    }
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.empty() && b.empty() ? 0 : a.empty() ? -1 : 1;
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_PNGFOLDER_NATURAL_ORDER_H_
