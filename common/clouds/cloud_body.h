// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_CLOUD_BODY_H_
#define RDP_COMMON_CLOUDS_CLOUD_BODY_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "common/clouds/cloud_header.h"
#include "common/image/grow_buffer.h"

namespace rdp::clouds {

// The bytes of a file that are to be read, and a flag if they are points as they lie.
struct CloudBody {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  bool in_place = false;  // points as they lie
  // Bytes of a point as it is handed on, and its fields there.
  std::size_t step = kPointBytes;
  std::size_t x = 0;
  PointFields fields;
  bool packed_rgb = false;  // see unpack_colours()
};

// `size` is that of the file, as in read_header().
CloudBody body_of(const CloudHeader& header, std::uint64_t size);

// Puts the colours of a body in place into their order: packed ones lie as blue, green, red.
void unpack_colours(const CloudBody& body, std::span<std::byte> points);

// Makes points of bodies that cannot be used as they lie: texts, compressed ones, big-endian ones,
// and those that have doubles or another order. Keeps its memory.
class CloudDecoder {
 public:
  // `bytes` are those of `body`; `out` has body.step for each point. Throws CloudError,
  // std::bad_alloc.
  void decode(std::string_view name, const CloudHeader& header, const CloudBody& body,
              std::span<const std::byte> bytes, std::byte* out);

 private:
  GrowBuffer<std::byte> unpacked_;
};

// The parts of it. Texts:
void decode_text(std::string_view name, const CloudHeader& header, std::span<const std::byte> bytes,
                 std::byte* out);
// Records of which some have lists, so that each has to be walked through.
void decode_lists(std::string_view name, const CloudHeader& header, const CloudBody& body,
                  std::span<const std::byte> bytes, std::byte* out);

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_CLOUD_BODY_H_
