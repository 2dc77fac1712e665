// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_MESSAGE_ROWS_H_
#define RDP_COMMON_HEIGHTMAP_MESSAGE_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "common/heightmap/message_layout.h"
#include "common/heightmap/parameters.h"

// Belief propagation, the pixels of one colour of one row at a time.
//
// A message m is not stored as in the definition, but relative to a maximum c common to its labels,
// which changes no decision. Heights store x = c - m, 0 to 31, where
// c = min(min h + T, h(unknown) + U). `unknown` stores y = 31 + c - m, 1 to 62. This saves the
// minimum over m and its subtraction, as c is known before m.
namespace rdp::heightmap {

// Maximum of a message and of a jump cost.
inline constexpr int kMaxJump = 31;

// Message that was not sent yet or comes from outside the picture: all labels are equal.
inline constexpr std::uint8_t kNoMessage = 0;
inline constexpr std::uint8_t kNoMessageOfUnknown = kMaxJump;

// Pixels of one colour of a row, and the messages to their neighbours.
struct SendingRow {
  int heights = 0;
  int count = 0;  // of pixels
  std::ptrdiff_t stride = 0;
  std::uint8_t smoothness = 0;
  std::uint8_t max_jump = 0;
  const std::uint8_t* costs = nullptr;
  const std::uint8_t* in[kDirections] = {};     // null: no messages yet
  std::uint8_t* out[kDirections] = {};          // the first pixel's messages; may be null
  const std::int8_t* rises[kDirections] = {};   // to each neighbour
  const std::uint8_t* jumps[kDirections] = {};  // cost of `unknown` beside a height
};
void send_row(const SendingRow& row);

// The labels with the smallest beliefs, and their costs.
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
