// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_CLOUD_FIELDS_H_
#define RDP_COMMON_CLOUDS_CLOUD_FIELDS_H_

#include <cstddef>
#include <cstdint>

// Optional fields of points beside x, y and z: colour, intensity and label.
namespace rdp::clouds {

// Colours are bytes in this order, numbers are little-endian.
enum class FieldType : std::uint8_t { kNone, kRgb, kRgba, kBgra, kF32, kU32, kU16, kU8 };

constexpr std::size_t size_of(FieldType type) {
  constexpr std::uint8_t kSizes[] = {0, 3, 4, 4, 4, 4, 2, 1};
  return kSizes[static_cast<std::size_t>(type)];
}

// The place of a field in each point.
struct PointField {
  FieldType type = FieldType::kNone;  // kNone: there is no such field
  std::int32_t offset = 0;            // bytes from the beginning of the point

  bool is_there() const { return type != FieldType::kNone; }
  bool operator==(const PointField&) const = default;
};

struct PointFields {
  PointField colour;     // kRgb, kRgba or kBgra
  PointField intensity;  // kF32, kU16 or kU8
  PointField label;      // kU32, kU16 or kU8; of planes: the index + 1, 0 is none

  bool operator==(const PointFields&) const = default;
};

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_CLOUD_FIELDS_H_
