// SPDX-License-Identifier: LGPL-2.1-or-later
// The steps of segment motion, one by one: assignment of tracks to segments, medians, the solver,
// the filter, and rotations of poses. The filter is compared with a second one in plain matrices.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "common/image/simd.h"
#include "common/motion/column_medians.h"
#include "common/motion/kalman.h"
#include "common/motion/ldlt.h"
#include "common/motion/lower_median.h"
#include "common/motion/pose_step.h"
#include "common/motion/segment_motion.h"
#include "common/motion/support.h"

namespace rdp::motion {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// --- places and supports -------------------------------------------------------------------------

// Eight columns of ten rows. Column 2: rows 1 to 4 from 10 to 40, which shares its end with 4 to 6
// at 80; column 5: row 9 alone, at 50.
struct SmallPicture {
  std::vector<std::uint32_t> offsets = {0, 0, 0, 2, 2, 2, 3, 3, 3};
  std::vector<Segment> segments = {{1, 4, 10, 40}, {4, 6, 80, 80}, {9, 9, 50, 50}};
  std::vector<std::uint8_t> classes = {1, 2, 3};

  Input input() const {
    Input in;
    in.width = 8;
    in.height = 10;
    in.segments = {offsets, segments};
    in.classes = classes;
    return in;
  }
};

klt::Track track_at(double x, double y) {
  return {1, 5, static_cast<float>(x), static_cast<float>(y), 0, 0, 0, 0};
}

struct PlaceCase {
  const char* what;
  double x, y;
  double measure;  // 0: on no segment
  int kind;
};

TEST(MotionPlace, IsOnTheSegmentThatHoldsItsPixel) {
  const SmallPicture picture;
  const PlaceCase cases[] = {
      {"in the middle of a line", 2.0, 2.0, 20.0, 1},
      {"between rows", 2.0, 2.25, 22.5, 1},
      {"the column begins half a pixel before its centre", 1.5, 2.0, 20.0, 1},
      {"and ends half a pixel after", 2.499, 2.0, 20.0, 1},
      {"the next column", 2.5, 2.0, 0.0, 0},
      {"above the first row, as far as its pixel goes", 2.0, 0.5, 5.0, 1},
      {"above that", 2.0, 0.499, 0.0, 0},
      {"a shared row is the upper one's", 2.0, 4.25, 42.5, 1},
      {"the row after it", 2.0, 4.5, 80.0, 2},
      {"below the last", 2.0, 6.5, 0.0, 0},
      {"a single row", 5.0, 9.25, 50.0, 3},
      {"outside on the right", 7.5, 2.0, 0.0, 0},
      {"outside on the left", -0.51, 2.0, 0.0, 0},
      {"outside below", 5.0, 9.5, 0.0, 0},
      {"outside above", 2.0, -0.51, 0.0, 0},
      {"far outside", 1e5, -1e5, 0.0, 0}};
  for (const PlaceCase& c : cases) {
    const Placed placed = place_track(track_at(c.x, c.y), picture.input());
    EXPECT_TRUE(placed.has_place) << c.what;
    EXPECT_NEAR(placed.measure, c.measure, 1e-5) << c.what;
    EXPECT_EQ(placed.kind, c.kind) << c.what;
  }
  for (const double odd : {kNan, std::numeric_limits<double>::infinity(), 1e30, -1e30}) {
    for (const klt::Track& track : {track_at(odd, 2.0), track_at(2.0, odd)}) {
      const Placed placed = place_track(track, picture.input());
      EXPECT_FALSE(placed.has_place);
      EXPECT_EQ(placed.measure, 0.0);
    }
  }
}

TEST(MotionPlace, MeasuresWhatTheValuesAre) {
  SmallPicture picture;
  const auto measure = [&](const Values& values) {
    Input in = picture.input();
    in.values = values;
    return place_track(track_at(2.0, 2.0), in).measure;  // of the value 20
  };
  EXPECT_EQ(measure({Measure::kDisparity, 0.25, 0.0, 0.0}), 5.0);
  EXPECT_EQ(measure({Measure::kDisparity, 0.25, 1.5, 0.0}), 6.5);
  EXPECT_EQ(measure({Measure::kDisparity, 0.25, -5.0, 0.0}), 0.0);
  EXPECT_EQ(measure({Measure::kDepth, 0.25, 0.0, 0.0}), 5.0);
  EXPECT_EQ(measure({Measure::kDepth, 0.25, 0.0, 1000.0}), 12.5);
  picture.segments[0] = {1, 4, 0.0F, 0.0F};
  EXPECT_EQ(measure({}), 0.0);
  picture.segments[0] = {1, 4, -9.0F, -8.0F};
  EXPECT_EQ(measure({}), 0.0);
}

// Ids of the tracks that support a segment of rows 100 to 120 in column 50 with the value 40.
std::vector<std::uint32_t> supports_of(const std::vector<Placed>& placed, const Values& values,
                                       const Parameters& parameters, int column_width = 1) {
  Input in;
  in.width = 200;
  in.height = 300;
  in.column_width = column_width;
  in.values = values;
  const std::vector<std::uint32_t> ages(placed.size(), 3);
  Supports supports;
  supports.begin(placed.size(), in.width);
  supports.index(placed, ages, in, parameters);
  supports.enter_column(50 / column_width, in, parameters);
  const auto found = supports.of({100, 120, 40.0F, 44.0F}, 7, in);
  return {found.begin(), found.end()};
}

Placed placed_at(int column, double v, double measure, int kind = 7) {
  Placed placed;
  placed.u = column;
  placed.v = v;
  placed.has_place = true;
  placed.column = column;
  placed.measure = measure;
  placed.kind = static_cast<std::uint8_t>(kind);
  return placed;
}

TEST(MotionSupport, IsNearOfTheSameValueAndClass) {
  const Values values;
  // Each but the first violates one condition. The expected value is 42 at row 110, and the end's
  // value beyond an end; the tolerance is 1 + 0.05 of the track's value.
  const std::vector<Placed> placed = {placed_at(50, 110.0, 42.0),
                                      placed_at(26, 110.0, 42.0),
                                      placed_at(25, 110.0, 42.0),
                                      placed_at(74, 110.0, 42.0),
                                      placed_at(75, 110.0, 42.0),
                                      placed_at(50, 92.0, 40.0),
                                      placed_at(50, 91.9, 40.0),
                                      placed_at(50, 128.0, 44.0),
                                      placed_at(50, 128.1, 44.0),
                                      placed_at(50, 110.0, 42.0, 6),
                                      placed_at(50, 110.0, 43.0 / 0.95 - 0.01),
                                      placed_at(50, 110.0, 43.0 / 0.95 + 0.01),
                                      placed_at(50, 110.0, 41.0 / 1.05 + 0.01),
                                      placed_at(50, 110.0, 41.0 / 1.05 - 0.01),
                                      placed_at(50, 95.0, 43.2),
                                      placed_at(50, 110.0, 0.0)};
  EXPECT_EQ(supports_of(placed, values, {}), (std::vector<std::uint32_t>{1, 0, 5, 7, 10, 12, 3}));
  Parameters older;
  older.min_age = 4;
  EXPECT_TRUE(supports_of(placed, values, older).empty());
  Parameters own;
  own.reach = 0;
  EXPECT_EQ(supports_of(placed, values, own), (std::vector<std::uint32_t>{0, 5, 7, 10, 12}));
}

TEST(MotionSupport, OfDepthsByTheirNoise) {
  const Values values = {Measure::kDepth, 0.1, 0.0, 0.0};  // 4.2 m at row 110
  Parameters parameters;
  parameters.depth_noise = 0.01;
  parameters.tolerance_relative = 0.01;
  // 3 * 0.01 * 4.9^2 + 0.01 * 4.9 = 0.77
  EXPECT_EQ(supports_of({placed_at(50, 110.0, 4.9), placed_at(50, 110.0, 5.1),
                         placed_at(50, 110.0, 3.75), placed_at(50, 110.0, 3.7)},
                        values, parameters),
            (std::vector<std::uint32_t>{0, 2}));
}

TEST(MotionSupport, ReachesFromTheEdgesOfWideColumns) {
  Parameters parameters;
  parameters.reach = 2;
  // Column 12 of pixels 48 to 51.
  std::vector<Placed> placed;
  for (const int column : {45, 46, 51, 53, 54}) placed.push_back(placed_at(column, 110.0, 42.0));
  EXPECT_EQ(supports_of(placed, {}, parameters, 4), (std::vector<std::uint32_t>{1, 2, 3}));
}

// --- medians -------------------------------------------------------------------------------------

// By the definition: element (n - 1) / 2 in ascending order.
double plain_median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}
double plain_deviation(std::vector<double> values) {
  const double median = plain_median(values);
  for (double& value : values) value = std::fabs(value - median);
  return plain_median(values);
}

