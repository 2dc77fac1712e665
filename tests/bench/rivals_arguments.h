// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_RIVALS_ARGUMENTS_H_
#define RDP_TESTS_BENCH_RIVALS_ARGUMENTS_H_

#include <cstdint>

// The arguments of the kernels in rivals.cu. Pointers are device pointers.
namespace rdp::bench {

inline constexpr int kAlgorithm3Rows = 1024;  // limit of a block with one thread per row

struct Algorithm3Arguments {
  const std::uint16_t* columns;  // column by column
  const std::uint32_t* ends;     // per column: first known row, last known row << 16
  std::int32_t height;
  float epsilon;  // in sample steps
  std::uint32_t known_first;
  std::uint32_t known_last;
  unsigned char* vertices;  // like `columns`: 0 for a segment's end, else 1
};
inline constexpr std::uint32_t kNoRows = 0x0000FFFF;  // no known row: the last is above the first

struct FloorArguments {
  const void* frame;
  void* result;
  std::uint32_t frame_words;   // of 16 bytes
  std::uint32_t result_words;  // of 16 bytes
};

struct SpinArguments {
  std::uint32_t nanoseconds;
};

struct RivalMedianArguments {
  const unsigned char* in;
  unsigned char* out;
  std::int64_t in_pitch;
  std::int64_t out_pitch;
  std::int32_t width;
  std::int32_t height;
};

// Height maps: see paper_messages.cuh. Label kPaperHeights is `unknown`.
inline constexpr int kPaperHeights = 24;
inline constexpr int kPaperLanes = 32;    // lanes per pixel for labels, in memory as well
inline constexpr int kPaperMessages = 4;  // left, right, above, below
inline constexpr int kPaperThreads = kPaperLanes * kPaperMessages;
inline constexpr float kPaperNever = 1e30F;  // higher than any cost

struct PaperArguments {
  const float* costs;     // per pixel and lane
  const float* rises;     // per pixel: rise in labels to each neighbour
  float* messages;        // incoming messages, by origin, pixel and lane
  unsigned char* labels;  // per pixel
  std::int32_t width;
  std::int32_t height;
  std::int32_t step;  // index of the half-iteration
  float smoothness;
  float max_jump;
  float unknown_jump;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_RIVALS_ARGUMENTS_H_
