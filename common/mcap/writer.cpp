// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/mcap/writer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

namespace rdp::mcap {

Writer::Writer(std::unique_ptr<Output> output, const Definitions* definitions,
               const WriterOptions& options)
    : output_(std::move(output)),
      definitions_(definitions),
      header_(options.header),
      parts_(options.parts),
      padding_(options.parts.padding.begin(), options.parts.padding.end()),
      compressor_(options.compression, options.level) {}

template <typename Record>
void Writer::encode_padded(const Record& record, Bytes* out) {
  const std::size_t start = begin_record(Record::kOpcode, out);
  std::apply(FieldWriter(out), record.fields());
  out->insert(out->end(), padding_.begin(), padding_.end());
  finish_record(start, out);
}

int Writer::put(std::span<const ByteSpan> pieces, std::uint64_t size, std::uint32_t crc) {
  const int error = output_->write(pieces);
  if (error != 0) return error;
  size_ += size;
  crc_ = crc;
  return 0;
}

int Writer::put(ByteSpan bytes) {
  return put(std::array{bytes}, bytes.size(), crc_of(bytes, crc_));
}

int Writer::begin() {
  record_.assign(magic_bytes().begin(), magic_bytes().end());
  encode_padded(header_, &record_);
  const int error = put(record_);
  return error != 0 ? fail(error, 0, 0) : write_definitions();
}

int Writer::write_definitions() {
  if (failure_.error != 0) return failure_.error;
  const std::size_t count = definitions_->count();
  if (!parts_.definitions_in_chunks && count > defined_) {
    record_.clear();
    definitions_->append(defined_, count, padding_, &record_);
    const int error = put(record_);
    if (error != 0) return fail(error, 0, 0);
  }
  defined_ = count;
  return 0;
}

int Writer::write(const OpenChunk& chunk) {
  if (chunk.empty()) return failure_.error;
  int error = write_definitions();
  if (error == 0) {
    for (const std::uint16_t channel : chunk.channels()) {
      if (channel >= counts_.size()) counts_.resize(channel + std::size_t{1});
    }
    error = parts_.chunks ? put_chunk(chunk) : put(chunk.data());
  }
  if (error != 0) return fail(error, chunk.messages(), chunk.size());
  if (chunk.messages() > 0) {
    const bool first = statistics_.message_count == 0;
    std::uint64_t& start = statistics_.message_start_time;
    start = first ? chunk.start_time() : std::min(start, chunk.start_time());
    statistics_.message_end_time = std::max(statistics_.message_end_time, chunk.end_time());
  }
  statistics_.message_count += chunk.messages();
  for (const std::uint16_t channel : chunk.channels()) {
    counts_[channel] += chunk.index_of(channel).size();
  }
  return 0;
}

int Writer::put_chunk(const OpenChunk& chunk) {
  const ByteSpan packed = compressor_.compress(chunk.data());
  const ByteSpan records = packed.empty() ? chunk.data() : packed;
  const std::uint32_t data_crc = crc_of(chunk.data());

  const Compression compression = packed.empty() ? Compression::kNone : compressor_.compression();
  head_ = {chunk.start_time(),
           chunk.end_time(),
           chunk.size(),
           data_crc,
           std::string(name_of(compression)),
           records.size()};
  record_.clear();
  encode(head_, &record_);
  finish_record(0, &record_, records.size());

  index_.message_start_time = chunk.start_time();
  index_.message_end_time = chunk.end_time();
  index_.chunk_start_offset = size_;
  index_.chunk_length = record_.size() + records.size();
  index_.message_index_offsets.clear();
  tail_.clear();
  for (const std::uint16_t channel : chunk.channels()) {
    if (!parts_.message_index) break;
    index_.message_index_offsets.emplace_back(channel, size_ + index_.chunk_length + tail_.size());
    const std::size_t start = begin_record(Opcode::kMessageIndex, &tail_);
    FieldWriter write(&tail_);
    write(channel, chunk.index_of(channel));
    tail_.insert(tail_.end(), padding_.begin(), padding_.end());
    finish_record(start, &tail_);
  }
  index_.message_index_length = tail_.size();
  index_.compression = head_.compression;
  index_.compressed_size = records.size();
  index_.uncompressed_size = chunk.size();
  index_record_.clear();
  encode_padded(index_, &index_record_);
  chunk_indexes_.reserve(index_record_.size());

  // Every byte enters a CRC once: the CRC of a chunk's data is combined into the file's.
  const std::uint32_t records_crc = packed.empty() ? data_crc : crc_of(packed);
  const std::uint32_t crc = crc_of_both(crc_of(record_, crc_), records_crc, records.size());
  const int error = put(std::array<ByteSpan, 3>{record_, records, tail_},
                        index_.chunk_length + tail_.size(), crc_of(tail_, crc));
  if (error != 0) return error;
  if (parts_.chunk_index) chunk_indexes_.append(index_record_);
  ++statistics_.chunk_count;
  return 0;
}

int Writer::write(const Attachment& attachment) {
  record_.clear();
  encode(attachment, &record_);
  const std::size_t summed = record_.size() - sizeof attachment.crc;
  const std::uint32_t crc = crc_of(ByteSpan(record_).first(summed).subspan(kRecordHead));
  std::memcpy(record_.data() + summed, &crc, sizeof crc);
  tail_.clear();
  append_padded(record_, padding_, &tail_);
  return put_indexed(
      AttachmentIndex{size_, tail_.size(), attachment.log_time, attachment.create_time,
                      attachment.data.bytes.size(), attachment.name, attachment.media_type},
      parts_.attachment_index, &attachment_indexes_, &statistics_.attachment_count);
}

int Writer::write(const Metadata& metadata) {
  tail_.clear();
  encode_padded(metadata, &tail_);
  return put_indexed(MetadataIndex{size_, tail_.size(), metadata.name}, parts_.metadata_index,
                     &metadata_indexes_, &statistics_.metadata_count);
}

template <typename Index>
int Writer::put_indexed(const Index& index, bool keeps, RecordBlocks* indexes,
                        std::uint32_t* count) {
  if (failure_.error != 0) return failure_.error;
  index_record_.clear();
  encode_padded(index, &index_record_);
  indexes->reserve(index_record_.size());
  const int error = put(tail_);
  if (error != 0) return fail(error, 0, tail_.size());
  if (keeps) indexes->append(index_record_);
  ++*count;
  return 0;
}

int Writer::sync() {
  if (failure_.error != 0) return failure_.error;
  const int error = output_->sync();
  return error != 0 ? fail(error, 0, 0) : 0;
}

int Writer::finish() {
  const int unwritten = write_definitions();
  if (unwritten != 0 || closed_) return unwritten;
  int error = end_file();
  if (error == 0) error = output_->sync();
  if (error == 0) error = close();
  return error != 0 ? fail(error, 0, 0) : 0;
}

int Writer::close() {
  closed_ = true;
  return output_->close();
}

int Writer::fail(int error, std::uint64_t lost_messages, std::uint64_t lost_bytes) {
  failure_.lost_messages += lost_messages;
  failure_.lost_bytes += lost_bytes;
  if (failure_.error != 0) return failure_.error;
  failure_.error = error;
  // The space of the unfinished record is usually enough for the summary.
  const bool cut = output_->truncate(size_) == 0;
  try {
    failure_.finished = cut && size_ > 0 && end_file() == 0 && output_->sync() == 0;
  } catch (const std::bad_alloc&) {
  }
  if (!failure_.finished) output_->truncate(size_);
  if (close() != 0) failure_.finished = false;
  return error;
}

// Writes DataEnd, summary and Footer. They are not counted: behind them nothing is written.
int Writer::end_file() {
  Bytes first;
  encode(DataEnd{crc_}, &first);
  const std::size_t data_end = first.size();
  const std::uint64_t summary_start = size_ + data_end;
  std::uint64_t end = summary_start;
  std::vector<SummaryOffset> groups;
  // Notes the group of records that ends after `size` bytes of the summary.
  const auto note = [&](Opcode opcode, std::uint64_t size) {
    if (size == 0) return;
    groups.push_back({static_cast<std::uint8_t>(opcode), end, size});
    end += size;
  };
  for (const Opcode opcode : {Opcode::kSchema, Opcode::kChannel}) {
    const bool is_schema = opcode == Opcode::kSchema;
    const std::size_t start = first.size();
    const auto count = definitions_->append(opcode, defined_, padding_, &first);
    if (is_schema) statistics_.schema_count = static_cast<std::uint16_t>(count);
    if (!is_schema) statistics_.channel_count = static_cast<std::uint32_t>(count);
    if (!(is_schema ? parts_.repeated_schemas : parts_.repeated_channels)) first.resize(start);
    note(opcode, first.size() - start);
  }
  if (parts_.statistics) {
    statistics_.channel_message_counts.clear();
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] == 0) continue;
      statistics_.channel_message_counts.emplace_back(static_cast<std::uint16_t>(i), counts_[i]);
    }
    const std::size_t start = first.size();
    encode_padded(statistics_, &first);
    note(Opcode::kStatistics, first.size() - start);
  }
  std::uint32_t crc = crc_of(ByteSpan(first).subspan(data_end));
  std::vector<ByteSpan> pieces = {first};
  for (const auto& [opcode, records] : {std::pair(Opcode::kMetadataIndex, &metadata_indexes_),
                                        {Opcode::kAttachmentIndex, &attachment_indexes_},
                                        {Opcode::kChunkIndex, &chunk_indexes_}}) {
    for (const Bytes& block : records->blocks()) {
      pieces.push_back(block);
      crc = crc_of(block, crc);
    }
    note(opcode, records->size());
  }

  Bytes last;
  Footer footer;
  if (parts_.summary_offsets && !groups.empty()) footer.summary_offset_start = end;
  if (parts_.summary_offsets) {
    for (const SummaryOffset& group : groups) encode_padded(group, &last);
  }
  if (!groups.empty()) footer.summary_start = summary_start;
  const std::size_t at = last.size();
  encode(footer, &last);
  const std::size_t crc_at = at + kRecordHead + Footer::kBytes - sizeof footer.summary_crc;
  crc = crc_of(ByteSpan(last).first(crc_at), crc);
  std::memcpy(last.data() + crc_at, &crc, sizeof crc);
  last.insert(last.end(), magic_bytes().begin(), magic_bytes().end());
  pieces.push_back(last);
  return output_->write(pieces);
}

}  // namespace rdp::mcap
