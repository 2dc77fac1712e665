// SPDX-License-Identifier: LGPL-2.1-or-later
// depthobstacles beyond the common element tests: sources of the ground, tracks, speeds, and
// messages about unmet requirements.
#include "tests/depthobstacles/obstacles_rig.h"
// After gst/check/gstcheck.h.
#include <cstdlib>
#include <functional>

#include "tests/support/camera_fixture.h"
#include "tests/support/element_stats.h"
#include "tests/support/motion_fixture.h"
#include "tests/support/pipeline_rig.h"
#include "tests/support/planes_fixture.h"
#include "tests/support/segmentation_fixture.h"

using namespace obstacles_rig;

namespace {

const Board kBoards[] = {{1.5, 0.3, -0.1, 0.3}, {2.5, -0.6, -1.1, 0.6}};

Ground truth() { return ground_at(kHeight, kPitch, 3.0); }
Content scene() { return draw(kShape, camera(), truth(), kBoards); }

// A folder of recorded frames; "" if it or its reader is missing.
std::string data(const char* folder) {
  const char* all = std::getenv("RDPSEGMENT_TEST_DATA");
  g_autoptr(GstElementFactory) reader = gst_element_factory_find("pngfoldersrc");
  const std::string path = all == nullptr ? "" : std::string(all) + "/" + folder;
  const bool there = reader != nullptr && g_file_test(path.c_str(), G_FILE_TEST_IS_DIR) != FALSE;
  return there ? path : "";
}

// --- what brings a ground -----------------------------------------------------------------------

void add_planes(GstBuffer* buffer, std::vector<Ground> grounds, int which) {
  PlanesContent content = wall_and_floor();
  content.planes.resize(1);
  content.corners.clear();
  content.planes[0].n_corners = 0;
  for (const Ground& ground : grounds) {
    GstRdpPlane& plane = content.planes.emplace_back();
    plane.normal_x = static_cast<float>(ground.normal[0]);
    plane.normal_y = static_cast<float>(ground.normal[1]);
    plane.normal_z = static_cast<float>(ground.normal[2]);
    plane.distance = static_cast<float>(ground.distance);
  }
  content.info.ground = which;
  content.labels.assign(48, 0);
  g_autoptr(GstRdpPlanes) planes = new_planes(content);
  gst_buffer_add_rdp_planes_meta(buffer, planes);
}

// Adds segments in inverse depth whose class ground lies on `ground`. `scale`: the frame of the
// segments is smaller by this factor.
void add_segments(GstBuffer* buffer, const Ground& ground, double scale = 1.0,
                  const std::function<void(GstRdpSegmentationInfo*)>& change = {}) {
  const MetricCamera of = camera();
  constexpr double kScale = 1e6;
  const double k = kScale * 0.001 / ground.distance;
  const double a = ground.normal[0] * k / of.focal_x;
  const double b = ground.normal[1] * k / of.focal_y;
  const double c = ground.normal[2] * k - a * of.principal_x - b * of.principal_y;
  const double middle = 0.5 * scale - 0.5;
  const auto fixed = [](double v) { return static_cast<gint64>(std::round(v * 4294967296.0)); };
  GstRdpSegmentationInfo info =
      info_of(static_cast<guint>(kShape.width / scale), static_cast<guint>(kShape.height / scale));
  info.domain = GST_RDP_DOMAIN_INVERSE;
  info.inverse_scale = kScale;
  info.classify = TRUE;
  info.ground_per_column = fixed(a * scale);
  info.ground_per_row = fixed(b * scale);
  info.ground_offset = fixed(c + (a + b) * middle);
  if (change) change(&info);
  g_autoptr(GstRdpSegmentation) segments = new_segmentation(info, Columns(info.width));
  GstRdpSegmentMeta* meta = gst_buffer_add_rdp_segment_meta(buffer, segments);
  meta->scale_x = meta->scale_y = scale;
}

// Adds a camera with a pose in a world whose z axis is up; without a pose if `is_known` is false.
void add_pose(GstBuffer* buffer, const Ground& ground, double x = 0.0, bool is_known = true) {
  GstRdpCameraInfo info = depth_camera_info();
  const MetricCamera of = camera();
  info.width = static_cast<guint>(kShape.width);
  info.height = static_cast<guint>(kShape.height);
  info.focal_length = info.focal_length_y = kFocal;
  info.principal_x = of.principal_x;
  info.principal_y = of.principal_y;
  info.has_pose = is_known ? TRUE : FALSE;
  const rdp::obstacles::Axes axes = rdp::obstacles::axes_of(ground);
  for (int row = 0; row < 3; ++row) std::copy_n(axes.r[row], 3, info.pose + 4 * row);
  info.pose[3] = x;
  info.pose[11] = ground.distance;
  g_autoptr(GstRdpCamera) posed = new_camera(info);
  gst_buffer_add_rdp_camera_meta(buffer, posed);
}

void check(GstBuffer* out, const Content& content, const std::optional<Ground>& start,
           GstRdpGroundSource source, const char* what, const Parameters& parameters = near()) {
  const Obstacles expected =
      expect(content.view(), camera(), start ? &*start : nullptr, parameters);
  const std::string wrong = difference(obstacles_of(out), expected, parameters, source);
  fail_unless(wrong.empty(), "%s: %s", what, wrong.c_str());
}

}  // namespace