TEST(MotionMedian, IsOneOfTheValues) {
  std::vector<double> values = {3.0};
  EXPECT_EQ(lower_median(values), 3.0);
  values = {4.0, 1.0};
  EXPECT_EQ(lower_median(values), 1.0);
  values = {9.0, 1.0, 5.0};
  EXPECT_EQ(lower_median(values), 5.0);
  values = {9.0, 1.0, 5.0, 7.0};
  EXPECT_EQ(lower_median(values), 5.0);
  values = {9.0, 1.0, 5.0, 7.0};
  EXPECT_EQ(lower_deviation(values, 5.0), 2.0);  // of 0 2 4 4
  values = {-0.0, -0.0};
  EXPECT_FALSE(std::signbit(lower_median(values)));
}

TEST(MotionMedian, OfColumnsIsTheSameOnEveryTarget) {
  std::mt19937 random(1);
  for (const std::string& target : simd_targets()) {
    ASSERT_TRUE(use_simd_target(target));
    for (std::size_t count = 1; count <= 130; ++count) {
      std::vector<MedianRow> rows(count);
      std::vector<double> columns[kMedianColumns];
      for (MedianRow& row : rows) {
        for (int c = 0; c < 8; ++c) {
          // Many ties in every second column.
          const auto number = static_cast<double>(random() % (c % 2 == 0 ? 1000U : 5U));
          row.at[c] = number / 8.0 - 50.0;
          if (c < kMedianColumns) columns[c].push_back(row.at[c]);
        }
      }
      sort_columns(rows.data(), count);
      MedianRow median;
      MedianRow deviation;
      middle_of_columns(rows.data(), count, &median, &deviation);
      for (int c = 0; c < kMedianColumns; ++c) {
        ASSERT_EQ(median.at[c], plain_median(columns[c])) << target << " " << count;
        ASSERT_EQ(deviation.at[c], plain_deviation(columns[c])) << target << " " << count;
      }
    }
  }
  use_simd_target("");
}

