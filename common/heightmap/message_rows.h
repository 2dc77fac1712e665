// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_MESSAGE_ROWS_H_
#define RDP_COMMON_HEIGHTMAP_MESSAGE_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "common/heightmap/message_layout.h"
#include "common/heightmap/parameters.h"

// Belief propagation, the pixels of one colour of one row at a time.
//
// A message is kept in another form than in the definition, from which it differs by a number that
// all its labels have in common: so does what is told on, and no label changes. For heights it is
// x = c - m, where c = min(min h + T, h(unknown) + U) is the most that m can be: x is 0 to 31. For
// `unknown` it is y = 31 + c - m, 1 to 62. That saves the minimum over m and its subtraction: c is
// known before m is.
namespace rdp::heightmap {

// The most that a message and a cost are.
inline constexpr int kMaxJump = 31;

// A message that has not come, or comes from outside: all labels are alike.
inline constexpr std::uint8_t kNoMessage = 0;
inline constexpr std::uint8_t kNoMessageOfUnknown = kMaxJump;

// Pixels that tell their neighbours.
struct SendingRow {
  int heights = 0;
  int count = 0;  // of pixels
  std::ptrdiff_t stride = 0;
  std::uint8_t smoothness = 0;
  std::uint8_t max_jump = 0;
  const std::uint8_t* costs = nullptr;
  const std::uint8_t* in[kDirections] = {};     // none: no messages have come yet
  std::uint8_t* out[kDirections] = {};          // where those of the first pixel go; may be none
  const std::int8_t* rises[kDirections] = {};   // to each neighbour
  const std::uint8_t* jumps[kDirections] = {};  // what `unknown` costs beside a height
};
void send_row(const SendingRow& row);

// The labels with the smallest beliefs, and what they cost.
struct DecidingRow {
  int heights = 0;
  int count = 0;
  std::ptrdiff_t stride = 0;
  const std::uint8_t* costs = nullptr;
  const std::uint8_t* in[kDirections] = {};
  std::uint8_t* labels = nullptr;
  std::uint8_t* label_costs = nullptr;
};
void decide_row(const DecidingRow& row);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_MESSAGE_ROWS_H_
