// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthtestsrc/test_views.h"

#include <algorithm>

namespace rdp::gst {

GType test_view_get_type() {
  using enum TestView;
  static const GEnumValue values[] = {
      {static_cast<gint>(kDepth), "Depth or disparity of the left camera", "depth"},
      {static_cast<gint>(kLeft), "Grey picture of the left camera", "left"},
      {static_cast<gint>(kRight), "Grey picture of the right camera", "right"},
      {static_cast<gint>(kSideBySide), "Both grey pictures side by side, left one first",
       "side-by-side"},
      {static_cast<gint>(kLabels), "Plane, car or parcel of each depth pixel (0 = none)", "labels"},
      {static_cast<gint>(kFlow),
       "Optical flow from the left picture to the next one: motion to the right in the upper half, "
       "downwards in the lower half; sample / 64 - 512 px (0 = unknown)",
       "flow"},
      {static_cast<gint>(kHeights),
       "Height above the crowd's ground of each pixel, in mm (1 = ground)", "heights"},
      {static_cast<gint>(kColor), "RGB picture of the colour camera beside the depth camera",
       "color"},
      {static_cast<gint>(kColorDepth), "Exact depth of each pixel of the colour camera, in mm",
       "color-depth"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstDepthTestSrcView", values);
  return type;
}

const char* test_view_name(TestView view) {
  auto* names = G_ENUM_CLASS(g_type_class_ref(test_view_get_type()));
  const char* name = g_enum_get_value(names, static_cast<gint>(view))->value_nick;
  g_type_class_unref(names);
  return name;  // of the type's own values
}

GstCaps* caps_of_view(TestView view, GstCaps* templ) {
  const bool flow = view == TestView::kFlow;
  GstCaps* caps = gst_caps_copy(templ);
  if (view == TestView::kDepth) {
    g_autoptr(GstCaps) grey = gst_caps_from_string("video/x-raw, format = { GRAY16_LE, GRAY8 }");
    GstCaps* depth = gst_caps_intersect(grey, caps);
    gst_caps_unref(caps);
    return depth;
  }
  const bool wide = flow || view == TestView::kHeights || view == TestView::kColorDepth;
  gst_caps_set_simple(caps, "format", G_TYPE_STRING,
                      view == TestView::kColor ? "RGB"
                      : wide                   ? "GRAY16_LE"
                                               : "GRAY8",
                      nullptr);
  if (!flow && view != TestView::kSideBySide) return caps;
  // Two frames of one size.
  GValue both = G_VALUE_INIT;
  g_value_init(&both, GST_TYPE_INT_RANGE);
  gst_value_set_int_range_step(&both, 2, kMaxSide, 2);
  gst_caps_set_value(caps, flow ? "height" : "width", &both);
  g_value_unset(&both);
  if (flow) return caps;
  // As GStreamer's parsers write it: the left view first, pixels as square as those of one view.
  gst_caps_set_simple(caps, "multiview-mode", G_TYPE_STRING, "side-by-side", "multiview-flags",
                      GST_TYPE_VIDEO_MULTIVIEW_FLAGSET, GST_VIDEO_MULTIVIEW_FLAGS_NONE,
                      GST_FLAG_SET_MASK_EXACT, nullptr);
  return caps;
}

bool explain_view(GstElement* element, TestView view, GstCaps* own, GstCaps* downstream) {
  if (gst_caps_can_intersect(own, downstream)) return false;
  const char* makes = nullptr;
  const char* remedy = nullptr;
  switch (view) {
    case TestView::kDepth:
      makes = "GRAY16_LE or GRAY8";
      remedy = "put videoconvert behind it for other formats";
      break;
    case TestView::kLeft:
    case TestView::kRight:
    case TestView::kLabels:
      makes = "GRAY8";
      remedy = "put videoconvert behind it for other formats; view=depth makes GRAY16_LE";
      break;
    case TestView::kSideBySide:
      makes = "GRAY8 of an even width, that of both views, with multiview-mode=side-by-side";
      remedy =
          "ask for an even width, twice that of a view, and for no other multiview-mode; put "
          "videoconvert behind it for other formats";
      break;
    case TestView::kFlow:
      makes = "GRAY16_LE of an even height, twice that of a frame";
      remedy =
          "ask for twice the height of the frames that it belongs to, which have 8192 rows at "
          "most, and put no converter to other formats behind it";
      break;
    case TestView::kColor:
      makes = "RGB";
      remedy = "put videoconvert behind it for other formats; view=depth makes GRAY16_LE";
      break;
    case TestView::kHeights:
    case TestView::kColorDepth:
      makes = "GRAY16_LE";
      remedy = "put no converter to other formats behind it: samples are mm";
      break;
  }
  g_autofree gchar* text = gst_caps_to_string(downstream);
  GST_ELEMENT_ERROR(element, CORE, NEGOTIATION,
                    ("depthtestsrc with view=%s makes video/x-raw in system memory, format %s, up "
                     "to 16384x16384; downstream takes %s.",
                     test_view_name(view), makes, text),
                    ("%s", remedy));
  return true;
}

bool explain_pattern(GstElement* element, TestView view, TestPattern pattern,
                     const CrowdSettings& crowd) {
  if (pattern == TestPattern::kCrowd) return explain_crowd(element, view, crowd);
  if (is_of_color_camera(view) && pattern != TestPattern::kRoom) {
    GST_ELEMENT_ERROR(
        element, LIBRARY, SETTINGS,
        ("view=%s: a colour camera sees rooms and crowds alone; expected pattern=room "
         "or crowd.",
         test_view_name(view)),
        ("set pattern=room"));
    return true;
  }
  if (view == TestView::kHeights) {
    GST_ELEMENT_ERROR(element, LIBRARY, SETTINGS,
                      ("view=heights: heights above the ground are known of a crowd alone; "
                       "expected pattern=crowd."),
                      ("set pattern=crowd"));
    return true;
  }
  if (pattern == TestPattern::kParcels && view != TestView::kDepth && view != TestView::kLabels) {
    GST_ELEMENT_ERROR(element, LIBRARY, SETTINGS,
                      ("view=%s with pattern=parcels: parcels have neither pictures nor flow; "
                       "expected view=depth or labels.",
                       test_view_name(view)),
                      ("set view=depth, or pattern=room"));
    return true;
  }
  if (view != TestView::kLabels || has_labels(pattern)) return false;
  GST_ELEMENT_ERROR(element, LIBRARY, SETTINGS,
                    ("view=labels with pattern=street: the planes of the street have no labels; "
                     "expected pattern=room, traffic, parcels, ramp or steps."),
                    ("set pattern=room"));
  return true;
}

namespace {

template <typename Renderer>
Renderer& made(std::unique_ptr<Renderer>* renderer) {
  if (*renderer == nullptr) *renderer = std::make_unique<Renderer>();
  return **renderer;
}

}  // namespace

void TestViewRenderer::draw(TestView view, guint64 number, const TestPatternOptions& options,
                            const CrowdSettings& crowd, gint64 moment, const ColorRig& rig,
                            const MutableDepthView& frame) {
  if (options.pattern == TestPattern::kCrowd) {
    made(&crowd_).draw(view, moment, options, crowd, rig, frame);
    return;
  }
  switch (view) {
    case TestView::kDepth:
      made(&depth_).draw(number, options, frame);
      break;
    case TestView::kLeft:
      made(&picture_).draw(number, options, Eye::kLeft, frame);
      break;
    case TestView::kRight:
      made(&picture_).draw(number, options, Eye::kRight, frame);
      break;
    case TestView::kSideBySide: {
      MutableDepthView half = frame;
      half.width = frame.width / 2;
      made(&picture_).draw(number, options, Eye::kLeft, half);
      half.data += half.width;
      made(&picture_).draw(number, options, Eye::kRight, half);
      break;
    }
    case TestView::kLabels:
      made(&labels_).draw(number, options, frame);
      break;
    case TestView::kFlow:
      made(&flow_).draw(number, options, frame);
      break;
    case TestView::kHeights:
      break;  // of a crowd alone
    case TestView::kColor:
      made(&color_).draw_picture(number, options.seed, rig,
                                 std::clamp(options.noise, 0.0, kMaxTestNoise), frame);
      break;
    case TestView::kColorDepth:
      made(&color_).draw_depth(number, options.seed, rig, frame);
      break;
  }
}

}  // namespace rdp::gst
