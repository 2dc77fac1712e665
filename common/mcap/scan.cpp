// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <string>
#include <utility>

#include "common/mcap/chunk_reader.h"
#include "common/mcap/file_index.h"

namespace rdp::mcap {

namespace {

// Records that are cut off have lengths that writers write. A larger one is damage.
constexpr std::uint64_t kLongestCut = 2 * kMaxChunkBytes;

// Goes through the records of the data section.
class Scanner {
 public:
  Scanner(const Input& input, FileIndex* index)
      : input_(input), index_(index), window_(input), chunks_(input) {}

  // Throws McapError for a record that cannot be. What was found before is then in the index.
  void scan() {
    std::uint64_t offset = kMagic.size();
    while (!ended_) {
      const RecordHead head = peek_head(input_, &window_, offset);
      // Zeros are what a power loss leaves of a file.
      if (!head.whole || head.opcode == 0) {
        if (!data_ended_ && head.opcode != 0 && head.length > kLongestCut &&
            head.opcode != static_cast<std::uint8_t>(Opcode::kAttachment)) {
          head_at(input_, &window_, offset);  // throws
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
    const auto opcode = static_cast<Opcode>(head.opcode);
    if (opcode == Opcode::kMessageIndex && open_.offset != 0) {
      add_message_index(offset, head);
      return;
    }
    finish_chunk(false);
    data_ended_ = data_ended_ || opcode == Opcode::kDataEnd || opcode == Opcode::kFooter;
    if (opcode == Opcode::kFooter) check_end(offset + kRecordHead + head.length);
    if (data_ended_) return;
    const auto read = [&](auto* record) {
      record_at(input_, &window_, offset, head).decode_to(record);
    };
    switch (opcode) {
      case Opcode::kSchema:
        read(&schema_);
        index_->add(schema_, input_.place(offset));
        break;
      case Opcode::kChannel:
        read(&channel_);
        index_->add(channel_, input_.place(offset));
        break;
      case Opcode::kMessage:
        decode(window_.view(offset + kRecordHead,
                            std::min<std::uint64_t>(head.length, Message::kFixedBytes)),
               input_.place(offset), &message_);
        index_->loose.push_back({message_.log_time, offset, message_.channel_id});
        count(message_.channel_id, 1);
        widen(message_.log_time, message_.log_time);
        break;
      case Opcode::kChunk:
        read_chunk_head(input_, &window_, offset, head.length, &chunk_);
        open_ = {offset, chunk_.message_start_time, chunk_.message_end_time,
                 index_->message_indexes.size(), 0};
        counts_.clear();
        break;
      default:
        break;
    }
  }

  void add_message_index(std::uint64_t offset, const RecordHead& head) {
    std::uint16_t channel = 0;
    std::uint32_t bytes = 0;
    FieldReader fields(window_.view(offset + kRecordHead, std::min<std::uint64_t>(head.length, 6)),
                       input_.place(offset));
    fields("channel_id, records", channel, bytes);
    index_->message_indexes.emplace_back(channel, offset);
    ++open_.indexes;
    counts_.emplace_back(channel, bytes / 16);
  }

  // The magic is behind the Footer, and nothing behind that.
  void check_end(std::uint64_t offset) {
    ended_ = true;
    if (input_.size() - offset == kMagic.size() &&
        std::ranges::equal(window_.view(offset, kMagic.size()), magic_bytes())) {
      return;
    }
    cut_at_ = offset;
  }

  // Counts the messages of the chunk whose indexes came, and finds what is nowhere else.
  void finish_chunk(bool cut) {
    if (open_.offset == 0) return;
    ChunkPlace chunk = std::exchange(open_, {});
    const bool indexed = !cut && chunk.indexes > 0;
    if (!indexed) {
      index_->message_indexes.resize(chunk.first_index);
      chunk.indexes = 0;
      counts_.clear();
    }
    index_->chunks.push_back(chunk);
    const bool known = std::ranges::all_of(
        counts_, [this](const auto& part) { return index_->channel(part.first) != nullptr; });
    if (!indexed || !known) look_into(chunk.offset, !indexed);
    for (const auto& [channel, messages] : counts_) count(channel, messages);
    if (!counts_.empty()) widen(chunk.start_time, chunk.end_time);
  }

  // Finds the definitions in a chunk, and counts its messages where no index does. Damage is a
  // warning here, and an error for who reads the chunk's messages.
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
        if (record.is(Opcode::kSchema)) record.decode_to(&schema_);
        if (record.is(Opcode::kChannel)) record.decode_to(&channel_);
        if (record.is(Opcode::kMessage)) record.decode_to(&message_);
        return true;
      } catch (const McapError& error) {
        if (error.kind() == McapError::Kind::kFile) throw;
        index_->warnings.push_back(std::string(error.what()) + ".");
        return false;
      }
    };
    while (next()) {
      if (record.is(Opcode::kSchema)) index_->add(schema_, record.place);
      if (record.is(Opcode::kChannel)) index_->add(channel_, record.place);
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

  const Input& input_;
  FileIndex* const index_;
  InputWindow window_;
  ChunkReader chunks_;
  ChunkData data_;
  bool data_ended_ = false;  // by a DataEnd
  bool ended_ = false;       // by a Footer
  bool any_ = false;         // there are messages
  std::uint64_t cut_at_ = kNoOffset;
  // The chunk whose indexes come, and the numbers of messages that they have; offset 0: none.
  ChunkPlace open_;
  ChannelMap counts_;
  // Kept for their memory.
  Schema schema_;
  Channel channel_;
  Message message_;
  Chunk chunk_;
};

}  // namespace

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