// Each source, and the priority between several. The grounds differ slightly but refine to the same
// one, so that only the reported source differs.
CHECK_TEST(test_sources) {
  const Ground floor = truth();
  const Ground table = ground_at(1.2, kPitch, 3.0);
  const auto planes = [&](GstBuffer* buffer) { add_planes(buffer, {table, floor}, 2); };
  const auto segments = [&](GstBuffer* buffer) { add_segments(buffer, floor); };
  const auto both = [&](GstBuffer* buffer) {
    planes(buffer);
    segments(buffer);
  };
  const auto other = [&](GstBuffer* buffer) { add_planes(buffer, {floor, table}, 2); };
  const auto pose = [&](GstBuffer* buffer) { add_pose(buffer, floor); };
  const struct {
    const char* what;
    Settings settings;
    std::function<void(GstBuffer*)> add;
    GstRdpGroundSource source;
  } cases[] = {
      {"planes", {{"ground", "planes"}}, both, GST_RDP_GROUND_PLANES},
      {"segments", {{"ground", "segments"}}, both, GST_RDP_GROUND_SEGMENTS},
      {"segments of a smaller frame",
       {{"ground", "segments"}},
       [&](GstBuffer* buffer) { add_segments(buffer, floor, 2.0); },
       GST_RDP_GROUND_SEGMENTS},
      {"a pose", {{"ground", "pose"}}, pose, GST_RDP_GROUND_POSE},
      {"the mount",
       {{"ground", "given"}, {"camera-height", "0.51"}, {"camera-pitch", "14"}},
       both,
       GST_RDP_GROUND_GIVEN},
      {"auto", {}, both, GST_RDP_GROUND_SEGMENTS},
      {"auto of planes", {}, planes, GST_RDP_GROUND_PLANES},
      {"auto of a plane of that height",
       {{"camera-height", "0.45"}, {"camera-pitch", "20"}},
       other,
       GST_RDP_GROUND_PLANES},
      {"auto with no plane of that height",
       {{"camera-height", "0.5"}, {"camera-pitch", "15"}},
       [&](GstBuffer* buffer) { add_planes(buffer, {table}, 1); },
       GST_RDP_GROUND_GIVEN},
  };
  const Content content = scene();
  for (const auto& row : cases) {
    Rig rig(row.settings, false, row.source != GST_RDP_GROUND_POSE);
    rig.begin();
    GstBuffer* buffer = rig.frame(content);
    row.add(buffer);
    g_autoptr(GstBuffer) out = rig.search(buffer);
    check(out, content, floor, row.source, row.what);
    fail_unless(rig.texts().empty());
    fail_unless_equals_uint64(rdp::test::stat_of(rig.element, "found"), 2);
  }
}

