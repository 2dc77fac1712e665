// SPDX-License-Identifier: LGPL-2.1-or-later
// The overlay painter: known colours at known places, independent of the division into bands.
#include "common/rdp/overlay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "common/image/palette.h"
#include "common/rdp/reference.h"
#include "common/scene/test_pattern.h"
#include "tests/support/test_frame.h"

namespace rdp {

bool operator==(const Rgb& a, const Rgb& b) { return a.r == b.r && a.g == b.g && a.b == b.b; }
void PrintTo(const Rgb& c, std::ostream* out) {
  *out << "(" << int{c.r} << ", " << int{c.g} << ", " << int{c.b} << ")";
}

namespace {

using test::Layout;
using test::TestFrame;

constexpr Rgb kBlack = {0, 0, 0};
constexpr Rgb kEdge = {255, 226, 64};
constexpr OverlayStyle kStyles[] = {OverlayStyle::kSegments, OverlayStyle::kDepth,
                                    OverlayStyle::kEdges, OverlayStyle::kClasses};
// The palette index of a value is the value.
constexpr OverlayOptions kIdentity = {OverlayStyle::kSegments, 0.0, 255.0};

// A picture in unwritten memory, with padding between its rows.
class Picture {
 public:
  Picture(int width, int height, int padding = 12)
      : bytes_(static_cast<std::size_t>((4 * width + padding) * height), kUntouched),
        view_{bytes_.data(), 4 * width + padding, width, height} {}
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  const RgbaView& view() const { return view_; }
  Rgb at(int row, int column) const {
    const std::byte* p = view_.data + row * view_.stride + 4 * column;
    return {std::to_integer<std::uint8_t>(p[0]), std::to_integer<std::uint8_t>(p[1]),
            std::to_integer<std::uint8_t>(p[2])};
  }
  bool opaque(int row, int column) const {
    return view_.data[row * view_.stride + 4 * column + 3] == std::byte{255};
  }
  // All four bytes are 0.
  bool transparent(int row, int column) const {
    const std::byte* p = view_.data + row * view_.stride + 4 * column;
    return std::all_of(p, p + 4, [](std::byte b) { return b == std::byte{0}; });
  }
  // Every pixel is opaque, or transparent and black; the bytes between the rows are as they were.
  void expect_written() const {
    for (int row = 0; row < view_.height; ++row) {
      const std::byte* p = view_.data + row * view_.stride;
      for (int column = 0; column < view_.width; ++column) {
        ASSERT_TRUE(opaque(row, column) || transparent(row, column))
            << "row " << row << " column " << column;
      }
      for (std::ptrdiff_t i = 4 * view_.width; i < view_.stride; ++i) ASSERT_EQ(p[i], kUntouched);
    }
  }
  bool operator==(const Picture& other) const { return bytes_ == other.bytes_; }

 private:
  static constexpr std::byte kUntouched{0x5A};
  std::vector<std::byte> bytes_;
  RgbaView view_;
};

// A frame, its segments and their parameters.
struct Scene {
  Scene(int width, int height, SampleType type, Layout layout = {})
      : frame(width, height, type, layout) {}

  void segment() { reference::segment_filtered(frame.view(), parameters, &segments); }
  void paint(const OverlayOptions& options, const Picture& picture) const {
    paint(options, 0, frame.view().width, picture);
  }
  void paint(const OverlayOptions& options, int first, int end, const Picture& picture) const {
    paint_overlay(frame.view(), segments, parameters,
                  overlay_look(frame.view(), segments, parameters, options), first, end,
                  picture.view());
  }

