// SPDX-License-Identifier: LGPL-2.1-or-later
// Motion from untrusted bytes, and as JSON.
#include <gst/rdpsegment/rdpmotionkind.h>

#include <cmath>

#include "tests/fuzz/kind_check.h"

using namespace rdp::fuzz;

// Makes `n` segments, one per motion; columns are filled from the left, with one segment per row.
static GstRdpSegmentation* segments_for(const GstRdpMotionInfo& motion, gsize n) {
  GstRdpSegmentationInfo info;
  gst_rdp_segmentation_info_init(&info);
  info.width = motion.width;
  info.height = motion.height;
  std::vector<guint32> offsets{0};
  std::vector<GstRdpSegment> segments;
  while (offsets.size() <= info.width) {
    for (guint row = 0; row < info.height && segments.size() < n; ++row) {
      segments.push_back({static_cast<guint16>(row), static_cast<guint16>(row), 1, 1});
    }
    offsets.push_back(static_cast<guint32>(segments.size()));
  }
  FUZZ_CHECK(segments.size() == n, "%zu motions in %ux%u", n, info.width, info.height);
  return gst_rdp_segmentation_new(&info, offsets.data(), offsets.size(), segments.data(),
                                  segments.size());
}

static void check_segment(JsonNode* node, const GstRdpSegmentMotion& wanted) {
  FUZZ_CHECK((json_node_is_null(node) != FALSE) == (wanted.tracks == 0), "tracks?");
  const bool known = (wanted.flags & GST_RDP_MOTION_KNOWN) != 0;
  FUZZ_CHECK((wanted.flags == 0 || known) && wanted.flags < 8 && known == !std::isnan(wanted.vx) &&
                 (!known || wanted.sigma >= 0) && !(wanted.spread < 0),
             "a segment that is not in order");
  if (wanted.tracks == 0) {
    FUZZ_CHECK(!known && std::isnan(wanted.dx), "known without tracks");
    return;
  }
  JsonArray* read = json_node_get_array(node);
  FUZZ_CHECK(json_array_get_length(read) == 9 &&
                 json_array_get_int_element(read, 0) == wanted.tracks &&
                 json_array_get_int_element(read, 1) == wanted.flags,
             "another segment");
  guint at = 2;
  for (const float number :
       {wanted.dx, wanted.dy, wanted.spread, wanted.vx, wanted.vy, wanted.vz, wanted.sigma}) {
    check_float(read, at++, number);
  }
}

static void check_info(JsonObject* motion, const GstRdpMotionInfo& info) {
  FUZZ_CHECK(info.width >= 1 && info.width <= 16384 && info.height >= 1 && info.height <= 16384,
             "a frame of %ux%u", info.width, info.height);
  FUZZ_CHECK(info.dt >= 0, "dt %g", info.dt);
  FUZZ_CHECK((json_object_get_null_member(motion, "dt") != FALSE) == (info.dt == 0), "dt?");
  FUZZ_CHECK(info.dt == 0 || json_object_get_double_member(motion, "dt") == info.dt, "another dt");
  const bool known = json_object_get_null_member(motion, "ego") == FALSE;
  FUZZ_CHECK(known == (info.ego_known != FALSE), "ego?");
  for (guint i = 0; known && i < 12; ++i) {
    JsonArray* ego = json_object_get_array_member(motion, "ego");
    FUZZ_CHECK(
        json_array_get_length(ego) == 12 && json_array_get_double_element(ego, i) == info.ego[i],
        "another ego-motion");
  }
}

static void check(GstRdpMotion* self) {
  const GstRdpMotionInfo& info = *gst_rdp_motion_get_info(self);
  gsize n = 0;
  const GstRdpSegmentMotion* segments = gst_rdp_motion_peek_segments(self, &n);
  g_autoptr(GstRdpSegmentation) segmentation = segments_for(info, n);
  g_autoptr(GstBuffer) buffer = gst_buffer_new();
  gst_buffer_add_rdp_segment_meta(buffer, segmentation);
  gst_buffer_add_rdp_motion_meta(buffer, self);
  JsonObject* motion = json_object_get_object_member(line_of(buffer), "motion");
  check_info(motion, info);
  JsonArray* columns = json_object_get_array_member(motion, "columns");
  FUZZ_CHECK(json_array_get_length(columns) == info.width, "%u columns",
             json_array_get_length(columns));
  guint c = 0;
  JsonArray* column = nullptr;
  for (gsize i = 0; i < n; ++i) {
    if (i % info.height == 0) column = json_array_get_array_element(columns, c++);
    FUZZ_CHECK(i % info.height < json_array_get_length(column), "segments are missing");
    check_segment(json_array_get_element(column, static_cast<guint>(i % info.height)), segments[i]);
  }
  const GstRdpTrackMotion* tracks = gst_rdp_motion_peek_tracks(self, &n);
  JsonArray* read = json_object_get_array_member(motion, "tracks");
  FUZZ_CHECK(json_array_get_length(read) == n, "%u tracks", json_array_get_length(read));
  for (guint i = 0; i < n; ++i) {
    JsonArray* track = json_array_get_array_element(read, i);
    FUZZ_CHECK(
        json_array_get_length(track) == 8 && json_array_get_int_element(track, 0) == tracks[i].id,
        "another track");
    guint at = 1;
    for (const float number : {tracks[i].x, tracks[i].y, tracks[i].z, tracks[i].vx, tracks[i].vy,
                               tracks[i].vz, tracks[i].sigma}) {
      check_float(track, at++, number);
    }
  }
}

extern "C" int LLVMFuzzerInitialize(int*, char***) { return start(); }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  damage_read<rdp::meta::MotionKind>({data, size}, check);
  return 0;
}
