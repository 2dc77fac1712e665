// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_OUTPUT_H_
#define RDP_COMMON_MCAP_OUTPUT_H_

#include <cstdint>
#include <span>

#include "common/mcap/records.h"

namespace rdp::mcap {

// The file that a Writer writes. Each function returns 0 or an errno.
class Output {
 public:
  virtual ~Output() = default;
  // Appends all pieces in order; a failure may leave a part of them.
  virtual int write(std::span<const ByteSpan> pieces) = 0;
  // Cuts the file off; write() then goes on from there.
  virtual int truncate(std::uint64_t size) = 0;
  // Makes written data survive a power loss.
  virtual int sync() = 0;
  // A full disk may show only now.
  virtual int close() = 0;
};

class FileOutput : public Output {
 public:
  FileOutput() = default;
  ~FileOutput() override { close(); }
  FileOutput(const FileOutput&) = delete;
  FileOutput& operator=(const FileOutput&) = delete;

  // Creates or replaces the file.
  int open(const char* path);
  int write(std::span<const ByteSpan> pieces) override;
  int truncate(std::uint64_t size) override;
  int sync() override;
  int close() override;

 private:
  int file_ = -1;
};

}  // namespace rdp::mcap

#endif  // RDP_COMMON_MCAP_OUTPUT_H_
