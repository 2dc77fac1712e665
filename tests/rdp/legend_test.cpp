// SPDX-License-Identifier: LGPL-2.1-or-later
// The legend of pictures: its font, its numbers against a plain calculation, its place, and one
// panel pixel by pixel.
#include "common/rdp/legend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "common/rdp/overlay.h"
#include "common/rdp/reference.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::TestFrame;

constexpr Font kFont = make_font();
constexpr char kCharacters[] = "0123456789abcdefghijklmnopqrstuvwxyz.-/";

TEST(Font, HasAGlyphOfItsOwnForEachCharacter) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < kGlyphs; ++i) {
    EXPECT_EQ(glyph_of(kCharacters[i]), i);
    EXPECT_NE(kFont.glyph[i], 0U) << kCharacters[i];
    EXPECT_TRUE(seen.insert(kFont.glyph[i]).second) << kCharacters[i];
  }
  for (const char c : {' ', 'A', '\0', '\xFF'}) EXPECT_EQ(kFont.glyph[glyph_of(c)], 0U);
}

std::string drawn(const std::string& text) {
  std::string rows;
  const auto length = static_cast<int>(text.size());
  for (int row = -1; row <= kGlyphRows; ++row) {
    for (int column = -1; column <= text_columns(length); ++column) {
      rows += text_bit(kFont, text.data(), length, column, row) ? '#' : '.';
    }
    rows += '\n';
  }
  return rows;
}

TEST(Font, DrawsText) {
  EXPECT_EQ(drawn("4m"),
            ".............\n"
            "....#........\n"
            "...##........\n"
            "..#.#..##.#..\n"
            ".#..#..#.#.#.\n"
            ".#####.#.#.#.\n"
            "....#..#...#.\n"
            "....#..#...#.\n"
            ".............\n");
}

std::string number_text(std::int64_t count, const RoundNumber& number) {
  char text[kNumberText];
  return {text, static_cast<std::size_t>(write_number(count, number, text))};
}

TEST(RoundNumbers, AreWrittenInDecimal) {
  EXPECT_EQ(number_text(0, {5, 0}), "0");
  EXPECT_EQ(number_text(3, {5, 0}), "15");
  EXPECT_EQ(number_text(3, {2, 4}), "60000");
  EXPECT_EQ(number_text(-3, {2, 1}), "-60");
  EXPECT_EQ(number_text(3, {5, -1}), "1.5");
  EXPECT_EQ(number_text(0, {5, -2}), "0.00");
  EXPECT_EQ(number_text(-1, {1, -3}), "-0.001");
  EXPECT_EQ(number_text(1234567, {1, -2}), "12345.67");
  EXPECT_EQ(number_text(99999999, {1, 1}), "999999990");
  EXPECT_EQ(number_text(-99999999, {1, 1}), "");
  EXPECT_EQ(number_text(10, {1, 9}), "");
}

TEST(RoundNumbers, StepsAreTheNextOnes) {
  for (const auto& [least, step] : std::initializer_list<std::pair<double, double>>{
           {1, 1}, {1.01, 2}, {2, 2}, {2.1, 5}, {5.5, 10}, {0.03, 0.05}, {42.5, 50}, {1e7, 1e7}}) {
    EXPECT_EQ(times(1, round_step(least)), step) << least;
  }
  EXPECT_EQ(round_step(1e9).digit, 0);
}

// The numbers as "column:text".
std::string ticks_of(const PaletteRange& range, const DepthOfValue& scale) {
  Ticks ticks;
  find_ticks(range, scale, &ticks);
  std::string all;
  for (int i = 0; i < ticks.count; ++i) {
    const Tick& tick = ticks.tick[i];
    all += (i > 0 ? " " : "") + std::to_string(tick.column) + ":" +
           std::string(tick.text, static_cast<std::size_t>(tick.length));
  }
  return all;
}

