// SPDX-License-Identifier: LGPL-2.1-or-later
// Output of rdpmetaconvert for frames with a camera: the keys "camera" and "points", and PLY.
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "common/image/palette.h"
#include "common/rdp/overlay_pixels.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include "tests/rdpmetaconvert/convert_rig.h"
#include "tests/support/segmentation_fixture.h"

using convert_rig::read_ply;
using convert_rig::text_of;

namespace {

// All numbers are powers of two, so that results are exact.
GstRdpCameraInfo camera_info() {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = 5;
  info.height = 10;
  info.focal_length = info.focal_length_y = 64;
  info.principal_x = 0.5;
  info.principal_y = 1;
  info.rectified = TRUE;
  info.baseline = 0.25;
  info.measures = GST_RDP_MEASURE_DISPARITY;
  info.disparity_unit = 0.5;
  return info;
}

GstRdpCamera* new_camera(const GstRdpCameraInfo& info = camera_info()) {
  g_autoptr(GError) error = nullptr;
  GstRdpCamera* camera = gst_rdp_camera_new(&info, &error);
  fail_unless(camera != nullptr, "%s", error != nullptr ? error->message : "no reason");
  return camera;
}

// 5x10 in columns of two pixels: Z is 32 / value.
GstRdpSegmentationInfo segmentation_info() {
  GstRdpSegmentationInfo info = info_of(5, 10);
  info.column_width = 2;
  return info;
}

// The last segment starts with a value that has no distance.
Columns columns() { return {{{1, 5, 8, 16}}, {}, {{3, 9, 0, 2}}}; }

constexpr const char* kCaps = "video/x-raw,format=GRAY8,width=5,height=10";

// A frame with this segmentation (transfer full, nullable).
GstBuffer* new_frame(GstRdpSegmentation* segmentation, GstRdpCamera* camera) {
  GstBuffer* buffer = convert_rig::new_frame(segmentation, 7);
  if (camera != nullptr) gst_buffer_add_rdp_camera_meta(buffer, camera);
  return buffer;
}

GstHarness* new_harness(const std::string& properties) {
  return convert_rig::new_harness(properties, kCaps);
}

std::string convert(const std::string& properties, GstBuffer* frame) {
  return convert_rig::convert(properties, frame, kCaps);
}

void check_vertex(const PlyFile::Vertex& v, float x, float y, float z) {
  fail_unless(v.x == x && v.y == y && v.z == z, "%.9g %.9g %.9g, not %.9g %.9g %.9g",
              static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z),
              static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
}

template <typename Coloured>
void check_colour(const Coloured& c, rdp::Rgb wanted) {
  fail_unless(c.red == wanted.r && c.green == wanted.g && c.blue == wanted.b,
              "%d %d %d, not %d %d %d", c.red, c.green, c.blue, wanted.r, wanted.g, wanted.b);
}

constexpr const char* kHead =
    "{\"frame\":0,\"pts\":7,\"width\":5,\"height\":10,\"epsilon\":4.0,\"sample-scale\":1.0,"
    "\"domain\":\"linear\",\"column-width\":2,\"columns\":[[[1,5,8,16]],[],[[3,9,0,2]]]";
constexpr const char* kPoints =
    ",\"points\":[[[0,0,4,0,0.125,2]],[],[[null,null,null,0.875,2,16]]]";

}  // namespace

CHECK_TEST(test_points) {
  g_autoptr(GstRdpCamera) camera = new_camera();
  g_autofree gchar* json = gst_rdp_camera_to_json(camera);
  GstRdpSegmentationInfo info = segmentation_info();
  const std::string expected = std::string(kHead) + ",\"camera\":" + json + kPoints + "}\n";
  const std::string got =
      convert("points=true", new_frame(new_segmentation(info, columns()), camera));
  fail_unless(got == expected, "got\n%s, not\n%s", got.c_str(), expected.c_str());

  // Without points=true, not a byte more.
  const std::string without = convert("", new_frame(new_segmentation(info, columns()), camera));
  fail_unless(without == std::string(kHead) + "}\n", "%s", without.c_str());
}

