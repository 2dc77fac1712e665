// SPDX-License-Identifier: LGPL-2.1-or-later
// Truncated, damaged and malicious files: intact parts are read, other parts cause a warning or an
// error with an offset. Implausible numbers cause no allocation.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "tests/mcap/mcap_fixture.h"

namespace rdp::mcap::test {
namespace {

// The messages, warnings and errors of a file.
struct Outcome {
  std::vector<std::string> warnings;
  std::vector<std::string> messages;
  std::vector<std::string> errors;
};
Outcome read(const Bytes& file, bool skip_damaged = false) {
  Outcome outcome;
  const auto note = [&outcome](const McapError& error) {
    outcome.errors.emplace_back(error.what());
    EXPECT_EQ(outcome.errors.back().rfind("file:", 0), 0U) << error.what();
    EXPECT_NE(outcome.errors.back().find("expected"), std::string::npos) << error.what();
  };
  try {
    const Reader reader(std::make_unique<MemoryInput>(file), skip_damaged);
    outcome.warnings = reader.warnings();
    Cursor cursor(reader);
    cursor.select(all_channels(reader));
    for (Message message;;) {
      try {
        if (!cursor.next(&message)) break;
        outcome.messages.push_back(std::to_string(message.log_time));
      } catch (const McapError& error) {
        note(error);
      }
    }
  } catch (const McapError& error) {
    note(error);
  }
  return outcome;
}

// The offset of the record `nth` (from 0) of a kind.
std::size_t find_record(const Bytes& file, Opcode opcode, int nth = 0) {
  ByteSpan left = ByteSpan(file).subspan(kMagic.size(), file.size() - 2 * kMagic.size());
  Place place = {"file", kMagic.size()};
  for (RecordView record; next_record(&left, &place, &record);) {
    if (record.is(opcode) && nth-- == 0) return record.place.offset;
  }
  ADD_FAILURE() << "no record of kind " << static_cast<int>(opcode);
  return 0;
}

template <typename Number>
void set(Bytes* file, std::size_t offset, Number number) {
  std::memcpy(file->data() + offset, &number, sizeof number);
}

// Offsets in a record, including its head.
constexpr std::size_t kChunkSize = kRecordHead + 16;
constexpr std::size_t kChunkCrc = kRecordHead + 24;
constexpr std::size_t kChunkData = kRecordHead + 40;  // without compression
constexpr std::size_t kIndexed = kRecordHead + 16;
constexpr std::size_t kFooterCrc = kRecordHead + 16;

TEST(McapDamage, CutAnywhereReadsWholeChunks) {
  for (const bool chunks : {true, false}) {
    WriterOptions options;
    options.parts.chunks = chunks;
    const auto written = write_file(options, 12);
    const Bytes& file = written->disk.bytes;
    const std::size_t first = find_record(file, Opcode::kSchema);
    for (std::size_t size = first; size < file.size(); ++size) {
      const Outcome outcome =
          read(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)));
      ASSERT_EQ(outcome.errors.size(), 0U) << size << outcome.errors[0];
      ASSERT_EQ(outcome.warnings.size(), 1U) << size;
      ASSERT_NE(outcome.warnings[0].find("cut off at offset"), std::string::npos) << size;
      // A complete chunk is read even if its indexes are missing.
      std::size_t whole = 0;
      for (const std::uint64_t end : written->chunk_ends) whole += end <= size ? 3U : 0U;
      ASSERT_GE(outcome.messages.size(), whole) << size;
      ASSERT_LE(outcome.messages.size(), whole + 3) << size;
      ASSERT_NE(outcome.warnings[0].find(std::to_string(outcome.messages.size()) + " messages"),
                std::string::npos)
          << size << outcome.warnings[0];
    }
  }
}

// A changed field in a file of 12 messages in four chunks: position, new value, and expected
// outcome.
struct Damage {
  const char* name;
  Opcode opcode;
  int nth;  // record of this kind
  std::size_t offset;
  std::uint64_t number;
  std::size_t bytes;
  std::size_t messages;  // messages still read
  bool is_error;         // while reading messages; otherwise a warning
  const char* words;     // empty: not detected
};

