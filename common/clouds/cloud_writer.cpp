// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/clouds/cloud_writer.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace rdp::clouds {

namespace {

constexpr std::size_t kXyz = 12;

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

// So that reading it gives the same number.
void append_number(std::string* text, double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  text->append(digits, end.ptr);
}

// Texts and numbers one after the other, without texts in between that would need memory.
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

void write_ply_tail(std::uint8_t label, Rgb colour, std::byte* out) {
  const std::uint8_t bytes[] = {colour.r, colour.g, colour.b, label};
  std::memcpy(out, bytes, sizeof bytes);
}

// Colours as PCL packs them.
void write_pcd_tail(std::uint8_t label, Rgb colour, std::byte* out) {
  const std::uint32_t numbers[] = {
      std::uint32_t{colour.r} << 16 | std::uint32_t{colour.g} << 8 | std::uint32_t{colour.b},
      label};
  std::memcpy(out, numbers, sizeof numbers);
}

}  // namespace

template <std::size_t kTail>
std::span<const std::byte> CloudWriter::points(const WrittenCloud& cloud, std::size_t count,
                                               void (*write_tail)(std::uint8_t, Rgb, std::byte*)) {
  const bool labels = cloud.labels != nullptr;
  if (!labels && count == cloud.points && cloud.step == kXyz) return {cloud.data, count * kXyz};
  const std::size_t record = kXyz + (labels ? kTail : 0);
  std::byte* const begin = body_.ensure(count * record);
  std::byte* out = begin;
  for (std::size_t i = 0; i < cloud.points; ++i) {
    const std::byte* xyz = cloud.data + i * cloud.step + cloud.offset;
    if (count < cloud.points && !is_known(xyz)) continue;
    std::memcpy(out, xyz, kXyz);
    if (labels) write_tail(cloud.labels[i], cloud.colours[cloud.labels[i]], out + kXyz);
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
  if (cloud.labels != nullptr) {
    header_ +=
        "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar label\n";
  }
  header_ += "end_header\n";
  return {header_, points<4>(cloud, count, write_ply_tail)};
}

CloudWriter::Pieces CloudWriter::pcd(const WrittenCloud& cloud) {
  const std::size_t count = cloud.known_only ? count_known(cloud) : cloud.points;
  const bool rows = cloud.height > 0 && count == cloud.points;
  header_ = "# .PCD v0.7 - Point Cloud Data file format\n";
  append_comments(&header_, "# ", cloud);
  header_ += cloud.labels == nullptr
                 ? "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\n"
                 : "VERSION 0.7\nFIELDS x y z rgb label\nSIZE 4 4 4 4 4\nTYPE F F F U U\n"
                   "COUNT 1 1 1 1 1\n";
  append_all(&header_, "WIDTH ", rows ? std::size_t{cloud.width} : count, "\nHEIGHT ",
             rows ? std::size_t{cloud.height} : std::size_t{1}, "\nVIEWPOINT");
  for (const double number : cloud.pose) append_number(&(header_ += ' '), number);
  append_all(&header_, "\nPOINTS ", count, "\nDATA binary\n");
  return {header_, points<8>(cloud, count, write_pcd_tail)};
}

}  // namespace rdp::clouds
