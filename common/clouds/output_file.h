// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_OUTPUT_FILE_H_
#define RDP_COMMON_CLOUDS_OUTPUT_FILE_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace rdp::clouds {

// Writes a file completely or not at all: to its name plus ".part", then renames it. Writes
// directly to anything but a regular file, such as a pipe or a device. Removes the partial file on
// failure. Keeps its memory.
class OutputFile {
 public:
  // Returns 0 or an errno.
  int write(const std::string& path, std::string_view header, std::span<const std::byte> body);
  // True if the last write() replaced a regular file of that name.
  bool replaces() const { return replaces_; }

 private:
  std::string partial_;
  bool replaces_ = false;
};

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_OUTPUT_FILE_H_