// The keys come after all others.
CHECK_TEST(test_points_beside_classes) {
  g_autoptr(GstRdpCamera) camera = new_camera();
  GstRdpSegmentationInfo info = segmentation_info();
  info.classify = TRUE;
  const std::string text =
      convert("points=true", new_frame(new_segmentation(info, columns()), camera));
  const std::size_t classes = text.find("\"classes\":");
  fail_unless(classes != std::string::npos && text.find(",\"camera\":{") > classes, "%s",
              text.c_str());
  fail_unless(text.ends_with(std::string(kPoints) + "}\n"), "%s", text.c_str());
}

// Each frame of a batch has its points. A stream may change cameras, and previous cameras are
// forgotten.
CHECK_TEST(test_points_of_batches_and_other_cameras) {
  g_autoptr(GstHarness) harness = new_harness("points=true");
  GstRdpCameraInfo camera_of = camera_info();
  for (const double baseline : {0.25, 0.5, 0.25}) {
    camera_of.baseline = baseline;
    g_autoptr(GstRdpCamera) camera = new_camera(camera_of);
    GstRdpSegmentationInfo info = segmentation_info();
    GstBuffer* frame = new_frame(new_segmentation(info, columns()), camera);
    g_autoptr(GstRdpSegmentation) second = new_segmentation(info, {{}, {{0, 1, 64, 64}}, {}});
    gst_buffer_add_rdp_segment_meta(frame, second)->batch_index = 1;
    const std::string text = text_of(gst_harness_push_and_pull(harness, frame));
    g_autofree gchar* json = gst_rdp_camera_to_json(camera);
    const std::string key = std::string(",\"camera\":") + json + ",\"points\":";
    const std::string z = baseline == 0.25 ? "0.5" : "1";
    const std::string x = baseline == 0.25 ? "0.015625" : "0.03125";
    const std::string y = baseline == 0.25 ? "-0.0078125" : "-0.015625";
    const std::string wanted = ",\"batch-index\":1" + key + "[[],[[" + x + "," + y + "," + z + "," +
                               x + ",0," + z + "]],[]]}\n";
    fail_unless(text.find(",\"batch-index\":0" + key + "[[[0,0," +
                          (baseline == 0.25 ? "4" : "8")) != std::string::npos,
                "%s", text.c_str());
    fail_unless(text.ends_with(wanted), "%s does not end with %s", text.c_str(), wanted.c_str());
  }
}

static void check_refused(const char* properties, GstBuffer* frame,
                          std::initializer_list<const char*> words) {
  convert_rig::check_refused(new_harness(properties), frame, words);
}

CHECK_TEST(test_no_metres) {
  GstRdpSegmentationInfo info = segmentation_info();
  GstRdpCameraInfo without_baseline = camera_info();
  without_baseline.baseline = 0;
  g_autoptr(GstRdpCamera) blind = new_camera(without_baseline);
  for (const char* property : {"points=true", "format=ply"}) {
    check_refused(property, new_frame(new_segmentation(info, columns()), nullptr),
                  {property, "no camera", "on depthstereo or rdpsegment", "calibration",
                   "focal-length", "baseline", "depth-unit"});
    check_refused(property, new_frame(new_segmentation(info, columns()), blind),
                  {property, "baseline", "rdpsegment"});
  }
}

