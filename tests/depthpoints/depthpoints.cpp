// SPDX-License-Identifier: LGPL-2.1-or-later
// depthpoints on the CPU: point clouds equal the reference, with the frames' time and camera;
// errors and their texts.
#include "tests/depthpoints/points_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/segmentation_fixture.h"
#include "tests/support/temporary_files.h"

using namespace points_rig;
using rdp::test::check_has;

namespace {

constexpr const char* kCloud =
    "application/x-points, format=(string)XYZ32F, point-step=(int)12, offset=(int)0, "
    "unit=(double)1, axes=(string)";

}  // namespace

CHECK_TEST(test_clouds) {
  for (const GstVideoFormat format : {GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_GRAY8}) {
    for (const auto& [width, height] : {std::pair{1, 1}, {3, 2}, {67, 41}, {320, 240}}) {
      for (const bool disparity : {false, true}) {
        for (const bool turned : {false, true}) {
          const Shape shape{format, width, height};
          GstRdpCameraInfo info =
              sized(disparity ? disparity_camera_info() : depth_camera_info(), shape);
          if (!disparity) info.distortion[0] = -0.1;
          const Content content = content_of(shape);
          Rig rig(turned ? "axes=forward-left-up threads=3" : "threads=1 min-value=5");
          rig.set_caps("in", frames::caps_string(shape));
          for (guint i = 0; i < 3; ++i) {
            GstBuffer* frame = buffer_of(content, i * GST_SECOND / 30);
            GST_BUFFER_OFFSET(frame) = i;
            add_camera(frame, info);
            rig.push("in", frame);
          }
          const std::string error = rig.run();
          fail_unless(error.empty(), "%s", error.c_str());
          check_has(rig.received.caps(),
                    (kCloud + std::string(turned ? "forward-left-up" : "camera") + ", width=(int)" +
                     std::to_string(width) + ", height=(int)" + std::to_string(height) +
                     ", framerate=(fraction)")
                        .c_str());
          fail_unless_equals_int(rig.received.buffers.size(), 3);
          rdp::points::Parameters parameters;
          parameters.forward_left_up = turned;
          if (!turned) parameters.known.first = 5;
          const std::vector<float> expected = expected_cloud(content, info, parameters);
          for (guint i = 0; i < 3; ++i) {
            GstBuffer* cloud = rig.received.buffers[i];
            check_cloud(cloud, expected, shape, rig.received.caps());
            fail_unless_equals_uint64(GST_BUFFER_PTS(cloud), i * GST_SECOND / 30);
            fail_unless_equals_uint64(GST_BUFFER_DURATION(cloud), GST_SECOND / 30);
            fail_unless_equals_uint64(GST_BUFFER_OFFSET(cloud), i);
            const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(cloud);
            fail_unless(meta != nullptr);
            fail_unless(gst_rdp_camera_get_info(meta->camera)->focal_length == info.focal_length);
          }
        }
      }
    }
  }
}

// Padded rows and a crop in place: the shown part, by the camera of the whole picture.
CHECK_TEST(test_crop) {
  const Shape whole{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48, 0, 160};
  const Shape part{GST_VIDEO_FORMAT_GRAY16_LE, 20, 10};
  const Content content = content_of(whole);
  GstBuffer* frame = buffer_of(content);
  const GstRdpCameraInfo info = sized(depth_camera_info(), whole);
  add_camera(frame, info);
  GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(frame);
  crop->x = 30;
  crop->y = 20;
  crop->width = 20;
  crop->height = 10;
  Rig rig("");
  rig.set_caps("in", frames::caps_string(part));
  rig.push("in", frame);
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s", error.c_str());
  const std::vector<float> all = expected_cloud(content, info);
  std::vector<float> expected;
  for (int row = 20; row < 30; ++row) {
    const auto first = all.begin() + 3 * (row * 64 + 30);
    expected.insert(expected.end(), first, first + 3 * 20);
  }
  check_cloud(rig.received.buffers.at(0), expected, part, "crop");
}

