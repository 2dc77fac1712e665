// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_MCAP_MCAP_FIXTURE_H_
#define RDP_TESTS_MCAP_MCAP_FIXTURE_H_

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/mcap/reader.h"
#include "common/mcap/writer.h"

// MCAP files in memory.
namespace rdp::mcap::test {

class MemoryInput : public Input {
 public:
  explicit MemoryInput(Bytes bytes, std::string name = "file")
      : bytes_(std::move(bytes)), name_(std::move(name)) {}
  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return bytes_.size(); }
  void read(std::uint64_t offset, std::span<std::byte> out) const override {
    read_ += out.size();
    const ByteSpan part = ByteSpan(bytes_).subspan(offset).first(out.size());
    std::ranges::copy(part, out.begin());
  }
  // The number of bytes read so far.
  std::uint64_t read_bytes() const { return read_; }

 private:
  Bytes bytes_;
  std::string name_;
  mutable std::uint64_t read_ = 0;
};

// A disk of `room` bytes, whose calls can be made to fail.
struct Disk {
  Bytes bytes;
  std::uint64_t room = ~std::uint64_t{0};
  int error = ENOSPC;
  bool sync_fails = false;
  bool truncate_fails = false;
  bool closed = false;
};

class MemoryOutput : public Output {
 public:
  explicit MemoryOutput(Disk* disk) : disk_(disk) {}
  int write(std::span<const ByteSpan> pieces) override {
    for (const ByteSpan piece : pieces) {
      const std::size_t fits =
          std::min<std::uint64_t>(piece.size(), disk_->room - disk_->bytes.size());
      disk_->bytes.insert(disk_->bytes.end(), piece.begin(),
                          piece.begin() + static_cast<std::ptrdiff_t>(fits));
      if (fits < piece.size()) return disk_->error;
    }
    return 0;
  }
  int truncate(std::uint64_t size) override {
    if (disk_->truncate_fails) return EIO;
    disk_->bytes.resize(size);
    return 0;
  }
  int sync() override { return disk_->sync_fails ? EIO : 0; }
  int close() override {
    disk_->closed = true;
    return 0;
  }

 private:
  Disk* disk_;
};

inline ByteSpan bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }
inline std::string text_of(ByteSpan bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline void add(OpenChunk* chunk, std::uint16_t channel, std::uint64_t time, std::string_view data,
                std::uint32_t sequence = 0) {
  const ByteSpan pieces[] = {bytes_of(data.substr(0, data.size() / 2)),
                             bytes_of(data.substr(data.size() / 2))};
  chunk->add(channel, sequence, time, time + 1, pieces);
}

// Every message of a file, as "CHANNEL@TIME DATA".
inline std::vector<std::string> messages_of(const Reader& reader, Cursor* cursor) {
  std::vector<std::string> texts;
  for (Message message; cursor->next(&message);) {
    texts.push_back(reader.channel(message.channel_id)->definition.topic + "@" +
                    std::to_string(message.log_time) + " " + text_of(message.data.bytes));
  }
  return texts;
}
inline std::vector<std::uint16_t> all_channels(const Reader& reader) {
  std::vector<std::uint16_t> ids;
  for (const ReadChannel& channel : reader.channels()) ids.push_back(channel.definition.id);
  return ids;
}
inline std::vector<std::string> messages_of(const Bytes& file) {
  const Reader reader(std::make_unique<MemoryInput>(file));
  Cursor cursor(reader);
  cursor.select(all_channels(reader));
  return messages_of(reader, &cursor);
}

// A file of two channels, `a` and `b`, in chunks of three messages. Messages of `b` are written 25
// ns late: their log times go back, so that chunks overlap in time.
struct Written {
  Disk disk;
  Definitions definitions;
  std::vector<std::uint64_t> chunk_ends;  // offsets
  WriteFailure failure;
};
inline std::unique_ptr<Written> write_file(const WriterOptions& options, int messages,
                                           std::uint64_t room = ~std::uint64_t{0},
                                           std::size_t data_size = 64) {
  auto written = std::make_unique<Written>();
  written->disk.room = room;
  const std::uint16_t schema = written->definitions.add_schema("a/msg/B", "ros2msg", "uint8 x\n");
  const std::uint16_t ids[] = {
      written->definitions.add_channel({0, schema, "a", "cdr", {{"key", "value"}}}),
      written->definitions.add_channel({0, schema, "b", "cdr", {}})};
  Writer writer(std::make_unique<MemoryOutput>(&written->disk), &written->definitions, options);
  writer.begin();
  OpenChunk chunk;
  for (int i = 0; i < messages; ++i) {
    const auto time = static_cast<std::uint64_t>(100 + 10 * i - 25 * (i % 2));
    add(&chunk, ids[i % 2], time, "message " + std::to_string(i) + std::string(data_size, '.'),
        static_cast<std::uint32_t>(i / 2));
    if (i % 3 != 2 && i + 1 < messages) continue;
    if (writer.write(chunk) == 0) written->chunk_ends.push_back(writer.size());
    chunk.clear();
  }
  writer.finish();
  written->failure = writer.failure();
  return written;
}

}  // namespace rdp::mcap::test

#endif  // RDP_TESTS_MCAP_MCAP_FIXTURE_H_
