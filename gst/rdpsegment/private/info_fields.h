/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_INFO_FIELDS_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_INFO_FIELDS_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "common/image/depth_view.h"
#include "gst/rdpsegment/private/little_endian.h"

/* The info of a kind of metadata as one table. A row describes a member: its place in the header of
 * the serialised form, the first version that has it, and its valid values. The table drives
 * writing, reading, checking and the keys of JSON lines. Python has the same rows; a test compares
 * both tables with each other and with the page of the format.
 *
 *   constexpr auto kPlanesFields = std::to_array<InfoField<GstRdpPlanesInfo>>({
 *       info_number<&GstRdpPlanesInfo::noise>("noise", {.at = 72}, {InfoRule::kNotNegative},
 *                                             "noise must be 0 or more"),
 *   });
 *
 * Rows are checked in their order. Header bytes without a row are 0. */
namespace rdp::meta {

enum class InfoType { kUInt32, kInt32, kUInt64, kInt64, kDouble, kFlag };

/* A member's place in the header. */
struct InfoPlace {
  gsize at;          /* bytes from its start */
  guint32 since = 1; /* the first version that has it */
  guint32 bit = 0;   /* of a flag: its bit in the 32-bit word at `at` */
};

/* The valid values of a member. Only kAny allows infinity and NaN. */
struct InfoRule {
  enum { kAny, kFinite, kNotNegative, kPositive, kWithin } kind = kAny;
  double least = 0; /* of kWithin */
  double most = 0;
};

/* Width and height of a frame. */
inline constexpr InfoRule kSide = {InfoRule::kWithin, 1, kMaxSide};
inline constexpr const char* kSize = "width and height must be 1 to 16384";

template <typename Info>
struct InfoField {
  const char* name; /* of the member */
  InfoType type;
  InfoPlace place;
  InfoRule rule;
  const char* wrong;          /* what the member must be; for `rule` and `other` */
  bool (*other)(const Info&); /* a rule over several members; null: none */
  double (*value)(const Info&);
  void (*write)(const Info&, const InfoPlace&, guint8* header);
  void (*read)(const guint8* header, const InfoPlace&, Info*);
};

template <typename Info, typename Member>
Info info_of_member(Member Info::*);
template <typename Info, typename Member>
Member type_of_member(Member Info::*);

/* The member as a number. C code or bytes may store a value that is no enumerator, which C++ does
 * not allow to read as an enumeration. */
template <auto Member, typename Info>
auto member_number(const Info& info) {
  using Own = decltype(type_of_member(Member));
  using Number = std::conditional_t<std::is_enum_v<Own>, guint32, Own>;
  static_assert(sizeof(Number) == sizeof(Own));
  Number number;
  std::memcpy(&number, &(info.*Member), sizeof number);
  return number;
}

/* A row of a number or an enumeration. */
template <auto Member, typename Info = decltype(info_of_member(Member))>
constexpr InfoField<Info> info_number(const char* name, InfoPlace place, InfoRule rule = {},
                                      const char* wrong = nullptr,
                                      std::type_identity_t<bool (*)(const Info&)> other = nullptr) {
  using Number = decltype(member_number<Member>(std::declval<const Info&>()));
  static_assert(!std::is_same_v<Number, float>,
                "a member of an info is a double: no row has floats");
  constexpr bool kLong = sizeof(Number) == 8;
  constexpr InfoType kType = std::is_floating_point_v<Number> ? InfoType::kDouble
                             : std::is_signed_v<Number>
                                 ? (kLong ? InfoType::kInt64 : InfoType::kInt32)
                                 : (kLong ? InfoType::kUInt64 : InfoType::kUInt32);
  return {name,
          kType,
          place,
          rule,
          wrong,
          other,
          [](const Info& info) { return static_cast<double>(member_number<Member>(info)); },
          [](const Info& info, const InfoPlace& to, guint8* header) {
            write_le<Number>(header + to.at, member_number<Member>(info));
          },
          [](const guint8* header, const InfoPlace& from, Info* info) {
            const auto number = read_le<Number>(header + from.at);
            std::memcpy(&(info->*Member), &number, sizeof number);
          }};
}

/* A row of a gboolean, or of an enumeration with two values. */
template <auto Member, typename Info = decltype(info_of_member(Member))>
constexpr InfoField<Info> info_flag(const char* name, InfoPlace place, InfoRule rule = {},
                                    const char* wrong = nullptr) {
  InfoField<Info> field = info_number<Member>(name, place, rule, wrong);
  field.type = InfoType::kFlag;
  field.write = [](const Info& info, const InfoPlace& to, guint8* header) {
    const auto word = read_le<guint32>(header + to.at);
    write_le<guint32>(header + to.at, word | (member_number<Member>(info) != 0 ? to.bit : 0));
  };
  field.read = [](const guint8* header, const InfoPlace& from, Info* info) {
    const bool set = (read_le<guint32>(header + from.at) & from.bit) != 0;
    info->*Member = static_cast<decltype(type_of_member(Member))>(set ? 1 : 0);
  };
  return field;
}

template <typename Info>
bool is_good(const InfoField<Info>& field, const Info& info) {
  const double value = field.value(info);
  if (field.rule.kind != InfoRule::kAny && !std::isfinite(value)) return false;
  if (field.rule.kind == InfoRule::kNotNegative && value < 0) return false;
  if (field.rule.kind == InfoRule::kPositive && value <= 0) return false;
  if (field.rule.kind == InfoRule::kWithin &&
      (value < field.rule.least || value > field.rule.most)) {
    return false;
  }
  return field.other == nullptr || field.other(info);
}

/* The fault of the first member with a bad value, as a message for the user; null: none. */
template <typename Info, std::size_t N>
const char* fields_error(const std::array<InfoField<Info>, N>& fields, const Info& info) {
  for (const InfoField<Info>& field : fields) {
    if (!is_good(field, info)) return field.wrong;
  }
  return nullptr;
}

/* Writes the fields that `version` has. `header` must be all 0. */
template <typename Info, std::size_t N>
void write_fields(const std::array<InfoField<Info>, N>& fields, guint32 version, const Info& info,
                  guint8* header) {
  for (const InfoField<Info>& field : fields) {
    if (field.place.since <= version) field.write(info, field.place, header);
  }
}

/* Members that `version` does not have keep their values in *info. */
template <typename Info, std::size_t N>
void read_fields(const std::array<InfoField<Info>, N>& fields, guint32 version,
                 const guint8* header, Info* info) {
  for (const InfoField<Info>& field : fields) {
    if (field.place.since <= version) field.read(header, field.place, info);
  }
}

/* The flag bits of the header that `version` does not define. */
template <typename Info, std::size_t N>
guint32 unknown_flags(const std::array<InfoField<Info>, N>& fields, guint32 version,
                      const guint8* header) {
  guint32 known = 0;
  guint32 word = 0;
  for (const InfoField<Info>& field : fields) {
    if (field.type != InfoType::kFlag || field.place.since > version) continue;
    known |= field.place.bit;
    word = read_le<guint32>(header + field.place.at);
  }
  return word & ~known;
}

}  // namespace rdp::meta

#endif /* RDP_GST_RDPSEGMENT_PRIVATE_INFO_FIELDS_H_ */
