// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OBSTACLES_OVERLAY_PIXELS_H_
#define RDP_COMMON_OBSTACLES_OVERLAY_PIXELS_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/obstacles/rules.h"
#include "common/rdp/birdseye.h"
#include "common/rdp/overlay_pixels.h"
#include "common/rdp/segment_class.h"

// Colours and arithmetic of single pixels of obstacle overlays, which are bit-identical on every
// processor.
namespace rdp::obstacles {

// The colour of a drop from above, beside birdseye.h's of ground, obstacles and unseen cells.
inline constexpr Pixel kDropPixel = pixel(190, 120, 250);

// Colours of samples, brighter when nearer: ground and obstacles as rdpsegment's classes, other
// known samples grey. In the order of the legend's stripes, drops last.
enum ShownKind : std::int32_t { kShownOther, kShownGround, kShownObstacle, kShownDrop };
inline constexpr int kShownKinds = 4;
struct ShownColours {
  Colours of[kShownKinds];
};

constexpr ShownColours make_shown_colours() {
  constexpr ClassColours kClasses = make_class_colours();
  return {{make_greys(), kClasses.of[static_cast<int>(SegmentClass::kGround)],
           kClasses.of[static_cast<int>(SegmentClass::kUpright)],
           make_ramp({140, 20, 200}, {180, 100, 250})}};
}

RDP_HOST_DEVICE inline int shown_kind(std::uint32_t sample_class) {
  return sample_class == kGround     ? kShownGround
         : sample_class == kObstacle ? kShownObstacle
         : sample_class == kDrop     ? kShownDrop
                                     : kShownOther;
}

// The rules of a frame's pixels.
struct SampleRules {
  std::uint32_t known_first, known_last;
  PaletteRange range;
};

RDP_HOST_DEVICE inline Pixel sample_pixel(std::uint32_t sample, std::uint32_t sample_class,
                                          const SampleRules& rules, const ShownColours& colours) {
  if (sample < rules.known_first || sample > rules.known_last) return kUnknownPixel;
  const int entry = palette_entry(palette_position(static_cast<float>(sample), rules.range));
  return colours.of[shown_kind(sample_class)].entry[entry];
}

}  // namespace rdp::obstacles

#endif  // RDP_COMMON_OBSTACLES_OVERLAY_PIXELS_H_
