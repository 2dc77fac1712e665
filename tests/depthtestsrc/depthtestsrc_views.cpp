// SPDX-License-Identifier: LGPL-2.1-or-later
// depthtestsrc's pictures, labels and flow: caps, sizes, cameras, errors with remedies, and the
// same moment in all sources of a pipeline.
#include "common/scene/room_scene.h"
#include "common/scene/test_flow.h"
#include "common/scene/test_labels.h"
#include "common/scene/test_picture.h"
#include "gst/rdpsegment/rdpcamerameta.h"
#include "tests/support/check_test.h"
#include "tests/support/depthtestsrc_frames.h"

using namespace depthtestsrc_frames;

namespace {

constexpr const char* kViews[] = {"depth", "left", "right", "side-by-side", "labels", "flow"};

struct Source {
  GstHarness* harness;

  Source(const char* view, const std::string& caps) : harness(harness_for(caps, -1)) {
    gst_harness_set_blocking_push_mode(harness);
    gst_util_set_object_arg(G_OBJECT(harness->element), "view", view);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source() { gst_harness_teardown(harness); }

  void play() const { gst_harness_play(harness); }
  GstBuffer* pull() const {
    GstBuffer* buffer = gst_harness_pull(harness);
    fail_unless(buffer != nullptr);
    return buffer;
  }
  GstVideoInfo info() const {
    GstCaps* caps = gst_pad_get_current_caps(harness->sinkpad);
    GstVideoInfo info;
    fail_unless(gst_video_info_from_caps(&info, caps));
    gst_caps_unref(caps);
    return info;
  }
};

// The rows of a view, concatenated.
std::vector<guint8> picture_of(guint64 number, const Options& options, rdp::Eye eye, int width,
                               int height) {
  std::vector<guint8> samples(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  rdp::TestPictureRenderer().draw(
      number, options, eye,
      {reinterpret_cast<std::byte*>(samples.data()), width, width, height, rdp::SampleType::kU8});
  return samples;
}

void check_picture(GstBuffer* buffer, const GstVideoInfo& info, int first_column,
                   const std::vector<guint8>& expected, int width) {
  GstVideoFrame frame;
  fail_unless(gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ));
  for (int row = 0; row < GST_VIDEO_FRAME_HEIGHT(&frame); ++row) {
    const auto* data = static_cast<const guint8*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0)) +
                       row * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0) + first_column;
    fail_unless(std::memcmp(data, expected.data() + row * width, static_cast<gsize>(width)) == 0,
                "row %d differs", row);
  }
  gst_video_frame_unmap(&frame);
}

}  // namespace

CHECK_TEST(test_pictures_of_every_kind) {
  for (auto [width, height] : {std::pair{1, 1}, {2, 3}, {321, 5}, {64, 48}}) {
    for (int pattern = 0; pattern <= static_cast<int>(rdp::TestPattern::kTraffic); ++pattern) {
      Options options;
      options.pattern = static_cast<rdp::TestPattern>(pattern);
      options.seed = 9;
      options.noise = 1.5;
      const auto set = [&](const Source& source) {
        g_object_set(source.harness->element, "pattern", pattern, "seed", options.seed, "noise",
                     options.noise, "unknown-ratio", 0.5, nullptr);
        source.play();
      };
      const Source left("left", caps_of("GRAY8", width, height));
      const Source right("right", caps_of("GRAY8", width, height));
      const Source both("side-by-side", caps_of("GRAY8", 2 * width, height));
      set(left);
      set(right);
      set(both);
      for (guint64 number = 0; number < 2; ++number) {
        const auto of_left = picture_of(number, options, rdp::Eye::kLeft, width, height);
        const auto of_right = picture_of(number, options, rdp::Eye::kRight, width, height);
        GstBuffer* pulled[] = {left.pull(), right.pull(), both.pull()};
        check_picture(pulled[0], left.info(), 0, of_left, width);
        check_picture(pulled[1], right.info(), 0, of_right, width);
        check_picture(pulled[2], both.info(), 0, of_left, width);
        check_picture(pulled[2], both.info(), width, of_right, width);
        // Both views of a pair have the same timestamp.
        fail_unless_equals_clocktime(GST_BUFFER_PTS(pulled[0]), GST_BUFFER_PTS(pulled[1]));
        fail_unless_equals_clocktime(GST_BUFFER_PTS(pulled[0]), GST_BUFFER_PTS(pulled[2]));
        for (GstBuffer* buffer : pulled) gst_buffer_unref(buffer);
      }
    }
  }
}

