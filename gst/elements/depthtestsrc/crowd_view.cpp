// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthtestsrc/crowd_view.h"

#include <algorithm>
#include <cstddef>

#include "common/image/float_environment.h"
#include "gst/elements/base/number_value.h"

namespace rdp::gst {

void HeightRange::set(const GValue* value) {
  const guint count = gst_value_array_get_size(value);
  HeightRange range;
  if (count == 2) {
    range.least = number_of(gst_value_array_get_value(value, 0));
    range.most = number_of(gst_value_array_get_value(value, 1));
  }
  const bool usable = (count == 0 || count == 2) && range.least >= kLeastCrowdHeight &&
                      range.most <= kMaxCrowdHeight && range.least <= range.most;
  if (!usable) {
    g_autofree gchar* text = gst_value_serialize(value);
    g_warning(
        "expected two heights from %g to %g m, the lower one first, such as <1.5,1.95>, got %s; "
        "the previous heights stay",
        kLeastCrowdHeight, kMaxCrowdHeight, text);
    return;
  }
  *this = range;
}

void HeightRange::get(GValue* value) const {
  append_number(value, least);
  append_number(value, most);
}

bool explain_crowd(GstElement* element, TestView view, const CrowdSettings& settings) {
  if (view != TestView::kLeft && view != TestView::kDepth && view != TestView::kHeights &&
      !is_of_color_camera(view)) {
    GST_ELEMENT_ERROR(element, LIBRARY, SETTINGS,
                      ("view=%s with pattern=crowd: its cameras are no stereo pair, and neither "
                       "planes nor flow are known; expected view=left, depth, heights, color or "
                       "color-depth.",
                       test_view_name(view)),
                      ("set view=left and view-index=1 for the picture of another camera"));
    return true;
  }
  if (settings.view_index >= settings.cameras) {
    GST_ELEMENT_ERROR(element, LIBRARY, SETTINGS,
                      ("view-index=%d with cameras=%d: there is no such camera; expected 0 to %d.",
                       settings.view_index, settings.cameras, settings.cameras - 1),
                      ("set cameras=%d, or a smaller view-index", settings.view_index + 1));
    return true;
  }
  return false;
}

// The camera of the view.
static CrowdCamera camera_of(TestView view, const CrowdSettings& settings, const ColorRig& rig,
                             int width, int height) {
  return is_of_color_camera(view)
             ? color_camera_of_crowd(settings.view_index, settings.camera_angle, rig, width, height)
             : crowd_camera(settings.view_index, settings.camera_angle, width, height);
}

GstRdpCameraInfo crowd_camera_info(TestView view, const CrowdSettings& settings,
                                   const ColorRig& rig, const GstVideoInfo& frames) {
  const int width = GST_VIDEO_INFO_WIDTH(&frames);
  const int height = GST_VIDEO_INFO_HEIGHT(&frames);
  const int index = settings.view_index;
  const CrowdCamera camera = camera_of(view, settings, rig, width, height);
  // Odd and even cameras have opposite errors; camera 0 has none.
  const double shift = index == 0       ? 0.0
                       : index % 2 != 0 ? settings.calibration_error
                                        : -settings.calibration_error;
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = static_cast<guint>(width);
  info.height = static_cast<guint>(height);
  info.focal_length = info.focal_length_y = camera.focal;
  info.principal_x = camera.centre_column + shift;
  info.principal_y = camera.centre_row;
  info.rectified = TRUE;
  info.has_pose = TRUE;
  info.has_projection = TRUE;
  const CrowdMatrix projection = camera.projection(shift);
  for (std::size_t row = 0; row < 3; ++row) {
    const double pose[4] = {camera.right[row], camera.down[row], camera.ahead[row],
                            camera.eye[row]};
    std::copy_n(pose, 4, info.pose + 4 * row);
    std::copy_n(projection[row].data(), 4, info.projection + 4 * row);
  }
  if (view == TestView::kDepth || view == TestView::kColorDepth) {
    info.measures = GST_RDP_MEASURE_DEPTH;
    info.depth_unit = GST_VIDEO_INFO_FORMAT(&frames) == GST_VIDEO_FORMAT_GRAY8 ? 0.1 : 0.001;
  }
  return info;
}

void CrowdViewRenderer::draw(TestView view, gint64 moment, const TestPatternOptions& options,
                             const CrowdSettings& settings, const ColorRig& rig,
                             const MutableDepthView& frame) {
  with_standard_floats([&] {
    // Unsigned numbers wrap at the ends of time, where a signed sum would overflow.
    const auto drawn = static_cast<gint64>(static_cast<guint64>(moment) +
                                           static_cast<guint64>(settings.moment_offset));
    find_crowd({.seed = options.seed,
                .people = settings.people,
                .least_height = settings.heights.least,
                .most_height = settings.heights.most},
               drawn, &people_);
    const int width = view == TestView::kColor ? frame.width / 3 : frame.width;
    const CrowdCamera camera = camera_of(view, settings, rig, width, frame.height);
    const CrowdMatrix projection = camera.projection();
    const CrowdLook look = {.contrast = settings.contrast,
                            .noise = std::clamp(options.noise, 0.0, kMaxTestNoise),
                            .seed = options.seed,
                            .view = settings.view_index,
                            .moment = drawn,
                            .scale = crowd_scale_of(camera.focal)};
    if (view == TestView::kDepth || view == TestView::kColorDepth) {
      renderer_.draw_depth(people_, projection, frame);
    } else if (view == TestView::kHeights) {
      renderer_.draw_heights(people_, projection, frame);
    } else if (view == TestView::kColor) {
      color_.draw_picture(people_, projection, look, frame);
    } else {
      renderer_.draw_picture(people_, projection, look, frame);
    }
  });
}

}  // namespace rdp::gst