// The previous frame's ground is held for a second.
CHECK_TEST(test_held) {
  Rig rig({}, false);
  rig.begin();
  const Content content = scene();
  std::optional<Ground> held = truth();
  for (int number = 0; number < 14; ++number) {
    GstBuffer* buffer = rig.frame(content);
    if (number == 0) add_planes(buffer, {truth()}, 1);
    g_autoptr(GstBuffer) out = rig.search(buffer);
    if (number > 10) held.reset();
    check(out, content, held,
          number == 0 ? GST_RDP_GROUND_PLANES
          : held      ? GST_RDP_GROUND_HELD
                      : GST_RDP_GROUND_NONE,
          "held");
    if (held) held = expect(content.view(), camera(), &*held, near()).ground;
  }
  fail_unless(rig.texts().empty());
  fail_unless_equals_uint64(rdp::test::stat_of(rig.element, "groundless"), 3);
  for (int number = 0; number < 12; ++number) gst_buffer_unref(rig.search(rig.frame(content)));
  const std::string said = rig.texts();
  rdp::test::check_has(said, "There is no ground to find obstacles on");
  fail_unless(said.find("warning", 10) == std::string::npos, "%s", said.c_str());
}

// Messages for the first frame and at end of stream.
CHECK_TEST(test_messages) {
  const auto nothing = [](GstBuffer*) {};
  const auto segments = [](const std::function<void(GstRdpSegmentationInfo*)>& change) {
    return [=](GstBuffer* buffer) { add_segments(buffer, truth(), 1.0, change); };
  };
  const struct {
    Settings settings;
    std::function<void(GstBuffer*)> add;
    const char* text;
  } cases[] = {
      {{}, nothing, "put depthplanes (rooms) or rdpsegment classify=true (roads) before it"},
      {{}, [](GstBuffer* buffer) { add_planes(buffer, {}, -1); }, "depthplanes found no ground"},
      {{{"ground", "planes"}}, nothing, "put depthplanes before it"},
      {{{"ground", "segments"}}, nothing, "put rdpsegment classify=true before it"},
      {{}, segments([](auto* info) { info->classify = FALSE; }), "set classify=true on rdpsegment"},
      {{}, segments([](auto* info) { info->domain = GST_RDP_DOMAIN_LINEAR; }), "domain=inverse"},
      {{},
       segments([](auto* info) {
         info->ground_per_column = info->ground_per_row = info->ground_offset = 0;
       }),
       "rdpsegment found no ground on it"},
  };
  for (const auto& row : cases) {
    Rig rig(row.settings, false);
    rig.begin();
    GstBuffer* buffer = rig.frame(scene());
    row.add(buffer);
    g_autoptr(GstBuffer) out = rig.search(buffer);
    check(out, scene(), {}, GST_RDP_GROUND_NONE, row.text);
    const std::string first = rig.texts();
    rdp::test::check_has(first, row.text);
    rdp::test::check_has(first, "There is no ground to find obstacles on");
    gst_harness_push_event(rig.main, gst_event_new_eos());
    rdp::test::check_has(rig.texts(), "No frame had a ground");
  }
}

