// SPDX-License-Identifier: LGPL-2.1-or-later
// An application's floating-point environment: exceptions that abort, and other rounding modes. The
// engine raises no exception, its results are bit-identical, and the environment is unchanged.
#include <gtest/gtest.h>

#include <cfenv>
#include <cfloat>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#ifdef __linux__
#include <unistd.h>
#endif

#include "common/rdp/engine.h"
#include "common/rdp/ground.h"
#include "common/rdp/overlay.h"
#include "common/rdp/reference.h"
#include "common/scene/test_pattern.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::TestFrame;

constexpr int kErrors = FE_DIVBYZERO | FE_INVALID;
constexpr OverlayStyle kStyles[] = {OverlayStyle::kSegments, OverlayStyle::kDepth,
                                    OverlayStyle::kEdges, OverlayStyle::kClasses};

// A frame and its parameters.
struct Case {
  std::string name;
  TestFrame frame;
  Parameters parameters;
  OverlayOptions palette;  // its style is the one that is painted without the engine, too
};

// --- frames --------------------------------------------------------------------------------------

TestFrame constant_frame(int width, int height, SampleType type, std::uint16_t sample) {
  TestFrame frame(width, height, type);
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) frame.view().set(row, column, sample);
  }
  return frame;
}

// Street-like disparities with invalid samples.
TestFrame street_frame(int width, int height, SampleType type, TestDomain domain) {
  TestFrame frame(width, height, type);
  TestPatternOptions options;
  options.domain = domain;
  options.noise = 0.4;
  options.unknown_ratio = 0.2;
  TestPatternRenderer().draw(5, options, frame.view());
  return frame;
}

std::vector<TestFrame> frames(SampleType type) {
  std::vector<TestFrame> result;
  std::mt19937 random(11);
  for (const test::Content content : test::kContents) {
    result.emplace_back(41, 101, type);
    test::fill(result.back().view(), content, &random);
  }
  result.push_back(constant_frame(33, 50, type, 0));
  result.push_back(constant_frame(33, 50, type, 1));
  result.push_back(constant_frame(33, 50, type, 5));
  result.push_back(constant_frame(33, 50, type, 100));
  result.push_back(constant_frame(17, 1, type, static_cast<std::uint16_t>(max_sample(type))));
  result.push_back(street_frame(80, 60, type, TestDomain::kDepth));
  // Work for four threads.
  result.push_back(street_frame(256, 200, type, TestDomain::kDisparity));
  return result;
}

// --- options -------------------------------------------------------------------------------------

// Each option alone, all together, and the limits of their ranges.
std::vector<std::pair<std::string, Parameters>> settings() {
  std::vector<std::pair<std::string, Parameters>> result;
  const auto add = [&](const std::string& name, const std::function<void(Parameters*)>& change) {
    for (const Domain domain : {Domain::kLinear, Domain::kInverse}) {
      Parameters parameters;
      parameters.domain = domain;
      change(&parameters);
      result.emplace_back(name + (domain == Domain::kInverse ? ", inverse" : ""), parameters);
    }
  };
  add("as it is", [](Parameters*) {});
  add("0 is known", [](Parameters* p) { p->min_value = 0; });
  add("nothing is known", [](Parameters* p) {
    p->min_value = 60000;
    p->max_value = 50000;
  });
  add("epsilon 0", [](Parameters* p) { p->epsilon = 0.0; });
  add("epsilon huge", [](Parameters* p) { p->epsilon = DBL_MAX; });
  add("tiny steps", [](Parameters* p) {
    p->sample_scale = DBL_MIN;
    p->merge = true;
    p->merge_cost = 1.0;
    p->ground_slope = 1.0;
    p->far_value = 1.0;
  });
  add("huge steps", [](Parameters* p) {
    p->sample_scale = DBL_MAX;
    p->merge = true;
    p->ground_slope = 1.0;
    p->far_value = 1.0;
  });
  add("tiny inverse scale", [](Parameters* p) { p->inverse_scale = 1e-300; });
  add("small inverse scale", [](Parameters* p) { p->inverse_scale = 0.01; });
  // 1 / 5 and 1 / 100 of it are so little below a half that they may be rounded to it. They occur
  // as inverse depths of depths of 5, and depths of inverse depths of 5.
  add("halves", [](Parameters* p) { p->inverse_scale = std::nextafter(502.5, 0.0); });
  add("huge inverse scale", [](Parameters* p) {
    p->inverse_scale = DBL_MAX;
    p->min_value = 0;
  });
  add("median 3", [](Parameters* p) { p->median = Median::k3x3; });
  add("median 5, columns of 4", [](Parameters* p) {
    p->median = Median::k5x5;
    p->column_width = 4;
  });
  add("refine", [](Parameters* p) { p->refine = true; });
  add("merge", [](Parameters* p) { p->merge = true; });
  add("merge, dear, 0 is known", [](Parameters* p) {
    p->merge = true;
    p->merge_cost = 1e9;
    p->min_value = 0;
    p->epsilon = 30.0;
  });
  add("merge, free, gaps", [](Parameters* p) {
    p->merge = true;
    p->merge_cost = DBL_MIN;
    p->max_gap = 2;
    p->column_width = 3;
  });
  add("refine, least distances", [](Parameters* p) {
    p->refine = true;
    p->fit = Fit::kAbsolute;
  });
  add("merge, least distances", [](Parameters* p) {
    p->merge = true;
    p->fit = Fit::kAbsolute;
    p->epsilon = 30.0;
  });
  add("ground slope", [](Parameters* p) { p->ground_slope = 0.7; });
  add("ground slope tiny", [](Parameters* p) { p->ground_slope = DBL_MIN; });
  return result;
}

