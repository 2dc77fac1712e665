// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/clouds/cloud_body.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "common/clouds/load_number.h"
#include "common/clouds/lzf.h"
#include "common/clouds/text_lines.h"

namespace rdp::clouds {

namespace {

constexpr std::size_t kLzfSizes = 8;  // bytes, before what is compressed

bool lists_in(const CloudHeader& header) {
  return std::any_of(header.elements.begin(), header.elements.end(),
                     [](const Element& element) { return element.lists; });
}

// True if the colour's bytes are adjacent; *field becomes their place.
bool colour_lies(std::span<const FieldSource> parts, PointField* field) {
  const auto offset = [&](std::size_t i) { return parts[i].offset; };
  bool rgb = true;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].kind != NumberKind::kUint8) return false;
    rgb = rgb && offset(i) == offset(0) + i;
  }
  const bool bgra = parts.size() == 4 && offset(1) == offset(2) + 1 && offset(0) == offset(2) + 2 &&
                    offset(3) == offset(2) + 3;
  if (bgra) field->type = FieldType::kBgra;
  field->offset = static_cast<std::int32_t>(bgra ? offset(2) : offset(0));
  return rgb || bgra;
}

// The kind of number that `store` keeps unchanged.
NumberKind kind_of(Store store) {
  switch (store) {
    case Store::kU32:
      return NumberKind::kUint32;
    case Store::kU16:
      return NumberKind::kUint16;
    case Store::kU8:
      return NumberKind::kUint8;
    default:
      return NumberKind::kFloat;
  }
}

// True if the file's bytes are usable points: x, y and z are adjacent floats in native byte order,
// the other fields have a FieldType. Fills the body.
bool lies_as_it_is(const CloudHeader& header, CloudBody* body) {
  const std::span<const FieldSource> sources(header.sources.data(), header.source_count);
  if (header.encoding != Encoding::kBinary) return false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const FieldSource& source = sources[axis];
    if (source.kind != NumberKind::kFloat || source.offset != sources[0].offset + 4 * axis) {
      return false;
    }
  }
  PointFields fields = header.fields;
  std::size_t next = 3;
  bool packed = false;
  if (fields.colour.is_there()) {
    packed = sources[3].store != Store::kChannel;
    const std::size_t parts = packed ? 1 : size_of(fields.colour.type);
    next += parts;
    if (packed) {
      fields.colour.offset = static_cast<std::int32_t>(sources[3].offset);
    } else if (!colour_lies(sources.subspan(3, parts), &fields.colour)) {
      return false;
    }
  }
  for (PointField* field : {&fields.intensity, &fields.label}) {
    if (!field->is_there()) continue;
    const FieldSource& source = sources[next++];
    if (source.kind != kind_of(source.store)) return false;
    field->offset = static_cast<std::int32_t>(source.offset);
  }
  body->step = header.elements.back().bytes;
  body->x = sources[0].offset;
  body->fields = fields;
  body->packed_rgb = packed && fields.colour.type == FieldType::kRgb;
  return true;
}

// Compressed files have all x, then all y and so on.
std::span<const std::byte> packed_in(std::string_view name, const CloudHeader& header,
                                     const CloudBody& body, std::span<const std::byte> bytes) {
  if (bytes.size() < kLzfSizes) {
    fail_at_offset(name, body.offset, "the sizes", std::to_string(bytes.size()) + " bytes",
                   "the 8 bytes of the compressed and the uncompressed size");
  }
  const auto packed = load_number<std::uint32_t>(bytes.data(), false);
  const auto unpacked = load_number<std::uint32_t>(bytes.data() + 4, false);
  const std::uint64_t expected = header.points * header.elements.back().bytes;
  if (unpacked != expected) {
    fail_at_offset(name, body.offset + 4, "the uncompressed size", std::to_string(unpacked),
                   std::to_string(expected) + ": POINTS times the bytes of the fields");
  }
  if (packed > bytes.size() - kLzfSizes) {
    fail_at_offset(name, body.offset, "the compressed size", std::to_string(packed),
                   "at most the " + std::to_string(bytes.size() - kLzfSizes) +
                       " bytes that follow; the file may be cut off");
  }
  return bytes.subspan(kLzfSizes, packed);
}

}  // namespace

