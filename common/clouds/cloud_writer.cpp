// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/clouds/cloud_writer.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace rdp::clouds {

namespace {

bool is_known(const std::byte* xyz) {
  float values[3];
  std::memcpy(values, xyz, sizeof values);
  return std::isfinite(values[0]) && std::isfinite(values[1]) && std::isfinite(values[2]);
}

std::size_t count_known(const WrittenCloud& cloud) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < cloud.points; ++i) {
    count += is_known(cloud.data + i * cloud.step + cloud.offset) ? 1 : 0;
  }
  return count;
}

// Appends digits that read back as the same number.
void append_number(std::string* text, double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  text->append(digits, end.ptr);
}

// Appends texts and numbers without temporary strings, which would allocate.
void append(std::string* text, const char* part) { *text += part; }
void append(std::string* text, std::size_t number) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, number);
  text->append(digits, end.ptr);
}
template <typename... Parts>
void append_all(std::string* text, const Parts&... parts) {
  (append(text, parts), ...);
}

// Writes, as comments, the facts that the formats have no fields for.
void append_comments(std::string* text, const char* begin, const WrittenCloud& cloud) {
  (*text += begin) += cloud.forward_left_up ? "axes forward-left-up\n" : "axes camera\n";
  (*text += begin) += "unit ";
  append_number(text, cloud.unit);
  *text += '\n';
}

// A number's type in both formats.
struct TypeWords {
  const char* ply;
  char pcd;
};
TypeWords words_of(FieldType type) {
  switch (type) {
    case FieldType::kF32:
      return {"float", 'F'};
    case FieldType::kU32:
      return {"uint", 'U'};
    case FieldType::kU16:
      return {"ushort", 'U'};
    default:
      return {"uchar", 'U'};
  }
}

std::uint32_t label_of(const WrittenCloud& cloud, std::size_t index, const std::byte* point) {
  if (cloud.labels != nullptr) return cloud.labels[index];
  std::uint32_t label = 0;
  std::memcpy(&label, point + cloud.fields.label.offset, size_of(cloud.fields.label.type));
  return label;
}

struct Colour {
  std::uint8_t r, g, b, a;
};
Colour colour_of(const WrittenCloud& cloud, std::size_t index, const std::byte* point) {
  if (cloud.colours != nullptr) {
    const std::uint32_t label = label_of(cloud, index, point);
    const Rgb colour = cloud.colours[label < 256 ? label : (label - 1) % 255 + 1];
    return {colour.r, colour.g, colour.b, 0};
  }
  std::uint8_t bytes[4] = {};
  std::memcpy(bytes, point + cloud.fields.colour.offset, size_of(cloud.fields.colour.type));
  return cloud.fields.colour.type == FieldType::kBgra
             ? Colour{bytes[2], bytes[1], bytes[0], bytes[3]}
             : Colour{bytes[0], bytes[1], bytes[2], bytes[3]};
}

}  // namespace

// The bytes of a written point behind x, y and z.
struct CloudWriter::Tail {
  Tail(const WrittenCloud& cloud, bool is_pcd)
      : pcd(is_pcd),
        colour(cloud.colours != nullptr                       ? FieldType::kRgb
               : cloud.fields.colour.type == FieldType::kBgra ? FieldType::kRgba
                                                              : cloud.fields.colour.type),
        intensity(cloud.fields.intensity.type),
        label(cloud.labels == nullptr ? cloud.fields.label.type
              : is_pcd                ? FieldType::kU32
                                      : FieldType::kU8) {}

  // PCL packs colours into 32 bits.
  std::size_t colour_bytes() const {
    return pcd && colour != FieldType::kNone ? 4 : size_of(colour);
  }
  std::size_t bytes() const { return colour_bytes() + size_of(intensity) + size_of(label); }
  void write(const WrittenCloud& cloud, std::size_t index, std::byte* out) const;

  const bool pcd;
  const FieldType colour;  // kNone, kRgb or kRgba
  const FieldType intensity;
  const FieldType label;
};

void CloudWriter::Tail::write(const WrittenCloud& cloud, std::size_t index, std::byte* out) const {
  const std::byte* const point = cloud.data + index * cloud.step;
  if (colour != FieldType::kNone) {
    const Colour c = colour_of(cloud, index, point);
    const std::uint8_t alpha = colour == FieldType::kRgba ? c.a : 0;
    const std::uint8_t ply[] = {c.r, c.g, c.b, alpha};
    const std::uint8_t packed[] = {c.b, c.g, c.r, alpha};
    std::memcpy(out, pcd ? packed : ply, colour_bytes());
    out += colour_bytes();
  }
  if (intensity != FieldType::kNone) {
    std::memcpy(out, point + cloud.fields.intensity.offset, size_of(intensity));
    out += size_of(intensity);
  }
  if (label != FieldType::kNone) {
    const std::uint32_t number = label_of(cloud, index, point);
    std::memcpy(out, &number, size_of(label));
  }
}

