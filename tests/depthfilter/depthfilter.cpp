// SPDX-License-Identifier: LGPL-2.1-or-later
// depthfilter beyond the common element tests: state of the temporal step, decimated frames and
// their camera, removed metadata, statistics, errors.
#include "tests/depthfilter/filter_rig.h"
// After gst/check/gstcheck.h.
#include <gst/rdpsegment/rdpcamerameta.h>

#include <functional>

#include "tests/support/camera_fixture.h"
#include "tests/support/check_test.h"
#include "tests/support/element_stats.h"
#include "tests/support/planes_fixture.h"
#include "tests/support/segmentation_fixture.h"
#include "tests/support/tracks_fixture.h"

using namespace filter_rig;

namespace {

void add_camera(GstBuffer* buffer, const GstRdpCameraInfo& info) {
  g_autoptr(GstRdpCamera) camera = new_camera(info);
  gst_buffer_add_rdp_camera_meta(buffer, camera);
}

GstRdpCameraInfo camera_at(double x) {
  GstRdpCameraInfo info = sized_camera(depth_camera_info(), kShape.width, kShape.height);
  info.has_pose = TRUE;
  info.pose[0] = info.pose[5] = info.pose[10] = 1.0;
  info.pose[3] = x;
  return info;
}

}  // namespace

// Events and changes between two frames: some reset the temporal step.
CHECK_TEST(test_state) {
  enum class State { kStays, kEnds, kGap };
  const struct {
    const char* what;
    State state;
    std::function<void(Rig&)> between;
    std::function<void(GstBuffer*)> second;
  } cases[] = {
      {"nothing", State::kStays, {}, {}},
      {"the same segment", State::kStays, [](Rig& rig) { rig.segment(1.0, 0); }, {}},
      {"another base", State::kEnds, [](Rig& rig) { rig.segment(1.0, GST_SECOND); }, {}},
      {"backwards", State::kEnds, [](Rig& rig) { rig.segment(-1.0, 0); }, {}},
      {"faster", State::kStays, [](Rig& rig) { rig.segment(2.0, 0); }, {}},
      {"a flush",
       State::kEnds,
       [](Rig& rig) {
         rig.event(gst_event_new_flush_start());
         rig.event(gst_event_new_flush_stop(TRUE));
         rig.segment(1.0, 0);
       },
       {}},
      {"caps",
       State::kEnds,
       [](Rig& rig) {
         g_autoptr(GstCaps) caps = frames::caps(kShape);
         gst_caps_set_simple(caps, "framerate", GST_TYPE_FRACTION, 25, 1, nullptr);
         rig.event(gst_event_new_caps(caps));
       },
       {}},
      {"0.4 s later", State::kStays, [](Rig& rig) { rig.pts += 400 * GST_MSECOND; }, {}},
      {"0.6 s later", State::kEnds, [](Rig& rig) { rig.pts += 600 * GST_MSECOND; }, {}},
      {"a discontinuity",
       State::kEnds,
       {},
       [](GstBuffer* buffer) { GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DISCONT); }},
      {"a property",
       State::kEnds,
       [](Rig& rig) { g_object_set(rig.element, "sample-scale", 3.0, nullptr); },
       {}},
      {"threads",
       State::kStays,
       [](Rig& rig) { g_object_set(rig.element, "threads", 3, nullptr); },
       {}},
      {"another place",
       State::kEnds,
       {},
       [](GstBuffer* buffer) {
         gst_buffer_remove_meta(buffer, &gst_buffer_get_rdp_camera_meta(buffer)->meta);
         add_camera(buffer, camera_at(0.5));
       }},
      {"no camera",
       State::kEnds,
       {},
       [](GstBuffer* buffer) {
         gst_buffer_remove_meta(buffer, &gst_buffer_get_rdp_camera_meta(buffer)->meta);
       }},
      {"a gap event",
       State::kGap,
       [](Rig& rig) { rig.event(gst_event_new_gap(rig.pts, GST_SECOND / 30)); },
       {}},
  };
  Parameters parameters;
  parameters.temporal_frames = 4;
  for (const auto& row : cases) {
    Rig rig("temporal-frames=4 domain=inverse");
    rig.begin();
    Expected expected(parameters);
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const Content content = wall(seed);
      if (seed == 3 && row.between) row.between(rig);
      GstBuffer* buffer = rig.frame(content);
      add_camera(buffer, camera_at(0.0));
      if (seed == 3 && row.second) row.second(buffer);
      if (seed == 3 && row.state == State::kEnds) expected.state = {};
      if (seed == 3 && row.state == State::kGap) expected.filter(Content(kShape));
      g_autoptr(GstBuffer) out = rig.filter(buffer);
      check_samples(out, expected.filter(content), row.what);
    }
  }
}

