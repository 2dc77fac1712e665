// SPDX-License-Identifier: LGPL-2.1-or-later
// heightmap's output compared with the definition: cameras from files and on buffers, formats, any
// reference view, lens distortion, depths, the ground raster, areas.
#include "tests/heightmap/heights_rig.h"
#include "tests/support/check_test.h"

using namespace heights_rig;
using rdp::test::BlockCamera;
using rdp::test::ExpectedHeights;

namespace {

// The expected map must be meaningful: some pixels are known, and some are not.
void check_tells(const ExpectedHeights& of) {
  const auto pixels = static_cast<gint64>(of.heights.size());
  fail_unless(of.map.known > pixels / 20 && of.map.known < pixels * 19 / 20,
              "%d of %d pixels are known", static_cast<int>(of.map.known),
              static_cast<int>(pixels));
}

CHECK_TEST(test_cameras_of_a_file) {
  const std::vector<BlockCamera> cameras = three();
  rdp::test::Folder folder;
  Rig rig(kQuick + calibration_of(&folder, cameras), {0, 1, 2});
  rig.set_caps_of(draw(cameras));
  for (unsigned scene = 0; scene < 3; ++scene) {
    rig.push_set(draw(cameras, scene), scene * heights_rig::kFrame);
  }
  rig.check_runs();
  fail_unless_equals_int(rig.received().buffers.size(), 3);
  for (unsigned scene = 0; scene < 3; ++scene) {
    const ExpectedHeights of = expected(cameras, draw(cameras, scene));
    check_tells(of);
    check_heights(rig.received().buffers[scene], of, "scene " + std::to_string(scene));
  }
  fail_unless_equals_uint64(rig.stat("sets"), 3);
  fail_unless_equals_uint64(rig.stat("iterations"), 6);
  fail_unless_equals_uint64(rig.stat("unpaired") + rig.stat("dropped") + rig.stat("wide"), 0);
  for (int pad = 0; pad < 3; ++pad) fail_unless_equals_uint64(rig.stat_of(pad, "used"), 3);
  fail_unless(rig.warnings.empty(), "%s", rig.warnings[0].c_str());
}

// Buffers carry a pose, or the matrix from a calibration file.
CHECK_TEST(test_cameras_on_buffers) {
  const std::vector<BlockCamera> cameras = two();
  for (const bool projection : {false, true}) {
    Rig rig(kQuick, {0, 1});
    const std::vector<Content> pictures = draw(cameras);
    rig.set_caps_of(pictures);
    for (int i = 0; i < 2; ++i) {
      GstBuffer* frame = timed(frames::new_buffer(pictures[static_cast<std::size_t>(i)]), 0);
      rig.push(Rig::source(i).c_str(),
               with_camera(frame, cameras[static_cast<std::size_t>(i)], projection));
    }
    rig.check_runs();
    check_heights(rig.received().buffers[0], expected(cameras, pictures),
                  projection ? "projection" : "pose");
  }
}

// A moved camera on the buffers makes a new rig.
CHECK_TEST(test_cameras_that_change) {
  const std::vector<BlockCamera> before = two();
  std::vector<BlockCamera> after = before;
  after[1] = rdp::test::block_camera(2, 48, 36);
  Rig rig(kQuick, {0, 1});
  rig.set_caps_of(draw(before));
  for (int set = 0; set < 4; ++set) {
    const std::vector<BlockCamera>& cameras = set < 2 ? before : after;
    const std::vector<Content> pictures = draw(cameras);
    for (int i = 0; i < 2; ++i) {
      const auto view = static_cast<std::size_t>(i);
      rig.push(Rig::source(i).c_str(),
               with_camera(timed(frames::new_buffer(pictures[view]), set * heights_rig::kFrame),
                           cameras[view]));
    }
  }
  rig.check_runs();
  fail_unless_equals_int(rig.received().buffers.size(), 4);
  for (std::size_t set = 0; set < 4; ++set) {
    const std::vector<BlockCamera>& cameras = set < 2 ? before : after;
    check_heights(rig.received().buffers[set], expected(cameras, draw(cameras)),
                  "set " + std::to_string(set));
  }
}

// An NV12 or I420 frame whose luma is the picture.
GstBuffer* colour(const Content& picture, GstVideoFormat format) {
  GstVideoInfo info;
  gst_video_info_set_format(&info, format, static_cast<guint>(picture.shape.width),
                            static_cast<guint>(picture.shape.height));
  GstBuffer* result = gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&info), nullptr);
  gst_buffer_memset(result, 0, 0x5A, GST_VIDEO_INFO_SIZE(&info));
  const auto width = static_cast<gsize>(picture.shape.width);
  for (gsize row = 0; row < static_cast<gsize>(picture.shape.height); ++row) {
    gst_buffer_fill(result, row * static_cast<gsize>(info.stride[0]),
                    picture.samples.data() + row * width, width);
  }
  return result;
}

