// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/mcap/file_index.h"

#include <algorithm>
#include <string>
#include <utility>

namespace rdp::mcap {

namespace {

constexpr std::uint64_t kMagicBytes = kMagic.size();
constexpr std::uint64_t kFooterBytes = kRecordHead + Footer::kBytes;
// A truncated record has a length that writers produce. A larger one is damage.
constexpr std::uint64_t kLongestCut = 2 * kMaxChunkBytes;

[[noreturn]] void fail_two(const char* kind, std::uint16_t id, const Place& place) {
  fail_damaged(place, kind, "a second definition of the id " + std::to_string(id),
               "the same one again; the file is damaged, or two were joined wrongly");
}

// Puts records into an index. Keeps the memory of records.
class Indexer {
 protected:
  Indexer(const Input& input, FileIndex* index) : input_(input), index_(index), window_(input) {}

  // Definitions alone: add() takes what read() has read.
  void read(const RecordView& record) {
    if (record.is(Opcode::kSchema)) record.decode_to(&schema_);
    if (record.is(Opcode::kChannel)) record.decode_to(&channel_);
  }
  void add(const RecordView& record) {
    if (record.is(Opcode::kSchema)) index_->add(schema_, record.place);
    if (record.is(Opcode::kChannel)) index_->add(channel_, record.place);
  }

  const Input& input_;
  FileIndex* const index_;
  InputWindow window_;

 private:
  Schema schema_;
  Channel channel_;
};

// Goes through the summary, which lies between two offsets.
class SummaryReader : Indexer {
 public:
  SummaryReader(const Input& input, const Footer& footer, std::uint64_t end, FileIndex* index)
      : Indexer(input, index), footer_(footer), end_(end) {}

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
  // The CRC covers the summary and the Footer, up to its own field there.
  void check_crc() {
    if (footer_.summary_crc == 0) return;
    std::uint32_t crc = 0;
    const std::uint64_t end = end_ + kFooterBytes - sizeof footer_.summary_crc;
    for (std::uint64_t at = footer_.summary_start; at < end;) {
      const ByteSpan part = window_.view(at, std::min<std::uint64_t>(end - at, 65536));
      crc = crc_of(part, crc);
      at += part.size();
    }
    if (crc == footer_.summary_crc) return;
    fail_damaged(input_.place(footer_.summary_start), "summary", "the CRC " + std::to_string(crc),
                 std::to_string(footer_.summary_crc));
  }

  // Returns the offset of the next one.
  std::uint64_t read_record(std::uint64_t offset) {
    const RecordHead head = window_.head(offset);
    if (head.length > end_ - offset || kRecordHead > end_ - offset - head.length) {
      fail_damaged(input_.place(offset), "summary",
                   "a record of " + std::to_string(head.length) + " bytes",
                   "one that ends before the Footer");
    }
    const RecordView record = window_.record(offset, head);
    if (record.is(Opcode::kStatistics)) {
      record.decode_to(&statistics_);
      has_statistics_ = true;
    } else if (record.is(Opcode::kChunkIndex)) {
      record.decode_to(&chunk_);
      add_chunk(record.place);
    } else {
      Indexer::read(record);
      add(record);
    }
    return offset + kRecordHead + head.length;
  }

  void add_chunk(const Place& place) {
    const std::uint64_t start = chunk_.chunk_start_offset;
    const std::uint64_t room = footer_.summary_start;
    if (start < kMagicBytes || start > room || chunk_.chunk_length > room - start ||
        chunk_.message_index_length > room - start - chunk_.chunk_length) {
      fail_damaged(place, "index of a chunk", "a chunk at offset " + std::to_string(start),
                   "one that lies before the summary");
    }
    index_->chunks.push_back({start, chunk_.message_start_time, chunk_.message_end_time,
                              index_->chunk_channels.size(), chunk_.message_index_offsets.size()});
    const std::uint64_t first = start + chunk_.chunk_length;
    for (const auto& [channel, offset] : chunk_.message_index_offsets) {
      if (offset < first || offset - first >= chunk_.message_index_length) {
        fail_damaged(place, "index of a chunk",
                     "a MessageIndex at offset " + std::to_string(offset), "one behind the chunk");
      }
      index_->chunk_channels.push_back(channel);
    }
  }

  const Footer footer_;
  const std::uint64_t end_;  // where the Footer begins
  Statistics statistics_;
  bool has_statistics_ = false;
  ChunkIndex chunk_;
};

// Goes through the records of the data section.
class Scanner : Indexer {
 public:
  Scanner(const Input& input, FileIndex* index) : Indexer(input, index), chunks_(input) {}

