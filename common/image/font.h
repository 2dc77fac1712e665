// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_FONT_H_
#define RDP_COMMON_IMAGE_FONT_H_

#include <cstdint>

#include "common/host_device.h"

// A small bitmap font for pictures: digits, small letters, the point, the minus sign and the slash,
// each five columns by seven rows. The painters on the CPU and on the GPU write the same bits with
// it.
namespace rdp {

inline constexpr int kGlyphColumns = 5;
inline constexpr int kGlyphRows = 7;
inline constexpr int kGlyphStep = kGlyphColumns + 1;  // from one character to the next
inline constexpr int kGlyphs = 39;

// The characters in the order of glyph_of(), five side by side.
// clang-format off
inline constexpr char kGlyphRowsAsText[] =
    // 0      1      2      3      4
    ".###. ..#.. .###. .###. ...#."
    "#...# .##.. #...# #...# ..##."
    "#..## ..#.. ....# ....# .#.#."
    "#.#.# ..#.. ...#. ..##. #..#."
    "##..# ..#.. ..#.. ....# #####"
    "#...# ..#.. .#... #...# ...#."
    ".###. .###. ##### .###. ...#."
    // 5      6      7      8      9
    "##### ..##. ##### .###. .###."
    "#.... .#... ....# #...# #...#"
    "####. #.... ...#. #...# #...#"
    "....# ####. ..#.. .###. .####"
    "....# #...# .#... #...# ....#"
    "#...# #...# .#... #...# ...#."
    ".###. .###. .#... .###. .##.."
    // a      b      c      d      e
    "..... #.... ..... ....# ....."
    "..... #.... ..... ....# ....."
    ".###. #.##. .###. .##.# .###."
    "....# ##..# #.... #..## #...#"
    ".#### #...# #.... #...# #####"
    "#...# #...# #...# #...# #...."
    ".#### ####. .###. .#### .###."
    // f      g      h      i      j
    "..##. ..... #.... ..#.. ...#."
    ".#..# .#### #.... ..... ....."
    ".#... #...# #.##. .##.. ..##."
    "###.. #...# ##..# ..#.. ...#."
    ".#... .#### #...# ..#.. ...#."
    ".#... ....# #...# ..#.. #..#."
    ".#... .###. #...# .###. .##.."
    // k      l      m      n      o
    "#.... .##.. ..... ..... ....."
    "#.... ..#.. ..... ..... ....."
    "#..#. ..#.. ##.#. #.##. .###."
    "#.#.. ..#.. #.#.# ##..# #...#"
    "##... ..#.. #.#.# #...# #...#"
    "#.#.. ..#.. #...# #...# #...#"
    "#..#. .###. #...# #...# .###."
    // p      q      r      s      t
    "..... ..... ..... ..... .#..."
    "..... ..... ..... ..... .#..."
    "####. .##.# #.##. .###. ###.."
    "#...# #..## ##..# #.... .#..."
    "####. .#### #.... .###. .#..."
    "#.... ....# #.... ....# .#..#"
    "#.... ....# #.... ####. ..##."
    // u      v      w      x      y
    "..... ..... ..... ..... ....."
    "..... ..... ..... ..... ....."
    "#...# #...# #...# #...# #...#"
    "#...# #...# #...# .#.#. #...#"
    "#...# #...# #.#.# ..#.. .####"
    "#..## .#.#. #.#.# .#.#. ....#"
    ".##.# ..#.. .#.#. #...# .###."
    // z      .      -      /
    "..... ..... ..... ....#"
    "..... ..... ..... ....#"
    "##### ..... ..... ...#."
    "...#. ..... ##### ..#.."
    "..#.. ..... ..... .#..."
    ".#... .##.. ..... #...."
    "##### .##.. ..... #....";
// clang-format on

// Bit 5 * row + column of a glyph is set where it is painted. The CPU and the GPU each have their
// own table.
struct Font {
  std::uint64_t glyph[kGlyphs + 1];  // the last one is the space
};

constexpr Font make_font() {
  Font font{};
  constexpr int kSideBySide = 5;
  const char* text = kGlyphRowsAsText;
  for (int first = 0; first < kGlyphs; first += kSideBySide) {
    const int last = first + kSideBySide < kGlyphs ? first + kSideBySide : kGlyphs;
    for (int row = 0; row < kGlyphRows; ++row) {
      for (int i = first; i < last; ++i) {
        if (i > first) ++text;  // the space between two
        for (int column = 0; column < kGlyphColumns; ++column) {
          if (*text++ == '#') font.glyph[i] |= std::uint64_t{1} << (kGlyphColumns * row + column);
        }
      }
    }
  }
  return font;
}

// The index of a character in the font; the space's for characters that the font lacks.
RDP_HOST_DEVICE constexpr int glyph_of(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'z' ? 10 + (c - 'a')
         : c == '.'             ? 36
         : c == '-'             ? 37
         : c == '/'             ? 38
                                : kGlyphs;
}

// The number of columns of a text.
RDP_HOST_DEVICE constexpr int text_columns(int length) {
  return length > 0 ? length * kGlyphStep - 1 : 0;
}

// True if a text has ink at a column and row, counted from its upper left corner, which may lie
// anywhere.
RDP_HOST_DEVICE inline bool text_bit(const Font& font, const char* text, int length, int column,
                                     int row) {
  if (row < 0 || row >= kGlyphRows || column < 0 || column >= text_columns(length)) return false;
  const int within = column % kGlyphStep;
  if (within == kGlyphColumns) return false;
  const std::uint64_t glyph = font.glyph[glyph_of(text[column / kGlyphStep])];
  return (glyph >> (kGlyphColumns * row + within) & 1) != 0;
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_FONT_H_