std::vector<OverlayOptions> palettes() {
  std::vector<OverlayOptions> result(5);
  result[1].palette_max = 255.0;
  result[2].palette_min = 65535.0;  // backwards
  result[3].palette_max = 1e-300;
  result[4].palette_min = -std::numeric_limits<double>::infinity();
  result[4].palette_max = std::numeric_limits<double>::quiet_NaN();
  return result;
}

std::vector<Case> cases(SampleType type) {
  std::vector<Case> result;
  const std::vector<TestFrame> all_frames = frames(type);
  const std::vector<OverlayOptions> all_palettes = palettes();
  std::size_t turn = 0;
  for (const auto& [name, parameters] : settings()) {
    for (std::size_t f = 0; f < all_frames.size(); ++f) {
      result.push_back({name + ", frame " + std::to_string(f), all_frames[f], parameters,
                        all_palettes[turn % all_palettes.size()]});
      result.back().palette.style = kStyles[turn++ % std::size(kStyles)];
    }
  }
  return result;
}

// --- what is done with a case
// ----------------------------------------------------------------------

// The result of a case as a 64-bit hash (FNV-1a, by words where possible).
class Bits {
 public:
  template <typename T>
  void add(const T* values, std::size_t count) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(values);
    std::size_t left = count * sizeof(T);
    for (; left >= sizeof(std::uint64_t); left -= sizeof(std::uint64_t)) {
      std::uint64_t word;
      std::memcpy(&word, bytes, sizeof word);
      mix(word);
      bytes += sizeof word;
    }
    for (; left > 0; --left) mix(*bytes++);
  }
  void add(const DepthView& frame) {
    for (int row = 0; row < frame.height; ++row) {
      add(frame.row(row), static_cast<std::size_t>(frame.width) * bytes_per_sample(frame.type));
    }
  }
  void add(const SegmentList& segments) {
    add(segments.offsets().data(), segments.offsets().size());
    add(segments.segments().data(), segments.segments().size());
  }
  bool operator==(const Bits&) const = default;

 private:
  void mix(std::uint64_t word) {
    hash_ = (hash_ ^ word) * 0x100000001B3U;
    hash_ ^= hash_ >> 32;
  }

  std::uint64_t hash_ = 0xCBF29CE484222325U;
};

