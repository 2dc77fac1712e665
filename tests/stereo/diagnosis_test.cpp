// SPDX-License-Identifier: LGPL-2.1-or-later
// Causes of a low density in a pair.
#include "common/stereo/diagnosis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "tests/stereo/raw_pair.h"

#ifdef RDP_TEST_HAVE_PNG
#include <png.h>
#endif

namespace rdp::stereo {
namespace {

using Finding = Diagnosis::Finding;
using test::Picture;

Parameters small_range() {
  Parameters parameters;
  parameters.disparities = 32;
  return parameters;
}

// Noise blurred as by a lens, on planes of several distances.
struct TexturedPair {
  Picture left;
  Picture right;
};
TexturedPair textured(int width, int height, unsigned seed) {
  std::mt19937 random(seed);
  TexturedPair pair{Picture(width, height), Picture(width, height)};
  std::vector<int> line(static_cast<std::size_t>(width) + 64);
  std::vector<int> above(line.size(), 128);
  for (int row = 0; row < height; ++row) {
    for (auto& value : line) value = static_cast<int>(random() % 256);
    for (int column = 0; column < width; ++column) {
      const auto at = [&](int x) {
        const auto i = static_cast<std::size_t>(x);
        return static_cast<std::uint16_t>((2 * line[i] + line[i + 1] + above[i]) / 4);
      };
      // The right view's x is the left one's less the disparity: 6, and 14 in a box.
      const bool box = row > height / 3 && row < 2 * height / 3;
      pair.left.view().set(row, column, at(column));
      pair.right.view().set(row, column, at(column + (box ? 14 : 6)));
    }
    above = line;
  }
  return pair;
}

Picture moved(const Picture& from, int down) {
  Picture to(from.width, from.height);
  for (int row = 0; row < from.height; ++row) {
    const int source = std::clamp(row - down, 0, from.height - 1);
    std::copy_n(from.view().row(source), from.width, to.view().row(row));
  }
  return to;
}

Diagnosis of(const Picture& left, const Picture& right, const Parameters& parameters) {
  Engine matcher(1);
  return diagnose({left.view(), right.view(), {}, {}}, parameters, &matcher);
}

void expect_findings(const Picture& left, const Picture& right, const Parameters& parameters,
                     const std::vector<int>& offs) {
  const Diagnosis good = of(left, right, parameters);
  EXPECT_EQ(good.finding, Finding::kNothing);
  EXPECT_EQ(good.rows, 0);
  EXPECT_GT(good.known, 0.5);
  EXPECT_LE(good.known, 1.0);
  EXPECT_EQ(good.known_then, good.known);

  const Diagnosis swapped = of(right, left, parameters);
  EXPECT_EQ(swapped.finding, Finding::kSwapped);
  EXPECT_EQ(swapped.rows, 0);
  EXPECT_LT(swapped.known, kLittleKnown);
  EXPECT_GE(swapped.known_then, 2 * swapped.known);

  for (const int off : offs) {
    SCOPED_TRACE(off);
    // The right picture is shifted down by `off`: its rows match rows above.
    const Diagnosis rows = of(left, moved(right, off), parameters);
    EXPECT_EQ(rows.finding, Finding::kRowsOff);
    EXPECT_EQ(rows.rows, off);
    EXPECT_LT(rows.known, kLittleKnown);
    EXPECT_GT(rows.known_then, 0.5);
  }
}

TEST(Diagnosis, NamesWhatIsWrongWithATexturedPair) {
  const TexturedPair pair = textured(120, 100, 1);
  expect_findings(pair.left, pair.right, small_range(), {-8, -4, -2, 2, 4, 8});
}

TEST(Diagnosis, ALowPictureIsOneBand) {
  const TexturedPair pair = textured(150, 40, 2);
  expect_findings(pair.left, pair.right, small_range(), {-4, 4});
}

TEST(Diagnosis, FindsNothingWhereNothingHelps) {
  std::mt19937 random(3);
  Picture left(200, 90);
  Picture right(200, 90);
  for (Picture* picture : {&left, &right}) {
    for (auto& sample : picture->samples) sample = static_cast<std::byte>(random());
  }
  const Diagnosis noise = of(left, right, small_range());
  EXPECT_EQ(noise.finding, Finding::kNothing) << noise.known << " " << noise.known_then;
  const Picture constant(90, 60);
  const Diagnosis none = of(constant, constant, small_range());
  EXPECT_EQ(none.finding, Finding::kNothing);
  EXPECT_EQ(none.known, 0.0);
  EXPECT_EQ(none.known_then, 0.0);
  // A row offset improves the density, but does not double it: two parts of the picture are 4 rows
  // apart.
  const TexturedPair parts = textured(320, 120, 7);
  Picture torn = parts.right;
  const Picture lower = moved(parts.right, 4);
  for (int row = 50; row < 120; ++row) {
    std::copy_n(lower.view().row(row), torn.width, torn.view().row(row));
  }
  const Diagnosis both = of(parts.left, torn, small_range());
  EXPECT_EQ(both.finding, Finding::kNothing);
  EXPECT_GT(both.known, 0.3);
  EXPECT_LT(both.known, 0.6);
  // Beyond the searched row offsets.
  const TexturedPair pair = textured(320, 100, 4);
  EXPECT_EQ(of(pair.left, moved(pair.right, 20), small_range()).finding, Finding::kNothing);
}

TEST(Diagnosis, TakesPicturesOfAnySize) {
  std::mt19937 random(5);
  for (const auto& [width, height] :
       {std::pair{1, 1}, {1, 40}, {40, 1}, {40, 2}, {40, 3}, {40, 17}, {3, 90}}) {
    Picture left(width, height);
    for (auto& sample : left.samples) sample = static_cast<std::byte>(random());
    const Diagnosis diagnosis = of(left, left, small_range());
    EXPECT_GE(diagnosis.known, 0.0);
    EXPECT_LE(diagnosis.known, 1.0);
    EXPECT_LE(diagnosis.known_then, 1.0);
  }
}

// A mask moves with its view: masked left pixels stay unknown at any position of the view.
TEST(Diagnosis, MasksGoWithTheirViews) {
  const TexturedPair pair = textured(120, 100, 6);
  std::vector<std::byte> seen(120 * 100, std::byte{255});
  for (int row = 0; row < 100; ++row) {
    for (int column = 40; column < 80; ++column) {
      seen[static_cast<std::size_t>(row) * 120 + static_cast<std::size_t>(column)] = std::byte{0};
    }
  }
  const DepthView mask{seen.data(), 120, 120, 100, SampleType::kU8};
  Engine matcher(1);
  const Diagnosis right =
      diagnose({pair.left.view(), pair.right.view(), mask, {}}, small_range(), &matcher);
  const Diagnosis swapped =
      diagnose({pair.right.view(), pair.left.view(), {}, mask}, small_range(), &matcher);
  EXPECT_EQ(swapped.finding, Finding::kSwapped);
  EXPECT_EQ(swapped.known_then, right.known) << "the same pair, put in order";
  EXPECT_LT(right.known, 0.65);
}

// Masked right pixels give no disparity, so a swapped pair is as sparse as without masks.
TEST(Diagnosis, NamesASwappedPairOfWhichHalfWasNotSeen) {
  const TexturedPair pair = textured(120, 100, 6);
  std::vector<std::byte> seen(120 * 100, std::byte{255});
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (i % 120 >= 60) seen[i] = std::byte{0};
  }
  const DepthView mask{seen.data(), 120, 120, 100, SampleType::kU8};
  Engine matcher(1);
  const Diagnosis good =
      diagnose({pair.left.view(), pair.right.view(), {}, mask}, small_range(), &matcher);
  EXPECT_EQ(good.finding, Finding::kNothing);
  EXPECT_GT(good.known, 0.3);
  EXPECT_LT(good.known, 0.65);
  const Diagnosis swapped =
      diagnose({pair.right.view(), pair.left.view(), {}, mask}, small_range(), &matcher);
  EXPECT_EQ(swapped.finding, Finding::kSwapped);
  EXPECT_LT(swapped.known, kLittleKnown);
}

#ifdef RDP_TEST_HAVE_PNG
// Reads any PNG as grey.
Picture read(const std::filesystem::path& file) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  Picture picture(0, 0);
  if (png_image_begin_read_from_file(&image, file.c_str()) == 0) return picture;
  image.format = PNG_FORMAT_GRAY;
  picture = Picture(static_cast<int>(image.width), static_cast<int>(image.height));
  png_image_finish_read(&image, nullptr, picture.samples.data(), 0, nullptr);
  return picture;
}

TEST(Diagnosis, NamesWhatIsWrongWithARecordedPair) {
  const char* folder = std::getenv("RDPSEGMENT_TEST_DATA");
  if (folder == nullptr) GTEST_SKIP() << "RDPSEGMENT_TEST_DATA is not set";
  const std::filesystem::path pairs = std::filesystem::path(folder) / "kitti" / "stereo";
  const Picture left = read(pairs / "kitti2015_000046_10_L.png");
  const Picture right = read(pairs / "kitti2015_000046_10_R.png");
  if (left.width == 0 || right.width == 0) GTEST_SKIP() << "no pair in " << pairs;
  expect_findings(left, right, {}, {4});
}
#endif

}  // namespace
}  // namespace rdp::stereo