// Planes and segments of a frame stay on its point cloud. A crop in place shifts their placement.
CHECK_TEST(test_results_of_the_frame) {
  const Shape whole{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48, 0, 160};
  GstRdpPlanesInfo info;
  gst_rdp_planes_info_init(&info);
  info.width = 64;
  info.height = 48;
  info.n_points = 64 * 48;
  GstRdpPlane plane{};
  plane.normal_y = -1.0F;
  const std::vector<guint8> labels(info.n_points, 1);
  g_autoptr(GstRdpPlanes) planes =
      gst_rdp_planes_new(&info, &plane, 1, nullptr, 0, labels.data(), labels.size());
  g_autoptr(GstRdpSegmentation) segments = new_three_columns();
  for (const bool cropped : {false, true}) {
    GstBuffer* frame = buffer_of(content_of(whole));
    add_camera(frame, sized(depth_camera_info(), whole));
    gst_buffer_add_rdp_planes_meta(frame, planes);
    gst_buffer_add_rdp_segment_meta(frame, segments);
    if (cropped) {
      GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(frame);
      crop->x = 30;
      crop->y = 20;
      crop->width = 20;
      crop->height = 10;
    }
    Rig rig("");
    rig.set_caps("in", frames::caps_string({whole.format, cropped ? 20 : 64, cropped ? 10 : 48}));
    rig.push("in", frame);
    const std::string error = rig.run();
    fail_unless(error.empty(), "%s", error.c_str());
    GstBuffer* cloud = rig.received.buffers.at(0);
    const GstRdpPlanesMeta* of_planes = gst_buffer_get_rdp_planes_meta(cloud);
    const GstRdpSegmentMeta* of_segments = gst_buffer_get_rdp_segment_meta(cloud);
    fail_unless(of_planes != nullptr && of_planes->planes == planes);
    fail_unless(of_segments != nullptr && of_segments->segmentation == segments);
    for (const auto& [x, y] : {std::pair{of_planes->offset_x, of_planes->offset_y},
                               {of_segments->offset_x, of_segments->offset_y}}) {
      fail_unless_equals_float(x, cropped ? -30.0 : 0.0);
      fail_unless_equals_float(y, cropped ? -20.0 : 0.0);
    }
  }
}

// The camera of the frames and the frame size change in mid-stream.
CHECK_TEST(test_changes) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 40, 30};
  const Shape other{GST_VIDEO_FORMAT_GRAY8, 50, 20};
  const Content content = content_of(shape);
  GstRdpCameraInfo cameras[] = {
      sized(depth_camera_info(), shape), sized(depth_camera_info(), shape),
      sized(disparity_camera_info(), shape), sized(depth_camera_info(), other)};
  cameras[1].distortion[0] = -0.2;
  Rig rig("");
  for (const GstRdpCameraInfo& info : cameras) {
    const bool last = &info == &cameras[3];
    g_autoptr(GstBuffer) frame = buffer_of(last ? content_of(other) : content);
    add_camera(frame, info);
    g_autoptr(GstCaps) caps = frames::caps(last ? other : shape);
    g_autoptr(GstSample) sample = gst_sample_new(frame, caps, nullptr, nullptr);
    GstFlowReturn flow;
    g_signal_emit_by_name(rig.get("in"), "push-sample", sample, &flow);
  }
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s", error.c_str());
  fail_unless_equals_int(rig.received.buffers.size(), 4);
  for (std::size_t i = 0; i < 4; ++i) {
    check_cloud(rig.received.buffers[i],
                expected_cloud(i == 3 ? content_of(other) : content, cameras[i]),
                i == 3 ? other : shape, "camera " + std::to_string(i));
  }
}

CHECK_TEST(test_properties) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 40, 30};
  const Content content = content_of(shape);
  Rig rig("focal-length=32 principal-x=20 principal-y=15 depth-unit=0.001 max-value=20000");
  rig.set_caps("in", frames::caps_string(shape));
  rig.push("in", buffer_of(content));
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s", error.c_str());
  rdp::points::Parameters parameters;
  parameters.known.last = 20000;
  check_cloud(rig.received.buffers.at(0),
              expected_cloud(content, sized(depth_camera_info(), shape), parameters), shape,
              "properties");
  fail_unless(gst_buffer_get_rdp_camera_meta(rig.received.buffers[0]) != nullptr);
}

