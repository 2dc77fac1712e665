// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_FIELD_SOURCES_H_
#define RDP_COMMON_CLOUDS_FIELD_SOURCES_H_

#include <array>
#include <initializer_list>
#include <string_view>

#include "common/clouds/cloud_header.h"

namespace rdp::clouds {

// The properties of the points that are read, by their names: x, y and z, colours, intensity,
// label. Of x, y and z capitals count only if no other is called so; all other names may have any.
// Properties that are not read are named in the header's `others`, for a warning.
class FieldSources {
 public:
  explicit FieldSources(CloudHeader* header) : header_(header) { header_->others.clear(); }

  // Null, or the fault of the property. `single`: it is one number a point. The name stays valid up
  // to finish().
  const char* add(std::string_view name, const Coordinate& at, bool single);
  // The axis that is missing, or 0. Fills the header.
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
