// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_CLOUD_WRITER_H_
#define RDP_COMMON_CLOUDS_CLOUD_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common/clouds/cloud_header.h"
#include "common/image/grow_buffer.h"
#include "common/image/palette.h"

namespace rdp::clouds {

// A cloud to write. Each point has `step` bytes, with x, y and z at `offset`, as in
// planes::CloudView.
struct WrittenCloud {
  const std::byte* data = nullptr;
  std::size_t points = 0;
  std::size_t step = 12;
  std::size_t offset = 0;
  std::uint32_t width = 0;  // 0, 0: not organised
  std::uint32_t height = 0;
  double unit = 1.0;
  bool forward_left_up = false;
  Pose pose = kNoPose;                   // PLY cannot store it
  PointFields fields;                    // the points' other fields
  const std::uint8_t* labels = nullptr;  // one for each point, replaces the fields' labels
  // 256 colours by label, which replace the fields' colours; (nullable).
  const Rgb* colours = nullptr;
  // Leaves out points with a coordinate that is not finite; the cloud is then not organised.
  bool known_only = false;
};

// Writes binary little-endian files, with axes and unit in comments that read_header() understands.
// Keeps its memory.
class CloudWriter {
 public:
  // Both are valid until the next call, the body may be the cloud's own.
  struct Pieces {
    std::string_view header;
    std::span<const std::byte> body;
  };
  // Throw std::bad_alloc and stay usable.
  Pieces ply(const WrittenCloud& cloud);
  Pieces pcd(const WrittenCloud& cloud);

 private:
  struct Tail;

  // The points' bytes: the cloud's own where nothing is to be added or left out.
  std::span<const std::byte> points(const WrittenCloud& cloud, std::size_t count, const Tail& tail);

  std::string header_;
  GrowBuffer<std::byte> body_;
};

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_CLOUD_WRITER_H_
