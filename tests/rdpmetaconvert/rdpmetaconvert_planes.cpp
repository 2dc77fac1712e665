// SPDX-License-Identifier: LGPL-2.1-or-later
// Planes as JSON Lines and as PLY.
#include <cstring>
#include <string>

#include "tests/support/hull_file.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/rdpsegment/rdpplaneskind.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/rdpmetaconvert/convert_rig.h"
#include "tests/support/planes_fixture.h"
#include "tests/support/segmentation_fixture.h"

using convert_rig::check_text;
using convert_rig::text_of;

namespace {

constexpr const char* kFrames = "video/x-raw,format=GRAY8,width=8,height=6";
constexpr const char* kClouds = "application/x-points,format=XYZ32F,point-step=12,offset=0";

GstHarness* new_harness(const char* properties, const char* caps = kFrames) {
  return convert_rig::new_harness(properties, caps);
}

// A buffer with irrelevant bytes.
GstBuffer* new_frame(const PlanesContent* content, GstClockTime pts = 0) {
  GstBuffer* buffer = convert_rig::new_frame(nullptr, pts);
  if (content != nullptr) {
    g_autoptr(GstRdpPlanes) planes = new_planes(*content);
    gst_buffer_add_rdp_planes_meta(buffer, planes);
  }
  return buffer;
}

std::string convert(const char* properties, GstBuffer* frame, const char* caps = kFrames) {
  return convert_rig::convert(properties, frame, caps);
}

const std::string kHead = R"({"frame":7,"pts":0,"width":8,"height":6)";
const std::string kWall =
    R"({"normal":[0,0,1],"distance":2,"centroid":[0,-0.5,2],"rms":4e-04,"inliers":32,)"
    R"("area":5.25,"box":[0,0,8,4],"hull":[[0,0],[7,0],[7,3],[0,3]])";
const std::string kFloor =
    R"({"normal":[0,1,0],"distance":1.25,"centroid":[0,1.25,2],"rms":0,"inliers":8,)"
    R"("area":0,"box":[0,5,8,1],"hull":[])";
const std::string kPlanes =
    R"(,"unit":"m","calibrated":true,"ground":1,"planes":[)" + kWall + "}," + kFloor + "}]";
const std::string kFindings = R"(,"camera-height":1.25,"pitch":0.5,"roll":-0.25,"noise":0.001)";

GstRdpCamera* new_camera() {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = 8;
  info.height = 6;
  info.focal_length = info.focal_length_y = 4;
  info.principal_x = 3.5;
  info.principal_y = 2.5;
  info.rectified = TRUE;
  info.measures = GST_RDP_MEASURE_DEPTH;
  info.depth_unit = 0.001;
  return gst_rdp_camera_new(&info, nullptr);
}

}  // namespace

CHECK_TEST(test_text) {
  PlanesContent content = wall_and_floor();
  check_text(convert("", new_frame(&content)), kHead + kPlanes + kFindings + "}\n");
  // Keys without a meaning are omitted.
  content.info.ground = -1;
  content.info.noise = 0;
  content.info.calibrated = FALSE;
  content.planes.clear();
  content.corners.clear();
  content.labels.assign(48, 0);
  check_text(convert("", new_frame(&content, GST_CLOCK_TIME_NONE)),
             R"({"frame":7,"pts":null,"width":8,"height":6,"unit":"m","calibrated":false,)"
             R"("ground":-1,"planes":[]})"
             "\n");
}

CHECK_TEST(test_text_of_clouds) {
  PlanesContent content = triangle_in_cloud();
  const std::string plane =
      R"({"normal":[-1,0,0],"distance":0.5,"centroid":[-0.5,0,0],"rms":0,"inliers":4,)"
      R"("area":0.125,)";
  const std::string hull = R"("hull":[[-0.5,0,0],[-0.5,0.5,0],[-0.5,0,0.5]]}]})"
                           "\n";
  const std::string tail = R"(,"unit":"m","calibrated":true,"ground":-1,"planes":[)";
  for (const char* properties : {"", "points=true"}) {
    check_text(convert(properties, new_frame(&content), kClouds),
               R"({"frame":0,"pts":0,"cloud":true,"n-points":5)" + tail + plane + hull);
  }
  content.info.width = 5;
  content.info.height = 1;
  content.planes[0].box_width = 5;
  content.planes[0].box_height = 1;
  check_text(convert("", new_frame(&content), kClouds),
             R"({"frame":0,"pts":0,"width":5,"height":1,"cloud":true,"n-points":5)" + tail + plane +
                 R"("box":[0,0,5,1],)" + hull);
}