std::span<const std::byte> CloudWriter::points(const WrittenCloud& cloud, std::size_t count,
                                               const Tail& tail) {
  const std::size_t record = kPointBytes + tail.bytes();
  const bool plain = record == kPointBytes && cloud.step == kPointBytes;
  if (plain && count == cloud.points) return {cloud.data, count * record};
  std::byte* const begin = body_.ensure(count * record);
  std::byte* out = begin;
  for (std::size_t i = 0; i < cloud.points; ++i) {
    const std::byte* xyz = cloud.data + i * cloud.step + cloud.offset;
    if (count < cloud.points && !is_known(xyz)) continue;
    std::memcpy(out, xyz, kPointBytes);
    tail.write(cloud, i, out + kPointBytes);
    out += record;
  }
  return {begin, count * record};
}

CloudWriter::Pieces CloudWriter::ply(const WrittenCloud& cloud) {
  const std::size_t count = cloud.known_only ? count_known(cloud) : cloud.points;
  header_ = "ply\nformat binary_little_endian 1.0\n";
  append_comments(&header_, "comment ", cloud);
  if (cloud.height > 0 && count == cloud.points) {
    append_all(&header_, "obj_info num_cols ", std::size_t{cloud.width}, "\nobj_info num_rows ",
               std::size_t{cloud.height}, "\n");
  }
  append_all(&header_, "element vertex ", count,
             "\nproperty float x\nproperty float y\nproperty float z\n");
  const Tail tail(cloud, false);
  constexpr const char* kParts[] = {"red", "green", "blue", "alpha"};
  for (std::size_t i = 0; i < size_of(tail.colour); ++i) {
    append_all(&header_, "property uchar ", kParts[i], "\n");
  }
  const auto append_number_property = [&](FieldType type, const char* name) {
    if (type != FieldType::kNone) append_all(&header_, "property ", words_of(type).ply, name);
  };
  append_number_property(tail.intensity, " intensity\n");
  append_number_property(tail.label, " label\n");
  header_ += "end_header\n";
  return {header_, points(cloud, count, tail)};
}

CloudWriter::Pieces CloudWriter::pcd(const WrittenCloud& cloud) {
  const std::size_t count = cloud.known_only ? count_known(cloud) : cloud.points;
  const bool rows = cloud.height > 0 && count == cloud.points;
  header_ = "# .PCD v0.7 - Point Cloud Data file format\n";
  append_comments(&header_, "# ", cloud);
  const Tail tail(cloud, true);
  struct Field {
    const char* name;
    std::size_t bytes;
    char type;
  };
  const Field fields[] = {
      {" x", 4, 'F'},
      {" y", 4, 'F'},
      {" z", 4, 'F'},
      {tail.colour == FieldType::kRgba ? " rgba" : " rgb", tail.colour_bytes(), 'U'},
      {" intensity", size_of(tail.intensity), words_of(tail.intensity).pcd},
      {" label", size_of(tail.label), words_of(tail.label).pcd}};
  const auto append_line = [&](const char* word, auto append_field) {
    header_ += word;
    for (const Field& field : fields) {
      if (field.bytes > 0) append_field(field);
    }
    header_ += '\n';
  };
  append_line("VERSION 0.7\nFIELDS", [&](const Field& field) { header_ += field.name; });
  append_line("SIZE", [&](const Field& field) { append_all(&header_, " ", field.bytes); });
  append_line("TYPE", [&](const Field& field) { (header_ += ' ') += field.type; });
  append_line("COUNT", [&](const Field&) { header_ += " 1"; });
  append_all(&header_, "WIDTH ", rows ? std::size_t{cloud.width} : count, "\nHEIGHT ",
             rows ? std::size_t{cloud.height} : std::size_t{1}, "\nVIEWPOINT");
  for (const double number : cloud.pose) append_number(&(header_ += ' '), number);
  append_all(&header_, "\nPOINTS ", count, "\nDATA binary\n");
  return {header_, points(cloud, count, tail)};
}

}  // namespace rdp::clouds
