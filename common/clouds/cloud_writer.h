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

// A cloud to be written: of each `step` bytes those at `offset` are x, y and z, as in
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
  Pose pose = kNoPose;                   // PLY has no place for it
  PointFields fields;                    // that points have beside
  const std::uint8_t* labels = nullptr;  // one for each point, in place of those in the fields
  // 256, those of labels, in place of those in the fields. Null: those in the fields.
  const Rgb* colours = nullptr;
  // Points with a coordinate that is not finite are left out: the cloud is not organised then.
  bool known_only = false;
};

// Writes binary little-endian files. What they say of axes and unit in comments read_header()
// understands. Keeps its memory.
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