TEST(Ticks, AreRound) {
  // Sample steps; KITTI's 16 bits in pixels; backwards.
  EXPECT_EQ(ticks_of(palette_range_between(0, 255), {false, 0, 1}),
            "0:0 25:50 50:100 75:150 100:200");
  EXPECT_EQ(ticks_of(palette_range_between(256, 65 * 256), {false, 0, 1.0 / 256}),
            "37:20 77:40 117:60");
  EXPECT_EQ(ticks_of(palette_range_between(255, 0), {false, 0, 1}),
            "127:0 102:50 77:100 52:150 27:200");
  // Millimetres.
  EXPECT_EQ(ticks_of(palette_range_between(500, 4500), {false, 0, 0.001}), "15:1 47:2 79:3 111:4");
  // Metres of disparity: 384 / d.
  EXPECT_EQ(ticks_of(palette_range_between(256, 65 * 256), {true, 384, 1.0 / 256}),
            "74:10 36:20 13:50");
}

TEST(Ticks, OfNothingUsableAreNone) {
  const PaletteRange range = palette_range_between(0, 100);
  EXPECT_EQ(ticks_of(range, {false, 0, 0}), "");
  EXPECT_EQ(ticks_of(range, {true, 0, 1}), "");
  EXPECT_EQ(ticks_of(range, {true, 10, 1, -1000}), "");
  EXPECT_EQ(ticks_of(range, {false, 0, 1e12}), "");
  EXPECT_EQ(ticks_of(range, {false, 0, 1e-12}), "");
}

// For any range, each text stands at its value, texts do not touch, and none leaves the bar.
TEST(Ticks, StandAtTheirNumbers) {
  std::mt19937 random(1);
  const auto real = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  int with_numbers = 0;
  for (int round = 0; round < 20000; ++round) {
    const double from = real(-20, 65535),
                 to = round % 3 == 0 ? from + real(-50, 50) : real(0, 65535);
    const PaletteRange range = palette_range_between(from, to);
    DepthOfValue scale{round % 2 == 0, std::pow(10, real(-2, 7)), std::pow(10, real(-5, 1)),
                       round % 5 == 0 ? real(-3, 3) : 0.0};
    Ticks ticks;
    find_ticks(range, scale, &ticks);
    ASSERT_LE(ticks.count, kMaxTicks);
    with_numbers += ticks.count > 1 ? 1 : 0;
    std::vector<bool> taken(kBarColumns);
    for (int i = 0; i < ticks.count; ++i) {
      const Tick& tick = ticks.tick[i];
      const std::string text(tick.text, static_cast<std::size_t>(tick.length));
      const double number = std::stod(text);
      const double proportional = scale.reciprocal ? scale.numerator / number : number;
      const double value = (proportional - scale.offset) / scale.factor;
      const double position = (value - range.offset) * static_cast<double>(range.factor);
      ASSERT_GE(position, -1e-3) << text;
      ASSERT_LE(position, 255.001) << text;
      ASSERT_NEAR(tick.column, position / 2, 1.01) << text;
      ASSERT_GE(tick.start, 0);
      ASSERT_LE(tick.start + text_columns(tick.length), kBarColumns);
      for (int c = tick.start; c < tick.start + text_columns(tick.length); ++c) {
        ASSERT_FALSE(taken[static_cast<std::size_t>(c)]) << text;
        taken[static_cast<std::size_t>(c)] = true;
      }
    }
  }
  EXPECT_GT(with_numbers, 10000);
}

struct Scene {
  Scene(int width, int height) : frame(width, height, SampleType::kU8) {
    std::mt19937 random(3);
    test::fill(frame.view(), test::Content::kScene, &random);
    reference::segment_filtered(frame.view(), parameters, &segments);
  }
  std::vector<Pixel> paint(const OverlayOptions& options) const {
    const DepthView view = frame.view();
    std::vector<Pixel> pixels(static_cast<std::size_t>(view.width * view.height), 0x5A5A5A5A);
    const RgbaView picture{reinterpret_cast<std::byte*>(pixels.data()),
                           std::ptrdiff_t{4} * view.width, view.width, view.height};
    const OverlayLook look = overlay_look(view, segments, parameters, options);
    // In two parts, through the panel.
    paint_overlay(view, segments, parameters, look, 0, std::min(50, view.width), picture);
    if (view.width > 50) {
      paint_overlay(view, segments, parameters, look, 50, view.width, picture);
    }
    return pixels;
  }

