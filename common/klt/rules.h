// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_RULES_H_
#define RDP_COMMON_KLT_RULES_H_

#include <cmath>
#include <cstdint>

#include "common/host_device.h"

// Numbers and rules of positions that the reference, the engine and the kernels share.
//
// Positions and displacements are integers, 1024 to a pixel ("fixed"). In frames of up to 16384
// pixels they are below 2^24, so that a float holds them as pixels without rounding.
namespace rdp::klt {

inline constexpr int kMinWindow = 8;
inline constexpr int kMaxWindow = 31;
inline constexpr int kMaxLevels = 11;  // of a pyramid of step 2: six of step 4
inline constexpr int kExtension = 32;  // mirrored pixels around a level
inline constexpr int kPixel = 1024;    // fixed units a pixel
inline constexpr int kOvershoot = 8;   // px outside the frame, for a window's centre in a search
inline constexpr int kSquare = 4;      // px, the side of a square that holds one track at most
inline constexpr int kScoreReach = 3;  // a score is that of 7x7 pixels
inline constexpr int kScorePixels = 49;
inline constexpr int kMaxStep = 32768;     // of one iteration, fixed
inline constexpr int kMaxStart = 1 << 24;  // fixed

enum class Light { kNone, kBias, kGainBias };

// The motion model of a feature's window since its birth: translation, or affine.
enum class Warp { kTranslation, kAffine };

struct Place {
  int x;
  int y;
};

// The parameters of tracking a feature, beside the pictures. Passed to kernels as it is.
struct StepRules {
  int window;
  int max_iterations;
  int epsilon;  // fixed
  Light light;
  double min_eigenvalue;
  double max_residual;  // 0: any
  int check;            // fixed; 0: off
  Warp warp;
  int max_correction;        // fixed; 0: any
  double template_residual;  // 0: any

  RDP_HOST_DEVICE int pixels() const { return window * window; }
};

RDP_HOST_DEVICE inline int to_fixed(double pixels) {
  return static_cast<int>(std::floor(1024.0 * pixels + 0.5));
}
RDP_HOST_DEVICE inline float to_pixels(int fixed) { return static_cast<float>(fixed) / 1024.0F; }
// The fixed-point value of a position in a Track, which is a multiple of 1/1024.
RDP_HOST_DEVICE inline int exact_fixed(float pixels) { return static_cast<int>(pixels * 1024.0F); }

RDP_HOST_DEVICE inline int next_level_size(int size) { return (size + 1) / 2; }
RDP_HOST_DEVICE inline bool has_windows(int width, int height, int window) {
  return width >= window && height >= window;
}

// Mirror-101: ... 2 1 | 0 1 2 ... size-1 | size-2 ..., as often as it takes.
RDP_HOST_DEVICE inline int mirrored(int i, int size) {
  if (size == 1) return 0;
  const int period = 2 * (size - 1);
  i = ((i % period) + period) % period;
  return i < size ? i : period - i;
}

// A position or displacement of the frame on a level of the pyramid.
RDP_HOST_DEVICE inline int on_level(int fixed, int level) {
  return (fixed + ((1 << level) >> 1)) >> level;
}

// The start of the template's window, in 1/128 px, and the other window's distance from it.
RDP_HOST_DEVICE inline int window_start(int centre, int window) {
  return (centre - (window - 1) * 512 + 4) >> 3;
}
RDP_HOST_DEVICE inline int window_shift(int displacement) { return (displacement + 4) >> 3; }

// is_inside(): the coordinate is in the frame. is_near(): a centre may be there during a search.
RDP_HOST_DEVICE inline bool is_inside(int fixed, int size) {
  return fixed >= 0 && fixed <= (size - 1) * kPixel;
}
RDP_HOST_DEVICE inline bool is_near(int fixed, int size) {
  return fixed >= -kOvershoot * kPixel && fixed <= (size - 1 + kOvershoot) * kPixel;
}

// The pixel of a position, and the number of cells or squares along a side.
RDP_HOST_DEVICE inline int pixel_of(int fixed) { return (fixed + 512) >> 10; }
RDP_HOST_DEVICE inline int parts_of(int size, int part) { return (size + part - 1) / part; }

RDP_HOST_DEVICE inline std::uint32_t id_after(std::uint32_t id) {
  return id == 0xFFFFFFFFU ? 1 : id + 1;
}

// True if a point of the caller's is finite and in the frame.
RDP_HOST_DEVICE inline bool is_usable(float x, float y, float dx, float dy, int width, int height) {
  return x >= 0.0F && x <= static_cast<float>(width - 1) && y >= 0.0F &&
         y <= static_cast<float>(height - 1) && dx - dx == 0.0F && dy - dy == 0.0F;
}
RDP_HOST_DEVICE inline int start_of(float displacement) {
  const double fixed = std::floor(1024.0 * static_cast<double>(displacement) + 0.5);
  if (fixed > kMaxStart) return kMaxStart;
  if (fixed < -kMaxStart) return -kMaxStart;
  return static_cast<int>(fixed);
}
RDP_HOST_DEVICE inline float finite_or_zero(float value) {
  return value - value == 0.0F ? value : 0.0F;
}

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_RULES_H_