// skip-missing drops frames without metres; in a batch, only the frames concerned.
CHECK_TEST(test_skip_missing) {
  GstRdpCameraInfo with_offset = camera_info();
  with_offset.disparity_offset = 1;
  g_autoptr(GstRdpCamera) camera = new_camera(with_offset);
  GstRdpSegmentationInfo info = segmentation_info();
  GstRdpSegmentationInfo inverse = info;
  inverse.domain = GST_RDP_DOMAIN_INVERSE;
  for (const char* property : {"points=true", "format=ply"}) {
    g_autoptr(GstHarness) harness =
        new_harness((std::string(property) + " skip-missing=true").c_str());
    fail_unless_equals_int(
        gst_harness_push(harness, new_frame(new_segmentation(info, columns()), nullptr)),
        GST_FLOW_OK);
    fail_unless_equals_int(gst_harness_push(harness, new_frame(nullptr, camera)), GST_FLOW_OK);
    fail_unless(gst_harness_try_pull(harness) == nullptr);
    // Inverse values of disparities with an offset have no metres.
    GstBuffer* batch = new_frame(new_segmentation(info, columns()), camera);
    g_autoptr(GstRdpSegmentation) other = new_segmentation(inverse, columns());
    gst_buffer_add_rdp_segment_meta(batch, other)->batch_index = 1;
    const std::string text = text_of(gst_harness_push_and_pull(harness, batch));
    fail_unless(text.find("batch-index") != std::string::npos, "%s", text.c_str());
    fail_unless(text.find("batch-index\":1") == std::string::npos, "%s", text.c_str());
    fail_unless(gst_harness_try_pull(harness) == nullptr);
  }
}

CHECK_TEST(test_ply_lines) {
  g_autoptr(GstRdpCamera) camera = new_camera();
  GstRdpSegmentationInfo info = segmentation_info();
  info.frame = 12;
  const PlyFile ply = read_ply(convert("format=ply ply-content=lines",
                                       new_frame(new_segmentation(info, columns()), camera)));
  // The other segment has no distance at one end.
  fail_unless_equals_int(ply.vertices.size(), 2);
  check_vertex(ply.vertices[0], 0, 0, 4);
  check_vertex(ply.vertices[1], 0, 0.125F, 2);
  fail_unless(ply.has_edges);
  fail_unless_equals_int(ply.edges.size(), 1);
  fail_unless(ply.edges[0].from == 0 && ply.edges[0].to == 1);
  // The palette spans 1/Z from 1/16 per m, the other segment's last end, to 1/2 per m, the nearest
  // end. The drawn segment has its ends at 3/7 and 1, its middle at 5/7.
  check_colour(ply.vertices[0], rdp::kPalette[109]);
  check_colour(ply.vertices[1], rdp::kPalette[255]);
  check_colour(ply.edges[0], rdp::kPalette[182]);
  fail_unless_equals_int(ply.comments.size(), 3);
  fail_unless(ply.comments[0].find("metres, x to the right, y down, z forward") !=
              std::string::npos);
  fail_unless(ply.comments[1] == "frame 12", "%s", ply.comments[1].c_str());
  fail_unless(ply.comments[2] == "pts 7", "%s", ply.comments[2].c_str());

  const PlyFile none =
      read_ply(convert("format=ply ply-content=lines",
                       new_frame(new_segmentation(info, {{{0, 5, 8, -1}}, {}, {}}), camera)));
  fail_unless(none.has_edges && none.vertices.empty() && none.edges.empty());
}

CHECK_TEST(test_ply_cloud) {
  g_autoptr(GstRdpCamera) camera = new_camera();
  const PlyFile ply = read_ply(
      convert("format=ply", new_frame(new_segmentation(segmentation_info(), columns()), camera)));
  fail_unless(!ply.has_edges);
  fail_unless_equals_int(ply.vertices.size(), 5 + 6);
  for (int i = 0; i < 5; ++i) {
    const double z = 32.0 / (8 + 2 * i);
    check_vertex(ply.vertices[static_cast<std::size_t>(i)], 0, static_cast<float>(i / 64.0 * z),
                 static_cast<float>(z));
  }
  // The value is linear in the row; the distance is not.
  for (int i = 1; i <= 6; ++i) {
    const double z = 32.0 / (2.0 * i / 6);
    check_vertex(ply.vertices[static_cast<std::size_t>(4 + i)], static_cast<float>(3.5 / 64 * z),
                 static_cast<float>((2.0 + i) / 64 * z), static_cast<float>(z));
  }
  check_colour(ply.vertices[4], rdp::kPalette[255]);  // the nearest
  check_colour(ply.vertices[10], rdp::kPalette[0]);   // the farthest end
  check_colour(ply.vertices[5], rdp::kPalette[0]);    // farther than any end
}

