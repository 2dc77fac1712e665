// SPDX-License-Identifier: LGPL-2.1-or-later
// Streams of arbitrary numbers. The results equal the recorded bits on every machine, no input
// makes the engine fail, and a failed allocation leaves its state unchanged.
//
// This file does no floating-point arithmetic, and includes none, because its compiler flags differ
// from the engine's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "common/image/simd.h"
#include "common/motion/engine.h"
#include "tests/motion/motion_stream.h"
#include "tests/support/failing_new.h"

namespace rdp::motion {
namespace {

using test::Numbers;
using test::Stream;
using test::StreamOptions;

// FNV-1a, 64 bits.
class Digest {
 public:
  template <typename T>
  void add(std::span<const T> values) {
    for (const T& value : values) add(value);
  }
  template <typename T>
  void add(const T& value) {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (const unsigned char byte : bytes) state_ = (state_ ^ byte) * 1099511628211U;
  }
  void add(const Result& r) {
    add(r.segments);
    add(r.tracks);
    add(r.dt);
    add(r.ego);
    add(std::uint8_t{r.has_ego});
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 14695981039346656037U;
};

const Values kDisparity = {Measure::kDisparity, 1.0 / 256.0, 0.0, 0.0};
const Values kShifted = {Measure::kDisparity, 1.0 / 256.0, 1.25, 0.0};
const Values kMillimetres = {Measure::kDepth, 0.001, 0.0, 0.0};
const Values kInverse = {Measure::kDepth, 0.001, 0.0, 16e6};

struct DigestCase {
  const char* name;
  EgoMotion ego;
  Filter filter;
  Values values;
  int column_width;
  bool classes;
  std::uint64_t digest;
};

class BitsOfMotion : public testing::TestWithParam<DigestCase> {};

// The digests are for little-endian machines, the only supported ones.
TEST_P(BitsOfMotion, AreThoseThatAreRecorded) {
  const DigestCase& c = GetParam();
  StreamOptions options;
  options.values = c.values;
  options.column_width = c.column_width;
  options.classes = c.classes;
  options.spread = 2;  // moving segments have neighbours
  Parameters parameters;
  parameters.ego_motion = c.ego;
  parameters.filter = c.filter;
  for (const std::string& target : simd_targets()) {
    ASSERT_TRUE(use_simd_target(target));
    Stream stream(options, 7);
    Engine engine;
    Digest digest;
    int known = 0;
    int moving = 0;
    int egos = 0;
    int ended = 0;
    for (int k = 0; k < 24; ++k) {
      const Result r = engine.advance(stream.next(), parameters);
      digest.add(r);
      known += r.counts.known;
      moving += r.counts.moving;
      ended += r.counts.ended;
      egos += r.has_ego ? 1 : 0;
    }
    // The stream is meaningful: some segments are known, some move.
    EXPECT_GT(known, 300);
    EXPECT_GT(moving, 0);
    EXPECT_EQ(egos, c.ego == EgoMotion::kNone ? 0 : 23);
    if (c.filter == Filter::kKalman) {
      EXPECT_GT(ended, 0);
    }
    EXPECT_EQ(digest.value(), c.digest) << target << std::hex << " 0x" << digest.value();
  }
  use_simd_target("");
}

INSTANTIATE_TEST_SUITE_P(
    , BitsOfMotion,
    testing::Values(DigestCase{"None", EgoMotion::kNone, Filter::kKalman, kDisparity, 1, false,
                               0x0ea83209a9614794},
                    DigestCase{"Given", EgoMotion::kGiven, Filter::kKalman, kShifted, 2, true,
                               0xc67323e5e4c7d3be},
                    DigestCase{"Estimate", EgoMotion::kEstimate, Filter::kKalman, kDisparity, 1,
                               false, 0xe09fc0aa766d4240},
                    DigestCase{"Depth", EgoMotion::kEstimate, Filter::kKalman, kMillimetres, 3,
                               true, 0xbad55399dde75cd5},
                    DigestCase{"Inverse", EgoMotion::kGiven, Filter::kKalman, kInverse, 1, false,
                               0xdf3fe608b0c5e27a},
                    DigestCase{"Unfiltered", EgoMotion::kEstimate, Filter::kNone, kDisparity, 1,
                               false, 0x2d2670869a24128b}),
    [](const testing::TestParamInfo<DigestCase>& row) { return std::string(row.param.name); });

// Each result is complete or entirely unknown, and within its valid range.
void expect_honest(const Result& r, const Input& in, const Parameters& parameters) {
  ASSERT_TRUE(r.accepted);
  ASSERT_EQ(r.segments.size(), in.segments.segment_count());
  for (const SegmentMotion& m : r.segments) {
    const bool known = (m.flags & kKnown) != 0;
    for (const float v : {m.vx, m.vy, m.vz, m.sigma}) ASSERT_EQ(std::isfinite(v), known);
    ASSERT_EQ(std::isnan(m.dx), std::isnan(m.dy));
    ASSERT_EQ(std::isnan(m.dx), std::isnan(m.spread));
    ASSERT_FALSE(std::isinf(m.dx) || std::isinf(m.dy) || std::isinf(m.spread));
    if (!known) {
      ASSERT_EQ(m.flags, 0);
    }
    if (known || !std::isnan(m.dx)) {
      ASSERT_GE(m.tracks, parameters.min_tracks);
    }
    ASSERT_EQ((m.flags & kAbsolute) != 0, known && parameters.ego_motion != EgoMotion::kNone);
  }
  for (const TrackMotion& t : r.tracks) {
    ASSERT_EQ(std::isfinite(t.vx), std::isfinite(t.sigma));
    ASSERT_EQ(std::isfinite(t.x), std::isfinite(t.z));
    for (const float v : {t.x, t.y, t.z, t.vx, t.vy, t.vz, t.sigma}) ASSERT_FALSE(std::isinf(v));
  }
  for (const double m : r.ego.m) ASSERT_TRUE(std::isfinite(m));
}

constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kOdd[] = {0.0F,  -0.0F, 1e-45F, 1e-30F,    1e30F,      3.4e38F, -3.4e38F,
                          -1.0F, 0.49F, kNan,   kInfinite, -kInfinite, 65535.F, 2.147e9F};

float odd(Numbers* numbers) {
  return numbers->below(3) == 0 ? kOdd[numbers->below(static_cast<int>(std::size(kOdd)))]
                                : static_cast<float>(numbers->below(200000)) / 1024.0F;
}

TEST(MotionEngine, TakesAnyNumbers) {
  Numbers numbers(1);
  Engine engine;
  std::uint64_t pts = 0;
  for (int k = 0; k < 3000; ++k) {
    Parameters parameters;
    parameters.ego_motion = static_cast<EgoMotion>(k / 40 % 3);
    parameters.filter = k / 120 % 3 == 0 ? Filter::kNone : Filter::kKalman;
    parameters.min_tracks = 1 + numbers.below(3);
    parameters.min_age = numbers.below(3);
    parameters.reach = numbers.below(2) == 0 ? kMaxReach : numbers.below(40);
    parameters.tolerance = numbers.below(2) == 0 ? kMaxTolerance : 1.0;
    parameters.depth_noise = numbers.below(2) == 0 ? kLeastNoise : kMaxNoise;
    parameters.disparity_noise = parameters.depth_noise;

    Input in;
    in.width = 200;
    in.height = 200;
    in.column_width = k / 300 % 2 == 0 ? 1 : 7;
    in.has_camera = true;
    in.camera = {200.0, 200.0, 100.0, 100.0, k / 300 % 3 == 0 ? 1e-30 : 0.5};
    in.values = k / 300 % 2 == 0 ? kMillimetres : kDisparity;
    if (k / 150 % 2 == 0) in.values.inverse_scale = 1e6;
    in.has_pose = numbers.below(10) != 0;
    in.pose.m[3] = numbers.below(30) == 0 ? static_cast<double>(odd(&numbers)) * 1e200 : 0.0;
    const std::uint64_t steps[] = {1, 33333333, 100000000, 1000000000, 5000000000};
    pts += steps[numbers.below(5)];
    in.pts = pts;

    std::vector<klt::Track> tracks;
    const int count = numbers.below(60);
    for (int i = 0; i < count; ++i) {
      tracks.push_back({static_cast<std::uint32_t>(numbers.below(80)) - 10U,
                        static_cast<std::uint32_t>(k), odd(&numbers), odd(&numbers), odd(&numbers),
                        odd(&numbers), odd(&numbers), odd(&numbers)});
    }
    in.tracks = tracks;
    std::vector<std::uint32_t> offsets = {0};
    std::vector<Segment> segments;
    std::vector<std::uint8_t> classes;
    for (int c = 0; c < (in.width + in.column_width - 1) / in.column_width; ++c) {
      for (int row = numbers.below(60); row < 200; row += 1 + numbers.below(90)) {
        const int last = std::min(row + numbers.below(90), 199);
        segments.push_back({static_cast<std::uint16_t>(row), static_cast<std::uint16_t>(last),
                            odd(&numbers), odd(&numbers)});
        classes.push_back(static_cast<std::uint8_t>(numbers.below(2)));
        row = last;
      }
      offsets.push_back(static_cast<std::uint32_t>(segments.size()));
    }
    in.segments = {offsets, segments};
    if (numbers.below(2) == 0) in.classes = classes;
    expect_honest(engine.advance(in, parameters), in, parameters);
    if (testing::Test::HasFatalFailure()) FAIL() << "frame " << k;
  }
}

// The order of the list has no effect.
TEST(MotionEngine, TakesTracksInAnyOrder) {
  Parameters parameters;
  parameters.ego_motion = EgoMotion::kEstimate;
  Stream stream({}, 3);
  Engine one;
  Engine other;
  Digest ascending;
  Digest shuffled;
  for (int k = 0; k < 8; ++k) {
    Input in = stream.next();
    ascending.add(one.advance(in, parameters));
    std::vector<klt::Track> tracks(in.tracks.begin(), in.tracks.end());
    std::rotate(tracks.begin(), tracks.begin() + 37 * k, tracks.end());
    in.tracks = tracks;
    shuffled.add(other.advance(in, parameters));
  }
  EXPECT_EQ(ascending.value(), shuffled.value());
}

TEST(MotionEngine, KnowsWithoutMemoryWhatItKnewBefore) {
  Parameters parameters;
  parameters.ego_motion = EgoMotion::kEstimate;
  StreamOptions small;
  small.tracks = 100;
  int failed = 0;
  for (int nth = 1;; ++nth) {
    Stream stream(small, 5);
    Engine engine;
    Engine undisturbed;
    for (int k = 0; k < 3; ++k) {
      const Input in = stream.next();
      engine.advance(in, parameters);
      undisturbed.advance(in, parameters);
    }
    // A larger frame of another stream, for which allocation fails.
    Stream large({}, 6);
    Input larger = large.next();
    larger.pts = 350000000;
    failing_new::fail_at(nth);
    bool had = true;
    try {
      engine.advance(larger, parameters);
    } catch (const std::bad_alloc&) {
      had = false;
    }
    failing_new::fail_at(0);
    if (had) break;
    ++failed;
    Digest digest;
    Digest expected;
    const Input in = stream.next();
    digest.add(engine.advance(in, parameters));
    expected.add(undisturbed.advance(in, parameters));
    ASSERT_EQ(digest.value(), expected.value()) << nth;
  }
  EXPECT_GT(failed, 10);
}

}  // namespace
}  // namespace rdp::motion
