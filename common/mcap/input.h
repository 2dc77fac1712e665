// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_INPUT_H_
#define RDP_COMMON_MCAP_INPUT_H_

#include <cstdint>
#include <span>
#include <string>

#include "common/clouds/input_file.h"
#include "common/image/grow_buffer.h"
#include "common/mcap/records.h"

namespace rdp::mcap {

// The bytes of a file. Several threads may read.
class Input {
 public:
  virtual ~Input() = default;
  // Named in messages.
  virtual const std::string& name() const = 0;
  virtual std::uint64_t size() const = 0;
  // Reads all of `out`, which is within the size. Throws McapError (kFile).
  virtual void read(std::uint64_t offset, std::span<std::byte> out) const = 0;

  Place place(std::uint64_t offset) const { return {name(), offset}; }
};

class FileInput : public Input {
 public:
  // 0, or the errno that says why not: EINVAL if it is no regular file.
  int open(const std::string& path);
  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return file_.size(); }
  void read(std::uint64_t offset, std::span<std::byte> out) const override;

 private:
  std::string name_;
  clouds::InputFile file_;
};

// Looks at a file in small pieces, from its beginning to its end.
class InputWindow {
 public:
  explicit InputWindow(const Input& input) : input_(input) {}
  // Bytes that are within the file, valid until the next call.
  ByteSpan view(std::uint64_t offset, std::uint64_t size);

 private:
  const Input& input_;
  GrowBuffer<std::byte> buffer_;
  std::uint64_t start_ = 0;
  std::uint64_t held_ = 0;
};

}  // namespace rdp::mcap

#endif  // RDP_COMMON_MCAP_INPUT_H_