// Two segments that share an end give one point for it. An empty frame gives a file without points.
CHECK_TEST(test_ply_shared_ends_and_empty_frames) {
  GstRdpCameraInfo camera_of = camera_info();
  camera_of.width = 3;
  g_autoptr(GstRdpCamera) camera = new_camera(camera_of);
  g_autoptr(GstHarness) harness = new_harness("format=ply");
  PlyFile ply =
      read_ply(text_of(gst_harness_push_and_pull(harness, new_frame(new_three_columns(), camera))));
  fail_unless_equals_int(ply.vertices.size(), 10 + 1);
  ply = read_ply(text_of(gst_harness_push_and_pull(
      harness, new_frame(new_segmentation(info_of(3, 10), {{}, {}, {}}), camera))));
  fail_unless_equals_int(ply.vertices.size(), 0);
}

CHECK_TEST(test_ply_classes) {
  g_autoptr(GstRdpCamera) camera = new_camera();
  GstRdpSegmentationInfo info = segmentation_info();
  info.classify = TRUE;
  info.ground_slope = 2;
  constexpr rdp::ClassColours kColours = rdp::make_class_colours();
  const Columns of_classes = {{{1, 5, 100, 100}, {5, 9, 100, 10}}, {{0, 3, 1, 1}}, {{0, 9, 0, 18}}};
  g_autoptr(GstRdpSegmentation) segmentation = new_segmentation(info, of_classes);
  gsize n = 0;
  const guint8* classes = gst_rdp_segmentation_peek_classes(segmentation, &n);
  fail_unless_equals_int(classes[0], GST_RDP_SEGMENT_CLASS_UPRIGHT);
  fail_unless_equals_int(classes[1], GST_RDP_SEGMENT_CLASS_OTHER);
  fail_unless_equals_int(classes[2], GST_RDP_SEGMENT_CLASS_FAR);
  fail_unless_equals_int(classes[3], GST_RDP_SEGMENT_CLASS_GROUND);
  const auto colour = [&](int c) {
    const rdp::Pixel p = kColours.of[c].entry[255];
    return rdp::Rgb{static_cast<std::uint8_t>(p), static_cast<std::uint8_t>(p >> 8),
                    static_cast<std::uint8_t>(p >> 16)};
  };
  const PlyFile cloud =
      read_ply(convert("format=ply", new_frame(gst_rdp_segmentation_ref(segmentation), camera)));
  // The shared end belongs to the upper one; the ground begins where there is no distance.
  fail_unless_equals_int(cloud.vertices.size(), 5 + 4 + 4 + 9);
  const int of_vertex[] = {2, 2, 2, 2, 2, 0, 0, 0, 0, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  for (std::size_t i = 0; i < cloud.vertices.size(); ++i) {
    check_colour(cloud.vertices[i], colour(of_vertex[i]));
  }
  const PlyFile lines = read_ply(convert(
      "format=ply ply-content=lines", new_frame(gst_rdp_segmentation_ref(segmentation), camera)));
  fail_unless_equals_int(lines.edges.size(), 3);
  for (std::size_t i = 0; i < 3; ++i) {
    check_colour(lines.edges[i], colour(classes[i]));
    check_colour(lines.vertices[2 * i], colour(classes[i]));
    check_colour(lines.vertices[2 * i + 1], colour(classes[i]));
  }
}

// Inverse domain: values are reciprocal depths; lens distortion is undone. Points at segment ends
// are bit-identical in the cloud and in the segments.
CHECK_TEST(test_ply_inverse_depth_and_distortion) {
  for (const bool distorted : {false, true}) {
    for (const GstRdpDomain domain : {GST_RDP_DOMAIN_LINEAR, GST_RDP_DOMAIN_INVERSE}) {
      GstRdpCameraInfo of_camera = camera_info();
      of_camera.measures = GST_RDP_MEASURE_DEPTH;
      of_camera.depth_unit = 0.001;
      if (distorted) {
        const double coefficients[] = {-0.28, 0.07, 0.0002, -0.0001, 0.01};
        std::copy(std::begin(coefficients), std::end(coefficients), of_camera.distortion);
      }
      g_autoptr(GstRdpCamera) camera = new_camera(of_camera);
      GstRdpSegmentationInfo info = segmentation_info();
      info.domain = domain;
      g_autoptr(GstRdpSegmentation) segmentation =
          new_segmentation(info, {{{1, 5, 810, 1603}}, {{0, 9, 5000, 700.5F}}, {{2, 2, 9, 9}}});
      const PlyFile ply = read_ply(
          convert("format=ply", new_frame(gst_rdp_segmentation_ref(segmentation), camera)));
      fail_unless_equals_int(ply.vertices.size(), 5 + 10 + 1);
      g_autoptr(GBytes) bytes = gst_rdp_segmentation_get_points(segmentation, camera, nullptr);
      const auto* points = static_cast<const gfloat*>(g_bytes_get_data(bytes, nullptr));
      const std::size_t ends[] = {0, 4, 5, 14, 15, 15};
      for (std::size_t i = 0; i < 6; ++i) {
        check_vertex(ply.vertices[ends[i]], points[3 * i], points[3 * i + 1], points[3 * i + 2]);
      }
      // Between the ends: linear in the value.
      const double middle = (810 + 1603) / 2.0;
      const double z =
          domain == GST_RDP_DOMAIN_INVERSE ? info.inverse_scale / middle * 0.001 : middle * 0.001;
      const PlyFile::Vertex& v = ply.vertices[2];
      fail_unless(std::fabs(v.z - z) < 1e-6 * z, "%.9g, not %.9g", static_cast<double>(v.z), z);
      double x = 0;
      double y = 0;
      fail_unless(gst_rdp_camera_unproject(camera, 0.5, 3, &x, &y));
      fail_unless(std::fabs(v.x - x * z) < 1e-6 * z && std::fabs(v.y - y * z) < 1e-6 * z);
    }
  }
}

// One file per frame: a batch gives several buffers, all with the batch's times.
CHECK_TEST(test_ply_of_a_batch) {
  g_autoptr(GstRdpCamera) camera = new_camera();
  GstRdpSegmentationInfo info = segmentation_info();
  g_autoptr(GstHarness) harness = new_harness("format=ply");
  for (int repeat = 0; repeat < 2; ++repeat) {
    GstBuffer* frame = new_frame(new_segmentation(info, columns()), camera);
    for (guint index = 1; index < 3; ++index) {
      g_autoptr(GstRdpSegmentation) other =
          new_segmentation(info, {{{0, static_cast<guint16>(index), 8, 8}}, {}, {}});
      gst_buffer_add_rdp_segment_meta(frame, other)->batch_index = index;
    }
    fail_unless_equals_int(gst_harness_push(harness, frame), GST_FLOW_OK);
    fail_unless_equals_int(gst_harness_buffers_in_queue(harness), 3);
    for (std::size_t index = 0; index < 3; ++index) {
      GstBuffer* buffer = gst_harness_pull(harness);
      fail_unless_equals_uint64(GST_BUFFER_PTS(buffer), 7);
      const PlyFile ply = read_ply(text_of(buffer));
      fail_unless(ply.comments[3] == "batch-index " + std::to_string(index));
      fail_unless_equals_int(ply.vertices.size(), index == 0 ? 11 : index + 1);
    }
  }
}

// A frame with a segment in its last column, all of it 4 m away.
static void check_cloud(GstHarness* harness, GstRdpCamera* camera, guint column_width) {
  GstRdpSegmentationInfo info = segmentation_info();
  info.column_width = column_width;
  Columns of((5 + column_width - 1) / column_width);
  of.back() = {{0, 9, 8, 8}};
  const PlyFile ply = read_ply(
      text_of(gst_harness_push_and_pull(harness, new_frame(new_segmentation(info, of), camera))));
  fail_unless_equals_int(ply.vertices.size(), 10);
  const auto first = static_cast<guint>(of.size() - 1) * column_width;
  for (std::size_t row = 0; row < 10; ++row) {
    double x = 0;
    double y = 0;
    fail_unless(
        gst_rdp_camera_unproject(camera, (first + 4) / 2.0, static_cast<double>(row), &x, &y));
    check_vertex(ply.vertices[row], static_cast<float>(x * 4), static_cast<float>(y * 4), 4);
  }
}

// Cached data of a camera is dropped when the camera changes. So is cached data of frames with
// another shape, even with equal column counts.
CHECK_TEST(test_ply_of_other_cameras) {
  g_autoptr(GstHarness) harness = new_harness("format=ply");
  GstRdpCameraInfo of_camera = camera_info();
  of_camera.measures = GST_RDP_MEASURE_DEPTH;
  of_camera.depth_unit = 0.5;
  for (const auto& [focal, k1] : {std::tuple{64.0, 0.0}, std::tuple{128.0, 0.0},
                                  std::tuple{128.0, -0.2}, std::tuple{64.0, 0.0}}) {
    of_camera.focal_length = of_camera.focal_length_y = focal;
    of_camera.distortion[0] = k1;
    g_autoptr(GstRdpCamera) camera = new_camera(of_camera);
    for (const guint column_width : {2U, 3U, 4U, 1U}) check_cloud(harness, camera, column_width);
  }
}

// If downstream refuses a buffer within a batch, the rest is dropped and does not mix with the next
// batch.
CHECK_TEST(test_ply_of_a_batch_that_is_not_taken) {
  g_autoptr(GstRdpCamera) camera = new_camera();
  GstRdpSegmentationInfo info = segmentation_info();
  g_autoptr(GstHarness) harness = new_harness("format=ply");
  static int taken;
  taken = 0;
  gst_pad_set_chain_function(
      harness->sinkpad, +[](GstPad*, GstObject*, GstBuffer* buffer) -> GstFlowReturn {
        gst_buffer_unref(buffer);
        return ++taken == 1 ? GST_FLOW_ERROR : GST_FLOW_OK;
      });
  for (const int expected : {1, 3}) {
    GstBuffer* frame = new_frame(new_segmentation(info, columns()), camera);
    g_autoptr(GstRdpSegmentation) other = new_segmentation(info, {{}, {}, {}});
    gst_buffer_add_rdp_segment_meta(frame, other)->batch_index = 1;
    fail_unless_equals_int(gst_harness_push(harness, frame),
                           expected == 1 ? GST_FLOW_ERROR : GST_FLOW_OK);
    fail_unless_equals_int(taken, expected);
  }
}

CHECK_TEST(test_ply_caps) {
  g_autoptr(GstRdpCamera) camera = new_camera();
  GstRdpSegmentationInfo info = segmentation_info();
  g_autoptr(GstHarness) harness = new_harness("format=ply");
  text_of(gst_harness_push_and_pull(harness, new_frame(new_segmentation(info, columns()), camera)));
  GstCaps* caps = gst_pad_get_current_caps(harness->sinkpad);
  fail_unless(gst_structure_has_name(gst_caps_get_structure(caps, 0), "application/x-ply"));
  gst_caps_unref(caps);
  // A property set while the stream runs takes effect with the next caps.
  GstElement* element = gst_harness_find_element(harness, "rdpmetaconvert");
  g_object_set(element, "format", 0, "points", TRUE, nullptr);
  gst_object_unref(element);
  fail_unless(text_of(gst_harness_push_and_pull(
                          harness, new_frame(new_segmentation(info, columns()), camera)))
                  .starts_with("ply\n"));
  gst_harness_set_src_caps_str(harness, "video/x-raw,format=GRAY16_LE,width=5,height=10");
  fail_unless(text_of(gst_harness_push_and_pull(
                          harness, new_frame(new_segmentation(info, columns()), camera)))
                  .starts_with("{\"frame\":0,"));
}

CHECK_CASE(rdpmetaconvert_metres)