CHECK_TEST(test_labels) {
  using enum rdp::TestPattern;
  for (auto [width, height] : {std::pair{1, 1}, {3, 2}, {321, 5}, {161, 120}}) {
    for (const rdp::TestPattern pattern : {kRamp, kSteps, kNoise, kUnknown, kRoom, kTraffic}) {
      Options options;
      options.pattern = pattern;
      options.seed = 5;
      const Source source("labels", caps_of("GRAY8", width, height));
      g_object_set(source.harness->element, "pattern", static_cast<gint>(pattern), "seed",
                   options.seed, "noise", 1.5, "unknown-ratio", 0.5, nullptr);
      source.play();
      for (guint64 number = 0; number < 2; ++number) {
        std::vector<guint8> labels(static_cast<std::size_t>(width) *
                                   static_cast<std::size_t>(height));
        rdp::TestLabelRenderer().draw(number, options,
                                      {reinterpret_cast<std::byte*>(labels.data()), width, width,
                                       height, rdp::SampleType::kU8});
        g_autoptr(GstBuffer) buffer = source.pull();
        check_picture(buffer, source.info(), 0, labels, width);
      }
    }
  }
}

CHECK_TEST(test_flow) {
  for (auto [width, height] : {std::pair{1, 1}, {3, 2}, {321, 5}, {161, 120}}) {
    for (int pattern = 0; pattern <= static_cast<int>(rdp::TestPattern::kTraffic); ++pattern) {
      Options options;
      options.pattern = static_cast<rdp::TestPattern>(pattern);
      options.seed = 5;
      const Source source("flow", caps_of("GRAY16_LE", width, 2 * height));
      g_object_set(source.harness->element, "pattern", pattern, "seed", options.seed, "noise", 1.5,
                   "unknown-ratio", 0.5, nullptr);
      source.play();
      for (guint64 number = 0; number < 2; ++number) {
        const int bytes = 2 * width;
        std::vector<guint8> flow(static_cast<std::size_t>(bytes) *
                                 static_cast<std::size_t>(2 * height));
        rdp::TestFlowRenderer().draw(
            number, options, {reinterpret_cast<std::byte*>(flow.data()), bytes, width, 2 * height});
        g_autoptr(GstBuffer) buffer = source.pull();
        check_picture(buffer, source.info(), 0, flow, bytes);
        fail_unless(gst_buffer_get_rdp_camera_meta(buffer) == nullptr);
        fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), number * GST_SECOND / 30);
      }
    }
  }
}

CHECK_TEST(test_what_is_left_open) {
  for (const char* view : kViews) {
    const Source source(view, "video/x-raw");
    g_object_set(source.harness->element, "pattern", static_cast<gint>(rdp::TestPattern::kRamp),
                 nullptr);
    source.play();
    gst_buffer_unref(source.pull());
    const GstVideoInfo info = source.info();
    const bool flow = g_str_equal(view, "flow");
    const bool depth = flow || g_str_equal(view, "depth");
    const bool both = g_str_equal(view, "side-by-side");
    fail_unless_equals_int(GST_VIDEO_INFO_FORMAT(&info),
                           depth ? GST_VIDEO_FORMAT_GRAY16_LE : GST_VIDEO_FORMAT_GRAY8);
    fail_unless_equals_int(GST_VIDEO_INFO_WIDTH(&info), both ? 2484 : 1242);
    fail_unless_equals_int(GST_VIDEO_INFO_HEIGHT(&info), flow ? 752 : 376);
    fail_unless_equals_int(
        GST_VIDEO_INFO_MULTIVIEW_MODE(&info),
        both ? GST_VIDEO_MULTIVIEW_MODE_SIDE_BY_SIDE : GST_VIDEO_MULTIVIEW_MODE_NONE);
    fail_unless_equals_int(GST_VIDEO_INFO_MULTIVIEW_FLAGS(&info), GST_VIDEO_MULTIVIEW_FLAGS_NONE);
  }
  // The nearest even width, for two equal halves.
  const Source odd("side-by-side", "video/x-raw,width=[1,641],height=10");
  odd.play();
  gst_buffer_unref(odd.pull());
  const GstVideoInfo info = odd.info();
  fail_unless_equals_int(GST_VIDEO_INFO_WIDTH(&info), 640);
}

