// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-depthpoints
 * @title: depthpoints
 * @short_description: Makes point clouds of depth or disparity frames
 *
 * Turns each sample of a depth or disparity frame into the point that the camera sees there, in
 * metres. The result is an organised cloud, application/x-points, with a point for each pixel. The
 * camera comes with the frames (#GstRdpCameraMeta) or from properties. Unknown points are NaN.
 * Pictures on the request pad `video`, of the size of the depth, colour the points.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 depthtestsrc num-buffers=1 ! depthpoints ! filesink location=cloud.bin
 * ]|
 */
#include "gst/elements/base/depth_caps.h"
#include "gst/elements/base/element_properties.h"
#include "gst/elements/base/pairing_properties.h"
#include "gst/elements/depthpoints/cloud_caps.h"
#include "gst/elements/depthpoints/points_method.h"

GST_DEBUG_CATEGORY(gst_depth_points_debug);
#define GST_CAT_DEFAULT gst_depth_points_debug

using rdp::gst::JoinerPadRow;
using rdp::gst::PointsSettings;
using rdp::gst::PropertyRow;

// GStreamer calls unnamed elements after their type: depthpoints0.
G_DECLARE_FINAL_TYPE(GstDepthpoints, gst_depth_points, GST, DEPTH_POINTS, GstRdpJoiner)

struct _GstDepthpoints {
  GstRdpJoiner parent;
};

G_DEFINE_TYPE(GstDepthpoints, gst_depth_points, GST_TYPE_RDP_JOINER)
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
                   rdp::gst::properties_of_member<PointsSettings, &PointsSettings::pairing,
                                                  rdp::gst::kPairingProperties>(),
                   rdp::gst::base_properties<PointsSettings>(
                       "Statistics since the element went to PAUSED: frames, with a picture "
                       "(paired) and without (unpaired), pictures without a frame (dropped), "
                       "frames left out to catch up (late), last-time and mean-time of a cloud in "
                       "ns, backend and simd in use"));

// --- pads and caps ------------------------------------------------------------------------------

static constexpr auto kPads = std::to_array<JoinerPadRow>({
    {.name = "sink",
     .role = JoinerPadRow::Role::kFrames,
     .fields = RDP_DEPTH_FIELDS,
     .words = &rdp::gst::kDepthWords,
     .presence = GST_PAD_ALWAYS},
    {.name = "video",
     .role = JoinerPadRow::Role::kMetadata,
     .caps = rdp::gst::colour_caps,
     .words = &rdp::gst::kColourWords},
    {.name = "src", .role = JoinerPadRow::Role::kSource, .caps = rdp::gst::cloud_caps},
});

static GstCaps* gst_depth_points_input_caps(GstRdpJoiner* joiner, GstPad*, GstCaps* own) {
  g_autoptr(GstCaps) made = rdp::gst::cloud_caps();
  g_autoptr(GstCaps) taken = gst_pad_peer_query_caps(GST_AGGREGATOR_SRC_PAD(joiner), nullptr);
  g_autoptr(GstCaps) both = gst_caps_intersect_full(taken, made, GST_CAPS_INTERSECT_FIRST);
  const GstRdpPointAxes axes = rdp::gst::copy_settings<PointsSettings>(joiner).axes;
  return rdp::gst::depth_caps_for(both, rdp::gst::axes_name(axes), own);
}

static GstCaps* gst_depth_points_output_caps(GstRdpJoiner* joiner) {
  GstPad* sink = gst_rdp_joiner_ref_main(joiner);
  g_autoptr(GstCaps) own = gst_pad_get_pad_template_caps(sink);
  g_autoptr(GstCaps) sent = gst_pad_peer_query_caps(sink, nullptr);
  g_autoptr(GstCaps) both = gst_caps_intersect_full(sent, own, GST_CAPS_INTERSECT_FIRST);
  gst_object_unref(sink);
  const GstRdpPointAxes axes = rdp::gst::copy_settings<PointsSettings>(joiner).axes;
  return rdp::gst::cloud_caps_of(both, rdp::gst::axes_name(axes),
                                 gst_rdp_joiner_count_inputs(joiner) > 1);
}

// --- object -------------------------------------------------------------------------------------

static void gst_depth_points_class_init(GstDepthpointsClass* klass) {
  auto* joiner_class = GST_RDP_JOINER_CLASS(klass);
  rdp::gst::install_element_properties<gst_rdp_joiner_core, PointsSettings, kProperties>(
      joiner_class);
  joiner_class->category = gst_depth_points_debug;
  joiner_class->verb = "convert";
  joiner_class->participle = "converted to points";
  joiner_class->frames = "frames";
  joiner_class->rules = {.unpaired = rdp::gst::PairingRules::Unpaired::kGoesOn};
  joiner_class->new_stream = [](GstRdpJoiner* joiner) -> rdp::gst::JoinerStream* {
    return new rdp::gst::JoinedWork(joiner, std::make_unique<rdp::gst::PointsMethod>(joiner));
  };
  joiner_class->new_method = [](GstRdpJoiner* joiner) -> rdp::gst::Method* {
    return new rdp::gst::PointsMethod(joiner);
  };
  joiner_class->input_caps = gst_depth_points_input_caps;
  joiner_class->output_caps = gst_depth_points_output_caps;
  gst_rdp_joiner_class_set_pads(joiner_class, kPads);
  gst_element_class_set_static_metadata(
      GST_ELEMENT_CLASS(klass), "Depth to point cloud", "Filter/Converter/Video",
      "Converts depth or disparity frames to organised point clouds", "The rdpsegment authors");
}

static void gst_depth_points_init(GstDepthpoints*) {}
