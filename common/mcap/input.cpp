// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/mcap/input.h"

#include <algorithm>

#include "common/clouds/cloud_header.h"

namespace rdp::mcap {

int FileInput::open(const std::string& path) {
  name_ = path;
  return file_.open(path.c_str());
}

void FileInput::read(std::uint64_t offset, std::span<std::byte> out) const {
  try {
    file_.read(name_, offset, out);
  } catch (const clouds::CloudError& error) {
    throw McapError(McapError::Kind::kFile, error.what(), offset);
  }
}

ByteSpan InputWindow::view(std::uint64_t offset, std::uint64_t size) {
  if (offset < start_ || offset - start_ > held_ || size > held_ - (offset - start_)) {
    constexpr std::uint64_t kWindow = 8192;
    const std::uint64_t wanted = std::min(std::max(size, kWindow), input_.size() - offset);
    held_ = 0;
    input_.read(offset, {buffer_.ensure(wanted), static_cast<std::size_t>(wanted)});
    start_ = offset;
    held_ = wanted;
  }
  return {buffer_.data() + (offset - start_), static_cast<std::size_t>(size)};
}

}  // namespace rdp::mcap