CHECK_TEST(test_errors) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 40, 30};
  const struct {
    const char* properties;
    const char* says;
  } cases[] = {
      {"", "focal-length"},
      {"focal-length=100", "measures"},
      {"focal-length=100 measures=depth", "depth-unit"},
      {"focal-length=100 measures=disparity", "baseline"},
      {"focal-length=100 depth-unit=0.001 min-value=9 max-value=8", "min-value=9 and max-value=8"},
  };
  for (const auto& one : cases) {
    Rig rig(one.properties);
    rig.set_caps("in", frames::caps_string(shape));
    rig.push("in", buffer_of(content_of(shape)));
    check_has(rig.run(), one.says);
    fail_unless(rig.received.buffers.empty());
  }
  // Linking fails for other axes.
  g_autoptr(GError) error = nullptr;
  GstElement* pipeline = gst_parse_launch(
      "fakesrc ! depthpoints axes=camera ! application/x-points,axes=forward-left-up ! fakesink",
      &error);
  fail_unless(error != nullptr && error->code == GST_PARSE_ERROR_LINK);
  gst_clear_object(&pipeline);
}

// A lost camera gives a warning and unknown points, never wrong metres.
CHECK_TEST(test_lost_camera) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 40, 30};
  GstBuffer* frame = buffer_of(content_of(shape));
  add_camera(frame, sized(depth_camera_info(), {GST_VIDEO_FORMAT_GRAY16_LE, 80, 60}));
  Rig rig("");
  rig.set_caps("in", frames::caps_string(shape));
  rig.push("in", frame);
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s", error.c_str());
  fail_unless_equals_int(rig.warnings.size(), 1);
  check_has(rig.warnings[0], "no metres");
  const std::vector<float> unknown =
      rdp::points::test::expected_cloud(content_of(shape).view(), nullptr, {});
  check_cloud(rig.received.buffers.at(0), unknown, shape, "lost");
  fail_unless(gst_buffer_get_rdp_camera_meta(rig.received.buffers[0]) == nullptr);
}

// A lost unit is not guessed. The frames were scaled to half size with borders, or converted to
// GRAY8. With the unit from the message, distances equal the test source's; with the usual unit
// they would be half.
CHECK_TEST(test_lost_unit) {
  const std::string source =
      "depthtestsrc num-buffers=1 ! video/x-raw,format=GRAY16_LE,width=320,height=240 ! tee name=t "
      "t. ! queue ! depthpoints ! fakesink name=whole async=false sync=false "
      "t. ! queue ! ";
  const struct {
    const char* way;
    const char* properties;
    const char* unit;
    int height;
    int border;
  } cases[] = {
      {"videoscale method=nearest-neighbour add-borders=true ! "
       "video/x-raw,width=160,height=140,pixel-aspect-ratio=1/1",
       "focal-length=92.75 principal-x=79.5 principal-y=64.72 baseline=0.54",
       "disparity-unit=0.001953125", 140, 10},
      {"videoscale method=nearest-neighbour ! video/x-raw,width=160,height=120 ! videoconvert "
       "dither=none ! video/x-raw,format=GRAY8",
       "measures=disparity", "disparity-unit=0.5", 120, 0},
  };
  for (const auto& one : cases) {
    const std::string begin = source + one.way + " ! depthpoints " + one.properties;
    const std::string end = " ! fakesink name=out async=false sync=false";
    // Since 1.28, scaling reports its borders, and the camera follows.
    if (one.border == 0 || !GST_CHECK_VERSION(1, 28, 0)) {
      rdp::test::PipelineRig rig(begin + end);
      rig.play();
      const std::string error = rig.wait();
      check_has(error, "A cloud of points needs metres: the samples are disparity");
      check_has(error, (std::string("set ") + one.unit).c_str());
      gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
    }
    rdp::test::PipelineRig rig(begin + " " + one.unit + end);
    rdp::test::Received whole(rig.get("whole"));
    rdp::test::Received part(rig.get("out"));
    rig.play();
    const std::string error = rig.wait();
    fail_unless(error.empty(), "%s", error.c_str());
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
    // The depth of a pixel, in metres. The two pixels compared show the same piece of street.
    const auto depth_at = [](GstBuffer* cloud, int width, int column, int row) {
      float z = 0;
      gst_buffer_extract(cloud, sizeof(float) * (3 * static_cast<gsize>(row * width + column) + 2),
                         &z, sizeof z);
      return static_cast<double>(z);
    };
    const double before = depth_at(whole.buffers.at(0), 320, 160, 238);
    const double after = depth_at(part.buffers.at(0), 160, 80, one.height - one.border - 1);
    fail_unless(before > 1.0 && std::fabs(after - before) < 0.05 * before, "%s: %g m, not %g m",
                one.way, after, before);
  }
}