// Invalid settings: an error with the first frame, a warning while playing.
CHECK_TEST(test_settings) {
  const struct {
    Settings settings;
    const char* text;
  } cases[] = {
      {{{"ground", "given"}, {"camera-height", "0"}}, "ground=given needs camera-height"},
      {{{"min-height", "3"}}, "min-height=3 is not below max-height=2"},
      {{{"cell-size", "0.004"}}, "make 1250 cells from the camera to the range, expected at most"},
      {{{"area", "0,0 1,1"}}, "area=\"0,0 1,1\" is no polygon"},
      {{{"area", "0,0 1,1 2"}}, "is no polygon"},
      {{{"area", "0,0 1,1 2,2x"}}, "is no polygon"},
      {{{"area", "0,0 1,nan 2,2"}}, "is no polygon"},
      {{{"ground", "pose"}}, "ground=pose needs the camera's pose"},
      {{{"ego-motion", "given"}}, "ego-motion=given needs the camera's pose"},
  };
  for (const auto& row : cases) {
    Rig rig(row.settings);
    rig.begin();
    fail_unless_equals_int(gst_harness_push(rig.main, rig.frame(scene())), GST_FLOW_ERROR);
    rdp::test::check_has(rig.texts(), row.text);
    if (row.settings.contains("ego-motion")) continue;
    Rig later;
    later.begin();
    gst_buffer_unref(later.search(later.frame(scene())));
    for (const auto& [name, value] : row.settings) later.set(name.c_str(), value.c_str());
    g_autoptr(GstBuffer) out = later.search(later.frame(scene()));
    const bool pose = row.settings.contains("ground") && row.settings.at("ground") == "pose";
    rdp::test::check_has(later.texts(), pose ? "no pose" : "the previous ones stay in effect");
  }
  const struct {
    Settings settings;
    int frames;
    const char* text;
  } warnings[] = {
      {{{"cell-size", "0.03"}}, 2, "cell-size=0.03 is smaller than a pixel at range=5"},
      {{{"camera-height", "2"}}, 32, "The ground could not be refined in 30 frames"},
  };
  for (const auto& row : warnings) {
    Rig rig(row.settings);
    rig.begin();
    for (int i = 0; i < row.frames; ++i) gst_buffer_unref(rig.search(rig.frame(scene())));
    const std::string said = rig.texts();
    rdp::test::check_has(said, row.text);
    fail_unless(said.find("warning", 10) == std::string::npos, "%s", said.c_str());
  }
}

// Tracks follow the objects through events between frames; some events end all tracks.
CHECK_TEST(test_tracks) {
  const auto flush = [](Rig& rig) {
    gst_harness_push_event(rig.main, gst_event_new_flush_start());
    gst_harness_push_event(rig.main, gst_event_new_flush_stop(TRUE));
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    gst_harness_push_event(rig.main, gst_event_new_segment(&segment));
  };
  const auto set = [](const char* name, const char* value) {
    return [=](Rig& rig) { rig.set(name, value); };
  };
  const struct {
    const char* what;
    bool ends;
    std::function<void(Rig&)> between;
    // Settings of the frames after the event.
    double range = 5.0;
    double principal_y = camera().principal_y;
    double roll = 0.0;
  } cases[] = {
      {"nothing", false, [](Rig&) {}},
      {"a flush", true, flush},
      {"half a second", false, [](Rig& rig) { rig.pts += GST_SECOND / 2; }},
      {"two seconds", false, [](Rig& rig) { rig.pts += 2 * GST_SECOND; }},
      {"an earlier time", false, [](Rig& rig) { rig.pts -= GST_SECOND / 2; }},
      {"no time", false, [](Rig& rig) { rig.pts = GST_CLOCK_TIME_NONE; }},
      {"a gap", false,
       [](Rig& rig) { gst_harness_push_event(rig.main, gst_event_new_gap(rig.pts, 1)); }},
      {"another camera", true, set("principal-y", "59"), 5.0, 59.0},
      {"another ground", true, set("camera-roll", "0.1"), 5.0, 59.5, 0.1},
      {"another range", false, set("range", "4.5"), 4.5},
      {"more threads", false, set("threads", "2")},
  };
  for (const auto& row : cases) {
    Rig rig;
    rig.begin();
    ExpectedTracks expected;
    expected.parameters.keep = 2;
    rig.set("track-keep", "2");
    std::int64_t last = -1;
    for (int number = 0; number < 11; ++number) {
      if (number == 5) row.between(rig);
      if (number == 5 && row.ends) expected.tracks.end();
      std::vector<Board> boards = {{1.2 + 0.1 * number, 0.3, -0.1, 0.3}};
      if (number < 7) boards.push_back({2.5, -0.6 + 0.05 * number, -1.1 + 0.05 * number, 0.6});
      const Content content = draw(kShape, camera(), ground_at(kHeight, kPitch), boards);
      const bool timed = GST_CLOCK_TIME_IS_VALID(rig.pts);
      const auto pts = static_cast<std::int64_t>(rig.pts);
      GstBuffer* buffer = rig.frame(content);
      if (!timed) rig.pts = GST_SECOND;
      g_autoptr(GstBuffer) out = rig.search(buffer);
      Parameters parameters = near();
      MetricCamera of = camera();
      if (number >= 5) {
        parameters.range = row.range;
        of.principal_y = row.principal_y;
      }
      const Ground start = ground_at(kHeight, kPitch, number >= 5 ? row.roll : 0.0);
      const bool ends = number == 5 && row.ends;
      expected.update(expect(content.view(), of, &start, parameters),
                      timed && last >= 0 && !ends ? pts - last : 0);
      last = timed ? pts : -1;
      const std::string wrong = expected.difference(obstacles_of(out));
      fail_unless(wrong.empty(), "%s, frame %d: %s", row.what, number, wrong.c_str());
    }
    fail_unless_equals_int(expected.tracks.hidden().size() + expected.tracks.lost().size(), 0);
  }
}

