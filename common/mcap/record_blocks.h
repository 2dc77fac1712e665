// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_RECORD_BLOCKS_H_
#define RDP_COMMON_MCAP_RECORD_BLOCKS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/mcap/records.h"

namespace rdp::mcap {

// Records for the end of a file. They only become more, in blocks: nothing is moved or kept twice,
// and little is kept in reserve.
class RecordBlocks {
 public:
  // Makes room for `size` bytes, so that append() of as many does not throw.
  void reserve(std::size_t size) {
    if (!blocks_.empty() && blocks_.back().capacity() - blocks_.back().size() >= size) return;
    blocks_.emplace_back().reserve(std::max(size, kBlockBytes));
  }
  void append(ByteSpan record) {
    reserve(record.size());
    blocks_.back().insert(blocks_.back().end(), record.begin(), record.end());
    size_ += record.size();
  }
  std::uint64_t size() const { return size_; }
  const std::vector<Bytes>& blocks() const { return blocks_; }

 private:
  static constexpr std::size_t kBlockBytes = 16384;

  std::vector<Bytes> blocks_;
  std::uint64_t size_ = 0;
};

}  // namespace rdp::mcap

#endif  // RDP_COMMON_MCAP_RECORD_BLOCKS_H_
