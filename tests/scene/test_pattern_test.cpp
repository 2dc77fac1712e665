// SPDX-License-Identifier: LGPL-2.1-or-later
// The test patterns match their documentation and are the same everywhere.
#include "common/scene/test_pattern.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "common/scene/hash_random.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::Layout;
using test::TestFrame;

constexpr int kWidth = 1242;
constexpr int kHeight = 376;

TestPatternOptions options_of(TestPattern pattern, TestDomain domain = TestDomain::kDisparity) {
  TestPatternOptions options;
  options.pattern = pattern;
  options.domain = domain;
  return options;
}

class Drawn {
 public:
  Drawn(std::uint64_t number, const TestPatternOptions& options, int width = kWidth,
        int height = kHeight, SampleType type = SampleType::kU16, Layout layout = {})
      : frame_(width, height, type, layout) {
    TestPatternRenderer renderer;
    renderer.draw(number, options, frame_.view());
  }

  int at(int row, int column) const { return frame_.view().at(row, column); }
  const TestFrame& frame() const { return frame_; }

  template <typename Use>
  void each(Use use) const {
    for (int row = 0; row < frame_.view().height; ++row) {
      for (int column = 0; column < frame_.view().width; ++column) {
        use(row, column, at(row, column));
      }
    }
  }

  // FNV-1a over the samples' bytes.
  std::uint64_t checksum() const {
    std::uint64_t sum = 0xCBF29CE484222325U;
    each([&](int, int, int sample) {
      sum = (sum ^ static_cast<std::uint64_t>(sample & 255)) * 0x100000001B3U;
      sum = (sum ^ static_cast<std::uint64_t>(sample >> 8)) * 0x100000001B3U;
    });
    return sum;
  }

 private:
  TestFrame frame_;
};

TEST(HashRandom, SumOfBytesHasItsDeviation) {
  EXPECT_EQ(sum_of_bytes(0), -1020);
  EXPECT_EQ(sum_of_bytes(~std::uint64_t{0}), 1020);
  EXPECT_EQ(sum_of_bytes(0x0102030405060708U), 36 - 1020);
  EXPECT_DOUBLE_EQ(kSumOfBytesDeviation, std::sqrt(8.0 * 65535.0 / 12.0));
}

TEST(HashRandom, UniformStaysInItsRange) {
  HashSequence random(3);
  double low = 10, high = 0, sum = 0;
  constexpr int kCount = 20000;
  for (int i = 0; i < kCount; ++i) {
    const double x = random.uniform(2.0, 6.0);
    low = std::min(low, x);
    high = std::max(high, x);
    sum += x;
  }
  EXPECT_GE(low, 2.0);
  EXPECT_LT(low, 2.01);
  EXPECT_LT(high, 6.0);
  EXPECT_GT(high, 5.99);
  EXPECT_NEAR(sum / kCount, 4.0, 0.05);
}

struct Golden {
  TestPattern pattern;
  TestDomain domain;
  int width, height;
  SampleType type;
  std::uint64_t number;
  std::uint32_t seed;
  double noise, unknown_ratio;
  std::uint64_t checksum;
};