// A driving camera with poses: static objects have no speed over ground. A frame without a pose
// resets only the speeds.
CHECK_TEST(test_ego_motion) {
  Rig rig({{"ego-motion", "given"}, {"gate", "0.02"}}, true, false);
  rig.begin();
  for (int number = 0; number < 14; ++number) {
    const double x = 0.12 * number;
    const Board boards[] = {{3.5 - x, 0.3, -0.1, 0.3}, {3.9 - x, -0.6, -1.1, 0.6}};
    const Ground ground = ground_at(kHeight, kPitch);
    GstBuffer* buffer = rig.frame(draw(kShape, camera(), ground, boards));
    add_pose(buffer, ground, x, number != 7);
    g_autoptr(GstBuffer) out = rig.search(buffer);
    gsize count = 0;
    const GstRdpObstacle* objects = gst_rdp_obstacles_peek_objects(obstacles_of(out), &count);
    fail_unless_equals_int(count, 2);
    for (guint i = 0; i < 2; ++i) {
      const bool known = (number >= 3 && number < 7) || number >= 11;
      fail_unless_equals_int(objects[i].id, i + 1);
      fail_unless_equals_int(objects[i].age, number);
      fail_unless_equals_int(objects[i].flags & ~guint32{GST_RDP_OBSTACLE_CUT},
                             known ? GST_RDP_OBSTACLE_SPEED | GST_RDP_OBSTACLE_OVER_GROUND : 0);
      fail_unless(!known || std::hypot(objects[i].vx, objects[i].vy) < 0.1F, "frame %d: %g, %g",
                  number, objects[i].vx, objects[i].vy);
    }
  }
  rdp::test::check_has(rig.texts(), "which is missing");
}

