// SPDX-License-Identifier: LGPL-2.1-or-later
// MCAP files of arbitrary bytes: messages, or errors that name the file. The messages survive
// writing and reading back.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_input.h"
#include "tests/mcap/mcap_fixture.h"

namespace {

using namespace rdp::mcap;
using test::Disk;
using test::MemoryInput;
using test::MemoryOutput;

struct Read {
  std::uint16_t channel = 0;
  std::uint32_t sequence = 0;
  std::uint64_t log_time = 0;
  std::uint64_t publish_time = 0;
  std::string data;
  bool operator==(const Read&) const = default;
};

void check_error(const McapError& error) {
  FUZZ_CHECK(std::strncmp(error.what(), "file:", 5) == 0, "%s", error.what());
  FUZZ_CHECK(std::strstr(error.what(), "expected") != nullptr, "%s", error.what());
  for (const char* c = error.what(); *c != '\0'; ++c) {
    FUZZ_CHECK(*c >= ' ' && *c <= '~', "%s", error.what());
  }
}

// Removes checksums: they almost never match changed bytes, and hide the code behind them.
void drop_sums(Bytes* file) {
  ByteSpan left = ByteSpan(*file).subspan(std::min(file->size(), kMagic.size()));
  Place place = {"file", kMagic.size()};
  try {
    for (RecordView record; next_record(&left, &place, &record);) {
      constexpr std::size_t kCrc = 24;
      if (record.is(Opcode::kChunk) && record.content.size() > kCrc + 4) {
        std::memset(file->data() + record.place.offset + kRecordHead + kCrc, 0, 4);
      }
      if (record.is(Opcode::kFooter) && record.content.size() == Footer::kBytes) {
        std::memset(file->data() + record.place.offset + kRecordHead + 16, 0, 4);
      }
    }
  } catch (const McapError&) {
  }
}

std::vector<Read> read_all(const Reader& reader, Cursor* cursor, bool* damaged = nullptr) {
  std::vector<Read> messages;
  for (Message message;;) {
    try {
      if (!cursor->next(&message)) return messages;
    } catch (const McapError& error) {
      check_error(error);
      if (damaged != nullptr) *damaged = true;
      continue;
    }
    FUZZ_CHECK(messages.empty() || messages.back().log_time <= message.log_time, "%llu after %llu",
               static_cast<unsigned long long>(message.log_time),
               static_cast<unsigned long long>(messages.back().log_time));
    FUZZ_CHECK(reader.channel(message.channel_id) != nullptr, "%u", message.channel_id);
    messages.push_back({message.channel_id, message.sequence, message.log_time,
                        message.publish_time, test::text_of(message.data.bytes)});
  }
}

// In files without errors, a seek must find as many messages as a full read has from that time on.
void check_seek(const std::vector<Read>& messages, Cursor* cursor, const Reader& reader) {
  if (messages.empty()) return;
  const std::uint64_t time = messages[messages.size() / 2].log_time;
  cursor->seek(time);
  const std::vector<Read> behind = read_all(reader, cursor);
  const auto from = std::ranges::lower_bound(messages, time, {}, &Read::log_time);
  FUZZ_CHECK(behind.size() == static_cast<std::size_t>(messages.end() - from), "%zu",
             behind.size());
  FUZZ_CHECK(cursor->last_time(time) == time, "no message at a message's time");
}

void check_again(const Reader& reader, const std::vector<Read>& messages, Compression codec) {
  Disk disk;
  Definitions definitions;
  std::vector<std::uint16_t> ids(65536);
  for (const ReadChannel& channel : reader.channels()) {
    Channel copy = channel.definition;
    // Equal definitions would be merged.
    copy.topic += std::to_string(copy.id);
    ids[channel.definition.id] = definitions.add_channel(copy);
  }
  Writer writer(std::make_unique<MemoryOutput>(&disk), &definitions,
                {.header = reader.header(), .compression = codec});
  writer.begin();
  OpenChunk chunk;
  std::vector<Read> expected = messages;
  for (Read& message : expected) {
    message.channel = ids[message.channel];
    const ByteSpan pieces[] = {test::bytes_of(message.data)};
    chunk.add(message.channel, message.sequence, message.log_time, message.publish_time, pieces);
    if (chunk.messages() % 3 != 0) continue;
    writer.write(chunk);
    chunk.clear();
  }
  writer.write(chunk);
  FUZZ_CHECK(writer.finish() == 0, "%d", writer.failure().error);
  const Reader again(std::make_unique<MemoryInput>(disk.bytes));
  FUZZ_CHECK(again.warnings().empty() && again.is_complete(), "%s", again.warnings()[0].c_str());
  FUZZ_CHECK(again.messages() == messages.size(), "%zu", messages.size());
  Cursor cursor(again);
  cursor.select(test::all_channels(again));
  FUZZ_CHECK(read_all(again, &cursor) == expected, "other messages");
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) { return 0; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The last byte selects the reading mode: a seed is a file plus one byte.
  if (size == 0) return 0;
  const std::uint8_t last = data[--size];
  const auto* const bytes = reinterpret_cast<const std::byte*>(data);
  Bytes file(bytes, bytes + size);
  if ((last & 1) != 0) drop_sums(&file);
  try {
    const Reader reader(std::make_unique<MemoryInput>(std::move(file)), (last & 2) != 0);
    Cursor cursor(reader);
    cursor.select(test::all_channels(reader));
    bool damaged = false;
    const std::vector<Read> messages = read_all(reader, &cursor, &damaged);
    if (!damaged) check_seek(messages, &cursor, reader);
    const auto codec = static_cast<Compression>((last >> 2) % 3);
    if (is_built_in(codec)) check_again(reader, messages, codec);
  } catch (const McapError& error) {
    check_error(error);
  }
  return 0;
}