// A frame with the GAP flag has no samples; the temporal mean fills it.
CHECK_TEST(test_gap_frame) {
  Parameters parameters;
  parameters.temporal_frames = 4;
  for (const int decimation : {1, 2}) {
    parameters.decimation = decimation;
    Expected expected(parameters);
    Rig rig("temporal-frames=4 domain=inverse decimation=" + std::to_string(decimation));
    rig.begin();
    for (unsigned seed = 1; seed <= 4; ++seed) {
      GstBuffer* buffer = rig.frame(wall(seed));
      if (seed == 3) GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_GAP);
      g_autoptr(GstBuffer) out = rig.filter(buffer);
      check_samples(out, expected.filter(seed == 3 ? Content(kShape) : wall(seed)), "a gap");
    }
  }
}

// A moved crop resets the state.
CHECK_TEST(test_crop) {
  const Shape part{kShape.format, 12, 8};
  Parameters parameters;
  parameters.temporal_frames = 4;
  Rig rig("temporal-frames=4 depth-unit=0.001");
  rig.begin(part);
  Expected expected(parameters);
  for (unsigned seed = 1; seed <= 4; ++seed) {
    Shape whole = kShape;
    whole.stride = 64;
    const Content content = wall(seed, whole);
    GstBuffer* buffer = rig.frame(content);
    GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(buffer);
    crop->x = seed < 3 ? 3 : 5;
    crop->y = 2;
    crop->width = 12;
    crop->height = 8;
    if (seed == 3) expected.state = {};
    Content shown(part);
    for (int row = 0; row < 8; ++row) {
      for (int column = 0; column < 12; ++column) {
        shown.view().set(row, column,
                         content.view().at(row + 2, column + static_cast<int>(crop->x)));
      }
    }
    const Content filtered = expected.filter(shown);
    const int left = static_cast<int>(crop->x);
    g_autoptr(GstBuffer) out = rig.filter(buffer);
    const auto bytes = frames::bytes(out);
    const rdp::DepthView view = frames::view(whole, bytes);
    for (int row = 0; row < whole.height; ++row) {
      for (int column = 0; column < whole.width; ++column) {
        const int x = column - left;
        const int y = row - 2;
        const bool inside = x >= 0 && x < 12 && y >= 0 && y < 8;
        fail_unless_equals_int(view.at(row, column),
                               inside ? filtered.view().at(y, x) : content.view().at(row, column));
      }
    }
  }
}

// Decimated frames: size, samples, time, camera, and placement of metadata.
CHECK_TEST(test_decimation) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 65, 50};
  for (const bool disparity : {false, true}) {
    GstRdpCameraInfo info = sized_camera(disparity ? disparity_camera_info() : depth_camera_info(),
                                         shape.width, shape.height);
    info.disparity_offset = disparity ? 1.5 : 0.0;
    Parameters parameters;
    parameters.decimation = 3;
    Expected expected(parameters);
    if (disparity) expected.parameters.tolerance = rdp::filter::linear_tolerance(1.0, 1.0 / 256);
    Rig rig("decimation=3");
    rig.begin(shape);
    GstBuffer* buffer = rig.frame(wall(1, shape));
    add_camera(buffer, info);
    gst_buffer_add_video_region_of_interest_meta(buffer, "thing", 9, 12, 30, 15);
    g_autoptr(GstBuffer) out = rig.filter(buffer);
    g_autoptr(GstCaps) caps = gst_pad_get_current_caps(rig.main->sinkpad);
    GstVideoInfo made;
    fail_unless(gst_video_info_from_caps(&made, caps));
    fail_unless_equals_int(made.width, 21);
    fail_unless_equals_int(made.height, 16);
    check_samples(out, expected.filter(wall(1, shape)), "decimated");
    const GstVideoRegionOfInterestMeta* region = gst_buffer_get_video_region_of_interest_meta(out);
    fail_unless(region != nullptr && region->x == 3 && region->y == 4 && region->w == 10 &&
                region->h == 5);
    fail_unless_equals_int(gst_buffer_get_n_meta(out, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE),
                           1);
    g_autoptr(GstRdpCamera) camera = gst_rdp_buffer_get_camera(out, nullptr);
    fail_unless(camera != nullptr);
    const GstRdpCameraInfo& got = *gst_rdp_camera_get_info(camera);
    fail_unless_equals_int(got.width, 21);
    fail_unless_equals_int(got.height, 16);
    fail_unless_equals_float(got.focal_length, info.focal_length / 3);
    fail_unless_equals_float(got.principal_x, (info.principal_x + 0.5) / 3 - 0.5);
    fail_unless_equals_float(got.principal_y, (info.principal_y + 0.5) / 3 - 0.5);
    fail_unless_equals_float(got.disparity_unit, info.disparity_unit / 3);
    fail_unless_equals_float(got.disparity_offset, info.disparity_offset / 3);
    fail_unless_equals_float(got.depth_unit, info.depth_unit);
  }
}

