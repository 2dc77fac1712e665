// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cstddef>

#include "common/scene/hash_random.h"
#include "common/scene/room_scene.h"

// Only +, -, *, / and comparisons of doubles, without contraction: see street_scene.cpp.
namespace rdp {
namespace {

// The purpose of a random number.
enum Stream : std::uint64_t { kMount = 500, kPlaces };

constexpr int kPlaceCount = RoomScene::kMaxParcels / 2;
constexpr double kPlaceLength = 0.5;  // along the belt
constexpr double kBeltHalfWidth = 0.45;
constexpr double kRoomWidth = 10.0, kRoomDepth = 5.0;
constexpr double kMargin = 0.015;  // around all that stands in a place

constexpr std::uint64_t kLoop = RoomScene::kBeltFrames * RoomScene::kBeltStep;  // mm
static_assert(kLoop == static_cast<std::uint64_t>(1000 * kPlaceLength) * kPlaceCount);

double magnitude(double x) { return x < 0.0 ? -x : x; }

}  // namespace

void RoomScene::put_parcel(const RoomVector& middle, const RoomVector& half, const RoomTurn& turn,
                           int number) {
  boxes_[static_cast<std::size_t>(box_count_++)] = {
      {middle.x, kBeltTop + half.y, middle.z}, half, turn, static_cast<std::uint8_t>(number)};
}

RoomScene RoomScene::parcels(std::uint32_t seed, std::uint64_t frame) {
  const std::uint64_t key = mix_bits(seed);
  RoomScene room;
  room.width_ = kRoomWidth;
  room.depth_ = kRoomDepth;
  room.stands_ = true;
  room.ball_ = {0.0, kHeight, 0.0};  // behind the camera
  HashSequence mount(sub_key(key, kMount));
  const double above = mount.uniform(1.05, 1.35);
  room.pitch_ = mount.uniform(0.67, 0.965);
  room.roll_ = mount.uniform(-0.03, 0.03);
  room.yaw_ = mount.uniform(-0.05, 0.05);
  room.eye_ = {0.5 * kRoomWidth, kBeltTop + above, 0.4 * kRoomDepth};
  // The optical axis meets the middle of the belt, more or less.
  const RoomTurn pitch = RoomTurn::of_half(room.pitch_);
  const double middle = room.eye_.z + above * pitch.cosine / pitch.sine;
  room.boxes_[static_cast<std::size_t>(room.box_count_++)] = {
      {0.5 * kRoomWidth, kBeltTop - 0.05, middle},
      {0.49 * kRoomWidth, 0.05, kBeltHalfWidth},
      {},
      0};

  const std::uint64_t moved = frame % kBeltFrames * kBeltStep;
  for (int place = 0; place < kPlaceCount; ++place) {
    const std::uint64_t begin =
        (moved + static_cast<std::uint64_t>(place) * kLoop / kPlaceCount) % kLoop;
    HashSequence random(sub_key(sub_key(key, kPlaces), static_cast<std::uint64_t>(place)));
    const bool two = random.happens(0.12);
    const double half_length = random.uniform(0.06, two ? 0.15 : 0.2);
    const double half_width = random.uniform(0.04, std::min(half_length, two ? 0.09 : 0.12));
    const double half_height = random.uniform(0.015, 0.175);
    const double other_half_width = two ? random.uniform(0.04, 0.08) : 0.0;
    const double other_half_height = random.uniform(0.015, 0.175);
    // Never coplanar, because coplanar faces would share one label.
    const double other_half_length = half_length * random.uniform(0.8, 0.99);
    const double gap = two ? random.uniform(0.0, 0.01) : 0.0;
    const RoomTurn turn =
        RoomTurn::of_half(two ? random.uniform(-0.2, 0.2) : random.uniform(-1.0, 1.0));
    // Half the width of everything side by side in this place.
    const double half_side = half_width + other_half_width + 0.5 * gap;
    const double cosine = magnitude(turn.cosine);
    const double sine = magnitude(turn.sine);
    const double along_belt =
        0.5 * kPlaceLength - kMargin - half_side * cosine - half_length * sine;
    const double across_belt = kBeltHalfWidth - kMargin - half_side * sine - half_length * cosine;
    const double x = random.uniform(-1.0, 1.0) * along_belt;
    const double z = random.uniform(-1.0, 1.0) * across_belt;
    const double first = (static_cast<double>(begin) - 0.5 * kLoop) / 1000.0;
    const RoomVector at = {0.5 * kRoomWidth + first + 0.5 * kPlaceLength + x, 0.0, middle + z};
    const RoomVector side = {turn.cosine, 0.0, -turn.sine};
    room.put_parcel(along(at, side, half_width - half_side), {half_width, half_height, half_length},
                    turn, 2 * place + 1);
    if (!two) continue;
    room.put_parcel(along(at, side, half_side - other_half_width),
                    {other_half_width, other_half_height, other_half_length}, turn, 2 * place + 2);
  }
  room.find_planes();
  return room;
}

}  // namespace rdp