// Many cameras write 65535 for unknown. It counts as known; a depth stream gets one warning if more
// than 1 % of the first frame after new caps is 65535.
CHECK_TEST(test_largest_sample) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 40, 30};
  const Shape other{GST_VIDEO_FORMAT_GRAY16_LE, 40, 31};
  const auto frame_of = [](const Shape& of, int largest) {
    Content content = content_of(of);
    for (int i = 0; i < largest; ++i) content.view().set(i / 40, i % 40, 65535);
    return buffer_of(content);
  };
  const rdp::test::Folder folder;
  const std::string target = folder.path() + "/target.json";
  fail_unless(g_file_set_contents(target.c_str(), R"({"size":[40,30],"focal-length":100})", -1,
                                  nullptr) != FALSE);
  const struct {
    std::string element;
    int first, second, of_other;  // samples of 65535
    int warnings;
  } cases[] = {
      {"depthpoints focal-length=100 depth-unit=0.001", 13, 13, 14, 1},
      {"depthpoints focal-length=100 depth-unit=0.001", 12, 100, 12, 0},
      {"depthpoints focal-length=100 depth-unit=0.001", 12, 100, 13, 1},
      {"depthpoints focal-length=100 depth-unit=0.001 max-value=65534", 900, 900, 900, 0},
      {"depthpoints focal-length=100 baseline=0.5", 900, 900, 900, 0},
      {"rdpsegment domain=inverse", 900, 900, 900, 1},
      {"rdpsegment measures=depth", 900, 900, 900, 1},
      {"rdpsegment", 900, 900, 900, 0},
      {"rdpsegment domain=inverse max-value=10000", 900, 900, 900, 0},
      {"depthplanes", 900, 900, 900, 1},
      {"depthplanes max-value=60000", 900, 900, 900, 0},
      {"depthalign focal-length=100 depth-unit=0.001 target-calibration=" + target +
           " extrinsics=<1.,0.,0.,0.,0.,1.,0.,0.,0.,0.,1.,0.>",
       900, 900, 900, 1},
  };
  for (const auto& one : cases) {
    rdp::test::PipelineRig rig(std::string("appsrc name=in format=time ! ") + one.element +
                               " ! fakesink async=false sync=false");
    for (const auto& [of, largest] :
         {std::pair{shape, one.first}, {shape, one.second}, {other, one.of_other}}) {
      g_autoptr(GstCaps) caps = frames::caps(of);
      g_autoptr(GstBuffer) frame = frame_of(of, largest);
      g_autoptr(GstSample) sample = gst_sample_new(frame, caps, nullptr, nullptr);
      GstFlowReturn flow;
      g_signal_emit_by_name(rig.get("in"), "push-sample", sample, &flow);
    }
    rig.end({"in"});
    rig.play();
    const std::string error = rig.wait();
    fail_unless(error.empty(), "%s: %s", one.element.c_str(), error.c_str());
    int said = 0;
    for (const std::string& warning : rig.warnings) {
      if (warning.find("are 65535, which many cameras write") == std::string::npos) continue;
      ++said;
      const bool has_range = one.element.find("depthalign") != 0;
      check_has(warning,
                has_range ? "set max-value=65534" : "put depthfilter before, with max-value");
    }
    fail_unless(said == one.warnings, "%s: %d warnings", one.element.c_str(), said);
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  }
}

