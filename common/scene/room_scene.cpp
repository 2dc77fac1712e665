// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/room_scene.h"

#include <algorithm>
#include <cstddef>

#include "common/scene/hash_random.h"

// Only +, -, *, / and comparisons of doubles, without contraction: see street_scene.cpp.
namespace rdp {
namespace {

// The purpose of a random number of a room.
enum Stream : std::uint64_t { kShell = 400, kCamera, kFurniture, kWallThings, kBall };

double magnitude(double x) { return x < 0.0 ? -x : x; }

// From 0 to 1 and back once in `period` frames, without a corner: 0 in frame 0.
double swing_at(std::uint64_t frame, std::uint64_t period) {
  const double phase = static_cast<double>(frame % period) / static_cast<double>(period);
  const double rise = phase < 0.5 ? 2.0 * phase : 2.0 - 2.0 * phase;
  return rise * rise * (3.0 - 2.0 * rise);
}

bool is_same(const RoomScene::Plane& a, const RoomScene::Plane& b) {
  const RoomVector off = along(a.normal, b.normal, -1.0);
  return magnitude(a.offset - b.offset) < 1e-9 && dot(off, off) < 1e-18;
}

}  // namespace

// Furnishes a room, object by object. Places are relative to the camera: a distance ahead, and a
// share of it to the side.
class RoomScene::Builder {
 public:
  Builder(std::uint32_t seed, RoomScene* room)
      : key_(mix_bits(seed)), kind_(static_cast<int>(seed % 3)), room_(*room) {}

  void build() {
    shell();
    if (kind_ == 0) {
      table(random_, 1.5, 2.2);
      boxes(4);
    } else if (kind_ == 1) {
      stairs();
      boxes(2);
    } else {
      things_on_table(table(random_, 0.95, 1.5));
      boxes(1);
    }
    wall_things();
    ball();
  }

 private:
  struct Spot {
    double x, z, radius;
  };

  void shell() {
    HashSequence random(sub_key(key_, kShell));
    room_.width_ = random.uniform(3.5, 5.5);
    room_.depth_ = random.uniform(3.2, 4.8);
    HashSequence look(sub_key(key_, kCamera));
    const bool close = kind_ == 2;
    room_.eye_ = {room_.width_ * look.uniform(0.3, 0.7),
                  close ? look.uniform(1.36, 1.5) : look.uniform(1.3, 1.65),
                  look.uniform(0.35, 0.6)};
    // Looks at the longer part of the room, more or less.
    const double aside = (0.5 * room_.width_ - room_.eye_.x) / room_.width_;  // -0.2 to 0.2
    room_.yaw_ = 0.4 * aside + look.uniform(-0.18, 0.18);
    room_.pitch_ = close ? look.uniform(0.17, 0.23) : look.uniform(0.12, 0.22);
    room_.roll_ = look.uniform(-0.085, 0.085);
    room_.swing_ = close ? 0.06 : 0.15;
    heading_ = RoomTurn::of_half(room_.yaw_);
  }

  // A random point between two distances ahead of the camera, and up to `aside` of its distance to
  // either side. The numbers are drawn in separate statements, because arguments of a call have no
  // order.
  RoomVector somewhere(HashSequence& random, double nearest, double farthest, double aside) const {
    const double distance = random.uniform(nearest, farthest);
    const double share = random.uniform(-aside, aside);
    return ahead(distance, share);
  }

  // The point `distance` ahead of the camera, and `aside` times that to the right.
  RoomVector ahead(double distance, double aside) const {
    return {room_.eye_.x + distance * (heading_.sine + aside * heading_.cosine), 0.0,
            room_.eye_.z + distance * (heading_.cosine - aside * heading_.sine)};
  }

  bool is_free(const Spot& spot) const {
    if (spot.x < 0.1 || spot.x > room_.width_ - 0.1 || spot.z > room_.depth_ - 0.1) return false;
    for (int i = 0; i < spot_count_; ++i) {
      const Spot& other = spots_[static_cast<std::size_t>(i)];
      const double dx = spot.x - other.x;
      const double dz = spot.z - other.z;
      const double apart = spot.radius + other.radius;
      if (dx * dx + dz * dz < apart * apart) return false;
    }
    return true;
  }