// Few and many tracks, some with known image motion and some with known 3D motion; the object is
// reused.
TEST(MotionMedian, OfSegmentsIsThatOfWhatIsKnown) {
  std::mt19937 random(2);
  SegmentMotions motions;
  motions.begin(1000);
  for (const std::size_t count : std::vector<std::size_t>{1, 2, 3, 7, 40, 127, 128, 129, 400}) {
    std::vector<Moved> moved(1000);
    std::vector<std::uint32_t> support;
    std::vector<double> known[kComponents];
    for (std::size_t k = 0; k < count; ++k) {
      support.push_back(static_cast<std::uint32_t>(2 * k));
      Moved& m = moved[2 * k];
      const auto number = [&] { return static_cast<double>(random() % 4001) / 64.0 - 31.25; };
      if (random() % 3 != 0) m.set_shift(number(), number());
      if (random() % 4 != 0) m.set_velocity(number(), number(), number(), number() + 32.0);
      for (int c = 0; c < kComponents; ++c) {
        if (c <= kDy ? m.in_picture : m.in_space) known[c].push_back(m.row.at[c]);
      }
    }
    Parameters parameters;
    parameters.min_tracks = 1;
    motions.begin(1000);
    for (int again = 0; again < 2; ++again) {
      const SegmentMotion m = motions.of(support, 0, moved, parameters);
      EXPECT_EQ(m.tracks, count);
      if (known[kDx].empty()) {
        EXPECT_TRUE(std::isnan(m.dx));
      } else {
        EXPECT_EQ(m.dx, static_cast<float>(plain_median(known[kDx])));
        EXPECT_EQ(m.dy, static_cast<float>(plain_median(known[kDy])));
        EXPECT_EQ(m.spread, static_cast<float>(std::max(plain_deviation(known[kDx]),
                                                        plain_deviation(known[kDy]))));
      }
      ASSERT_EQ((m.flags & kKnown) != 0, !known[kVx].empty());
      if (known[kVx].empty()) continue;
      EXPECT_EQ(m.vx, static_cast<float>(plain_median(known[kVx])));
      EXPECT_EQ(m.vz, static_cast<float>(plain_median(known[kVz])));
      double apart = 0.0;
      for (const int c : {kVx, kVy, kVz}) apart += std::pow(plain_deviation(known[c]), 2);
      EXPECT_NEAR(m.sigma, std::max(plain_median(known[kSigma]), 1.4826 * std::sqrt(apart)),
                  1e-5 * m.sigma);
    }
  }
}

