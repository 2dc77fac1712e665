// SPDX-License-Identifier: LGPL-2.1-or-later
// Reading messages in order of time: selected channels, any start time, with and without a summary.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>

#include "tests/mcap/mcap_fixture.h"
#include "tests/support/allocation_count.h"

namespace rdp::mcap::test {
namespace {

namespace fs = std::filesystem;

std::uint64_t time_of(const std::string& message) {
  return std::stoull(message.substr(message.find('@') + 1));
}

// Ways to lay out the same messages.
struct Layout {
  const char* name;
  WrittenParts parts;
  bool cut;  // cut off before its last byte
};
std::vector<Layout> layouts() {
  Layout plain{"indexed", {}, false};
  Layout scanned{"scanned", {}, true};
  Layout no_index{"without MessageIndex", {}, false};
  no_index.parts.message_index = false;
  Layout loose{"without chunks", {}, false};
  loose.parts.chunks = false;
  Layout no_channels{"without channels in the summary", {}, false};
  no_channels.parts.repeated_channels = false;
  Layout cut_loose = loose;
  cut_loose.cut = true;
  return {plain, scanned, no_index, loose, no_channels, cut_loose};
}

TEST(McapReader, SeeksAndChannelsInEachLayout) {
  const std::vector<std::string> all = messages_of(write_file({}, 60)->disk.bytes);
  ASSERT_EQ(all.size(), 60U);
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, time_of));
  for (const Layout& layout : layouts()) {
    Bytes file = write_file({.parts = layout.parts}, 60)->disk.bytes;
    if (layout.cut) file.resize(file.size() - 1);
    const Reader reader(std::make_unique<MemoryInput>(file));
    EXPECT_EQ(reader.messages(), 60U) << layout.name;
    EXPECT_EQ(reader.start_time(), 85U) << layout.name;
    EXPECT_EQ(reader.end_time(), 680U) << layout.name;
    EXPECT_EQ(reader.is_complete(), !layout.cut) << layout.name;
    Cursor cursor(reader);
    EXPECT_EQ(messages_of(reader, &cursor).size(), 0U) << layout.name;
    for (const std::vector<std::uint16_t>& ids : {std::vector<std::uint16_t>{1, 2}, {1}, {2}}) {
      std::vector<std::string> expected = all;
      std::erase_if(expected, [&](const std::string& message) {
        return ids.size() == 1 && message[0] != (ids[0] == 1 ? 'a' : 'b');
      });
      cursor.select(ids);
      EXPECT_EQ(messages_of(reader, &cursor), expected) << layout.name;
      for (std::uint64_t time = 80; time < 700; time += 5) {
        const auto from = std::ranges::lower_bound(expected, time, {}, time_of);
        cursor.seek(time);
        EXPECT_EQ(messages_of(reader, &cursor), std::vector<std::string>(from, expected.end()))
            << layout.name << " at " << time;
        const auto behind = std::ranges::upper_bound(expected, time, {}, time_of);
        const auto last = cursor.last_time(time);
        ASSERT_EQ(last.has_value(), behind != expected.begin()) << layout.name << " at " << time;
        if (last) {
          EXPECT_EQ(*last, time_of(behind[-1])) << layout.name << " at " << time;
        }
      }
      // Looking back does not change the forward order.
      cursor.seek(0);
      Message message;
      ASSERT_TRUE(cursor.next(&message));
      cursor.last_time(400);
      expected.erase(expected.begin());
      EXPECT_EQ(messages_of(reader, &cursor), expected) << layout.name;
    }
  }
}

// A file in chunks of `each` messages; body(i) adds channel, time and text.
template <typename Body>
Bytes write_chunks(std::initializer_list<const char*> topics, int messages, int each, Body&& body) {
  Disk disk;
  Definitions definitions;
  for (const char* const topic : topics) definitions.add_channel({0, 0, topic, "cdr", {}});
  Writer writer(std::make_unique<MemoryOutput>(&disk), &definitions, {});
  writer.begin();
  OpenChunk chunk;
  for (int i = 0; i < messages; ++i) {
    body(i, &chunk);
    if (i % each != each - 1) continue;
    EXPECT_EQ(writer.write(chunk), 0);
    chunk.clear();
  }
  EXPECT_EQ(writer.finish(), 0);
  return disk.bytes;
}

// Messages with equal times keep their file order, across chunks.
TEST(McapReader, EqualTimesKeepTheirOrder) {
  std::vector<std::string> expected;
  const Bytes file = write_chunks({"a"}, 30, 5, [](int i, OpenChunk* chunk) {
    add(chunk, 1, i % 2 == 0 ? 7 : 8, std::to_string(i));
  });
  for (const int odd : {0, 1}) {
    for (int i = odd; i < 30; i += 2) {
      expected.push_back(std::string(odd == 0 ? "a@7 " : "a@8 ") + std::to_string(i));
    }
  }
  EXPECT_EQ(messages_of(file), expected);
}