// The element's steps on a frame, in a thread that sets no rounding mode itself: segments, classes,
// pictures of all styles, and reconstruction.
Bits work_on(const Case& c, Engine* engine) {
  Bits bits;
  TestFrame frame = c.frame;
  SegmentList segments;
  engine->segment(frame.view(), c.parameters, &segments);
  bits.add(segments);

  const ClassRules rules = class_rules(c.parameters);
  const Ground ground = find_ground(segments, frame.view().height, rules);
  std::vector<std::uint8_t> classes(segments.segment_count() + 1);
  classify_segments(segments, ground, rules, classes.data());
  bits.add(&rules, 1);
  bits.add(&ground, 1);
  bits.add(classes.data(), classes.size());

  for (const OverlayStyle style : kStyles) {
    OverlayOptions options = c.palette;
    options.style = style;
    std::vector<std::uint32_t> picture(
        static_cast<std::size_t>(frame.view().width * frame.view().height));
    const RgbaView view{reinterpret_cast<std::byte*>(picture.data()), 4 * frame.view().width,
                        frame.view().width, frame.view().height};
    engine->paint(frame.view(), segments, c.parameters, options, view);
    bits.add(picture.data(), picture.size());
    if (style != c.palette.style) continue;
    // The painter without the engine.
    paint_overlay(frame.view(), segments, c.parameters,
                  overlay_look(frame.view(), segments, c.parameters, options), 0, view.width, view);
    bits.add(picture.data(), picture.size());
  }
  engine->reconstruct(frame.view(), c.parameters, segments);
  bits.add(frame.view());
  return bits;
}

Bits draw_patterns() {
  Bits bits;
  TestPatternRenderer renderer;
  for (const TestPattern pattern :
       {TestPattern::kStreet, TestPattern::kRamp, TestPattern::kSteps, TestPattern::kNoise,
        TestPattern::kUnknown, TestPattern::kRoom, TestPattern::kTraffic}) {
    for (const TestDomain domain : {TestDomain::kDisparity, TestDomain::kDepth}) {
      for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
        for (const auto& [width, height] : {std::pair{1, 1}, {2, 300}, {97, 33}, {321, 180}}) {
          TestPatternOptions options;
          options.pattern = pattern;
          options.domain = domain;
          options.seed = static_cast<std::uint32_t>(width);
          options.noise = width % 2 == 0 ? 0.0 : 1.7;
          options.unknown_ratio = height % 2 == 0 ? 0.3 : 1.0;
          TestFrame frame(width, height, type);
          for (std::uint64_t number : {0, 1, 977}) {
            renderer.draw(number, options, frame.view());
            bits.add(frame.view());
          }
        }
      }
    }
  }
  return bits;
}

// --- exceptions
// ------------------------------------------------------------------------------------

// The current case, printed if the process aborts.
char under_way[256];

void set_under_way(const std::string& text) {
  std::strncpy(under_way, text.c_str(), sizeof under_way - 1);
}

#ifdef __GLIBC__
extern "C" void report_and_end(int) {
  constexpr char kText[] = "a floating-point exception was trapped in: ";
  [[maybe_unused]] auto written = ::write(2, kText, sizeof kText - 1);
  written = ::write(2, under_way, std::strlen(under_way));
  written = ::write(2, "\n", 1);
  std::_Exit(1);
}
#endif

// Traps division by zero and invalid operations in this thread and the threads it starts, on
// processors that can.
class Traps {
 public:
  Traps() {
    std::feclearexcept(FE_ALL_EXCEPT);
#ifdef __GLIBC__
    before_ = std::signal(SIGFPE, report_and_end);
    are_set_ = feenableexcept(kErrors) != -1 && (fegetexcept() & kErrors) == kErrors;
#endif
  }
  ~Traps() {
#ifdef __GLIBC__
    if (are_set_) fedisableexcept(kErrors);
    std::signal(SIGFPE, before_);
#endif
    std::feclearexcept(FE_ALL_EXCEPT);
  }
  bool are_set() const { return are_set_; }
  // True if the traps are still set: code that changes the environment must restore it.
  bool are_intact() const {
#ifdef __GLIBC__
    return !are_set_ || (fegetexcept() & kErrors) == kErrors;
#else
    return true;
#endif
  }

 private:
  bool are_set_ = false;
#ifdef __GLIBC__
  void (*before_)(int) = nullptr;
#endif
};

