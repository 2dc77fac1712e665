// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_FIELD_SOURCES_H_
#define RDP_COMMON_CLOUDS_FIELD_SOURCES_H_

#include <array>
#include <initializer_list>
#include <string_view>

#include "common/clouds/cloud_header.h"

namespace rdp::clouds {

// Selects properties of points by name: x, y and z, colours, intensity, label. X, Y and Z count
// only without their lower-case names; other names ignore case. The header's `others` lists the
// unread properties, for a warning.
class FieldSources {
 public:
  explicit FieldSources(CloudHeader* header) : header_(header) { header_->others.clear(); }

  // Adds a property. Returns null, or the property's fault. `single`: it is one number a point.
  // `name` must stay valid until finish().
  const char* add(std::string_view name, const Coordinate& at, bool single);
  // Fills the header. Returns the missing axis, or 0.
  char finish();

 private:
  struct Slot {
    std::string_view name;  // "": not in the file
    bool single = false;
    bool read = false;
    Coordinate at;
  };
  enum Place : std::uint8_t {
    kX,
    kCapitalX = 3,
    kRed = 6,
    kGreen,
    kBlue,
    kAlpha,
    kRgb,
    kRgba,
    kIntensity,
    kLabel,
    kPlaces
  };

  static Place place_of(std::string_view name);
  bool is_packed(Place place) const;
  void read(Place place, Store store, std::size_t to);
  PointField append(FieldType type, std::initializer_list<Place> places, Store store);
  void read_colour();
  void read_number(Place place, bool label, PointField* field);
  void note(std::string_view name);

  CloudHeader* header_;
  std::array<Slot, kPlaces> slots_{};
};

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_FIELD_SOURCES_H_
