// SPDX-License-Identifier: LGPL-2.1-or-later
// Point cloud files of arbitrary bytes: points, or an error that names the file. Points survive
// writing and reading back.
#include <cstring>
#include <string>
#include <vector>

#include "common/clouds/cloud_body.h"
#include "common/clouds/cloud_header.h"
#include "common/clouds/cloud_writer.h"
#include "common/clouds/lzf.h"
#include "common/clouds/point_floats.h"
#include "tests/fuzz/fuzz_input.h"

namespace {

using namespace rdp::clouds;
using Bytes = std::vector<std::byte>;

// Reads as pointcloudsrc does. Memory stays proportional to the file's size.
Bytes read(std::span<const std::byte> file, FileFormat format, CloudHeader* header,
           CloudBody* body) {
  const FloatWindows windows = windows_of(file.size());
  Bytes looked_at;
  for (std::size_t i = 0; i < windows.count; ++i) {
    const auto window = file.subspan(windows.offset(i), windows.bytes);
    looked_at.insert(looked_at.end(), window.begin(), window.end());
  }
  const unsigned floats = PointFloatsFinder().find(looked_at, windows.bytes).count;
  FUZZ_CHECK(floats >= kFewestFloats && floats <= kMaxFloats, "%u", floats);
  // A separate copy of exactly the readable bytes, so that sanitizers detect reads past them.
  const Bytes start(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(
                                                     std::min(file.size(), kMaxHeaderBytes)));
  read_header("cloud", start, file.size(), format, header, floats);
  *body = body_of(*header, file.size());
  FUZZ_CHECK(body->offset <= file.size() && body->size <= file.size() - body->offset, "%zu bytes",
             file.size());
  for (const PointField& field :
       {body->fields.colour, body->fields.intensity, body->fields.label}) {
    FUZZ_CHECK(static_cast<std::size_t>(field.offset) + size_of(field.type) <= body->step, "%d",
               field.offset);
  }
  FUZZ_CHECK(header->points <= (file.size() + 1) * kMaxLzfGrowth, "%zu points of %zu bytes",
             static_cast<std::size_t>(header->points), file.size());
  Bytes points(header->points * body->step);
  const auto part = file.subspan(body->offset, body->size);
  const Bytes bytes(part.begin(), part.end());
  if (!body->in_place) {
    CloudDecoder().decode("cloud", *header, *body, bytes, points.data());
    return points;
  }
  FUZZ_CHECK(bytes.size() == points.size() || header->points == 0, "%zu", bytes.size());
  points = bytes;
  unpack_colours(*body, points);
  return points;
}

Bytes written(const WrittenCloud& cloud, bool pcd) {
  CloudWriter writer;
  const auto [text, body] = pcd ? writer.pcd(cloud) : writer.ply(cloud);
  Bytes file(text.size() + body.size());
  std::memcpy(file.data(), text.data(), text.size());
  if (!body.empty()) std::memcpy(file.data() + text.size(), body.data(), body.size());
  return file;
}

// Converts a cloud that was read for writing.
WrittenCloud cloud_of(const Bytes& points, const CloudHeader& header, const CloudBody& body) {
  WrittenCloud cloud;
  cloud.data = points.data();
  cloud.points = header.points;
  cloud.step = body.step;
  cloud.offset = body.x;
  cloud.fields = body.fields;
  cloud.width = header.width;
  cloud.height = header.height;
  if (header.unit > 0.0) cloud.unit = header.unit;
  cloud.pose = header.pose;
  return cloud;
}

// Writing, reading and writing again must give the same file.
void check_again(const Bytes& points, const CloudHeader& header, const CloudBody& body, bool pcd) {
  const WrittenCloud cloud = cloud_of(points, header, body);
  const Bytes file = written(cloud, pcd);
  CloudHeader again;
  CloudBody same;
  const Bytes copy = read(file, FileFormat::kAuto, &again, &same);
  WrittenCloud second = cloud_of(copy, again, same);
  second.unit = cloud.unit;
  second.forward_left_up = cloud.forward_left_up;
  second.pose = cloud.pose;
  // An empty cloud has no fields.
  FUZZ_CHECK(header.points == 0 || written(second, pcd) == file, "another file, %s",
             pcd ? "PCD" : "PLY");
  FUZZ_CHECK(again.width == header.width && again.height == header.height, "%ux%u", again.width,
             again.height);
  FUZZ_CHECK(again.unit == cloud.unit, "%g", again.unit);
  FUZZ_CHECK(again.pose == (pcd ? header.pose : kNoPose), "pose %s", pose_text(again.pose).c_str());
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) { return 0; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The last byte selects the format: a seed is a file plus one byte.
  if (size == 0) return 0;
  const std::uint8_t last = data[--size];
  CloudHeader header;
  CloudBody body;
  try {
    const Bytes points = read({reinterpret_cast<const std::byte*>(data), size},
                              static_cast<FileFormat>(last & 3), &header, &body);
    check_again(points, header, body, (last & 4) != 0);
  } catch (const CloudError& error) {
    FUZZ_CHECK(std::strncmp(error.what(), "cloud:", 6) == 0, "%s", error.what());
    FUZZ_CHECK(std::strstr(error.what(), "expected") != nullptr, "%s", error.what());
    for (const char* c = error.what(); *c != '\0'; ++c) {
      FUZZ_CHECK(*c >= ' ' && *c <= '~', "%s", error.what());
    }
  }
  return 0;
}