  TestFrame frame;
  Parameters parameters;
  SegmentList segments;
};

Rgb darkened(const Rgb& c) {
  return {static_cast<std::uint8_t>(c.r / 4), static_cast<std::uint8_t>(c.g / 4),
          static_cast<std::uint8_t>(c.b / 4)};
}
Rgb bridged(const Rgb& c) {
  return {static_cast<std::uint8_t>(c.r - c.r / 8), static_cast<std::uint8_t>(c.g - c.g / 8),
          static_cast<std::uint8_t>(c.b - c.b / 8)};
}

TEST(Overlay, WritesEveryPixel) {
  std::mt19937 random(1);
  for (SampleType type : {SampleType::kU8, SampleType::kU16}) {
    for (int width : {1, 2, 15, 16, 17, 33}) {
      for (int height : {1, 2, 7, 255, 256, 257, 513}) {
        for (test::Content content : {test::Content::kScene, test::Content::kExtremes}) {
          Scene scene(width, height, type, {3, 1});
          test::fill(scene.frame.view(), content, &random);
          scene.parameters.epsilon = 20;
          scene.segment();
          for (OverlayStyle style : kStyles) {
            Picture picture(width, height);
            scene.paint({style, 0, 0}, picture);
            picture.expect_written();
          }
        }
      }
    }
  }
}

// Segments are opaque from end to end, including bridged rows, and so are valid samples in styles
// that paint samples. Everything else is transparent.
TEST(Overlay, IsTransparentWhereNothingIsKnown) {
  std::mt19937 random(12);
  for (const int column_width : {1, 3}) {
    for (const bool refine : {false, true}) {
      Scene scene(67, 270, SampleType::kU16);
      test::fill(scene.frame.view(), test::Content::kScene, &random);
      scene.parameters.epsilon = 300;
      scene.parameters.min_value = 900;
      scene.parameters.max_value = 60000;
      scene.parameters.column_width = column_width;
      scene.parameters.refine = refine;
      scene.parameters.max_gap = 2;
      scene.segment();
      int counts[2] = {};
      for (OverlayStyle style : kStyles) {
        Picture picture(67, 270);
        scene.paint({style, 0, 0}, picture);
        const bool shows_samples = style == OverlayStyle::kDepth || style == OverlayStyle::kEdges;
        for (int column = 0; column < 67; ++column) {
          for (int row = 0; row < 270; ++row) {
            const std::uint16_t sample = scene.frame.view().at(row, column);
            bool painted = shows_samples && sample >= 900 && sample <= 60000;
            for (const Segment& s : scene.segments.column(column / column_width)) {
              const bool is_end = row == s.first_row || row == s.last_row;
              const bool is_inside = row >= s.first_row && row <= s.last_row;
              if (style == OverlayStyle::kDepth) continue;
              if (style == OverlayStyle::kEdges ? is_end : is_inside) painted = true;
            }
            ASSERT_EQ(picture.opaque(row, column), painted) << row << " " << column;
            ASSERT_EQ(picture.transparent(row, column), !painted) << row << " " << column;
            ++counts[painted];
          }
        }
      }
      ASSERT_GT(counts[0], 1000);
      ASSERT_GT(counts[1], 1000);
    }
  }
}

TEST(Overlay, IsTheSameInBands) {
  std::mt19937 random(2);
  for (int column_width : {1, 3, 16}) {
    Scene scene(101, 300, SampleType::kU16);
    test::fill(scene.frame.view(), test::Content::kScene, &random);
    scene.parameters.epsilon = 500;
    scene.parameters.column_width = column_width;
    scene.segment();
    for (OverlayStyle style : kStyles) {
      const OverlayOptions options = {style, 0, 0};
      Picture whole(101, 300);
      scene.paint(options, whole);
      for (int band : {1, 7, 16, 50, 100}) {
        Picture divided(101, 300);
        for (int first = 0; first < 101; first += band) {
          scene.paint(options, first, std::min(first + band, 101), divided);
        }
        EXPECT_TRUE(divided == whole) << column_width << " " << band;
      }
    }
  }
}

TEST(OverlayDepth, IsThePaletteOnTheSamples) {
  Scene scene(256, 3, SampleType::kU8);
  for (int column = 0; column < 256; ++column) {
    for (int row = 0; row < 3; ++row) {
      scene.frame.view().set(row, column, static_cast<std::uint16_t>(column));
    }
  }
  scene.parameters.min_value = 2;
  scene.parameters.max_value = 250;
  scene.segment();
  OverlayOptions options = kIdentity;
  options.style = OverlayStyle::kDepth;
  Picture picture(256, 3);
  scene.paint(options, picture);
  for (int column = 0; column < 256; ++column) {
    const bool known = column >= 2 && column <= 250;
    EXPECT_EQ(picture.at(1, column), known ? kPalette[static_cast<std::size_t>(column)] : kBlack);
  }
}

TEST(OverlayDepth, StopsAtTheEndsOfThePalette) {
  Scene scene(4, 1, SampleType::kU16);
  const std::uint16_t samples[] = {1, 1000, 2000, 65535};
  for (int c = 0; c < 4; ++c) scene.frame.view().set(0, c, samples[c]);
  scene.segment();
  Picture picture(4, 1);
  scene.paint({OverlayStyle::kDepth, 1000, 2000}, picture);
  EXPECT_EQ(picture.at(0, 0), kPalette[0]);
  EXPECT_EQ(picture.at(0, 1), kPalette[0]);
  EXPECT_EQ(picture.at(0, 2), kPalette[255]);
  EXPECT_EQ(picture.at(0, 3), kPalette[255]);
  // And backwards.
  Picture backwards(4, 1);
  scene.paint({OverlayStyle::kDepth, 2000, 1000}, backwards);
  EXPECT_EQ(backwards.at(0, 0), kPalette[255]);
  EXPECT_EQ(backwards.at(0, 3), kPalette[0]);
}

TEST(OverlayDepth, ShowsInverseDepth) {
  Scene scene(4, 1, SampleType::kU16);
  const std::uint16_t samples[] = {0, 500, 1000, 10000};
  for (int c = 0; c < 4; ++c) scene.frame.view().set(0, c, samples[c]);
  scene.parameters.domain = Domain::kInverse;
  scene.parameters.inverse_scale = 100000;  // u: 200, 100, 10
  scene.segment();
  OverlayOptions options = kIdentity;
  options.style = OverlayStyle::kDepth;
  Picture picture(4, 1);
  scene.paint(options, picture);
  EXPECT_EQ(picture.at(0, 0), kBlack);
  EXPECT_EQ(picture.at(0, 1), kPalette[200]);
  EXPECT_EQ(picture.at(0, 2), kPalette[100]);
  EXPECT_EQ(picture.at(0, 3), kPalette[10]);
  // A valid depth of 0 is the nearest possible at any scale; the scale decides the others.
  scene.parameters.min_value = 0;
  for (const double inverse_scale : {1e-300, 1e-45, 100000.0, 1e39, 1e300}) {
    scene.parameters.inverse_scale = inverse_scale;
    scene.segment();
    scene.paint(options, picture);
    EXPECT_EQ(picture.at(0, 0), kPalette[255]) << inverse_scale;
    EXPECT_EQ(picture.at(0, 3), kPalette[inverse_scale < 1     ? 0
                                         : inverse_scale > 1e6 ? 255
                                                               : 10])
        << inverse_scale;
  }
}

// A wall of one value with sky above, unknown rows within, and a nearer thing below.
TEST(OverlaySegments, ShowsWallsInTheirColourWithDarkEnds) {
  constexpr int kTop = 5, kEnd = 300, kHeight = 320;
  Scene scene(20, kHeight, SampleType::kU8);
  for (int column = 0; column < 20; ++column) {
    for (int row = 0; row < kHeight; ++row) {
      const bool hole = row < kTop || (row >= 40 && row < 44);
      scene.frame.view().set(row, column, hole ? 0 : row < kEnd ? 60 : 180);
    }
  }
  scene.segment();
  ASSERT_EQ(scene.segments.column(7).size(), 3U);
  Picture picture(20, kHeight);
  scene.paint(kIdentity, picture);
  for (int column = 0; column < 20; ++column) {
    for (int row = 0; row < kHeight; ++row) {
      Rgb expected = kPalette[row < kEnd ? 60 : 180];
      if (row < kTop) {
        expected = kBlack;
      } else if (row == kTop || row == kEnd - 1 || row == kEnd || row == kHeight - 1) {
        expected = darkened(expected);
      } else if (row >= 40 && row < 44) {
        expected = bridged(expected);
      }
      ASSERT_EQ(picture.at(row, column), expected) << row << " " << column;
    }
  }
}

// A segment of one row is a mark on black.
TEST(OverlaySegments, MarksASingleSample) {
  Scene scene(1, 9, SampleType::kU8);
  for (int row = 0; row < 9; ++row) scene.frame.view().set(row, 0, 0);
  scene.frame.view().set(4, 0, 200);
  scene.segment();
  Picture picture(1, 9);
  scene.paint(kIdentity, picture);
  for (int row = 0; row < 9; ++row) {
    EXPECT_EQ(picture.at(row, 0), row == 4 ? darkened(kPalette[200]) : kBlack);
  }
}

// A floor's colour, mixed with the pale one by `share` of the maximum.
Rgb paled(const Rgb& c, double share) {
  const auto mix = [share](int from, int to) {
    return static_cast<std::uint8_t>(from + (to - from) * 0.45 * share + 0.5);
  };
  return {mix(c.r, 217), mix(c.g, 230), mix(c.b, 242)};
}

TEST(OverlaySegments, ShowsFloorsAlongTheirLineAndPale) {
  // One palette step per row: the maximum paleness, in a frame of at least 384 rows.
  Scene scene(3, 384, SampleType::kU16);
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < 384; ++row) {
      scene.frame.view().set(row, column, row < 128 ? 0 : static_cast<std::uint16_t>(row - 128));
    }
  }
  scene.segment();
  ASSERT_EQ(scene.segments.column(0).size(), 1U);
  Picture picture(3, 384);
  scene.paint(kIdentity, picture);
  for (int row = 130; row < 383; ++row) {
    ASSERT_EQ(picture.at(row, 1), paled(kPalette[static_cast<std::size_t>(row - 128)], 1.0)) << row;
  }
  // Half that slope is half as pale, in steps of 1/15.
  for (int row = 128; row < 384; ++row) {
    for (int column = 0; column < 3; ++column) {
      scene.frame.view().set(row, column, static_cast<std::uint16_t>(1 + (row - 128) / 2));
    }
  }
  scene.parameters.epsilon = 2;
  scene.segment();
  ASSERT_EQ(scene.segments.column(0).size(), 1U);
  scene.paint(kIdentity, picture);
  const Rgb seen = picture.at(300, 1);
  const Rgb expected = paled(kPalette[87], 7.0 / 15.0);
  EXPECT_NEAR(seen.r, expected.r, 4);
  EXPECT_NEAR(seen.g, expected.g, 4);
  EXPECT_NEAR(seen.b, expected.b, 4);
}

