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

// The byte range of a file to read, and the layout of its points.
struct CloudBody {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  bool in_place = false;  // the bytes are usable points: no CloudDecoder is needed
  // Bytes of an output point, and the offsets of x and of the other fields.
  std::size_t step = kPointBytes;
  std::size_t x = 0;
  PointFields fields;
  bool packed_rgb = false;  // see unpack_colours()
};

// Finds the body of a file of `size` bytes, as in read_header().
CloudBody body_of(const CloudHeader& header, std::uint64_t size);

// Reorders the packed colours of an in-place body, which lie as blue, green, red.
void unpack_colours(const CloudBody& body, std::span<std::byte> points);

// Decodes bodies whose bytes are not usable points: text, compressed, big-endian, doubles, or
// another field order. Keeps its memory between calls.
class CloudDecoder {
 public:
  // `bytes` are those of `body`; `out` has body.step for each point. Throws CloudError,
  // std::bad_alloc.
  void decode(std::string_view name, const CloudHeader& header, const CloudBody& body,
              std::span<const std::byte> bytes, std::byte* out);

 private:
  GrowBuffer<std::byte> unpacked_;
};

// Parts of CloudDecoder::decode(). Decodes text files.
void decode_text(std::string_view name, const CloudHeader& header, std::span<const std::byte> bytes,
                 std::byte* out);
// Decodes records with lists, whose sizes are known only after walking through each.
void decode_lists(std::string_view name, const CloudHeader& header, const CloudBody& body,
                  std::span<const std::byte> bytes, std::byte* out);

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_CLOUD_BODY_H_
