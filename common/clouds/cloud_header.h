// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_CLOUD_HEADER_H_
#define RDP_COMMON_CLOUDS_CLOUD_HEADER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/clouds/cloud_fields.h"
#include "common/clouds/pose.h"

// Reads the headers of point cloud files: PCD, PLY, and KITTI scans, which have none.
namespace rdp::clouds {

// The fault of a file: "FILE:LINE: FIELD: found SOMETHING, expected SOMETHING ELSE".
class CloudError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr std::size_t kPointBytes = 12;  // x, y and z as little-endian floats

enum class FileFormat { kAuto, kPcd, kPly, kKitti };
enum class Encoding { kText, kBinary, kBigEndian, kCompressed };
enum class NumberKind : std::uint8_t {
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat,
  kDouble
};
std::size_t size_of(NumberKind kind);

// A property of PLY, or a field of PCD.
struct Property {
  NumberKind kind = NumberKind::kFloat;
  std::uint32_t count = 1;  // numbers, where it is no list
  bool list = false;        // a count precedes the numbers
  NumberKind count_kind = NumberKind::kUint8;
};

// A kind of record in the body, such as PLY's vertices. The points are the last one.
struct Element {
  std::uint64_t count = 0;
  std::size_t first = 0;  // index of its first property in the header's
  std::size_t properties = 0;
  bool lists = false;       // some property is a list: a record's size is unknown before it is read
  std::uint64_t bytes = 0;  // of one in a binary file; lists count as empty
  std::uint64_t tokens = 0;  // of one in a text; lists count as empty
};

struct Coordinate {
  std::size_t property = 0;  // counted from the first one of the points
  std::uint64_t offset = 0;  // bytes in a record; of no meaning with lists
  NumberKind kind = NumberKind::kFloat;
};

// The form in which a point stores a number of the file.
enum class Store : std::uint8_t {
  kFloat,      // the nearest float
  kChannel,    // 0 to 255: see load_number.h
  kPacked,     // 0xAARRGGBB, as 32 bits or a float's bits
  kPackedRgb,  // packed like kPacked, stored as three bytes: red, green, blue
  kU32,        // whole numbers; 0 for negative numbers and NaN
  kU16,
  kU8
};
// Source of a point's bytes.
struct FieldSource : Coordinate {
  Store store = Store::kFloat;
  std::uint32_t to = 0;  // offset in a point as CloudDecoder makes it
};

// A comment about the unit or the axes that could not be parsed.
struct UnreadComment {
  std::string text;
  std::uint64_t line = 0;  // 0: there is none
};

struct CloudHeader {
  FileFormat format = FileFormat::kKitti;
  Encoding encoding = Encoding::kBinary;
  std::uint64_t points = 0;
  std::uint32_t width = 0;  // 0, 0: not organised
  std::uint32_t height = 0;
  std::uint64_t body = 0;  // offset of the body
  std::uint64_t line = 1;  // the body's first line, counted from 1
  std::vector<Property> properties;
  std::vector<Element> elements;
  // x, y and z; then the colour, the intensity and the label, as far as they are there.
  std::array<FieldSource, 9> sources;
  std::size_t source_count = 0;
  // Points as CloudDecoder makes them: their fields and bytes.
  PointFields fields;
  std::uint32_t step = 0;
  std::string others;             // names of the points' other fields, "normal, ring"
  std::uint64_t rows_behind = 0;  // of text files: rows after the points
  // PCD's VIEWPOINT.
  Pose pose = kNoPose;
  bool no_rotation = false;  // its quaternion is zero
  // Notes that pointcloudsink writes as comments. 0: absent.
  double unit = 0.0;
  bool says_axes = false;
  bool forward_left_up = false;
  UnreadComment unread_unit;
  UnreadComment unread_axes;
};

// Maximum size of a header.
inline constexpr std::size_t kMaxHeaderBytes = 65536;
inline constexpr std::uint64_t kMaxPoints = 2147483647;
// Range of a unit, in metres.
inline constexpr double kLeastUnit = 1e-9;
inline constexpr double kMaxUnit = 1e9;
// Maximum size of a record, so that it fits the caps.
inline constexpr std::uint64_t kMaxRecordBytes = 1U << 30;

// The format of a file by its first bytes, which identify PCD and PLY. Other files are raw floats
// if their name ends with .bin. Throws CloudError.
FileFormat find_format(std::string_view name, std::span<const std::byte> start);

// Reads the header of the file `name` of `size` bytes. `start` has its first bytes, up to
// kMaxHeaderBytes. kAuto: uses find_format(). Points of kKitti have `point_floats` floats. Checks
// counts against the file's size, so that no caller allocates memory for points that cannot exist.
// Replaces `header`, whose vectors keep their memory. Throws CloudError.
void read_header(std::string_view name, std::span<const std::byte> start, std::uint64_t size,
                 FileFormat format, CloudHeader* header, unsigned point_floats = 4);

// The parts of read_header().
void read_pcd_header(std::string_view name, std::string_view start, CloudHeader* header);
void read_ply_header(std::string_view name, std::string_view start, CloudHeader* header);

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_CLOUD_HEADER_H_
