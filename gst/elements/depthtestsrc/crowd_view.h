// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHTESTSRC_CROWD_VIEW_H_
#define RDP_GST_ELEMENTS_DEPTHTESTSRC_CROWD_VIEW_H_

#include <gst/rdpsegment/rdpcamera.h>
#include <gst/video/video.h>

#include <vector>

#include "common/image/depth_view.h"
#include "common/scene/color_scene.h"
#include "common/scene/crowd_scene.h"
#include "common/scene/test_pattern.h"
#include "gst/elements/depthtestsrc/test_view.h"

namespace rdp::gst {

// Two heights that a user sets, the lower one first.
struct HeightRange {
  double least = CrowdOptions().least_height;
  double most = CrowdOptions().most_height;

  // Takes a GstValueArray. An empty one is the default; an invalid range is refused with a warning.
  void set(const GValue* value);
  void get(GValue* value) const;
};

// The user's settings of pattern=crowd; `seed` and `noise` are those of all patterns.
struct CrowdSettings {
  int people = CrowdOptions().people;
  HeightRange heights;
  double contrast = CrowdLook().contrast;
  double camera_angle = 17.0;      // degrees
  double calibration_error = 0.0;  // px
  int cameras = 3;
  int view_index = 0;
  gint64 moment_offset = 0;  // ns
};
inline constexpr gint64 kMaxMomentOffset = G_GINT64_CONSTANT(1000000000000000000);
inline constexpr double kMaxCalibrationError = 100.0;

// Posts an element error and returns true if a crowd has no such view, or no such camera.
bool explain_crowd(GstElement* element, TestView view, const CrowdSettings& settings);

// The camera attached to frames of this size, with its pose in the crowd's world and its
// projection. Depth is in mm, or in dm for 8-bit samples; pictures and heights measure nothing.
GstRdpCameraInfo crowd_camera_info(TestView view, const CrowdSettings& settings,
                                   const ColorRig& rig, const GstVideoInfo& frames);

// Draws the views of a crowd: kLeft, kDepth, kHeights and those of the colour camera. Allocates
// only for frames wider and crowds larger than any before; then it may throw std::bad_alloc.
class CrowdViewRenderer {
 public:
  // `moment` is in ns; settings.moment_offset is added to it.
  void draw(TestView view, gint64 moment, const TestPatternOptions& options,
            const CrowdSettings& settings, const ColorRig& rig, const MutableDepthView& frame);

 private:
  std::vector<CrowdPerson> people_;
  CrowdRenderer renderer_;
  CrowdColorRenderer color_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHTESTSRC_CROWD_VIEW_H_