// points=true adds the camera, if any, and the hulls in metres.
CHECK_TEST(test_points) {
  const PlanesContent content = wall_and_floor();
  const std::string with_points =
      kHead + R"(,"unit":"m","calibrated":true,"ground":1,"planes":[)" + kWall +
      R"(,"points":[[-1.75,-1.25,2],[1.75,-1.25,2],[1.75,0.25,2],[-1.75,0.25,2]]},)" + kFloor +
      R"(,"points":[]}])" + kFindings;
  check_text(convert("points=true", new_frame(&content)), with_points + "}\n");
  g_autoptr(GstRdpCamera) camera = new_camera();
  g_autofree gchar* json = gst_rdp_camera_to_json(camera);
  GstBuffer* frame = new_frame(&content);
  gst_buffer_add_rdp_camera_meta(frame, camera);
  GstBuffer* same = gst_buffer_copy(frame);
  check_text(convert("points=true", frame), with_points + ",\"camera\":" + json + "}\n");
  check_text(convert("", same), kHead + kPlanes + kFindings + "}\n");
}

// A frame with segments and planes gives one line: that of the segments, extended by the planes.
CHECK_TEST(test_both) {
  PlanesContent content = wall_and_floor();
  const std::string segments = convert("", [] {
    GstBuffer* frame = new_frame(nullptr);
    g_autoptr(GstRdpSegmentation) segmentation = new_segmentation(info_of(8, 6), Columns(8));
    gst_buffer_add_rdp_segment_meta(frame, segmentation);
    return frame;
  }());
  fail_unless(segments.starts_with(R"({"frame":0,"pts":0,"width":8,"height":6,"epsilon":4.0)"));
  const std::string open = segments.substr(0, segments.size() - 2);
  g_autoptr(GstRdpSegmentation) segmentation = new_segmentation(info_of(8, 6), Columns(8));
  for (const bool planes_first : {false, true}) {
    GstBuffer* frame = new_frame(planes_first ? &content : nullptr);
    gst_buffer_add_rdp_segment_meta(frame, segmentation);
    if (!planes_first) {
      g_autoptr(GstRdpPlanes) planes = new_planes(content);
      gst_buffer_add_rdp_planes_meta(frame, planes);
    }
    check_text(convert("", frame), open + kPlanes + kFindings + "}\n");
  }
  // With segments of another size than the planes' frame, the line also has the other size.
  g_autoptr(GstRdpSegmentation) small = new_three_columns();
  GstBuffer* frame = new_frame(&content);
  gst_buffer_add_rdp_segment_meta(frame, small);
  const std::string text = convert("", frame);
  fail_unless(text.find(R"("width":3,"height":10,)") != std::string::npos, "%s", text.c_str());
  fail_unless(
      text.ends_with(R"(,"planes-width":8,"planes-height":6)" + kPlanes + kFindings + "}\n"), "%s",
      text.c_str());
}

// Frames of a batch are told apart by batch index, whatever metadata each has.
CHECK_TEST(test_batch) {
  const PlanesContent content = wall_and_floor();
  GstBuffer* frame = new_frame(&content);
  g_autoptr(GstRdpPlanes) planes = new_planes(content);
  gst_buffer_add_rdp_planes_meta(frame, planes)->batch_index = 2;
  g_autoptr(GstRdpSegmentation) segmentation = new_segmentation(info_of(8, 6), Columns(8));
  gst_buffer_add_rdp_segment_meta(frame, segmentation)->batch_index = 2;
  gst_buffer_add_meta(frame, GST_RDP_PLANES_META_INFO, nullptr);  // an empty one
  const std::string text = convert("", frame);
  const std::size_t end = text.find('\n') + 1;
  const std::string first = text.substr(0, end);
  fail_unless(first.find(R"("epsilon")") != std::string::npos, "%s", text.c_str());
  fail_unless(first.ends_with(R"(,"batch-index":2)" + kPlanes + kFindings + "}\n"), "%s",
              text.c_str());
  check_text(text.substr(end), kHead + kPlanes + kFindings + ",\"batch-index\":0}\n");
}

// A frame whose segments are skipped for lack of metres still has its planes.
CHECK_TEST(test_batch_without_segments) {
  const PlanesContent content = wall_and_floor();
  g_autoptr(GstRdpSegmentation) segmentation = new_segmentation(info_of(8, 6), Columns(8));
  g_autoptr(GstRdpPlanes) planes = new_planes(content);
  for (const bool of_batch : {false, true}) {
    GstBuffer* frame = new_frame(&content);
    gst_buffer_add_rdp_segment_meta(frame, segmentation);
    if (of_batch) {
      gst_buffer_add_rdp_segment_meta(frame, segmentation)->batch_index = 1;
      gst_buffer_add_rdp_planes_meta(frame, planes)->batch_index = 1;
    }
    GstBuffer* same = gst_buffer_copy(frame);
    const std::string text = convert("points=true skip-missing=true", frame);
    fail_unless(text.find("\"columns\"") == std::string::npos, "%s", text.c_str());
    fail_unless((text.find("\"batch-index\":0}\n") != std::string::npos) == of_batch, "%s",
                text.c_str());
    fail_unless(text.ends_with("\"batch-index\":1}\n") == of_batch, "%s", text.c_str());
    const std::string ply = convert("format=ply skip-missing=true", same);
    fail_unless((ply.find("batch-index") != std::string::npos) == of_batch, "%s", ply.c_str());
  }
}