// A line beyond the palette's range keeps the palette's last colour, on both sides.
TEST(OverlaySegments, StopsAtTheEndsOfThePalette) {
  Scene scene(1, 100, SampleType::kU16);
  for (int row = 0; row < 100; ++row) {
    scene.frame.view().set(row, 0, static_cast<std::uint16_t>(1 + 600 * row));
  }
  scene.segment();
  ASSERT_EQ(scene.segments.column(0).size(), 1U);
  Picture picture(1, 100);
  scene.paint({OverlayStyle::kSegments, 20000, 40000}, picture);
  EXPECT_EQ(picture.at(1, 0), paled(kPalette[0], 1.0));
  EXPECT_EQ(picture.at(33, 0), paled(kPalette[0], 1.0));
  EXPECT_EQ(picture.at(68, 0), paled(kPalette[255], 1.0));
  EXPECT_EQ(picture.at(98, 0), paled(kPalette[255], 1.0));
  EXPECT_EQ(picture.at(40, 0), paled(kPalette[51], 1.0));  // (24001 - 20000) * 255 / 20000
}

TEST(OverlaySegments, PaintsAllColumnsOfAGroup) {
  Scene scene(8, 40, SampleType::kU8);
  for (int column = 0; column < 8; ++column) {
    for (int row = 0; row < 40; ++row) {
      scene.frame.view().set(row, column, static_cast<std::uint16_t>(50 + 50 * (column / 3)));
    }
  }
  scene.parameters.column_width = 3;
  scene.segment();
  Picture picture(8, 40);
  scene.paint(kIdentity, picture);
  for (int column = 0; column < 8; ++column) {
    EXPECT_EQ(picture.at(20, column), kPalette[static_cast<std::size_t>(50 + 50 * (column / 3))]);
  }
}