  // Throws McapError for a record that cannot be. What was found before is then in the index.
  void scan() {
    std::uint64_t offset = kMagicBytes;
    while (!ended_) {
      const RecordHead head = window_.peek(offset);
      // A power loss leaves zeros in a file.
      if (!head.whole || head.opcode == 0) {
        if (!data_ended_ && head.opcode != 0 && head.length > kLongestCut &&
            !head.is(Opcode::kAttachment)) {
          window_.head(offset);  // throws
        }
        cut_at_ = offset;
        break;
      }
      look_at(offset, head);
      offset += kRecordHead + head.length;
    }
  }

  // To be called in any case.
  void finish(const std::string& damage) {
    // The chunk before a cut may lack some of its indexes.
    finish_chunk(!data_ended_);
    index_->connect();
    for (const ReadChannel& channel : index_->channels) index_->messages += channel.messages;
    index_->complete = cut_at_ == kNoOffset && damage.empty();
    if (!damage.empty()) {
      index_->warnings.push_back(damage + ". The " + std::to_string(index_->messages) +
                                 " messages before it are there.");
    } else if (cut_at_ != kNoOffset && (!data_ended_ || index_->warnings.empty())) {
      index_->warnings.push_back(input_.name() + ": cut off at offset " + std::to_string(cut_at_) +
                                 ", " + std::to_string(index_->messages) +
                                 " messages are there. The recording was not finished.");
    }
  }

 private:
  void look_at(std::uint64_t offset, const RecordHead& head) {
    if (head.is(Opcode::kMessageIndex) && open_.offset != 0) return add_message_index(offset, head);
    finish_chunk(false);
    data_ended_ = data_ended_ || head.is(Opcode::kDataEnd) || head.is(Opcode::kFooter);
    if (head.is(Opcode::kFooter)) check_end(offset + kRecordHead + head.length);
    if (data_ended_) return;
    if (head.is(Opcode::kSchema) || head.is(Opcode::kChannel)) {
      const RecordView record = window_.record(offset, head);
      read(record);
      add(record);
    } else if (head.is(Opcode::kMessage)) {
      decode(window_.view(offset + kRecordHead,
                          std::min<std::uint64_t>(head.length, Message::kFixedBytes)),
             input_.place(offset), &message_);
      index_->loose.push_back({message_.log_time, offset, message_.channel_id});
      count(message_.channel_id, 1);
      widen(message_.log_time, message_.log_time);
    } else if (head.is(Opcode::kChunk)) {
      window_.chunk_head(offset, head.length, &chunk_);
      open_ = {offset, chunk_.message_start_time, chunk_.message_end_time,
               index_->chunk_channels.size(), 0};
      counts_.clear();
    }
  }

  void add_message_index(std::uint64_t offset, const RecordHead& head) {
    std::uint16_t channel = 0;
    std::uint32_t bytes = 0;
    FieldReader fields(window_.view(offset + kRecordHead, std::min<std::uint64_t>(head.length, 6)),
                       input_.place(offset));
    fields("channel_id, records", channel, bytes);
    index_->chunk_channels.push_back(channel);
    ++open_.channels;
    counts_.emplace_back(channel, bytes / 16);
  }

  // Checks that the magic, and nothing else, follows the Footer.
  void check_end(std::uint64_t offset) {
    ended_ = true;
    if (input_.size() - offset != kMagicBytes ||
        !std::ranges::equal(window_.view(offset, kMagicBytes), magic_bytes())) {
      cut_at_ = offset;
    }
  }

  // Counts the messages of the chunk whose indexes came, and finds what is nowhere else.
  void finish_chunk(bool cut) {
    if (open_.offset == 0) return;
    ChunkPlace chunk = std::exchange(open_, {});
    const bool indexed = !cut && chunk.channels > 0;
    if (!indexed) {
      index_->chunk_channels.resize(chunk.first_channel);
      chunk.channels = 0;
      counts_.clear();
    }
    index_->chunks.push_back(chunk);
    const bool known = std::ranges::all_of(
        counts_, [this](const auto& part) { return index_->channel(part.first) != nullptr; });
    if (!indexed || !known) look_into(chunk.offset, !indexed);
    for (const auto& [channel, messages] : counts_) count(channel, messages);
    if (!counts_.empty()) widen(chunk.start_time, chunk.end_time);
  }

