// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-depthpoints
 * @title: depthpoints
 * @short_description: Makes point clouds of depth or disparity frames
 *
 * Turns each sample of a depth or disparity frame into the point that the camera sees there, in
 * metres: an organised cloud, application/x-points, with a point for each pixel. The camera comes
 * with the frames (#GstRdpCameraMeta) or from properties. What is not known is NaN.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 depthtestsrc num-buffers=1 ! depthpoints ! filesink location=cloud.bin
 * ]|
 */
#include "common/image/simd.h"
#include "gst/elements/base/analyzer_properties.h"
#include "gst/elements/base/depth_caps.h"
#include "gst/elements/base/points_caps.h"
#include "gst/elements/depthpoints/points_method.h"

GST_DEBUG_CATEGORY(gst_depth_points_debug);
#define GST_CAT_DEFAULT gst_depth_points_debug

using rdp::gst::PointsSettings;
using rdp::gst::PropertyRow;

#define GST_DEPTH_POINTS_CLOUD                                                        \
  "application/x-points, format = (string) XYZ32F, point-step = (int) 12, "           \
  "offset = (int) 0, unit = (double) 1.0, axes = (string) { camera, forward-left-up " \
  "}, " RDP_SIDES ", framerate = (fraction) [ 0/1, 2147483647/1 ]"

// GStreamer calls unnamed elements after their type: depthpoints0.
G_DECLARE_FINAL_TYPE(GstDepthpoints, gst_depth_points, GST, DEPTH_POINTS, GstRdpAnalyzer)

struct _GstDepthpoints {
  GstRdpAnalyzer parent;
};

G_DEFINE_TYPE(GstDepthpoints, gst_depth_points, GST_TYPE_RDP_ANALYZER)
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(depthpoints, "depthpoints", GST_RANK_NONE,
                                      gst_depth_points_get_type(),
                                      GST_DEBUG_CATEGORY_INIT(gst_depth_points_debug, "depthpoints",
                                                              0, "clouds of depth frames"))

// --- properties ---------------------------------------------------------------------------------

using Of = rdp::gst::PropertyOf<PointsSettings>;
static constexpr auto kProperties =
    rdp::gst::join(std::to_array<PropertyRow<PointsSettings>>({
                       {{.name = "min-value",
                         .nick = "Minimum value",
                         .blurb = "Smallest valid sample; smaller ones and 0 give no point",
                         .flags = rdp::gst::kWhilePlaying},
                        Of::as_uint<&PointsSettings::min_value>(0, 65535)},
                       {{.name = "max-value",
                         .nick = "Maximum value",
                         .blurb = "Largest valid sample; larger ones give no point",
                         .flags = rdp::gst::kWhilePlaying},
                        Of::as_uint<&PointsSettings::max_value>(0, 65535)},
                       {{.name = "axes",
                         .nick = "Axes",
                         .blurb = "Directions of the axes of the points",
                         .flags = rdp::gst::kInReady},
                        Of::as_enum<&PointsSettings::axes>(gst_rdp_point_axes_get_type)},
                   }),
                   rdp::gst::properties_of_member<PointsSettings, &PointsSettings::camera,
                                                  rdp::gst::kCameraProperties>(),
                   rdp::gst::base_properties<PointsSettings>(
                       "Statistics since the element went to PAUSED: frames, last-time and "
                       "mean-time of a cloud in ns, backend and simd in use"));

// --- what the base asks for ---------------------------------------------------------------------

static rdp::gst::Method* gst_depth_points_new_method(GstRdpAnalyzer* analyzer) {
  return new rdp::gst::PointsMethod(analyzer);
}

static void gst_depth_points_copy_fields(const GstStructure* from, GstStructure* to) {
  for (const char* field : {"width", "height", "framerate"}) {
    const GValue* value = gst_structure_get_value(from, field);
    if (value != nullptr) gst_structure_set_value(to, field, value);
  }
}

static const char* gst_depth_points_axes(GstRdpAnalyzer* analyzer) {
  const GstRdpPointAxes axes = rdp::gst::copy_settings<PointsSettings>(analyzer).axes;
  return axes == GST_RDP_POINT_AXES_CAMERA ? "camera" : "forward-left-up";
}

// Size and rate are the same on both sides.
static GstCaps* gst_depth_points_transform_caps(GstRdpAnalyzer* analyzer, GstPadDirection direction,
                                                GstCaps* caps) {
  const char* axes = gst_depth_points_axes(analyzer);
  GstPad* other = direction == GST_PAD_SINK ? analyzer->srcpad : analyzer->sinkpad;
  g_autoptr(GstCaps) own = gst_pad_get_pad_template_caps(other);
  GstCaps* result = gst_caps_new_empty();
  for (guint i = 0; i < gst_caps_get_size(caps); ++i) {
    const GstStructure* from = gst_caps_get_structure(caps, i);
    if (direction == GST_PAD_SRC) {
      const gchar* wanted = gst_structure_get_string(from, "axes");
      if (wanted != nullptr && g_strcmp0(wanted, axes) != 0) continue;
    }
    GstCaps* to = gst_caps_copy(own);
    for (guint j = 0; j < gst_caps_get_size(to); ++j) {
      gst_depth_points_copy_fields(from, gst_caps_get_structure(to, j));
    }
    result = gst_caps_merge(result, to);
  }
  if (direction == GST_PAD_SINK) gst_caps_set_simple(result, "axes", G_TYPE_STRING, axes, nullptr);
  return result;
}

static GstStructure* gst_depth_points_make_stats(GstRdpAnalyzer*,
                                                 const rdp::gst::AnalyzerStats* stats) {
  return gst_structure_new(
      "application/x-depthpoints-stats", "frames", G_TYPE_UINT64, stats->frames, "last-time",
      G_TYPE_UINT64, stats->last_time, "mean-time", G_TYPE_UINT64, stats->mean_time(), "backend",
      G_TYPE_STRING, stats->backend(), "simd", G_TYPE_STRING, rdp::current_simd_target(), nullptr);
}

// --- object -------------------------------------------------------------------------------------

static void gst_depth_points_class_init(GstDepthpointsClass* klass) {
  GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
  GstRdpAnalyzerClass* analyzer_class = GST_RDP_ANALYZER_CLASS(klass);

  rdp::gst::install_analyzer_properties<PointsSettings, kProperties>(analyzer_class);

  analyzer_class->category = gst_depth_points_debug;
  analyzer_class->caps_words = &rdp::gst::kDepthWords;
  analyzer_class->verb = "convert";
  analyzer_class->participle = "converted to points";
  analyzer_class->new_method = gst_depth_points_new_method;
  analyzer_class->transform_caps = gst_depth_points_transform_caps;
  analyzer_class->make_stats = gst_depth_points_make_stats;

  gst_rdp_analyzer_class_add_cloud_pads(analyzer_class, RDP_DEPTH_FIELDS, GST_DEPTH_POINTS_CLOUD);
  gst_element_class_set_static_metadata(
      element_class, "Depth to point cloud", "Filter/Converter/Video",
      "Converts depth or disparity frames to organised point clouds", "The rdpsegment authors");
}

static void gst_depth_points_init(GstDepthpoints*) {}