TEST(MotionMedian, MovesAboveThreeSigmaAndOneMetreASecond) {
  const auto flags = [](double speed, double sigma, EgoMotion ego) {
    std::vector<Moved> moved(3);
    for (Moved& m : moved) m.set_velocity(0.0, speed, 0.0, sigma);
    const std::vector<std::uint32_t> support = {0, 1, 2};
    SegmentMotions motions;
    motions.begin(3);
    Parameters parameters;
    parameters.ego_motion = ego;
    return motions.of(support, 0, moved, parameters).flags;
  };
  EXPECT_EQ(flags(3.01, 1.0, EgoMotion::kNone), kKnown | kMoving);
  EXPECT_EQ(flags(2.99, 1.0, EgoMotion::kNone), kKnown);
  EXPECT_EQ(flags(-1.01, 0.1, EgoMotion::kGiven), kKnown | kAbsolute | kMoving);
  EXPECT_EQ(flags(0.99, 0.1, EgoMotion::kEstimate), kKnown | kAbsolute);
}

// --- the solver ----------------------------------------------------------------------------------

TEST(MotionLdlt, SolvesWhatIsPositive) {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    Matrix<6, 6> root;
    for (auto& row : root.at) {
      for (double& x : row) x = static_cast<double>(random() % 2001) / 1000.0 - 1.0;
    }
    Matrix<6, 6> a = symmetric_product(root, transposed(root));
    for (int i = 0; i < 6; ++i) a.at[i][i] += 0.1;
    const double b[6] = {1.0, -2.0, 3.0, -4.0, 5.0, -6.0};
    Ldlt<6> solver;
    ASSERT_TRUE(solver.factor(a));
    double x[6];
    solver.solve(b, x);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(dot(a.at[i], x), b[i], 1e-9);
  }
}

