// SPDX-License-Identifier: LGPL-2.1-or-later
// Threads that write frames of several messages to one recording, whose chunks are soon used up.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/mcap/messages.h"
#include "common/mcap/reader.h"
#include "common/mcap/recording.h"
#include "common/mcap/schema_text.h"

namespace rdp::mcap {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kThreads = 6;
constexpr std::uint64_t kFrames = 300;

class McapRecording : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  McapRecording() { fs::create_directory(folder_); }
  ~McapRecording() override { fs::remove_all(folder_); }
  std::string file(unsigned number) const {
    return (folder_ / (std::to_string(number) + ".mcap")).string();
  }
  const fs::path folder_ =
      fs::path(::testing::TempDir()) / ("recording" + std::to_string(getpid()));
};

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

INSTANTIATE_TEST_SUITE_P(Sizes, McapRecording, ::testing::Values(0, 20000));

}  // namespace
}  // namespace rdp::mcap
