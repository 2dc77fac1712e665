// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_RECORDS_H_
#define RDP_COMMON_MCAP_RECORDS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/mcap/error.h"

// Records of MCAP files: a byte that names the kind, the length of the content as 64 bits, the
// content. All numbers are little-endian. The description of a kind's fields encodes it, decodes it
// and, in tests, prints it.
namespace rdp::mcap {

using Bytes = std::vector<std::byte>;
using ByteSpan = std::span<const std::byte>;

inline constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};
inline ByteSpan magic_bytes() { return std::as_bytes(std::span(kMagic)); }
inline constexpr std::size_t kRecordHead = 9;

// Chunks of more bytes than this, uncompressed, are neither written nor read.
inline constexpr std::uint64_t kMaxChunkBytes = std::uint64_t{1} << 30;

enum class Opcode : std::uint8_t {
  kHeader = 1,
  kFooter,
  kSchema,
  kChannel,
  kMessage,
  kChunk,
  kMessageIndex,
  kChunkIndex,
  kAttachment,
  kAttachmentIndex,
  kStatistics,
  kMetadata,
  kMetadataIndex,
  kSummaryOffset,
  kDataEnd,
};

using TextMap = std::vector<std::pair<std::string, std::string>>;
using ChannelMap = std::vector<std::pair<std::uint16_t, std::uint64_t>>;
using TimeOffsets = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
// Bytes after their 64-bit length, and bytes up to the end of the record. Both are views.
struct LongBytes {
  ByteSpan bytes;
};
struct RestBytes {
  ByteSpan bytes;
};

// The fields of a kind of record, in the order of a file. Their names are those of the
// specification.
#define RDP_MCAP_RECORD(Kind, ...)                    \
  static constexpr Opcode kOpcode = Opcode::k##Kind;  \
  static constexpr const char* kNames = #__VA_ARGS__; \
  auto fields() { return std::tie(__VA_ARGS__); }     \
  auto fields() const { return std::tie(__VA_ARGS__); }

struct Header {
  std::string profile, library;
  RDP_MCAP_RECORD(Header, profile, library)
};

struct Footer {
  static constexpr std::size_t kBytes = 20;                   // never more
  std::uint64_t summary_start = 0, summary_offset_start = 0;  // 0: none
  std::uint32_t summary_crc = 0;                              // 0: none
  RDP_MCAP_RECORD(Footer, summary_start, summary_offset_start, summary_crc)
};

struct Schema {
  std::uint16_t id = 0;  // not 0 in a file
  std::string name, encoding, data;
  RDP_MCAP_RECORD(Schema, id, name, encoding, data)
  bool operator==(const Schema&) const = default;
};

struct Channel {
  std::uint16_t id = 0;
  std::uint16_t schema_id = 0;  // 0: none
  std::string topic, message_encoding;
  TextMap metadata;
  RDP_MCAP_RECORD(Channel, id, schema_id, topic, message_encoding, metadata)
  bool operator==(const Channel&) const = default;
};

// Times are in nanoseconds.
struct Message {
  static constexpr std::size_t kFixedBytes = 22;  // those before the data
  std::uint16_t channel_id = 0;
  std::uint32_t sequence = 0;
  std::uint64_t log_time = 0, publish_time = 0;
  RestBytes data;
  RDP_MCAP_RECORD(Message, channel_id, sequence, log_time, publish_time, data)
};

// The fields of a chunk; its records follow.
struct Chunk {
  std::uint64_t message_start_time = 0, message_end_time = 0;
  std::uint64_t uncompressed_size = 0;
  std::uint32_t uncompressed_crc = 0;  // 0: none
  std::string compression;
  std::uint64_t records_size = 0;
  RDP_MCAP_RECORD(Chunk, message_start_time, message_end_time, uncompressed_size, uncompressed_crc,
                  compression, records_size)
};

struct MessageIndex {
  std::uint16_t channel_id = 0;
  TimeOffsets records;  // log_time, offset in the uncompressed chunk
  RDP_MCAP_RECORD(MessageIndex, channel_id, records)
};

struct ChunkIndex {
  std::uint64_t message_start_time = 0, message_end_time = 0;
  std::uint64_t chunk_start_offset = 0, chunk_length = 0;  // with the record's head
  ChannelMap message_index_offsets;                        // of each channel
  std::uint64_t message_index_length = 0;
  std::string compression;
  std::uint64_t compressed_size = 0, uncompressed_size = 0;
  RDP_MCAP_RECORD(ChunkIndex, message_start_time, message_end_time, chunk_start_offset,
                  chunk_length, message_index_offsets, message_index_length, compression,
                  compressed_size, uncompressed_size)
};

struct Attachment {
  std::uint64_t log_time = 0, create_time = 0;
  std::string name, media_type;
  LongBytes data;
  std::uint32_t crc = 0;  // of all before it; 0: none. The writer computes it.
  RDP_MCAP_RECORD(Attachment, log_time, create_time, name, media_type, data, crc)
};

struct AttachmentIndex {
  std::uint64_t offset = 0, length = 0, log_time = 0, create_time = 0, data_size = 0;
  std::string name, media_type;
  RDP_MCAP_RECORD(AttachmentIndex, offset, length, log_time, create_time, data_size, name,
                  media_type)
};

