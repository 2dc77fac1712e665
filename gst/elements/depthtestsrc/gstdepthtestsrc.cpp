// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-depthtestsrc
 * @title: depthtestsrc
 *
 * Renders depth frames without a camera: a drive through a street, furnished rooms, cars with known
 * speeds, parcels on a belt, a crowd, or simple patterns. #depthtestsrc:view selects other views.
 * They are the pictures of the stereo camera that would give this depth, and labels of planes, cars
 * or parcels. Others are the flow to the next frame, and heights above the crowd's ground. Several
 * calibrated cameras see the crowd; a room and a crowd have a colour camera, too. A frame depends
 * only on its number (of a crowd its time), its size and the properties, and is bit-identical on
 * every machine. So results can be compared, and frames found again by seeking.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 depthtestsrc ! rdpsegment ! fakesink
 * ]| Segments a street.
 * |[
 * gst-launch-1.0 depthtestsrc num-buffers=1 noise=0.25 unknown-ratio=0.1 ! videoconvert ! \
 *     pngenc ! filesink location=street.png
 * ]| Writes one frame as a stereo camera might have seen it.
 * |[
 * gst-launch-1.0 depthtestsrc view=side-by-side ! videoconvert ! autovideosink
 * ]| Shows the pair of pictures.
 * |[
 * gst-launch-1.0 depthtestsrc pattern=room seed=3 domain=depth noise=0.03 ! \
 *     video/x-raw,width=640,height=480 ! depthplanes ! rdpmetaconvert ! fdsink
 * ]| Finds the planes of a room.
 * |[
 * gst-launch-1.0 depthtestsrc pattern=crowd view=left view-index=1 ! videoconvert ! autovideosink
 * ]| Shows a crowd as camera 1 sees it.
 */
#include <gst/base/gstpushsrc.h>

#include <gst/video/video.h>

#include <new>

#include "common/boundary.h"
#include "common/image/depth_view.h"
#include "common/image/float_environment.h"
#include "common/scene/test_pattern.h"
#include "gst/elements/base/filtered_caps.h"
#include "gst/elements/base/frame_source.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/depthtestsrc/crowd_properties.h"
#include "gst/elements/depthtestsrc/test_camera.h"
#include "gst/elements/depthtestsrc/test_views.h"

GST_DEBUG_CATEGORY_STATIC(gst_depth_test_src_debug);
#define GST_CAT_DEFAULT gst_depth_test_src_debug

namespace {

using rdp::gst::FramePosition;
using rdp::gst::FrameRate;

constexpr int kDefaultSize[] = {1242, 376};
constexpr int kDefaultCrowdSize[] = {781, 621};
constexpr int kDefaultParcelsSize[] = {640, 480};
constexpr int kDefaultColorSize[] = {1280, 720};
constexpr int kDefaultFramerate = 30;

const int* default_size(rdp::gst::TestView view, rdp::TestPattern pattern) {
  if (rdp::gst::is_of_color_camera(view)) return kDefaultColorSize;
  if (pattern == rdp::TestPattern::kCrowd) return kDefaultCrowdSize;
  return pattern == rdp::TestPattern::kParcels ? kDefaultParcelsSize : kDefaultSize;
}

// The application's settings, guarded by the object lock; each frame takes a copy.
struct Settings {
  rdp::TestPatternOptions pattern;
  rdp::gst::CrowdSettings crowd;
  rdp::gst::TestRig rig;
  rdp::gst::TestView view = rdp::gst::TestView::kDepth;
  gint64 timestamp_offset = 0;
};

}  // namespace

G_DECLARE_FINAL_TYPE(GstDepthTestSrc, gst_depth_test_src, GST, DEPTH_TEST_SRC, GstPushSrc)

struct _GstDepthTestSrc {
  GstPushSrc parent;

