// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpmotion in pipelines: its motion equals the engine's for the same lists, its pictures equal the
// painter's; frames that pass without motion.
#include <gst/rdpsegment/rdpcamerametric.h>
#include <gst/rdpsegment/rdpsegmentationparameters.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>

#include "common/motion/engine.h"
#include "common/motion/overlay.h"
#include "common/motion/pose_file.h"
#include "tests/rdpmotion/motion_rig.h"
#include "tests/support/await.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"
#include "tests/support/temporary_files.h"

using namespace rdp::test;
using Rig = rdp::test::MotionRig;

namespace {

template <typename T>
bool same_bytes(const T* a, std::size_t n_a, std::span<const T> b) {
  return n_a == b.size() && (n_a == 0 || std::memcmp(a, b.data(), n_a * sizeof(T)) == 0);
}

// The engine's input for an output frame and the tracks paired with it.
rdp::motion::Input input_of(GstBuffer* frame, GstRdpTracks* tracks) {
  GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(frame);
  const GstRdpSegmentationInfo& info = *gst_rdp_segmentation_get_info(segmentation);
  rdp::motion::Input input;
  input.width = static_cast<int>(info.width);
  input.height = static_cast<int>(info.height);
  input.column_width = static_cast<int>(info.column_width);
  gsize offsets = 0;
  gsize n = 0;
  const guint32* first = gst_rdp_segmentation_peek_offsets(segmentation, &offsets);
  const auto* segments =
      reinterpret_cast<const rdp::Segment*>(gst_rdp_segmentation_peek_segments(segmentation, &n));
  input.segments = {std::span(first, offsets), std::span(segments, n)};
  input.pts = GST_BUFFER_PTS(frame);
  g_autoptr(GstRdpCamera) camera = gst_rdp_buffer_get_camera(frame, nullptr);
  if (camera != nullptr) {
    const GstRdpCameraInfo& of = *gst_rdp_camera_get_info(camera);
    input.has_camera = true;
    input.camera = {of.focal_length, of.focal_length_y, of.principal_x, of.principal_y,
                    of.baseline};
    const bool disparity = of.measures == GST_RDP_MEASURE_DISPARITY;
    input.values.measures =
        disparity ? rdp::motion::Measure::kDisparity : rdp::motion::Measure::kDepth;
    input.values.unit = disparity ? of.disparity_unit : of.depth_unit;
    input.values.offset = disparity ? of.disparity_offset : 0.0;
  }
  if (info.domain == GST_RDP_DOMAIN_INVERSE) input.values.inverse_scale = info.inverse_scale;
  const auto* list =
      reinterpret_cast<const rdp::klt::Track*>(gst_rdp_tracks_peek_tracks(tracks, &n));
  input.tracks = {list, n};
  const GstRdpTracksInfo& of_tracks = *gst_rdp_tracks_get_info(tracks);
  input.placement.scale_x = static_cast<double>(info.width) / of_tracks.width;
  input.placement.scale_y = static_cast<double>(info.height) / of_tracks.height;
  return input;
}

using PrepareInput = std::function<void(rdp::motion::Input*, int number)>;

// Each output frame is the input buffer and carries the motion that the engine finds.
void expect_engine(const std::string& text, const rdp::motion::Parameters& parameters, int frames,
                   const PrepareInput& prepare = {}) {
  Rig rig(text);
  rdp::test::Received received(rig.get("out"));
  std::vector<GstRdpTracks*> tracks;
  std::vector<GstMemory*> memories;
  rig.change("k", [&](GstBuffer* buffer, int) {
    tracks.push_back(gst_rdp_tracks_ref(gst_rdp_buffer_get_tracks(buffer)));
    return true;
  });
  rig.change("s", [&](GstBuffer* buffer, int) {
    memories.push_back(gst_memory_ref(gst_buffer_peek_memory(buffer, 0)));
    return true;
  });
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s: %s", text.c_str(), error.c_str());
  fail_unless(rig.warnings.empty(), "%s", rig.warnings.empty() ? "" : rig.warnings[0].c_str());
  fail_unless_equals_int(static_cast<int>(received.count), frames);
  rdp::motion::Engine engine;
  gsize known = 0;
  for (int i = 0; i < frames; ++i) {
    GstBuffer* frame = received.buffers[static_cast<std::size_t>(i)];
    fail_unless(gst_buffer_peek_memory(frame, 0) == memories[static_cast<std::size_t>(i)]);
    GstRdpMotion* motion = gst_rdp_buffer_get_motion(frame);
    fail_unless(motion != nullptr, "frame %d has no motion", i);
    rdp::motion::Input input = input_of(frame, tracks[static_cast<std::size_t>(i)]);
    if (prepare) prepare(&input, i);
    const rdp::motion::Result expected = engine.advance(input, parameters);
    gsize n = 0;
    const auto* segments = reinterpret_cast<const rdp::motion::SegmentMotion*>(
        gst_rdp_motion_peek_segments(motion, &n));
    fail_unless(same_bytes(segments, n, expected.segments), "%s: segments of frame %d",
                text.c_str(), i);
    const auto* moved =
        reinterpret_cast<const rdp::motion::TrackMotion*>(gst_rdp_motion_peek_tracks(motion, &n));
    fail_unless(same_bytes(moved, n, expected.tracks), "%s: tracks of frame %d", text.c_str(), i);
    const GstRdpMotionInfo& info = *gst_rdp_motion_get_info(motion);
    fail_unless(info.dt == expected.dt && info.ego_known == (expected.has_ego ? TRUE : FALSE));
    fail_unless(std::memcmp(info.ego, expected.ego.m, sizeof info.ego) == 0);
    fail_unless_equals_uint64(info.frame, static_cast<guint64>(i));
    known += static_cast<gsize>(expected.counts.known);
    if (i == frames - 1) {
      fail_unless_equals_uint64(rig.stat("known"), static_cast<guint64>(expected.counts.known));
      fail_unless_equals_uint64(rig.stat("moving"), static_cast<guint64>(expected.counts.moving));
      fail_unless_equals_uint64(rig.stat("filters"), static_cast<guint64>(expected.counts.filters));
      fail_unless_equals_uint64(rig.stat("segments"), expected.segments.size());
    }
  }
  const bool in_space = input_of(received.buffers[0], tracks[0]).has_camera;
  fail_unless(in_space == (known > 0), "%s: %d known", text.c_str(), static_cast<int>(known));
  fail_unless_equals_uint64(rig.stat("paired"), static_cast<guint64>(frames));
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  for (GstRdpTracks* one : tracks) gst_rdp_tracks_unref(one);
  for (GstMemory* one : memories) gst_memory_unref(one);
}

}  // namespace

