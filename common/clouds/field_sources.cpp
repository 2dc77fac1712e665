// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/clouds/field_sources.h"

#include <algorithm>
#include <cctype>

namespace rdp::clouds {
namespace {

constexpr std::size_t kMaxNames = 200;  // bytes

bool equals(std::string_view name, std::string_view small) {
  return std::equal(name.begin(), name.end(), small.begin(), small.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

}  // namespace

FieldSources::Place FieldSources::place_of(std::string_view name) {
  constexpr std::string_view kAxes = "xyzXYZ";
  if (name.size() == 1 && kAxes.find(name[0]) != kAxes.npos) {
    return static_cast<Place>(kAxes.find(name[0]));
  }
  struct Name {
    std::string_view name;
    Place place;
  };
  // CloudCompare calls its own fields scalar_NAME, VisualSFM its colours diffuse_NAME.
  constexpr Name kNames[] = {{"red", kRed},
                             {"green", kGreen},
                             {"blue", kBlue},
                             {"alpha", kAlpha},
                             {"r", kRed},
                             {"g", kGreen},
                             {"b", kBlue},
                             {"a", kAlpha},
                             {"diffuse_red", kRed},
                             {"diffuse_blue", kBlue},
                             {"diffuse_green", kGreen},
                             {"rgb", kRgb},
                             {"rgba", kRgba},
                             {"intensity", kIntensity},
                             {"scalar_intensity", kIntensity},
                             {"reflectance", kIntensity},
                             {"label", kLabel},
                             {"scalar_label", kLabel}};
  for (const Name& row : kNames) {
    if (equals(name, row.name)) return row.place;
  }
  return kPlaces;
}

const char* FieldSources::add(std::string_view name, const Coordinate& at, bool single) {
  const Place place = place_of(name);
  const bool axis = place < kRed;
  if (place == kPlaces || (!axis && !slots_[place].name.empty())) {
    if (name != "_") note(name);  // PCD's padding
    return nullptr;
  }
  Slot& slot = slots_[place];
  if (!slot.name.empty()) return "it twice";
  slot = {name, single, false, at};
  return place >= kCapitalX || single ? nullptr : "more than one number";
}

void FieldSources::read(Place place, Store store, std::size_t to) {
  slots_[place].read = true;
  FieldSource& source = header_->sources[header_->source_count++];
  static_cast<Coordinate&>(source) = slots_[place].at;
  source.store = store;
  source.to = static_cast<std::uint32_t>(to);
}

// A field of four bytes at most at the end of the points as they are decoded.
PointField FieldSources::append(FieldType type, std::initializer_list<Place> places, Store store) {
  const std::size_t at = header_->step;
  std::size_t to = at;
  for (const Place place : places) read(place, store, to++);
  header_->step += 4;
  return {type, static_cast<std::int32_t>(at)};
}

bool FieldSources::is_packed(Place place) const {
  return slots_[place].single && size_of(slots_[place].at.kind) == 4;
}

void FieldSources::read_colour() {
  PointField& colour = header_->fields.colour;
  if (slots_[kRed].single && slots_[kGreen].single && slots_[kBlue].single) {
    colour = slots_[kAlpha].single
                 ? append(FieldType::kRgba, {kRed, kGreen, kBlue, kAlpha}, Store::kChannel)
                 : append(FieldType::kRgb, {kRed, kGreen, kBlue}, Store::kChannel);
  } else if (is_packed(kRgba)) {
    colour = append(FieldType::kBgra, {kRgba}, Store::kPacked);
  } else if (is_packed(kRgb)) {
    colour = append(FieldType::kRgb, {kRgb}, Store::kPackedRgb);
  }
}

// Unsigned bytes and 16 bits stay; others become floats, or 32 bits of labels.
void FieldSources::read_number(Place place, bool label, PointField* field) {
  if (!slots_[place].single) return;
  const NumberKind kind = slots_[place].at.kind;
  if (kind == NumberKind::kUint8) {
    *field = append(FieldType::kU8, {place}, Store::kU8);
  } else if (kind == NumberKind::kUint16) {
    *field = append(FieldType::kU16, {place}, Store::kU16);
  } else {
    *field = label ? append(FieldType::kU32, {place}, Store::kU32)
                   : append(FieldType::kF32, {place}, Store::kFloat);
  }
}

char FieldSources::finish() {
  constexpr std::string_view kAxes = "xyz";
  for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
    const bool capital = slots_[axis].name.empty() && slots_[axis + kCapitalX].single;
    if (slots_[axis].name.empty() && !capital) return kAxes[axis];
    read(static_cast<Place>(axis + (capital ? kCapitalX : kX)), Store::kFloat, axis * 4);
  }
  read_colour();
  read_number(kIntensity, false, &header_->fields.intensity);
  read_number(kLabel, true, &header_->fields.label);
  for (const Slot& slot : slots_) {
    if (!slot.name.empty() && !slot.read) note(slot.name);
  }
  return 0;
}

void FieldSources::note(std::string_view name) {
  std::string& others = header_->others;
  if (others.size() + name.size() > kMaxNames) {
    if (!others.ends_with("...")) others += ", ...";
    return;
  }
  if (!others.empty()) others += ", ";
  for (const char c : name) others += c >= ' ' && c <= '~' ? c : '?';
}

}  // namespace rdp::clouds