// Detects any difference between machines, compilers or versions. After an intended change, copy
// the new checksums from the failures.
TEST(TestPattern, HasTheSameBitsEverywhere) {
  using enum TestPattern;
  using enum TestDomain;
  using enum SampleType;
  const Golden goldens[] = {
      {kStreet, kDisparity, 1242, 376, kU16, 0, 0u, 0, 0, 0xDDC65F37492EFCD2U},
      {kStreet, kDisparity, 1242, 376, kU16, 777, 0u, 0, 0, 0x6EC49C34DA58A1DBU},
      {kStreet, kDisparity, 1242, 376, kU16, 777, 5u, 0.25, 0.1, 0x6F1423DE3269E22AU},
      {kStreet, kDepth, 1242, 376, kU16, 777, 5u, 0.25, 0.1, 0x1516EAB642BBE0A3U},
      {kStreet, kDisparity, 1242, 376, kU8, 777, 5u, 0.25, 0.1, 0xB8D8E0C761DF4530U},
      {kStreet, kDepth, 640, 480, kU8, 31, 2u, 0, 0, 0xCBE3F0D30EDE0EAFU},
      {kStreet, kDisparity, 1920, 1080, kU16, 1099511627776, 4294967295u, 1.5, 0,
       0x27830B916CB61458U},
      {kStreet, kDisparity, 33, 17, kU16, 3, 0u, 0, 0.5, 0x4C2DAEB86637686DU},
      {kStreet, kDepth, 1, 1, kU16, 3, 0u, 0, 0, 0x0A7B9507B6DCF178U},
      {kRamp, kDisparity, 1242, 376, kU16, 0, 0u, 0, 0, 0x1B98BED0FEE0EE6DU},
      {kRamp, kDepth, 640, 480, kU16, 12, 1u, 0.5, 0.05, 0xBDB9514235BF728CU},
      {kRamp, kDisparity, 1, 1, kU8, 0, 0u, 0, 0, 0x082F2207B4E88CC4U},
      {kSteps, kDisparity, 1242, 376, kU16, 100, 0u, 0, 0, 0x4BA7EA85DF4B6871U},
      {kSteps, kDepth, 64, 7, kU8, 100, 3u, 2, 0.3, 0xCACDFA08545E2C8FU},
      {kNoise, kDisparity, 1242, 376, kU16, 9, 0u, 0, 0, 0x081C78D11D42151CU},
      {kNoise, kDepth, 319, 241, kU8, 9, 7u, 0, 0.25, 0x9EA728E7C3DBE91EU},
      {kUnknown, kDisparity, 17, 5, kU16, 0, 0u, 0, 0, 0x308AE8A272D4900DU},
      {kRoom, kDepth, 640, 480, kU16, 0, 0u, 0, 0, 0x021F5F52230F2CC4U},
      {kRoom, kDisparity, 640, 480, kU16, 123, 1u, 0, 0, 0x2D2F9463F62E0EC0U},
      {kRoom, kDepth, 640, 480, kU16, 7, 2u, 0.045, 0.05, 0x45871A4843603B01U},
      {kRoom, kDisparity, 1281, 721, kU16, 1099511627776, 4294967295u, 0.02, 0,
       0xBC55C714F248ABF7U},
      {kRoom, kDepth, 33, 170, kU8, 9, 4u, 1.5, 0, 0xD4E2D2E83E04A0FBU},
      {kRoom, kDisparity, 1, 1, kU8, 3, 0u, 0.02, 0, 0x082F2207B4E88CC4U},
      {kParcels, kDepth, 640, 480, kU16, 0, 0u, 0, 0, 0x95D25FBD71D69ECFU},
      {kParcels, kDisparity, 320, 240, kU16, 1777, 3u, 0.045, 0.05, 0x9DC6B0F4C711EFADU},
      {kParcels, kDepth, 33, 170, kU8, std::uint64_t{1} << 63, 4u, 0, 0, 0x0C77B5E839EBDCF4U},
  };
  for (const Golden& golden : goldens) {
    TestPatternOptions options = options_of(golden.pattern, golden.domain);
    options.seed = golden.seed;
    options.noise = golden.noise;
    options.unknown_ratio = golden.unknown_ratio;
    const Drawn drawn(golden.number, options, golden.width, golden.height, golden.type);
    EXPECT_EQ(drawn.checksum(), golden.checksum)
        << "golden " << (&golden - goldens) << std::hex << ": 0x" << drawn.checksum();
  }
}

TEST(TestPattern, DependsOnNoOtherFrame) {
  for (int p = 0; p <= static_cast<int>(TestPattern::kParcels); ++p) {
    TestPatternOptions options = options_of(static_cast<TestPattern>(p));
    options.noise = 0.5;
    options.unknown_ratio = 0.2;
    TestPatternRenderer renderer;
    TestFrame other(640, 480, SampleType::kU8);
    TestFrame again(200, 150, SampleType::kU16);
    for (std::uint64_t number : {9, 2, 1000, 3}) {
      renderer.draw(number + 1, options_of(TestPattern::kStreet), other.view());
      renderer.draw(number, options, again.view());
      EXPECT_TRUE(again == Drawn(number, options, 200, 150).frame()) << p << " " << number;
    }
  }
}