  Settings settings;
  GstVideoInfo info;
  // Guarded by the base class's stream lock: used by the streaming thread, and by seeks and caps
  // while that thread is stopped or waits.
  FramePosition position;
  GstSegment sought;  // the last seek, which may come before the caps
  rdp::gst::TestViewRenderer renderer;
  rdp::gst::TestCameraKeeper camera;
};

G_DEFINE_TYPE(GstDepthTestSrc, gst_depth_test_src, GST_TYPE_PUSH_SRC)
GST_ELEMENT_REGISTER_DEFINE(depthtestsrc, "depthtestsrc", GST_RANK_NONE,
                            gst_depth_test_src_get_type())

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS("video/x-raw, format = (string) { GRAY16_LE, GRAY8, RGB }, "
                    "width = (int) [ 1, 16384 ], height = (int) [ 1, 16384 ], "
                    "framerate = (fraction) [ 0, max ]"));

#define GST_TYPE_DEPTH_TEST_SRC_PATTERN (gst_depth_test_src_pattern_get_type())
static GType gst_depth_test_src_pattern_get_type() {
  using enum rdp::TestPattern;
  static const GEnumValue values[] = {
      {static_cast<gint>(kStreet), "A drive through a street", "street"},
      {static_cast<gint>(kRamp), "One plane, near at the bottom", "ramp"},
      {static_cast<gint>(kSteps), "Eight bands that move down, each at one distance", "steps"},
      {static_cast<gint>(kNoise), "Independent uniform samples over their whole range", "noise"},
      {static_cast<gint>(kUnknown), "All samples unknown (0)", "unknown"},
      {static_cast<gint>(kRoom), "A furnished room of planes, with one ball", "room"},
      {static_cast<gint>(kTraffic), "Cars with known positions and velocities", "traffic"},
      {static_cast<gint>(kCrowd), "People with known heights, seen by several cameras", "crowd"},
      {static_cast<gint>(kParcels), "Parcels with known sizes on a moving belt, seen from above",
       "parcels"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstDepthTestSrcPattern", values);
  return type;
}

#define GST_TYPE_DEPTH_TEST_SRC_DOMAIN (gst_depth_test_src_domain_get_type())
static GType gst_depth_test_src_domain_get_type() {
  using enum rdp::TestDomain;
  static const GEnumValue values[] = {
      {static_cast<gint>(kDisparity),
       "Disparity in px: 8.8 fixed point in GRAY16_LE, whole px in GRAY8", "disparity"},
      {static_cast<gint>(kDepth), "Depth: millimetres in GRAY16_LE, decimetres in GRAY8", "depth"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstDepthTestSrcDomain", values);
  return type;
}

namespace {

using rdp::TestPatternOptions;
using rdp::gst::PropertyOf;
using rdp::gst::PropertyRow;
using OfPattern = PropertyOf<TestPatternOptions>;

constexpr auto kPatternProperties = std::to_array<PropertyRow<TestPatternOptions>>({
    {{.name = "pattern",
      .nick = "Pattern",
      .blurb = "Scene or pattern in the frames",
      .flags = rdp::gst::kWhilePlaying},
     OfPattern::as_enum<&TestPatternOptions::pattern>(gst_depth_test_src_pattern_get_type)},
    {{.name = "domain",
      .nick = "Domain",
      .blurb = "Quantity in the samples: disparity or depth",
      .flags = rdp::gst::kWhilePlaying},
     OfPattern::as_enum<&TestPatternOptions::domain>(gst_depth_test_src_domain_get_type)},
    {{.name = "seed",
      .nick = "Seed",
      .blurb = "Random seed of street, room, cars or crowd, of noise and of unknown samples",
      .flags = rdp::gst::kWhilePlaying},
     OfPattern::as_uint<&TestPatternOptions::seed>(0, G_MAXUINT32)},
    {{.name = "noise",
      .nick = "Noise",
      .blurb = "Standard deviation of the noise in px of disparity, at any distance (in pictures: "
               "grey levels; in rooms: noise and shadows of a structured-light camera)",
      .unit = "px of disparity",
      .flags = rdp::gst::kControllable},
     OfPattern::as_double<&TestPatternOptions::noise>(0.0, rdp::kMaxTestNoise)},
    {{.name = "unknown-ratio",
      .nick = "Unknown ratio",
      .blurb = "Share of known samples that become unknown (0), in patches and alone",
      .flags = rdp::gst::kControllable},
     OfPattern::as_double<&TestPatternOptions::unknown_ratio>(0.0, 1.0)},
    {{.name = "drive",
      .nick = "Drive",
      .blurb = "Forward motion of the traffic scene's camera in mm per frame (0 = none)",
      .unit = "mm",
      .flags = rdp::gst::kWhilePlaying},
     OfPattern::as_uint<&TestPatternOptions::drive>(0, rdp::kMaxTestDrive)},
    {{.name = "turn",
      .nick = "Turn",
      .blurb = "Right turn of the traffic scene's camera in 1/1000 rad per frame (0 = none)",
      .unit = "1/1000 rad",
      .flags = rdp::gst::kWhilePlaying},
     OfPattern::as_uint<&TestPatternOptions::turn>(0, rdp::kMaxTestTurn)},
});

using OfRig = PropertyOf<rdp::ColorRig>;

constexpr auto kColorProperties = std::to_array<PropertyRow<rdp::ColorRig>>({
    {{.name = "color-baseline",
      .nick = "Colour baseline",
      .blurb = "Place of the colour camera in m to the right of the depth camera",
      .unit = "m",
      .needs = "pattern=room or crowd",
      .flags = rdp::gst::kWhilePlaying},
     OfRig::as_double<&rdp::ColorRig::baseline>(-rdp::kMaxColorBaseline, rdp::kMaxColorBaseline)},
    {{.name = "color-angle",
      .nick = "Colour angle",
      .blurb = "Angle by which the colour camera is turned to the left, in degrees",
      .unit = "degrees",
      .needs = "pattern=room or crowd",
      .flags = rdp::gst::kWhilePlaying},
     OfRig::as_double<&rdp::ColorRig::angle>(-rdp::kMaxColorAngle, rdp::kMaxColorAngle)},
});

constexpr auto kRigProperties = rdp::gst::join(
    rdp::gst::properties_of_member<rdp::gst::TestRig, &rdp::gst::TestRig::color,
                                   kColorProperties>(),
    std::to_array<PropertyRow<rdp::gst::TestRig>>({
        {{.name = "rig-pose",
          .nick = "Rig pose",
          .blurb = "Pose in the rig with the colour camera on the frames of a room's depth camera",
          .needs = "pattern=room",
          .flags = rdp::gst::kWhilePlaying},
         PropertyOf<rdp::gst::TestRig>::as_boolean<&rdp::gst::TestRig::rig_pose>()},
    }));

constexpr auto kOwnProperties = std::to_array<PropertyRow<Settings>>({
    {{.name = "view",
      .nick = "View",
      .blurb =
          "Content of the frames: depth, grey pictures of the cameras, or ground truth "
          "(labels of planes, optical flow, heights), or the colour camera's picture and depth",
      .flags = rdp::gst::kInReady},
     PropertyOf<Settings>::as_enum<&Settings::view>(rdp::gst::test_view_get_type)},
    {{.name = "is-live",
      .nick = "Is live",
      .blurb = "Act as a live camera: produce frames at the pace of the clock",
      .flags = rdp::gst::kInReady},
     PropertyOf<Settings>::other_boolean()},  // GstBaseSrc keeps it
    {{.name = "timestamp-offset",
      .nick = "Timestamp offset",
      .blurb = "Offset added to the timestamp of each frame, in ns",
      .unit = "ns",
      .flags = rdp::gst::kWhilePlaying},
     PropertyOf<Settings>::as_int64<&Settings::timestamp_offset>(0, G_MAXINT64)},
});

constexpr auto kProperties = rdp::gst::join(
    rdp::gst::properties_of_member<Settings, &Settings::pattern, kPatternProperties>(),
    rdp::gst::properties_of_member<Settings, &Settings::crowd, rdp::gst::kCrowdProperties>(),
    rdp::gst::properties_of_member<Settings, &Settings::rig, kRigProperties>(), kOwnProperties);
constexpr guint kIsLive = rdp::gst::property_id(kProperties, "is-live");

}  // namespace

static void gst_depth_test_src_set_property(GObject* object, guint id, const GValue* value,
                                            GParamSpec* pspec) {
  GstDepthTestSrc* self = GST_DEPTH_TEST_SRC(object);
  if (id == kIsLive) {  // takes the object lock itself
    gst_base_src_set_live(GST_BASE_SRC(self), g_value_get_boolean(value));
    return;
  }
  rdp::gst::set_property(object, kProperties, self->settings, id, value, pspec);
}

static void gst_depth_test_src_get_property(GObject* object, guint id, GValue* value,
                                            GParamSpec* pspec) {
  GstDepthTestSrc* self = GST_DEPTH_TEST_SRC(object);
  if (id == kIsLive) {
    g_value_set_boolean(value, gst_base_src_is_live(GST_BASE_SRC(self)));
    return;
  }
  rdp::gst::get_property(object, kProperties, self->settings, id, value, pspec);
}

static void gst_depth_test_src_finalize(GObject* object) {
  GstDepthTestSrc* self = GST_DEPTH_TEST_SRC(object);
  self->renderer.~TestViewRenderer();
  self->camera.~TestCameraKeeper();
  self->settings.~Settings();
  G_OBJECT_CLASS(gst_depth_test_src_parent_class)->finalize(object);
}

static Settings settings_of(GstDepthTestSrc* self) {
  GST_OBJECT_LOCK(self);
  const Settings settings = self->settings;
  GST_OBJECT_UNLOCK(self);
  return settings;
}

static rdp::gst::TestView view_of(GstDepthTestSrc* self) { return settings_of(self).view; }

static GstCaps* gst_depth_test_src_get_caps(GstBaseSrc* src, GstCaps* filter) {
  GstPad* pad = GST_BASE_SRC_PAD(src);
  GstCaps* caps = gst_pad_get_pad_template_caps(pad);
  // Before the stream starts the view may still change, so all caps are offered for linking. This
  // element posts an error later if the view lacks the wanted caps.
  if (GST_PAD_IS_ACTIVE(pad)) {
    GstCaps* templ = caps;
    caps = rdp::gst::caps_of_view(view_of(GST_DEPTH_TEST_SRC(src)), templ);
    gst_caps_unref(templ);
  }
  return rdp::gst::filtered_caps(caps, filter);
}

static gboolean gst_depth_test_src_negotiate(GstBaseSrc* src) {
  if (GST_BASE_SRC_CLASS(gst_depth_test_src_parent_class)->negotiate(src)) return TRUE;
  GstPad* pad = GST_BASE_SRC_PAD(src);
  g_autoptr(GstCaps) own = gst_depth_test_src_get_caps(src, nullptr);
  g_autoptr(GstCaps) downstream = gst_pad_peer_query_caps(pad, nullptr);
  rdp::gst::explain_view(GST_ELEMENT(src), view_of(GST_DEPTH_TEST_SRC(src)), own, downstream);
  return FALSE;
}

static GstCaps* gst_depth_test_src_fixate(GstBaseSrc* src, GstCaps* caps) {
  caps = gst_caps_make_writable(caps);
  GstStructure* structure = gst_caps_get_structure(caps, 0);
  const Settings settings = settings_of(GST_DEPTH_TEST_SRC(src));
  const int* size = default_size(settings.view, settings.pattern.pattern);
  const int across = settings.view == rdp::gst::TestView::kSideBySide ? 2 : 1;
  const int down = settings.view == rdp::gst::TestView::kFlow ? 2 : 1;
  gst_structure_fixate_field_nearest_int(structure, "width", across * size[0]);
  gst_structure_fixate_field_nearest_int(structure, "height", down * size[1]);
  if (gst_structure_has_field(structure, "framerate")) {
    gst_structure_fixate_field_nearest_fraction(structure, "framerate", kDefaultFramerate, 1);
  } else {
    gst_structure_set(structure, "framerate", GST_TYPE_FRACTION, kDefaultFramerate, 1, nullptr);
  }
  if (gst_structure_has_field(structure, "pixel-aspect-ratio")) {
    gst_structure_fixate_field_nearest_fraction(structure, "pixel-aspect-ratio", 1, 1);
  } else {
    gst_structure_set(structure, "pixel-aspect-ratio", GST_TYPE_FRACTION, 1, 1, nullptr);
  }
  if (gst_structure_has_field(structure, "interlace-mode")) {
    gst_structure_fixate_field_string(structure, "interlace-mode", "progressive");
  } else {
    gst_structure_set(structure, "interlace-mode", G_TYPE_STRING, "progressive", nullptr);
  }
  return GST_BASE_SRC_CLASS(gst_depth_test_src_parent_class)->fixate(src, caps);
}

static FrameRate rate_of(const GstVideoInfo& info) {
  return {GST_VIDEO_INFO_FPS_N(&info), GST_VIDEO_INFO_FPS_D(&info)};
}

static gboolean gst_depth_test_src_set_caps(GstBaseSrc* src, GstCaps* caps) {
  GstDepthTestSrc* self = GST_DEPTH_TEST_SRC(src);
  GstVideoInfo info;
  if (!gst_video_info_from_caps(&info, caps)) {
    GST_ERROR_OBJECT(self, "cannot use caps %" GST_PTR_FORMAT, static_cast<void*>(caps));
    return FALSE;
  }
  const FrameRate rate = rate_of(info);
  if (GST_VIDEO_INFO_FORMAT(&self->info) != GST_VIDEO_FORMAT_UNKNOWN) {
    self->position.set_rate(rate);
  } else {
    // The frame of an earlier seek is known only now.
    gint64 frame = 0;
    rdp::gst::first_frame(src, &self->sought, rate, &frame);
    self->position = {rate, frame};
  }
  GST_OBJECT_LOCK(self);
  self->info = info;
  GST_OBJECT_UNLOCK(self);
  gst_base_src_set_blocksize(src, static_cast<guint>(GST_VIDEO_INFO_SIZE(&info)));
  GST_DEBUG_OBJECT(self, "frames of %" GST_PTR_FORMAT, static_cast<void*>(caps));
  if (gst_base_src_is_live(src)) {
    gst_element_post_message(GST_ELEMENT(self), gst_message_new_latency(GST_OBJECT(self)));
  }
  return TRUE;
}

static gboolean gst_depth_test_src_start(GstBaseSrc* src) {
  GstDepthTestSrc* self = GST_DEPTH_TEST_SRC(src);
  self->position = {};
  gst_segment_init(&self->sought, GST_FORMAT_UNDEFINED);
  GST_OBJECT_LOCK(self);
  gst_video_info_init(&self->info);
  GST_OBJECT_UNLOCK(self);
  return TRUE;
}

static gboolean gst_depth_test_src_is_seekable(GstBaseSrc*) { return TRUE; }

static gboolean gst_depth_test_src_do_seek(GstBaseSrc* src, GstSegment* segment) {
  GstDepthTestSrc* self = GST_DEPTH_TEST_SRC(src);
  const FrameRate rate = self->position.rate;
  gint64 frame;
  if (!rdp::gst::first_frame(src, segment, rate, &frame)) return FALSE;
  self->position = {rate, frame};
  self->sought = *segment;
  return TRUE;
}

static void gst_depth_test_src_get_times(GstBaseSrc* src, GstBuffer* buffer, GstClockTime* start,
                                         GstClockTime* end) {
  *start = *end = GST_CLOCK_TIME_NONE;
  // Only a live source keeps to the clock; for others that is the sinks' work.
  if (!gst_base_src_is_live(src) || !GST_BUFFER_PTS_IS_VALID(buffer)) return;
  *start = GST_BUFFER_PTS(buffer);
  if (GST_BUFFER_DURATION_IS_VALID(buffer)) *end = *start + GST_BUFFER_DURATION(buffer);
}

static gboolean gst_depth_test_src_query(GstBaseSrc* src, GstQuery* query) {
  GstDepthTestSrc* self = GST_DEPTH_TEST_SRC(src);
  GST_OBJECT_LOCK(self);
  const GstVideoInfo info = self->info;
  GST_OBJECT_UNLOCK(self);
  const FrameRate rate = rate_of(info);
  const bool negotiated = GST_VIDEO_INFO_FORMAT(&info) != GST_VIDEO_FORMAT_UNKNOWN;

  switch (GST_QUERY_TYPE(query)) {
    case GST_QUERY_CONVERT: {
      if (!negotiated) return FALSE;
      GstFormat from, to;
      gint64 value, result;
      gst_query_parse_convert(query, &from, &value, &to, nullptr);
      if (!gst_video_info_convert(&info, from, value, to, &result)) return FALSE;
      gst_query_set_convert(query, from, value, to, result);
      return TRUE;
    }
    case GST_QUERY_LATENCY: {
      // A live frame is drawn at its time and has one frame interval for it. Before caps the
      // interval is unknown. Nothing is lost if others wait longer; the parent class would allow no
      // waiting.
      gst_query_set_latency(query, gst_base_src_is_live(src), rate.begin(1), GST_CLOCK_TIME_NONE);
      return TRUE;
    }
    case GST_QUERY_DURATION: {
      GstFormat format;
      gst_query_parse_duration(query, &format, nullptr);
      gint buffers = -1;
      g_object_get(src, "num-buffers", &buffers, nullptr);
      if (buffers < 0 || !negotiated) break;
      if (format == GST_FORMAT_DEFAULT) {
        gst_query_set_duration(query, format, buffers);
        return TRUE;
      }
      if (format != GST_FORMAT_TIME || rate.is_still()) break;
      gst_query_set_duration(query, format,
                             static_cast<gint64>(rate.begin(static_cast<guint64>(buffers))));
      return TRUE;
    }
    default:
      break;
  }
  return GST_BASE_SRC_CLASS(gst_depth_test_src_parent_class)->query(src, query);
}

static GstFlowReturn draw(GstDepthTestSrc* self, guint64 number, GstClockTime moment,
                          const Settings& settings, GstBuffer* buffer) {
  GstVideoFrame frame;
  if (!rdp::gst::map_frame(GST_BASE_SRC(self), &frame, &self->info, buffer, GST_MAP_WRITE)) {
    return GST_FLOW_ERROR;
  }
  // Rows of bytes, if they are colours.
  const int bytes = GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, 0);
  const rdp::MutableDepthView view = {
      static_cast<std::byte*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0)),
      GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0),
      GST_VIDEO_FRAME_WIDTH(&frame) * (bytes == 3 ? bytes : 1), GST_VIDEO_FRAME_HEIGHT(&frame),
      bytes == 2 ? rdp::SampleType::kU16 : rdp::SampleType::kU8};
  const GstFlowReturn result = rdp::contain(
      [&] {
        self->renderer.draw(settings.view, number, settings.pattern, settings.crowd,
                            static_cast<gint64>(moment), settings.rig.color, view);
        return GST_FLOW_OK;
      },
      [&](const char* reason) {
        GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, ("Not enough memory to draw a frame."),
                          ("of %dx%d: %s", view.width, view.height, reason));
        return GST_FLOW_ERROR;
      });
  gst_video_frame_unmap(&frame);
  return result;
}