// Each view in a format of its own, and one of them cropped in place.
CHECK_TEST(test_formats) {
  const std::vector<BlockCamera> cameras = three();
  const std::vector<Content> pictures = draw(cameras);
  rdp::test::Folder folder;
  Rig rig(kQuick + calibration_of(&folder, cameras), {0, 1, 2});
  rig.set_caps_of(pictures);
  Shape second = pictures[1].shape;
  second.format = GST_VIDEO_FORMAT_I420;
  rig.set_caps("view1", frames::caps_string(second));
  Shape third = pictures[2].shape;
  third.format = GST_VIDEO_FORMAT_NV12;
  rig.set_caps("view2", frames::caps_string(third));
  // The first view is the centre of a larger picture.
  Content larger({GST_VIDEO_FORMAT_GRAY8, 60, 50});
  for (int row = 0; row < 36; ++row) {
    for (int column = 0; column < 48; ++column) {
      larger.view().set(row + 7, column + 5, pictures[0].view().at(row, column));
    }
  }
  GstBuffer* first = timed(frames::new_buffer(larger), 0);
  frames::add_video_meta(first, larger.shape, 60);
  GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(first);
  crop->x = 5;
  crop->y = 7;
  crop->width = 48;
  crop->height = 36;
  rig.push("view0", first);
  rig.push("view1", timed(colour(pictures[1], GST_VIDEO_FORMAT_I420), 0));
  rig.push("view2", timed(colour(pictures[2], GST_VIDEO_FORMAT_NV12), 0));
  rig.check_runs();
  check_heights(rig.received().buffers[0], expected(cameras, pictures), "formats");
}

GstRdpCameraInfo camera_of(GstBuffer* buffer) {
  g_autoptr(GError) error = nullptr;
  g_autoptr(GstRdpCamera) camera = gst_rdp_buffer_get_camera(buffer, &error);
  fail_unless(camera != nullptr, "%s", error != nullptr ? error->message : "there is no camera");
  return *gst_rdp_camera_get_info(camera);
}

// Pad numbers identify the views, independently of the order of requests. The output belongs to the
// reference view.
CHECK_TEST(test_any_reference) {
  const std::vector<BlockCamera> cameras = three();
  const std::vector<Content> pictures = draw(cameras);
  rdp::test::Folder folder;
  const std::string calibration = calibration_of(&folder, cameras);
  for (int reference = 0; reference < 3; ++reference) {
    const auto view = static_cast<std::size_t>(reference);
    Rig rig(kQuick + calibration + "reference=" + std::to_string(reference), {2, 0, 1});
    rig.set_caps_of(pictures);
    // Each view at a time of its own.
    rig.push_set(pictures, 100 * GST_MSECOND, {GST_MSECOND, 2 * GST_MSECOND, 0});
    rig.check_runs();
    GstBuffer* got = rig.received().buffers[0];
    check_heights(got, expected(cameras, pictures, reference),
                  "reference " + std::to_string(reference));
    const guint64 times[] = {101, 102, 100};
    fail_unless_equals_uint64(GST_BUFFER_PTS(got), times[view] * GST_MSECOND);
    fail_unless_equals_uint64(rig.stat("spread"), 2 * GST_MSECOND);
    fail_unless_equals_uint64(gst_rdp_heights_get_info(gst_rdp_buffer_get_heights(got))->spread,
                              2 * GST_MSECOND);
    const std::string caps = rig.received().caps();
    rdp::test::check_has(caps, "GRAY16_LE");
    rdp::test::check_has(caps, ("width=(int)" + std::to_string(cameras[view].view.width)).c_str());
    const GstRdpCameraInfo info = camera_of(got);
    fail_unless_equals_int(info.width, static_cast<guint>(cameras[view].view.width));
    fail_unless_equals_int(info.measures, GST_RDP_MEASURE_UNKNOWN);
    fail_unless(info.depth_unit == 0.0 && info.has_pose && info.has_projection);
    fail_unless(info.projection[3] == cameras[view].view.projection[0][3]);
  }
}

