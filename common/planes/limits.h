// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_LIMITS_H_
#define RDP_COMMON_PLANES_LIMITS_H_

// Bounds of the method, for the engines and the kernels.
namespace rdp::planes {

inline constexpr int kCell = 8;              // pixels a side of the smallest nodes of frames
inline constexpr int kMaxPlanes = 255;       // a label is 8 bits, and 0 is no plane
inline constexpr int kFewestDirections = 2;  // a ball needs a row between its poles
inline constexpr int kMaxDirections = 128;   // rows of the ball less one
inline constexpr int kMaxCloudBits = 25;     // clouds have at most 2^25 points

// Depths of frames are whole numbers of at most kDepthBits bits, in units of 1 / kUnits metres; in
// fewer bits of larger units if the frame is large. Samples farther than kFarthest are unknown.
inline constexpr int kDepthBits = 20;
inline constexpr double kUnits = 16000.0;
inline constexpr double kFarthest = (1 << kDepthBits) / kUnits;  // m

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_LIMITS_H_