CHECK_TEST(test_engine) {
  using rdp::motion::EgoMotion;
  rdp::test::Folder folder;
  const std::string kitti = folder.write("kitti.txt", "# a comment\n" + poses(12, 0.4));
  std::string tum_text;
  for (int i = 0; i < 12; ++i) {
    // As precise as the frames' timestamps.
    gchar time[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(time, sizeof time, "%.9f",
                    static_cast<double>(gst_util_uint64_scale(i, GST_SECOND, 30)) / 1e9);
    tum_text += std::string(time) + " 0 0 " + std::to_string(0.4 * i) + " 0 0 0 1\r\n";
  }
  const std::string tum = folder.write("tum.txt", tum_text);
  rdp::motion::Parameters parameters;
  expect_engine(line(""), parameters, 12);
  // Pictures of another size, and depth instead of disparity.
  expect_engine(line("", source("depth"), source("left", 12, "", 2 * kWidth, 2 * kHeight)),
                parameters, 12);
  expect_engine(source("depth", 12, "domain=depth") + "rdpsegment epsilon=2 domain=inverse " +
                    "name=s ! m.depth " + source("left") + kTracks +
                    "rdpmotion name=m ! fakesink name=out sync=false async=false",
                parameters, 12);
  parameters.ego_motion = EgoMotion::kEstimate;
  parameters.filter = rdp::motion::Filter::kNone;
  parameters.reach = 9;
  parameters.min_age = 1;
  parameters.min_tracks = 2;
  parameters.tolerance = 2.0;
  parameters.tolerance_relative = 0.125;
  expect_engine(line("ego-motion=estimate filter=none reach=9 min-age=1 min-tracks=2 tolerance=2 "
                     "tolerance-relative=0.125"),
                parameters, 12);
  parameters = {};
  parameters.ego_motion = EgoMotion::kGiven;
  parameters.disparity_noise = 0.5;
  for (const std::string& file : {kitti, tum}) {
    expect_engine(line("ego-motion=given disparity-noise=0.5 poses=" + file), parameters, 12,
                  [](rdp::motion::Input* input, int number) {
                    input->has_pose = true;
                    input->pose.m[11] = std::stod(std::to_string(0.4 * number));
                  });
  }
  // Ten poses per second with Unix times; frames in between get interpolated poses.
  std::string sparse;
  for (int i = 0; i < 6; ++i) {
    sparse += std::to_string(1700000000 + i / 10) + "." + std::to_string(i % 10) + " 0 0 " +
              std::to_string(1.2 * i) + " 0 0 0 1\n";
  }
  const auto list = rdp::motion::PoseList::read(sparse, "sparse.txt");
  expect_engine(line("ego-motion=given disparity-noise=0.5 time-origin=1700000000 poses=" +
                     folder.write("sparse.txt", sparse)),
                parameters, 12, [&](rdp::motion::Input* input, int number) {
                  input->has_pose = list.of_frame(0, gst_util_uint64_scale(number, GST_SECOND, 30),
                                                  0, 1.7e9, &input->pose);
                  fail_unless(input->has_pose && std::fabs(input->pose.m[11] - 0.4 * number) < 1e-5,
                              "%.9g m at frame %d", input->pose.m[11], number);
                });
}

// The camera properties override the cameras of both frames.
CHECK_TEST(test_camera) {
  const rdp::motion::Parameters parameters;
  const auto of_properties = [](rdp::motion::Input* input, int) {
    input->has_camera = true;
    input->camera = {300.0, 300.0, 0.5 * (kWidth - 1), 0.5 * (kHeight - 1), 0.25};
    input->values = {.measures = rdp::motion::Measure::kDisparity, .unit = 1.0 / 256.0};
  };
  expect_engine(line("focal-length=300 baseline=0.25 measures=disparity "
                     "disparity-unit=0.00390625"),
                parameters, 12, of_properties);
  // A depth frame without a camera gets the camera of the pictures, scaled to its size.
  {
    Rig rig(line("", source("depth"), source("left", 12, "", 2 * kWidth, 2 * kHeight)));
    rdp::test::Received received(rig.get("out"));
    rig.change("s", [](GstBuffer* buffer, int) {
      remove_metas(buffer, GST_RDP_CAMERA_META_API_TYPE);
      return true;
    });
    const std::string error = rig.run();
    fail_unless(error.empty(), "%s", error.c_str());
    GstRdpCamera* camera = gst_rdp_buffer_get_camera(received.buffers[5], nullptr);
    fail_unless(camera != nullptr);
    const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(camera);
    fail_unless_equals_int(static_cast<int>(info.width), kWidth);
    fail_unless(std::abs(info.focal_length - 720.0 * kWidth / 1242.0) < 1e-9, "%g",
                info.focal_length);
    gst_rdp_camera_unref(camera);
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  }
  // Without any camera, motion is in pixels only; ego-motion=estimate warns that it needs metres.
  for (const char* ego : {"none", "estimate"}) {
    Rig rig(line(std::string("ego-motion=") + ego));
    rdp::test::Received received(rig.get("out"));
    for (const char* element : {"s", "k"}) {
      rig.change(element, [](GstBuffer* buffer, int) {
        remove_metas(buffer, GST_RDP_CAMERA_META_API_TYPE);
        return true;
      });
    }
    const std::string error = rig.run();
    fail_unless(error.empty(), "%s", error.c_str());
    gsize n = 0;
    gsize in_picture = 0;
    GstRdpMotion* motion = gst_rdp_buffer_get_motion(received.buffers[8]);
    const GstRdpSegmentMotion* segments = gst_rdp_motion_peek_segments(motion, &n);
    for (const GstRdpSegmentMotion& one : std::span(segments, n)) {
      in_picture += std::isfinite(one.dx) ? 1U : 0U;
      fail_unless(one.flags == 0 && std::isnan(one.vx));
    }
    fail_unless(in_picture > 10);
    const bool estimate = std::strcmp(ego, "estimate") == 0;
    fail_unless_equals_int(static_cast<int>(rig.warnings.size()), estimate ? 1 : 0);
    if (estimate) check_has(rig.warnings[0], "Ego-motion needs metres");
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  }
}

// Pictures equal the painter's for the lists on the frames.
CHECK_TEST(test_pictures) {
  for (const bool from_above : {false, true}) {
    Rig rig(line(std::string("overlay::legend=true overlay::birdseye-range=40 overlay::style=") +
                 (from_above ? "birdseye" : "motion")) +
            "m.overlay ! fakesink name=picture sync=false async=false");
    rdp::test::Received frames_out(rig.get("out"));
    rdp::test::Received pictures(rig.get("picture"));
    const std::string error = rig.run();
    fail_unless(error.empty(), "%s", error.c_str());
    fail_unless_equals_int(static_cast<int>(pictures.count), 12);
    rdp::motion::OverlayPainter painter(1);
    for (std::size_t i = 0; i < pictures.buffers.size(); ++i) {
      GstBuffer* frame = frames_out.buffers[i];
      GstRdpMotion* motion = gst_rdp_buffer_get_motion(frame);
      GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(frame);
      const rdp::Parameters parameters =
          rdp::meta::parameters_from_info(*gst_rdp_segmentation_get_info(segmentation));
      gsize offsets = 0;
      gsize n = 0;
      rdp::motion::OverlayScene scene;
      scene.width = kWidth;
      scene.height = kHeight;
      scene.parameters = &parameters;
      const guint32* rows = gst_rdp_segmentation_peek_offsets(segmentation, &offsets);
      const auto* segments = reinterpret_cast<const rdp::Segment*>(
          gst_rdp_segmentation_peek_segments(segmentation, &n));
      scene.segments = {std::span(rows, offsets), std::span(segments, n)};
      const auto* motions = reinterpret_cast<const rdp::motion::SegmentMotion*>(
          gst_rdp_motion_peek_segments(motion, &n));
      scene.motions = {motions, n};
      scene.dt = gst_rdp_motion_get_info(motion)->dt;
      g_autoptr(GstRdpCamera) camera = gst_rdp_buffer_get_camera(frame, nullptr);
      rdp::MetricCamera metric;
      fail_unless(rdp::meta::metric_camera(camera, gst_rdp_segmentation_get_info(segmentation),
                                           &metric, nullptr));
      scene.camera = &metric;
      std::vector<std::byte> expected(static_cast<std::size_t>(4 * kWidth * kHeight));
      rdp::motion::OverlayOptions options;
      options.style =
          from_above ? rdp::motion::OverlayStyle::kBirdsEye : rdp::motion::OverlayStyle::kMotion;
      options.legend = true;
      options.birdseye_range = 40.0;
      painter.paint(scene, options, {expected.data(), 4 * kWidth, kWidth, kHeight});
      GstMapInfo map;
      fail_unless(gst_buffer_map(pictures.buffers[i], &map, GST_MAP_READ));
      fail_unless(
          map.size == expected.size() && std::memcmp(map.data, expected.data(), map.size) == 0,
          "picture %d", static_cast<int>(i));
      gst_buffer_unmap(pictures.buffers[i], &map);
      fail_unless_equals_uint64(GST_BUFFER_PTS(pictures.buffers[i]), GST_BUFFER_PTS(frame));
    }
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  }
}

// --- frames without motion ----------------------------------------------------------------------

// Frames without matching tracks, with a repeated timestamp, or without timestamps.
CHECK_TEST(test_without_motion) {
  Rig rig(line("", source("depth", 12), source("left", 9)));
  rdp::test::Received received(rig.get("out"));
  rig.change("k", [](GstBuffer*, int number) { return number != 4; });
  const std::string error = rig.run();
  fail_unless(error.empty() && rig.warnings.empty(), "%s", error.c_str());
  fail_unless_equals_int(static_cast<int>(received.count), 12);
  for (std::size_t i = 0; i < 12; ++i) {
    const bool alone = i == 4 || i > 8;
    GstRdpMotion* motion = gst_rdp_buffer_get_motion(received.buffers[i]);
    fail_unless((motion == nullptr) == alone, "frame %d", static_cast<int>(i));
    // The time since the last pair.
    if (motion == nullptr || i == 0) continue;
    const double frames = gst_rdp_motion_get_info(motion)->dt * 30.0;
    fail_unless(std::abs(frames - (i == 5 ? 2.0 : 1.0)) < 1e-6, "%g", frames);
  }
  fail_unless_equals_uint64(rig.stat("paired"), 8);
  fail_unless_equals_uint64(rig.stat("unpaired"), 4);
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);

  Rig twice(line(""));
  rdp::test::Received repeated(twice.get("out"));
  GstClockTime before = 0;
  const auto repeat = [&before](GstBuffer* buffer, int number) {
    if (number == 5) GST_BUFFER_PTS(buffer) = before;
    before = GST_BUFFER_PTS(buffer);
    return true;
  };
  twice.change("s", repeat);
  const std::string said = twice.run();
  fail_unless(said.empty() && twice.warnings.empty(), "%s", said.c_str());
  fail_unless_equals_int(static_cast<int>(repeated.count), 12);
  for (std::size_t i = 0; i < 12; ++i) {
    GstRdpMotion* motion = gst_rdp_buffer_get_motion(repeated.buffers[i]);
    fail_unless((motion == nullptr) == (i == 5), "frame %d", static_cast<int>(i));
  }
  gst_element_set_state(twice.pipeline(), GST_STATE_NULL);

  Rig timeless(line(""));
  rdp::test::Received none(timeless.get("out"));
  for (const char* element : {"s", "k"}) {
    timeless.change(element, [](GstBuffer* buffer, int) {
      GST_BUFFER_PTS(buffer) = GST_CLOCK_TIME_NONE;
      return true;
    });
  }
  fail_unless_equals_text(timeless.run(), "");
  fail_unless_equals_int(static_cast<int>(timeless.warnings.size()), 1);
  check_has(timeless.warnings[0], "without timestamps");
  fail_unless_equals_int(static_cast<int>(none.count), 12);
  fail_unless(gst_rdp_buffer_get_motion(none.buffers[3]) == nullptr);
  gst_element_set_state(timeless.pipeline(), GST_STATE_NULL);
}

