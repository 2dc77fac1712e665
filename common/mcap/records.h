// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_RECORDS_H_
#define RDP_COMMON_MCAP_RECORDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
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
    visit("profile", self.profile);
    visit("library", self.library);
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
    visit("summary_start", self.summary_start);
    visit("summary_offset_start", self.summary_offset_start);
    visit("summary_crc", self.summary_crc);
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
    visit("id", self.id);
    visit("name", self.name);
    visit("encoding", self.encoding);
    visit("data", self.data);
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
    visit("id", self.id);
    visit("schema_id", self.schema_id);
    visit("topic", self.topic);
    visit("message_encoding", self.message_encoding);
    visit("metadata", self.metadata);
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
    visit("channel_id", self.channel_id);
    visit("sequence", self.sequence);
    visit("log_time", self.log_time);
    visit("publish_time", self.publish_time);
    visit("data", self.data);
  }
};

struct Chunk {
  static constexpr Opcode kOpcode = Opcode::kChunk;
  std::uint64_t message_start_time = 0;
  std::uint64_t message_end_time = 0;
  std::uint64_t uncompressed_size = 0;
  std::uint32_t uncompressed_crc = 0;  // 0: none
  std::string compression;
  // How many bytes of records follow.
  std::uint64_t records_size = 0;
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("message_start_time", self.message_start_time);
    visit("message_end_time", self.message_end_time);
    visit("uncompressed_size", self.uncompressed_size);
    visit("uncompressed_crc", self.uncompressed_crc);
    visit("compression", self.compression);
    visit("records_size", self.records_size);
  }
};

struct MessageIndex {
  static constexpr Opcode kOpcode = Opcode::kMessageIndex;
  std::uint16_t channel_id = 0;
  TimeOffsets records;  // log_time, offset in the uncompressed chunk
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("channel_id", self.channel_id);
    visit("records", self.records);
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
    visit("message_start_time", self.message_start_time);
    visit("message_end_time", self.message_end_time);
    visit("chunk_start_offset", self.chunk_start_offset);
    visit("chunk_length", self.chunk_length);
    visit("message_index_offsets", self.message_index_offsets);
    visit("message_index_length", self.message_index_length);
    visit("compression", self.compression);
    visit("compressed_size", self.compressed_size);
    visit("uncompressed_size", self.uncompressed_size);
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
    visit("log_time", self.log_time);
    visit("create_time", self.create_time);
    visit("name", self.name);
    visit("media_type", self.media_type);
    visit("data", self.data);
    visit("crc", self.crc);
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
    visit("offset", self.offset);
    visit("length", self.length);
    visit("log_time", self.log_time);
    visit("create_time", self.create_time);
    visit("data_size", self.data_size);
    visit("name", self.name);
    visit("media_type", self.media_type);
  }
};

struct Metadata {
  static constexpr Opcode kOpcode = Opcode::kMetadata;
  std::string name;
  TextMap metadata;
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("name", self.name);
    visit("metadata", self.metadata);
  }
};

struct MetadataIndex {
  static constexpr Opcode kOpcode = Opcode::kMetadataIndex;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string name;
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("offset", self.offset);
    visit("length", self.length);
    visit("name", self.name);
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
    visit("message_count", self.message_count);
    visit("schema_count", self.schema_count);
    visit("channel_count", self.channel_count);
    visit("attachment_count", self.attachment_count);
    visit("metadata_count", self.metadata_count);
    visit("chunk_count", self.chunk_count);
    visit("message_start_time", self.message_start_time);
    visit("message_end_time", self.message_end_time);
    visit("channel_message_counts", self.channel_message_counts);
  }
};

struct SummaryOffset {
  static constexpr Opcode kOpcode = Opcode::kSummaryOffset;
  std::uint8_t group_opcode = 0;
  std::uint64_t group_start = 0;
  std::uint64_t group_length = 0;
  template <typename Self, typename Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("group_opcode", self.group_opcode);
    visit("group_start", self.group_start);
    visit("group_length", self.group_length);
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
  void operator()(const char* name, std::uint8_t value) { number(value); }
  void operator()(const char* name, std::uint16_t value) { number(value); }
  void operator()(const char* name, std::uint32_t value) { number(value); }
  void operator()(const char* name, std::uint64_t value) { number(value); }
  void operator()(const char* name, const std::string& value) { text(value); }
  void operator()(const char* name, const TextMap& value);
  void operator()(const char* name, const ChannelMap& value);
  void operator()(const char* name, const TimeOffsets& value);
  void operator()(const char* name, const LongBytes& value);
  void operator()(const char* name, const RestBytes& value) { append(value.bytes); }

 private:
  void append(ByteSpan bytes) { out_->insert(out_->end(), bytes.begin(), bytes.end()); }
  template <typename Number>
  void number(Number value) {
    append(std::as_bytes(std::span(&value, 1)));
  }
  void text(const std::string& value);

  Bytes* out_;
};

// Reads fields one after the other. Throws McapError where the content ends before a field does;
// nothing is allocated for what is not there.
class FieldReader {
 public:
  FieldReader(ByteSpan content, const Place& place)
      : left_(content), start_(content.data()), place_(place) {}
  void operator()(const char* name, std::uint8_t& value);
  void operator()(const char* name, std::uint16_t& value);
  void operator()(const char* name, std::uint32_t& value);
  void operator()(const char* name, std::uint64_t& value);
  void operator()(const char* name, std::string& value);
  void operator()(const char* name, TextMap& value);
  void operator()(const char* name, ChannelMap& value);
  void operator()(const char* name, TimeOffsets& value);
  void operator()(const char* name, LongBytes& value);
  void operator()(const char* name, RestBytes& value) { value.bytes = std::exchange(left_, {}); }

  // The bytes behind the fields that were read.
  ByteSpan left() const { return left_; }

 private:
  ByteSpan take(const char* name, std::uint64_t size);
  template <typename Number>
  void number(const char* name, Number* value);
  template <typename Pairs>
  void pairs(const char* name, Pairs* value);

  ByteSpan left_;
  const std::byte* start_;
  Place place_;
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
