// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_MIXED_FRAMES_H_
#define RDP_TESTS_SUPPORT_MIXED_FRAMES_H_

namespace frames {

// Caps of frames, some of which are not one progressive picture each.
inline constexpr struct MixedFrames {
  const char* fields;
  const char* remedy;  // null: such frames are accepted
} kMixedFrames[] = {
    {"interlace-mode=progressive", nullptr},
    {"interlace-mode=interleaved", "capssetter"},
    {"interlace-mode=mixed", "capssetter"},
    {"multiview-mode=mono", nullptr},
    {"multiview-mode=left", nullptr},
    {"multiview-mode=right", nullptr},
    {"multiview-mode=side-by-side", "videocrop"},
    {"multiview-mode=top-bottom", "videocrop"},
};

}  // namespace frames

#endif  // RDP_TESTS_SUPPORT_MIXED_FRAMES_H_