  void occupy(const Spot& spot) {
    if (spot_count_ < static_cast<int>(spots_.size())) {
      spots_[static_cast<std::size_t>(spot_count_++)] = spot;
    }
  }

  void add(const RoomVector& centre, const RoomVector& half, const RoomTurn& turn) {
    if (room_.box_count_ == kMaxBoxes) return;
    room_.boxes_[static_cast<std::size_t>(room_.box_count_++)] = {centre, half, turn, thing_};
  }

  // A point in the axes of an object at `spot`, converted to the room's.
  static RoomVector placed(const RoomVector& spot, const RoomTurn& turn, double x, double y,
                           double z) {
    return {spot.x + x * turn.cosine + z * turn.sine, y, spot.z - x * turn.sine + z * turn.cosine};
  }

  struct Table {
    RoomVector spot;
    RoomTurn turn;
    double half_length, half_width, top;
  };

  Table table(HashSequence& random, double nearest, double farthest) {
    ++thing_;
    const bool close = kind_ == 2;
    Table t;
    t.spot = somewhere(random, nearest, farthest, 0.2);
    t.turn = RoomTurn::of_half(room_.yaw_ +
                               (close ? random.uniform(-0.25, 0.25) : random.uniform(-0.7, 0.7)));
    t.half_length = random.uniform(0.55, 0.8);
    t.half_width = close ? random.uniform(0.42, 0.6) : random.uniform(0.36, 0.46);
    t.top = random.uniform(0.68, 0.76);
    const double slab = random.uniform(0.0125, 0.02);
    const double leg = random.uniform(0.025, 0.04);
    const double inset = random.uniform(0.03, 0.08);
    add({t.spot.x, t.top - slab, t.spot.z}, {t.half_length, slab, t.half_width}, t.turn);
    const double under = 0.5 * (t.top - 2.0 * slab);
    for (int i = 0; i < 4; ++i) {
      const double x = (i % 2 == 0 ? -1.0 : 1.0) * (t.half_length - inset - leg);
      const double z = (i < 2 ? -1.0 : 1.0) * (t.half_width - inset - leg);
      add(placed(t.spot, t.turn, x, under, z), {leg, under, leg}, t.turn);
    }
    occupy({t.spot.x, t.spot.z, 0.8 * t.half_length});
    return t;
  }

  // Higher things stand farther back, as on a desk.
  void things_on_table(const Table& table) {
    struct {
      double x, z, radius;
    } taken[5];
    int count = 0;
    for (int tries = 0; tries < 60 && count < 5; ++tries) {
      const double half_length = random_.uniform(0.06, 0.2);
      const double half_width = random_.uniform(0.06, 0.14);
      const double radius = 0.5 * (half_length + half_width);
      const double x = random_.uniform(-1.0, 1.0) * (table.half_length - half_length);
      const double z = random_.uniform(-0.5, 1.0) * (table.half_width - half_width);
      const double height = random_.uniform(0.02, 0.26);
      const RoomTurn turn = RoomTurn::of_half(random_.uniform(-0.5, 0.5));
      const RoomVector foot = placed(table.spot, table.turn, x, table.top, z);
      const RoomVector upper = {foot.x, foot.y + height, foot.z};
      bool fits = room_.pose(0).seen(upper).z - half_length > kNearest + 0.15;
      for (int i = 0; i < count; ++i) {
        const double dx = x - taken[i].x;
        const double dz = z - taken[i].z;
        const double apart = radius + taken[i].radius;
        fits = fits && dx * dx + dz * dz > apart * apart;
      }
      if (!fits) continue;
      taken[count++] = {x, z, radius};
      ++thing_;
      add({foot.x, table.top + 0.5 * height, foot.z}, {half_length, 0.5 * height, half_width},
          {turn.cosine * table.turn.cosine - turn.sine * table.turn.sine,
           turn.sine * table.turn.cosine + turn.cosine * table.turn.sine});
    }
  }