// Expected, got, remedy.
CHECK_TEST(test_errors) {
  const struct {
    const char* view;
    const char* caps;
    const char* says[3];
  } cases[] = {
      {"left", "format=GRAY16_LE", {"format GRAY8", "(string)GRAY16_LE", "view=depth"}},
      {"right", "format=GRAY16_LE", {"format GRAY8", "(string)GRAY16_LE", "videoconvert"}},
      {"side-by-side", "width=641", {"even width", "(int)641", "twice that of a view"}},
      {"side-by-side", "multiview-mode=mono", {"side-by-side", "mono", "no other multiview-mode"}},
      {"labels", "format=GRAY16_LE", {"format GRAY8", "(string)GRAY16_LE", "videoconvert"}},
      {"flow", "format=GRAY8", {"format GRAY16_LE", "(string)GRAY8", "no converter"}},
      {"flow", "height=361", {"even height", "(int)361", "twice the height"}},
      {"labels",
       "format=GRAY8",
       {"pattern=street", "pattern=room, traffic, parcels, ramp or steps", "set pattern"}},
  };
  for (const auto& c : cases) {
    const std::string text =
        rdp::test::play_line(std::string("depthtestsrc num-buffers=1 view=") + c.view +
                             " ! video/x-raw," + c.caps + " ! fakesink");
    for (const char* part : c.says) {
      fail_unless(text.find(part) != std::string::npos, "%s, %s: no \"%s\" in: %s", c.view, c.caps,
                  part, text.c_str());
    }
  }
}

// Other elements can convert the pictures.
CHECK_TEST(test_conversion) {
  for (const char* view : kViews) {
    fail_unless(rdp::test::play_line(
                    std::string("depthtestsrc num-buffers=3 view=") + view +
                    " pattern=room ! video/x-raw,width=64,height=48 ! videorate ! videoconvert ! "
                    "video/x-raw,format=I420 ! fakesink")
                    .empty());
  }
}

CHECK_TEST(test_camera) {
  for (const char* view : {"left", "right"}) {
    for (const char* pattern : {"street", "ramp", "steps"}) {
      const Source source(view, caps_of("GRAY8", 200, 100));
      gst_util_set_object_arg(G_OBJECT(source.harness->element), "pattern", pattern);
      source.play();
      g_autoptr(GstBuffer) buffer = source.pull();
      const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(buffer);
      fail_unless(meta != nullptr && meta->camera != nullptr);
      const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(meta->camera);
      fail_unless(info.width == 200 && info.height == 100 && info.rectified);
      fail_unless(info.focal_length == 200 * 720.0 / 1242 && info.principal_x == 0.5 * 199);
      fail_unless(info.baseline == 0.54 && info.principal_y == 0.46 * 99);
      // Grey pictures do not measure distances.
      fail_unless(info.measures == GST_RDP_MEASURE_UNKNOWN);
      fail_unless(info.disparity_unit == 0 && info.depth_unit == 0);
    }
  }
  // Views of a room.
  for (const char* view : {"left", "right", "labels"}) {
    const Source source(view, caps_of("GRAY8", 320, 200));
    gst_util_set_object_arg(G_OBJECT(source.harness->element), "pattern", "room");
    source.play();
    g_autoptr(GstBuffer) buffer = source.pull();
    const GstRdpCameraInfo& info =
        *gst_rdp_camera_get_info(gst_buffer_get_rdp_camera_meta(buffer)->camera);
    fail_unless(info.focal_length == 262.5 && info.focal_length_y == 262.5);
    fail_unless(info.principal_x == 159.5 && info.principal_y == 99.5 && info.baseline == 0.075);
    fail_unless(info.measures == GST_RDP_MEASURE_UNKNOWN);
  }
  const auto has_camera = [](const char* view, const char* pattern) {
    const Source source(view, caps_of("GRAY8", 200, 100));
    gst_util_set_object_arg(G_OBJECT(source.harness->element), "pattern", pattern);
    source.play();
    GstBuffer* buffer = source.pull();
    const bool has = gst_buffer_get_rdp_camera_meta(buffer) != nullptr;
    gst_buffer_unref(buffer);
    return has;
  };
  fail_if(has_camera("side-by-side", "street"));
  fail_if(has_camera("side-by-side", "room") || has_camera("labels", "noise"));
  fail_if(has_camera("left", "noise") || has_camera("right", "unknown"));
}

