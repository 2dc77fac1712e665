// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/mcap/reader.h"

#include <algorithm>
#include <utility>

namespace rdp::mcap {

namespace {

// Checks the beginning of a file, up to and with its Header.
Header read_header(const Input& input) {
  InputWindow window(input);
  const std::uint64_t size = std::min<std::uint64_t>(input.size(), kMagic.size());
  const ByteSpan start = window.view(0, size);
  if (!std::ranges::equal(start, magic_bytes())) {
    throw McapError(McapError::Kind::kNotMcap, input.place(0), "the file",
                    size < kMagic.size() ? std::to_string(size) + " bytes" : "other bytes",
                    "those that a file of MCAP begins with (89 4d 43 41 50 30 0d 0a)");
  }
  Header header;
  const std::uint64_t offset = kMagic.size();
  const RecordHead head = peek_head(input, &window, offset);
  if (!head.whole) return header;  // cut off, which the scan says
  if (head.opcode != static_cast<std::uint8_t>(Opcode::kHeader)) {
    fail_damaged(input.place(offset), "the first record", "the kind " + std::to_string(head.opcode),
                 "a Header, kind 1; the file is damaged");
  }
  record_at(input, &window, offset, head).decode_to(&header);
  return header;
}

}  // namespace

Reader::Reader(std::unique_ptr<Input> input, bool skip_damaged) : input_(std::move(input)) {
  index_.header = read_header(*input_);
  if (!read_summary(*input_, &index_)) scan_file(*input_, skip_damaged, &index_);
}

}  // namespace rdp::mcap