// A repeated frame shows the previous content, whatever its time: the next dt counts from before
// it.
CHECK_TEST(test_repeated_frames) {
  for (const char* element : {"s", "k"}) {
    Rig rig(line(""));
    rdp::test::Received received(rig.get("out"));
    gpointer kept = nullptr;
    const bool depth = std::strcmp(element, "s") == 0;
    rig.change(element, [&](GstBuffer* buffer, int number) {
      if (depth && number == 5) {
        kept = gst_rdp_segmentation_ref(gst_rdp_buffer_get_segmentation(buffer));
      } else if (depth && number == 6) {
        remove_metas(buffer, GST_RDP_SEGMENT_META_API_TYPE);
        gst_buffer_add_rdp_segment_meta(buffer, static_cast<GstRdpSegmentation*>(kept));
      } else if (number == 5) {
        kept = gst_rdp_tracks_ref(gst_rdp_buffer_get_tracks(buffer));
      } else if (number == 6) {
        remove_metas(buffer, GST_RDP_TRACKS_META_API_TYPE);
        gst_buffer_add_rdp_tracks_meta(buffer, static_cast<GstRdpTracks*>(kept));
      }
      return true;
    });
    fail_unless_equals_text(rig.run(), "");
    fail_unless_equals_int(static_cast<int>(received.count), 12);
    for (std::size_t i = 1; i < 12; ++i) {
      GstRdpMotion* motion = gst_rdp_buffer_get_motion(received.buffers[i]);
      fail_unless((motion == nullptr) == (i == 6), "%s: frame %d", element, static_cast<int>(i));
      if (motion == nullptr) continue;
      const double frames = gst_rdp_motion_get_info(motion)->dt * 30.0;
      fail_unless(std::abs(frames - (i == 7 ? 2.0 : 1.0)) < 1e-6, "%s: %g", element, frames);
    }
    fail_unless_equals_uint64(rig.stat("frames"), 11);
    fail_unless_equals_uint64(rig.stat("paired"), 12);
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
    gst_mini_object_unref(GST_MINI_OBJECT_CAST(kept));
  }
}