// An object's speed comes from at least three moving segments in its pixels and at its distance.
CHECK_TEST(test_motion) {
  const Ground ground = ground_at(kHeight);
  const Board board = {1.5, 0.4, -0.4, 0.4};
  const Content content = draw(kShape, camera(), ground, {&board, 1});
  for (const guint moving : {2U, 3U, 4U}) {
    Rig rig(Settings{{"camera-pitch", "0"}});
    rig.begin();
    GstBuffer* buffer = rig.frame(content);
    GstRdpSegmentationInfo info = info_of(160, 120);
    info.column_width = 4;
    Columns columns(40);
    MotionContent motion;
    gst_rdp_motion_info_init(&motion.info);
    motion.info.width = 160;
    motion.info.height = 120;
    for (guint i = 0; i < 40; ++i) {
      // One moving segment is much farther than the board; others lie beside it.
      const float value = i == 19 ? 4000.0F : 1500.0F;
      columns[i] = {{70, 92, value, value}};
      const bool moves = i == 19 || i < 5 || (i >= 20 && i < 20 + moving);
      const float v = static_cast<float>(i);
      motion.segments.push_back({5, static_cast<guint16>(moves ? 7 : 6), 0, 0, 0, v, 0, -v, 1});
    }
    g_autoptr(GstRdpSegmentation) segments = new_segmentation(info, columns);
    g_autoptr(GstRdpMotion) of = new_motion(motion);
    gst_buffer_add_rdp_segment_meta(buffer, segments);
    gst_buffer_add_rdp_motion_meta(buffer, of);
    g_autoptr(GstBuffer) out = rig.search(buffer);
    gsize count = 0;
    const GstRdpObstacle* objects = gst_rdp_obstacles_peek_objects(obstacles_of(out), &count);
    fail_unless_equals_int(count, 1);
    const bool known = moving >= 3;
    fail_unless_equals_int(objects[0].flags, known ? GST_RDP_OBSTACLE_SPEED |
                                                         GST_RDP_OBSTACLE_MOTION |
                                                         GST_RDP_OBSTACLE_OVER_GROUND
                                                   : 0);
    // Forward is the camera's z, left its -x. With four segments, the lower of the two medians.
    const float v = moving == 3 ? -21.0F : -22.0F;
    fail_unless(!known || objects[0].vx == v, "%g", objects[0].vx);
    fail_unless(!known || objects[0].vy == v, "%g", objects[0].vy);
  }
}

// Rendered scenes and a recording: every frame has a ground, and the nearest objects keep their
// ids.
CHECK_TEST(test_scenes) {
  const struct {
    std::string line;
    GstRdpGroundSource source;
    double height, tolerance;
    gsize objects;  // at least, in every frame
    guint32 ids;    // objects 1 to `ids` are in every frame
  } cases[] = {
      {"depthtestsrc num-buffers=10 ! rdpsegment epsilon=1 sample-scale=0.00390625 classify=true ! "
       "depthobstacles range=50 cell-size=0.2 min-height=0.3 max-height=2.5 gate=1",
       GST_RDP_GROUND_SEGMENTS, 1.65, 0.01, 20, 2},
      {"depthtestsrc pattern=room num-buffers=10 ! video/x-raw,width=640,height=480 ! depthplanes "
       "! "
       "depthobstacles",
       GST_RDP_GROUND_PLANES, 1.6, 0.01, 2, 2},
      {"pngfoldersrc location=" + data("rgbd/sequence") +
           " ! depthplanes focal-length=617.25 principal-x=317.39 principal-y=245.98 "
           "depth-unit=0.001 max-value=65534 ! depthobstacles max-value=65534",
       GST_RDP_GROUND_PLANES, 0.404, 0.003, 10, 4},
  };
  for (const auto& row : cases) {
    if (row.line.find("location= ") != std::string::npos) continue;
    rdp::test::PipelineRig rig(row.line + " ! fakesink name=end");
    rdp::test::Received received(rig.get("end"));
    rig.play();
    const std::string error = rig.wait();
    fail_unless(error.empty() && rig.warnings.empty(), "%s", error.c_str());
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
    fail_unless_equals_int(received.buffers.size(), 10);
    for (GstBuffer* buffer : received.buffers) {
      GstRdpObstacles* of = obstacles_of(buffer);
      const GstRdpObstaclesInfo& info = *gst_rdp_obstacles_get_info(of);
      gsize count = 0;
      const GstRdpObstacle* objects = gst_rdp_obstacles_peek_objects(of, &count);
      fail_unless_equals_int(info.ground, row.source);
      fail_unless(std::abs(info.camera_height - row.height) <= row.tolerance, "%g m",
                  info.camera_height);
      fail_unless(count >= row.objects, "%zu objects", count);
      for (guint32 id = 1; id <= row.ids; ++id) {
        const bool seen = std::ranges::any_of(std::span(objects, count),
                                              [&](const auto& object) { return object.id == id; });
        fail_unless(seen, "%s: no object %u", row.line.c_str(), id);
      }
    }
  }
}

CHECK_CASE(depthobstacles, .seconds = 60)
