// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/street_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "common/scene/hash_random.h"
#include "common/scene/street_brush.h"

// Uses only +, -, *, /, square roots and roundings of doubles, which IEEE 754 defines exactly. The
// file is compiled without contraction to fused operations: frames are bit-identical everywhere.
namespace rdp {
namespace {

constexpr double kCameraHeight = TestCamera::kHeight;

// The cross section of the street, x in metres.
constexpr double kLeftKerb = -7.2;
constexpr double kRightKerb = 4.4;
constexpr double kKerbHeight = 0.15;
constexpr double kLeftHouses = -10.0;  // the houses stand here or further out
constexpr double kRightHouses = 7.0;
constexpr double kHorizon = 140.0;      // the far end of the street
constexpr double kFarHouse = 11.0;      // the width of a house there
constexpr double kObjectsFrom = 110.0;  // distance at which cars, trees and people appear
constexpr double kHousesFrom = 130.0;
constexpr double kBehind = -24.0;  // objects that begin here may still reach into the picture

// Approach of objects in one frame, in mm.
constexpr std::uint64_t kDrive = 400;
constexpr std::uint64_t kOncoming = 750;
constexpr std::uint64_t kWalkingTowards = 443;
constexpr std::uint64_t kWalkingAway = 357;

// The purpose of a random number.
enum Stream : std::uint64_t { kHouses, kParked, kFurniture, kPeople, kTraffic, kAhead, kSkyline };
constexpr std::uint64_t kPaint = 1000;  // appearance of an object
enum Ground : std::uint64_t { kRoadway = 2000, kPavement, kKerb };
enum Side : std::uint64_t { kLeft, kRight };

struct Car {
  double length, width, waist, roof;  // waist: lower edge of the windows
  double slant_rear, slant_front;     // horizontal reach of the slanted windows, along the car
};

Car make_car(HashSequence* random) {
  const double kind = random->uniform(0.0, 1.0);
  if (kind < 0.16) return {5.2, 1.95, 2.2, 2.3, 0.1, 0.9};  // van
  if (kind < 0.30) return {4.6, 1.85, 1.1, 1.75, 0.4, 1.6};
  return {random->uniform(3.9, 4.7), 1.75, 0.95, random->uniform(1.42, 1.52), 0.8, 1.9};
}

// One thing on the street, waiting to be drawn in the order of distance.
struct Object {
  enum Kind : std::uint8_t { kCar, kTree, kPole, kPerson } kind;
  double z;
  double x;  // centre
  std::uint64_t key;
  double pace;  // change of its distance to the next frame, m
};

class Street : StreetBrush {
 public:
  Street(std::uint32_t seed, std::uint64_t frame, const Viewpoint& from, SpanCanvas* canvas)
      : StreetBrush(from, canvas), key_(mix_bits(seed)), frame_(frame) {}

  void draw();

 private:
  // Calls place(key, z) for every lot of this stream and side between z = from and z = to (m): lots
  // of `pitch` mm follow each other along the road and come nearer by `speed` mm a frame.
  template <typename Place>
  void for_each_lot(Stream stream, Side side, std::int64_t pitch, std::uint64_t speed, double from,
                    double to, Place place) const {
    const std::uint64_t way = frame_ * speed;
    const std::uint64_t passed = way / static_cast<std::uint64_t>(pitch);
    const auto rest = static_cast<std::int64_t>(way % static_cast<std::uint64_t>(pitch));
    const auto begin = static_cast<std::int64_t>(from * 1000.0) / pitch;
    const auto end = static_cast<std::int64_t>(to * 1000.0) / pitch;
    const std::uint64_t stream_key = sub_key(sub_key(key_, stream), side);
    for (std::int64_t i = begin; i <= end; ++i) {
      place(sub_key(stream_key, passed + static_cast<std::uint64_t>(i)),
            static_cast<double>(i * pitch - rest) / 1000.0);
    }
  }

  void add(Object::Kind kind, double z, double x, std::uint64_t key, double pace) {
    if (object_count_ < objects_.size()) objects_[object_count_++] = {kind, z, x, key, pace};
  }
  // The pace of things that come nearer by `speed` mm a frame.
  static constexpr double pace_of(std::uint64_t speed) {
    return -static_cast<double>(speed) / 1000.0;
  }