// rdpoverlay draws motion, and reports if no frame ever carries any.
CHECK_TEST(test_drawn_motion) {
  const std::string drawn =
      " ! o.segments videotestsrc num-buffers=40 ! video/x-raw,format=RGBA,width=320,height=120 ! "
      "o.video rdpoverlay name=o style=motion ! fakesink name=out sync=false async=false";
  Rig some(source("depth", 40) + kSegments + source("left", 4) + kTracks + "rdpmotion name=m" +
           drawn);
  rdp::test::Received of_some(some.get("out"));
  fail_unless_equals_text(some.run(), "");
  fail_unless_equals_int(static_cast<int>(of_some.count), 40);
  fail_unless(some.warnings.empty(), "%s", some.warnings[0].c_str());
  gst_element_set_state(some.pipeline(), GST_STATE_NULL);
  Rig none(source("depth", 40) + "rdpsegment sample-scale=0.00390625" + drawn);
  rdp::test::Received of_none(none.get("out"));
  fail_unless_equals_text(none.run(), "");
  fail_unless_equals_int(static_cast<int>(of_none.count), 40);
  fail_unless_equals_int(static_cast<int>(none.warnings.size()), 1);
  check_has(none.warnings[0], "carry no motion, which style=motion needs: put rdpmotion before");
  gst_element_set_state(none.pipeline(), GST_STATE_NULL);
}

