// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PLANES_BALL_MEMORY_H_
#define RDP_KERNELS_PLANES_BALL_MEMORY_H_

#include <cstddef>
#include <cstdint>

#include "common/planes/ball.h"
#include "kernels/runtime/arena.h"

// Memory for the ball of directions, for the finders of planes of frames and of clouds.
namespace rdp::cuda {

inline planes::BallView copy_ball(const planes::BallView& ball, TableCopies* copies) {
  const auto directions = static_cast<std::size_t>(ball.directions);
  const int* const starts = copies->copy(ball.starts, static_cast<std::size_t>(ball.rows) + 1);
  const int* const row_of = copies->copy(ball.row_of, directions);
  return {ball.rows, ball.directions, starts, copies->copy(ball.centres, 3 * directions), row_of};
}

// The largest number of peaks. Two in a row of the ball are three directions or three distances
// apart, so a row has at most one in each 3x3 of them.
inline std::int64_t most_peaks(const planes::BallView& ball, std::int64_t distances) {
  std::int64_t directions = 0;
  for (int row = 0; row < ball.rows; ++row) directions += (ball.count(row) + 2) / 3;
  return directions * ((distances + 2) / 3);
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PLANES_BALL_MEMORY_H_
