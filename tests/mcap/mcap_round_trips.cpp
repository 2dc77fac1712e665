// SPDX-License-Identifier: LGPL-2.1-or-later
// Round trips through mcapsink and mcapsrc are bit-identical: samples, caps, times, cameras, all
// metadata.
#include <gst/rdpsegment/rdpheightskind.h>
#include <gst/rdpsegment/rdpmotionkind.h>
#include <gst/rdpsegment/rdpobstacleskind.h>
#include <gst/rdpsegment/rdpplaneskind.h>
#include <gst/rdpsegment/rdpsegmentationkind.h>
#include <gst/rdpsegment/rdptrackskind.h>

#include "tests/mcap/mcap_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"
#include "tests/support/heights_fixture.h"
#include "tests/support/motion_fixture.h"
#include "tests/support/obstacles_fixture.h"
#include "tests/support/planes_fixture.h"
#include "tests/support/segmentation_fixture.h"
#include "tests/support/tracks_fixture.h"

using namespace rdp::test;

namespace {

// The serialised metadata of a buffer, with placements.
template <typename Kind>
void describe(GstBuffer* buffer, std::string* text) {
  gpointer state = nullptr;
  while (GstMeta* meta = gst_buffer_iterate_meta_filtered(buffer, &state, Kind::meta_api())) {
    const auto& of = *reinterpret_cast<typename Kind::Meta*>(meta);
    g_autoptr(GBytes) bytes = Kind::to_bytes(of.*Kind::kObject);
    g_autofree gchar* digest = g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, bytes);
    g_autofree gchar* line =
        g_strdup_printf("%s %s %.17g %.17g %.17g %.17g %u\n", Kind::kMetaName, digest, of.scale_x,
                        of.scale_y, of.offset_x, of.offset_y, of.batch_index);
    *text += line;
  }
}

// Describes everything that a round trip must preserve.
std::string described(GstBuffer* buffer) {
  using namespace rdp::meta;
  g_autofree gchar* head = g_strdup_printf(
      "pts %" G_GUINT64_FORMAT " dts %" G_GUINT64_FORMAT " duration %" G_GUINT64_FORMAT
      " offsets %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " flags %x\n",
      GST_BUFFER_PTS(buffer), GST_BUFFER_DTS(buffer), GST_BUFFER_DURATION(buffer),
      GST_BUFFER_OFFSET(buffer), GST_BUFFER_OFFSET_END(buffer),
      GST_BUFFER_FLAGS(buffer) & GST_BUFFER_FLAG_MARKER);
  std::string text = head;
  describe<SegmentationKind>(buffer, &text);
  describe<PlanesKind>(buffer, &text);
  describe<TracksKind>(buffer, &text);
  describe<MotionKind>(buffer, &text);
  describe<HeightsKind>(buffer, &text);
  describe<ObstaclesKind>(buffer, &text);
  if (const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(buffer)) {
    g_autofree gchar* json = gst_rdp_camera_to_json(meta->camera);
    text += json;
  }
  if (const GstRdpFileMeta* meta = gst_buffer_get_rdp_file_meta(buffer)) text += meta->name;
  return text;
}

void add_camera(GstBuffer* buffer, const GstRdpCameraInfo& info) {
  g_autoptr(GstRdpCamera) camera = new_camera(info);
  gst_buffer_add_rdp_camera_meta(buffer, camera);
}

void add_all_kinds(GstBuffer* buffer) {
  g_autoptr(GstRdpSegmentation) segments = new_three_columns(3);
  g_autoptr(GstRdpPlanes) planes = new_planes(wall_and_floor());
  g_autoptr(GstRdpTracks) tracks = new_tracks(two_tracks());
  g_autoptr(GstRdpMotion) motion = new_motion(two_of_three());
  g_autoptr(GstRdpHeights) heights = new_heights(two_heads());
  g_autoptr(GstRdpObstacles) obstacles = new_obstacles(two_obstacles());
  GstRdpSegmentMeta* first = gst_buffer_add_rdp_segment_meta(buffer, segments);
  first->scale_x = 0.5;
  first->offset_y = -3.25;
  gst_buffer_add_rdp_segment_meta(buffer, segments)->batch_index = 1;
  gst_buffer_add_rdp_planes_meta(buffer, planes);
  gst_buffer_add_rdp_tracks_meta(buffer, tracks);
  gst_buffer_add_rdp_motion_meta(buffer, motion);
  gst_buffer_add_rdp_heights_meta(buffer, heights);
  gst_buffer_add_rdp_obstacles_meta(buffer, obstacles);
  gst_buffer_add_rdp_file_meta(buffer, "frame\xff.png");
}