// Live, from two pictures, without a tee or a queue: depth frames wait for their tracks.
CHECK_TEST(test_live) {
  const auto live = [](const char* view) {
    return "depthtestsrc pattern=traffic is-live=true num-buffers=10 view=" + std::string(view) +
           " ! video/x-raw,width=160,height=60,framerate=5/" +
           std::to_string(rdp::test::slowness()) + " ! ";
  };
  Rig rig(live("left") + "d.left " + live("right") + "d.right depthstereo name=d ! " + kSegments +
          "d.rectified ! " + kTracks +
          "rdpmotion name=m ego-motion=estimate ! fakesink name=out sync=true m.overlay ! "
          "fakesink sync=true");
  rdp::test::Received received(rig.get("out"));
  fail_unless_equals_text(rig.run(), "");
  // A busy machine may drop some frames.
  fail_unless(received.count >= 5, "%d frames", static_cast<int>(received.count));
  fail_unless(rig.stat("frames") >= 3, "%d with motion", static_cast<int>(rig.stat("frames")));
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
}

// A flush drops all state.
CHECK_TEST(test_flush) {
  Rig rig(line("", source("depth", -1), source("left", -1)));
  rdp::test::Received received(rig.get("out"));
  rig.play();
  const auto more_than = [&](std::size_t count) {
    return rdp::test::await([&] { return received.count > count; });
  };
  fail_unless(more_than(3));
  fail_unless(gst_element_seek_simple(rig.pipeline(), GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
                                      2 * GST_SECOND));
  const std::size_t seen = received.count;
  fail_unless(more_than(seen + 3));
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  bool first = true;
  int after = 0;
  for (GstBuffer* buffer : received.buffers) {
    GstRdpMotion* motion = gst_rdp_buffer_get_motion(buffer);
    fail_unless(motion != nullptr);
    if (GST_BUFFER_PTS(buffer) < 2 * GST_SECOND && after == 0) continue;
    ++after;
    const double dt = gst_rdp_motion_get_info(motion)->dt;
    fail_unless(first == (dt == 0.0), "%d after the flush: %g", after, dt);
    first = false;
  }
  fail_unless(after > 2);
}