constexpr std::uint64_t kHuge = std::uint64_t{1} << 60;
constexpr Damage kDamages[] = {
    {"sum of a chunk", Opcode::kChunk, 1, kChunkCrc, 1, 4, 9, true, "the CRC"},
    {"byte of a chunk", Opcode::kChunk, 1, kChunkData + 40, 1, 1, 9, true, "the CRC"},
    {"size of a chunk", Opcode::kChunk, 1, kChunkSize, kHuge, 8, 9, true, "at most 1073741824"},
    {"other size", Opcode::kChunk, 1, kChunkSize, 7, 8, 9, true, "uncompressed_size"},
    {"length of a chunk", Opcode::kChunk, 1, 1, kHuge, 8, 9, true, "bytes, beyond the end"},
    {"kind of a chunk", Opcode::kChunk, 1, 0, 99, 1, 9, true, "a record of kind 99"},
    {"records", Opcode::kChunk, 1, kRecordHead + 32, kHuge, 8, 9, true, "bytes of records"},
    {"sum of the summary", Opcode::kFooter, 0, kFooterCrc, 1, 4, 12, false, "the CRC"},
    {"index beyond the file", Opcode::kChunkIndex, 2, kIndexed, kHuge, 8, 12, false,
     "one that lies before the summary"},
    {"other index", Opcode::kChunkIndex, 2, kIndexed, 8, 8, 12, false, "one behind the chunk"},
    {"summary beyond the file", Opcode::kFooter, 0, kRecordHead, kHuge, 8, 12, false,
     "one before the Footer"},
    {"length in the summary", Opcode::kChunkIndex, 2, 1, kHuge, 8, 12, false, "beyond the end"},
    {"times of a chunk", Opcode::kChunkIndex, 2, kRecordHead, kHuge, 8, 9, true,
     "the times of the chunk"},
    {"count of a channel", Opcode::kStatistics, 0, kRecordHead + 48, 100, 8, 12, true,
     "94 messages more than its chunks have"},
    // Chunks are self-describing: message indexes are not needed.
    {"offset of a message", Opcode::kMessageIndex, 0, kRecordHead + 14, kHuge, 8, 12, false, ""},
    {"time of a message", Opcode::kMessageIndex, 0, kRecordHead + 6, kHuge, 8, 12, false, ""},
    {"channel of an index", Opcode::kMessageIndex, 0, kRecordHead, 9, 2, 12, false, ""},
    {"bytes of an index", Opcode::kMessageIndex, 0, kRecordHead + 2, 0, 4, 12, false, ""},
};

TEST(McapDamage, EachKind) {
  for (const Damage& damage : kDamages) {
    Bytes file = write_file({}, 12)->disk.bytes;
    // Removes the CRC of the summary, so that readers reach the changed field.
    set(&file, find_record(file, Opcode::kFooter) + kFooterCrc, std::uint32_t{0});
    const std::size_t record = find_record(file, damage.opcode, damage.nth);
    std::memcpy(file.data() + record + damage.offset, &damage.number, damage.bytes);
    const Outcome outcome = read(file);
    EXPECT_EQ(outcome.messages.size(), damage.messages) << damage.name;
    EXPECT_EQ(outcome.errors.size(), damage.is_error ? 1U : 0U) << damage.name;
    const bool is_seen = damage.words[0] != '\0';
    EXPECT_EQ(outcome.warnings.size(), is_seen && !damage.is_error ? 1U : 0U) << damage.name;
    if (!is_seen) continue;
    const auto& texts = damage.is_error ? outcome.errors : outcome.warnings;
    ASSERT_FALSE(texts.empty()) << damage.name;
    EXPECT_NE(texts[0].find(damage.words), std::string::npos) << damage.name << ": " << texts[0];
  }
}

TEST(McapDamage, ZerosAtTheEnd) {
  Bytes file = write_file({}, 12)->disk.bytes;
  file.resize(file.size() + 5000);
  const Outcome outcome = read(file);
  EXPECT_EQ(outcome.messages.size(), 12U);
  ASSERT_EQ(outcome.warnings.size(), 1U);
  EXPECT_NE(outcome.warnings[0].find("cut off at offset"), std::string::npos);
}

// An unknown codec.
TEST(McapDamage, UnknownCompression) {
  const ByteSpan bytes = bytes_of("bytes");
  for (const char* const codec : {"xyz", "\x80\n"}) {
    try {
      check_compressed(codec, bytes, 5, {"file", 0});
      ADD_FAILURE() << codec;
    } catch (const McapError& error) {
      EXPECT_EQ(error.kind(), McapError::Kind::kUnsupported) << error.what();
    }
  }
}

// Without a summary the file is scanned; an impossible record is detected while opening.
TEST(McapDamage, LengthsInAScan) {
  const auto written = write_file({}, 12);
  Bytes file(written->disk.bytes.begin(), written->disk.bytes.end() - 1);
  set(&file, written->chunk_ends[1] + 1, std::uint64_t{1} << 60);
  EXPECT_EQ(read(file).errors.size(), 1U);
  const Outcome skipped = read(file, true);
  EXPECT_EQ(skipped.errors.size(), 0U);
  ASSERT_EQ(skipped.warnings.size(), 1U);
  EXPECT_NE(skipped.warnings[0].find("The 6 messages before it"), std::string::npos)
      << skipped.warnings[0];
  EXPECT_EQ(skipped.messages.size(), 6U);
}