TEST(TestPattern, WritesTheRowsAndNothingElse) {
  // Padding and unaligned samples; TestFrame compares the padding too.
  for (int p = 0; p <= static_cast<int>(TestPattern::kParcels); ++p) {
    for (SampleType type : {SampleType::kU8, SampleType::kU16}) {
      for (TestDomain domain : {TestDomain::kDisparity, TestDomain::kDepth}) {
        for (auto [width, height] : {std::pair{1, 1}, {1, 9}, {9, 1}, {2, 2}, {31, 17}, {65, 33}}) {
          TestPatternOptions options = options_of(static_cast<TestPattern>(p), domain);
          for (double unknown : {0.0, 0.3}) {
            options.unknown_ratio = unknown;
            const Drawn tight(5, options, width, height, type);
            const Drawn loose(5, options, width, height, type, {13, 3});
            EXPECT_TRUE(loose.frame() == TestFrame(tight.frame().view(), {13, 3}))
                << p << " " << width << "x" << height;
          }
        }
      }
    }
  }
}

TEST(TestPattern, DrawsTheLargestSides) {
  for (auto [width, height] :
       {std::pair{kMaxSide, 1}, {1, kMaxSide}, {kMaxSide, 40}, {40, kMaxSide}}) {
    for (int p = 0; p <= static_cast<int>(TestPattern::kSteps); ++p) {
      const Drawn drawn(3, options_of(static_cast<TestPattern>(p)), width, height);
      int largest = 0;
      drawn.each([&](int, int, int sample) { largest = std::max(largest, sample); });
      EXPECT_GT(largest, 0) << p;
      EXPECT_LT(largest, 65535) << p << ": a disparity beyond 8.8 was cut off";
    }
  }
}

// Beyond 2048x1024 the baseline shrinks, so that no disparity reaches 256 px: none is clipped or
// wraps to 0.
TEST(Street, DisparitiesFitAtAnySize) {
  for (auto [width, height] : {std::pair{320, 240},
                               {640, 480},
                               {1024, 1024},
                               {1920, 1080},
                               {2048, 1024},
                               {4096, 2160},
                               {2000, 6000}}) {
    const TestCamera camera = TestCamera::of_size(width, height);
    EXPECT_DOUBLE_EQ(camera.baseline, 0.54 * std::min({1.0, 2048.0 / width, 1024.0 / height}));
    for (std::uint64_t number : {0, 77, 500}) {
      const Drawn drawn(number, options_of(TestPattern::kStreet), width, height);
      drawn.each([](int, int, int sample) { ASSERT_LT(sample, 65535); });
      const double road = camera.baseline / 1.65 * (height - 1 - camera.centre_row);
      EXPECT_NEAR(drawn.at(height - 1, width / 2), road * 256.0, 0.51) << width << "x" << height;
    }
  }
}

// After eight houses on the left have passed, different houses follow.
TEST(Street, HousesAreNotTheSameAgain) {
  const Drawn now(0, options_of(TestPattern::kStreet));
  const Drawn later(8 * 17300 / 400, options_of(TestPattern::kStreet));
  int different = 0;
  for (int row = 0; row < 100; ++row) {
    for (int column = 0; column < 400; ++column) {
      different += now.at(row, column) != later.at(row, column);
    }
  }
  EXPECT_GT(different, 36000);
}

// The middle of the picture below the car ahead shows road.
TEST(Street, RoadIsExactlyLinearInTheRow) {
  const double centre_row = 0.46 * (kHeight - 1);
  for (std::uint64_t number : {0, 1, 200, 12345}) {
    const Drawn drawn(number, options_of(TestPattern::kStreet));
    for (int row = 290; row < kHeight; ++row) {
      const double disparity = 0.54 / 1.65 * (row - centre_row);
      for (int column = 600; column < 640; ++column) {
        ASSERT_NEAR(drawn.at(row, column), disparity * 256.0, 0.501) << row << " " << column;
      }
    }
  }
}

TEST(Street, SkyIsUnknownAndTheRoadIsNot) {
  const Drawn drawn(10, options_of(TestPattern::kStreet));
  int sky = 0, road = 0;
  drawn.each([&](int row, int, int sample) {
    if (row > kHeight / 2) road += sample == 0;
    if (row < kHeight / 2) sky += sample == 0;
  });
  EXPECT_GT(sky, kWidth * kHeight / 50);
  EXPECT_EQ(road, 0);
}

