// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_OPEN_CHUNK_H_
#define RDP_COMMON_MCAP_OPEN_CHUNK_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "common/mcap/records.h"

namespace rdp::mcap {

// A chunk that is being filled. One thread at a time fills it; another may then give it to
// Writer::write(). clear() keeps its memory: a recording reuses a few chunks, and allocates nothing
// per message.
class OpenChunk {
 public:
  // The bytes that a message adds to size().
  static std::uint64_t size_of(std::uint64_t data_size) {
    return kRecordHead + Message::kFixedBytes + data_size;
  }

  // `pieces`, concatenated, are the message's data, which is copied once. Throws std::length_error
  // if the chunk would exceed kMaxChunkBytes (if it is not empty, finish it first), and
  // std::bad_alloc; the chunk is then unchanged.
  void add(std::uint16_t channel, std::uint32_t sequence, std::uint64_t log_time,
           std::uint64_t publish_time, std::span<const ByteSpan> pieces);
  // Adds a Schema or Channel record to the chunk.
  void add_definition(ByteSpan record);
  void clear();

  bool empty() const { return data_.empty(); }
  std::uint64_t size() const { return data_.size(); }  // uncompressed
  std::uint64_t messages() const { return messages_; }
  // The log times; 0 where there are no messages.
  std::uint64_t start_time() const { return messages_ > 0 ? start_time_ : 0; }
  std::uint64_t end_time() const { return end_time_; }

  ByteSpan data() const { return data_; }
  // The channels that have messages, in order of their first ones, and the index of one.
  std::span<const std::uint16_t> channels() const { return channels_; }
  const TimeOffsets& index_of(std::uint16_t channel) const { return indexes_[channel]; }

 private:
  Bytes data_;
  std::vector<TimeOffsets> indexes_;  // by channel
  std::vector<std::uint16_t> channels_;
  std::uint64_t messages_ = 0;
  std::uint64_t start_time_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t end_time_ = 0;
};

}  // namespace rdp::mcap

#endif  // RDP_COMMON_MCAP_OPEN_CHUNK_H_