CHECK_TEST(test_depths) {
  const std::vector<BlockCamera> cameras = two();
  const std::vector<Content> pictures = draw(cameras);
  const ExpectedHeights of = expected(cameras, pictures);
  rdp::test::Folder folder;
  const std::string settings = kQuick + calibration_of(&folder, cameras) + "output=depth-mm ";
  Rig rig(settings, {0, 1});
  rig.set_caps_of(pictures);
  rig.push_set(pictures, 0);
  rig.check_runs();
  check_heights(rig.received().buffers[0], of, "depths", true);
  const GstRdpCameraInfo info = camera_of(rig.received().buffers[0]);
  fail_unless_equals_int(info.measures, GST_RDP_MEASURE_DEPTH);
  fail_unless(info.depth_unit == 0.001);

  // depthpoints gives metres, and points as high above the ground as their labels.
  Rig points(settings, {0, 1}, "! depthpoints");
  points.set_caps_of(pictures);
  points.push_set(pictures, 0);
  points.check_runs();
  GstBuffer* cloud = points.received().buffers[0];
  std::vector<float> at(3 * of.heights.size());
  fail_unless_equals_int(gst_buffer_extract(cloud, 0, at.data(), at.size() * sizeof(float)),
                         at.size() * sizeof(float));
  int known = 0;
  for (std::size_t i = 0; i < of.heights.size(); ++i) {
    if (of.heights[i] == 0) continue;
    ++known;
    const float* p = &at[3 * i];
    const double* pose = cameras[0].pose;
    const double z = pose[8] * p[0] + pose[9] * p[1] + pose[10] * p[2] + pose[11];
    // Depths are whole millimetres.
    fail_unless(std::fabs(z - of.heights[i] / 1000.0) < 0.001, "pixel %d: %g m, not %d mm",
                static_cast<int>(i), z, of.heights[i]);
  }
  fail_unless(known > 50, "%d", known);
}

CHECK_TEST(test_ground) {
  const std::vector<BlockCamera> cameras = two();
  const std::vector<Content> pictures = draw(cameras);
  const rdp::heightmap::Area area = {{-1010, -500}, {990, -500}, {990, 700}, {-1010, 700}};
  const ExpectedHeights of = expected(cameras, pictures, 0, quick(), area);
  rdp::test::Folder folder;
  Rig rig(kQuick + calibration_of(&folder, cameras) +
              "area=\"-1.01,-.5  .99,-0.5 .99,0.7 -1.01,7e-1 \" cell-size=0.04 ",
          {0, 1}, " ! fakesink name=main sync=false async=false h.ground");
  rig.set_caps_of(pictures);
  rig.push_set(pictures, 0);
  rig.push_set(pictures, heights_rig::kFrame);
  rig.check_runs();
  fail_unless_equals_int(rig.received().buffers.size(), 2);
  const rdp::heightmap::GroundGrid grid = rdp::heightmap::ground_grid(area, 40);
  const auto width = static_cast<int>(grid.columns);
  const auto height = static_cast<int>(grid.rows);
  fail_unless_equals_int(grid.x, -1040);
  fail_unless_equals_int(width, 51);
  fail_unless_equals_int(height, 31);
  std::vector<std::uint16_t> cells(static_cast<std::size_t>(width) *
                                   static_cast<std::size_t>(height));
  rdp::heightmap::draw_ground(of.rig, of.parameters, of.map.labels, grid,
                              {reinterpret_cast<std::byte*>(cells.data()), 2 * width, width, height,
                               rdp::SampleType::kU16});
  const std::string caps = rig.received().caps();
  for (const char* part : {"GRAY16_LE", "width=(int)51", "height=(int)31", "framerate"}) {
    rdp::test::check_has(caps, part);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    GstBuffer* got = rig.received().buffers[i];
    fail_unless(heights_rig::samples(got, width, height) == cells);
    fail_unless_equals_uint64(GST_BUFFER_PTS(got), i * heights_rig::kFrame);
    fail_unless(gst_buffer_get_rdp_camera_meta(got) == nullptr);
  }
  fail_unless(std::any_of(cells.begin(), cells.end(), [](int cell) { return cell >= 400; }));
}