TEST(OverlaySegments, ShowsInverseDepth) {
  Scene scene(2, 40, SampleType::kU16);
  for (int row = 0; row < 40; ++row) {
    for (int column = 0; column < 2; ++column) scene.frame.view().set(row, column, 1000);
  }
  scene.parameters.domain = Domain::kInverse;
  scene.parameters.inverse_scale = 100000;
  scene.segment();
  Picture picture(2, 40);
  scene.paint(kIdentity, picture);
  EXPECT_EQ(picture.at(20, 1), kPalette[100]);
}

// Random frames, each pixel against the plainest form of the rules.
TEST(OverlaySegments, EqualsPaintingPixelByPixel) {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    const int width = 1 + static_cast<int>(random() % 40);
    const int height = 1 + static_cast<int>(random() % 600);
    Scene scene(width, height, SampleType::kU16);
    test::fill(scene.frame.view(), test::Content::kScene, &random);
    scene.parameters.epsilon = static_cast<double>(random() % 3000);
    scene.segment();
    const PaletteRange range =
        palette_range(scene.frame.view(), scene.parameters, {OverlayStyle::kSegments, 0, 0});
    Picture picture(width, height);
    scene.paint({OverlayStyle::kSegments, 0, 0}, picture);
    for (int column = 0; column < width; ++column) {
      std::vector<int> cover(static_cast<std::size_t>(height), -1);
      const auto list = scene.segments.column(column);
      for (std::size_t i = 0; i < list.size(); ++i) {
        std::fill(cover.begin() + list[i].first_row, cover.begin() + list[i].last_row + 1,
                  static_cast<int>(i));
      }
      for (int row = 0; row < height; ++row) {
        const Rgb seen = picture.at(row, column);
        const int i = cover[static_cast<std::size_t>(row)];
        if (i < 0) {
          ASSERT_EQ(seen, kBlack);
          continue;
        }
        const Segment& s = list[static_cast<std::size_t>(i)];
        const int length = std::max(s.last_row - s.first_row, 1);
        const double slope = (static_cast<double>(s.last_value) - s.first_value) / length;
        const double value = s.first_value + slope * (row - s.first_row);
        const double position =
            std::clamp((value - range.offset) * static_cast<double>(range.factor), 0.0, 255.0);
        double pale = 0.0;
        if (length * 48 >= height && s.last_row > s.first_row) {
          pale = std::min(std::abs(slope * static_cast<double>(range.factor)) * height / 384, 1.0);
        }
        // The painter works in 2^-16 and float: it may decide a tie differently, in palette and
        // paleness; any other difference is wrong.
        bool matches = false;
        for (double tie : {-0.01, 0.01}) {
          for (double pale_tie : {-1e-3, 1e-3}) {
            const long index = std::lround(std::clamp(position + tie, 0.0, 255.0));
            const double level = std::round(std::clamp(pale * 15 + pale_tie, 0.0, 15.0));
            Rgb expected = paled(kPalette[static_cast<std::size_t>(index)], level / 15);
            if (row == s.first_row || row == s.last_row) expected = darkened(expected);
            if (scene.frame.view().at(row, column) == 0) expected = bridged(expected);
            matches = matches || seen == expected;
          }
        }
        ASSERT_TRUE(matches) << "row " << row << " column " << column << " round " << round << ": "
                             << ::testing::PrintToString(seen) << " at " << position << ", pale "
                             << pale;
      }
    }
  }
}