// Reverse playback gives no motion rather than a wrong one, with one warning; forward playback
// gives motion again.
CHECK_TEST(test_backwards) {
  Rig rig(line("ego-motion=estimate", source("depth", -1), source("left", -1)));
  rdp::test::Received received(rig.get("out"));
  // The segment rate of each buffer: frames also flow before a seek.
  struct Rates {
    double current = 1.0;
    std::vector<double> of_buffers;
  } rates;
  gst_pad_add_probe(
      received.pad(),
      static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM),
      [](GstPad*, GstPadProbeInfo* info, gpointer data) -> GstPadProbeReturn {
        auto* to = static_cast<Rates*>(data);
        const GstSegment* segment = nullptr;
        if ((GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER) != 0) {
          to->of_buffers.push_back(to->current);
        } else if (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_SEGMENT) {
          gst_event_parse_segment(GST_PAD_PROBE_INFO_EVENT(info), &segment);
          to->current = segment->rate;
        }
        return GST_PAD_PROBE_OK;
      },
      &rates, nullptr);
  gst_element_set_state(rig.pipeline(), GST_STATE_PAUSED);
  fail_unless_equals_int(gst_element_get_state(rig.pipeline(), nullptr, nullptr, 20 * GST_SECOND),
                         GST_STATE_CHANGE_SUCCESS);
  for (const double rate : {-1.0, 1.0}) {
    fail_unless(gst_element_seek(rig.pipeline(), rate, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
                                 GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_SET, GST_SECOND / 3));
    fail_unless_equals_text(rig.run(), "");
  }
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  fail_unless(rates.of_buffers.size() == received.buffers.size());
  const auto backwards = std::find(rates.of_buffers.begin(), rates.of_buffers.end(), -1.0);
  const auto forwards = std::find(backwards, rates.of_buffers.end(), 1.0);
  fail_unless(forwards - backwards > 3 && rates.of_buffers.end() - forwards > 3,
              "%d backwards, %d forwards", static_cast<int>(forwards - backwards),
              static_cast<int>(rates.of_buffers.end() - forwards));
  for (auto rate = backwards; rate != rates.of_buffers.end(); ++rate) {
    const auto i = static_cast<std::size_t>(rate - rates.of_buffers.begin());
    fail_unless((gst_rdp_buffer_get_motion(received.buffers[i]) != nullptr) == (*rate > 0.0), "%d",
                static_cast<int>(i));
  }
  fail_unless_equals_int(static_cast<int>(rig.warnings.size()), 1);
  check_has(rig.warnings[0], "seek with a rate above 0");
}

CHECK_CASE(rdpmotion, .seconds = 120)
