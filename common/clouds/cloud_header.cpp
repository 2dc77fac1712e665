// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/clouds/cloud_header.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string>

#include "common/clouds/field_sources.h"
#include "common/clouds/lzf.h"
#include "common/clouds/point_floats.h"
#include "common/clouds/text_lines.h"

namespace rdp::clouds {

namespace {

constexpr std::uint64_t kMaxCompressed = 4294967295;  // the body has 32 bits for it

bool ends_with_bin(std::string_view name) {
  constexpr std::string_view kEnd = ".bin";
  return name.size() >= kEnd.size() &&
         std::equal(kEnd.begin(), kEnd.end(), name.end() - kEnd.size(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

// Windows editors write this mark.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string_view without_mark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// True for a line that can start a PCD file: a comment or one of these words. Every other line of a
// header comes later.
bool starts_like_pcd(std::string_view start) {
  return start.starts_with('#') ||
         is_one_of(Words(start.substr(0, start.find_first_of("\r\n"))).next(),
                   {"VERSION", "FIELDS", "COLUMNS"});
}

bool starts_like_ply(std::string_view start) {
  const std::size_t end = start.find_first_of("\r\n");
  return end != std::string_view::npos && is_word(start.substr(0, end), "ply");
}

// True for a header. Raw floats may begin with any bytes, so the line after the first one, or after
// all comments, must belong to a header, too.
bool is_header_of(FileFormat format, std::string_view start) {
  TextLines lines(start, 1);
  std::string_view line;
  bool first = format == FileFormat::kPly;
  while (lines.next(&line, true)) {
    const bool text = std::all_of(line.begin(), line.end(), [](char c) {
      return c == '\t' || static_cast<unsigned char>(c) >= ' ';
    });
    if (!text) return false;
    const std::string_view word = Words(line).next();
    if (!first && !word.empty() && word[0] != '#') {
      return format == FileFormat::kPly
                 ? is_one_of(word, {"format", "comment", "obj_info", "element"})
                 : is_one_of(word, {"VERSION", "FIELDS", "COLUMNS"});
    }
    first = false;
  }
  return false;
}

void read_raw(std::string_view name, std::uint64_t size, unsigned floats, CloudHeader* header) {
  header->format = FileFormat::kKitti;
  const std::uint64_t record = floats * sizeof(float);
  if (size % record != 0) {
    fail_at_offset(name, size - size % record, "the end", std::to_string(size) + " bytes",
                   "a multiple of " + std::to_string(record) + ": " + std::to_string(floats) +
                       " floats a point, x, y and z first; the file may be cut off, or set the "
                       "property point-floats to their number");
  }
  header->points = size / record;
  if (header->points > kMaxPoints) {
    fail_at_offset(name, 0, "the file", std::to_string(header->points) + " points",
                   "at most 2147483647");
  }
  // The fourth float is the intensity in KITTI's and nuScenes' points; others are unknown.
  FieldSources names(header);
  constexpr std::string_view kNames[] = {"x", "y", "z", "intensity"};
  for (std::size_t i = 0; i < (floats == 4 || floats == 5 ? 4 : 3); ++i) {
    names.add(kNames[i], {i, 4 * i, NumberKind::kFloat}, true);
  }
  names.finish();
  header->properties.assign(floats, Property{});
  Element points;
  points.count = header->points;
  points.properties = points.tokens = floats;
  points.bytes = record;
  header->elements.push_back(points);
}

// Checks that the file is large enough for what the header promises.
void check_counts(std::string_view name, std::uint64_t size, const CloudHeader& header) {
  std::uint64_t left = size - header.body;
  if (header.encoding == Encoding::kCompressed) {
    const std::uint64_t bytes = header.points * header.elements.back().bytes;
    if (bytes / kMaxLzfGrowth <= left && bytes <= kMaxCompressed) return;
    fail_at_offset(name, size, "the end", "it after " + std::to_string(left) + " bytes of the body",
                   "room for " + std::to_string(bytes) +
                       " bytes, which LZF makes an 88th of at most; more than 2^32 are never "
                       "compressed. The file may be cut off, or its header wrong");
  }
  for (const Element& element : header.elements) {
    // Each number in a text file needs two bytes with its separator; the last one needs no
    // separator.
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

FileFormat find_format(std::string_view name, std::span<const std::byte> start) {
  const std::string_view text = without_mark(
      {reinterpret_cast<const char*>(start.data()), std::min(start.size(), kMaxHeaderBytes)});
  const bool raw = ends_with_bin(name);
  for (const FileFormat format : {FileFormat::kPly, FileFormat::kPcd}) {
    const bool starts = format == FileFormat::kPly ? starts_like_ply(text) : starts_like_pcd(text);
    if (starts && (!raw || is_header_of(format, text))) return format;
  }
  if (raw) return FileFormat::kKitti;
  fail_at_offset(name, 0, "the file", text.empty() ? "nothing" : shown(text.substr(0, 16)),
                 "PCD (# .PCD, VERSION) or PLY (ply), or a name that ends with .bin for raw "
                 "floats, as KITTI's scans are; else set the property format");
}

void read_header(std::string_view name, std::span<const std::byte> start, std::uint64_t size,
                 FileFormat format, CloudHeader* header, unsigned point_floats) {
  header->properties.clear();
  header->elements.clear();
  header->others.clear();
  header->source_count = 0;
  header->fields = {};
  header->step = kPointBytes;
  header->encoding = Encoding::kBinary;
  header->points = header->body = header->width = header->height = 0;
  header->line = 1;
  header->rows_behind = 0;
  header->no_rotation = false;
  header->pose = kNoPose;
  header->unit = 0.0;
  header->unread_unit.line = header->unread_axes.line = 0;
  header->says_axes = header->forward_left_up = false;
  if (format == FileFormat::kAuto) format = find_format(name, start);
  const std::string_view all(reinterpret_cast<const char*>(start.data()),
                             std::min(start.size(), kMaxHeaderBytes));
  const std::string_view text = without_mark(all);
  switch (format) {
    case FileFormat::kPcd:
      read_pcd_header(name, text, header);
      break;
    case FileFormat::kPly:
      read_ply_header(name, text, header);
      break;
    default:
      return read_raw(name, size, point_floats, header);
  }
  header->body += all.size() - text.size();
  check_counts(name, size, *header);
}

}  // namespace rdp::clouds