struct Row {
  const char* name;
  const char* pad;
  std::string caps;
  std::string sink;
  std::function<std::string(unsigned seed)> bytes;
  std::function<void(GstBuffer*)> finish;
};

constexpr const char* kGray16 = "video/x-raw,format=GRAY16_LE,width=37,height=5,framerate=30/1";
constexpr const char* kGray8 = "video/x-raw,format=GRAY8,width=37,height=5,framerate=30/1";

GstRdpCameraInfo millimetres() { return sized_camera(depth_camera_info(), 37, 5); }
GstRdpCameraInfo disparity() { return sized_camera(disparity_camera_info(), 37, 5); }
GstRdpCameraInfo posed() {
  GstRdpCameraInfo info = millimetres();
  info.has_pose = TRUE;
  const double pose[12] = {0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 3};
  std::copy(pose, pose + 12, info.pose);
  info.distortion[0] = 0.1;
  return info;
}

Row frames(
    const char* name, const char* pad, const char* caps, const char* sink,
    std::function<void(GstBuffer*)> finish = [](GstBuffer*) {}) {
  return {name, pad, caps, sink, [=](unsigned seed) { return some_frame(caps, seed); }, finish};
}

std::vector<Row> rows() {
  const auto mm = [](GstBuffer* buffer) { add_camera(buffer, millimetres()); };
  const auto px = [](GstBuffer* buffer) { add_camera(buffer, disparity()); };
  const auto colour = [](const char* format) {
    return std::string("video/x-raw,format=") + format + ",width=6,height=4,framerate=30/1";
  };
  std::vector<Row> rows = {
      frames("mm", "depth_0", kGray16, "compression=none", mm),
      frames("mm, zstd", "depth_0", kGray16, "", mm),
      frames("mm, png", "depth_0", kGray16, "png", mm),
      frames("mm, rvl", "depth_0", kGray16, "rvl", mm),
      frames("disparity", "depth_0", kGray16, "", px),
      frames("disparity, samples", "depth_0", kGray16, "disparity=samples", px),
      frames("no camera", "depth_0", kGray16, ""),
      frames("8 bits", "depth_0", kGray8, "", px),
      frames("poses", "depth_0", kGray16, "",
             [](GstBuffer* buffer) { add_camera(buffer, posed()); }),
      frames("all kinds", "depth_0", kGray16, "markers=true",
             [](GstBuffer* buffer) {
               add_camera(buffer, millimetres());
               add_all_kinds(buffer);
             }),
      {"json", "json_0", "application/x-json", "",
       [](unsigned seed) { return "{\"frame\":" + std::to_string(seed) + "}\n"; },
       [](GstBuffer*) {}},
  };
  for (const char* format : {"RGB", "BGR", "RGBA", "BGRA", "GRAY8", "NV12", "I420"}) {
    static std::vector<std::string> texts;
    texts.reserve(7);
    texts.push_back(colour(format));
    rows.push_back(frames(format, "video_0", texts.back().c_str(), "", add_all_kinds));
  }
  for (const auto& [type, head] :
       {std::pair<const char*, const char*>{"image/jpeg", "\xff\xd8\xff"},
        {"image/png", "\x89PNG\r\n\x1a\n"}}) {
    rows.push_back({type, "video_0", std::string(type) + ",width=6,height=4", "",
                    [head](unsigned seed) { return head + some_bytes(50, seed); },
                    [](GstBuffer*) {}});
  }
  for (const char* words :
       {"point-step=16,unit=1.0,axes=camera,color-offset=12,color-format=RGBA",
        "point-step=20,unit=0.5,axes=forward-left-up,width=2,height=3,intensity-offset=16,"
        "intensity-format=F32,label-offset=12,label-format=U8",
        "point-step=16,unit=1.0,axes=camera,color-offset=12,color-format=RGB"}) {
    const std::size_t step = words[12] == '6' ? 16 : 20;
    rows.push_back({words, "points_0",
                    std::string("application/x-points,format=XYZ32F,offset=0,") + words, "",
                    [step](unsigned seed) { return some_bytes(6 * step, seed); },
                    [](GstBuffer* buffer) {
                      g_autoptr(GstRdpPlanes) planes = new_planes(triangle_in_cloud());
                      gst_buffer_add_rdp_planes_meta(buffer, planes);
                    }});
  }
  return rows;
}

}  // namespace