// A small topic lies between large ones: chunks of the others are not read.
TEST(McapReader, OtherChunksAreNotRead) {
  auto input = std::make_unique<MemoryInput>(
      write_chunks({"large", "small"}, 100, 1, [](int i, OpenChunk* chunk) {
        add(chunk, i == 50 ? 2 : 1, static_cast<std::uint64_t>(i), std::string(100000, 'x'));
      }));
  const MemoryInput* const watched = input.get();
  const Reader reader(std::move(input));
  Cursor cursor(reader);
  cursor.select(std::array<std::uint16_t, 1>{2});
  EXPECT_EQ(messages_of(reader, &cursor).size(), 1U);
  EXPECT_LT(watched->read_bytes(), 200000U);
}

TEST(McapReader, MessagesAllocateNothing) {
  if (RDP_COUNTS_ALLOCATIONS == 0) GTEST_SKIP() << "this build does not count allocations";
  for (const Compression codec : {Compression::kNone, Compression::kZstd, Compression::kLz4}) {
    if (!is_built_in(codec)) continue;
    const auto written = write_file({.compression = codec}, 3000);
    const Reader reader(std::make_unique<MemoryInput>(written->disk.bytes));
    Cursor cursor(reader);
    cursor.select(std::array<std::uint16_t, 2>{1, 2});
    Message message;
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(cursor.next(&message));
    const std::uint64_t before = allocation_count::count;
    int count = 100;
    while (cursor.next(&message)) ++count;
    cursor.seek(500);
    while (cursor.next(&message)) ++count;
    EXPECT_EQ(allocation_count::count - before, 0U) << name_of(codec);
    EXPECT_GT(count, 5900);
  }
}

// A sparse file of 10 GB: opening and seeking read only the summary and one chunk.
TEST(McapReader, SeekInALargeFile) {
  const fs::path path =
      fs::temp_directory_path() / ("rdpsegment-" + std::to_string(getpid()) + ".mcap");
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  ASSERT_GE(file, 0);
  constexpr std::uint64_t kChunks = 10000;
  constexpr std::uint64_t kData = 1 << 20;
  std::uint64_t size = 0;
  const auto put = [&](const Bytes& bytes) {
    ASSERT_EQ(pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(size)),
              static_cast<ssize_t>(bytes.size()));
    size += bytes.size();
  };
  Bytes bytes(magic_bytes().begin(), magic_bytes().end());
  encode(Header{}, &bytes);
  put(bytes);
  Bytes summary;
  encode(Channel{1, 0, "a", "cdr", {}}, &summary);
  for (std::uint64_t i = 0; i < kChunks; ++i) {
    bytes.clear();
    encode(Chunk{i, i, kData, 0, "", kData}, &bytes);
    finish_record(0, &bytes, kData);
    ChunkIndex index{i,  i,     size, bytes.size() + kData, {{1, size + bytes.size() + kData}}, 0,
                     "", kData, kData};
    encode(Message{1, 0, i, i, {}}, &bytes);
    const std::size_t head = bytes.size() - Message::kFixedBytes - kRecordHead;
    finish_record(head, &bytes, kData - Message::kFixedBytes - kRecordHead);
    put(bytes);
    size = index.chunk_start_offset + index.chunk_length;
    bytes.clear();
    encode(MessageIndex{1, {{i, 0}}}, &bytes);
    index.message_index_length = bytes.size();
    put(bytes);
    encode(index, &summary);
  }
  encode(Statistics{kChunks, 0, 1, 0, 0, kChunks, 0, kChunks - 1, {{1, kChunks}}}, &summary);
  bytes.clear();
  encode(DataEnd{}, &bytes);
  put(bytes);
  bytes = summary;
  encode(Footer{size, 0, 0}, &bytes);
  bytes.insert(bytes.end(), magic_bytes().begin(), magic_bytes().end());
  put(bytes);
  close(file);

  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&start] {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
  };
  auto input = std::make_unique<FileInput>();
  ASSERT_EQ(input->open(path), 0);
  const Reader reader(std::move(input));
  Cursor cursor(reader);
  cursor.select(std::array<std::uint16_t, 1>{1});
  const double opened = elapsed();
  Message message;
  for (const std::uint64_t time : {9000U, 17U, 5000U, 9999U}) {
    cursor.seek(time);
    ASSERT_TRUE(cursor.next(&message));
    EXPECT_EQ(message.log_time, time);
    EXPECT_EQ(message.data.bytes.size(), kData - Message::kFixedBytes - kRecordHead);
  }
  EXPECT_EQ(reader.messages(), kChunks);
  std::printf("%.1f GB: opened in %.1f ms, four seeks in %.1f ms\n",
              static_cast<double>(size) / 1e9, opened, elapsed() - opened);
  fs::remove(path);
}

TEST(McapReader, FilesThatAreNone) {
  FileInput input;
  EXPECT_EQ(input.open("/nowhere/file.mcap"), ENOENT);
  EXPECT_EQ(input.open("/tmp"), EINVAL);
  for (const char* const text : {"", "\x89MCAP0", "{\"a\": 1} and more"}) {
    const ByteSpan bytes = bytes_of(text);
    try {
      Reader reader(std::make_unique<MemoryInput>(Bytes(bytes.begin(), bytes.end())));
      ADD_FAILURE() << text;
    } catch (const McapError& error) {
      EXPECT_EQ(error.kind(), McapError::Kind::kNotMcap) << error.what();
    }
  }
}

}  // namespace
}  // namespace rdp::mcap::test
