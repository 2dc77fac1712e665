// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/traffic_scene.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "common/scene/hash_random.h"
#include "common/scene/street_brush.h"

// Only +, -, *, / and roundings of doubles, without contraction: see street_scene.cpp.
namespace rdp {
namespace {

// The purpose of a random number.
enum Stream : std::uint64_t { kCarSizes = 700, kCarPaint, kHousePaint, kGround };

// The loops, in mm. Objects along the road repeat after kLoop, crossing cars after half of it. So
// all places but the camera's repeat after 270 frames: cars that do not meet within one loop never
// do.
constexpr std::int64_t kSpeed = 333;
constexpr std::int64_t kLoop = 270 * kSpeed;
constexpr std::int64_t kLoopBegin = -30000;  // behind the camera
constexpr std::int64_t kSideLoop = kLoop / 2;

// In frame kTrafficMoment; the middle to the right, the nearest side ahead.
struct Course {
  std::int64_t middle, near;
  int across, along;
};
constexpr Course kCourses[kTrafficCars] = {{5200, 15000, 0, kSpeed},
                                           {-5500, 15000, kSpeed, 0},
                                           {-3500, -16000, 0, -kSpeed},
                                           {kSideLoop / 2, 25000, -kSpeed, 0}};

// The houses of a loop, on both sides of the road; cars 2 and 4 come out of the gaps between them.
constexpr std::int64_t kHouses[][2] = {{19500, 22500}, {29500, 44500}, {44500, 58000},
                                       {58000, 73500}, {73500, 87000}, {87000, 12500 + kLoop}};
constexpr double kHouseFront = 11.0;  // to either side, m
constexpr double kHouseBack = 19.0;
constexpr double kHousesFrom = 130.0;  // distance at which houses appear
constexpr double kGroundEnd = 500.0;   // farther ground is less than a row

// `value` modulo `period`, in a range that begins at `low`.
constexpr std::int64_t wrapped(std::int64_t value, std::int64_t low, std::int64_t period) {
  const std::int64_t rest = (value - low) % period;
  return low + (rest < 0 ? rest + period : rest);
}

// Frames since kTrafficMoment, less whole loops of every speed.
constexpr std::int64_t time_of(std::uint64_t frame) {
  return static_cast<std::int64_t>(frame % static_cast<std::uint64_t>(kLoop)) - kTrafficMoment;
}

double metres(std::int64_t millimetres) { return static_cast<double>(millimetres) / 1000.0; }

// A box that stands on the ground, in m, and the looks of its sides.
struct Box {
  double left, right, near, far, height;
  Surface front, side, roof;
};

// True if `other` may hide a part of `box`. It cannot if a plane along or across the road separates
// them and the eye is on the side of `box`. All that is visible of `box` is then on that side, too.
bool may_be_hidden(const Box& box, const Box& other, double eye) {
  const bool nearer = box.far <= other.near;
  const bool further_left = box.right <= other.left && eye <= other.left;
  const bool further_right = other.right <= box.left && other.right <= eye;
  return !nearer && !further_left && !further_right;
}

// The turn of the camera since kTrafficMoment: `frames` times the turn of one frame.
Heading heading_of(std::uint32_t turn, std::int64_t frames) {
  const double tangent = static_cast<double>(turn) / 2000.0 * (frames < 0 ? -1.0 : 1.0);
  const double square = tangent * tangent;
  Heading power = {(1.0 - square) / (1.0 + square), 2.0 * tangent / (1.0 + square), turn != 0};
  Heading heading;
  heading.turns = turn != 0;
  const auto then = [](const Heading& a, const Heading& b) {
    return Heading{a.cosine * b.cosine - a.sine * b.sine, a.cosine * b.sine + a.sine * b.cosine,
                   a.turns};
  };
  for (std::int64_t left = frames < 0 ? -frames : frames; left > 0; left /= 2) {
    if (left % 2 == 1) heading = then(heading, power);
    power = then(power, power);
  }
  return heading;
}

class Traffic : StreetBrush {
 public:
  Traffic(std::uint32_t seed, std::uint32_t drive, std::uint32_t turn, std::uint64_t frame,
          const Viewpoint& from, SpanCanvas* canvas)
      : StreetBrush(from, canvas),
        seed_(seed),
        drive_(drive),
        heading_(heading_of(turn, time_of(frame))),
        frame_(frame) {}

