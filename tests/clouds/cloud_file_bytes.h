// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_CLOUDS_CLOUD_FILE_BYTES_H_
#define RDP_TESTS_CLOUDS_CLOUD_FILE_BYTES_H_

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

// Point cloud files as other programs write them, made in memory.
namespace rdp::test {

using Points = std::vector<std::array<float, 3>>;

// Coordinates of any magnitude and sign. points[1] is all NaN, points[2] has a NaN with a payload,
// points[3] an infinity.
inline Points some_points(std::size_t count) {
  Points points(count);
  std::uint32_t state = 12345;
  for (auto& point : points) {
    for (float& value : point) {
      state = state * 1664525U + 1013904223U;
      value = std::ldexp(static_cast<float>(state >> 8), static_cast<int>(state & 31) - 40) *
              ((state & 32) != 0 ? -1.0F : 1.0F);
    }
  }
  if (count > 1) points[1].fill(std::numeric_limits<float>::quiet_NaN());
  if (count > 2) points[2][1] = std::bit_cast<float>(0x7fc12345U);
  if (count > 3) points[3][2] = -std::numeric_limits<float>::infinity();
  return points;
}

template <typename T>
std::string bytes_of(T value, bool swapped = false) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  if (swapped) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

inline std::string raw_bytes(const Points& points) {
  std::string bytes(points.size() * sizeof(points[0]), '\0');
  if (!points.empty()) std::memcpy(bytes.data(), points.data(), bytes.size());
  return bytes;
}

inline std::string text_of(float value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

inline std::string pcd_header(const std::string& fields, std::size_t width, std::size_t height,
                              const std::string& data) {
  return "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n" + fields + "WIDTH " +
         std::to_string(width) + "\nHEIGHT " + std::to_string(height) +
         "\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS " + std::to_string(width * height) + "\nDATA " + data +
         "\n";
}

inline const char* const kXyzFields = "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\n";
// Fields in another order, with extra ones: bytes and a field of three numbers.
inline const char* const kMixedFields =
    "FIELDS z intensity x normal y\nSIZE 4 1 8 4 4\nTYPE F U F F F\nCOUNT 1 1 1 3 1\n";

inline std::string pcd_binary(const Points& points, std::size_t height = 1) {
  return pcd_header(kXyzFields, points.size() / height, height, "binary") + raw_bytes(points);
}

inline std::string pcd_mixed(const Points& points) {
  std::string file = pcd_header(kMixedFields, points.size(), 1, "binary");
  for (const auto& [x, y, z] : points) {
    file +=
        bytes_of(z) + "i" + bytes_of(static_cast<double>(x)) + std::string(12, 'n') + bytes_of(y);
  }
  return file;
}

inline std::string pcd_text(const Points& points) {
  std::string file = pcd_header(kMixedFields, points.size(), 1, "ascii");
  for (const auto& [x, y, z] : points) {
    file += text_of(z) + " 17 " + text_of(x) + "  1 2 3\t" + text_of(y) + "\r\n";
  }
  return file;
}

// A plain packer: what was there before, up to 264 bytes and 8192 back, else single bytes.
inline std::string pack_lzf(const std::string& bytes) {
  std::string packed;
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t best = 0, back = 0;
    for (std::size_t b = 1; b <= std::min<std::size_t>(at, 64); ++b) {
      std::size_t length = 0;
      while (length < 264 && at + length < bytes.size() &&
             bytes[at + length] == bytes[at + length - b]) {
        ++length;
      }
      if (length > best) best = length, back = b;
    }
    if (best < 3) {
      packed += '\0';
      packed += bytes[at++];
      continue;
    }
    const std::size_t length = best - 2;
    packed += static_cast<char>(std::min<std::size_t>(length, 7) << 5 | (back - 1) >> 8);
    if (length >= 7) packed += static_cast<char>(length - 7);
    packed += static_cast<char>((back - 1) & 255);
    at += best;
  }
  return packed;
}

inline std::string pcd_compressed(const Points& points) {
  std::string columns;
  for (const auto& [x, y, z] : points) columns += bytes_of(z);
  columns += std::string(points.size(), 'i');
  for (const auto& [x, y, z] : points) columns += bytes_of(static_cast<double>(x));
  columns += std::string(12 * points.size(), 'n');
  for (const auto& [x, y, z] : points) columns += bytes_of(y);
  const std::string packed = pack_lzf(columns);
  return pcd_header(kMixedFields, points.size(), 1, "binary_compressed") +
         bytes_of(static_cast<std::uint32_t>(packed.size())) +
         bytes_of(static_cast<std::uint32_t>(columns.size())) + packed;
}

// Has elements before and after the vertices; `lists` adds list properties.
inline std::string ply_header(const std::string& format, std::size_t count, bool lists) {
  return "ply\nformat " + format + " 1.0\ncomment of a test\nelement camera 2\nproperty float f\n" +
         (lists ? "property list uchar short ids\n" : "property short id\n") + "element vertex " +
         std::to_string(count) +
         "\nproperty uchar red\nproperty float x\nproperty float y\nproperty float z\n" +
         (lists ? "property list int uchar tags\n" : "") + "property double weight\n" +
         "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
}

inline std::string ply_binary(const Points& points, bool big, bool lists) {
  std::string file =
      ply_header(big ? "binary_big_endian" : "binary_little_endian", points.size(), lists);
  for (int i = 0; i < 2; ++i) {
    file += bytes_of(1.5F, big);
    if (lists) file += bytes_of(static_cast<std::uint8_t>(i));
    for (int k = 0; k < (lists ? i : 1); ++k) file += bytes_of(std::int16_t{7}, big);
  }
  int tags = 0;
  for (const auto& point : points) {
    file += 'r';
    for (const float value : point) file += bytes_of(std::bit_cast<std::uint32_t>(value), big);
    if (lists) file += bytes_of(tags, big) + std::string(static_cast<std::size_t>(tags), 't');
    tags = (tags + 1) % 3;
    file += bytes_of(0.5, big);
  }
  return file + '\x03' + std::string(12, '\0');
}

inline std::string ply_text(const Points& points) {
  std::string file = ply_header("ascii", points.size(), true) + "1.5 0\n1.5 2 7 8\n";
  int tags = 0;
  for (const auto& [x, y, z] : points) {
    file += "255 " + text_of(x) + " " + text_of(y) + " " + text_of(z) + " " + std::to_string(tags);
    for (int k = 0; k < tags; ++k) file += " 9";
    file += " 0.5\n";
    tags = (tags + 1) % 3;
  }
  return file + "3 0 0 0\n";
}

inline std::string kitti(const Points& points) {
  std::string file;
  for (const auto& point : points) {
    for (const float value : point) file += bytes_of(value);
    file += bytes_of(0.25F);
  }
  return file;
}

}  // namespace rdp::test

#endif  // RDP_TESTS_CLOUDS_CLOUD_FILE_BYTES_H_
