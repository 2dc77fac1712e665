// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_INPUT_FILE_H_
#define RDP_COMMON_CLOUDS_INPUT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace rdp::clouds {

// A regular file for reading. It is not mapped: if somebody truncates a mapped file, the process
// ends.
class InputFile {
 public:
  InputFile() = default;
  ~InputFile() { close(); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // Returns 0 or an errno; EINVAL: not a regular file.
  int open(const char* path);
  void close();
  bool is_open() const { return file_ >= 0; }
  // The size at open().
  std::uint64_t size() const { return size_; }
  // Reads all of `out`. Throws CloudError, with `name`, if the file has become shorter or cannot be
  // read.
  void read(std::string_view name, std::uint64_t offset, std::span<std::byte> out) const;

 private:
  int file_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_INPUT_FILE_H_
