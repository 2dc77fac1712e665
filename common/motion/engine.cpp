// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/motion/engine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "common/image/float_environment.h"
#include "common/image/grow_buffer.h"
#include "common/motion/agreement.h"
#include "common/motion/ego_motion.h"
#include "common/motion/kalman.h"
#include "common/motion/segment_motion.h"
#include "common/motion/space.h"
#include "common/motion/support.h"

namespace rdp::motion {
namespace {

constexpr double kLongestStep = 1.0;  // s: longer gaps end filters
constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint32_t kNone = 0xFFFFFFFFU;

// A track's facts after a pair of frames.
struct Known {
  std::uint32_t id;
  std::uint32_t age;
  Placed placed;
  bool has_point;
  bool has_filter;
  Point point;  // that was measured
  Kalman filter;
};

// The geometry of positions and points; a change invalidates earlier ones.
struct InputGeometry {
  int width = 0;
  int height = 0;
  Placement placement;
  Values values;
  bool has_camera = false;
  Camera camera;

  bool continues_in(const InputGeometry& next) const {
    const Camera& a = camera;
    const Camera& b = next.camera;
    return width == next.width && height == next.height && placement == next.placement &&
           values == next.values && has_camera == next.has_camera &&
           same_length(a.focal_x, b.focal_x) && same_length(a.focal_y, b.focal_y) &&
           same_place(a.principal_x, b.principal_x) && same_place(a.principal_y, b.principal_y) &&
           same_length(a.baseline, b.baseline);
  }
};

InputGeometry geometry_of(const Input& input) {
  return {input.width,  input.height,     input.placement,
          input.values, input.has_camera, input.has_camera ? input.camera : Camera{}};
}

}  // namespace

struct Engine::Impl {
  // --- what is known of the pair before ---
  bool has_previous = false;
  std::uint64_t pts = 0;
  InputGeometry geometry;
  EgoMotion ego_motion = EgoMotion::kNone;
  Filter filter = Filter::kKalman;
  bool has_pose = false;
  Pose pose;
  Pose motion;  // of the camera, where it was last estimated
  GrowBuffer<Known> known[2];
  int current = 0;
  std::size_t known_count = 0;

  // --- what a pair is worked out in ---
  GrowBuffer<std::uint64_t> order;   // id, and place in the input's list
  GrowBuffer<std::uint32_t> before;  // of each track, its place in `known`, or kNone
  GrowBuffer<Placed> placed;
  GrowBuffer<std::uint32_t> ages;
  GrowBuffer<Moved> moved;
  Supports supports;
  SegmentMotions medians;
  EgoFinder finder;
  GrowBuffer<SegmentMotion> segments;
  GrowBuffer<TrackMotion> tracks;
  Counts counts;

  void reset() {
    has_previous = false;
    has_pose = false;
    motion = {};
    known_count = 0;
  }

  std::size_t sort_ids(std::span<const klt::Track> list);
  void reserve(const Input& input);
  bool filters_continue(const Parameters& parameters, const Result& result) const;
  void filter_track(const Known* past, const Space& space, const Parameters& parameters,
                    const Result& result, Known* now);
  void find_previous(const Input& input, std::size_t count);
  bool find_ego(const Input& input, const Parameters& parameters, std::size_t count, Pose* ego);
  void move_tracks(const Input& input, const Parameters& parameters, std::size_t count,
                   const Result& result);
  Moved move_track(const Known* past, const Space& space, const Input& input,
                   const Parameters& parameters, const Result& result, Known* now);
  void move_segments(const Input& input, const Parameters& parameters, std::size_t count);
  Result advance(const Input& input, const Parameters& parameters);
};

// Orders the tracks by id, each id once. A tracker's lists already are in this order, unless ids
// wrapped around. Only then does it sort, the only step that takes more than linear time.
std::size_t Engine::Impl::sort_ids(std::span<const klt::Track> list) {
  std::uint64_t* keys = order.ensure(list.size());
  bool ascending = true;
  for (std::size_t i = 0; i < list.size(); ++i) {
    keys[i] = std::uint64_t{list[i].id} << 32 | static_cast<std::uint32_t>(i);
    ascending = ascending && (i == 0 || list[i - 1].id < list[i].id);
  }
  if (ascending) return list.size();
  std::sort(keys, keys + list.size());
  const auto same_id = [](std::uint64_t a, std::uint64_t b) { return a >> 32 == b >> 32; };
  return static_cast<std::size_t>(std::unique(keys, keys + list.size(), same_id) - keys);
}

// Does everything that may throw, before the state changes.
void Engine::Impl::reserve(const Input& input) {
  const std::size_t count = input.tracks.size();
  known[1 - current].ensure(count);
  before.ensure(count);
  placed.ensure(count);
  ages.ensure(count);
  moved.ensure(count);
  tracks.ensure(count);
  segments.ensure(input.segments.segment_count());
  supports.begin(count, input.width);
  medians.begin(count);
  finder.begin(count);
}

// Both lists are ordered by id. A track continues a previous one if its age has grown; otherwise
// the tracker has restarted and reused the id.
void Engine::Impl::find_previous(const Input& input, std::size_t count) {
  const Known* past = known[current].data();
  std::size_t k = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const klt::Track& track = input.tracks[static_cast<std::uint32_t>(order.data()[i])];
    while (k < known_count && past[k].id < track.id) ++k;
    const bool same = k < known_count && past[k].id == track.id && track.age > past[k].age;
    before.data()[i] = same ? static_cast<std::uint32_t>(k) : kNone;
    placed.data()[i] = place_track(track, input);
    ages.data()[i] = track.age;
  }
}

