// SPDX-License-Identifier: LGPL-2.1-or-later
// Files as written, also to a full disk, and the allocations of writing. SEED=N repeats the sizes
// at which writing fails.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>

#include "tests/mcap/mcap_fixture.h"
#include "tests/support/allocation_count.h"
#include "tests/support/failing_new.h"

namespace rdp::mcap::test {
namespace {

namespace fs = std::filesystem;

constexpr Compression kCodecs[] = {Compression::kNone, Compression::kZstd, Compression::kLz4};

// Discards all bytes.
class NoOutput : public Output {
 public:
  int write(std::span<const ByteSpan>) override { return 0; }
  int truncate(std::uint64_t) override { return 0; }
  int sync() override { return 0; }
  int close() override { return 0; }
};

TEST(McapWriter, WhatIsWrittenIsRead) {
  std::vector<std::string> plain;
  for (const Compression codec : kCodecs) {
    if (!is_built_in(codec)) continue;
    const auto written = write_file({.header = {"ros2", "test"}, .compression = codec}, 50);
    EXPECT_EQ(written->failure.error, 0);
    EXPECT_TRUE(written->disk.closed);
    const Reader reader(std::make_unique<MemoryInput>(written->disk.bytes));
    EXPECT_TRUE(reader.warnings().empty());
    EXPECT_EQ(reader.header().profile, "ros2");
    EXPECT_EQ(reader.header().library, "test");
    ASSERT_EQ(reader.channels().size(), 2U);
    const ReadChannel& a = reader.channels()[0];
    EXPECT_EQ(a.definition.topic, "a");
    EXPECT_EQ(a.definition.metadata, (TextMap{{"key", "value"}}));
    ASSERT_NE(a.schema, nullptr);
    EXPECT_EQ(a.schema->name, "a/msg/B");
    EXPECT_EQ(a.messages, 25U);
    EXPECT_EQ(reader.messages(), 50U);
    EXPECT_EQ(reader.start_time(), 85U);
    EXPECT_EQ(reader.end_time(), 580U);
    const std::vector<std::string> messages = messages_of(written->disk.bytes);
    EXPECT_EQ(messages.size(), 50U);
    if (plain.empty()) plain = messages;
    EXPECT_EQ(messages, plain) << name_of(codec);
  }
}

TEST(McapWriter, TheSumAtTheEndIsThatOfAllBytes) {
  for (const Compression codec : kCodecs) {
    if (!is_built_in(codec)) continue;
    const auto written = write_file({.compression = codec}, 20);
    const Bytes& bytes = written->disk.bytes;
    const std::uint64_t end = written->chunk_ends.back();
    DataEnd data_end;
    decode(ByteSpan(bytes).subspan(end + kRecordHead), {"file", end}, &data_end);
    EXPECT_EQ(data_end.data_section_crc, crc_of(ByteSpan(bytes).first(end)));
  }
}

// Every file of a recording has all definitions; equal definitions are merged.
TEST(McapWriter, DefinitionsAreOfAllFiles) {
  Definitions definitions;
  const std::uint16_t schema = definitions.add_schema("a/msg/B", "ros2msg", "x");
  EXPECT_EQ(definitions.add_schema("a/msg/B", "ros2msg", "x"), schema);
  EXPECT_NE(definitions.add_schema("a/msg/B", "ros2msg", "y"), schema);
  const Channel channel = {0, schema, "topic", "cdr", {}};
  const std::uint16_t id = definitions.add_channel(channel);
  EXPECT_EQ(definitions.add_channel(channel), id);
  for (std::uint64_t file = 0; file < 2; ++file) {
    Disk disk;
    Writer writer(std::make_unique<MemoryOutput>(&disk), &definitions, {});
    EXPECT_EQ(writer.begin(), 0);
    OpenChunk chunk;
    add(&chunk, id, 10 + file, "text");
    EXPECT_EQ(writer.write(chunk), 0);
    EXPECT_EQ(writer.messages(), 1U);
    EXPECT_EQ(writer.chunks(), 1U);
    EXPECT_EQ(writer.start_time(), 10 + file);
    EXPECT_EQ(writer.finish(), 0);
    EXPECT_EQ(messages_of(disk.bytes),
              std::vector<std::string>{"topic@1" + std::to_string(file) + " text"});
  }
}

TEST(McapWriter, ChunksHaveABound) {
  OpenChunk chunk;
  const Bytes bytes(1 << 20);
  const std::vector<ByteSpan> pieces(1024, bytes);
  EXPECT_THROW(chunk.add(1, 0, 0, 0, pieces), std::length_error);
  EXPECT_TRUE(chunk.empty());
  EXPECT_EQ(chunk.messages(), 0U);
}

// Checks a disk that became full: all complete chunks, and the summary if it fits.
void expect_cut(const Written& written, int messages, const std::string& what) {
  const WriteFailure& failure = written.failure;
  const Bytes& file = written.disk.bytes;
  EXPECT_LE(file.size(), written.disk.room) << what;
  const std::size_t kept = std::min<std::size_t>(3 * written.chunk_ends.size(), messages);
  EXPECT_EQ(failure.lost_messages, messages - kept) << what;
  EXPECT_TRUE(written.disk.closed) << what;
  if (file.size() < kMagic.size()) return;  // the header did not fit
  const Reader reader(std::make_unique<MemoryInput>(file));
  EXPECT_EQ(reader.is_complete(), failure.finished) << what;
  EXPECT_EQ(reader.warnings().size(), failure.finished ? 0U : 1U) << what;
  EXPECT_EQ(reader.messages(), kept) << what;
  EXPECT_EQ(messages_of(file).size(), kept) << what;
}

TEST(McapWriter, FullDisksLeaveAllCompleteChunks) {
  const char* const text = std::getenv("SEED");
  const unsigned seed =
      text != nullptr ? static_cast<unsigned>(std::atoi(text)) : std::random_device()();
  std::printf("SEED=%u\n", seed);
  std::mt19937 random(seed);
  const WriterOptions options = {.compression = Compression::kNone};
  constexpr int kMessages = 100;
  constexpr std::size_t kSize = 5000;
  const auto whole = write_file(options, kMessages, ~std::uint64_t{0}, kSize);
  int finished = 0;
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t room = random() % whole->disk.bytes.size();
    const auto written = write_file(options, kMessages, room, kSize);
    ASSERT_EQ(written->failure.error, ENOSPC) << room;
    expect_cut(*written, kMessages, std::to_string(room) + " bytes");
    finished += written->failure.finished ? 1 : 0;
  }
  std::printf("%d of 20 files have a summary\n", finished);
}

// Failures to truncate and to sync.
TEST(McapWriter, OtherFaultsEndInAnErrorToo) {
  for (const bool cuts : {true, false}) {
    Disk disk;
    disk.room = 400;
    disk.error = EIO;
    disk.truncate_fails = !cuts;
    Definitions definitions;
    const std::uint16_t id = definitions.add_channel({0, 0, "a", "cdr", {}});
    Writer writer(std::make_unique<MemoryOutput>(&disk), &definitions, {});
    EXPECT_EQ(writer.begin(), 0);
    OpenChunk chunk;
    add(&chunk, id, 1, std::string(1000, 'x'));
    EXPECT_EQ(writer.write(chunk), EIO);
    EXPECT_EQ(writer.write(chunk), EIO);
    EXPECT_EQ(writer.sync(), EIO);
    EXPECT_EQ(writer.write(Metadata{}), EIO);
    EXPECT_EQ(writer.finish(), EIO);
    EXPECT_EQ(writer.failure().finished, cuts);
    EXPECT_EQ(writer.failure().lost_messages, 2U);
    EXPECT_TRUE(disk.closed);
    const Reader reader(std::make_unique<MemoryInput>(disk.bytes));
    EXPECT_EQ(reader.channels().size(), 1U);
  }
  Disk disk;
  disk.sync_fails = true;
  Definitions definitions;
  Writer writer(std::make_unique<MemoryOutput>(&disk), &definitions, {});
  EXPECT_EQ(writer.begin(), 0);
  EXPECT_EQ(writer.finish(), EIO);
}

// A real file with a size limit of the operating system.
TEST(McapWriter, FilesOfBoundedSize) {
  const fs::path path =
      fs::temp_directory_path() / ("rdpsegment-" + std::to_string(getpid()) + ".mcap");
  struct rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const rlim_t bound : {rlim_t{20000}, before.rlim_max}) {
    const struct rlimit limit = {bound, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    auto output = std::make_unique<FileOutput>();
    ASSERT_EQ(output->open(path.c_str()), 0);
    Definitions definitions;
    const std::uint16_t id = definitions.add_channel({0, 0, "a", "cdr", {}});
    Writer writer(std::move(output), &definitions, {});
    EXPECT_EQ(writer.begin(), 0);
    OpenChunk chunk;
    for (std::uint64_t i = 0; i < 10; ++i) {
      chunk.clear();
      add(&chunk, id, i, std::string(3000, 'x'));
      writer.write(chunk);
    }
    EXPECT_EQ(writer.finish(), bound == 20000 ? EFBIG : 0);
    EXPECT_TRUE(bound != 20000 || writer.failure().finished);
    auto input = std::make_unique<FileInput>();
    ASSERT_EQ(input->open(path), 0);
    const Reader reader(std::move(input));
    EXPECT_TRUE(reader.is_complete());
    EXPECT_EQ(reader.messages(), bound == 20000 ? 6U : 10U);
    EXPECT_EQ(reader.messages() + writer.failure().lost_messages, 10U);
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  fs::remove(path);
  FileOutput nowhere;
  EXPECT_EQ(nowhere.open("/nowhere/file.mcap"), ENOENT);
}

// Fills chunks and passes them to the writer one by one.
void write_chunks(Writer* writer, OpenChunk* chunk, std::uint64_t chunks, std::uint16_t channels) {
  const std::array<std::byte, 500> data = {};
  for (std::uint64_t i = 0; i < chunks; ++i) {
    chunk->clear();
    for (std::uint64_t k = 0; k < 10; ++k) {
      chunk->add(static_cast<std::uint16_t>(1 + k % channels), 0, 10 * i + k, 0,
                 std::array<ByteSpan, 2>{data, data});
    }
    ASSERT_EQ(writer->write(*chunk), 0);
  }
}

TEST(McapWriter, MessagesAllocateNothingAndChunksLittle) {
  if (RDP_COUNTS_ALLOCATIONS == 0) GTEST_SKIP() << "this build does not count allocations";
  for (const Compression codec : kCodecs) {
    if (!is_built_in(codec)) continue;
    Definitions definitions;
    for (int i = 0; i < 3; ++i) definitions.add_channel({0, 0, std::to_string(i), "cdr", {}});
    Writer writer(std::make_unique<NoOutput>(), &definitions, {.compression = codec});
    ASSERT_EQ(writer.begin(), 0);
    OpenChunk chunk;
    write_chunks(&writer, &chunk, 300, 3);
    const std::uint64_t before = allocation_count::count;
    constexpr std::uint64_t kChunks = 10000;
    write_chunks(&writer, &chunk, kChunks, 3);
    // The chunk index, 116 bytes per chunk, is the only allocation; a block holds many entries.
    const std::uint64_t allocations = allocation_count::count - before;
    EXPECT_LE(allocations * 16384, kChunks * (200 + 3 * 10)) << name_of(codec);
  }
}

// Each allocation fails in turn with an exception; the file can still be finished.
TEST(McapWriter, NoMemory) {
  const auto whole = write_file({}, 9);
  for (int nth = 1;; ++nth) {
    Disk disk;
    disk.bytes.reserve(100000);
    Definitions definitions;
    const std::uint16_t id = definitions.add_channel({0, 0, "a", "cdr", {}});
    Writer writer(std::make_unique<MemoryOutput>(&disk), &definitions, {});
    OpenChunk chunk;
    ASSERT_EQ(writer.begin(), 0);
    failing_new::fail_at(nth);
    std::uint64_t added = 0;
    try {
      const ByteSpan pieces[] = {bytes_of("text")};
      for (; added < 3; ++added) chunk.add(id, 0, added, 0, pieces);
      writer.write(chunk);
    } catch (const std::bad_alloc&) {
    }
    const bool reached = failing_new::reached();
    EXPECT_EQ(chunk.messages(), added);
    EXPECT_EQ(chunk.size(), added * OpenChunk::size_of(4));
    EXPECT_EQ(writer.finish(), 0);
    EXPECT_EQ(messages_of(disk.bytes).size(), writer.messages()) << nth;
    if (!reached) break;
    ASSERT_LT(nth, 100);
  }
}

}  // namespace
}  // namespace rdp::mcap::test