CHECK_TEST(test_everything_comes_back) {
  McapFolder folder;
  for (const Row& row : rows()) {
    std::vector<GstBuffer*> sent;
    for (unsigned i = 0; i < 5; ++i) {
      GstBuffer* buffer = buffer_of(row.bytes(i + 1), 40 * GST_MSECOND * i + (i == 3 ? 7 : 0));
      GST_BUFFER_DURATION(buffer) = 33 * GST_MSECOND;
      GST_BUFFER_OFFSET(buffer) = 100 + i;
      if (i == 2) GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_MARKER);
      row.finish(buffer);
      sent.push_back(buffer);
    }
    // "png" and "rvl" are encodings of the pad; other values are properties of mcapsink.
    const bool encodes = row.sink == "png" || row.sink == "rvl";
    PipelineRig rig("appsrc name=in format=time ! s." + std::string(row.pad) +
                    " mcapsink name=s start-time=1700000000000000000 location=" + folder.file() +
                    " " + (encodes ? "" : row.sink));
    if (encodes) {
      gst_child_proxy_set(GST_CHILD_PROXY(rig.get("s")), "depth_0::depth-encoding",
                          row.sink == "png" ? 1 : 2, nullptr);
    }
    rig.set_caps("in", row.caps);
    rig.play();
    for (GstBuffer* buffer : sent) rig.push("in", gst_buffer_ref(buffer));
    rig.end({"in"});
    const std::string error = rig.wait();
    fail_unless(error.empty(), "%s: %s", row.name, error.c_str());
    const ReadFile file = read_file(folder.file());
    fail_unless(file.complete && file.warnings.empty(), "%s", row.name);

    const auto played = play(folder.file());
    fail_unless(played->error.empty(), "%s: %s", row.name, played->error.c_str());
    fail_unless_equals_int(played->buffers.size(), sent.size());
    g_autoptr(GstCaps) caps = gst_caps_from_string(played->caps.c_str());
    g_autoptr(GstCaps) given = gst_caps_from_string(row.caps.c_str());
    fail_unless(gst_caps_is_equal(caps, given), "%s: %s", row.name, played->caps.c_str());
    for (std::size_t i = 0; i < sent.size(); ++i) {
      GstBuffer* came = played->buffers[i];
      fail_unless(bytes_in(came) == bytes_in(sent[i]), "%s: samples of frame %zu", row.name, i);
      const std::string wanted = described(sent[i]);
      const std::string found = described(came);
      fail_unless(found == wanted, "%s, frame %zu:\n%s\nexpected:\n%s", row.name, i, found.c_str(),
                  wanted.c_str());
      const auto* stamp = gst_buffer_get_reference_timestamp_meta(came, nullptr);
      const bool has_header = std::string(row.name) != "json";
      fail_unless((stamp != nullptr) == has_header, "%s", row.name);
      if (has_header) {
        fail_unless_equals_uint64(stamp->timestamp, kStart + GST_BUFFER_PTS(sent[i]));
      }
    }
    for (GstBuffer* buffer : sent) gst_buffer_unref(buffer);
  }
}

// The recorded camera is that of the cropped part, not of the whole picture. A lost camera causes a
// warning.
CHECK_TEST(test_cameras_of_crops) {
  for (const guint width : {8U, 9U}) {
    McapFolder folder;
    GstBuffer* buffer = buffer_of(some_frame("video/x-raw,format=GRAY8,width=8,height=6", 1), 0);
    gst_buffer_add_video_meta(buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, 8, 6);
    const GstRdpCameraInfo whole = sized_camera(disparity_camera_info(), width, 6);
    add_camera(buffer, whole);
    GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(buffer);
    crop->x = 2;
    crop->y = 1;
    crop->width = crop->height = 4;
    PipelineRig rig("appsrc name=in format=time ! mcapsink location=" + folder.file());
    rig.set_caps("in", "video/x-raw,format=GRAY8,width=4,height=4,framerate=30/1");
    rig.play();
    for (int i = 0; i < 2; ++i) rig.push("in", gst_buffer_ref(buffer));
    rig.end({"in"});
    fail_unless_equals_text(rig.wait(), "");
    fail_unless_equals_int(rig.warnings.size(), width == 8 ? 0 : 1);
    const auto played = play(folder.file());
    const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(played->buffers.at(1));
    fail_unless((meta != nullptr) == (width == 8));
    const ReadFile file = read_file(folder.file());
    fail_unless_equals_int(file.count("/depth_0/camera_info"), width == 8 ? 2 : 0);
    gst_buffer_unref(buffer);
    if (meta == nullptr) {
      check_has(rig.warnings[0], "recorded without their camera from this one on");
      continue;
    }
    const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(meta->camera);
    fail_unless(info.width == 4 && info.height == 4 && info.principal_x == whole.principal_x - 2 &&
                    info.principal_y == whole.principal_y - 1,
                "%ux%u, centre %.17g %.17g", info.width, info.height, info.principal_x,
                info.principal_y);
  }
}