bool Engine::Impl::find_ego(const Input& input, const Parameters& parameters, std::size_t count,
                            Pose* ego) {
  if (parameters.ego_motion == EgoMotion::kGiven) {
    if (!input.has_pose || !has_pose) return false;
    const Pose between = pose_between(pose, input.pose);
    if (!is_sound(between)) return false;
    *ego = between;
    return true;
  }
  if (parameters.ego_motion != EgoMotion::kEstimate || !input.has_camera) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (before.data()[i] == kNone || !placed.data()[i].has_place) continue;
    const Known& past = known[current].data()[before.data()[i]];
    if (past.has_point) finder.add(past.point, placed.data()[i].u, placed.data()[i].v);
  }
  const bool found = finder.find(input.camera, &motion);
  // After a failure the next search starts without motion.
  if (!found) motion = {};
  *ego = motion;
  counts.ego_tracks = finder.tracks();
  counts.ego_inliers = finder.inliers();
  return found;
}

bool Engine::Impl::filters_continue(const Parameters& parameters, const Result& result) const {
  return result.dt <= kLongestStep && parameters.ego_motion == ego_motion &&
         parameters.filter == filter;
}

// Starts, continues or ends a track's filter; sets it in `now`.
void Engine::Impl::filter_track(const Known* past, const Space& space, const Parameters& parameters,
                                const Result& result, Known* now) {
  const double noise = measure_noise(now->placed.measure, space.measures, parameters);
  if (past == nullptr || !past->has_filter || !filters_continue(parameters, result)) {
    if (!now->has_point || !(now->point.z > kNearest)) return;
    now->filter = Kalman::start(now->point, noise, space);
    now->has_filter = now->filter.is_sound();
    counts.started += now->has_filter ? 1 : 0;
    return;
  }
  now->has_filter = parameters.ego_motion == EgoMotion::kNone || result.has_ego;
  if (now->has_filter) {
    now->filter = past->filter;
    now->filter.predict(result.ego, result.dt);
    now->has_filter = now->filter.is_sound();
  }
  if (now->has_filter && now->has_point) {
    const Measurement seen = {now->placed.u, now->placed.v, now->placed.measure, noise};
    now->has_filter = now->filter.update(seen, space) && now->filter.is_sound();
  }
  counts.ended += now->has_filter ? 0 : 1;
}

Moved Engine::Impl::move_track(const Known* past, const Space& space, const Input& input,
                               const Parameters& parameters, const Result& result, Known* now) {
  Moved m;
  if (past != nullptr && past->placed.has_place && now->placed.has_place) {
    m.set_shift(now->placed.u - past->placed.u, now->placed.v - past->placed.v);
  }
  if (!input.has_camera) return m;
  now->has_point = point_at(now->placed.u, now->placed.v, now->placed.measure, space, &now->point);
  if (parameters.filter == Filter::kKalman) {
    filter_track(past, space, parameters, result, now);
    const Kalman& f = now->filter;
    if (!now->has_filter || !f.has_velocity) return m;
    const auto& c = f.covariance.at;
    m.set_velocity(f.state[3], f.state[4], f.state[5], std::sqrt(c[3][3] + c[4][4] + c[5][5]));
    return m;
  }
  const bool ego_known = parameters.ego_motion == EgoMotion::kNone || result.has_ego;
  if (past == nullptr || !past->has_point || !now->has_point || !ego_known) return m;
  // (P1 - (R P0 + t)) / dt; its noise is that of two distances.
  const Point from = transform(result.ego, past->point);
  const Point& to = now->point;
  const double noise = measure_noise(now->placed.measure, space.measures, parameters);
  const double depth_noise =
      space.measures == Measure::kDisparity ? to.z * to.z * noise / space.numerator : noise;
  const Point velocity = {(to.x - from.x) / result.dt, (to.y - from.y) / result.dt,
                          (to.z - from.z) / result.dt};
  const double sigma = std::sqrt(2.0) * depth_noise / result.dt;
  if (is_sound(velocity, kMaxNumber) && is_within(sigma, kMaxNumber)) {
    m.set_velocity(velocity.x, velocity.y, velocity.z, sigma);
  }
  return m;
}