// Traps see all threads except those that mask them; exception flags belong to the calling thread,
// and the library must not touch them.
TEST(FloatExceptions, NoneAreRaised) {
  for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
    const std::vector<Case> all = cases(type);
    test::on_every_simd_target([&] {
      const Traps traps;
      for (const unsigned threads : {1U, 3U}) {
        Engine engine(threads);
        for (const Case& c : all) {
          set_under_way(c.name + ", SIMD target " + current_simd_target());
          work_on(c, &engine);
          ASSERT_EQ(std::fetestexcept(kErrors), 0) << under_way;
          ASSERT_TRUE(traps.are_intact()) << under_way;
        }
      }
    });
  }
}

TEST(FloatExceptions, NoneAreRaisedByTheReference) {
  const Traps traps;
  for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
    for (const Case& c : cases(type)) {
      set_under_way("the reference, " + c.name);
      TestFrame frame = c.frame;
      SegmentList segments;
      reference::segment_filtered(frame.view(), c.parameters, &segments);
      reference::reconstruct(reference::filter(frame.view(), c.parameters), segments, c.parameters,
                             frame.view());
      ASSERT_EQ(std::fetestexcept(kErrors), 0) << under_way;
    }
  }
}

// Lines that reach and cross 0, as merge makes them: their depth there is the maximum.
TEST(FloatExceptions, NoneAreRaisedByLinesThroughZero) {
  Parameters parameters;
  parameters.domain = Domain::kInverse;
  for (const float last_value : {0.0F, -1.0F, -65535.0F, 65535.0F}) {
    for (const int length : {0, 1, 2, 9, 40}) {
      SegmentList segments;
      {
        std::uint32_t* offsets = segments.resize_columns(1);
        offsets[0] = 0;
        offsets[1] = 1;
        *segments.resize_segments() = {0, static_cast<std::uint16_t>(length), 0.0F, last_value};
      }
      test::on_every_simd_target([&] {
        TestFrame frame = constant_frame(1, length + 1, SampleType::kU16, 1000);
        TestFrame expected = frame;
        const Traps traps;
        set_under_way("a line through zero");
        Engine engine(1);
        SegmentList unused;
        engine.segment(frame.view(), parameters, &unused);
        engine.reconstruct(frame.view(), parameters, segments);
        reference::reconstruct(reference::filter(expected.view(), parameters), segments, parameters,
                               expected.view());
        ASSERT_EQ(std::fetestexcept(kErrors), 0);
        EXPECT_TRUE(frame == expected) << last_value << ", length " << length;
        EXPECT_EQ(expected.view().at(0, 0), 65535) << last_value << ", length " << length;
      });
    }
  }
}

TEST(FloatExceptions, NoneAreRaisedByTestPatterns) {
  const Traps traps;
  set_under_way("test patterns");
  draw_patterns();
  EXPECT_EQ(std::fetestexcept(kErrors), 0);
}

#ifdef __GLIBC__
TEST(FloatExceptions, WouldBeTrapped) {
  const auto divide = [] {
    const Traps traps;
    if (!traps.are_set()) std::_Exit(1);
    set_under_way("a division");
    volatile float zero = 0.0F;
    volatile float infinite = 1.0F / zero;
    static_cast<void>(infinite);
    std::_Exit(0);
  };
  {
    const Traps traps;
    if (!traps.are_set()) GTEST_SKIP() << "this processor has no traps";
  }
  EXPECT_EXIT(divide(), ::testing::ExitedWithCode(1), "a division");
}
#endif

// --- rounding modes
// --------------------------------------------------------------------------------

const std::vector<int>& rounding_modes() {
  static const std::vector<int> modes = {
      FE_TONEAREST,
#ifdef FE_UPWARD
      FE_UPWARD,
#endif
#ifdef FE_DOWNWARD
      FE_DOWNWARD,
#endif
#ifdef FE_TOWARDZERO
      FE_TOWARDZERO,
#endif
  };
  return modes;
}

// Sets this thread's rounding mode for its lifetime.
class Mode {
 public:
  explicit Mode(int mode) : mode_(mode) { std::fesetround(mode); }
  ~Mode() { std::fesetround(FE_TONEAREST); }
  bool is_intact() const { return std::fegetround() == mode_; }