TEST(OverlayEdges, ShowsEndsBrightOnGrey) {
  Scene scene(5, 30, SampleType::kU8);
  for (int column = 0; column < 5; ++column) {
    for (int row = 0; row < 30; ++row) {
      scene.frame.view().set(row, column, row == 7 ? 0 : row < 10 ? 60 : 180);
    }
  }
  scene.segment();
  OverlayOptions options = kIdentity;
  options.style = OverlayStyle::kEdges;
  Picture picture(5, 30);
  scene.paint(options, picture);
  for (int row = 0; row < 30; ++row) {
    const Rgb seen = picture.at(row, 3);
    if (row == 0 || row == 9 || row == 10 || row == 29) {
      EXPECT_EQ(seen, kEdge) << row;
    } else if (row == 7) {
      EXPECT_EQ(seen, kBlack);
    } else {
      EXPECT_EQ(seen.r, seen.g);
      EXPECT_EQ(seen.r, seen.b);
      EXPECT_EQ(seen.r, 24 + (row < 10 ? 60 : 180) * 80 / 255);
    }
  }
}

PaletteRange range_of(const Scene& scene, double low = 0.0, double high = 0.0) {
  return palette_range(scene.frame.view(), scene.parameters, {OverlayStyle::kDepth, low, high});
}

TEST(PaletteRange, IsAsGiven) {
  Scene scene(2, 2, SampleType::kU16);
  const PaletteRange range = range_of(scene, 100, 355);
  EXPECT_FLOAT_EQ(range.offset, 100);
  EXPECT_FLOAT_EQ(range.factor, 1);
  EXPECT_FLOAT_EQ(range_of(scene, 0, 510).factor, 0.5);
  EXPECT_FLOAT_EQ(range_of(scene, 355, 100).factor, -1);
}

