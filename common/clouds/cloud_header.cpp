// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/clouds/cloud_header.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "common/clouds/lzf.h"
#include "common/clouds/text_lines.h"

namespace rdp::clouds {

namespace {

constexpr std::uint64_t kKittiRecord = 16;             // x, y, z and what came back of the beam
constexpr std::uint64_t kMostCompressed = 4294967295;  // the body has 32 bits for it

bool ends_with_bin(std::string_view name) {
  constexpr std::string_view kEnd = ".bin";
  return name.size() >= kEnd.size() &&
         std::equal(kEnd.begin(), kEnd.end(), name.end() - kEnd.size(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

// Of PCD: comments and these words. Every other line of a header comes later.
bool starts_like_pcd(std::string_view start) {
  for (const std::string_view word : {"#", "VERSION", "FIELDS", "COLUMNS"}) {
    if (start.starts_with(word)) return true;
  }
  return false;
}

FileFormat format_of(std::string_view name, std::string_view start) {
  if (ends_with_bin(name)) return FileFormat::kKitti;
  if (start.starts_with("ply\n") || start.starts_with("ply\r\n")) return FileFormat::kPly;
  if (starts_like_pcd(start)) return FileFormat::kPcd;
  fail_at_offset(name, 0, "the file", shown(start.substr(0, 16)),
                 "PCD (# .PCD, VERSION) or PLY (ply), or a name that ends with .bin for scans of "
                 "KITTI; else say what it is by the property format");
}

void read_kitti(std::string_view name, std::uint64_t size, CloudHeader* header) {
  header->format = FileFormat::kKitti;
  if (size % kKittiRecord != 0) {
    fail_at_offset(name, size - size % kKittiRecord, "the end", std::to_string(size) + " bytes",
                   "a multiple of 16: four floats a point, x, y, z and reflectance");
  }
  header->points = size / kKittiRecord;
  if (header->points > kMostPoints) {
    fail_at_offset(name, 0, "the file", std::to_string(header->points) + " points",
                   "at most 2147483647");
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    header->xyz[axis] = {axis, 4 * axis, NumberKind::kFloat};
  }
  header->properties.assign(4, Property{});
  Element points;
  points.count = header->points;
  points.properties = points.tokens = 4;
  points.bytes = kKittiRecord;
  header->elements.push_back(points);
}

// Whether the file can have what the header promises.
void check_counts(std::string_view name, std::uint64_t size, const CloudHeader& header) {
  std::uint64_t left = size - header.body;
  if (header.encoding == Encoding::kCompressed) {
    const std::uint64_t bytes = header.points * header.elements.back().bytes;
    if (bytes / kMostLzfGrowth <= left && bytes <= kMostCompressed) return;
    fail_at_offset(name, size, "the end", "it after " + std::to_string(left) + " bytes of the body",
                   "room for " + std::to_string(bytes) +
                       " bytes, which LZF makes an 88th of at most; more than 2^32 are never "
                       "compressed. The file may be cut off, or its header wrong");
  }
  for (const Element& element : header.elements) {
    // A number of a text has a blank or the end of its line behind it; the last one need not.
    const bool text = header.encoding == Encoding::kText;
    const std::uint64_t least = text ? 2 * element.tokens : element.bytes;
    const std::uint64_t room = text ? left + 1 : left;
    if (least == 0) continue;
    if (element.count > room / least) {
      fail_at_offset(name, size, "the end",
                     "it after " + std::to_string(size - header.body) + " bytes of the body",
                     "room for " + std::to_string(element.count) + (text ? " lines" : " records") +
                         " of " + (text ? "at least " : "") + std::to_string(least) +
                         " bytes; the file may be cut off, or its header wrong");
    }
    left -= std::min(left, element.count * least);
  }
}

}  // namespace

std::size_t size_of(NumberKind kind) {
  constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return kSizes[static_cast<std::size_t>(kind)];
}

void read_header(std::string_view name, std::span<const std::byte> start, std::uint64_t size,
                 FileFormat format, CloudHeader* header) {
  header->properties.clear();
  header->elements.clear();
  header->encoding = Encoding::kBinary;
  header->points = header->body = header->width = header->height = 0;
  header->line = 1;
  header->unit = 0.0;
  header->unread_unit.line = header->unread_axes.line = 0;
  header->says_axes = header->forward_left_up = false;
  const std::string_view text(reinterpret_cast<const char*>(start.data()),
                              std::min(start.size(), kMostHeaderBytes));
  if (format == FileFormat::kAuto) format = format_of(name, text);
  switch (format) {
    case FileFormat::kPcd:
      read_pcd_header(name, text, header);
      break;
    case FileFormat::kPly:
      read_ply_header(name, text, header);
      break;
    default:
      read_kitti(name, size, header);
  }
  check_counts(name, size, *header);
}

}  // namespace rdp::clouds
