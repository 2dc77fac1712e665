// SPDX-License-Identifier: LGPL-2.1-or-later
// The motion of segments and tracks in scenes with known truth.
#include "common/motion/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/motion/motion_scene.h"

namespace rdp::motion {
namespace {

using test::Scene;
using test::SceneFrame;
using test::turned_pose;

double length(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }
bool has(const SegmentMotion& m, std::uint16_t flag) { return (m.flags & flag) != 0; }

// A camera that drives forward at 12 m/s, drifts to the right and turns.
Pose driven(double seconds) {
  return turned_pose(0.1 * seconds, {0.7 * seconds, 0.1 * seconds, 12.0 * seconds});
}
Pose standing(double) { return {}; }

// Keeps the input of a frame: results refer to the engine's memory and to the input's.
struct Driver {
  Engine engine;
  SceneFrame frame;
  Result result;

  const Result& see(const Scene& scene, double seconds, const Pose& pose, std::uint32_t age,
                    const Parameters& parameters) {
    frame = scene.frame(seconds, pose, age);
    result = engine.advance(frame.input(), parameters);
    return result;
  }
  // Frames 0 to `last`, dt apart.
  const Result& drive(const Scene& scene, Pose (*pose)(double), int last, double dt,
                      const Parameters& parameters) {
    for (int k = 0; k <= last; ++k) {
      see(scene, k * dt, pose(k * dt), static_cast<std::uint32_t>(k), parameters);
    }
    return result;
  }
};

Parameters with_ego(EgoMotion ego) {
  Parameters parameters;
  parameters.ego_motion = ego;
  return parameters;
}

TEST(MotionEngine, KnowsHowTheCameraMovesAndThatTheWorldStands) {
  Scene scene;
  scene.add_grid(80, 40, 25.0, 25.0);
  for (const EgoMotion ego : {EgoMotion::kGiven, EgoMotion::kEstimate}) {
    Driver run;
    const Result& r = run.drive(scene, driven, 8, 0.1, with_ego(ego));
    ASSERT_TRUE(r.accepted && r.has_previous && r.has_ego);
    EXPECT_NEAR(r.dt, 0.1, 1e-12);
    const Pose truth = pose_between(driven(0.7), driven(0.8));
    for (int i = 0; i < 12; ++i) EXPECT_NEAR(r.ego.m[i], truth.m[i], 1e-6) << i;
    EXPECT_GT(r.counts.known, 300);
    EXPECT_EQ(r.counts.moving, 0);
    int known = 0;
    for (const SegmentMotion& m : r.segments) {
      if (!has(m, kKnown)) continue;
      ++known;
      EXPECT_TRUE(has(m, kAbsolute));
      EXPECT_LT(length(m.vx, m.vy, m.vz), 1e-3);
      EXPECT_GT(m.sigma, 0.1F);
    }
    EXPECT_EQ(known, r.counts.known);
  }
}

// Finds the camera's motion although independent objects fill a part of the picture.
TEST(MotionEngine, FindsTheCamerasMotionAmongThingsThatMove) {
  Scene scene;
  scene.add_grid(30, 20, 15.0, 40.0);
  scene.add_grid(20, 9, 10.0, 30.0, {4.0, 0.0, -3.0});
  Driver run;
  const Result& r = run.drive(scene, driven, 3, 0.1, with_ego(EgoMotion::kEstimate));
  ASSERT_TRUE(r.has_ego);
  const Pose truth = pose_between(driven(0.2), driven(0.3));
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(r.ego.m[i], truth.m[i], 1e-5) << i;
  EXPECT_LT(r.counts.ego_inliers, r.counts.ego_tracks);
}

// If each point moves independently, there is no camera motion and no velocity.
TEST(MotionEngine, SaysNothingWhereTooMuchMoves) {
  Scene scene;
  scene.add_grid(24, 18, 10.0, 30.0);
  for (std::size_t i = 0; i < scene.points.size(); ++i) {
    const auto n = static_cast<double>(i);
    scene.points[i].velocity = {9.0 * std::sin(3.0 * n), 9.0 * std::sin(5.0 * n + 1.0),
                                9.0 * std::sin(7.0 * n + 2.0)};
  }
  Driver run;
  const Result& r = run.drive(scene, driven, 5, 0.1, with_ego(EgoMotion::kEstimate));
  EXPECT_FALSE(r.has_ego);
  EXPECT_EQ(r.counts.known, 0);
  EXPECT_GT(r.counts.supported, 0);
  for (const TrackMotion& t : r.tracks) EXPECT_TRUE(std::isnan(t.vx));
  for (const SegmentMotion& m : r.segments) {
    EXPECT_FALSE(has(m, kKnown) || has(m, kAbsolute) || has(m, kMoving));
    EXPECT_TRUE(std::isnan(m.vx) && std::isnan(m.vy) && std::isnan(m.vz) && std::isnan(m.sigma));
  }
}

struct CarCase {
  const char* name;
  Values values;
  EgoMotion ego;
  Filter filter;
  Point velocity;  // over ground
};

const Values kDisparity = {Measure::kDisparity, 1.0 / 256.0, 0.0, 0.0};
const Values kShifted = {Measure::kDisparity, 1.0 / 16.0, 3.5, 0.0};
const Values kMillimetres = {Measure::kDepth, 0.001, 0.0, 0.0};
const Values kInverse = {Measure::kDepth, 0.001, 0.0, 1e6};
const Point kAcross = {10.0, 0.0, 0.0};
const Point kAlong = {0.0, 0.0, 10.0};
const Point kCloser = {0.0, 0.0, -10.0};

class MotionOfACar : public testing::TestWithParam<CarCase> {};

TEST_P(MotionOfACar, IsTold) {
  const CarCase& c = GetParam();
  Scene scene;
  scene.values = c.values;
  const bool driving = c.ego == EgoMotion::kGiven;
  // The car's points stay in neighbouring columns, even if the drive brings it closer.
  scene.column_width = driving && c.velocity.x > 0.0 ? 16 : 10;
  const auto pose = driving ? driven : standing;
  // An approaching car starts farther away, and small enough that its points remain neighbours.
  const bool closer = c.velocity.z < 0.0;
  scene.add_board(driving || closer ? 250.0 : 100.0, 320.0, 9, 7, closer ? 5.0 : 10.0,
                  driving  ? 32.0
                  : closer ? 24.0
                           : 20.0,
                  c.velocity);
  const std::size_t car = scene.points.size();
  scene.add_board(320.0, 80.0, 50, 7, 10.0, 60.0, {});

  Parameters parameters = with_ego(c.ego);
  parameters.filter = c.filter;
  Driver run;
  const int last = 20;
  const double dt = 0.05;
  const Result& r = run.drive(scene, pose, last, dt, parameters);
  // Into the current camera's axes.
  const Pose now = pose_between({}, pose(last * dt));
  Pose turned = now;
  turned.m[3] = turned.m[7] = turned.m[11] = 0.0;
  const Point truth = transform(turned, c.velocity);
  int seen = 0;
  for (std::size_t i = 0; i < r.segments.size(); ++i) {
    const SegmentMotion& m = r.segments[i];
    if (!has(m, kKnown)) continue;
    EXPECT_EQ(has(m, kAbsolute), c.ego != EgoMotion::kNone);
    const bool of_car = run.frame.point_of[i] < car;
    const Point expected = of_car ? truth : Point{};
    EXPECT_NEAR(m.vx, expected.x, 0.3);
    EXPECT_NEAR(m.vy, expected.y, 0.3);
    EXPECT_NEAR(m.vz, expected.z, 0.3);
    EXPECT_GE(m.sigma, 0.0F);
    if (!of_car) {
      EXPECT_FALSE(has(m, kMoving));
    }
    if (of_car && c.filter == Filter::kKalman) {
      EXPECT_TRUE(has(m, kMoving));
    }
    seen += of_car ? 1 : 0;
  }
  EXPECT_GT(seen, 20);
  // Tracks have their own results, too.
  for (const TrackMotion& t : r.tracks) {
    if (t.id > car) continue;
    EXPECT_NEAR(t.vx, truth.x, 0.6);
    EXPECT_NEAR(t.vz, truth.z, 0.6);
    const test::ScenePoint& p = scene.points[t.id - 1];
    const double s = last * dt;
    const Point at = transform(now, {p.place.x + p.velocity.x * s, p.place.y + p.velocity.y * s,
                                     p.place.z + p.velocity.z * s});
    EXPECT_NEAR(t.x, at.x, 0.1);
    EXPECT_NEAR(t.y, at.y, 0.1);
    EXPECT_NEAR(t.z, at.z, 0.2);
  }
}

INSTANTIATE_TEST_SUITE_P(
    , MotionOfACar,
    testing::Values(
        CarCase{"Across", kDisparity, EgoMotion::kNone, Filter::kKalman, kAcross},
        CarCase{"Along", kDisparity, EgoMotion::kNone, Filter::kKalman, kCloser},
        CarCase{"AcrossOverGround", kDisparity, EgoMotion::kGiven, Filter::kKalman, kAcross},
        CarCase{"AlongOverGround", kDisparity, EgoMotion::kGiven, Filter::kKalman, kAlong},
        CarCase{"ShiftedDisparity", kShifted, EgoMotion::kNone, Filter::kKalman, kCloser},
        CarCase{"Depth", kMillimetres, EgoMotion::kNone, Filter::kKalman, kAcross},
        CarCase{"DepthOverGround", kMillimetres, EgoMotion::kGiven, Filter::kKalman, kAlong},
        CarCase{"InverseDepth", kInverse, EgoMotion::kNone, Filter::kKalman, kCloser},
        CarCase{"Unfiltered", kDisparity, EgoMotion::kNone, Filter::kNone, kAcross},
        CarCase{"UnfilteredOverGround", kMillimetres, EgoMotion::kGiven, Filter::kNone, kAlong}),
    [](const testing::TestParamInfo<CarCase>& row) { return std::string(row.param.name); });

// Image motion is the difference of the places in two frames, in the depth picture's pixels. The
// tracker's own motion is ignored.
TEST(MotionEngine, MeasuresTheMotionInThePictureBetweenPairs) {
  Scene scene;
  scene.add_board(300.0, 200.0, 9, 9, 8.0, 20.0, {2.0, -1.0, 0.0});  // 100 and -51 px/s
  Driver run;
  run.see(scene, 0.0, {}, 3, {});
  EXPECT_EQ(run.result.counts.continued, 0);
  for (const SegmentMotion& m : run.result.segments) {
    EXPECT_TRUE(std::isnan(m.dx) && std::isnan(m.dy) && std::isnan(m.spread));
  }
  // Two tracker frames later: the frame in between had no partner.
  const Result& r = run.see(scene, 0.1, {}, 5, {});
  EXPECT_EQ(r.counts.continued, 81);
  ASSERT_FALSE(r.segments.empty());
  for (const SegmentMotion& m : r.segments) {
    EXPECT_GE(m.tracks, 3);
    EXPECT_NEAR(m.dx, 5.0, 1e-4);
    EXPECT_NEAR(m.dy, -2.55, 1e-4);
    EXPECT_LT(m.spread, 1e-4F);
  }
}

TEST(MotionEngine, PlacesTheVideoOnTheDepthPicture) {
  Scene scene;
  scene.add_board(300.0, 200.0, 9, 9, 8.0, 20.0, {2.0, -1.0, 0.0});
  Driver plain;
  plain.drive(scene, standing, 4, 0.1, {});
  // The same scene in a video picture of twice the width and half the height. Its origin is 16
  // columns and 8 rows inside the depth picture.
  Engine engine;
  Result r;
  SceneFrame frame;
  for (int k = 0; k <= 4; ++k) {
    frame = scene.frame(k * 0.1, {}, static_cast<std::uint32_t>(k));
    for (klt::Track& t : frame.tracks) {
      t.x = (t.x + 0.5F - 16.0F) * 2.0F - 0.5F;
      t.y = (t.y + 0.5F - 8.0F) * 0.5F - 0.5F;
    }
    Input in = frame.input();
    in.placement = {0.5, 2.0, 16.0, 8.0};
    r = engine.advance(in, {});
  }
  ASSERT_EQ(r.segments.size(), plain.result.segments.size());
  for (std::size_t i = 0; i < r.segments.size(); ++i) {
    EXPECT_EQ(r.segments[i].tracks, plain.result.segments[i].tracks);
    EXPECT_NEAR(r.segments[i].dx, plain.result.segments[i].dx, 1e-3);
    EXPECT_NEAR(r.segments[i].vx, plain.result.segments[i].vx, 1e-3);
  }
}

TEST(MotionEngine, WithoutACameraThereIsOnlyTheMotionInThePicture) {
  Scene scene;
  scene.add_board(300.0, 200.0, 9, 9, 8.0, 20.0, {2.0, 0.0, 0.0});
  for (const EgoMotion ego : {EgoMotion::kNone, EgoMotion::kGiven, EgoMotion::kEstimate}) {
    Engine engine;
    Result r;
    SceneFrame frame;
    for (int k = 0; k < 5; ++k) {
      frame = scene.frame(k * 0.1, {}, static_cast<std::uint32_t>(k));
      Input in = frame.input();
      in.has_camera = false;
      r = engine.advance(in, with_ego(ego));
    }
    EXPECT_TRUE(r.tracks.empty());
    EXPECT_EQ(r.counts.filters, 0);
    ASSERT_FALSE(r.segments.empty());
    for (const SegmentMotion& m : r.segments) {
      EXPECT_NEAR(m.dx, 5.0, 1e-4);
      EXPECT_EQ(m.flags, 0);
      EXPECT_TRUE(std::isnan(m.vx) && std::isnan(m.sigma));
    }
  }
}

TEST(MotionEngine, NeedsSoManyTracks) {
  Scene scene;
  scene.add_board(300.0, 200.0, 2, 2, 6.0, 20.0, {2.0, 0.0, 0.0});
  for (const int fewest : {4, 5}) {
    Parameters parameters;
    parameters.min_tracks = fewest;
    Driver run;
    const Result& r = run.drive(scene, standing, 4, 0.1, parameters);
    ASSERT_EQ(r.segments.size(), 4U);
    for (const SegmentMotion& m : r.segments) {
      EXPECT_EQ(m.tracks, 4);
      EXPECT_EQ(std::isnan(m.dx), fewest == 5);
      EXPECT_EQ(std::isnan(m.vx), fewest == 5);
      EXPECT_EQ(has(m, kKnown), fewest == 4);
    }
  }
}

TEST(MotionEngine, GoesOnlyForwardInTime) {
  Scene scene;
  scene.add_board(300.0, 200.0, 9, 9, 8.0, 20.0, {2.0, 0.0, 0.0});
  Driver run;
  run.drive(scene, standing, 4, 0.1, {});
  const double vx = run.result.tracks[40].vx;
  const Result& repeated = run.see(scene, 0.4, {}, 9, {});
  EXPECT_FALSE(repeated.accepted);
  EXPECT_TRUE(repeated.segments.empty() && repeated.tracks.empty());
  // Equal to a run without it.
  Driver plain;
  plain.drive(scene, standing, 4, 0.1, {});
  plain.see(scene, 0.5, {}, 10, {});
  run.see(scene, 0.5, {}, 10, {});
  EXPECT_TRUE(run.result.accepted);
  EXPECT_EQ(run.result.tracks[40].vx, plain.result.tracks[40].vx);
  EXPECT_NE(run.result.tracks[40].vx, static_cast<float>(vx));
  EXPECT_EQ(run.result.counts.started, 0);
  EXPECT_GT(run.result.counts.filters, 0);
  // A step back in time starts a new stream.
  const Result& back = run.see(scene, 0.1, {}, 11, {});
  EXPECT_TRUE(back.accepted && !back.has_previous);
  EXPECT_EQ(back.counts.continued, 0);
  EXPECT_EQ(back.counts.started, back.counts.filters);
  EXPECT_TRUE(run.see(scene, 0.2, {}, 12, {}).has_previous);
}

TEST(MotionEngine, FiltersStartAnewAfterASecond) {
  Scene scene;
  scene.add_board(300.0, 200.0, 9, 9, 8.0, 20.0, {1.0, 0.0, 0.0});
  for (const double gap : {1.0, 1.01}) {
    Driver run;
    run.drive(scene, standing, 4, 0.1, {});
    const Result& r = run.see(scene, 0.4 + gap, {}, 9, {});
    EXPECT_TRUE(r.accepted);
    EXPECT_NEAR(r.dt, gap, 1e-9);
    EXPECT_EQ(r.counts.started, gap > 1.0 ? 81 : 0);
    EXPECT_EQ(r.counts.filters, 81);
    EXPECT_NEAR(r.segments[20].dx, 25.0 * gap, 1e-3);  // image motion is known nevertheless
    if (gap > 1.0) {
      EXPECT_TRUE(std::isnan(r.tracks[40].vx));
      EXPECT_EQ(r.counts.known, 0);
    }
  }
}

TEST(MotionEngine, ForgetsAllWithAReset) {
  Scene scene;
  scene.add_board(300.0, 200.0, 9, 9, 8.0, 20.0, {2.0, 0.0, 0.0});
  const auto forgotten = [](const Result& r) {
    return r.accepted && !r.has_previous && r.dt == 0.0 && r.counts.continued == 0 &&
           r.counts.started == r.counts.filters && std::isnan(r.segments[20].dx);
  };
  Driver run;
  EXPECT_TRUE(forgotten(run.see(scene, 0.0, {}, 3, {})));
  run.drive(scene, standing, 4, 0.1, {});
  run.engine.reset();
  EXPECT_TRUE(forgotten(run.see(scene, 0.1, {}, 5, {})));  // earlier, too

  // Another camera, placement, size or unit invalidates earlier places.
  const auto changed = [&](auto change) {
    Driver other;
    other.drive(scene, standing, 4, 0.1, {});
    other.frame = scene.frame(0.5, {}, 5);
    change(&other.frame.rest);
    return forgotten(other.engine.advance(other.frame.input(), {}));
  };
  EXPECT_FALSE(changed([](Input*) {}));
  // A small change of focal length, as by focusing, is tolerated.
  EXPECT_FALSE(changed([](Input* in) { in->camera.focal_x = 501.0; }));
  EXPECT_TRUE(changed([](Input* in) { in->camera.focal_x = 504.0; }));
  EXPECT_FALSE(changed([](Input* in) { in->camera.principal_y += 0.25; }));
  EXPECT_TRUE(changed([](Input* in) { in->camera.principal_y += 0.75; }));
  EXPECT_TRUE(changed([](Input* in) { in->placement.offset_x = 1.0; }));
  EXPECT_TRUE(changed([](Input* in) { in->values.unit = 1.0 / 255.0; }));
  EXPECT_TRUE(changed([](Input* in) { in->height = 479; }));
}

TEST(MotionEngine, OtherVelocitiesAreOtherFilters) {
  Scene scene;
  scene.add_board(300.0, 200.0, 9, 9, 8.0, 20.0, {2.0, 0.0, 0.0});
  Driver run;
  run.drive(scene, standing, 4, 0.1, {});
  const Result& r = run.see(scene, 0.5, {}, 5, with_ego(EgoMotion::kGiven));
  EXPECT_EQ(r.counts.started, 81);
  EXPECT_NEAR(r.segments[20].dx, 5.0, 1e-3);
}

TEST(MotionEngine, KnowsTracksByTheirIdsAndAges) {
  Scene scene;
  scene.add_board(300.0, 200.0, 9, 9, 8.0, 20.0, {2.0, 0.0, 0.0});
  Driver run;
  run.drive(scene, standing, 4, 0.1, {});
  // A restarted tracker: equal ids, but ages that did not grow.
  EXPECT_EQ(run.see(scene, 0.5, {}, 4, {}).counts.continued, 0);
  EXPECT_EQ(run.result.counts.started, 81);
  EXPECT_EQ(run.see(scene, 0.6, {}, 5, {}).counts.continued, 81);

  // Any order, an id twice, and ids that begin again after the largest.
  SceneFrame frame = scene.frame(0.7, {}, 6);
  std::reverse(frame.tracks.begin(), frame.tracks.end());
  frame.tracks.push_back(frame.tracks[5]);
  frame.tracks.back().x += 50.0F;
  frame.tracks[80].id = 0xFFFFFFFFU;
  const Result r = run.engine.advance(frame.input(), {});
  EXPECT_EQ(r.counts.tracks, 81);
  EXPECT_EQ(r.counts.continued, 80);
  EXPECT_EQ(r.tracks[0].id, 2U);
  EXPECT_EQ(r.tracks[79].id, 81U);
  EXPECT_EQ(r.tracks[80].id, 0xFFFFFFFFU);
  for (std::size_t i = 1; i < 80; ++i) EXPECT_NEAR(r.segments[i].dx, 5.0, 1e-3);
}

TEST(MotionEngine, EndsAFilterThatDoesNotFit) {
  Scene scene;
  scene.add_board(300.0, 200.0, 9, 9, 8.0, 20.0, {2.0, 0.0, 0.0});
  Driver run;
  run.drive(scene, standing, 10, 0.1, {});
  EXPECT_EQ(run.result.counts.ended, 0);
  // One track jumps to something else.
  scene.points[40].place.x += 1.5;
  const Result& r = run.see(scene, 1.1, {}, 11, {});
  EXPECT_EQ(r.counts.ended, 1);
  EXPECT_EQ(r.counts.filters, 80);
  EXPECT_TRUE(std::isnan(r.tracks[40].vx));
  EXPECT_NEAR(r.tracks[40].z, 20.0, 1e-3);  // its measurement is reported
  EXPECT_EQ(run.see(scene, 1.2, {}, 12, {}).counts.started, 1);
  EXPECT_EQ(run.result.counts.filters, 81);
}

// A filter's initial velocity is not a measured one.
TEST(MotionEngine, HasNoVelocityBeforeTheSecondMeasurement) {
  Scene scene;
  scene.add_board(300.0, 200.0, 9, 9, 8.0, 20.0, {2.0, 0.0, 0.0});
  Driver run;
  for (int k = 0; k < 3; ++k) {
    SceneFrame frame = scene.frame(0.1 * k, {}, static_cast<std::uint32_t>(k + 3));
    if (k == 1) {
      frame.segments.clear();
      frame.offsets.assign(frame.offsets.size(), 0);
    }
    const Result r = run.engine.advance(frame.input(), {});
    EXPECT_EQ(r.counts.filters, 81);
    EXPECT_EQ(r.counts.known, k == 2 ? 81 : 0);
    EXPECT_NEAR(r.tracks[40].z, 20.0, 0.01);
    EXPECT_EQ(std::isnan(r.tracks[40].vx), k < 2);
    EXPECT_EQ(std::isnan(r.tracks[40].sigma), k < 2);
  }
}

TEST(MotionEngine, PredictsWhereNothingIsMeasured) {
  Scene scene;
  scene.add_board(300.0, 200.0, 9, 9, 8.0, 20.0, {2.0, 0.0, 0.0});
  Driver run;
  run.drive(scene, standing, 10, 0.1, {});
  const TrackMotion before = run.result.tracks[40];
  SceneFrame frame = scene.frame(1.1, {}, 11);
  frame.segments.clear();
  frame.offsets.assign(frame.offsets.size(), 0);
  const Result r = run.engine.advance(frame.input(), {});
  EXPECT_TRUE(r.segments.empty());
  EXPECT_EQ(r.counts.measured, 0);
  EXPECT_EQ(r.counts.filters, 81);
  EXPECT_EQ(r.tracks[40].vx, before.vx);
  EXPECT_NEAR(r.tracks[40].x, before.x + 0.1 * before.vx, 1e-5);
  EXPECT_GT(r.tracks[40].sigma, before.sigma);
}

// Tracks within half a metre get no filter; a filter that arrives there only predicts.
TEST(MotionEngine, LeavesOutWhatIsTooNear) {
  for (const double z : {0.5, 0.51}) {
    Scene scene;
    scene.values = {Measure::kDepth, 0.0001, 0.0, 0.0};
    scene.camera.focal_x = scene.camera.focal_y = 500.0;
    scene.add_board(300.0, 200.0, 9, 9, 8.0, z, {});
    Driver run;
    run.drive(scene, standing, 3, 0.1, {});
    EXPECT_EQ(run.result.counts.measured, 81);
    EXPECT_EQ(run.result.counts.filters, z > 0.5 ? 81 : 0);
  }
}

TEST(MotionEngine, TakesEmptyFrames) {
  Scene scene;
  scene.add_board(300.0, 200.0, 9, 9, 8.0, 20.0, {});
  for (const EgoMotion ego : {EgoMotion::kNone, EgoMotion::kGiven, EgoMotion::kEstimate}) {
    Driver run;
    run.drive(scene, standing, 4, 0.1, with_ego(ego));
    SceneFrame frame = scene.frame(0.5, {}, 5);
    frame.tracks.clear();
    Result r = run.engine.advance(frame.input(), with_ego(ego));
    EXPECT_EQ(r.segments.size(), 81U);
    EXPECT_TRUE(r.tracks.empty());
    for (const SegmentMotion& m : r.segments) {
      EXPECT_EQ(m.tracks, 0);
      EXPECT_EQ(m.flags, 0);
      EXPECT_TRUE(std::isnan(m.dx) && std::isnan(m.vx));
    }
    // Neither segments nor columns.
    Input in = frame.input();
    in.segments = {};
    in.pts += 100000000;
    r = run.engine.advance(in, with_ego(ego));
    EXPECT_TRUE(r.accepted && r.segments.empty());
    EXPECT_EQ(run.see(scene, 0.7, {}, 7, with_ego(ego)).counts.continued, 0);
  }
}

TEST(MotionEngine, TakesTheWidestPicture) {
  Scene scene;
  scene.width = 16384;
  scene.height = 64;
  scene.camera = {5000.0, 5000.0, 8191.5, 31.5, 0.5};
  scene.add_grid(400, 4, 20.0, 20.0, {1.0, 0.0, 0.0});
  Parameters parameters;
  parameters.reach = kMaxReach;
  Driver run;
  const Result& r = run.drive(scene, standing, 3, 0.1, parameters);
  EXPECT_GT(r.counts.known, 1000);
  EXPECT_EQ(r.counts.known, static_cast<int>(r.segments.size()));
  for (const SegmentMotion& m : r.segments) {
    EXPECT_GT(m.tracks, 300);
    EXPECT_NEAR(m.dx, 25.0, 0.01);
  }
}

}  // namespace
}  // namespace rdp::motion
