// SPDX-License-Identifier: LGPL-2.1-or-later
// Agreement: candidates move only if their neighbours move with them.
#include "common/motion/agreement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "common/motion/engine.h"
#include "common/motion/space.h"
#include "common/motion/support.h"
#include "common/rdp/segment_class.h"
#include "tests/motion/motion_stream.h"

namespace rdp::motion {
namespace {

constexpr auto kGround = static_cast<std::uint8_t>(SegmentClass::kGround);
constexpr auto kUpright = static_cast<std::uint8_t>(SegmentClass::kUpright);

SegmentMotion candidate(float vx, float sigma = 1.0F) {
  return {5, kKnown | kMoving, 0.0F, 0.0F, 0.0F, vx, 0.0F, 0.0F, sigma};
}
SegmentMotion still() { return {5, kKnown, 0.0F, 0.0F, 0.0F, 0.1F, 0.0F, 0.0F, 1.0F}; }

// Columns of segments to be flagged as moving or not.
struct Frame {
  std::vector<std::uint32_t> offsets = {0};
  std::vector<Segment> segments;
  std::vector<std::uint8_t> classes;
  std::vector<SegmentMotion> motions;

  Frame& add(int first, int last, float value, const SegmentMotion& motion,
             std::uint8_t kind = kUpright, float last_value = -1.0F) {
    segments.push_back({static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(last), value,
                        last_value < 0.0F ? value : last_value});
    classes.push_back(kind);
    motions.push_back(motion);
    return *this;
  }
  Frame& end() {
    offsets.push_back(static_cast<std::uint32_t>(segments.size()));
    return *this;
  }
  Input input(bool with_classes = false) const {
    Input in;
    in.width = static_cast<int>(offsets.size()) - 1;
    in.height = 200;
    in.segments = {offsets, segments};
    if (with_classes) in.classes = classes;
    return in;
  }
  // The flags as one character per segment: M for moving, - for not.
  std::string moving(bool with_classes = false, EgoMotion ego = EgoMotion::kNone,
                     const Values& values = {}) const {
    std::vector<SegmentMotion> flagged = motions;
    Input in = input(with_classes);
    in.values = values;
    Parameters parameters;
    parameters.ego_motion = ego;
    keep_agreeing(in, parameters, flagged);
    std::string text;
    for (std::size_t i = 0; i < flagged.size(); ++i) {
      text += (flagged[i].flags & kMoving) != 0 ? 'M' : '-';
      EXPECT_EQ(flagged[i].flags & ~kMoving, motions[i].flags & ~kMoving);
    }
    return text;
  }
};

// `columns` columns of one thing at one distance.
Frame thing(int columns, float vx = 5.0F, float sigma = 1.0F) {
  Frame frame;
  for (int c = 0; c < columns; ++c) frame.add(50, 100, 20.0F, candidate(vx, sigma)).end();
  return frame;
}

TEST(MotionAgreement, TakesThreeColumns) {
  EXPECT_EQ(thing(1).moving(), "-");
  EXPECT_EQ(thing(2).moving(), "--");
  EXPECT_EQ(thing(3).moving(), "MMM");
  EXPECT_EQ(thing(9).moving(), "MMMMMMMMM");
  // With one column in between that is at rest, or has no segment.
  Frame gap;
  for (const bool moves : {true, false, true, true}) {
    gap.add(50, 100, 20.0F, moves ? candidate(5.0F) : still()).end();
  }
  EXPECT_EQ(gap.moving(), "--M-");
  Frame hole;
  for (const bool there : {true, false, true, true}) {
    if (there) hole.add(50, 100, 20.0F, candidate(5.0F));
    hole.end();
  }
  EXPECT_EQ(hole.moving(), "-M-");
}

TEST(MotionAgreement, IsWithinTheSigmas) {
  // 3 and 4 are 5 together.
  const auto moving = [](float vx) {
    Frame frame;
    frame.add(50, 100, 20.0F, candidate(20.0F, 3.0F)).end();
    frame.add(50, 100, 20.0F, candidate(vx, 4.0F)).end();
    frame.add(50, 100, 20.0F, candidate(vx, 4.0F)).end();
    return frame.moving();
  };
  EXPECT_EQ(moving(25.0F), "MMM");
  EXPECT_EQ(moving(15.0F), "MMM");
  EXPECT_EQ(moving(std::nextafter(25.0F, 30.0F)), "---");
}

TEST(MotionAgreement, IsAtOneDistance) {
  // The tolerance of 20 px is 1 + 0.05 * 20 = 2 px, that of 18.1 px 1.905 px.
  const auto moving = [](float value) {
    Frame frame;
    frame.add(50, 100, 20.0F, candidate(5.0F)).end();
    for (int c = 0; c < 2; ++c) frame.add(50, 100, value, candidate(5.0F)).end();
    return frame.moving();
  };
  EXPECT_EQ(moving(22.0F), "MMM");
  EXPECT_EQ(moving(18.1F), "MMM");
  EXPECT_EQ(moving(22.5F), "---");
  EXPECT_EQ(moving(17.5F), "---");
  // Within the row margin, but not beyond it: the other two are neighbours only of each other.
  const auto below = [](int row) {
    Frame frame;
    frame.add(50, 100, 20.0F, candidate(5.0F)).end();
    for (int c = 0; c < 2; ++c) frame.add(row, row + 50, 20.0F, candidate(5.0F)).end();
    return frame.moving();
  };
  EXPECT_EQ(below(100 + kRowMargin), "MMM");
  EXPECT_EQ(below(101 + kRowMargin), "---");
  // A line is measured in the middle row of the other.
  Frame slanted;
  slanted.add(60, 80, 20.0F, candidate(5.0F)).end();
  for (int c = 0; c < 2; ++c) {
    slanted.add(20, 120, 10.0F, candidate(5.0F), kUpright, 30.0F).end();
  }
  EXPECT_EQ(slanted.moving(), "MMM");
}

TEST(MotionAgreement, AsksTheNearest) {
  // Segments above and below row 75, and one that contains it: the nearest does not move.
  Frame frame;
  frame.add(50, 100, 20.0F, candidate(5.0F)).end();
  for (int c = 0; c < 2; ++c) {
    frame.add(50, 70, 20.0F, candidate(5.0F)).add(71, 80, 20.0F, still());
    frame.add(81, 100, 20.0F, candidate(5.0F)).end();
  }
  EXPECT_EQ(frame.moving()[0], '-');
  // At another distance, it is skipped for the next one; of two equally near ones, the first
  // counts.
  Frame behind;
  behind.add(50, 100, 20.0F, candidate(5.0F)).end();
  for (int c = 0; c < 2; ++c) {
    behind.add(50, 70, 20.0F, candidate(5.0F)).add(71, 79, 5.0F, still());
    behind.add(80, 100, 20.0F, still()).end();
  }
  EXPECT_EQ(behind.moving()[0], 'M');
  for (std::size_t i : {1U, 4U}) std::swap(behind.motions[i], behind.motions[i + 2]);
  EXPECT_EQ(behind.moving()[0], '-');
}

TEST(MotionAgreement, LeavesOutTheGround) {
  Frame frame = thing(5);
  frame.classes = {kUpright, kGround, kUpright, kGround, kUpright};
  EXPECT_EQ(frame.moving(true), "M-M-M");
  EXPECT_EQ(frame.moving(false), "MMMMM");
}

// A road and on it a thing of four columns, all equally fast. With ego-motion, the road counts as
// static whatever its tracks say; existing classes take precedence.
TEST(MotionAgreement, FindsTheGroundItself) {
  for (const bool depths : {false, true}) {
    const auto value = [&](float disparity) { return depths ? 400.0F / disparity : disparity; };
    const Values values = {depths ? Measure::kDepth : Measure::kDisparity, 1.0, 0.0, 0.0};
    Frame frame;
    std::string road;
    std::string thing;
    for (int c = 0; c < 40; ++c) {
      const bool on_it = c >= 10 && c < 14;
      if (on_it) frame.add(60, 120, value(24.0F), candidate(5.0F));
      frame.add(on_it ? 121 : 60, 180, value(on_it ? 24.4F : 12.0F), candidate(5.0F), kUpright,
                value(36.0F));
      frame.end();
      thing += on_it ? "M-" : "-";
      road += on_it ? "MM" : "M";
    }
    EXPECT_EQ(frame.moving(false, EgoMotion::kEstimate, values), thing);
    EXPECT_EQ(frame.moving(false, EgoMotion::kGiven, values), thing);
    EXPECT_EQ(frame.moving(false, EgoMotion::kNone, values), road);
    EXPECT_EQ(frame.moving(true, EgoMotion::kEstimate, values), road);
  }
}

// The definition, implemented literally.
bool moves(const Input& in, const Parameters& parameters, const std::vector<SegmentMotion>& motions,
           int c, std::size_t i) {
  const auto moving = [&](std::size_t k) { return (motions[k].flags & kMoving) != 0; };
  if (!moving(i) || (!in.classes.empty() && in.classes[i] == kGround)) return false;
  const Segment& s = in.segments.segments()[i];
  const double row = (s.first_row + s.last_row) / 2.0;
  const double measure = measure_of(value_at(s, row), in.values);
  if (!(measure > 0.0)) return false;
  int agreeing = 0;
  for (const int step : {-2, -1, 1, 2}) {
    if (c + step < 0 || c + step >= in.segments.columns()) continue;
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = in.segments.offsets()[static_cast<std::size_t>(c + step)];
         k < in.segments.offsets()[static_cast<std::size_t>(c + step) + 1]; ++k) {
      const Segment& t = in.segments.segments()[k];
      if (t.first_row > s.last_row + kRowMargin || t.last_row < s.first_row - kRowMargin) continue;
      const double nearest = std::min(std::max<double>(t.first_row, row), double{1} * t.last_row);
      const double there = measure_of(value_at(t, nearest), in.values);
      if (!(there > 0.0) ||
          std::fabs(there - measure) > measure_tolerance(measure, in.values, parameters)) {
        continue;
      }
      if (std::fabs(nearest - row) < least) {
        least = std::fabs(nearest - row);
        best = k;
      }
    }
    if (std::isinf(least) || !moving(best)) continue;
    const SegmentMotion& a = motions[i];
    const SegmentMotion& b = motions[best];
    const double x = double{a.vx} - double{b.vx};
    const double y = double{a.vy} - double{b.vy};
    const double z = double{a.vz} - double{b.vz};
    const double sigmas = double{a.sigma} * double{a.sigma} + double{b.sigma} * double{b.sigma};
    agreeing += x * x + y * y + z * z <= sigmas ? 1 : 0;
  }
  return agreeing >= 2;
}

TEST(MotionAgreement, EqualsTheDefinition) {
  test::Numbers numbers(11);
  int kept = 0;
  int taken = 0;
  for (int round = 0; round < 300; ++round) {
    Frame frame;
    const int columns = 1 + numbers.below(12);
    for (int c = 0; c < columns; ++c) {
      int row = numbers.below(20);
      while (row < 150 && numbers.below(8) != 0) {
        const int last = row + numbers.below(30);
        SegmentMotion motion = candidate(static_cast<float>(5 + numbers.below(3)));
        motion.vz = static_cast<float>(numbers.below(3));
        if (numbers.below(6) == 0) motion = still();
        frame.add(row, last, static_cast<float>(18 + numbers.below(6)), motion,
                  static_cast<std::uint8_t>(numbers.below(3)),
                  static_cast<float>(18 + numbers.below(6)));
        row = last + numbers.below(2) * numbers.below(20);
      }
      frame.end();
    }
    const Input in = frame.input(round % 2 == 0);
    std::vector<SegmentMotion> motions = frame.motions;
    keep_agreeing(in, {}, motions);
    for (int c = 0; c < columns; ++c) {
      for (std::size_t i = frame.offsets[static_cast<std::size_t>(c)];
           i < frame.offsets[static_cast<std::size_t>(c) + 1]; ++i) {
        const bool expected = moves(in, {}, frame.motions, c, i);
        ASSERT_EQ((motions[i].flags & kMoving) != 0, expected) << round << " " << i;
        ++((expected ? kept : taken));
      }
    }
  }
  EXPECT_GT(kept, 1000);
  EXPECT_GT(taken, 1000);
}

// A pedestrian 20 m ahead, 0.5 m wide and 1.7 m high, who crosses before a wall 40 m ahead, in
// columns of five pixels: at 720 px of focal length 18 px, so that three or four columns show them.
TEST(MotionAgreement, APedestrianStaysFlagged) {
  constexpr double kFocal = 720.0;
  constexpr double kBase = 0.54;
  constexpr int kColumns = 60;
  Parameters parameters;
  parameters.disparity_noise = 0.05;
  Engine engine;
  for (int frame = 0; frame < 45; ++frame) {
    const double left = 100.0 + frame * (2.0 / 30.0) * kFocal / 20.0;  // 2 m/s
    const auto is_person = [&](double x) { return x >= left && x < left + 18.0; };
    std::vector<std::uint32_t> offsets = {0};
    std::vector<Segment> segments;
    std::vector<std::size_t> of_person;
    for (int c = 0; c < kColumns; ++c) {
      if (is_person(5.0 * c + 2.0)) of_person.push_back(segments.size());
      const double z = is_person(5.0 * c + 2.0) ? 20.0 : 40.0;
      const auto value = static_cast<float>(kFocal * kBase / z);
      segments.push_back({100, 161, value, value});
      offsets.push_back(static_cast<std::uint32_t>(segments.size()));
    }
    std::vector<klt::Track> tracks;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 7; ++j) {
        tracks.push_back({static_cast<std::uint32_t>(1 + 7 * i + j),
                          static_cast<std::uint32_t>(frame), static_cast<float>(left + 4 + 5 * i),
                          static_cast<float>(104 + 8 * j), 0.0F, 0.0F, 1.0F, 10.0F});
      }
    }
    Input in;
    in.width = 5 * kColumns;
    in.height = 200;
    in.column_width = 5;
    in.segments = {offsets, segments};
    in.has_camera = true;
    in.camera = {kFocal, kFocal, 150.0, 100.0, kBase};
    in.pts = 1000 + static_cast<std::uint64_t>(frame) * 33333333;
    in.tracks = tracks;
    const Result result = engine.advance(in, parameters);
    if (frame < 30) continue;
    ASSERT_GE(of_person.size(), 3U);
    for (const std::size_t i : of_person) {
      EXPECT_NEAR(result.segments[i].vx, 2.0F, 0.2F);
      EXPECT_TRUE((result.segments[i].flags & kMoving) != 0) << frame << " " << i;
    }
    // The wall is not flagged.
    EXPECT_EQ(result.counts.moving, static_cast<int>(of_person.size()));
  }
}

}  // namespace
}  // namespace rdp::motion