// Metadata of the old samples is dropped; the camera and other metadata stay. Without any step,
// everything stays.
CHECK_TEST(test_metadata) {
  for (const std::string settings :
       {"", "decimation=2", "flying=false spatial-radius=0", "flying=false spatial-radius=2"}) {
    Rig rig(settings);
    rig.begin();
    const Content content = wall(1);
    GstBuffer* buffer = rig.frame(content);
    add_camera(buffer, camera_at(0.0));
    g_autoptr(GstRdpPlanes) planes = new_planes(wall_and_floor());
    g_autoptr(GstRdpSegmentation) segments = new_three_columns();
    g_autoptr(GstRdpTracks) tracks = new_tracks(two_tracks());
    gst_buffer_add_rdp_planes_meta(buffer, planes);
    gst_buffer_add_rdp_segment_meta(buffer, segments);
    gst_buffer_add_rdp_tracks_meta(buffer, tracks);
    g_autoptr(GstCaps) clock = gst_caps_new_empty_simple("timestamp/x-unix");
    gst_buffer_add_reference_timestamp_meta(buffer, clock, 5, GST_CLOCK_TIME_NONE);
    GstMemory* const memory = gst_buffer_peek_memory(buffer, 0);
    g_autoptr(GstBuffer) out = rig.filter(buffer);
    const bool passes = settings == "flying=false spatial-radius=0";
    fail_unless((gst_buffer_get_rdp_planes_meta(out) != nullptr) == passes, "%s", settings.c_str());
    fail_unless((gst_buffer_get_rdp_segment_meta(out) != nullptr) == passes);
    fail_unless((gst_buffer_get_rdp_tracks_meta(out) != nullptr) == passes);
    fail_unless(gst_buffer_get_rdp_camera_meta(out) != nullptr);
    fail_unless(gst_buffer_get_reference_timestamp_meta(out, nullptr) != nullptr);
    fail_unless((gst_buffer_peek_memory(out, 0) == memory) == (settings != "decimation=2"));
    if (passes) check_samples(out, content, "no step");
  }
}

// Removed samples are red, filled ones blue, others grey; unknown pixels are transparent.
CHECK_TEST(test_picture) {
  for (const int decimation : {1, 3}) {
    Parameters parameters;
    parameters.known = {1, 1002};
    parameters.decimation = decimation;
    parameters.hole_filling = rdp::filter::HoleFilling::kLeft;
    parameters.hole_size = 1;
    const Content before = wall(1);
    const Content after = Expected(parameters).filter(before);
    Rig rig("depth-unit=0.001 max-value=1002 hole-filling=left hole-size=1 decimation=" +
                std::to_string(decimation),
            "video/x-raw,format=RGBA");
    rig.begin();
    gst_buffer_unref(rig.filter(rig.frame(before)));
    GstBuffer* picture = gst_harness_pull(rig.overlay);
    const std::vector<std::uint8_t> bytes = frames::bytes(picture);
    gst_buffer_unref(picture);
    for (int row = 0; row < kShape.height; ++row) {
      for (int column = 0; column < kShape.width; ++column) {
        const std::uint8_t* rgba =
            &bytes[static_cast<std::size_t>(4 * (row * kShape.width + column))];
        const bool in_block = row / decimation < after.shape.height;
        const int was = before.view().at(row, column);
        const int is = in_block ? after.view().at(row / decimation, column / decimation) : was;
        const bool red = rgba[0] > 2 * rgba[1] && rgba[0] > 2 * rgba[2];
        const bool blue = rgba[2] > 2 * rgba[0];
        fail_unless_equals_int(red, was != 0 && is == 0);
        fail_unless_equals_int(blue, was == 0 && is != 0);
        fail_unless_equals_int(rgba[3], was == 0 && is == 0 ? 0 : 255);
        if (was != 0 && is != 0) fail_unless(rgba[0] == rgba[1] && rgba[1] == rgba[2]);
      }
    }
  }
}

