// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <string>

#include "common/mcap/chunk_reader.h"
#include "common/mcap/file_index.h"

namespace rdp::mcap {

namespace {

constexpr std::uint64_t kMagicBytes = kMagic.size();
constexpr std::uint64_t kFooterBytes = kRecordHead + Footer::kBytes;

// Goes through the summary, which lies between two offsets.
class SummaryReader {
 public:
  SummaryReader(const Input& input, InputWindow* window, const Footer& footer, std::uint64_t end,
                FileIndex* index)
      : input_(input), window_(window), footer_(footer), end_(end), index_(index) {}

  // False: it does not say all. Throws McapError where it is damaged.
  bool read() {
    check_crc();
    for (std::uint64_t offset = footer_.summary_start; offset < end_;) {
      offset = read_record(offset);
    }
    index_->connect();
    for (const auto& [id, count] : statistics_.channel_message_counts) {
      ReadChannel* const channel = index_->channel(id);
      if (channel == nullptr) return false;
      channel->messages = count;
    }
    index_->messages = statistics_.message_count;
    index_->start_time = statistics_.message_start_time;
    index_->end_time = statistics_.message_end_time;
    return has_statistics_ && statistics_.chunk_count == index_->chunks.size() &&
           statistics_.channel_count == index_->channels.size() &&
           statistics_.schema_count == index_->schemas.size() &&
           (statistics_.message_count == 0 || statistics_.chunk_count > 0);
  }

 private:
  // The sum ends before itself, in the Footer.
  void check_crc() {
    if (footer_.summary_crc == 0) return;
    std::uint32_t crc = 0;
    const std::uint64_t end = end_ + kFooterBytes - sizeof footer_.summary_crc;
    for (std::uint64_t at = footer_.summary_start; at < end;) {
      const ByteSpan part = window_->view(at, std::min<std::uint64_t>(end - at, 65536));
      crc = crc_of(part, crc);
      at += part.size();
    }
    if (crc == footer_.summary_crc) return;
    fail_damaged(input_.place(footer_.summary_start), "summary", "the CRC " + std::to_string(crc),
                 std::to_string(footer_.summary_crc));
  }

  // Returns the offset of the next one.
  std::uint64_t read_record(std::uint64_t offset) {
    const RecordHead head = head_at(input_, window_, offset);
    const Place place = input_.place(offset);
    if (head.length > end_ - offset || kRecordHead > end_ - offset - head.length) {
      fail_damaged(place, "summary", "a record of " + std::to_string(head.length) + " bytes",
                   "one that ends before the Footer");
    }
    const std::uint64_t next = offset + kRecordHead + head.length;
    const auto read = [&](auto* record) {
      record_at(input_, window_, offset, head).decode_to(record);
    };
    switch (static_cast<Opcode>(head.opcode)) {
      case Opcode::kSchema:
        read(&schema_);
        index_->add(schema_, place);
        break;
      case Opcode::kChannel:
        read(&channel_);
        index_->add(channel_, place);
        break;
      case Opcode::kStatistics:
        read(&statistics_);
        has_statistics_ = true;
        break;
      case Opcode::kChunkIndex:
        read(&chunk_);
        add_chunk(place);
        break;
      default:
        break;  // not needed
    }
    return next;
  }

  void add_chunk(const Place& place) {
    const std::uint64_t start = chunk_.chunk_start_offset;
    const std::uint64_t room = footer_.summary_start;
    if (start < kMagicBytes || start > room || chunk_.chunk_length > room - start ||
        chunk_.message_index_length > room - start - chunk_.chunk_length) {
      fail_damaged(place, "index of a chunk", "a chunk at offset " + std::to_string(start),
                   "one that lies before the summary");
    }
    ChunkPlace chunk = {start, chunk_.message_start_time, chunk_.message_end_time,
                        index_->message_indexes.size(), 0};
    const std::uint64_t first = start + chunk_.chunk_length;
    for (const auto& [channel, offset] : chunk_.message_index_offsets) {
      if (offset < first || offset - first >= chunk_.message_index_length) {
        fail_damaged(place, "index of a chunk",
                     "a MessageIndex at offset " + std::to_string(offset), "one behind the chunk");
      }
      index_->message_indexes.emplace_back(channel, offset);
      ++chunk.indexes;
    }
    index_->chunks.push_back(chunk);
  }

  const Input& input_;
  InputWindow* const window_;
  const Footer footer_;
  const std::uint64_t end_;  // where the Footer begins
  FileIndex* const index_;
  Statistics statistics_;
  bool has_statistics_ = false;
  // Kept for their memory.
  Schema schema_;
  Channel channel_;
  ChunkIndex chunk_;
};

}  // namespace

bool read_summary(const Input& input, FileIndex* index) {
  const std::uint64_t size = input.size();
  if (size < 2 * kMagicBytes + kFooterBytes) return false;
  const std::uint64_t end = size - kMagicBytes - kFooterBytes;
  InputWindow window(input);
  const ByteSpan tail = window.view(end, kFooterBytes + kMagicBytes);
  if (!std::ranges::equal(tail.last(kMagicBytes), magic_bytes())) return false;
  Footer footer;
  const RecordHead head = head_at(input, &window, end);
  if (head.opcode != static_cast<std::uint8_t>(Opcode::kFooter) || head.length != Footer::kBytes) {
    return false;
  }
  decode(window.view(end + kRecordHead, Footer::kBytes), input.place(end), &footer);
  if (footer.summary_start == 0) return false;
  try {
    if (footer.summary_start < kMagicBytes || footer.summary_start > end) {
      fail_damaged(input.place(end), "Footer",
                   "a summary at offset " + std::to_string(footer.summary_start),
                   "one before the Footer");
    }
    FileIndex found;
    found.header = index->header;
    found.warnings = index->warnings;
    if (!SummaryReader(input, &window, footer, end, &found).read()) return false;
    *index = std::move(found);
    return true;
  } catch (const McapError& error) {
    if (error.kind() != McapError::Kind::kDamaged) throw;
    index->warnings.push_back(std::string(error.what()) +
                              ". All records are looked at instead of the summary.");
    return false;
  }
}

}  // namespace rdp::mcap