void Engine::Impl::move_tracks(const Input& input, const Parameters& parameters, std::size_t count,
                               const Result& result) {
  const Space space(input.camera, input.values.measures);
  const Known* past = known[current].data();
  Known* now = known[1 - current].data();
  for (std::size_t i = 0; i < count; ++i) {
    const klt::Track& track = input.tracks[static_cast<std::uint32_t>(order.data()[i])];
    Known& of = now[i];
    of.id = track.id;
    of.age = track.age;
    of.placed = placed.data()[i];
    of.has_point = false;
    of.has_filter = false;
    const std::uint32_t k = before.data()[i];
    const Moved m =
        move_track(k == kNone ? nullptr : &past[k], space, input, parameters, result, &of);
    moved.data()[i] = m;
    counts.measured += of.placed.measure > 0.0 ? 1 : 0;
    counts.continued += m.in_picture ? 1 : 0;
    counts.filters += of.has_filter ? 1 : 0;

    TrackMotion& out = tracks.data()[i];
    out = {track.id, kUnknown, kUnknown, kUnknown, kUnknown, kUnknown, kUnknown, kUnknown};
    if (of.has_filter || of.has_point) {
      const double* filtered = of.filter.state;
      out.x = static_cast<float>(of.has_filter ? filtered[0] : of.point.x);
      out.y = static_cast<float>(of.has_filter ? filtered[1] : of.point.y);
      out.z = static_cast<float>(of.has_filter ? filtered[2] : of.point.z);
    }
    if (m.in_space) {
      out.vx = static_cast<float>(m.row.at[kVx]);
      out.vy = static_cast<float>(m.row.at[kVy]);
      out.vz = static_cast<float>(m.row.at[kVz]);
      out.sigma = static_cast<float>(m.row.at[kSigma]);
    }
  }
}

void Engine::Impl::move_segments(const Input& input, const Parameters& parameters,
                                 std::size_t count) {
  supports.index({placed.data(), count}, {ages.data(), count}, input, parameters);
  std::size_t i = 0;
  for (int c = 0; c < input.segments.columns(); ++c) {
    supports.enter_column(c, input, parameters);
    std::size_t slot = 0;
    for (const Segment& segment : input.segments.column(c)) {
      const std::uint8_t kind = input.classes.empty() ? std::uint8_t{0} : input.classes[i];
      const SegmentMotion m =
          medians.of(supports.of(segment, kind, input), slot++, {moved.data(), count}, parameters);
      segments.data()[i++] = m;
      counts.supported += m.tracks > 0 ? 1 : 0;
      counts.known += (m.flags & kKnown) != 0 ? 1 : 0;
    }
  }
  keep_agreeing(input, parameters, {segments.data(), i});
  for (const SegmentMotion& m : std::span<const SegmentMotion>(segments.data(), i)) {
    counts.moving += (m.flags & kMoving) != 0 ? 1 : 0;
  }
}

Result Engine::Impl::advance(const Input& input, const Parameters& parameters) {
  Result result;
  const InputGeometry now = geometry_of(input);
  const bool continues = geometry.continues_in(now);
  if (has_previous && continues && input.pts == pts) return result;
  const std::size_t count = sort_ids(input.tracks);
  reserve(input);
  if (!continues || input.pts < pts) reset();

  counts = {};
  counts.tracks = static_cast<int>(count);
  result.accepted = true;
  result.has_previous = has_previous;
  if (has_previous) result.dt = static_cast<double>(input.pts - pts) / 1e9;
  find_previous(input, count);
  result.has_ego = find_ego(input, parameters, count, &result.ego);
  move_tracks(input, parameters, count, result);
  move_segments(input, parameters, count);

  has_previous = true;
  pts = input.pts;
  geometry = now;
  ego_motion = parameters.ego_motion;
  filter = parameters.filter;
  has_pose = input.has_pose;
  pose = input.pose;
  current = 1 - current;
  known_count = count;
  result.segments = {segments.data(), input.segments.segment_count()};
  result.tracks = {tracks.data(), input.has_camera ? count : 0};
  result.counts = counts;
  return result;
}

Engine::Engine() : impl_(std::make_unique<Impl>()) {}
Engine::~Engine() = default;

Result Engine::advance(const Input& input, const Parameters& parameters) {
  return with_standard_floats([&] { return impl_->advance(input, parameters); });
}

void Engine::reset() { impl_->reset(); }

}  // namespace rdp::motion