TEST(Street, MovesAndNeverRepeats) {
  TestPatternRenderer renderer;
  TestFrame frame(96, 48, SampleType::kU16);
  std::set<std::string> seen;
  constexpr std::size_t kFrames = 3000;
  for (std::size_t number = 0; number < kFrames; ++number) {
    renderer.draw(number, options_of(TestPattern::kStreet), frame.view());
    seen.emplace(reinterpret_cast<const char*>(frame.view().data),
                 static_cast<std::size_t>(frame.view().stride * frame.view().height));
  }
  EXPECT_EQ(seen.size(), kFrames);
}

// Static objects come 0.4 m nearer per frame. A house front facing the camera has one value over
// many samples, so its distance shrinks by exactly 0.4 m.
TEST(Street, ComesNearerByTheDriveOfAFrame) {
  const TestCamera camera = TestCamera::of_size(kWidth, kHeight);
  const auto distances = [&](std::uint64_t number) {
    std::array<int, 65536> count{};
    Drawn(number, options_of(TestPattern::kStreet)).each([&](int row, int, int sample) {
      count[static_cast<std::size_t>(sample)] += row < 120;
    });
    std::vector<double> result;
    for (std::size_t sample = 256 * 8; sample < count.size(); ++sample) {
      if (count[sample] > 3000)
        result.push_back(camera.disparity(1.0) * 256.0 / static_cast<double>(sample));
    }
    return result;
  };
  int followed = 0;
  for (std::uint64_t number = 0; number < 200; number += 5) {
    const std::vector<double> before = distances(number);
    const std::vector<double> after = distances(number + 1);
    for (double z : before) {
      for (double near : after) {
        // A disparity is rounded to 1/256 px.
        const double rounding = 2.0 * z * z / camera.disparity(1.0) / 256.0;
        followed += std::abs(z - near - 0.4) <= rounding;
      }
    }
  }
  EXPECT_GT(followed, 10);
}

TEST(Street, FarAlongTheRoadIsAStreetToo) {
  for (std::uint64_t number : {std::uint64_t{1} << 40, std::uint64_t{1} << 54}) {
    const Drawn drawn(number, options_of(TestPattern::kStreet));
    EXPECT_NEAR(drawn.at(kHeight - 1, kWidth / 2), 0.54 / 1.65 * 0.54 * (kHeight - 1) * 256, 0.501);
    std::set<int> values;
    drawn.each([&](int row, int, int sample) {
      if (row < 100) values.insert(sample);
    });
    EXPECT_GT(values.size(), 100U);
  }
}

TEST(Street, SeedsAreDifferentStreets) {
  TestPatternOptions options = options_of(TestPattern::kStreet);
  const Drawn first(50, options);
  options.seed = 1;
  const Drawn second(50, options);
  int different = 0;
  first.each(
      [&](int row, int column, int sample) { different += sample != second.at(row, column); });
  EXPECT_GT(different, kWidth * kHeight / 4);
}

TEST(Ramp, IsOnePlane) {
  const TestCamera camera = TestCamera::of_size(kWidth, kHeight);
  const double far = camera.disparity(25.0) * 256.0;
  const double near = camera.disparity(3.0) * 256.0;
  const Drawn drawn(0, options_of(TestPattern::kRamp));
  drawn.each([&](int row, int, int sample) {
    ASSERT_NEAR(sample, far + (near - far) * row / (kHeight - 1), 0.51) << row;
  });
  EXPECT_TRUE(drawn.frame() == Drawn(99, options_of(TestPattern::kRamp)).frame());
}

TEST(Steps, MoveDownByARow) {
  const TestCamera camera = TestCamera::of_size(64, 80);
  for (std::uint64_t number : {0, 5, 79, 80, 81, 12345}) {
    const Drawn now(number, options_of(TestPattern::kSteps), 64, 80);
    const Drawn next(number + 1, options_of(TestPattern::kSteps), 64, 80);
    std::set<int> values;
    now.each([&](int row, int column, int sample) {
      values.insert(sample);
      ASSERT_EQ(next.at((row + 1) % 80, column), sample);
    });
    ASSERT_EQ(values.size(), 8U);
    EXPECT_NEAR(*values.begin(), camera.disparity(25.0) * 256.0, 0.51);
    EXPECT_NEAR(*values.rbegin(), camera.disparity(3.0) * 256.0, 0.51);
  }
  const Drawn first(0, options_of(TestPattern::kSteps), 64, 80);
  for (int row = 0; row < 80; ++row) EXPECT_EQ(first.at(row, 3), first.at(row / 10 * 10, 3));
}