static GstFlowReturn gst_depth_test_src_fill(GstPushSrc* src, GstBuffer* buffer) {
  GstDepthTestSrc* self = GST_DEPTH_TEST_SRC(src);
  FramePosition& position = self->position;
  const bool backwards = GST_BASE_SRC(src)->segment.rate < 0.0;
  // Without a frame rate there is one picture.
  if (position.frame < 0 || (position.rate.is_still() && position.frame > 0)) return GST_FLOW_EOS;

  const GstClockTime begin = position.begin();
  gst_object_sync_values(GST_OBJECT(self), begin);
  const Settings settings = settings_of(self);
  if (rdp::gst::explain_pattern(GST_ELEMENT(self), settings.view, settings.pattern.pattern,
                                settings.crowd)) {
    return GST_FLOW_ERROR;
  }
  const gint64 number = position.number();
  const GstFlowReturn result = draw(self, static_cast<guint64>(number), begin, settings, buffer);
  if (result != GST_FLOW_OK) return result;
  if (GstRdpCamera* camera = self->camera.get(settings.view, settings.pattern, settings.crowd,
                                              settings.rig, self->info)) {
    gst_buffer_add_rdp_camera_meta(buffer, camera);
  }

  rdp::gst::stamp_frame(buffer, number, begin, position.end());
  GST_BUFFER_PTS(buffer) += static_cast<GstClockTime>(settings.timestamp_offset);
  position.frame += backwards ? -1 : 1;
  GST_LOG_OBJECT(self, "frame %" G_GINT64_FORMAT " at %" GST_TIME_FORMAT, number,
                 GST_TIME_ARGS(GST_BUFFER_PTS(buffer)));
  return GST_FLOW_OK;
}