TEST(MotionLdlt, RefusesAPivotThatIsNotPositive) {
  for (const double odd : {0.0, -1.0, kNan}) {
    for (int i = 0; i < 3; ++i) {
      Matrix<3, 3> a;
      for (int k = 0; k < 3; ++k) a.at[k][k] = k == i ? odd : 2.0;
      EXPECT_FALSE(Ldlt<3>().factor(a));
    }
  }
  Matrix<3, 3> dependent;  // of rank 1
  for (auto& row : dependent.at) {
    for (double& x : row) x = 1.0;
  }
  EXPECT_FALSE(Ldlt<3>().factor(dependent));
}

// --- the filter, once more -----------------------------------------------------------------------

using Dense = std::vector<std::vector<double>>;

Dense dense(int rows, int columns) {
  return Dense(static_cast<std::size_t>(rows),
               std::vector<double>(static_cast<std::size_t>(columns), 0.0));
}
Dense times(const Dense& a, const Dense& b) {
  Dense out(a.size(), std::vector<double>(b[0].size(), 0.0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b[0].size(); ++j) {
      for (std::size_t k = 0; k < b.size(); ++k) out[i][j] += a[i][k] * b[k][j];
    }
  }
  return out;
}
Dense flipped(const Dense& a) {
  Dense out(a[0].size(), std::vector<double>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a[0].size(); ++j) out[j][i] = a[i][j];
  }
  return out;
}
// Gauss-Jordan elimination with pivoting.
Dense inverse(Dense a) {
  const std::size_t n = a.size();
  for (std::size_t i = 0; i < n; ++i) {
    a[i].resize(2 * n);
    a[i][n + i] = 1.0;
  }
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < n; ++r) {
      if (std::fabs(a[r][c]) > std::fabs(a[pivot][c])) pivot = r;
    }
    std::swap(a[c], a[pivot]);
    const double by = a[c][c];
    for (double& x : a[c]) x /= by;
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double part = a[r][c];
      for (std::size_t k = 0; k < 2 * n; ++k) a[r][k] -= part * a[c][k];
    }
  }
  for (auto& row : a) row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n));
  return a;
}

struct DenseFilter {
  Dense x, c;

  void predict(const Dense& r, const Dense& t, double dt) {
    Dense f = dense(6, 6);
    Dense shift = dense(6, 1);
    for (std::size_t i = 0; i < 3; ++i) {
      shift[i][0] = t[i][0];
      for (std::size_t j = 0; j < 3; ++j) {
        f[i][j] = f[3 + i][3 + j] = r[i][j];
        f[i][3 + j] = r[i][j] * dt;
      }
    }
    x = times(f, x);
    c = times(times(f, c), flipped(f));
    for (std::size_t i = 0; i < 6; ++i) {
      x[i][0] += shift[i][0];
      c[i][i] += (i < 3 ? 0.0004 : 0.09) * dt / 0.1;
    }
  }
  // Returns the measurement's squared Mahalanobis distance.
  double update(const Dense& z, double sigma, double fx, double fy, double cx, double cy,
                double fb) {
    const double X = x[0][0], Y = x[1][0], Z = x[2][0];
    const bool depth = fb == 0.0;
    const Dense seen = {{fx * X / Z + cx}, {fy * Y / Z + cy}, {depth ? Z : fb / Z}};
    const Dense h = {{fx / Z, 0, -fx * X / Z / Z, 0, 0, 0},
                     {0, fy / Z, -fy * Y / Z / Z, 0, 0, 0},
                     {0, 0, depth ? 1.0 : -fb / Z / Z, 0, 0, 0}};
    Dense s = times(times(h, c), flipped(h));
    s[0][0] += 0.09;
    s[1][1] += 0.09;
    s[2][2] += sigma * sigma;
    const Dense si = inverse(s);
    Dense r = dense(3, 1);
    for (std::size_t i = 0; i < 3; ++i) r[i][0] = z[i][0] - seen[i][0];
    const double distance = times(times(flipped(r), si), r)[0][0];
    const Dense k = times(times(c, flipped(h)), si);
    const Dense step = times(k, r);
    const Dense kh = times(k, h);
    Dense rest = dense(6, 6);
    for (std::size_t i = 0; i < 6; ++i) {
      x[i][0] += step[i][0];
      for (std::size_t j = 0; j < 6; ++j) rest[i][j] = (i == j ? 1.0 : 0.0) - kh[i][j];
    }
    c = times(rest, c);
    return distance;
  }
};