TEST(Noise, IsUniformOverAllSamples) {
  for (SampleType type : {SampleType::kU8, SampleType::kU16}) {
    const Drawn drawn(4, options_of(TestPattern::kNoise), 1000, 500, type);
    std::array<int, 256> bins{};
    const int shift = type == SampleType::kU8 ? 0 : 8;
    std::set<int> values;
    drawn.each([&](int, int, int sample) {
      ++bins[static_cast<std::size_t>(sample >> shift)];
      values.insert(sample);
    });
    double chi_squared = 0.0;
    constexpr double kExpected = 500000.0 / 256;
    for (int count : bins) chi_squared += (count - kExpected) * (count - kExpected) / kExpected;
    EXPECT_LT(chi_squared, 255 + 5 * std::sqrt(2.0 * 255));  // five standard deviations
    EXPECT_TRUE(values.contains(0));
    EXPECT_TRUE(values.contains(static_cast<int>(max_sample(type))));
  }
}

TEST(Unknown, IsUnknown) {
  TestPatternOptions options = options_of(TestPattern::kUnknown);
  options.noise = 3;
  Drawn(4, options).each([](int, int, int sample) { ASSERT_EQ(sample, 0); });
}

TEST(TestDomains, DepthIsTheInverseOfDisparity) {
  const double scale = TestCamera::of_size(kWidth, kHeight).disparity(1.0);
  const Drawn disparity(33, options_of(TestPattern::kStreet));
  const Drawn millimetres(33, options_of(TestPattern::kStreet, TestDomain::kDepth));
  const Drawn decimetres(33, options_of(TestPattern::kStreet, TestDomain::kDepth), kWidth, kHeight,
                         SampleType::kU8);
  int far = 0;
  disparity.each([&](int row, int column, int sample) {
    const int mm = millimetres.at(row, column);
    const int dm = decimetres.at(row, column);
    if (sample == 0) {
      ASSERT_EQ(mm, 0);
      ASSERT_EQ(dm, 0);
      return;
    }
    // The exact disparity lies within half a step of the sample.
    const double nearest = scale * 256.0 / (sample + 0.51);
    const double farthest = scale * 256.0 / (sample - 0.51);
    if (mm == 0) {
      ++far;
      ASSERT_GT(farthest, 65.535);
    } else {
      ASSERT_GE(mm, nearest * 1000 - 0.5);
      ASSERT_LE(mm, farthest * 1000 + 0.5);
    }
    if (dm == 0) {
      ASSERT_GT(farthest, 25.5);
    } else {
      ASSERT_GE(dm, nearest * 10 - 0.5);
      ASSERT_LE(dm, farthest * 10 + 0.5);
    }
  });
  EXPECT_GT(far, 0);
}

TEST(TestDomains, EightBitsAreWholePixels) {
  const Drawn fine(33, options_of(TestPattern::kStreet));
  const Drawn coarse(33, options_of(TestPattern::kStreet), kWidth, kHeight, SampleType::kU8);
  fine.each([&](int row, int column, int sample) {
    ASSERT_NEAR(coarse.at(row, column), sample / 256.0, 0.5 + 1.0 / 512);
    ASSERT_EQ(coarse.at(row, column) == 0, sample == 0);
  });
}

struct Moments {
  double mean, deviation, kurtosis, neighbours;  // the correlation of horizontal neighbours
};

// Statistics of the noise added to the ramp, in px.
Moments moments_of_noise(double noise, std::uint64_t number) {
  TestPatternOptions options = options_of(TestPattern::kRamp);
  const Drawn perfect(number, options);
  options.noise = noise;
  const Drawn noisy(number, options);
  double sum = 0, squares = 0, fourths = 0, products = 0;
  double left = 0;
  perfect.each([&](int row, int column, int sample) {
    const double x = (noisy.at(row, column) - sample) / 256.0;
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
    if (column > 0) products += x * left;
    left = x;
  });
  constexpr double kCount = kWidth * kHeight;
  const double variance = squares / kCount;
  return {sum / kCount, std::sqrt(variance), fourths / kCount / (variance * variance),
          products / squares};
}