static void gst_depth_test_src_class_init(GstDepthTestSrcClass* klass) {
  auto* object_class = G_OBJECT_CLASS(klass);
  auto* element_class = GST_ELEMENT_CLASS(klass);
  auto* base_class = GST_BASE_SRC_CLASS(klass);
  auto* push_class = GST_PUSH_SRC_CLASS(klass);
  GST_DEBUG_CATEGORY_INIT(gst_depth_test_src_debug, "depthtestsrc", 0, "depth test source");

  object_class->set_property = gst_depth_test_src_set_property;
  object_class->get_property = gst_depth_test_src_get_property;
  object_class->finalize = gst_depth_test_src_finalize;
  rdp::gst::install_properties(object_class, kProperties);

  gst_element_class_add_static_pad_template(element_class, &src_template);
  gst_element_class_set_static_metadata(
      element_class, "Depth test source", "Source/Video",
      "Renders scenes (street, traffic, room, crowd, parcels) and simple patterns as depth or "
      "disparity, "
      "camera pictures or ground truth, bit-identical on every machine",
      "The rdpsegment authors");

  base_class->get_caps = gst_depth_test_src_get_caps;
  base_class->negotiate = gst_depth_test_src_negotiate;
  base_class->fixate = gst_depth_test_src_fixate;
  base_class->set_caps = gst_depth_test_src_set_caps;
  base_class->decide_allocation = rdp::gst::decide_frames;
  base_class->start = gst_depth_test_src_start;
  base_class->is_seekable = gst_depth_test_src_is_seekable;
  base_class->do_seek = gst_depth_test_src_do_seek;
  base_class->get_times = gst_depth_test_src_get_times;
  base_class->query = gst_depth_test_src_query;
  push_class->fill = rdp::in_standard_floats<gst_depth_test_src_fill>;
}

static void gst_depth_test_src_init(GstDepthTestSrc* self) {
  new (&self->settings) Settings;
  new (&self->position) FramePosition;
  new (&self->renderer) rdp::gst::TestViewRenderer;
  new (&self->camera) rdp::gst::TestCameraKeeper;
  gst_video_info_init(&self->info);
  gst_base_src_set_format(GST_BASE_SRC(self), GST_FORMAT_TIME);
  gst_base_src_set_live(GST_BASE_SRC(self), FALSE);
}
