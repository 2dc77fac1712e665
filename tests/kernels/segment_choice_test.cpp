// SPDX-License-Identifier: LGPL-2.1-or-later
// Which kernel segments the next frames. No device is needed: what the last ones were is told.
#include "kernels/rdp/segment_choice.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace rdp::cuda {
namespace {

constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kRounds = SegmentChoice::kMaxRounds;
// Of a device of 132 multiprocessors, and of a frame.
constexpr int kResident = 132 * 40;
constexpr int kColumns = 1242;

// A frame whose columns have `usual` segments each, but one of them `most`.
SegmentWork frame_of(std::uint32_t usual, std::uint32_t most) {
  return {most, usual * (kColumns - 1) + most};
}
SegmentWork frame_of(std::uint32_t segments) { return frame_of(segments, segments); }

class Choice {
 public:
  // As it is after a frame of noise or after a recorded one.
  explicit Choice(bool takes_queues) { learn({frame_of(takes_queues ? 600 : 12)}); }

  // True where the next frames take the kernel with queues.
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

// A single column decides where a frame has the device to itself.
TEST(SegmentChoice, LimitOfAColumn) {
  EXPECT_FALSE(Choice(false).learn({frame_of(10, kRounds)}));
  EXPECT_TRUE(Choice(false).learn({frame_of(10, kRounds + 1)}));
  EXPECT_TRUE(Choice(true).learn({frame_of(10, kRounds * 3 / 4 + 1)}));
  EXPECT_FALSE(Choice(true).learn({frame_of(10, kRounds * 3 / 4)}));
}

// All segments decide in a batch that fills the device, whose limit of a column is higher.
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

// Between 3/4 of a limit and the limit nothing changes, whatever the kernel is and however the
// content swings there.
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
  // 3/4 of the rounds that the average warp of the device takes at the limit of all segments.
  constexpr std::uint32_t kHidden = kRounds * kFrames * kColumns * 3 / 4 / kResident;
  static_assert(kHidden > 300);
  std::vector<SegmentWork> batch(kFrames, frame_of(12));
  batch[20] = frame_of(12, kHidden);
  EXPECT_FALSE(Choice(false).learn(batch));
  batch[20] = frame_of(12, kHidden + 1);
  EXPECT_TRUE(Choice(false).learn(batch));
  // There is nothing to hide it among where the frame is alone.
  EXPECT_TRUE(Choice(false).learn({frame_of(12, kHidden)}));
  // The more frames, the more is hidden; a few hide no more than a frame alone.
  EXPECT_TRUE(Choice(false).learn({frame_of(12), frame_of(12, kRounds + 1)}));
  EXPECT_FALSE(Choice(false).learn({frame_of(12), frame_of(12, kRounds)}));
}

// The kernel with warps has room for so many pieces of a column: of more, the frame is done again.
TEST(SegmentChoice, RoomOfTheFit) {
  constexpr std::uint32_t kRoom = 51;
  EXPECT_FALSE(Choice(false).learn({frame_of(10, kRoom)}, kRoom));
  EXPECT_TRUE(Choice(false).learn({frame_of(10, kRoom + 1)}, kRoom));
  EXPECT_TRUE(Choice(false).learn({frame_of(10, SegmentWork::kTooMuch)}, kRoom));
  // A batch does not make more room.
  std::vector<SegmentWork> batch(32, frame_of(10));
  EXPECT_FALSE(Choice(false).learn(batch, kRoom));
  batch[3] = frame_of(10, kRoom + 1);
  EXPECT_TRUE(Choice(false).learn(batch, kRoom));
  // Room for more than the rounds of a single frame changes nothing.
  EXPECT_TRUE(Choice(false).learn({frame_of(10, kRounds + 1)}, 2 * kRounds));
}

// How much work there is counts for what the device can do at a time.
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