TEST(McapDamage, DefinitionsThatContradict) {
  struct Case {
    Schema schema;
    Channel channel;
    const char* words;
  };
  const Schema schema = {1, "a/msg/B", "ros2msg", "x"};
  const Channel channel = {1, 1, "a", "cdr", {}};
  const Case cases[] = {
      {{0, "a", "", ""}, channel, "the id 0"},
      {{1, "a/msg/C", "ros2msg", "x"}, channel, "a second definition of the id 1"},
      {schema, {1, 1, "b", "cdr", {}}, "a second definition of the id 1"},
      {schema, channel, ""}};
  for (const Case& c : cases) {
    for (const bool chunked : {true, false}) {
      Bytes records;
      encode(schema, &records);
      encode(channel, &records);
      encode(c.schema, &records);
      encode(c.channel, &records);
      Bytes file(magic_bytes().begin(), magic_bytes().end());
      encode(Header{}, &file);
      const std::size_t start = file.size();
      if (chunked) encode(Chunk{0, 0, records.size(), 0, "", records.size()}, &file);
      file.insert(file.end(), records.begin(), records.end());
      if (chunked) finish_record(start, &file);
      const Outcome outcome = read(file);
      ASSERT_EQ(outcome.errors.size(), *c.words == '\0' ? 0U : 1U) << c.words;
      if (*c.words != '\0') {
        EXPECT_NE(outcome.errors[0].find(c.words), std::string::npos) << outcome.errors[0];
      }
    }
  }
}

// All possible channel ids, in an order that is slow for sorted insertion.
TEST(McapDamage, AllIds) {
  Bytes file(magic_bytes().begin(), magic_bytes().end());
  encode(Header{}, &file);
  for (int i = 0; i < 2 * 65535; ++i) {
    const auto id = static_cast<std::uint16_t>(65535 - i % 65535);
    encode(Schema{id, "a", "b", "c"}, &file);
    encode(Channel{id, id, "topic", "cdr", {}}, &file);
  }
  const Reader reader(std::make_unique<MemoryInput>(file));
  ASSERT_EQ(reader.channels().size(), 65535U);
  for (std::size_t i = 0; i < 65535; ++i) {
    ASSERT_EQ(reader.channels()[i].definition.id, i + 1);
    ASSERT_EQ(reader.channels()[i].schema->id, i + 1);
    ASSERT_EQ(reader.channel(static_cast<std::uint16_t>(i + 1)), &reader.channels()[i]);
  }
  EXPECT_EQ(reader.channel(0), nullptr);
}

// Compressed chunks with wrong sizes or content.
TEST(McapDamage, CompressedChunks) {
  for (const Compression codec : {Compression::kZstd, Compression::kLz4}) {
    if (!is_built_in(codec)) continue;
    const Bytes good = write_file({.compression = codec}, 12)->disk.bytes;
    const std::size_t chunk = find_record(good, Opcode::kChunk, 1);
    const std::size_t data = chunk + kChunkData + name_of(codec).size();
    struct Case {
      std::size_t offset;
      std::uint64_t number;
      std::size_t bytes;
    };
    const Case cases[] = {{chunk + kChunkSize, std::uint64_t{1} << 29, 8},
                          {chunk + kChunkSize, 1, 8},
                          {chunk + kChunkSize, 0, 8},
                          {data, 0, 4},
                          {data + 20, 0, 8},
                          {data + 40, 0xFFFFFFFFFFFFFFFFU, 8}};
    for (const Case& c : cases) {
      Bytes file = good;
      std::memcpy(file.data() + c.offset, &c.number, c.bytes);
      const Outcome outcome = read(file);
      EXPECT_EQ(outcome.errors.size(), 1U) << name_of(codec) << " " << c.offset - chunk;
      EXPECT_EQ(outcome.messages.size(), 9U) << name_of(codec) << " " << c.offset - chunk;
    }
  }
}

// Changes each byte in turn: allowed are only messages, and errors that name the file.
TEST(McapDamage, EachByte) {
  for (const Compression codec : {Compression::kNone, Compression::kZstd, Compression::kLz4}) {
    if (!is_built_in(codec)) continue;
    const Bytes good = write_file({.compression = codec}, 6)->disk.bytes;
    for (std::size_t i = 0; i < good.size(); ++i) {
      for (const unsigned change : {0xFFU, 0x01U, 0x80U}) {
        for (const std::size_t cut : {0U, 1U}) {
          Bytes file = good;
          file[i] ^= static_cast<std::byte>(change);
          file.resize(file.size() - cut);
          const Outcome outcome = read(file, change == 1);
          ASSERT_LE(outcome.messages.size(), 7U) << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace rdp::mcap::test
