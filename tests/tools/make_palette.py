#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints common/image/palette.h. Needs matplotlib; the build does not run it.

    make_palette.py > common/image/palette.h
"""
import matplotlib

# Most of a street is far away, at the lower end of a disparity range. The exponent spends more of
# the palette there.
EXPONENT = 0.65

HEAD = """\
// SPDX-License-Identifier: LGPL-2.1-or-later
// Written by tests/tools/make_palette.py.
#ifndef RDP_COMMON_PALETTE_H_
#define RDP_COMMON_PALETTE_H_

#include <array>
#include <cstdint>

namespace rdp {

struct Rgb {
  std::uint8_t r, g, b;
};

// The palette of the overlays, from far (small values: dark blue) to near (large values: light
// yellow): "plasma" by N. J. Smith and S. van der Walt (CC0), as matplotlib has it, whose lightness
// rises evenly, taken at (i / 255)^%g. It has no black, which stands for unknown.
// clang-format off
inline constexpr std::array<Rgb, 256> kPalette = {{
"""

FOOT = """\
}};
// clang-format on

}  // namespace rdp

#endif  // RDP_COMMON_PALETTE_H_
"""


def colours():
    try:
        plasma = matplotlib.colormaps["plasma"]
    except AttributeError:  # matplotlib < 3.5
        plasma = matplotlib.cm.get_cmap("plasma")
    for i in range(256):
        r, g, b, _ = plasma((i / 255) ** EXPONENT, bytes=True)
        yield "{%d, %d, %d}" % (r, g, b)


def main():
    print(HEAD % EXPONENT, end="")
    line = "   "
    for colour in colours():
        if len(line) + len(colour) + 2 > 100:
            print(line)
            line = "   "
        line += " " + colour + ","
    print(line)
    print(FOOT, end="")


if __name__ == "__main__":
    main()
