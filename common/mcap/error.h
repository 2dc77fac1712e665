// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_ERROR_H_
#define RDP_COMMON_MCAP_ERROR_H_

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rdp::mcap {

inline constexpr std::uint64_t kNoOffset = ~std::uint64_t{0};

// A place in a file, for messages. Records of a chunk count from its first uncompressed byte.
struct Place {
  std::string_view file;
  std::uint64_t offset = 0;
  std::uint64_t chunk = kNoOffset;  // the offset of the chunk that the record is in
};

// The fault of a file: "FILE: offset N: FIELD: found SOMETHING, expected SOMETHING ELSE".
class McapError : public std::runtime_error {
 public:
  enum class Kind {
    kNotMcap,      // another kind of file
    kDamaged,      // bytes that contradict the format or themselves
    kUnsupported,  // a codec that this build lacks
    kFile,         // the operating system cannot read it
  };
  McapError(Kind kind, const Place& place, std::string_view field, const std::string& found,
            std::string_view expected)
      : std::runtime_error(text(place, field, found, expected)),
        kind_(kind),
        offset_(place.chunk == kNoOffset ? place.offset : place.chunk) {}
  McapError(Kind kind, const std::string& text, std::uint64_t offset)
      : std::runtime_error(text), kind_(kind), offset_(offset) {}

  Kind kind() const { return kind_; }
  // The offset in the file; for a record in a chunk, the chunk's offset.
  std::uint64_t offset() const { return offset_; }

 private:
  static std::string text(const Place& place, std::string_view field, const std::string& found,
                          std::string_view expected) {
    std::string text(place.file);
    if (place.chunk != kNoOffset) text += ": chunk at offset " + std::to_string(place.chunk);
    return text + ": offset " + std::to_string(place.offset) + ": " + std::string(field) +
           ": found " + found + ", expected " + std::string(expected);
  }

  Kind kind_;
  std::uint64_t offset_;
};

[[noreturn]] inline void fail_damaged(const Place& place, std::string_view field,
                                      const std::string& found, std::string_view expected) {
  throw McapError(McapError::Kind::kDamaged, place, field, found, expected);
}

}  // namespace rdp::mcap

#endif  // RDP_COMMON_MCAP_ERROR_H_