// Parcels: frames are 640x480 by default. The labelled samples of each fully visible parcel lie on
// a box of its size and place, and reach all its upper edges.
CHECK_TEST(test_parcels) {
  for (const char* view : {"left", "right", "side-by-side", "flow"}) {
    const std::string text = rdp::test::play_line(
        std::string("depthtestsrc num-buffers=1 pattern=parcels view=") + view + " ! fakesink");
    for (const std::string& part :
         {std::string("view=") + view, std::string("view=depth or labels")}) {
      fail_unless(text.find(part) != std::string::npos, "no \"%s\" in: %s", part.c_str(),
                  text.c_str());
    }
  }
  constexpr int kSeed = 5;
  const Source depth("depth", "video/x-raw,format=GRAY16_LE");
  const Source labels("labels", "video/x-raw");
  for (const Source* source : {&depth, &labels}) {
    gst_util_set_object_arg(G_OBJECT(source->harness->element), "pattern", "parcels");
    gst_util_set_object_arg(G_OBJECT(source->harness->element), "domain", "depth");
    g_object_set(source->harness->element, "seed", kSeed, nullptr);
    source->play();
  }
  int whole = 0;
  for (guint64 number = 0; number < 60; ++number) {
    g_autoptr(GstBuffer) z = depth.pull();
    g_autoptr(GstBuffer) l = labels.pull();
    const GstRdpCameraInfo& camera =
        *gst_rdp_camera_get_info(gst_buffer_get_rdp_camera_meta(z)->camera);
    fail_unless(camera.width == 640 && camera.height == 480 && camera.focal_length == 525.0);
    fail_unless(camera.depth_unit == 0.001);
    const auto bytes_of = [](GstBuffer* buffer, gsize size) {
      std::vector<guint8> bytes(size);
      fail_unless(gst_buffer_extract(buffer, 0, bytes.data(), size) == size);
      return bytes;
    };
    const std::vector<guint8> samples = bytes_of(z, 2 * 640 * 480);
    const std::vector<guint8> names = bytes_of(l, 640 * 480);
    const rdp::RoomScene scene = rdp::RoomScene::parcels(kSeed, number);
    const rdp::RoomPose pose = scene.pose(number);
    for (int i = 1; i < scene.box_count(); ++i) {
      const rdp::RoomBox& box = scene.box(i);
      fail_unless(box.thing >= 1 && box.thing <= rdp::RoomScene::kMaxParcels);
      double least[2] = {9, 9};
      double most[3] = {-9, -9, -9};
      bool cut = false;
      for (int p = 0; p < 640 * 480; ++p) {
        const auto at = static_cast<std::size_t>(p);
        if (names[at] != box.thing) continue;
        const int column = p % 640;
        const int row = p / 640;
        cut = cut || column == 0 || column == 639 || row == 0 || row == 479;
        const double d = (samples[2 * at] + 256 * samples[2 * at + 1]) / 1000.0;
        rdp::RoomVector point = pose.eye;
        point = along(point, pose.right, (column - camera.principal_x) / camera.focal_length * d);
        point = along(point, pose.down, (row - camera.principal_y) / camera.focal_length_y * d);
        point = along(point, pose.ahead, d);
        const rdp::RoomVector off = along(point, box.centre, -1.0);
        const double x = dot(off, box.axis(0));
        const double y = dot(off, box.axis(2));
        least[0] = std::min(least[0], x);
        least[1] = std::min(least[1], y);
        most[0] = std::max(most[0], x);
        most[1] = std::max(most[1], y);
        most[2] = std::max(most[2], off.y);
      }
      if (cut || most[0] < -8) continue;
      const rdp::RoomVector& half = box.half;
      fail_unless(std::abs(most[2] - half.y) < 0.001, "height of %d", box.thing);
      // Adjacent parcels may hide each other's sides.
      const bool alone =
          (i == 1 || scene.box(i - 1).thing + 1 != box.thing || box.thing % 2 == 1) &&
          (i + 1 == scene.box_count() || scene.box(i + 1).thing != box.thing + 1);
      whole += alone ? 1 : 0;
      const double tolerance = 0.006;  // two pixels
      for (const double end :
           {most[0] - half.x, most[1] - half.z, -least[0] - half.x, -least[1] - half.z}) {
        fail_unless(end < 0.001 && (!alone || end > -tolerance), "parcel %d: %g", box.thing, end);
      }
    }
  }
  fail_unless(whole > 60, "%d", whole);
  // The belt moves by 16 mm per frame, endlessly.
  const rdp::RoomScene now = rdp::RoomScene::parcels(kSeed, 7);
  const rdp::RoomScene next = rdp::RoomScene::parcels(kSeed, 8 + 3 * rdp::RoomScene::kBeltFrames);
  for (int i = 0; i < now.box_count(); ++i) {
    const double step = next.box(i).centre.x - now.box(i).centre.x;
    const double expected = i == 0 ? 0.0 : step > 0.0 ? 0.016 : 0.016 - 8.0;
    fail_unless(std::abs(step - expected) < 1e-9);
    fail_unless(next.box(i).half.x == now.box(i).half.x);
  }
}

