// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/klttrack/mask_file.h"

#include <glib.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <string_view>

#include "gst/elements/base/whole_file.h"

namespace rdp::gst {
namespace {

constexpr int kNone = std::numeric_limits<int>::min();
constexpr std::string_view kSpaces = " \t\r\n\v\f";

// The header of a PGM, word by word, without spaces and comments (from # to the end of the line).
class Header {
 public:
  explicit Header(std::string_view file) : rest_(file) {}

  // A number; kNone where there is none.
  int number() {
    skip();
    int value = kNone;
    const auto end = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value).ptr;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  // The bytes after the one space behind the header.
  std::string_view pixels() const {
    return rest_.empty() || kSpaces.find(rest_[0]) == std::string_view::npos ? std::string_view()
                                                                             : rest_.substr(1);
  }

 private:
  void skip() {
    while (true) {
      const std::size_t spaces = rest_.find_first_not_of(kSpaces);
      rest_.remove_prefix(std::min(spaces, rest_.size()));
      if (rest_.empty() || rest_[0] != '#') return;
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
    }
  }

  std::string_view rest_;
};

std::string said(int number) { return number == kNone ? "no number" : std::to_string(number); }

bool parse(std::string_view file, Mask* mask, std::string* reason) {
  if (file.substr(0, 2) != "P5") {
    *reason =
        "expected a binary PGM, which begins with P5 (magick mask.png -depth 8 mask.pgm makes one)";
    return false;
  }
  Header header(file.substr(2));
  const int width = header.number();
  const int height = header.number();
  const int largest = header.number();
  if (width < 1 || width > kMaxSide || height < 1 || height > kMaxSide) {
    *reason = "expected a width and a height of 1 to " + std::to_string(kMaxSide) + ", got " +
              said(width) + " and " + said(height);
    return false;
  }
  if (largest < 1 || largest > 255) {
    *reason = "expected 8 bits a pixel, a largest value of 1 to 255, got " + said(largest) +
              " (magick mask.pgm -depth 8 mask8.pgm makes one)";
    return false;
  }
  const std::string_view pixels = header.pixels();
  const std::size_t size = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  if (pixels.size() != size) {
    *reason = "expected " + std::to_string(size) + " bytes of " + std::to_string(width) + "x" +
              std::to_string(height) + " pixels, got " + std::to_string(pixels.size());
    return false;
  }
  mask->pixels.resize(size);
  std::memcpy(mask->pixels.data(), pixels.data(), size);
  mask->width = width;
  mask->height = height;
  return true;
}

}  // namespace

bool read_mask(const char* file, Mask* mask, std::string* reason) {
  WholeFile whole;
  return whole.read(file, reason) && parse(whole.content(), mask, reason);
}

}  // namespace rdp::gst