  // The number of a surface of the current object.
  int look(Surface surface) const {
    surface.move_z = pace_;
    return StreetBrush::look(surface);
  }
  void place_objects();
  void draw_car(const Object& object);
  void draw_tree(const Object& object);
  void draw_crown_from_right(const TreeCrown& crown, Surface leaves);
  void draw_person(const Object& object);
  void draw_houses(Side side);
  void draw_background();

  // The origin of the texture along the road, which approaches with the objects. Textures repeat
  // after a power of two, so the origin may wrap.
  double road_begin() const {
    constexpr std::uint64_t kPeriod = std::uint64_t{65536} * 1000;
    return -static_cast<double>(frame_ * kDrive % kPeriod) / 1000.0;
  }

  std::uint64_t key_;
  std::uint64_t frame_;
  std::array<Object, 128> objects_;
  std::size_t object_count_ = 0;
  double pace_ = 0.0;  // of the current object
};

void Street::place_objects() {
  const auto park = [this](Side side, double x) {
    for_each_lot(kParked, side, 6700, kDrive, kBehind / 2, kObjectsFrom,
                 [&](std::uint64_t key, double z) {
                   HashSequence random(key);
                   if (random.happens(0.5))
                     add(Object::kCar, z + random.uniform(0, 1.5), x, key, pace_of(kDrive));
                 });
  };
  park(kLeft, -6.1);
  park(kRight, 3.3);

  const auto furnish = [this](Side side, double x) {
    for_each_lot(kFurniture, side, 13300, kDrive, 0, kObjectsFrom,
                 [&](std::uint64_t key, double z) {
                   HashSequence random(key);
                   const double kind = random.uniform(0.0, 1.0);
                   if (kind > 0.85) return;
                   add(kind < 0.45 ? Object::kTree : Object::kPole, z + random.uniform(0, 6), x,
                       key, pace_of(kDrive));
                 });
  };
  furnish(kLeft, kLeftKerb - 0.7);
  furnish(kRight, kRightKerb + 0.7);

  const auto walk = [this](Side side, std::uint64_t speed, double x) {
    for_each_lot(kPeople, side, 15700, speed, 0, kObjectsFrom, [&](std::uint64_t key, double z) {
      HashSequence random(key);
      if (!random.happens(0.6)) return;
      const double along = random.uniform(0, 9);
      add(Object::kPerson, z + along, x + random.uniform(-0.4, 0.4), key, pace_of(speed));
    });
  };
  walk(kLeft, kWalkingTowards, kLeftKerb - 1.7);
  walk(kRight, kWalkingAway, kRightKerb + 1.6);

  for_each_lot(kTraffic, kLeft, 41000, kOncoming, kBehind, kObjectsFrom,
               [&](std::uint64_t key, double z) {
                 HashSequence random(key);
                 if (random.happens(0.75))
                   add(Object::kCar, z + random.uniform(0, 20), -3.3, key, pace_of(kOncoming));
               });

  // The two vehicles ahead swing between their shortest and longest distance.
  const auto lead = [this](std::uint64_t period, double from, double to, double x,
                           std::uint64_t key) {
    const auto at = [&](std::uint64_t frame) {
      const auto phase = static_cast<double>(frame % period) / static_cast<double>(period);
      return from + (to - from) * (phase < 0.5 ? 2.0 * phase : 2.0 - 2.0 * phase);
    };
    add(Object::kCar, at(frame_), x, key, at(frame_ + 1) - at(frame_));
  };
  const std::uint64_t ahead = sub_key(key_, kAhead);
  HashSequence random(ahead);
  const double gap = random.uniform(11.0, 15.0);
  lead(400, gap, gap + 12.0, random.uniform(-0.3, 0.3), sub_key(ahead, 0));
  lead(700, gap + 24.0, gap + 45.0, random.uniform(-0.5, 0.3), sub_key(ahead, 1));
}

void Street::draw_car(const Object& object) {
  HashSequence random(sub_key(object.key, 0));
  const Car car = make_car(&random);
  const double x0 = object.x - 0.5 * car.width;
  const double x1 = object.x + 0.5 * car.width;
  const double z0 = object.z;
  const double z1 = z0 + car.length;
  const double window = z0 + car.slant_rear;
  const double roof_end = z1 - car.slant_front;

  // Paint of any brightness, dark glass.
  const std::uint64_t key = sub_key(object.key, kPaint);
  HashSequence paint(key);
  Surface body{.look = Surface::kCarRear,
               .key = key,
               .grey = paint.uniform(45.0, 215.0),
               .contrast = 20.0,
               .u0 = object.x,
               .extent = 0.5 * car.width};
  Surface glass = body;
  glass.shape = Surface::kFlat;
  glass.look = Surface::kPlain;
  glass.key = sub_key(key, 1);
  glass.grey = 48.0;
  glass.v0 = z0;
  Surface roof = glass;
  roof.key = sub_key(key, 2);
  roof.grey = std::min(body.grey + 18.0, 225.0);
  Surface side = body;
  side.shape = Surface::kWall;
  side.look = Surface::kCarSide;
  side.key = sub_key(key, 3);
  side.grey = body.grey * 0.9;
  side.u0 = z0;
  side.extent = car.waist;

  face(x0, x1, z0, 0.0, car.waist, look(body));
  slope(x0, x1, car.waist, z0, car.roof, window, look(glass));
  slope(x0, x1, car.roof, window, car.roof, roof_end, look(roof));
  if (x0 < eye_ && x1 > eye_) return;  // right ahead: no side is seen
  const auto outline = [&](double z) {
    const double rear = (z - z0) / car.slant_rear;
    const double front = (z1 - z) / car.slant_front;
    return car.waist +
           (car.roof - car.waist) * std::clamp(std::min(rear, 2.0 * front - 1.0), 0.0, 1.0);
  };
  wall(x0 > eye_ ? x0 : x1, z0, z1, 0.0, outline, look(side));
}

void Street::draw_tree(const Object& object) {
  HashSequence random(sub_key(object.key, 0));
  const double radius = random.uniform(1.2, 1.9);
  const double middle = random.uniform(3.4, 4.2);  // height of the crown's centre
  const double z = object.z;
  const std::uint64_t key = sub_key(object.key, kPaint);
  face(object.x - 0.14, object.x + 0.14, z, kKerbHeight, middle - radius,
       look({.key = key, .grey = 62.0, .u0 = object.x}));
  if (z - radius < TestCamera::kNearest) return;
  // The crown is a ball whose front bulges towards the camera; in a column it is two straight lines
  // that meet in its middle.
  const double centre = column_of(object.x, z);
  const double half = camera_.focal * radius / z;
  const double rim = camera_.disparity(z);
  const double middle_row = row_of(middle, z);
  const Surface leaves{.key = sub_key(key, 1),
                       .grey = 84.0,
                       .contrast = 42.0,
                       .u0 = object.x,
                       .v0 = middle,
                       .lasts = false};  // its shape is defined in one view only
  if (eye_ != 0.0) {
    draw_crown_from_right({centre, middle_row, half, rim, radius / z}, leaves);
    return;
  }
  const int surface = look(leaves);
  constexpr auto kForeground = SpanCanvas::Layer::kForeground;
  const Columns range = columns(centre - half, centre + half);
  for (int c = range.first; c < range.end; ++c) {
    const double t = (c - centre) / half;
    const double chord = std::sqrt(std::max(1.0 - t * t, 0.0));
    const double front = camera_.disparity(z - radius * chord);
    const double top_row = row_of(middle + radius * chord, z);
    const double bottom_row = row_of(middle - radius * chord, z);
    if (!(top_row < middle_row)) continue;
    const double rise = (front - rim) / (middle_row - top_row);
    canvas_->cover(c, pixel(top_row), pixel(middle_row), disparity_line(rim, top_row, rise),
                   kForeground, surface);
    canvas_->cover(c, pixel(middle_row), pixel(bottom_row), disparity_line(rim, bottom_row, -rise),
                   kForeground, surface);
  }
}

void Street::draw_crown_from_right(const TreeCrown& crown, Surface leaves) {
  if (surfaces_ == nullptr) return;
  leaves.crown = surfaces_->add_crown(crown);
  if (leaves.crown == nullptr) return;
  const int surface = look(leaves);
  const DisparityLine outline = constant_disparity(crown.rim);
  // The bulge reaches over the rim on the left, by less than its own disparity.
  const double over = crown.rim * crown.bulge / (1.0 - crown.bulge);
  const Columns range = columns(crown.centre - crown.half - over, crown.centre + crown.half + 1.0);
  // The seen rows of a column form an interval around the middle row; bisection finds its first and
  // last one.
  const int middle = pixel(crown.middle_row);
  const int reach = pixel(crown.half) + 1;
  for (int c = range.first; c < range.end; ++c) {
    const auto seen = [&](int row) { return crown.seen_from_right(c, row) > 0.0; };
    const auto edge = [&](int inside, int outside) {
      while (inside - outside > 1 || outside - inside > 1) {
        const int row = inside + (outside - inside) / 2;
        (seen(row) ? inside : outside) = row;
      }
      return inside;
    };
    int top = middle;
    int bottom = middle;
    if (seen(middle)) bottom = edge(middle, middle + reach) + 1;
    if (seen(middle - 1)) top = edge(middle - 1, middle - 1 - reach);
    canvas_->cover(c, top, bottom, outline, SpanCanvas::Layer::kForeground, surface);
  }
}

void Street::draw_person(const Object& object) {
  HashSequence random(sub_key(object.key, 0));
  const double tall = random.uniform(1.45, 1.85) + kKerbHeight;
  const double x = object.x;
  const std::uint64_t key = sub_key(object.key, kPaint);
  HashSequence clothes(key);
  Surface cloth{.key = key, .grey = 165.0, .u0 = x};
  face(x - 0.09, x + 0.09, object.z, tall - 0.3, tall, look(cloth));
  cloth.grey = clothes.uniform(40.0, 200.0);
  face(x - 0.24, x + 0.24, object.z, tall - 0.95, tall - 0.24, look(cloth));
  cloth.grey = clothes.uniform(30.0, 110.0);
  face(x - 0.16, x + 0.16, object.z, kKerbHeight, tall - 0.95, look(cloth));
}

void Street::draw_houses(Side side) {
  const std::int64_t pitch = side == kLeft ? 17300 : 19100;
  for_each_lot(kHouses, side, pitch, kDrive, kBehind, kHousesFrom,
               [&](std::uint64_t key, double z) {
                 HashSequence random(key);
                 const bool gap = random.happens(0.12);  // a side street or a park
                 if (gap) return;
                 const double lot = static_cast<double>(pitch) / 1000.0;
                 const double from = z + (random.happens(0.5) ? random.uniform(1.0, 5.0) : 0.0);
                 const double to = z + lot;
                 const double setback = random.happens(0.4) ? random.uniform(0.8, 4.5) : 0.0;
                 const double tall = random.uniform(4.5, 17.0);
                 const double x = side == kLeft ? kLeftHouses - setback : kRightHouses + setback;
                 const double outer = side == kLeft ? x - 12.0 : x + 12.0;
                 const std::uint64_t wall_key = sub_key(key, kPaint);
                 HashSequence paint(wall_key);
                 Surface front{.shape = Surface::kWall,
                               .look = Surface::kHouse,
                               .key = wall_key,
                               .grey = paint.uniform(95.0, 195.0),
                               .u0 = from};
                 Surface end = front;  // has no windows
                 end.shape = Surface::kFace;
                 end.look = Surface::kPlain;
                 end.key = sub_key(wall_key, 1);
                 end.grey = front.grey * 0.8;
                 end.u0 = x;
                 // The end that faces the camera; the previous house may hide it wholly or partly.
                 face(std::min(x, outer), std::max(x, outer), from, kKerbHeight, tall, look(end));
                 wall(
                     x, from, to, kKerbHeight, [tall](double) { return tall; }, look(front));
               });
}

void Street::draw_background() {
  const double base = camera_.centre_row;
  const int horizon = pixel(row_of(0.0, kHorizon));
  const double road_slope = camera_.baseline / kCameraHeight;
  const double pavement_slope = camera_.baseline / (kCameraHeight - kKerbHeight);
  const DisparityLine road = disparity_line(0.0, base, road_slope);
  const DisparityLine pavement = disparity_line(0.0, base, pavement_slope);
  const DisparityLine far_end = constant_disparity(camera_.disparity(kHorizon));
  const std::uint64_t skyline = sub_key(key_, kSkyline);
  const double houses_per_column = kHorizon / camera_.focal / kFarHouse;
  constexpr auto kBackground = SpanCanvas::Layer::kBackground;

  const double begin = road_begin();
  Surface ground{.shape = Surface::kFlat,
                 .look = Surface::kRoad,
                 .key = sub_key(key_, kRoadway),
                 .grey = 92.0,
                 .contrast = 20.0,
                 .v0 = begin};
  const int road_look = look(ground);
  ground.look = Surface::kPlain;
  ground.key = sub_key(key_, kPavement);
  ground.grey = 140.0;
  const int pavement_look = look(ground);
  ground.shape = Surface::kWall;
  ground.key = sub_key(key_, kKerb);
  ground.grey = 165.0;
  ground.u0 = begin;
  ground.v0 = 0.0;
  const int kerb_look = look(ground);
  pace_ = 0.0;              // the far end stays
  double last_house = 0.5;  // none yet
  int house_look = 0;

  for (int c = 0; c < canvas_->width(); ++c) {
    const double ray = c - camera_.centre_column;
    // The kerb on this column's ray: focal / z there.
    const double at_kerb = ray / ((ray < 0.0 ? kLeftKerb : kRightKerb) - eye_);
    const int kerb_foot = std::max(pixel(base + kCameraHeight * at_kerb), horizon);
    const int kerb_edge = std::max(pixel(base + (kCameraHeight - kKerbHeight) * at_kerb), horizon);
    canvas_->cover(c, kerb_foot, canvas_->height(), road, kBackground, road_look);
    canvas_->cover(c, kerb_edge, kerb_foot, constant_disparity(camera_.baseline * at_kerb),
                   kBackground, kerb_look);
    canvas_->cover(c, horizon, kerb_edge, pavement, kBackground, pavement_look);
    const double house = std::floor(ray * houses_per_column + eye_ / kFarHouse);
    const std::uint64_t house_key =
        sub_key(skyline, static_cast<std::uint64_t>(static_cast<std::int64_t>(house)));
    HashSequence random(house_key);
    if (house != last_house) {
      HashSequence paint(sub_key(house_key, kPaint));
      house_look = look({.key = house_key, .grey = paint.uniform(60.0, 190.0)});
      last_house = house;
    }
    const int roofs = pixel(row_of(random.uniform(5.0, 15.0), kHorizon));
    canvas_->cover(c, roofs, horizon, far_end, kBackground, house_look);
    canvas_->cover(c, 0, canvas_->height(), DisparityLine{}, kBackground);  // the sky
  }
}

void Street::draw() {
  place_objects();
  // Things on the road and the pavement hide the houses wherever a ray meets both, and nearer
  // things hide farther ones. Comparing indices makes the order total, so it is the same
  // everywhere.
  std::array<std::uint8_t, 128> order;
  static_assert(std::tuple_size_v<decltype(objects_)> == std::tuple_size_v<decltype(order)>);
  for (std::size_t i = 0; i < object_count_; ++i) order[i] = static_cast<std::uint8_t>(i);
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(object_count_),
            [this](std::uint8_t a, std::uint8_t b) {
              if (objects_[a].z != objects_[b].z) return objects_[a].z < objects_[b].z;
              return a < b;
            });
  for (std::size_t i = 0; i < object_count_; ++i) {
    const Object& object = objects_[order[i]];
    pace_ = object.pace;
    switch (object.kind) {
      case Object::kCar:
        draw_car(object);
        break;
      case Object::kTree:
        draw_tree(object);
        break;
      case Object::kPole:
        face(object.x - 0.1, object.x + 0.1, object.z, kKerbHeight, 5.5,
             look({.key = object.key, .grey = 75.0, .u0 = object.x}));
        break;
      case Object::kPerson:
        draw_person(object);
        break;
    }
  }
  pace_ = pace_of(kDrive);
  draw_houses(kLeft);
  draw_houses(kRight);
  draw_background();
}

}  // namespace

TestCamera TestCamera::of_size(int width, int height) {
  TestCamera camera;
  camera.focal = width * 720.0 / 1242.0;
  camera.baseline = 0.54 * std::min({1.0, 2048.0 / width, 1024.0 / height});
  camera.centre_column = 0.5 * (width - 1);
  camera.centre_row = 0.46 * (height - 1);
  return camera;
}

void draw_street(std::uint32_t seed, std::uint64_t frame, const Viewpoint& from,
                 SpanCanvas* canvas) {
  Street(seed, frame, from, canvas).draw();
}

}  // namespace rdp