// JSON and PLY contain no labels: no GPU is needed to write them.
CHECK_TEST(test_lost_labels) {
  const PlanesContent content = wall_and_floor();
  static constexpr GstRdpOwnerClass kLost = {
      [](gpointer fetched, gpointer, const gchar**) noexcept -> gboolean {
        ++*static_cast<int*>(fetched);
        return FALSE;
      },
      nullptr, nullptr};
  int fetched = 0;
  const GstRdpPlanesArrays arrays = {content.planes.data(), 2, content.corners.data(), 4, nullptr,
                                     content.labels.size()};
  g_autoptr(GstRdpPlanes) planes = gst_rdp_planes_blank_new();
  gst_rdp_planes_blank_fill(planes, &content.info, &arrays, &kLost, &fetched);
  GstBuffer* frame = new_frame(nullptr);
  gst_buffer_add_rdp_planes_meta(frame, planes);
  GstBuffer* same = gst_buffer_copy(frame);
  check_text(convert("", frame), kHead + kPlanes + kFindings + "}\n");
  fail_unless_equals_int(HullFile(convert("format=ply", same)).faces.size(), 1);
  fail_unless_equals_int(fetched, 0);
}

CHECK_TEST(test_ply) {
  const PlanesContent content = wall_and_floor();
  for (const char* what : {"cloud", "lines", "planes"}) {
    const HullFile ply(
        convert((std::string("format=ply ply-content=") + what).c_str(), new_frame(&content, 5)));
    fail_unless_equals_int(ply.faces.size(), 1);
    fail_unless_equals_int(ply.vertices.size(), 4);
    fail_unless_equals_int(ply.comments.size(), 3);
    fail_unless(ply.comments[1] == "frame 7" && ply.comments[2] == "pts 5");
  }
  const PlanesContent cloud = triangle_in_cloud();
  fail_unless_equals_int(HullFile(convert("format=ply", new_frame(&cloud), kClouds)).faces.size(),
                         1);
  // As written by the library, except for the timestamp.
  g_autoptr(GstRdpPlanes) planes = new_planes(content);
  g_autoptr(GBytes) bytes = gst_rdp_planes_to_ply(planes);
  gsize size = 0;
  const auto* data = static_cast<const char*>(g_bytes_get_data(bytes, &size));
  check_text(convert("format=ply", new_frame(&content, GST_CLOCK_TIME_NONE)),
             std::string(data, size));
}

// For a frame with segments and planes, ply-content selects one.
CHECK_TEST(test_ply_of_both) {
  const PlanesContent content = wall_and_floor();
  g_autoptr(GstRdpCamera) camera = new_camera();
  g_autoptr(GstRdpSegmentation) segmentation =
      new_segmentation(info_of(8, 6), {{{0, 3, 500, 500}}, {}, {}, {}, {}, {}, {}, {}});
  GstBuffer* frame = new_frame(&content);
  gst_buffer_add_rdp_camera_meta(frame, camera);
  gst_buffer_add_rdp_segment_meta(frame, segmentation);
  g_autoptr(GstBuffer) same = gst_buffer_copy(frame);
  const std::string cloud = convert("format=ply", frame);
  fail_unless(cloud.find("element vertex 4\n") != std::string::npos);
  fail_unless(cloud.find("element face") == std::string::npos);
  const HullFile hulls(convert("format=ply ply-content=planes", gst_buffer_copy(same)));
  fail_unless_equals_int(hulls.faces.size(), 1);
  fail_unless_equals_int(hulls.comments.size(), 3);
}

static void check_refused(const char* properties, GstBuffer* frame,
                          std::initializer_list<const char*> words) {
  convert_rig::check_refused(new_harness(properties), frame, words);
}

CHECK_TEST(test_refused) {
  check_refused("", new_frame(nullptr),
                {"neither segments nor planes", "rdpsegment", "depthplanes"});
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  GstBuffer* frame = new_frame(nullptr);
  gst_buffer_add_rdp_segment_meta(frame, segmentation);
  check_refused("format=ply ply-content=planes", frame, {"no planes", "depthplanes"});
  // A lost camera.
  const PlanesContent content = wall_and_floor();
  g_autoptr(GstRdpCamera) camera = new_camera();
  frame = new_frame(&content);
  gst_buffer_add_rdp_camera_meta(frame, camera);
  gst_buffer_get_rdp_planes_meta(frame)->scale_x = -1;
  check_refused("points=true", frame, {"points=true", "mirrored after its planes were found"});

  g_autoptr(GstHarness) harness = new_harness("skip-missing=true");
  fail_unless_equals_int(gst_harness_push(harness, new_frame(nullptr)), GST_FLOW_OK);
  fail_unless(gst_harness_try_pull(harness) == nullptr);
  check_text(text_of(gst_harness_push_and_pull(harness, new_frame(&content))),
             kHead + kPlanes + kFindings + "}\n");
}

CHECK_CASE(rdpmetaconvert_planes)
