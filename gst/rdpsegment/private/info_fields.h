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

/* The info of a kind of metadata as one table. A row says all that is to be said of a member: where
 * it lies in the header of the serialised form, from which version of it on, and which values it
 * takes. Writing, reading and checking follow from it, and keys in lines of JSON. Python has the
 * same rows, and a test compares the two with each other and with the page of the format.
 *
 *   constexpr auto kPlanesFields = std::to_array<InfoField<GstRdpPlanesInfo>>({
 *       info_number<&GstRdpPlanesInfo::noise>("noise", {.at = 72}, {InfoRule::kNotNegative},
 *                                             "noise must be 0 or more"),
 *   });
 *
 * The rows stand in the order in which they are checked. A header is zeros where no row is. */
namespace rdp::meta {

enum class InfoType { kUInt32, kInt32, kUInt64, kInt64, kDouble, kFlag };

/* A member's place in the header. */
struct InfoPlace {
  gsize at;          /* bytes from its start */
  guint32 since = 1; /* the first version that has it */
  guint32 bit = 0;   /* of a flag: its bit in the word there */
};

/* The values that a member takes. Only kAny takes values that are not finite. */
struct InfoRule {
  enum { kAny, kFinite, kNotNegative, kPositive, kWithin } kind = kAny;
  double least = 0; /* of kWithin */
  double most = 0;
};

/* The sides of a frame. */
inline constexpr InfoRule kSide = {InfoRule::kWithin, 1, kMaxSide};
inline constexpr const char* kSize = "width and height must be 1 to 16384";

template <typename Info>
struct InfoField {
  const char* name; /* of the member */
  InfoType type;
  InfoPlace place;
  InfoRule rule;
  const char* wrong;          /* says what it must be; the same where it breaks the next rule */
  bool (*other)(const Info&); /* one that asks more than one member; null: none */
  double (*value)(const Info&);
  void (*write)(const Info&, const InfoPlace&, guint8* header);
  void (*read)(const guint8* header, const InfoPlace&, Info*);
};

template <typename Info, typename Member>
Info info_of_member(Member Info::*);
template <typename Info, typename Member>
Member type_of_member(Member Info::*);

/* The member as a number. What C or bytes have filled may be none of an enumeration's enumerators,
 * which C++ does not allow to be read as one. */
template <auto Member, typename Info>
auto member_number(const Info& info) {
  using Own = decltype(type_of_member(Member));
  using Number = std::conditional_t<std::is_enum_v<Own>, guint32, Own>;
  static_assert(sizeof(Number) == sizeof(Own));
  Number number;
  std::memcpy(&number, &(info.*Member), sizeof number);
  return number;
}

/* Rows: a number, or an enumeration. */
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

/* A gboolean, or an enumeration of two. */
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

/* The fault of the first member with a bad value, for a person to read; or null. */
template <typename Info, std::size_t N>
const char* fields_error(const std::array<InfoField<Info>, N>& fields, const Info& info) {
  for (const InfoField<Info>& field : fields) {
    if (!is_good(field, info)) return field.wrong;
  }
  return nullptr;
}

/* Into a header of zeros. */
template <typename Info, std::size_t N>
void write_fields(const std::array<InfoField<Info>, N>& fields, guint32 version, const Info& info,
                  guint8* header) {
  for (const InfoField<Info>& field : fields) {
    if (field.place.since <= version) field.write(info, field.place, header);
  }
}

/* Members that the version does not have stay as they are in *info. */
template <typename Info, std::size_t N>
void read_fields(const std::array<InfoField<Info>, N>& fields, guint32 version,
                 const guint8* header, Info* info) {
  for (const InfoField<Info>& field : fields) {
    if (field.place.since <= version) field.read(header, field.place, info);
  }
}

/* The bits in the word of flags that the version does not have. */
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
