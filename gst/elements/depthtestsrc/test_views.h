// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHTESTSRC_TEST_VIEWS_H_
#define RDP_GST_ELEMENTS_DEPTHTESTSRC_TEST_VIEWS_H_

#include <gst/video/video.h>

#include <memory>

#include "common/image/depth_view.h"
#include "common/scene/color_scene.h"
#include "common/scene/test_flow.h"
#include "common/scene/test_labels.h"
#include "common/scene/test_pattern.h"
#include "common/scene/test_picture.h"
#include "gst/elements/depthtestsrc/crowd_view.h"
#include "gst/elements/depthtestsrc/test_view.h"

namespace rdp::gst {

// Returns the part of the pad's caps that the view supports. (transfer full)
GstCaps* caps_of_view(TestView view, GstCaps* templ);

// Posts an element error and returns true if `view` and downstream's caps have nothing in common.
bool explain_view(GstElement* element, TestView view, GstCaps* own, GstCaps* downstream);

// Posts an element error and returns true if the pattern has no such view.
bool explain_pattern(GstElement* element, TestView view, TestPattern pattern,
                     const CrowdSettings& crowd);

// Draws the frames of all views. Allocates only for the first frame of a kind of view, for frames
// larger than any before, and for labels of more parts; then it may throw std::bad_alloc.
class TestViewRenderer {
 public:
  // `crowd` and `moment` (ns) are for pattern=crowd, whose frames do not depend on `number`. `rig`
  // is for the colour camera, whose pictures have three bytes a pixel.
  void draw(TestView view, guint64 number, const TestPatternOptions& options,
            const CrowdSettings& crowd, gint64 moment, const ColorRig& rig,
            const MutableDepthView& frame);

 private:
  // Made when they are needed: together they are larger than GObject lets an instance be.
  std::unique_ptr<TestPatternRenderer> depth_;
  std::unique_ptr<TestPictureRenderer> picture_;
  std::unique_ptr<TestLabelRenderer> labels_;
  std::unique_ptr<TestFlowRenderer> flow_;
  std::unique_ptr<CrowdViewRenderer> crowd_;
  std::unique_ptr<RoomColorRenderer> color_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHTESTSRC_TEST_VIEWS_H_