// Heads outside the area are not listed, and the metadata gives the raster's place.
CHECK_TEST(test_area) {
  const std::vector<BlockCamera> cameras = two();
  const std::vector<Content> pictures = draw(cameras);
  rdp::test::Folder folder;
  const std::string settings = kQuick + calibration_of(&folder, cameras);
  std::size_t heads[2] = {};
  const rdp::heightmap::Area half = {{-5000, -5000}, {-100, -5000}, {-100, 5000}, {-5000, 5000}};
  for (const bool whole : {true, false}) {
    const ExpectedHeights of =
        expected(cameras, pictures, 0, quick(), whole ? rdp::heightmap::Area{} : half);
    heads[whole ? 0 : 1] = of.map.heads.size();
    Rig rig(settings + (whole ? "" : "area=\"-5,-5 -0.1,-5 -0.1,5 -5,5\""), {0, 1});
    rig.set_caps_of(pictures);
    rig.push_set(pictures, 0);
    rig.check_runs();
    GstBuffer* got = rig.received().buffers[0];
    check_heights(got, of, whole ? "everywhere" : "area");
    fail_unless_equals_uint64(rig.stat("heads"), of.map.heads.size());
    const GstRdpHeightsInfo& info = *gst_rdp_heights_get_info(gst_rdp_buffer_get_heights(got));
    fail_unless_equals_int(info.ground_columns, whole ? 0 : 98);
    fail_unless_equals_int(info.ground_rows, whole ? 0 : 200);
    if (!whole) fail_unless(info.ground_x == -5.0 && info.ground_cell == 0.05);
  }
  fail_unless(heads[1] < heads[0], "%d of %d heads", static_cast<int>(heads[1]),
              static_cast<int>(heads[0]));
}

// Distorted views are resampled first, with the same matrix; src's camera has no distortion.
CHECK_TEST(test_lenses_that_distort) {
  const std::vector<BlockCamera> cameras = two();
  const std::vector<Content> pictures = draw(cameras);
  const double k1 = -0.12;
  std::vector<Content> straight = pictures;
  straight[1] = heights_rig::straightened(cameras[1], pictures[1], k1);
  fail_unless(straight[1].samples != pictures[1].samples);
  for (const int reference : {0, 1}) {
    for (const int threads : {1, 3}) {
      Rig rig(
          kQuick + "reference=" + std::to_string(reference) + " threads=" + std::to_string(threads),
          {0, 1});
      rig.set_caps_of(pictures);
      for (int i = 0; i < 2; ++i) {
        const auto view = static_cast<std::size_t>(i);
        rig.push(Rig::source(i).c_str(),
                 heights_rig::with_lens(timed(frames::new_buffer(pictures[view]), 0), cameras[view],
                                        i == 1 ? k1 : 0.0));
      }
      rig.check_runs();
      GstBuffer* got = rig.received().buffers[0];
      check_heights(got, expected(cameras, straight, reference),
                    "reference " + std::to_string(reference));
      fail_unless(camera_of(got).distortion[0] == 0.0);
    }
  }
}