TEST(PaletteRange, IsThatOfTheKnownSamples) {
  Scene scene(10, 10, SampleType::kU16);
  for (int i = 0; i < 100; ++i) {
    scene.frame.view().set(i / 10, i % 10, static_cast<std::uint16_t>(1000 + i));
  }
  scene.frame.view().set(3, 3, 0);
  scene.frame.view().set(4, 4, 65535);
  scene.parameters.max_value = 60000;
  // With 98 valid samples, no outliers are cut off.
  PaletteRange range = range_of(scene);
  EXPECT_FLOAT_EQ(range.offset, 1000);
  EXPECT_FLOAT_EQ(range.factor, 255.0F / 99.0F);
  // With 100, one is cut off at each end.
  scene.frame.view().set(3, 3, 20000);
  scene.frame.view().set(4, 4, 20);
  range = range_of(scene);
  EXPECT_FLOAT_EQ(range.offset, 1000);
  EXPECT_FLOAT_EQ(range.factor, 255.0F / 99.0F);
}

TEST(PaletteRange, IsOfInverseDepthsWhereThoseAreSegmented) {
  Scene scene(10, 1, SampleType::kU16);
  for (int c = 0; c < 10; ++c)
    scene.frame.view().set(0, c, static_cast<std::uint16_t>(1000 + 1000 * c));
  scene.parameters.domain = Domain::kInverse;
  scene.parameters.inverse_scale = 1e6;
  const PaletteRange range = range_of(scene);
  EXPECT_FLOAT_EQ(range.offset, 100);
  EXPECT_FLOAT_EQ(range.factor, 255.0F / 900.0F);
}

TEST(PaletteRange, OfNothingOrOfOneValueIsUsable) {
  Scene scene(33, 21, SampleType::kU16);
  for (std::uint16_t value : {0, 1, 777, 65535}) {
    for (int row = 0; row < 21; ++row) {
      for (int column = 0; column < 33; ++column) scene.frame.view().set(row, column, value);
    }
    scene.segment();
    const PaletteRange range = range_of(scene);
    ASSERT_TRUE(std::isfinite(range.factor) && range.factor != 0.0F);
    for (OverlayStyle style : kStyles) {
      Picture picture(33, 21);
      scene.paint({style, 0, 0}, picture);
      picture.expect_written();
      if (value == 0) {
        EXPECT_EQ(picture.at(10, 5), kBlack);
      } else if (style == OverlayStyle::kSegments || style == OverlayStyle::kDepth) {
        // One value is in the middle of its palette.
        EXPECT_TRUE(picture.at(10, 5) == kPalette[127] || picture.at(10, 5) == kPalette[128]);
      }
    }
  }
}

TEST(PaletteRange, StandsAnyNumber) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Scene scene(5, 40, SampleType::kU16);
  std::mt19937 random(5);
  test::fill(scene.frame.view(), test::Content::kScene, &random);
  scene.segment();
  for (auto [low, high] : {std::pair{5.0, 5.0},
                           {-1e300, 1e300},
                           {1e-300, 0.0},
                           {kInfinity, 3.0},
                           {std::nan(""), 1.0},
                           {-5.0, -1.0},
                           {1e9, 2e9}}) {
    for (OverlayStyle style : kStyles) {
      Picture picture(5, 40);
      scene.paint({style, low, high}, picture);
      picture.expect_written();
    }
  }
}

// A few outliers do not narrow the colours of the rest.
TEST(PaletteRange, IgnoresOutliers) {
  Scene scene(300, 200, SampleType::kU16);
  std::mt19937 random(9);
  for (int row = 0; row < 200; ++row) {
    for (int column = 0; column < 300; ++column) {
      const bool wild = random() % 400 == 0;
      scene.frame.view().set(row, column,
                             wild ? 65535 : static_cast<std::uint16_t>(5000 + random() % 1000));
    }
  }
  const PaletteRange range = range_of(scene);
  EXPECT_NEAR(range.offset, 5000, 30);
  EXPECT_NEAR(255.0 / range.factor, 1000, 60);
}

}  // namespace
}  // namespace rdp