  void draw();

 private:
  void add_car(int number);
  void add_house(std::int64_t near, std::int64_t far, bool left, std::uint64_t key);
  void add_houses();
  void draw_box(const Box& box);
  void draw_boxes();
  void draw_turned_boxes();
  void draw_ground();

  const std::uint32_t seed_;
  const std::uint32_t drive_;
  const Heading heading_;
  const std::uint64_t frame_;
  std::array<Box, 64> boxes_;
  std::size_t box_count_ = 0;
};

void Traffic::add_car(int number) {
  const TrafficCar car = traffic_car(number, seed_, drive_, frame_);
  const std::uint64_t key =
      sub_key(sub_key(mix_bits(seed_), kCarPaint), static_cast<std::uint64_t>(number));
  HashSequence paint(key);
  Box box{metres(car.left),
          metres(car.right),
          metres(car.near),
          metres(car.far),
          metres(car.height),
          {},
          {},
          {}};
  const double middle = 0.5 * (box.left + box.right);
  const double depth = 0.5 * (box.near + box.far);
  const bool crosses = car.across != 0;
  // One end and one long side, those that face the camera.
  Surface end{.look = Surface::kCarRear,
              .key = sub_key(key, 1),
              .grey = paint.uniform(60.0, 215.0),
              .move_x = metres(car.across),
              .move_z = metres(car.along - static_cast<std::int64_t>(drive_)),
              .label = static_cast<std::uint8_t>(number)};
  Surface flank = end;
  flank.look = Surface::kCarSide;
  flank.key = sub_key(key, 2);
  flank.extent = 0.6 * box.height;
  end.extent = 0.5 * (crosses ? box.far - box.near : box.right - box.left);
  box.roof = end;
  box.roof.shape = Surface::kFlat;
  box.roof.look = Surface::kPlain;
  box.roof.key = sub_key(key, 3);
  box.roof.u0 = middle;
  box.roof.v0 = box.near;
  box.front = crosses ? flank : end;
  box.front.u0 = crosses ? box.left : middle;
  box.side = crosses ? end : flank;
  box.side.shape = Surface::kWall;
  box.side.u0 = crosses ? depth : box.near;
  boxes_[box_count_++] = box;
}

void Traffic::add_house(std::int64_t near, std::int64_t far, bool left, std::uint64_t key) {
  HashSequence random(key);
  Box box{left ? -kHouseBack : kHouseFront,
          left ? -kHouseFront : kHouseBack,
          metres(near),
          metres(far),
          random.uniform(4.5, 13.0),
          {},
          {},
          {}};
  box.side = {.shape = Surface::kWall,
              .look = Surface::kHouse,
              .key = key,
              .grey = random.uniform(95.0, 195.0),
              .u0 = box.near,
              .move_z = -metres(drive_)};
  box.front = box.side;  // has no windows
  box.front.shape = Surface::kFace;
  box.front.look = Surface::kPlain;
  box.front.key = sub_key(key, 1);
  box.front.grey *= 0.8;
  box.front.u0 = left ? box.right : box.left;
  if (box_count_ < boxes_.size()) boxes_[box_count_++] = box;
}

void Traffic::add_houses() {
  const std::int64_t passed = static_cast<std::int64_t>(drive_) * time_of(frame_);
  const std::uint64_t key = sub_key(mix_bits(seed_), kHousePaint);
  for (std::int64_t begin = wrapped(-passed, -kLoop, kLoop) - (heading_.turns ? 2 : 1) * kLoop;
       metres(begin) < kHousesFrom; begin += kLoop) {
    for (std::size_t i = 0; i < std::size(kHouses); ++i) {
      const std::int64_t near = begin + kHouses[i][0];
      const std::int64_t far = begin + kHouses[i][1];
      // A camera that turns also sees behind its starting direction.
      if (metres(far) <= (heading_.turns ? -kHousesFrom : TestCamera::kNearest)) continue;
      if (metres(near) >= kHousesFrom) continue;
      add_house(near, far, true, sub_key(key, 2 * i));
      add_house(near, far, false, sub_key(key, 2 * i + 1));
    }
  }
}

void Traffic::draw_box(const Box& box) {
  const double near = std::max(box.near, TestCamera::kNearest);
  if (near >= box.far) return;
  face(box.left, box.right, box.near, 0.0, box.height, look(box.front));
  slope(box.left, box.right, box.height, near, box.height, box.far, look(box.roof));
  const auto top = [&](double) { return box.height; };
  if (box.left > eye_) wall(box.left, near, box.far, 0.0, top, look(box.side));
  if (box.right < eye_) wall(box.right, near, box.far, 0.0, top, look(box.side));
}

void Traffic::draw_ground() {
  constexpr std::uint64_t kPeriod = std::uint64_t{65536} * 1000;  // the period of textures
  const int road = look({.shape = Surface::kFlat,
                         .look = Surface::kRoad,
                         .key = sub_key(mix_bits(seed_), kGround),
                         .grey = 92.0,
                         .contrast = 24.0,
                         .v0 = -static_cast<double>(frame_ % kPeriod * drive_ % kPeriod) / 1000.0,
                         .move_z = -metres(drive_)});
  const DisparityLine line =
      disparity_line(0.0, camera_.centre_row, camera_.baseline / TestCamera::kHeight);
  const int horizon = pixel(row_of(0.0, kGroundEnd));
  constexpr auto kBackground = SpanCanvas::Layer::kBackground;
  for (int c = 0; c < canvas_->width(); ++c) {
    canvas_->cover(c, horizon, canvas_->height(), line, kBackground, road);
    canvas_->cover(c, 0, canvas_->height(), DisparityLine{}, kBackground);  // the sky
  }
}

// Draws column by column the boxes that its ray meets in plan view, the nearest first. Boxes do not
// intersect, so such an order exists.
void Traffic::draw_turned_boxes() {
  struct Numbers {
    int front, side, roof;
  };
  std::array<Numbers, 64> numbers;
  for (std::size_t i = 0; i < box_count_; ++i) {
    numbers[i] = {look(boxes_[i].front), look(boxes_[i].side), look(boxes_[i].roof)};
  }
  struct Hit {
    double from, to;  // along the camera's axis
    bool at_side;
    std::size_t box;
  };
  std::array<Hit, 64> hits;
  const double eye_across = heading_.across(eye_, 0.0);
  const double eye_along = heading_.along(eye_, 0.0);
  for (int c = 0; c < canvas_->width(); ++c) {
    const double ray = (c - camera_.centre_column) / camera_.focal;
    const double across = heading_.across(ray, 1.0);
    const double along = heading_.along(ray, 1.0);
    std::size_t count = 0;
    for (std::size_t i = 0; i < box_count_; ++i) {
      const Box& box = boxes_[i];
      // The part of the ray between a pair of sides; a parallel ray lies between them everywhere or
      // nowhere.
      const auto between = [](double low, double high, double eye, double step, double* from,
                              double* to) {
        if (step == 0.0) {
          *from = low <= eye && eye <= high ? -1e9 : 1e9;
          *to = 1e9;
          return;
        }
        const double a = (low - eye) / step;
        const double b = (high - eye) / step;
        *from = std::min(a, b);
        *to = std::max(a, b);
      };
      double from_side, to_side, from_front, to_front;
      between(box.left, box.right, eye_across, across, &from_side, &to_side);
      between(box.near, box.far, eye_along, along, &from_front, &to_front);
      const Hit hit = {std::max(from_side, from_front), std::min(to_side, to_front),
                       from_side > from_front, i};
      if (hit.from < TestCamera::kNearest || !(hit.from < hit.to)) continue;
      std::size_t place = count++;
      for (; place > 0 && hits[place - 1].from > hit.from; --place) hits[place] = hits[place - 1];
      hits[place] = hit;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Hit& hit = hits[i];
      const Box& box = boxes_[hit.box];
      const Numbers& number = numbers[hit.box];
      const int top = pixel(row_of(box.height, hit.from));
      canvas_->cover(c, top, pixel(row_of(0.0, hit.from)),
                     constant_disparity(camera_.disparity(hit.from)),
                     SpanCanvas::Layer::kForeground, hit.at_side ? number.side : number.front);
      if (box.height >= TestCamera::kHeight) continue;
      const double rise = camera_.baseline / (TestCamera::kHeight - box.height);
      canvas_->cover(c, pixel(row_of(box.height, hit.to)), top,
                     disparity_line(0.0, camera_.centre_row, rise), SpanCanvas::Layer::kForeground,
                     number.roof);
    }
  }
}

void Traffic::draw() {
  for (int number = 1; number <= kTrafficCars; ++number) add_car(number);
  add_houses();
  if (surfaces_ != nullptr) surfaces_->heading = heading_;
  heading_.turns ? draw_turned_boxes() : draw_boxes();
  draw_ground();
}

// Draws from front to back: always a box that no remaining one may hide. There is one, because
// boxes do not intersect.
void Traffic::draw_boxes() {
  while (box_count_ > 0) {
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < box_count_; ++i) {
      const bool hidden =
          std::any_of(boxes_.begin(), boxes_.begin() + static_cast<std::ptrdiff_t>(box_count_),
                      [&](const Box& other) {
                        return &other != &boxes_[i] && may_be_hidden(boxes_[i], other, eye_);
                      });
      if (hidden) continue;
      chosen = i;
      break;
    }
    draw_box(boxes_[chosen]);
    boxes_[chosen] = boxes_[--box_count_];
  }
}

}  // namespace

