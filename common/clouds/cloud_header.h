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

// Reads the beginning of a file of points: PCD, PLY, and the scans of KITTI, which have no header.
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
  bool list = false;        // how many there are stands before them
  NumberKind count_kind = NumberKind::kUint8;
};

// A kind of things of which the body has many. The one of the points is the last in the header.
struct Element {
  std::uint64_t count = 0;
  std::size_t first = 0;  // of its properties in those of the header
  std::size_t properties = 0;
  bool lists = false;        // has some: its size is not known before it is read
  std::uint64_t bytes = 0;   // of one in a binary file; lists count as empty
  std::uint64_t tokens = 0;  // of one in a text; lists count as empty
};

struct Coordinate {
  std::size_t property = 0;  // counted from the first one of the points
  std::uint64_t offset = 0;  // bytes in a record; of no meaning with lists
  NumberKind kind = NumberKind::kFloat;
};

// The form in which a number of the file is kept in a point.
enum class Store : std::uint8_t {
  kFloat,      // the nearest float
  kChannel,    // 0 to 255: see load_number.h
  kPacked,     // 0xAARRGGBB, as 32 bits or a float's bits
  kPackedRgb,  // the same; red, green and blue as three bytes
  kU32,        // whole numbers; 0 where they are negative or no numbers
  kU16,
  kU8
};
// Source of a point's bytes.
struct FieldSource : Coordinate {
  Store store = Store::kFloat;
  std::uint32_t to = 0;  // offset in a point as CloudDecoder makes it
};

// A comment that speaks of the unit or the axes, and cannot be understood.
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
  std::uint64_t body = 0;  // the offset of what follows the header
  std::uint64_t line = 1;  // the line that begins there, counted from 1
  std::vector<Property> properties;
  std::vector<Element> elements;
  // x, y and z; then the colour, the intensity and the label, as far as they are there.
  std::array<FieldSource, 9> sources;
  std::size_t source_count = 0;
  // Points as CloudDecoder makes them: their fields and bytes.
  PointFields fields;
  std::uint32_t step = 0;
  std::string others;             // names of the points' other fields, "normal, ring"
  std::uint64_t rows_behind = 0;  // of texts, those that follow the points
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

// Headers are not longer than this.
inline constexpr std::size_t kMaxHeaderBytes = 65536;
inline constexpr std::uint64_t kMaxPoints = 2147483647;
// The metres that a unit may have.
inline constexpr double kLeastUnit = 1e-9;
inline constexpr double kMaxUnit = 1e9;
// Limits of a record, so that it fits the caps.
inline constexpr std::uint64_t kMaxRecordBytes = 1U << 30;

// The format of a file by its first bytes, of which PCD and PLY have their own; others are raw
// floats where their name ends with .bin. Throws CloudError.
FileFormat find_format(std::string_view name, std::span<const std::byte> start);

// Reads the header of the file `name` of `size` bytes, of which `start` has all up to
// kMaxHeaderBytes. kAuto: as find_format() says. Points of kKitti have `point_floats` floats.
// Counts are held against the size of the file, so that nobody allocates memory for points that
// cannot be there. What `header` had is replaced; its vectors keep their memory. Throws CloudError.
void read_header(std::string_view name, std::span<const std::byte> start, std::uint64_t size,
                 FileFormat format, CloudHeader* header, unsigned point_floats = 4);

// The parts of read_header().
void read_pcd_header(std::string_view name, std::string_view start, CloudHeader* header);
void read_ply_header(std::string_view name, std::string_view start, CloudHeader* header);

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_CLOUD_HEADER_H_