  TestFrame frame;
  Parameters parameters;
  SegmentList segments;
};

OverlayOptions with_legend(OverlayStyle style) {
  OverlayOptions options;
  options.style = style;
  options.palette_max = 255;
  options.legend = true;
  return options;
}

// The legend in the smallest picture that has room for it; the bar is drawn as '~'.
TEST(Legend, LooksSo) {
  Scene scene(156, 64);
  scene.parameters.sample_scale = 0.125;
  const std::vector<Pixel> pixels = scene.paint(with_legend(OverlayStyle::kDepth));
  const auto drawn_columns = [&](int first, int end) {
    std::string text = "\n";
    for (int row = 4; row < 28; ++row) {
      for (int column = first; column < end; ++column) {
        const Pixel p = pixels[static_cast<std::size_t>(row * 156 + column)];
        text += p == kLegendPaper ? '.' : p == kLegendInk ? '#' : '~';
      }
      text += '\n';
    }
    return text;
  };
  EXPECT_EQ(drawn_columns(4, 78), R"(
..........................................................................
..........................................................................
..........................................................................
...~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
...~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
...~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
...~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
...~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
...~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
...~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
...~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
...#.......................................#..............................
...#.......................................#..............................
..........................................................................
....###.................................#....###..........................
...#...#...............................##...#...#.........................
...#..##................................#...#..##.........................
...#.#.#................................#...#.#.#.........................
...##..#................................#...##..#.........................
...#...#................................#...#...#.........................
....###................................###...###..........................
..........................................................................
..........................................................................
..........................................................................
)");
  EXPECT_EQ(drawn_columns(78, 152), R"(
..........................................................................
..........................................................................
..........................................................................
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~.................
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~.................
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~...####..#...#...
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~...#...#..#.#....
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~...####....#.....
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~...#......#.#....
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~...#.....#...#...
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~.................
.........#.......................................#........................
.........#.......................................#........................
..........................................................................
.....###...###...............................###...###....................
....#...#.#...#.............................#...#.#...#...................
........#.#..##.................................#.#..##...................
.......#..#.#.#...............................##..#.#.#...................
......#...##..#.................................#.##..#...................
.....#....#...#.............................#...#.#...#...................
....#####..###...............................###...###....................
..........................................................................
..........................................................................
..........................................................................
)");
}

TEST(Legend, TakesItsPanelAndNoMore) {
  for (const OverlayStyle style : {OverlayStyle::kSegments, OverlayStyle::kDepth,
                                   OverlayStyle::kEdges, OverlayStyle::kClasses}) {
    for (const auto& [width, height] :
         std::initializer_list<std::pair<int, int>>{{400, 300}, {1000, 420}, {156, 64}}) {
      const Scene scene(width, height);
      OverlayOptions options = with_legend(style);
      options.disparity_unit = 0.25;
      const Legend legend = legend_of(width, height, scene.parameters, options);
      const bool classes = style == OverlayStyle::kClasses;
      EXPECT_EQ(legend.zoom, width == 1000 ? 2 : width == 156 && classes ? 0 : 1);
      const std::vector<Pixel> with = scene.paint(options);
      options.legend = false;
      const std::vector<Pixel> without = scene.paint(options);
      const int corner = kLegendMargin * legend.zoom;
      std::size_t inside = 0;
      for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
          const auto i = static_cast<std::size_t>(row * width + column);
          const bool in_panel = row >= corner && row < corner + legend.rows * legend.zoom &&
                                column >= corner && column < corner + legend.columns * legend.zoom;
          ASSERT_TRUE(in_panel || with[i] == without[i]) << row << " " << column;
          inside += in_panel && (with[i] == kLegendPaper || with[i] == kLegendInk) ? 1U : 0U;
        }
      }
      const auto panel =
          static_cast<std::size_t>(legend.rows * legend.columns * legend.zoom * legend.zoom);
      EXPECT_GE(inside, panel / 2);
    }
  }
}