TEST(Noisy, HasTheDeviationThatWasAskedFor) {
  for (double noise : {0.05, 0.25, 1.0, 3.0}) {
    const Moments moments = moments_of_noise(noise, 5);
    // Five standard errors of 467,000 samples, and the rounding to 1/256 px at 0.05 px.
    EXPECT_NEAR(moments.mean, 0.0, 0.0075 * noise + 1e-4) << noise;
    EXPECT_NEAR(moments.deviation, noise, 0.006 * noise) << noise;
    // 3 for a Gaussian; 3 - 1.2 / 8 for the sum of eight.
    EXPECT_NEAR(moments.kurtosis, 2.85, 0.05) << noise;
    EXPECT_NEAR(moments.neighbours, 0.0, 0.0075) << noise;
  }
}

TEST(Noisy, IsNewInEachFrame) {
  TestPatternOptions options = options_of(TestPattern::kRamp);
  options.noise = 1.0;
  const Drawn now(5, options);
  const Drawn next(6, options);
  int same = 0;
  now.each([&](int row, int column, int sample) { same += next.at(row, column) == sample; });
  EXPECT_LT(same, kWidth * kHeight / 200);
}

TEST(Noisy, MakesNothingUnknown) {
  TestPatternOptions options = options_of(TestPattern::kStreet);
  const Drawn perfect(5, options);
  options.noise = kMaxTestNoise;
  const Drawn noisy(5, options);
  int smallest = 0, largest = 0;
  perfect.each([&](int row, int column, int sample) {
    ASSERT_EQ(noisy.at(row, column) == 0, sample == 0);
    smallest += noisy.at(row, column) == 1;
    largest = std::max(largest, noisy.at(row, column));
  });
  EXPECT_GT(smallest, 0);
  EXPECT_EQ(largest, 65535);
}

TEST(UnknownRatio, IsTheShareThatWasAskedFor) {
  for (TestPattern pattern : {TestPattern::kStreet, TestPattern::kNoise}) {
    for (double ratio : {0.02, 0.1, 0.5, 0.9}) {
      TestPatternOptions options = options_of(pattern);
      options.seed = 3;
      double known = 0, lost = 0;
      for (std::uint64_t number = 0; number < 20; ++number) {
        options.unknown_ratio = 0.0;
        const Drawn perfect(number, options);
        options.unknown_ratio = ratio;
        const Drawn holes(number, options);
        perfect.each([&](int row, int column, int sample) {
          if (sample == 0) {
            ASSERT_EQ(holes.at(row, column), 0);
            return;
          }
          ++known;
          if (holes.at(row, column) == 0) {
            ++lost;
          } else {
            ASSERT_EQ(holes.at(row, column), sample);
          }
        });
      }
      // Some 30,000 patches decide; five standard errors of their share.
      EXPECT_NEAR(lost / known, ratio, 5.0 * std::sqrt(ratio * (1.0 - ratio) / 30000.0)) << ratio;
    }
  }
}

TEST(UnknownRatio, OneIsEverything) {
  TestPatternOptions options = options_of(TestPattern::kStreet);
  options.unknown_ratio = 1.0;
  Drawn(3, options).each([](int, int, int sample) { ASSERT_EQ(sample, 0); });
  options.pattern = TestPattern::kNoise;
  Drawn(3, options).each([](int, int, int sample) { ASSERT_EQ(sample, 0); });
}

TEST(UnknownRatio, IsAQuarterSingleSamples) {
  TestPatternOptions options = options_of(TestPattern::kRamp);
  options.unknown_ratio = 0.04;
  double alone = 0;
  for (std::uint64_t number = 0; number < 5; ++number) {
    const Drawn drawn(number, options);
    drawn.each([&](int row, int column, int sample) {
      if (row == 0 || column == 0 || row == kHeight - 1 || column == kWidth - 1) return;
      alone += sample == 0 && drawn.at(row - 1, column) != 0 && drawn.at(row + 1, column) != 0 &&
               drawn.at(row, column - 1) != 0 && drawn.at(row, column + 1) != 0;
    });
  }
  // A single unknown sample has four known neighbours if all five lie outside of patches and no
  // neighbour is single. The former has a probability close to 0.97.
  const double expected = 0.01 * 0.97 * std::pow(0.99, 4);
  EXPECT_NEAR(alone / (5.0 * kWidth * kHeight), expected, 0.05 * expected);
}

}  // namespace
}  // namespace rdp
