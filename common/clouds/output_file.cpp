// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/clouds/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace rdp::clouds {

namespace {

int write_all(int file, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t count = ::write(file, data, size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    data += count;
    size -= static_cast<std::size_t>(count);
  }
  return 0;
}

}  // namespace

int OutputFile::write(const std::string& path, std::string_view header,
                      std::span<const std::byte> body) {
  struct stat status = {};
  const bool in_place = lstat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  replaces_ = !in_place;
  if (!in_place) (partial_ = path) += ".part";
  const char* name = in_place ? path.c_str() : partial_.c_str();
  const int file = ::open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  int problem = write_all(file, header.data(), header.size());
  if (problem == 0) {
    problem = write_all(file, reinterpret_cast<const char*>(body.data()), body.size());
  }
  // close() may be the first call that reports a full disk.
  if (::close(file) != 0 && problem == 0) problem = errno;
  if (in_place) return problem;
  if (problem == 0 && std::rename(name, path.c_str()) != 0) problem = errno;
  if (problem != 0) unlink(name);
  return problem;
}

}  // namespace rdp::clouds
