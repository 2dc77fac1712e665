// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/belief_field.h"

#include <algorithm>
#include <cstring>

#include "common/heightmap/message_rows.h"
#include "common/heightmap/rules.h"

namespace rdp::heightmap {

std::size_t BeliefField::memory_of(const MessageLayout& layout) {
  return layout.bytes() + 2 * layout.rise_bytes() + 2 * layout.plane_bytes();
}

void BeliefField::prepare(int width, int height, const Parameters& parameters,
                          const std::int32_t* potential) {
  parameters_ = parameters;
  layout_ = MessageLayout(width, height, parameters.heights());
  field_.ensure(layout_.bytes());
  rises_.ensure(layout_.rise_bytes());
  jumps_.ensure(layout_.rise_bytes());
  decided_.ensure(2 * layout_.plane_bytes());
  make_rises(potential);
  std::memset(jumps_.data(), parameters.unknown_jump, layout_.rise_bytes());
  make_borders();
}

// Rises to the neighbours, in labels; 0 where there is no neighbour.
void BeliefField::make_rises(const std::int32_t* potential) {
  std::memset(rises_.data(), 0, layout_.rise_bytes());
  const int width = layout_.width;
  const int height = layout_.height;
  const auto at = [&](int x, int y) { return potential[std::ptrdiff_t{y} * width + x]; };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      std::int8_t* const to = rises_.data() + layout_.rises(y, (x + y) & 1) + x / 2;
      const auto set = [&](Direction direction, int nx, int ny) {
        if (nx < 0 || nx >= width || ny < 0 || ny >= height) return;
        to[direction * layout_.stride] =
            static_cast<std::int8_t>(rise(at(x, y), at(nx, ny), parameters_.max_slope));
      };
      set(kLeft, x - 1, y);
      set(kRight, x + 1, y);
      set(kAbove, x, y - 1);
      set(kBelow, x, y + 1);
    }
  }
}

void BeliefField::find_jumps(const DepthView& picture, int first, int end) {
  const int width = layout_.width;
  const auto jump = [&](int a, int b) {
    return static_cast<std::uint8_t>(is_edge(a, b, parameters_.edge_contrast)
                                         ? parameters_.edge_jump
                                         : parameters_.unknown_jump);
  };
  for (int y = first; y < end; ++y) {
    const auto* const row = reinterpret_cast<const std::uint8_t*>(picture.row(y));
    const auto* const above =
        reinterpret_cast<const std::uint8_t*>(picture.row(std::max(y - 1, 0)));
    const auto* const below =
        reinterpret_cast<const std::uint8_t*>(picture.row(std::min(y + 1, layout_.height - 1)));
    for (int odd = 0; odd < std::min(2, width); ++odd) {
      std::uint8_t* const to = jumps_.data() + layout_.rises(y, (odd + y) & 1);
      const std::ptrdiff_t stride = layout_.stride;
      for (int x = odd; x < width; x += 2) {
        const int at = x >> 1;
        to[kLeft * stride + at] = jump(row[x], row[std::max(x - 1, 0)]);
        to[kRight * stride + at] = jump(row[x], row[std::min(x + 1, width - 1)]);
        to[kAbove * stride + at] = jump(row[x], above[x]);
        to[kBelow * stride + at] = jump(row[x], below[x]);
      }
    }
  }
}

// Sets the messages from above the first and below the last row, which no pixel sends.
void BeliefField::make_borders() {
  const auto no_message = [&](int row, int colour, Direction from) {
    std::uint8_t* const at = message(row, colour, from);
    const std::ptrdiff_t heights = layout_.heights * layout_.stride;
    std::memset(at, kNoMessage, static_cast<std::size_t>(heights));
    std::memset(at + heights, kNoMessageOfUnknown, static_cast<std::size_t>(layout_.stride));
  };
  for (int colour = 0; colour < 2; ++colour) {
    no_message(0, colour, kAbove);
    no_message(layout_.height - 1, colour, kBelow);
  }
}

// The messages that leave pixels of a row with (x + y + k) even.
void BeliefField::half_iteration(int k, int row) {
  const int colour = k & 1;
  const int other = 1 - colour;
  const int odd = MessageLayout::is_odd(row, colour);
  SendingRow sending;
  sending.heights = layout_.heights;
  sending.count = layout_.count(row, colour);
  sending.stride = layout_.stride;
  sending.smoothness = static_cast<std::uint8_t>(parameters_.smoothness);
  sending.max_jump = static_cast<std::uint8_t>(parameters_.max_jump);
  sending.costs = field_.data() + layout_.costs(row, colour);
  for (int i = 0; i < kDirections; ++i) {
    const auto direction = static_cast<Direction>(i);
    if (k > 0) sending.in[i] = message(row, colour, direction);
    sending.rises[i] = rises_.data() + layout_.rises(row, colour) + i * layout_.stride;
    sending.jumps[i] = jumps_.data() + layout_.rises(row, colour) + i * layout_.stride;
  }
  sending.out[kLeft] = message(row, other, kRight) - (1 - odd);
  sending.out[kRight] = message(row, other, kLeft) + odd;
  if (row > 0) sending.out[kAbove] = message(row - 1, other, kBelow);
  if (row + 1 < layout_.height) sending.out[kBelow] = message(row + 1, other, kAbove);
  send_row(sending);

  // Vector stores also overwrote the messages from outside.
  const auto no_message = [&](std::uint8_t* at) {
    for (int l = 0; l < layout_.heights; ++l) at[l * layout_.stride] = kNoMessage;
    at[layout_.heights * layout_.stride] = kNoMessageOfUnknown;
  };
  const int last = layout_.width - 1;
  if (odd == 1) no_message(message(row, other, kLeft));
  if ((last & 1) != odd) no_message(message(row, other, kRight) + last / 2);
}

std::int64_t BeliefField::decide(int done, int row, std::uint8_t* labels) {
  std::uint8_t* const label_rows = decided_.data();
  std::uint8_t* const cost_rows = decided_.data() + layout_.plane_bytes();
  std::int64_t sum = 0;
  for (int colour = 0; colour < 2; ++colour) {
    DecidingRow deciding;
    deciding.heights = layout_.heights;
    deciding.count = layout_.count(row, colour);
    deciding.stride = layout_.stride;
    deciding.costs = field_.data() + layout_.costs(row, colour);
    // Colour 0 sends first, so colour 1 receives first.
    for (int i = 0; i < kDirections && done > 1 - colour; ++i) {
      deciding.in[i] = message(row, colour, static_cast<Direction>(i));
    }
    deciding.labels = label_rows + layout_.plane(row, colour);
    deciding.label_costs = cost_rows + layout_.plane(row, colour);
    decide_row(deciding);
    for (int i = 0; i < deciding.count; ++i) sum += deciding.label_costs[i];
  }
  const int even_colour = MessageLayout::even_colour(row);
  const std::uint8_t* const even = label_rows + layout_.plane(row, even_colour);
  const std::uint8_t* const odd = label_rows + layout_.plane(row, 1 - even_colour);
  for (int x = 0; x < layout_.width; ++x) labels[x] = (x & 1) == 0 ? even[x / 2] : odd[x / 2];
  return sum;
}

}  // namespace rdp::heightmap
