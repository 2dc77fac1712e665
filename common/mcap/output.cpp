// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/mcap/output.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace rdp::mcap {

int FileOutput::open(const char* path) {
  close();
  file_ = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return file_ < 0 ? errno : 0;
}

int FileOutput::write(std::span<const ByteSpan> pieces) {
  std::size_t done = 0;  // of the first piece
  while (!pieces.empty()) {
    if (done == pieces.front().size()) {
      pieces = pieces.subspan(1);
      done = 0;
      continue;
    }
    std::array<iovec, 8> parts;
    const std::size_t count = std::min(pieces.size(), parts.size());
    for (std::size_t i = 0; i < count; ++i) {
      const ByteSpan piece = i == 0 ? pieces[0].subspan(done) : pieces[i];
      parts[i] = {const_cast<std::byte*>(piece.data()), piece.size()};
    }
    const ssize_t written = writev(file_, parts.data(), static_cast<int>(count));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : EIO;
    // Written bytes may end within any piece.
    std::size_t left = static_cast<std::size_t>(written);
    while (left > 0) {
      const std::size_t part = std::min(left, pieces.front().size() - done);
      left -= part;
      done += part;
      if (done < pieces.front().size()) break;
      pieces = pieces.subspan(1);
      done = 0;
    }
  }
  return 0;
}

int FileOutput::truncate(std::uint64_t size) {
  const auto offset = static_cast<off_t>(size);
  return ftruncate(file_, offset) != 0 || lseek(file_, offset, SEEK_SET) < 0 ? errno : 0;
}

// Pipes and devices have nothing to sync.
int FileOutput::sync() { return fdatasync(file_) != 0 && errno != EINVAL ? errno : 0; }

int FileOutput::close() {
  const int file = file_;
  file_ = -1;
  return file >= 0 && ::close(file) != 0 ? errno : 0;
}

}  // namespace rdp::mcap