struct Metadata {
  std::string name;
  TextMap metadata;
  RDP_MCAP_RECORD(Metadata, name, metadata)
};

struct MetadataIndex {
  std::uint64_t offset = 0, length = 0;
  std::string name;
  RDP_MCAP_RECORD(MetadataIndex, offset, length, name)
};

struct Statistics {
  std::uint64_t message_count = 0;
  std::uint16_t schema_count = 0;
  std::uint32_t channel_count = 0, attachment_count = 0, metadata_count = 0, chunk_count = 0;
  std::uint64_t message_start_time = 0, message_end_time = 0;
  ChannelMap channel_message_counts;
  RDP_MCAP_RECORD(Statistics, message_count, schema_count, channel_count, attachment_count,
                  metadata_count, chunk_count, message_start_time, message_end_time,
                  channel_message_counts)
};

struct SummaryOffset {
  std::uint8_t group_opcode = 0;
  std::uint64_t group_start = 0, group_length = 0;
  RDP_MCAP_RECORD(SummaryOffset, group_opcode, group_start, group_length)
};

struct DataEnd {
  std::uint32_t data_section_crc = 0;  // 0: none
  RDP_MCAP_RECORD(DataEnd, data_section_crc)
};

// Appends fields to bytes.
class FieldWriter {
 public:
  explicit FieldWriter(Bytes* out) : out_(out) {}
  template <typename... Fields>
  void operator()(const Fields&... fields) {
    (put(fields), ...);
  }

 private:
  template <typename Number>
  requires std::is_integral_v<Number>
  void put(Number value) { append(std::as_bytes(std::span(&value, 1))); }
  void put(const std::string& value);
  void put(const TextMap& value);
  void put(const ChannelMap& value);
  void put(const TimeOffsets& value);
  void put(const LongBytes& value);
  void put(const RestBytes& value) { append(value.bytes); }
  void append(ByteSpan bytes) { out_->insert(out_->end(), bytes.begin(), bytes.end()); }

  Bytes* out_;
};

// Removes and returns the first of names separated by a comma and a blank.
inline std::string_view next_name(std::string_view* names) {
  const std::string_view name = names->substr(0, names->find(','));
  names->remove_prefix(std::min(name.size() + 2, names->size()));
  return name;
}

// Reads fields one after the other. Throws McapError if the content ends before a field does;
// allocates nothing for missing bytes.
class FieldReader {
 public:
  FieldReader(ByteSpan content, const Place& place)
      : left_(content), start_(content.data()), place_(place) {}
  template <typename... Fields>
  void operator()(std::string_view names, Fields&... fields) {
    ((name_ = next_name(&names), get(&fields)), ...);
  }
  // The bytes behind the fields that were read.
  ByteSpan left() const { return left_; }

 private:
  ByteSpan take(std::uint64_t size);
  template <typename Number>
  requires std::is_integral_v<Number>
  void get(Number* value) { std::memcpy(value, take(sizeof *value).data(), sizeof *value); }
  void get(std::string* value);
  void get(TextMap* value);
  template <typename First>
  void get(std::vector<std::pair<First, std::uint64_t>>* value);
  void get(LongBytes* value);
  void get(RestBytes* value) { value->bytes = std::exchange(left_, {}); }

  ByteSpan left_;
  const std::byte* start_;
  Place place_;
  std::string_view name_;
};

// begin_record() appends the head of a record and returns its position. finish_record() then sets
// its length, which includes `more` bytes that are written separately.
std::size_t begin_record(Opcode opcode, Bytes* out);
void finish_record(std::size_t start, Bytes* out, std::uint64_t more = 0);

template <typename Record>
void encode(const Record& record, Bytes* out) {
  const std::size_t start = begin_record(Record::kOpcode, out);
  std::apply(FieldWriter(out), record.fields());
  finish_record(start, out);
}

// Sets all fields of `record`, which keeps its memory, and returns the bytes behind them. Throws
// McapError.
template <typename Record>
ByteSpan decode(ByteSpan content, const Place& place, Record* record) {
  FieldReader reader(content, place);
  std::apply([&](auto&... fields) { reader(Record::kNames, fields...); }, record->fields());
  return reader.left();
}

// A record in memory.
struct RecordView {
  std::uint8_t opcode = 0;
  ByteSpan content;
  Place place;

  bool is(Opcode other) const { return opcode == static_cast<std::uint8_t>(other); }
  template <typename Record>
  void decode_to(Record* record) const {
    decode(content, place, record);
  }
};

// Takes the first record off `left`, which begins at `place`. False: nothing is left. Throws
// McapError where it is cut off.
bool next_record(ByteSpan* left, Place* place, RecordView* record);

// zlib's CRC-32: crc_of() continues the CRC `before` with `bytes`; crc_of_both() combines those of
// two consecutive strings of bytes.
std::uint32_t crc_of(ByteSpan bytes, std::uint32_t before = 0);
std::uint32_t crc_of_both(std::uint32_t first, std::uint32_t second, std::uint64_t second_size);

}  // namespace rdp::mcap

#endif  // RDP_COMMON_MCAP_RECORDS_H_