void expect_same(const Kalman& filter, const DenseFilter& plain) {
  for (std::size_t i = 0; i < 6; ++i) {
    ASSERT_NEAR(filter.state[i], plain.x[i][0], 1e-9 * (1.0 + std::fabs(plain.x[i][0])));
    for (std::size_t j = 0; j < 6; ++j) {
      ASSERT_NEAR(filter.covariance.at[i][j], plain.c[i][j],
                  1e-9 * (1.0 + std::fabs(plain.c[i][j])));
      ASSERT_EQ(filter.covariance.at[i][j], filter.covariance.at[j][i]);
    }
  }
}

TEST(MotionKalman, IsThatOfPlainMatrices) {
  std::mt19937 random(4);
  const auto number = [&](double most) {
    return (static_cast<double>(random() % 20001) / 10000.0 - 1.0) * most;
  };
  int kept = 0;
  int ended = 0;
  for (int round = 0; round < 300; ++round) {
    const Measure measures = round % 2 == 0 ? Measure::kDisparity : Measure::kDepth;
    const Space space({500.0, 520.0, 300.0, 200.0, 0.5}, measures);
    const double fb = measures == Measure::kDisparity ? 250.0 : 0.0;
    const Point at = {number(8.0), number(3.0), 12.0 + number(8.0)};
    const double sigma = 0.05 + 0.5 * std::fabs(number(1.0));
    Kalman filter = Kalman::start(at, sigma, space);

    // Initial covariance: J^-1 diag J^-T.
    const Dense j = {{500.0 / at.z, 0, -500.0 * at.x / at.z / at.z},
                     {0, 520.0 / at.z, -520.0 * at.y / at.z / at.z},
                     {0, 0, fb == 0.0 ? 1.0 : -fb / at.z / at.z}};
    const Dense noise = {{0.09, 0, 0}, {0, 0.09, 0}, {0, 0, sigma * sigma}};
    const Dense start = times(times(inverse(j), noise), flipped(inverse(j)));
    DenseFilter plain;
    plain.x = {{at.x}, {at.y}, {at.z}, {0}, {0}, {0}};
    plain.c = dense(6, 6);
    for (std::size_t i = 0; i < 3; ++i) {
      plain.c[3 + i][3 + i] = 100.0;
      for (std::size_t k = 0; k < 3; ++k) plain.c[i][k] = start[i][k];
    }
    expect_same(filter, plain);
    EXPECT_FALSE(filter.has_velocity);

    for (int step = 0; step < 8; ++step) {
      Pose ego;
      turn({number(0.3), number(0.3), number(0.5), number(0.05), number(0.05), number(0.05)}, &ego);
      Dense r = dense(3, 3);
      Dense t = dense(3, 1);
      for (std::size_t i = 0; i < 3; ++i) {
        t[i][0] = ego.m[4 * i + 3];
        for (std::size_t k = 0; k < 3; ++k) r[i][k] = ego.m[4 * i + k];
      }
      const double dt = 0.05 + 0.05 * std::fabs(number(1.0));
      filter.predict(ego, dt);
      plain.predict(r, t, dt);
      expect_same(filter, plain);
      const double z = filter.state[2];
      if (!(z > 1.0)) break;
      const double spread = round % 3 == 0 ? 4.0 : 1.0;
      const Measurement seen = {500.0 * filter.state[0] / z + 300.0 + number(spread),
                                520.0 * filter.state[1] / z + 200.0 + number(spread),
                                (fb == 0.0 ? z : fb / z) + number(spread * sigma), sigma};
      const double distance =
          plain.update({{seen.u}, {seen.v}, {seen.measure}}, sigma, 500.0, 520.0, 300.0, 200.0, fb);
      const bool goes_on = filter.update(seen, space);
      ASSERT_EQ(goes_on, distance <= 16.0);
      if (!goes_on) {
        ++ended;
        break;
      }
      ++kept;
      expect_same(filter, plain);
      ASSERT_TRUE(filter.is_sound() && filter.has_velocity);
    }
    if (testing::Test::HasFatalFailure()) FAIL() << "round " << round;
  }
  EXPECT_GT(kept, 500);
  EXPECT_GT(ended, 10);
}