TrafficCar traffic_car(int number, std::uint32_t seed, std::uint32_t drive, std::uint64_t frame) {
  const Course& course = kCourses[number - 1];
  HashSequence random(
      sub_key(sub_key(mix_bits(seed), kCarSizes), static_cast<std::uint64_t>(number)));
  const auto length = static_cast<std::int64_t>(random.uniform(3900.0, 4600.0));
  const auto width = static_cast<std::int64_t>(random.uniform(1700.0, 1900.0));
  TrafficCar car;
  car.height = static_cast<std::int64_t>(random.uniform(1400.0, 1600.0));
  car.across = course.across;
  car.along = course.along;
  const bool crosses = course.across != 0;
  const std::int64_t time = time_of(frame);
  const std::int64_t middle =
      crosses ? wrapped(course.middle + course.across * time, -kSideLoop / 2, kSideLoop)
              : course.middle;
  car.left = middle - (crosses ? length : width) / 2;
  car.right = car.left + (crosses ? length : width);
  const std::int64_t pace = course.along - static_cast<std::int64_t>(drive);
  car.near = wrapped(course.near + pace * time, kLoopBegin, kLoop);
  car.far = car.near + (crosses ? width : length);
  return car;
}

void draw_traffic(std::uint32_t seed, std::uint32_t drive, std::uint32_t turn, std::uint64_t frame,
                  const Viewpoint& from, SpanCanvas* canvas) {
  Traffic(seed, drive, turn, frame, from, canvas).draw();
}

}  // namespace rdp