// Depth stays in mm without metadata: the message type implies the unit.
CHECK_TEST(test_unit_without_metadata) {
  for (const char* encoding : {"raw", "png", "rvl"}) {
    McapFolder folder;
    GstBuffer* buffer = buffer_of(some_frame(kGray16, 1), 0);
    add_camera(buffer, posed());
    const std::string settings = std::string("metadata=false depth_0::depth-encoding=") + encoding;
    fail_unless_equals_text(record(folder.file(), "depth_0", kGray16, {buffer}, settings.c_str()),
                            "");
    gst_buffer_unref(buffer);
    const auto played = play(folder.file());
    const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(played->buffers.at(0));
    fail_unless(meta != nullptr, "%s", encoding);
    const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(meta->camera);
    fail_unless(info.measures == GST_RDP_MEASURE_DEPTH && info.depth_unit == 0.001, "%s", encoding);
  }
}

// Times that start after 0 are kept. Seeks and the duration include the offset, also if stamps come
// from a jittering clock.
CHECK_TEST(test_times_of_a_late_start) {
  g_autoptr(GstCaps) unix_time = gst_caps_new_empty_simple("timestamp/x-unix");
  for (const bool odd_late : {false, true}) {
    McapFolder folder;
    std::vector<GstBuffer*> sent;
    for (unsigned i = 0; i < 20; ++i) {
      sent.push_back(buffer_of(some_frame(kGray16, i), 5 * GST_SECOND + i * 40 * GST_MSECOND));
      const guint64 late = i % 2 == (odd_late ? 1 : 0) && i != 19 ? 60 * GST_MSECOND : 0;
      gst_buffer_add_reference_timestamp_meta(
          sent.back(), unix_time, kStart + i * 40 * GST_MSECOND + late, GST_CLOCK_TIME_NONE);
    }
    fail_unless_equals_text(record(folder.file(), "depth_0", kGray16, sent), "");
    for (GstBuffer* buffer : sent) gst_buffer_unref(buffer);
    for (guint64 k : {0, 1, 2, 9, 10, 19}) {
      for (const guint64 early : {0, 1}) {
        const PlayedPart part =
            play_part(folder.file(), "", 5 * GST_SECOND + k * 40 * GST_MSECOND - early);
        // From the last stamp, and from the earliest stamp with its PTS.
        fail_unless_equals_int64(part.duration, (odd_late ? 5760 : 5780) * GST_MSECOND);
        fail_unless_equals_int(part.times.size(), 20 - k);
      }
    }
  }
}

// The topics that other programs read.
CHECK_TEST(test_topics) {
  McapFolder folder;
  GstBuffer* buffer = buffer_of(some_frame(kGray16, 1), 0);
  add_camera(buffer, posed());
  add_all_kinds(buffer);
  fail_unless_equals_text(record(folder.file(), "depth_0", kGray16, {buffer}, "markers=true"), "");
  const ReadFile file = read_file(folder.file());
  for (const char* topic : {"/depth_0/image_raw", "/depth_0/camera_info", "/depth_0/rdp",
                            "/depth_0/scan", "/depth_0/markers", "/tf_static", "/tf"}) {
    fail_unless_equals_int(file.count(topic), 1);
  }
  fail_unless_equals_int(file.count("/depth_0/json"), 2);  // two frames of a batch
  gst_buffer_unref(buffer);
}

CHECK_CASE(mcap_round_trips, .seconds = 120)