// The view determines the caps, so it is fixed while the stream runs.
CHECK_TEST(test_property) {
  g_autoptr(GstElement) element = gst_element_factory_make("depthtestsrc", nullptr);
  GParamSpec* pspec = g_object_class_find_property(G_OBJECT_GET_CLASS(element), "view");
  fail_unless(pspec != nullptr && (pspec->flags & GST_PARAM_MUTABLE_READY) != 0);
  gint view = -1;
  g_object_get(element, "view", &view, nullptr);
  fail_unless_equals_int(view, 0);
  std::vector<std::string> nicks;
  const GEnumClass* values = G_PARAM_SPEC_ENUM(pspec)->enum_class;
  for (guint i = 0; i < values->n_values; ++i) nicks.push_back(values->values[i].value_nick);
  std::vector<std::string> names(std::begin(kViews), std::end(kViews));
  // Views that only a few patterns have.
  for (const char* name : {"heights", "color", "color-depth"}) names.emplace_back(name);
  fail_unless(nicks == names);
}

// After a seek, both eyes show the target moment.
CHECK_TEST(test_seek) {
  Options options;
  for (const char* view : {"left", "right"}) {
    const rdp::Eye eye = g_str_equal(view, "left") ? rdp::Eye::kLeft : rdp::Eye::kRight;
    g_autoptr(GstElement) pipeline = gst_parse_launch(
        (std::string("depthtestsrc view=") + view +
         " ! video/x-raw,width=60,height=40,framerate=10/1 ! appsink name=sink sync=false")
            .c_str(),
        nullptr);
    fail_unless(pipeline != nullptr);
    gst_element_set_state(pipeline, GST_STATE_PAUSED);
    gst_element_get_state(pipeline, nullptr, nullptr, 20 * GST_SECOND);
    fail_unless(gst_element_seek_simple(pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
                                        777 * GST_SECOND / 10));
    gst_element_get_state(pipeline, nullptr, nullptr, 20 * GST_SECOND);
    g_autoptr(GstElement) sink = gst_bin_get_by_name(GST_BIN(pipeline), "sink");
    GstSample* sample = nullptr;
    g_signal_emit_by_name(sink, "pull-preroll", &sample);
    fail_unless(sample != nullptr);
    GstVideoInfo info;
    fail_unless(gst_video_info_from_caps(&info, gst_sample_get_caps(sample)));
    GstBuffer* buffer = gst_sample_get_buffer(sample);
    fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), 777 * GST_SECOND / 10);
    check_picture(buffer, info, 0, picture_of(777, options, eye, 60, 40), 60);
    gst_sample_unref(sample);
    gst_element_set_state(pipeline, GST_STATE_NULL);
  }
}

CHECK_CASE(depthtestsrc_views)