 private:
  int mode_;
};

TEST(RoundingMode, ChangesNothing) {
  const std::vector<Case> all = cases(SampleType::kU16);
  std::vector<Bits> expected;
  {
    Engine engine(1);
    for (const Case& c : all) expected.push_back(work_on(c, &engine));
  }
  for (const int mode : rounding_modes()) {
    for (const unsigned threads : {1U, 2U, 4U}) {
      const Mode set(mode);  // before the engine: its threads inherit it
      Engine engine(threads);
      for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_TRUE(work_on(all[i], &engine) == expected[i])
            << all[i].name << ", mode " << mode << ", threads " << threads;
        ASSERT_TRUE(set.is_intact()) << all[i].name << ", mode " << mode;
      }
    }
  }
}

TEST(RoundingMode, MayChangeBetweenFrames) {
  const std::vector<Case> all = cases(SampleType::kU16);
  for (const unsigned threads : {1U, 2U, 4U}) {
    Engine engine(threads);
    for (std::size_t i = 0; i < all.size(); i += 7) {
      const Bits expected = work_on(all[i], &engine);
      for (const int mode : rounding_modes()) {
        const Mode set(mode);
        ASSERT_TRUE(work_on(all[i], &engine) == expected) << all[i].name << ", mode " << mode;
        ASSERT_TRUE(set.is_intact());
      }
    }
  }
}

// Threads started under another mode work for a caller in the default mode.
TEST(RoundingMode, OfTheThreadsIsTheirOwn) {
  const std::vector<Case> all = cases(SampleType::kU16);
  for (const int mode : rounding_modes()) {
    Engine engine(1);
    {
      const Mode set(mode);
      engine.set_threads(4);
    }
    Engine one(1);
    for (std::size_t i = 0; i < all.size(); i += 7) {
      ASSERT_TRUE(work_on(all[i], &engine) == work_on(all[i], &one))
          << all[i].name << ", mode " << mode;
    }
  }
}

// Segment ends at the maximum distance from the ground at which they belong to it. In row
// 5 * k + 3 that is 1 + 9 / 8 * 0.3 * (5 * k + 2.5). The slope 0.3 is not representable as a
// double.
TEST(RoundingMode, ChangesNoClass) {
  ClassRules rules;
  Ground ground;
  ground.slope = 0.3;
  ground.horizon = 0.5;
  constexpr int kCount = 100;
  SegmentList segments;
  std::uint32_t* offsets = segments.resize_columns(1);
  offsets[0] = 0;
  offsets[1] = kCount;
  Segment* to = segments.resize_segments();
  for (int k = 0; k < kCount; ++k) {
    const auto row = static_cast<std::uint16_t>(5 * k + 3);
    const auto value = static_cast<float>(1.0 + 0.3375 * (row - 0.5));
    *to++ = {row, row, value, value};
  }
  std::vector<std::uint8_t> expected(kCount);
  classify_segments(segments, ground, rules, expected.data());
  std::size_t dependent = 0;  // on the mode, where it is not set
  for (const int mode : rounding_modes()) {
    const Mode set(mode);
    std::vector<std::uint8_t> classes(kCount);
    classify_segments(segments, ground, rules, classes.data());
    EXPECT_EQ(classes, expected) << "mode " << mode;
    EXPECT_TRUE(set.is_intact());
    for (std::size_t i = 0; i < kCount; ++i) {
      const Segment& s = segments.segments()[i];
      const SegmentClass c =
          class_of(s.first_row, s.last_row, s.first_value, s.last_value, ground, rules);
      dependent += static_cast<std::uint8_t>(c) != expected[i] ? 1 : 0;
    }
  }
  if (rounding_modes().size() > 1) {
    EXPECT_GT(dependent, 0U) << "this test sees nothing";
  }
}

TEST(RoundingMode, ChangesNoTestPattern) {
  const Bits expected = draw_patterns();
  for (const int mode : rounding_modes()) {
    const Mode set(mode);
    EXPECT_TRUE(draw_patterns() == expected) << "mode " << mode;
    EXPECT_TRUE(set.is_intact());
  }
}

}  // namespace
}  // namespace rdp