// Counts of the last frame and of all frames.
CHECK_TEST(test_statistics) {
  const std::pair<const char*, std::int64_t Counts::*> fields[] = {
      {"range-removed", &Counts::range_removed},
      {"median-changed", &Counts::median_changed},
      {"flying-removed", &Counts::flying_removed},
      {"speckle-removed", &Counts::speckle_removed},
      {"spatial-changed", &Counts::spatial_changed},
      {"temporal-changed", &Counts::temporal_changed},
      {"temporal-filled", &Counts::temporal_filled},
      {"hole-filled", &Counts::hole_filled}};
  Parameters parameters;
  parameters.known = {1, 1003};
  parameters.median = 3;
  parameters.temporal_frames = 4;
  parameters.hole_filling = rdp::filter::HoleFilling::kGap;
  Expected expected(parameters);
  Rig rig("depth-unit=0.001 max-distance=1.0035 median=3x3 temporal-frames=4 hole-filling=gap");
  rig.begin();
  std::int64_t sums[std::size(fields)] = {};
  for (unsigned seed = 1; seed <= 3; ++seed) {
    expected.counts = {};
    const Content out = expected.filter(wall(seed));
    GstBuffer* buffer = rig.filter(rig.frame(wall(seed)));
    check_samples(buffer, out, "with all steps");
    gst_buffer_unref(buffer);
    for (std::size_t i = 0; i < std::size(fields); ++i) {
      const auto& [name, count] = fields[i];
      sums[i] += expected.counts.*count;
      fail_unless_equals_uint64(rdp::test::stat_of(rig.element, name),
                                static_cast<guint64>(expected.counts.*count));
      fail_unless_equals_uint64(
          rdp::test::stat_of(rig.element, (std::string(name) + "-sum").c_str()),
          static_cast<guint64>(sums[i]));
    }
  }
}

// Errors with the first frame, and their texts.
CHECK_TEST(test_errors) {
  const struct {
    const char* settings;
    const char* words;
    bool with_camera;
  } cases[] = {
      {"", "set depth-unit", false},
      {"domain=linear max-distance=3", "min-distance and max-distance are in metres", false},
      {"baseline=0.1 min-distance=1", "are not known", false},
      {"measures=depth", "set depth-unit, metres per sample step", false},
      {"min-distance=3 max-distance=2", "set min-distance no larger", true},
      {"decimation=8", "smaller than a block of decimation=8: set decimation to at most 5", true},
  };
  for (const auto& row : cases) {
    const Shape shape{kShape.format, 24, std::string(row.settings) == "decimation=8" ? 5 : 16};
    Rig rig(row.settings);
    rig.begin(shape);
    GstBuffer* buffer = rig.frame(wall(1, shape));
    if (row.with_camera) add_camera(buffer, sized_camera(depth_camera_info(), 24, shape.height));
    fail_unless(gst_harness_push(rig.main, buffer) < GST_FLOW_OK, "%s", row.settings);
    const std::string text = rdp::test::bus_texts(rig.bus);
    fail_unless(text.find(row.words) != std::string::npos, "%s: %s", row.settings, text.c_str());
  }
}

// While playing, invalid settings leave the previous ones in effect, with one warning.
CHECK_TEST(test_settings_on_their_way) {
  Rig rig("depth-unit=0.001 max-distance=1.0035");
  rig.begin();
  gst_buffer_unref(rig.filter(rig.frame(wall(1))));
  g_object_set(rig.element, "min-distance", 2.0, nullptr);
  Parameters parameters;
  parameters.known = {1, 1003};
  Expected expected(parameters);
  for (unsigned seed = 2; seed <= 3; ++seed) {
    g_autoptr(GstBuffer) out = rig.filter(rig.frame(wall(seed)));
    check_samples(out, expected.filter(wall(seed)), "the last settings that fitted");
  }
  fail_unless(rdp::test::bus_texts(rig.bus).find("previous ones stay") != std::string::npos);
}

CHECK_CASE(depthfilter)