// Pixels that the lens does not show, beyond its corners, are textureless and unknown.
CHECK_TEST(test_what_lenses_do_not_show) {
  const std::vector<BlockCamera> cameras = heights_rig::cameras({{160, 120}, {160, 120}});
  const std::vector<Content> pictures = draw(cameras);
  const double k1 = 1.5;
  Rig rig(kQuick, {0, 1});
  rig.set_caps_of(pictures);
  std::vector<Content> straight;
  for (std::size_t i = 0; i < 2; ++i) {
    straight.push_back(heights_rig::straightened(cameras[i], pictures[i], k1));
    rig.push(Rig::source(static_cast<int>(i)).c_str(),
             heights_rig::with_lens(timed(frames::new_buffer(pictures[i]), 0), cameras[i], k1));
  }
  rig.check_runs();
  check_heights(rig.received().buffers[0], expected(cameras, straight), "corners");
  const std::vector<std::uint16_t> heights =
      heights_rig::samples(rig.received().buffers[0], 160, 120);
  for (const std::size_t corner : {0, 159, 119 * 160, 120 * 160 - 1}) {
    fail_unless(straight[0].samples[corner] == std::byte{0});
    fail_unless_equals_int(heights[corner], 0);
  }
}

// The maximum of 16 views.
CHECK_TEST(test_many_views) {
  std::vector<heights_rig::Size> sizes(16, {40, 30});
  const std::vector<BlockCamera> cameras = heights_rig::cameras(sizes);
  const std::vector<Content> pictures = draw(cameras);
  rdp::test::Folder folder;
  std::vector<int> pads;
  for (int i = 15; i >= 0; --i) pads.push_back(i);
  Rig rig(kQuick + calibration_of(&folder, cameras) + "reference=7", pads);
  GstPad* more = gst_element_request_pad_simple(rig.element(), "sink_16");
  fail_unless(more == nullptr);
  rig.set_caps_of(pictures);
  rig.push_set(pictures, 0);
  rig.check_runs();
  check_heights(rig.received().buffers[0], expected(cameras, pictures, 7), "16 views");
  fail_unless(rig.warnings.size() == 1);
  rdp::test::check_has(rig.warnings[0], "There are 16 pads sink_%u already");
}

// Heights change while it plays; inconsistent settings leave the previous ones in force.
CHECK_TEST(test_settings_that_change) {
  const std::vector<BlockCamera> cameras = two();
  const std::vector<Content> pictures = draw(cameras);
  rdp::test::Folder folder;
  Rig rig(kQuick + calibration_of(&folder, cameras), {0, 1});
  rig.set_caps_of(pictures);
  rig.play();
  std::vector<rdp::heightmap::Parameters> used;
  rdp::heightmap::Parameters now = quick();
  const auto play = [&](const rdp::heightmap::Parameters& parameters) {
    rig.push_set(pictures, used.size() * heights_rig::kFrame);
    used.push_back(parameters);
    fail_unless(rdp::test::await([&] { return rig.received().count == used.size(); }));
  };
  play(now);
  g_object_set(rig.element(), "max-height", 0.7, "unknown-cost", 60U, "slope", FALSE, nullptr);
  now.max_height = 700;
  now.unknown_cost = 60;
  now.slope = false;
  play(now);
  g_object_set(rig.element(), "min-height", 0.9, nullptr);  // above max-height
  play(now);
  play(now);
  g_object_set(rig.element(), "max-height", 1.3, nullptr);
  now.min_height = 900;
  now.max_height = 1300;
  play(now);
  g_object_set(rig.element(), "reference", 15U, nullptr);  // takes effect at the next start
  play(now);
  // Above the cameras.
  g_object_set(rig.element(), "min-height", 60.0, "max-height", 60.0, nullptr);
  play(now);
  play(now);
  g_object_set(rig.element(), "min-height", 0.9, "max-height", 1.2, nullptr);
  now.max_height = 1200;
  play(now);
  rig.end_all();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s", error.c_str());
  for (std::size_t i = 0; i < used.size(); ++i) {
    check_heights(rig.received().buffers[i], expected(cameras, pictures, 0, used[i]),
                  "set " + std::to_string(i));
  }
  fail_unless_equals_int(rig.warnings.size(), 2);
  heights_rig::check_says(rig.warnings[0],
                          {"stay in effect", "max-height=0.7 is below", "min-height=0.9"});
  heights_rig::check_says(
      rig.warnings[1],
      {"stay in effect", "is exactly at one of the searched heights", "0 to 60 m"});
}

}  // namespace

CHECK_CASE(heightmap_element, .seconds = 120)