CloudBody body_of(const CloudHeader& header, std::uint64_t size) {
  CloudBody body;
  body.offset = header.body;
  body.size = size - header.body;
  // Text files are still checked to have no line.
  if (header.points == 0 && header.encoding != Encoding::kText) {
    body.size = 0;
    body.in_place = true;
    return body;
  }
  body.step = header.step;
  body.fields = header.fields;
  const bool binary =
      header.encoding == Encoding::kBinary || header.encoding == Encoding::kBigEndian;
  if (!binary || lists_in(header)) return body;
  for (const Element& element : header.elements) {
    if (&element != &header.elements.back()) body.offset += element.count * element.bytes;
  }
  const Element& points = header.elements.back();
  body.size = points.count * points.bytes;
  body.in_place = lies_as_it_is(header, &body);
  return body;
}

void unpack_colours(const CloudBody& body, std::span<std::byte> points) {
  if (!body.packed_rgb) return;
  const auto colour = static_cast<std::size_t>(body.fields.colour.offset);
  for (std::size_t at = colour; at + 2 < points.size(); at += body.step) {
    std::swap(points[at], points[at + 2]);
  }
}

void CloudDecoder::decode(std::string_view name, const CloudHeader& header, const CloudBody& body,
                          std::span<const std::byte> bytes, std::byte* out) {
  // Bytes that no field fills.
  if (header.step > kPointBytes && header.points > 0)
    std::memset(out, 0, header.points * header.step);
  if (header.encoding == Encoding::kText) return decode_text(name, header, bytes, out);
  if (header.points == 0) return;
  if (lists_in(header)) return decode_lists(name, header, body, bytes, out);
  const std::size_t points = header.points;
  const std::size_t record = header.elements.back().bytes;
  const std::span<const FieldSource> sources(header.sources.data(), header.source_count);
  if (header.encoding == Encoding::kCompressed) {
    const std::span<const std::byte> packed = packed_in(name, header, body, bytes);
    std::byte* columns = unpacked_.ensure(points * record);
    if (!unpack_lzf(packed, {columns, points * record})) {
      fail_at_offset(name, body.offset + kLzfSizes, "the compressed points",
                     "bytes that are no LZF of " + std::to_string(points * record) + " bytes",
                     "them; the file is damaged");
    }
    for (const FieldSource& source : sources) {
      gather_numbers(source, false, columns + source.offset * points, size_of(source.kind), points,
                     out, header.step);
    }
    return;
  }
  if (bytes.size() < points * record) {
    fail_at_offset(name, body.offset + bytes.size(), "the points", "the end of the file",
                   std::to_string(points) + " of " + std::to_string(record) + " bytes");
  }
  for (const FieldSource& source : sources) {
    gather_numbers(source, header.encoding == Encoding::kBigEndian, bytes.data() + source.offset,
                   record, points, out, header.step);
  }
}

void decode_lists(std::string_view name, const CloudHeader& header, const CloudBody& body,
                  std::span<const std::byte> bytes, std::byte* out) {
  const bool swapped = header.encoding == Encoding::kBigEndian;
  std::size_t at = 0;
  const auto need = [&](std::uint64_t count, const char* what) {
    if (count <= bytes.size() - at) return;
    fail_at_offset(name, body.offset + at, what,
                   std::to_string(bytes.size() - at) + " bytes up to the end of the file",
                   std::to_string(count) + "; the file may be cut off");
  };
  const auto walk = [&](const Property& property) {
    std::uint64_t count = 1;
    if (property.list) {
      need(size_of(property.count_kind), "the length of a list");
      std::int64_t length = 0;
      visit_kind(property.count_kind, [&](auto zero) {
        length = static_cast<std::int64_t>(load_number<decltype(zero)>(bytes.data() + at, swapped));
      });
      if (length < 0) {
        fail_at_offset(name, body.offset + at, "the length of a list", std::to_string(length),
                       "0 or more");
      }
      count = static_cast<std::uint64_t>(length);
      at += size_of(property.count_kind);
    }
    count *= size_of(property.kind);
    need(count, "a property");
    at += count;
  };
  for (const Element& element : header.elements) {
    const bool points = &element == &header.elements.back();
    if (!points && !element.lists) {
      need(element.count * element.bytes, "an element");
      at += element.count * element.bytes;
      continue;
    }
    for (std::uint64_t i = 0; i < element.count; ++i) {
      for (std::size_t p = 0; p < element.properties; ++p) {
        const Property& property = header.properties[element.first + p];
        const std::size_t begin = at;
        walk(property);
        if (!points) continue;
        for (const FieldSource& source : std::span(header.sources.data(), header.source_count)) {
          if (source.property != p) continue;
          gather_numbers(source, swapped, bytes.data() + begin, 0, 1, out + i * header.step, 0);
        }
      }
    }
  }
}

}  // namespace rdp::clouds