  void stairs() {
    ++thing_;
    const double half_width = random_.uniform(0.38, 0.55);
    const double rise = random_.uniform(0.15, 0.2);
    const double tread = random_.uniform(0.24, 0.32);
    const RoomVector foot = somewhere(random_, 1.7, 2.2, 0.3);
    const RoomTurn turn = RoomTurn::of_half(room_.yaw_ + random_.uniform(-0.25, 0.25));
    constexpr int kSteps = 5;
    for (int i = 0; i < kSteps; ++i) {
      const double half_height = 0.5 * rise * (i + 1);
      add(placed(foot, turn, 0.0, half_height, tread * (i + 0.5)),
          {half_width, half_height, 0.5 * tread}, turn);
      const RoomVector middle = placed(foot, turn, 0.0, 0.0, tread * (i + 0.5));
      occupy({middle.x, middle.z, half_width});
    }
  }

  void boxes(int count) {
    for (int tries = 0; tries < 80 && count > 0; ++tries) {
      const RoomVector half = {random_.uniform(0.15, 0.35), random_.uniform(0.15, 0.45),
                               random_.uniform(0.15, 0.3)};
      const RoomVector spot = somewhere(random_, 1.5, 3.4, 0.6);
      const RoomTurn turn = RoomTurn::of_half(random_.uniform(-1.0, 1.0));
      const Spot here = {spot.x, spot.z, 0.5 * (half.x + half.z)};
      if (!is_free(here)) continue;
      ++thing_;
      occupy(here);
      add({spot.x, half.y, spot.z}, half, turn);
      --count;
    }
  }

  // Pictures and doors in the camera's view.
  void wall_things() {
    HashSequence random(sub_key(key_, kWallThings));
    struct {
      int wall;
      double from, to;
    } taken[3];
    const int most = random.happens(0.5) ? 3 : 2;
    int count = 0;
    for (int tries = 0; tries < 60 && count < most; ++tries) {
      const double aside = random.uniform(-0.75, 0.75);
      const bool door = count == 0 && random.happens(0.4);
      const double half_width = door ? random.uniform(0.4, 0.48) : random.uniform(0.15, 0.4);
      const double half_height = door ? random.uniform(0.98, 1.05) : random.uniform(0.15, 0.4);
      const double middle = door ? half_height : random.uniform(1.25, 1.75);
      const double proud = door ? random.uniform(0.03, 0.05) : random.uniform(0.012, 0.05);
      // The wall that a ray meets first: the end, the left or the right one.
      const RoomVector one = ahead(1.0, aside);
      const double dx = one.x - room_.eye_.x;
      const double dz = one.z - room_.eye_.z;
      const double to_end = (room_.depth_ - room_.eye_.z) / dz;
      const double at_end = room_.eye_.x + to_end * dx;
      int wall = 0;
      double place = at_end;
      double length = room_.width_;
      if (at_end < 0.0 || at_end > room_.width_) {
        wall = at_end < 0.0 ? 1 : 2;
        const double to_side = ((wall == 1 ? 0.0 : room_.width_) - room_.eye_.x) / dx;
        place = room_.eye_.z + to_side * dz;
        length = room_.depth_;
      }
      bool fits = place - half_width > 0.05 && place + half_width < length - 0.05;
      for (int i = 0; i < count; ++i) {
        fits = fits && (taken[i].wall != wall || place + half_width < taken[i].from ||
                        place - half_width > taken[i].to);
      }
      if (!fits) continue;
      taken[count++] = {wall, place - half_width - 0.08, place + half_width + 0.08};
      ++thing_;
      const double deep = 0.5 * proud;
      if (wall == 0) {
        add({place, middle, room_.depth_ - deep}, {half_width, half_height, deep}, {});
      } else {
        add({wall == 1 ? deep : room_.width_ - deep, middle, place},
            {deep, half_height, half_width}, {});
      }
    }
  }

  void ball() {
    HashSequence random(sub_key(key_, kBall));
    const double radius = random.uniform(0.14, 0.22);
    RoomVector spot;
    for (int tries = 0; tries < 20; ++tries) {
      spot = somewhere(random, 1.5, 2.8, 0.5);
      if (is_free({spot.x, spot.z, radius})) break;
    }
    room_.ball_ = {spot.x, radius, spot.z};
    room_.ball_radius_ = radius;
  }