  // Finds the definitions in a chunk, and counts its messages if no index does. Damage is a warning
  // here, and an error when the chunk's messages are read.
  void look_into(std::uint64_t offset, bool counts_messages) {
    ByteSpan left;
    Place place = {input_.name(), 0, offset};
    RecordView record;
    const auto next = [&] {
      try {
        if (left.data() == nullptr) {
          chunks_.read(offset, &data_);
          left = data_.bytes();
        }
        if (!next_record(&left, &place, &record)) return false;
        read(record);
        if (record.is(Opcode::kMessage)) record.decode_to(&message_);
        return true;
      } catch (const McapError& error) {
        if (error.kind() == McapError::Kind::kFile) throw;
        index_->warnings.push_back(std::string(error.what()) + ".");
        return false;
      }
    };
    while (next()) {
      add(record);
      if (!record.is(Opcode::kMessage) || !counts_messages) continue;
      count(message_.channel_id, 1);
      widen(message_.log_time, message_.log_time);
    }
  }

  // Messages of no channel are never read.
  void count(std::uint16_t id, std::uint64_t messages) {
    if (ReadChannel* const channel = index_->channel(id)) channel->messages += messages;
  }

  void widen(std::uint64_t start, std::uint64_t end) {
    index_->start_time = any_ ? std::min(index_->start_time, start) : start;
    index_->end_time = std::max(index_->end_time, end);
    any_ = true;
  }

  ChunkReader chunks_;
  ChunkData data_;
  bool data_ended_ = false;  // by a DataEnd
  bool ended_ = false;       // by a Footer
  bool any_ = false;         // there are messages
  std::uint64_t cut_at_ = kNoOffset;
  // The chunk whose indexes come, and the numbers of messages that they have; offset 0: none.
  ChunkPlace open_;
  ChannelMap counts_;
  Message message_;
  Chunk chunk_;
};

}  // namespace

ReadChannel* FileIndex::channel(std::uint16_t id) {
  const std::size_t place = id < places.size() ? places[id] : 0;
  return place > 0 ? &channels[place - 1] : nullptr;
}

void FileIndex::add(const Schema& schema, const Place& place) {
  if (schema.id == 0) fail_damaged(place, "schema", "the id 0", "1 to 65535");
  const auto [known, is_new] = schemas.try_emplace(schema.id, schema);
  if (!is_new && known->second != schema) fail_two("schema", schema.id, place);
}

void FileIndex::add(const Channel& channel, const Place& place) {
  if (const ReadChannel* const known = this->channel(channel.id)) {
    if (known->definition != channel) fail_two("channel", channel.id, place);
    return;
  }
  if (channel.id >= places.size()) places.resize(channel.id + std::size_t{1});
  channels.push_back({channel});
  places[channel.id] = channels.size();
}

void FileIndex::connect() {
  std::ranges::sort(channels, {}, [](const ReadChannel& channel) { return channel.definition.id; });
  for (std::size_t i = 0; i < channels.size(); ++i) {
    places[channels[i].definition.id] = i + 1;
    const auto schema = schemas.find(channels[i].definition.schema_id);
    if (schema != schemas.end()) channels[i].schema = &schema->second;
  }
}

bool read_summary(const Input& input, FileIndex* index) {
  if (input.size() < 2 * kMagicBytes + kFooterBytes) return false;
  const std::uint64_t end = input.size() - kMagicBytes - kFooterBytes;
  InputWindow window(input);
  const ByteSpan tail = window.view(end, kFooterBytes + kMagicBytes);
  if (!std::ranges::equal(tail.last(kMagicBytes), magic_bytes())) return false;
  const RecordHead head = window.head(end);
  if (!head.is(Opcode::kFooter) || head.length != Footer::kBytes) return false;
  Footer footer;
  window.record(end, head).decode_to(&footer);
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
    if (!SummaryReader(input, footer, end, &found).read()) return false;
    *index = std::move(found);
    return true;
  } catch (const McapError& error) {
    if (error.kind() != McapError::Kind::kDamaged) throw;
    index->warnings.push_back(std::string(error.what()) +
                              ". All records are looked at instead of the summary.");
    return false;
  }
}

void scan_file(const Input& input, bool skip_damaged, FileIndex* index) {
  Scanner scanner(input, index);
  std::string damage;
  try {
    scanner.scan();
  } catch (const McapError& error) {
    if (!skip_damaged || error.kind() != McapError::Kind::kDamaged) throw;
    damage = error.what();
  }
  scanner.finish(damage);
}

}  // namespace rdp::mcap
