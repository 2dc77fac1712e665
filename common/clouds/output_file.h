// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_OUTPUT_FILE_H_
#define RDP_COMMON_CLOUDS_OUTPUT_FILE_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace rdp::clouds {

// Writes a file that is there as a whole or not at all: under the name with ".part" behind it,
// which then becomes the name. What is no regular file, such as a pipe or a device, is written to
// as it is. Nothing is left where writing fails. Keeps its memory.
class OutputFile {
 public:
  // 0, or the errno that says why not.
  int write(const std::string& path, std::string_view header, std::span<const std::byte> body);
  // True if the last write() replaced a regular file of that name.
  bool replaces() const { return replaces_; }

 private:
  std::string partial_;
  bool replaces_ = false;
};

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_OUTPUT_FILE_H_
