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
// Bytes behind their length as 64 bits, and bytes up to the end of the record. They lie elsewhere.
struct LongBytes {
  ByteSpan bytes;
};
struct RestBytes {
  ByteSpan bytes;
};

struct Header {
  static constexpr Opcode kOpcode = Opcode::kHeader;
  std::string profile;
  std::string library;
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("profile library", self.profile, self.library);
  }
};

struct Footer {
  static constexpr Opcode kOpcode = Opcode::kFooter;
  static constexpr std::size_t kBytes = 20;  // never more
  std::uint64_t summary_start = 0;           // 0: none
  std::uint64_t summary_offset_start = 0;    // 0: none
  std::uint32_t summary_crc = 0;             // 0: none
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("summary_start summary_offset_start summary_crc", self.summary_start,
          self.summary_offset_start, self.summary_crc);
  }
};

struct Schema {
  static constexpr Opcode kOpcode = Opcode::kSchema;
  std::uint16_t id = 0;  // not 0 in a file
  std::string name;
  std::string encoding;
  std::string data;
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("id name encoding data", self.id, self.name, self.encoding, self.data);
  }
  bool operator==(const Schema&) const = default;
};

struct Channel {
  static constexpr Opcode kOpcode = Opcode::kChannel;
  std::uint16_t id = 0;
  std::uint16_t schema_id = 0;  // 0: none
  std::string topic;
  std::string message_encoding;
  TextMap metadata;
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("id schema_id topic message_encoding metadata", self.id, self.schema_id, self.topic,
          self.message_encoding, self.metadata);
  }
  bool operator==(const Channel&) const = default;
};

// Times are in nanoseconds.
struct Message {
  static constexpr Opcode kOpcode = Opcode::kMessage;
  static constexpr std::size_t kFixedBytes = 22;  // those before the data
  std::uint16_t channel_id = 0;
  std::uint32_t sequence = 0;
  std::uint64_t log_time = 0;
  std::uint64_t publish_time = 0;
  RestBytes data;
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("channel_id sequence log_time publish_time data", self.channel_id, self.sequence,
          self.log_time, self.publish_time, self.data);
  }
};

struct Chunk {
  static constexpr Opcode kOpcode = Opcode::kChunk;
  std::uint64_t message_start_time = 0;
  std::uint64_t message_end_time = 0;
  std::uint64_t uncompressed_size = 0;
  std::uint32_t uncompressed_crc = 0;  // 0: none
  std::string compression;
  // The number of bytes of records that follow.
  std::uint64_t records_size = 0;
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(
        "message_start_time message_end_time uncompressed_size uncompressed_crc compression "
        "records_size",
        self.message_start_time, self.message_end_time, self.uncompressed_size,
        self.uncompressed_crc, self.compression, self.records_size);
  }
};

struct MessageIndex {
  static constexpr Opcode kOpcode = Opcode::kMessageIndex;
  std::uint16_t channel_id = 0;
  TimeOffsets records;  // log_time, offset in the uncompressed chunk
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("channel_id records", self.channel_id, self.records);
  }
};

struct ChunkIndex {
  static constexpr Opcode kOpcode = Opcode::kChunkIndex;
  std::uint64_t message_start_time = 0;
  std::uint64_t message_end_time = 0;
  std::uint64_t chunk_start_offset = 0;
  std::uint64_t chunk_length = 0;    // with the record's head
  ChannelMap message_index_offsets;  // of each channel
  std::uint64_t message_index_length = 0;
  std::string compression;
  std::uint64_t compressed_size = 0;
  std::uint64_t uncompressed_size = 0;
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(
        "message_start_time message_end_time chunk_start_offset chunk_length message_index_offsets "
        "message_index_length compression compressed_size uncompressed_size",
        self.message_start_time, self.message_end_time, self.chunk_start_offset, self.chunk_length,
        self.message_index_offsets, self.message_index_length, self.compression,
        self.compressed_size, self.uncompressed_size);
  }
};