  const std::uint64_t key_;
  const int kind_;
  RoomScene& room_;
  HashSequence random_{sub_key(key_, kFurniture)};
  RoomTurn heading_;
  std::uint8_t thing_ = 0;
  std::array<Spot, 24> spots_{};
  int spot_count_ = 0;
};

RoomScene::RoomScene(std::uint32_t seed) {
  Builder(seed, this).build();
  find_planes();
}

TestCamera RoomScene::camera(int width, int height) {
  TestCamera camera;
  camera.focal = 525.0 * std::max(width / 640.0, height / 480.0);
  camera.baseline = baseline_of(camera.focal);
  camera.centre_column = 0.5 * (width - 1);
  camera.centre_row = 0.5 * (height - 1);
  return camera;
}

RoomPose RoomScene::pose(std::uint64_t frame) const {
  const double aside = stands_ ? 0.0 : swing_at(frame, 240) - 0.6 * swing_at(frame, 410);
  const double up = stands_ ? 0.0 : swing_at(frame, 330) - swing_at(frame, 210);
  const RoomTurn yaw = RoomTurn::of_half(yaw_ - 0.05 * aside);
  const RoomTurn pitch = RoomTurn::of_half(pitch_ + 0.01 * up);
  const RoomTurn roll = RoomTurn::of_half(roll_ + 0.02 * up);
  const RoomVector level = {yaw.cosine, 0.0, -yaw.sine};
  const RoomVector horizontal = {yaw.sine, 0.0, yaw.cosine};
  const RoomVector fall = {0.0, -1.0, 0.0};
  const auto mixed = [](const RoomVector& a, double by_a, const RoomVector& b, double by_b) {
    return RoomVector{by_a * a.x + by_b * b.x, by_a * a.y + by_b * b.y, by_a * a.z + by_b * b.z};
  };
  RoomPose pose;
  pose.ahead = mixed(horizontal, pitch.cosine, fall, pitch.sine);
  const RoomVector down = mixed(fall, pitch.cosine, horizontal, -pitch.sine);
  pose.right = mixed(level, roll.cosine, down, roll.sine);
  pose.down = mixed(down, roll.cosine, level, -roll.sine);
  pose.eye = along(eye_, level, swing_ * aside);
  pose.eye.y += 0.3 * swing_ * up;
  return pose;
}

void RoomScene::find_planes() {
  const Plane shell[kWalls] = {
      {{0, -1, 0}, 0.0, {1, 0, 0}, {0, 0, 1}}, {{0, 1, 0}, kHeight, {1, 0, 0}, {0, 0, 1}},
      {{-1, 0, 0}, 0.0, {0, 0, 1}, {0, 1, 0}}, {{1, 0, 0}, width_, {0, 0, 1}, {0, 1, 0}},
      {{0, 0, -1}, 0.0, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 1}, depth_, {1, 0, 0}, {0, 1, 0}},
  };
  std::copy(std::begin(shell), std::end(shell), planes_.begin());
  for (int b = 0; b < box_count_; ++b) {
    const RoomBox& box = this->box(b);
    const double half[3] = {box.half.x, box.half.y, box.half.z};
    for (int face = 0; face < 6; ++face) {
      const int axis = face / 2;
      Plane& plane = planes_[static_cast<std::size_t>(kWalls + 6 * b + face)];
      const double sign = face % 2 == 0 ? 1.0 : -1.0;
      plane.normal = along({}, box.axis(axis), sign);
      plane.offset = dot(plane.normal, box.centre) + half[axis];
      plane.u = box.axis(axis == 0 ? 2 : 0);
      plane.v = box.axis(axis == 1 ? 2 : 1);
      plane.thing = box.thing;
    }
  }
  for (int i = 0; i < plane_count(); ++i) {
    int same = 0;
    while (
        !is_same(planes_[static_cast<std::size_t>(same)], planes_[static_cast<std::size_t>(i)])) {
      ++same;
    }
    planes_[static_cast<std::size_t>(i)].same = static_cast<std::int16_t>(same);
  }
}

}  // namespace rdp