TEST(MotionKalman, OnlyPredictsWhereItCannotMeasure) {
  const Space space({500.0, 500.0, 300.0, 200.0, 0.5}, Measure::kDepth);
  const Measurement seen = {300.0, 200.0, 0.6, 0.1};
  const auto changed = [&](Kalman filter) {
    const Kalman before = filter;
    EXPECT_TRUE(filter.update(seen, space));
    return !std::equal(before.state, before.state + 6, filter.state);
  };
  Kalman filter = Kalman::start({0.0, 0.0, 0.51}, 0.1, space);
  EXPECT_TRUE(changed(filter));
  filter.state[2] = 0.5;
  EXPECT_FALSE(changed(filter));
  EXPECT_FALSE(filter.has_velocity);
  // An invalid covariance: a negative pivot.
  filter.state[2] = 0.51;
  filter.covariance.at[0][0] = -1e9;
  EXPECT_FALSE(changed(filter));
  filter.covariance.at[0][0] = kNan;
  EXPECT_FALSE(changed(filter));
  EXPECT_FALSE(filter.is_sound());
}

// --- poses ---------------------------------------------------------------------------------------

TEST(MotionPose, TurnsByCayleysRotation) {
  // Rotation about y; `a` is the tangent of half the angle.
  Pose pose;
  pose.m[3] = 1.0;
  turn({0.5, 0.0, 0.0, 0.0, 2.0 * std::tan(0.2), 0.0}, &pose);
  const double c = std::cos(0.4);
  const double s = std::sin(0.4);
  const double expected[12] = {c, 0, s, c + 0.5, 0, 1, 0, 0, -s, 0, c, -s};
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(pose.m[i], expected[i], 1e-12) << i;
}

// A Gauss-Newton step from the exact pose does not move; one from nearby converges.
TEST(MotionPose, StepsTowardsWhatIsSeen) {
  const Camera camera = {500.0, 510.0, 320.0, 240.0, 0.5};
  Pose truth;
  turn({0.2, -0.1, 0.8, 0.01, -0.02, 0.015}, &truth);
  const Point points[] = {{-3, 1, 9}, {2, -1, 12}, {0.5, 2, 7}, {-1, -2, 20}};
  Pose pose;
  for (int step = 0; step < 6; ++step) {
    NormalEquations equations;
    for (const Point& p : points) {
      const Point seen = transform(truth, p);
      equations.add(posed(pose, p.x, p.y, p.z, 0.1),
                    camera.focal_x * seen.x / seen.z + camera.principal_x,
                    camera.focal_y * seen.y / seen.z + camera.principal_y, camera);
    }
    ASSERT_TRUE(equations.move(1e-6, 5.0, &pose));
  }
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(pose.m[i], truth.m[i], 1e-9) << i;

  NormalEquations odd;
  odd.add({kNan, 0.0, 1.0}, 0.0, 0.0, camera);
  EXPECT_FALSE(odd.move(1e-6, 5.0, &pose));
  // Points behind or too near are clamped to the least distance.
  EXPECT_EQ(posed({}, 1.0, 2.0, -3.0, 0.1).z, 0.1);
}

}  // namespace
}  // namespace rdp::motion