struct Attachment {
  static constexpr Opcode kOpcode = Opcode::kAttachment;
  std::uint64_t log_time = 0;
  std::uint64_t create_time = 0;
  std::string name;
  std::string media_type;
  LongBytes data;
  std::uint32_t crc = 0;  // of all before it; 0: none. The writer computes it.
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("log_time create_time name media_type data crc", self.log_time, self.create_time,
          self.name, self.media_type, self.data, self.crc);
  }
};

struct AttachmentIndex {
  static constexpr Opcode kOpcode = Opcode::kAttachmentIndex;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t log_time = 0;
  std::uint64_t create_time = 0;
  std::uint64_t data_size = 0;
  std::string name;
  std::string media_type;
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("offset length log_time create_time data_size name media_type", self.offset, self.length,
          self.log_time, self.create_time, self.data_size, self.name, self.media_type);
  }
};

struct Metadata {
  static constexpr Opcode kOpcode = Opcode::kMetadata;
  std::string name;
  TextMap metadata;
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("name metadata", self.name, self.metadata);
  }
};

struct MetadataIndex {
  static constexpr Opcode kOpcode = Opcode::kMetadataIndex;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string name;
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("offset length name", self.offset, self.length, self.name);
  }
};

struct Statistics {
  static constexpr Opcode kOpcode = Opcode::kStatistics;
  std::uint64_t message_count = 0;
  std::uint16_t schema_count = 0;
  std::uint32_t channel_count = 0;
  std::uint32_t attachment_count = 0;
  std::uint32_t metadata_count = 0;
  std::uint32_t chunk_count = 0;
  std::uint64_t message_start_time = 0;
  std::uint64_t message_end_time = 0;
  ChannelMap channel_message_counts;
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(
        "message_count schema_count channel_count attachment_count metadata_count chunk_count "
        "message_start_time message_end_time channel_message_counts",
        self.message_count, self.schema_count, self.channel_count, self.attachment_count,
        self.metadata_count, self.chunk_count, self.message_start_time, self.message_end_time,
        self.channel_message_counts);
  }
};

struct SummaryOffset {
  static constexpr Opcode kOpcode = Opcode::kSummaryOffset;
  std::uint8_t group_opcode = 0;
  std::uint64_t group_start = 0;
  std::uint64_t group_length = 0;
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("group_opcode group_start group_length", self.group_opcode, self.group_start,
          self.group_length);
  }
};

struct DataEnd {
  static constexpr Opcode kOpcode = Opcode::kDataEnd;
  std::uint32_t data_section_crc = 0;  // 0: none
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("data_section_crc", self.data_section_crc);
  }
};

// Appends fields to bytes.
class FieldWriter {
 public:
  explicit FieldWriter(Bytes* out) : out_(out) {}
  template <typename... Fields>
  void operator()(const char* names, const Fields&... fields) {
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

// Takes the first of names with blanks between them.
inline std::string_view next_name(std::string_view* names) {
  const std::string_view name = names->substr(0, names->find(' '));
  names->remove_prefix(std::min(name.size() + 1, names->size()));
  return name;
}

// Reads fields one after the other. Throws McapError where the content ends before a field does;
// nothing is allocated for what is not there.
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

// Appends the head of a record and returns where it is; finish_record() then sets its length, of
// which `more` bytes will come from elsewhere.
std::size_t begin_record(Opcode opcode, Bytes* out);
void finish_record(std::size_t start, Bytes* out, std::uint64_t more = 0);

template <typename Record>
void encode(const Record& record, Bytes* out) {
  const std::size_t start = begin_record(Record::kOpcode, out);
  Record::fields(record, FieldWriter(out));
  finish_record(start, out);
}

// Sets all fields of `record`, which keeps its memory, and returns the bytes behind them. Throws
// McapError.
template <typename Record>
ByteSpan decode(ByteSpan content, const Place& place, Record* record) {
  FieldReader reader(content, place);
  Record::fields(*record, reader);
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

// zlib's CRC-32 of `bytes` behind others with the CRC `before`, and that of two strings of bytes,
// one behind the other.
std::uint32_t crc_of(ByteSpan bytes, std::uint32_t before = 0);
std::uint32_t crc_of_both(std::uint32_t first, std::uint32_t second, std::uint64_t second_size);

}  // namespace rdp::mcap

#endif  // RDP_COMMON_MCAP_RECORDS_H_
