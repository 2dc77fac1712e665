// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/pointcloud/file_pattern.h"

#include <charconv>
#include <cstddef>
#include <cstring>

namespace rdp::gst {

namespace {

constexpr int kMostDigits = 20;

// The bytes of %d, %Nd or %0Nd at `text`, 0 if there is none. *digits: how many the number has at
// least, *fill: what stands before a shorter one.
std::size_t number_at(const char* text, int* digits, char* fill) {
  if (*text != '%') return 0;
  const char* at = text + 1;
  *fill = *at == '0' ? '0' : ' ';
  for (*digits = 0; *at >= '0' && *at <= '9'; ++at) {
    *digits = *digits * 10 + (*at - '0');
    if (*digits > kMostDigits) return 0;
  }
  return *at == 'd' ? static_cast<std::size_t>(at + 1 - text) : 0;
}

}  // namespace

bool has_number(const char* location) {
  int digits = 0;
  char fill = ' ';
  for (const char* at = location; *at != '\0'; ++at) {
    if (at[0] == '%' && at[1] == '%') {
      ++at;
    } else if (number_at(at, &digits, &fill) > 0) {
      return true;
    }
  }
  return false;
}

void write_name(const char* location, int number, std::string* name) {
  name->clear();
  bool written = false;
  for (const char* at = location; *at != '\0';) {
    int digits = 0;
    char fill = ' ';
    const std::size_t length = written ? 0 : number_at(at, &digits, &fill);
    if (length > 0) {
      char text[16];
      const auto end = std::to_chars(text, text + sizeof text, number).ptr;
      const auto count = static_cast<std::size_t>(end - text);
      if (count < static_cast<std::size_t>(digits)) {
        name->append(static_cast<std::size_t>(digits) - count, fill);
      }
      name->append(text, count);
      at += length;
      written = true;
    } else {
      *name += *at;
      at += at[0] == '%' && at[1] == '%' ? 2 : 1;
    }
  }
}

}  // namespace rdp::gst
