// SPDX-License-Identifier: LGPL-2.1-or-later
// Threads write frames of several messages to one recording that soon runs out of free chunks.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "common/mcap/messages.h"
#include "common/mcap/reader.h"
#include "common/mcap/recording.h"
#include "common/mcap/schema_text.h"
#include "tests/support/allocation_count.h"

namespace rdp::mcap {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kThreads = 6;
constexpr std::uint64_t kFrames = 300;

class RecordingFolder : public ::testing::Test {
 protected:
  RecordingFolder() { fs::create_directory(folder_); }
  ~RecordingFolder() override { fs::remove_all(folder_); }
  std::string file(unsigned number) const {
    return (folder_ / (std::to_string(number) + ".mcap")).string();
  }
  const fs::path folder_ =
      fs::path(::testing::TempDir()) / ("recording" + std::to_string(getpid()));
};

class McapRecording : public RecordingFolder,
                      public ::testing::WithParamInterface<std::uint64_t> {};

TEST_P(McapRecording, ThreadsLoseNothingAndNoFrameIsTorn) {
  RecordingSettings settings;
  settings.chunk_size = 2000;
  settings.max_queue = 1;
  settings.max_size = GetParam();
  Recording recording(settings, [this](unsigned number) { return file(number); });
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&recording, t] {
      std::uint16_t channels[2];
      for (const unsigned i : {0U, 1U}) {
        channels[i] = recording.channel(std::to_string(2 * t + i), "std_msgs/msg/String",
                                        ros::schema_text<ros::String>(), {});
      }
      ros::CdrWriter writers[2];
      const std::string text(500, 'x');
      for (std::uint64_t frame = 0; frame < kFrames; ++frame) {
        for (ros::CdrWriter& writer : writers) writer.write(ros::String{text});
        const Recording::Item items[] = {{channels[0], &writers[0]}, {channels[1], &writers[1]}};
        EXPECT_EQ(recording.write(frame, items), Recording::Result::kWritten);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  recording.finish();
  std::map<std::string, std::uint64_t> messages;
  for (unsigned number = 0; number < recording.counts().files; ++number) {
    auto input = std::make_unique<FileInput>();
    ASSERT_EQ(input->open(file(number)), 0);
    const Reader reader(std::move(input));
    EXPECT_GT(reader.messages(), 0U) << file(number);
    std::map<std::string, std::uint64_t> here;
    for (const auto& channel : reader.channels()) {
      here[channel.definition.topic] = channel.messages;
      messages[channel.definition.topic] += channel.messages;
    }
    for (std::uint64_t t = 0; t < kThreads; ++t) {
      EXPECT_EQ(here[std::to_string(2 * t)], here[std::to_string(2 * t + 1)]) << file(number);
    }
  }
  EXPECT_EQ(messages.size(), 2 * kThreads);
  for (const auto& [topic, count] : messages) EXPECT_EQ(count, kFrames) << topic;
}

// Doubles texts; throws std::bad_alloc for "fail".
class Doubles : public MessageEncoder {
 public:
  void encode(ByteSpan message, ros::CdrWriter* out) override {
    const auto text = ros::CdrReader::read<ros::String>(message);
    if (text.data == "fail") throw std::bad_alloc();
    twice_.assign(text.data);
    twice_ += text.data;
    out->write(ros::String{twice_});
  }

 private:
  std::string twice_;
};

// Two channels, one of them with an encoder.
class McapEncoders : public RecordingFolder {
 protected:
  McapEncoders() {
    settings_.chunk_size = 200;
    recording_ =
        std::make_unique<Recording>(settings_, [this](unsigned number) { return file(number); });
    for (std::size_t i = 0; i < 2; ++i) {
      items_[i] = {recording_->channel(i == 0 ? "plain" : "coded", "std_msgs/msg/String",
                                       ros::schema_text<ros::String>(), {},
                                       i == 0 ? nullptr : std::make_shared<Doubles>()),
                   &writers_[i]};
    }
  }
  Recording::Result write(std::uint64_t stamp, std::string_view text) {
    for (ros::CdrWriter& writer : writers_) writer.write(ros::String{text});
    return recording_->write(stamp, items_);
  }

  RecordingSettings settings_;
  std::unique_ptr<Recording> recording_;
  ros::CdrWriter writers_[2];
  Recording::Item items_[2];
};

TEST_F(McapEncoders, EncodeTheirChannelAlone) {
  for (std::uint64_t i = 0; i < 20; ++i) write(i, std::to_string(i));
  recording_->finish();
  auto input = std::make_unique<FileInput>();
  ASSERT_EQ(input->open(file(0)), 0);
  const Reader reader(std::move(input));
  EXPECT_TRUE(reader.warnings().empty());
  for (const auto& channel : reader.channels()) {
    Cursor cursor(reader);
    cursor.select({&channel.definition.id, 1});
    std::uint64_t count = 0;
    for (Message message; cursor.next(&message); ++count) {
      const std::string text = std::to_string(count);
      const auto found = ros::CdrReader::read<ros::String>(message.data.bytes);
      EXPECT_EQ(found.data, channel.definition.topic == "plain" ? text : text + text);
      EXPECT_EQ(message.log_time, count);
      EXPECT_EQ(message.sequence, count);
    }
    EXPECT_EQ(count, 20U);
  }
}

TEST_F(McapEncoders, ThatFailEndTheRecordingBehindTheLastChunk) {
  for (const char* text : {"a", "b", "fail", "c"}) write(1, text);
  recording_->finish();
  const RecordingFailure failure = recording_->failure();
  EXPECT_EQ(failure.error, ENOMEM);
  EXPECT_TRUE(failure.finished);
  EXPECT_EQ(failure.messages + failure.lost_messages, recording_->counts().messages);
  auto input = std::make_unique<FileInput>();
  ASSERT_EQ(input->open(file(0)), 0);
  EXPECT_EQ(Reader(std::move(input)).messages(), failure.messages);
}

TEST_F(McapEncoders, AllocateNothingForAMessage) {
  if (RDP_COUNTS_ALLOCATIONS == 0) GTEST_SKIP() << "this build does not count allocations";
  const std::string text(100, 'x');
  for (std::uint64_t i = 0; i < 200; ++i) write(i, text);
  const std::uint64_t before = allocation_count::count;
  for (std::uint64_t i = 0; i < 1000; ++i) write(i, text);
  // The chunk index grows in blocks.
  EXPECT_LE(allocation_count::count - before, 1000U * 250 / 16384);
}

INSTANTIATE_TEST_SUITE_P(Sizes, McapRecording, ::testing::Values(0, 20000));

}  // namespace
}  // namespace rdp::mcap