// Pictures for the first, third and last of five frames: the others have no colours.
CHECK_TEST(test_unpaired) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 20, 10};
  const Content depth = content_of(shape);
  Content picture({GST_VIDEO_FORMAT_RGBA, 20, 10});
  for (std::byte& part : picture.samples) part = std::byte{7};
  rdp::test::PipelineRig rig(
      "appsrc name=in format=time ! depthpoints name=p focal-length=50 depth-unit=0.001 ! fakesink "
      "name=out async=false sync=false appsrc name=video format=time ! p.video");
  rdp::test::Received received(rig.get("out"));
  rig.set_caps("in", frames::caps_string(shape));
  rig.set_caps("video", frames::caps_string(picture.shape));
  for (guint i = 0; i < 5; ++i) {
    rig.push("in", buffer_of(depth, i * GST_SECOND / 30));
    if (i % 2 == 0) rig.push("video", buffer_of(picture, i * GST_SECOND / 30));
  }
  rig.end({"in", "video"});
  rig.play();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s", error.c_str());
  check_has(received.caps(),
            "point-step=(int)16, offset=(int)0, unit=(double)1, axes=(string)camera");
  check_has(received.caps(), "color-offset=(int)12, color-format=(string)RGBA");
  fail_unless_equals_int(received.buffers.size(), 5);
  for (guint i = 0; i < 5; ++i) {
    const std::vector<std::uint8_t> bytes = frames::bytes(received.buffers[i]);
    fail_unless_equals_int(bytes.size(), 200 * 16);
    for (std::size_t at = 12; at < bytes.size(); ++at) {
      if (at % 16 >= 12) fail_unless_equals_int(bytes[at], i % 2 == 0 ? 7 : 0);
    }
  }
  GstStructure* stats = nullptr;
  g_object_get(rig.get("p"), "stats", &stats, nullptr);
  guint64 paired = 0, unpaired = 0;
  gst_structure_get(stats, "paired", G_TYPE_UINT64, &paired, "unpaired", G_TYPE_UINT64, &unpaired,
                    nullptr);
  gst_structure_free(stats);
  fail_unless(paired == 3 && unpaired == 2);
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
}

// Pictures that do not match the depth.
CHECK_TEST(test_refused_pictures) {
  const struct {
    const char* caps;
    const char* says;
  } cases[] = {
      {"video/x-raw,format=RGB,width=640,height=480", "Put depthalign before this element"},
      {"video/x-raw,format=NV12,width=40,height=30", "videoconvert ! video/x-raw,format=RGBA"}};
  for (const auto& one : cases) {
    rdp::test::PipelineRig rig(
        "depthtestsrc num-buffers=3 ! video/x-raw,width=40,height=30 ! depthpoints name=p ! "
        "fakesink appsrc name=video format=time ! p.video");
    rig.set_caps("video", one.caps);
    rig.push("video", gst_buffer_new_allocate(nullptr, 640 * 480 * 3, nullptr));
    rig.end({"video"});
    rig.play();
    check_has(rig.wait(), one.says);
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  }
}

// The source has one frame of latency. Pairing with pictures adds another; depth alone adds none.
CHECK_TEST(test_latency) {
  for (const bool video : {false, true}) {
    rdp::test::PipelineRig rig(
        std::string("depthtestsrc is-live=true ! video/x-raw,framerate=25/1 ! depthpoints name=p ! "
                    "fakesink name=out ") +
        (video ? "videotestsrc is-live=true ! video/x-raw,width=320,height=240,framerate=25/1 ! "
                 "p.video"
               : ""));
    rig.play();
    gst_element_get_state(rig.pipeline(), nullptr, nullptr, 5 * GST_SECOND);
    GstQuery* query = gst_query_new_latency();
    fail_unless(gst_element_query(rig.get("p"), query));
    GstClockTime least = 0;
    gst_query_parse_latency(query, nullptr, &least, nullptr);
    gst_query_unref(query);
    fail_unless(least == (video ? 80 : 40) * GST_MSECOND, "%d ms",
                static_cast<int>(least / GST_MSECOND));
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  }
}

CHECK_CASE(depthpoints)
