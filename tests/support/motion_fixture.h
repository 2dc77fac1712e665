// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_MOTION_FIXTURE_H_
#define RDP_TESTS_SUPPORT_MOTION_FIXTURE_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <cstddef>
#include <iterator>
#include <limits>
#include <vector>

// Motion made by hand, for tests that need some without running rdpmotion.

struct MotionContent {
  GstRdpMotionInfo info;
  std::vector<GstRdpSegmentMotion> segments;
  std::vector<GstRdpTrackMotion> tracks;
};

// (transfer full), or null with a critical warning.
inline GstRdpMotion* new_motion(const MotionContent& content) {
  return gst_rdp_motion_new(&content.info, content.segments.data(), content.segments.size(),
                            content.tracks.data(), content.tracks.size());
}

inline constexpr gfloat kUnknownMotion = std::numeric_limits<gfloat>::quiet_NaN();

// The motion of the frame of three_columns() (segmentation_fixture.h), 0.1 s after the previous
// one. One segment moves, one has a displacement only, and one has no tracks. One track has place
// and velocity, one a place only, and one is unknown.
inline MotionContent two_of_three() {
  constexpr gfloat kNone = kUnknownMotion;
  MotionContent content;
  gst_rdp_motion_info_init(&content.info);
  content.info.frame = 7;
  content.info.width = 3;
  content.info.height = 10;
  content.info.dt = 0.1;
  content.info.ego_known = TRUE;
  // A turn to the left, and a move of 1.25 m ahead.
  constexpr gdouble kEgo[] = {0.8, 0, 0.6, 0, 0, 1, 0, 0, -0.6, 0, 0.8, -1.25};
  for (std::size_t i = 0; i < std::size(kEgo); ++i) content.info.ego[i] = kEgo[i];
  content.segments = {{5, 7, -1.5F, 0.25F, 0.125F, 10.0F, 0.0F, -0.5F, 0.75F},
                      {3, 0, 2.0F, -0.0625F, 0.0F, kNone, kNone, kNone, kNone},
                      {0, 0, kNone, kNone, kNone, kNone, kNone, kNone, kNone}};
  content.tracks = {{3, 1.5F, -0.25F, 20.0F, 10.0F, 0.0F, -0.5F, 1.5F},
                    {9, -2.0F, 0.5F, 8.0F, kNone, kNone, kNone, kNone},
                    {4294967295U, kNone, kNone, kNone, kNone, kNone, kNone, kNone}};
  return content;
}

#endif  // RDP_TESTS_SUPPORT_MOTION_FIXTURE_H_
