// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHTESTSRC_TEST_VIEW_H_
#define RDP_GST_ELEMENTS_DEPTHTESTSRC_TEST_VIEW_H_

#include <glib-object.h>

#include <cstdint>

namespace rdp::gst {

// Views of depthtestsrc's pattern: the depth, the cameras' pictures, the planes, the flow to the
// next frame, the heights above the ground, or the picture and the depth of the colour camera.
enum class TestView : std::uint8_t {
  kDepth,
  kLeft,
  kRight,
  kSideBySide,
  kLabels,
  kFlow,
  kHeights,
  kColor,
  kColorDepth
};

// True of the views of the colour camera.
inline bool is_of_color_camera(TestView view) {
  return view == TestView::kColor || view == TestView::kColorDepth;
}

GType test_view_get_type();

// The view's name as a property value.
const char* test_view_name(TestView view);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHTESTSRC_TEST_VIEW_H_
