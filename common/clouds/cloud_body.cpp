// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/clouds/cloud_body.h"

#include <algorithm>
#include <string>

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

// All floats of the machine's own order, one after the other.
bool lies_as_it_is(const CloudHeader& header) {
  const auto& [x, y, z] = header.xyz;
  return header.encoding == Encoding::kBinary && x.kind == NumberKind::kFloat &&
         y.kind == NumberKind::kFloat && z.kind == NumberKind::kFloat &&
         y.offset == x.offset + sizeof(float) && z.offset == y.offset + sizeof(float);
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
  // Texts have to have no line then.
  if (header.points == 0 && header.encoding != Encoding::kText) {
    body.size = 0;
    body.in_place = true;
    return body;
  }
  const bool binary =
      header.encoding == Encoding::kBinary || header.encoding == Encoding::kBigEndian;
  if (!binary || lists_in(header)) return body;
  for (const Element& element : header.elements) {
    if (&element != &header.elements.back()) body.offset += element.count * element.bytes;
  }
  const Element& points = header.elements.back();
  body.size = points.count * points.bytes;
  body.in_place = lies_as_it_is(header);
  if (body.in_place) {
    body.step = points.bytes;
    body.x = header.xyz[0].offset;
  }
  return body;
}

void CloudDecoder::decode(std::string_view name, const CloudHeader& header, const CloudBody& body,
                          std::span<const std::byte> bytes, std::byte* out) {
  if (header.encoding == Encoding::kText) return decode_text(name, header, bytes, out);
  if (header.points == 0) return;
  if (lists_in(header)) return decode_lists(name, header, body, bytes, out);
  const std::size_t points = header.points;
  const std::size_t record = header.elements.back().bytes;
  if (header.encoding == Encoding::kCompressed) {
    const std::span<const std::byte> packed = packed_in(name, header, body, bytes);
    std::byte* columns = unpacked_.ensure(points * record);
    if (!unpack_lzf(packed, {columns, points * record})) {
      fail_at_offset(name, body.offset + kLzfSizes, "the compressed points",
                     "bytes that are no LZF of " + std::to_string(points * record) + " bytes",
                     "them; the file is damaged");
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Coordinate& c = header.xyz[axis];
      gather_coordinate(c.kind, false, columns + c.offset * points, size_of(c.kind), points,
                        out + axis * sizeof(float), kPointBytes);
    }
    return;
  }
  if (bytes.size() < points * record) {
    fail_at_offset(name, body.offset + bytes.size(), "the points", "the end of the file",
                   std::to_string(points) + " of " + std::to_string(record) + " bytes");
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Coordinate& c = header.xyz[axis];
    gather_coordinate(c.kind, header.encoding == Encoding::kBigEndian, bytes.data() + c.offset,
                      record, points, out + axis * sizeof(float), kPointBytes);
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
        for (std::size_t axis = 0; axis < 3; ++axis) {
          if (header.xyz[axis].property != p) continue;
          gather_coordinate(property.kind, swapped, bytes.data() + begin, 0, 1,
                            out + i * kPointBytes + axis * sizeof(float), kPointBytes);
        }
      }
    }
  }
}

}  // namespace rdp::clouds
