// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_MOTION_MOTION_STREAM_H_
#define RDP_TESTS_MOTION_MOTION_STREAM_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/motion/input.h"
#include "common/motion/parameters.h"

// A synthetic drive in integers, bit-identical on every machine and for any compiler flags: a
// street of noisy points that come closer, on noisy segments. Moving points enter at the left and
// move to the right.
namespace rdp::motion::test {

// Pseudo-random numbers: the upper bits of a linear congruential generator.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint32_t next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>(state_ >> 33);
  }
  int below(int count) { return static_cast<int>(next() % static_cast<std::uint32_t>(count)); }
  int around(int most) { return below(2 * most + 1) - most; }

 private:
  std::uint64_t state_;
};

struct StreamOptions {
  int width = 416;
  int height = 160;
  int column_width = 1;
  int tracks = 400;
  Values values = {Measure::kDisparity, 1.0 / 256.0, 0.0, 0.0};
  bool classes = false;
  int spread = 0;     // columns on either side that repeat a track's segment
  int step_mm = 400;  // the camera's motion per frame
};

class Stream {
 public:
  Stream(const StreamOptions& options, std::uint64_t seed) : options_(options), numbers_(seed) {
    points_.resize(static_cast<std::size_t>(options.tracks));
    for (Point& p : points_) renew(&p, 4000 + numbers_.below(40000));
  }

  // Input of the next frame; valid until the next call.
  Input next() {
    const int columns = (options_.width + options_.column_width - 1) / options_.column_width;
    segments_.clear();
    classes_.clear();
    offsets_.assign(1, 0);
    tracks_.clear();
    for (Point& p : points_) {
      p.z -= options_.step_mm;
      p.x += p.moves ? 1000 : 0;
      std::int64_t u = 0;
      std::int64_t v = 0;
      if (p.z > 1500) project(p, &u, &v);
      if (p.z <= 1500 || u < 0 || v < 0 || u > (options_.width - 1) * 1024 ||
          v > (options_.height - 1) * 1024 || numbers_.below(20) == 0) {
        renew(&p, 8000 + numbers_.below(40000));
        project(p, &u, &v);
      } else {
        ++p.age;
      }
      u += numbers_.around(200);  // a fifth of a pixel
      v += numbers_.around(200);
      tracks_.push_back({p.id, p.age, static_cast<float>(u) / 1024.0F,
                         static_cast<float>(v) / 1024.0F, 0.0F, 0.0F, 1.0F, 10.0F});
    }
    std::sort(tracks_.begin(), tracks_.end(),
              [](const klt::Track& a, const klt::Track& b) { return a.id < b.id; });
    for (int c = 0; c < columns; ++c) add_column(c);
    pts_ += 100000000;

    Input in;
    in.width = options_.width;
    in.height = options_.height;
    in.column_width = options_.column_width;
    in.segments = {offsets_, segments_};
    if (options_.classes) in.classes = classes_;
    in.values = options_.values;
    in.pts = pts_;
    in.has_camera = true;
    in.camera = {kFocal, kFocal, options_.width / 2.0, options_.height / 2.0, 0.5};
    in.has_pose = true;
    in.pose.m[11] = static_cast<double>(++frames_ * options_.step_mm) / 1000.0;
    in.tracks = tracks_;
    return in;
  }

 private:
  static constexpr int kFocal = 350;

  struct Point {
    std::int64_t x = 0, y = 0, z = 0;  // mm, relative to the camera
    std::uint32_t id = 0;
    std::uint32_t age = 0;
    bool moves = false;
  };

  void renew(Point* p, int z) {
    p->z = z;
    p->x = std::int64_t{numbers_.around(options_.width / 2 - 4)} * z / kFocal;
    p->y = std::int64_t{numbers_.around(options_.height / 2 - 4)} * z / kFocal;
    p->id = ++last_id_;
    p->age = 0;
    p->moves = p->x * kFocal < -z * std::int64_t{options_.width / 4};
  }
  void project(const Point& p, std::int64_t* u, std::int64_t* v) const {
    *u = (options_.width / 2 + 4096) * 1024 + 1024 * kFocal * p.x / p.z - 4096 * 1024;
    *v = (options_.height / 2 + 4096) * 1024 + 1024 * kFocal * p.y / p.z - 4096 * 1024;
  }
  // Segment value for a distance in mm, with noise.
  float value_of(std::int64_t z) {
    const Values& v = options_.values;
    if (v.measures == Measure::kDepth) {
      const std::int64_t mm = z + numbers_.around(20);
      return v.inverse_scale > 0.0 ? static_cast<float>(16000000 / mm) : static_cast<float>(mm);
    }
    return static_cast<float>(std::int64_t{kFocal} * 500 * 256 * 16 / z + numbers_.around(1600)) /
           16.0F;
  }
  // Adds a segment around each track in the column or within `spread` columns of it, if there is
  // room.
  void add_column(int c) {
    std::vector<std::pair<int, std::int64_t>> rows;
    for (const Point& p : points_) {
      std::int64_t u;
      std::int64_t v;
      project(p, &u, &v);
      const std::int64_t column = (u + 512) / 1024 / options_.column_width;
      if (column >= c - options_.spread && column <= c + options_.spread) {
        rows.emplace_back(static_cast<int>((v + 512) / 1024), p.z);
      }
    }
    std::sort(rows.begin(), rows.end());
    int free_row = 0;
    for (const auto& [row, z] : rows) {
      const int first = std::max(row - 6, free_row);
      const int last = std::min(row + 6, options_.height - 1);
      if (last < first) continue;
      segments_.push_back({static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(last),
                           value_of(z), value_of(z)});
      classes_.push_back(static_cast<std::uint8_t>(z / 9000 % 3));
      free_row = last + 1;
    }
    offsets_.push_back(static_cast<std::uint32_t>(segments_.size()));
  }

  StreamOptions options_;
  Numbers numbers_;
  std::vector<Point> points_;
  std::vector<std::uint32_t> offsets_;
  std::vector<Segment> segments_;
  std::vector<std::uint8_t> classes_;
  std::vector<klt::Track> tracks_;
  std::uint32_t last_id_ = 0;
  std::uint64_t pts_ = 0;
  std::int64_t frames_ = 0;
};

}  // namespace rdp::motion::test

#endif  // RDP_TESTS_MOTION_MOTION_STREAM_H_
