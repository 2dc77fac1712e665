// SPDX-License-Identifier: LGPL-2.1-or-later
// Selection of the next frames' kernel by statistics of previous frames. Needs no device.
#include "kernels/rdp/segment_choice.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace rdp::cuda {
namespace {

constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kRounds = SegmentChoice::kMaxRounds;
// Resident warps of a device with 132 multiprocessors, and columns of a frame.
constexpr int kResident = 132 * 40;
constexpr int kColumns = 1242;

// A frame with `usual` segments per column, except one column with `most`.
SegmentWork frame_of(std::uint32_t usual, std::uint32_t most) {
  return {most, usual * (kColumns - 1) + most};
}
SegmentWork frame_of(std::uint32_t segments) { return frame_of(segments, segments); }

class Choice {
 public:
  // Starts as after a frame of noise (queues) or a recorded frame (warps).
  explicit Choice(bool takes_queues) { learn({frame_of(takes_queues ? 600 : 12)}); }

  // Returns true if the next frames use the kernel with queues.
  bool learn(const std::vector<SegmentWork>& frames, std::uint32_t most = kNoLimit) {
    choice_.learn(frames, kColumns, most);
    return choice_.takes_queues();
  }

 private:
  SegmentChoice choice_{kResident};
};

TEST(SegmentChoice, FirstFramesTakeWarps) {
  SegmentChoice choice(kResident);
  EXPECT_FALSE(choice.takes_queues());
  // Nothing is known until the first frame is done.
  choice.learn(std::vector<SegmentWork>{{0, 0}}, kColumns, kNoLimit);
  EXPECT_FALSE(choice.takes_queues());
}

TEST(SegmentChoice, OneFrameOfNoiseTakesQueuesOneRecordedFrameWarps) {
  Choice choice(false);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(choice.learn({frame_of(500, 620)}));
    EXPECT_TRUE(choice.learn({frame_of(480, 600)}));
    EXPECT_FALSE(choice.learn({frame_of(12, 40)}));
    EXPECT_FALSE(choice.learn({frame_of(14, 44)}));
  }
}

TEST(SegmentChoice, RecordedContentStays) {
  Choice choice(false);
  for (std::uint32_t most = 1; most <= kRounds; ++most) {
    EXPECT_FALSE(choice.learn({frame_of(most / 3, most)})) << most;
  }
}

// A single column decides if a frame has the device to itself.
TEST(SegmentChoice, LimitOfAColumn) {
  EXPECT_FALSE(Choice(false).learn({frame_of(10, kRounds)}));
  EXPECT_TRUE(Choice(false).learn({frame_of(10, kRounds + 1)}));
  EXPECT_TRUE(Choice(true).learn({frame_of(10, kRounds * 3 / 4 + 1)}));
  EXPECT_FALSE(Choice(true).learn({frame_of(10, kRounds * 3 / 4)}));
}

// The total of segments decides for a batch that fills the device. Its limit per column is higher.
TEST(SegmentChoice, LimitOfAllSegments) {
  constexpr std::uint32_t kFrames = 32;
  const auto batch = [](std::uint32_t segments) {
    std::vector<SegmentWork> frames(kFrames, {100, segments / kFrames});
    frames[7].segments += segments % kFrames;
    return frames;
  };
  constexpr std::uint32_t kLimit = kRounds * kColumns * kFrames;
  EXPECT_FALSE(Choice(false).learn(batch(kLimit)));
  EXPECT_TRUE(Choice(false).learn(batch(kLimit + 1)));
  EXPECT_TRUE(Choice(true).learn(batch(kLimit / 4 * 3 + 1)));
  EXPECT_FALSE(Choice(true).learn(batch(kLimit / 4 * 3)));
}

// Hysteresis: between 3/4 of a limit and the limit, the kernel stays the same however the content
// varies.
TEST(SegmentChoice, NeverFlapsBelowALimit) {
  for (const bool takes_queues : {false, true}) {
    Choice of_column(takes_queues);
    Choice of_all(takes_queues);
    Choice of_room(takes_queues);
    for (std::uint32_t i = 0; i < 100; ++i) {
      const std::uint32_t most = kRounds - i * 7 % (kRounds / 4);
      EXPECT_EQ(of_column.learn({frame_of(10, most)}), takes_queues) << most;
      const std::vector<SegmentWork> batch(32, {100, most * kColumns});
      EXPECT_EQ(of_all.learn(batch), takes_queues) << most;
      const std::uint32_t pieces = 48 - i % 12;
      EXPECT_EQ(of_room.learn({frame_of(10, pieces)}, 48), takes_queues) << pieces;
    }
  }
}

TEST(SegmentChoice, BatchesHideOneBadColumn) {
  constexpr std::uint32_t kFrames = 32;
  // 3/4 of the rounds of an average warp at the limit of all segments.
  constexpr std::uint32_t kHidden = kRounds * kFrames * kColumns * 3 / 4 / kResident;
  static_assert(kHidden > 300);
  std::vector<SegmentWork> batch(kFrames, frame_of(12));
  batch[20] = frame_of(12, kHidden);
  EXPECT_FALSE(Choice(false).learn(batch));
  batch[20] = frame_of(12, kHidden + 1);
  EXPECT_TRUE(Choice(false).learn(batch));
  // A single frame has no other work to hide the column.
  EXPECT_TRUE(Choice(false).learn({frame_of(12, kHidden)}));
  // More frames hide more; two frames hide no more than a single one.
  EXPECT_TRUE(Choice(false).learn({frame_of(12), frame_of(12, kRounds + 1)}));
  EXPECT_FALSE(Choice(false).learn({frame_of(12), frame_of(12, kRounds)}));
}

// Room for pieces of a column in the kernel with warps. A frame that exceeds it is repeated.
TEST(SegmentChoice, RoomOfTheFit) {
  constexpr std::uint32_t kRoom = 51;
  EXPECT_FALSE(Choice(false).learn({frame_of(10, kRoom)}, kRoom));
  EXPECT_TRUE(Choice(false).learn({frame_of(10, kRoom + 1)}, kRoom));
  EXPECT_TRUE(Choice(false).learn({frame_of(10, SegmentWork::kTooMuch)}, kRoom));
  // A batch has no more room per column.
  std::vector<SegmentWork> batch(32, frame_of(10));
  EXPECT_FALSE(Choice(false).learn(batch, kRoom));
  batch[3] = frame_of(10, kRoom + 1);
  EXPECT_TRUE(Choice(false).learn(batch, kRoom));
  // Room beyond the round limit of a single frame changes nothing.
  EXPECT_TRUE(Choice(false).learn({frame_of(10, kRounds + 1)}, 2 * kRounds));
}

// The limits depend on the amount of work relative to the size of the device.
TEST(SegmentChoice, SmallDevicesHideMore) {
  const std::vector<SegmentWork> frame{frame_of(12, 100)};
  SegmentChoice large(kResident);
  large.learn(frame, kColumns, kNoLimit);
  EXPECT_TRUE(large.takes_queues());
  SegmentChoice small(8 * 40);
  small.learn(frame, kColumns, kNoLimit);
  EXPECT_FALSE(small.takes_queues());
}

}  // namespace
}  // namespace rdp::cuda
