// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_DEFINITIONS_H_
#define RDP_COMMON_MCAP_DEFINITIONS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string_view>

#include "common/mcap/records.h"

namespace rdp::mcap {

// Schemas and channels of a recording, written to each of its files. Thread-safe.
class Definitions {
 public:
  // Returns the id of a new definition, or of an existing equal one. Ids begin with 1. Throws
  // std::length_error if there are 65535.
  std::uint16_t add_schema(std::string_view name, std::string_view encoding, std::string_view data);
  // Ignores the id of `channel`.
  std::uint16_t add_channel(Channel channel);

  std::size_t count() const;
  // Appends the records from number `first` up to and without `last`, in the order in which they
  // were added, padded: see append_padded().
  void append(std::size_t first, std::size_t last, ByteSpan padding, Bytes* out) const;
  // append() of the records with this opcode only; returns their number.
  std::size_t append(Opcode opcode, std::size_t last, ByteSpan padding, Bytes* out) const;

 private:
  struct Definition {
    Opcode opcode;
    std::uint16_t id;
    Bytes record;
  };
  std::uint16_t add(Opcode opcode, std::uint16_t* newest, Bytes record);

  mutable std::mutex mutex_;
  std::deque<Definition> definitions_;
  std::uint16_t newest_schema_ = 0;
  std::uint16_t newest_channel_ = 0;
};

// Appends a record with `padding` behind its fields, which readers skip.
void append_padded(ByteSpan record, ByteSpan padding, Bytes* out);

}  // namespace rdp::mcap

#endif  // RDP_COMMON_MCAP_DEFINITIONS_H_
