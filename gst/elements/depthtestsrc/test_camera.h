// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHTESTSRC_TEST_CAMERA_H_
#define RDP_GST_ELEMENTS_DEPTHTESTSRC_TEST_CAMERA_H_

#include <gst/rdpsegment/rdpcamerameta.h>
#include <gst/video/video.h>

#include "common/scene/test_pattern.h"
#include "gst/elements/depthtestsrc/test_views.h"

namespace rdp::gst {

// The camera that frames of this size and format are seen by, of a pattern that has distances. Of
// pictures, it is the same for both eyes, with the baseline between them; their samples measure
// nothing (unknown), nor do labels. The colour camera of a room has a pose in the rig, whose world
// is the depth camera; that one has a pose with `rig_pose`.
struct TestRig {
  ColorRig color;
  bool rig_pose = false;

  bool operator==(const TestRig&) const = default;
};
GstRdpCameraInfo test_camera_info(TestView view, TestPattern pattern, TestDomain domain,
                                  const TestRig& rig, const GstVideoInfo& frames);

// The camera of the frames of a stream, made anew only where it changes.
class TestCameraKeeper {
 public:
  TestCameraKeeper() = default;
  ~TestCameraKeeper();
  TestCameraKeeper(const TestCameraKeeper&) = delete;
  TestCameraKeeper& operator=(const TestCameraKeeper&) = delete;

  // Null where the frames have none.
  GstRdpCamera* get(TestView view, const TestPatternOptions& options, const CrowdSettings& crowd,
                    const TestRig& rig, const GstVideoInfo& frames);

 private:
  // The use of a camera.
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
