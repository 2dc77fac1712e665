// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHTESTSRC_TEST_CAMERA_H_
#define RDP_GST_ELEMENTS_DEPTHTESTSRC_TEST_CAMERA_H_

#include <gst/rdpsegment/rdpcamerameta.h>
#include <gst/video/video.h>

#include "common/scene/test_pattern.h"
#include "gst/elements/depthtestsrc/test_views.h"

namespace rdp::gst {

// The colour camera beside the depth camera, which defines the rig's world.
struct TestRig {
  ColorRig color;
  bool rig_pose = false;

  bool operator==(const TestRig&) const = default;
};
// The camera of frames of this size and format, for patterns with distances. Both eyes share it,
// with the baseline between them; pictures and labels measure nothing (unknown). The colour camera
// of a room has a pose in the rig; the depth camera has one with `rig_pose`.
GstRdpCameraInfo test_camera_info(TestView view, TestPattern pattern, TestDomain domain,
                                  const TestRig& rig, const GstVideoInfo& frames);

// Keeps the camera of a stream's frames; makes a new one only on a change.
class TestCameraKeeper {
 public:
  TestCameraKeeper() = default;
  ~TestCameraKeeper();
  TestCameraKeeper(const TestCameraKeeper&) = delete;
  TestCameraKeeper& operator=(const TestCameraKeeper&) = delete;

  // Null if the frames have no camera.
  GstRdpCamera* get(TestView view, const TestPatternOptions& options, const CrowdSettings& crowd,
                    const TestRig& rig, const GstVideoInfo& frames);

 private:
  // The inputs that determine a camera.
  struct Use {
    TestView view{};
    TestPattern pattern{};
    TestDomain domain{};
    GstVideoFormat format = GST_VIDEO_FORMAT_UNKNOWN;
    int width = 0, height = 0;
    // For a crowd.
    int index = 0;
    double angle = 0.0, error = 0.0;
    TestRig rig;

    bool operator==(const Use&) const = default;
  };

  GstRdpCamera* camera_ = nullptr;
  Use use_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHTESTSRC_TEST_CAMERA_H_