// The bar shows the whole palettes of its style.
TEST(Legend, ShowsThePalettes) {
  const Scene scene(400, 300);
  const auto bar = [&](OverlayStyle style, int x, int y) {
    return scene.paint(with_legend(style))[static_cast<std::size_t>((7 + y) * 400 + 7 + x)];
  };
  constexpr PaleColours kColours = make_pale_colours();
  constexpr Colours kGreys = make_greys();
  constexpr ClassColours kClassColours = make_class_colours();
  for (const int x : {0, 1, 64, 127}) {
    EXPECT_EQ(bar(OverlayStyle::kSegments, x, 0), kColours.level[0].entry[2 * x]);
    EXPECT_EQ(bar(OverlayStyle::kDepth, x, 7), kColours.level[0].entry[2 * x]);
    EXPECT_EQ(bar(OverlayStyle::kEdges, x, 3), kGreys.entry[2 * x]);
    for (int c = 0; c < kSegmentClasses; ++c) {
      EXPECT_EQ(bar(OverlayStyle::kClasses, x, 2 * c), kClassColours.of[c].entry[2 * x]);
      EXPECT_EQ(bar(OverlayStyle::kClasses, x, 2 * c + 1), kClassColours.of[c].entry[2 * x]);
    }
  }
}

// A panel that does not fit is left out: it never covers more than half of the rows.
TEST(Legend, IsLeftOutOfSmallPictures) {
  for (int width = 1; width < 700; width += 3) {
    for (int height = 1; height < 300; height += 7) {
      const Legend legend = legend_of(width, height, {}, with_legend(OverlayStyle::kClasses));
      EXPECT_LE(legend.zoom * (legend.columns + 2 * kLegendMargin), width);
      EXPECT_LE(2 * legend.zoom * (legend.rows + 2 * kLegendMargin), height);
    }
  }
  EXPECT_EQ(legend_of(155, 64, {.sample_scale = 0.5}, with_legend(OverlayStyle::kDepth)).zoom, 0);
  EXPECT_EQ(legend_of(156, 63, {.sample_scale = 0.5}, with_legend(OverlayStyle::kDepth)).zoom, 0);
  EXPECT_EQ(legend_of(156, 64, {.sample_scale = 0.5}, with_legend(OverlayStyle::kDepth)).zoom, 1);
  EXPECT_EQ(legend_of(1920, 1080, {}, with_legend(OverlayStyle::kDepth)).zoom, 5);
  EXPECT_EQ(legend_of(1920, 1080, {}, {}).zoom, 0);
}

TEST(Legend, SaysTheUnit) {
  const auto unit = [](const Parameters& parameters, const OverlayOptions& more = {}) {
    OverlayOptions options = more;
    options.legend = true;
    const Legend legend = legend_of(640, 480, parameters, options);
    return std::string(legend.unit, static_cast<std::size_t>(legend.unit_length)) + " " +
           std::to_string(legend.scale.factor);
  };
  EXPECT_EQ(unit({}), "steps 1.000000");
  EXPECT_EQ(unit({.sample_scale = 1.0 / 256}), "px 0.003906");
  EXPECT_EQ(unit({.sample_scale = 0.001}), "steps 1.000000");
  EXPECT_EQ(unit({.sample_scale = 2}), "steps 1.000000");
  EXPECT_EQ(unit({.sample_scale = 0.5, .domain = Domain::kInverse}), "steps 1.000000");
  EXPECT_EQ(unit({}, {.disparity_unit = 1}), "px 1.000000");
  EXPECT_EQ(unit({.sample_scale = 0.5}, {.depth_unit = 0.001}), "m 0.001000");
  EXPECT_EQ(unit({.domain = Domain::kInverse}, {.depth_unit = 0.001}), "m 1.000000");
  const MetricCamera camera{{}, {true, 384, 0.25, 0}};
  EXPECT_EQ(unit({.sample_scale = 0.5}, {.camera = &camera}), "m 0.250000");
}

}  // namespace
}  // namespace rdp
