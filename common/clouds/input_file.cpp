// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/clouds/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "common/clouds/cloud_header.h"
#include "common/clouds/text_lines.h"

namespace rdp::clouds {

int InputFile::open(const char* path) {
  close();
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  file_ = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file_ < 0) return errno;
  struct stat status = {};
  const int problem = fstat(file_, &status) != 0 ? errno : S_ISREG(status.st_mode) ? 0 : EINVAL;
  if (problem != 0) {
    close();
    return problem;
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
  return 0;
}

void InputFile::close() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
  size_ = 0;
}

void InputFile::read(std::string_view name, std::uint64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t count = pread(file_, out.data(), out.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      fail_at_offset(
          name, offset, "the file", count < 0 ? std::generic_category().message(errno) : "its end",
          std::to_string(out.size()) + " more bytes; the file must not change meanwhile");
    }
    offset += static_cast<std::uint64_t>(count);
    out = out.subspan(static_cast<std::size_t>(count));
  }
}

}  // namespace rdp::clouds
