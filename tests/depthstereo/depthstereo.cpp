// SPDX-License-Identifier: LGPL-2.1-or-later
// depthstereo on pairs in system memory: bit-identical to the scalar reference for every format,
// packing and property; its side pads; its camera.
#include <algorithm>

#include "common/rdp/overlay.h"
#include "common/stereo/depth_table.h"
#include "tests/depthstereo/stereo_rig.h"
#include "tests/support/check_test.h"

using rdp::stereo::Parameters;
using namespace stereo_rig;

namespace {

constexpr int kWidth = 101;
constexpr int kHeight = 47;

const Parameters& small_range() {
  static const Parameters parameters = [] {
    Parameters result;
    result.disparities = 32;
    return result;
  }();
  return parameters;
}

// Compares the output for one pair with the reference.
void check_pair(const std::string& properties, const Parameters& parameters,
                const char* format = "GRAY8") {
  const Views views = draw(kWidth, kHeight, parameters);
  Rig rig(properties);
  rig.set_all_caps(caps(format, kWidth, kHeight));
  rig.push_pair(views, 0, format);
  rig.check_runs();
  fail_unless_equals_int(rig.received().buffers.size(), 1);
  const Expected expected = match(views, parameters);
  check_same(samples<std::uint16_t>(rig.received().buffers[0], kWidth, kHeight), expected.disparity,
             kWidth, properties + " " + format);
}

// Packs both views into one frame.
Picture pack(const Views& views, bool side_by_side, bool right_first) {
  const Picture& first = right_first ? views.right : views.left;
  const Picture& second = right_first ? views.left : views.right;
  const int width = first.width;
  Picture result = stereo_rig::picture(side_by_side ? 2 * width : width,
                                       side_by_side ? first.height : 2 * first.height);
  for (int row = 0; row < first.height; ++row) {
    const auto put = [&](const Picture& from, int to_row, int to_column) {
      std::copy_n(from.samples.data() + row * width, width,
                  result.samples.data() + to_row * result.width + to_column);
    };
    put(first, row, 0);
    put(second, side_by_side ? row : row + first.height, side_by_side ? width : 0);
  }
  return result;
}

void check_packed(const std::string& properties, const std::string& more_caps, bool side_by_side,
                  bool right_first, const std::string& pad = " left",
                  const char* format = "GRAY8") {
  const int width = 96;
  const int height = 40;
  const Views views = draw(width, height, small_range());
  const Picture packed = pack(views, side_by_side, right_first);
  Rig rig("disparities=32 " + properties, pad + " rectified");
  rig.set_all_caps(caps(format, packed.width, packed.height, more_caps));
  rig.push(pad.c_str() + 1, buffer(packed, 0, format));
  rig.check_runs();
  fail_unless_equals_int(rig.received().buffers.size(), 1);
  const std::string what = properties + more_caps + " " + format;
  check_same(samples<std::uint16_t>(rig.received().buffers[0], width, height),
             match(views, small_range()).disparity, width, what);
  check_same(samples<std::uint8_t>(rig.received("rectified").buffers[0], width, height),
             views.left.samples, width, what);
  check_has(rig.received().caps(), "width=(int)96, height=(int)40");
  fail_unless(rig.received().caps().find("multiview") == std::string::npos, "%s",
              rig.received().caps().c_str());
}

GstRdpCamera* camera_of(int width, int height, double baseline) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = static_cast<guint>(width);
  info.height = static_cast<guint>(height);
  info.focal_length = info.focal_length_y = 100;
  info.principal_x = (width - 1) / 2.0;
  info.principal_y = (height - 1) / 2.0;
  info.rectified = TRUE;
  info.baseline = baseline;
  return gst_rdp_camera_new(&info, nullptr);
}

const GstRdpCameraInfo* info_of(GstBuffer* of) {
  const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(of);
  fail_unless(meta != nullptr && meta->camera != nullptr);
  return gst_rdp_camera_get_info(meta->camera);
}

}  // namespace

CHECK_TEST(test_formats) {
  for (const char* format : {"GRAY8", "NV12", "I420"}) {
    check_pair("disparities=32", small_range(), format);
    check_pair("disparities=32 threads=1", small_range(), format);
  }
  check_pair("", Parameters());
}

// The two views may have different formats: only luma is matched.
CHECK_TEST(test_mixed_formats) {
  const Views views = draw(kWidth, kHeight, small_range());
  Rig rig("disparities=32");
  rig.set_caps("left", caps("GRAY8", kWidth, kHeight));
  rig.set_caps("right", caps("NV12", kWidth, kHeight));
  rig.push("left", buffer(views.left));
  rig.push("right", buffer(views.right, 0, "NV12"));
  rig.check_runs();
  check_same(samples<std::uint16_t>(rig.received().buffers.at(0), kWidth, kHeight),
             match(views, small_range()).disparity, kWidth, "mixed");
}

CHECK_TEST(test_properties) {
  struct Case {
    const char* properties;
    void (*change)(Parameters*);
  };
  const Case cases[] = {
      {"disparities=16", [](Parameters* p) { p->disparities = 16; }},
      {"disparities=64", [](Parameters* p) { p->disparities = 64; }},
      {"disparities=32 min-disparity=7",
       [](Parameters* p) { p->disparities = 32, p->min_disparity = 7; }},
      {"disparities=16 min-disparity=240",
       [](Parameters* p) { p->disparities = 16, p->min_disparity = 240; }},
      {"disparities=32 min-disparity=-7",
       [](Parameters* p) { p->disparities = 32, p->min_disparity = -7; }},
      {"disparities=256 min-disparity=-240",
       [](Parameters* p) { p->disparities = 256, p->min_disparity = -240; }},
      {"disparities=32 paths=8", [](Parameters* p) { p->disparities = 32, p->paths = 8; }},
      {"disparities=32 p1=3 p2=40",
       [](Parameters* p) { p->disparities = 32, p->p1 = 3, p->p2 = 40; }},
      {"disparities=32 uniqueness=40",
       [](Parameters* p) { p->disparities = 32, p->uniqueness = 40; }},
      {"disparities=32 max-left-right=-1",
       [](Parameters* p) { p->disparities = 32, p->max_left_right = -1; }},
      {"disparities=32 median=none", [](Parameters* p) { p->disparities = 32, p->median = 0; }},
      {"disparities=32 median=5x5", [](Parameters* p) { p->disparities = 32, p->median = 5; }},
      {"disparities=32 speckle-size=0",
       [](Parameters* p) { p->disparities = 32, p->speckle_size = 0; }},
      {"disparities=32 speckle-range=0.25 speckle-size=400",
       [](Parameters* p) { p->disparities = 32, p->speckle_size = 400, p->speckle_range = 64; }},
      {"disparities=32 min-confidence=90",
       [](Parameters* p) { p->disparities = 32, p->min_confidence = 90; }},
  };
  for (const Case& one : cases) {
    Parameters parameters;
    one.change(&parameters);
    check_pair(one.properties, parameters);
  }
}

// A property takes effect with the next pair.
CHECK_TEST(test_change_while_playing) {
  const Views views = draw(kWidth, kHeight, small_range());
  Rig rig("disparities=32");
  rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
  rig.play();
  rig.push_pair(views, 0);
  fail_unless(rdp::test::await([&] { return rig.stat("pairs") == 1; }));
  g_object_set(rig.element(), "uniqueness", 30, "min-disparity", 3, nullptr);
  rig.push_pair(views, GST_SECOND / 30);
  rig.check_runs();
  Parameters changed = small_range();
  changed.uniqueness = 30;
  changed.min_disparity = 3;
  check_same(samples<std::uint16_t>(rig.received().buffers.at(0), kWidth, kHeight),
             match(views, small_range()).disparity, kWidth, "before");
  check_same(samples<std::uint16_t>(rig.received().buffers.at(1), kWidth, kHeight),
             match(views, changed).disparity, kWidth, "after");
}

CHECK_TEST(test_packed) {
  g_type_ensure(GST_TYPE_VIDEO_MULTIVIEW_FLAGSET);  // caps name it
  check_packed("packing=side-by-side", "", true, false);
  check_packed("packing=top-bottom", "", false, false);
  check_packed("", ",multiview-mode=side-by-side", true, false);
  check_packed("", ",multiview-mode=top-bottom", false, false);
  check_packed("",
               ",multiview-mode=side-by-side,multiview-flags="
               "(GstVideoMultiviewFlagsSet)1:ffffffff",
               true, true);
  check_packed("packing=top-bottom", ",multiview-mode=side-by-side", false, false);
  check_packed("packing=side-by-side", "", true, false, " right");
  check_packed("packing=side-by-side", "", true, false, " left", "NV12");
  check_packed("packing=top-bottom", "", false, false, " left", "I420");
}

CHECK_TEST(test_side_pads) {
  const Views views = draw(kWidth, kHeight, small_range());
  const Expected expected = match(views, small_range());
  Rig rig("disparities=32", " left right overlay rectified confidence");
  rig.set_all_caps(caps("NV12", kWidth, kHeight));
  for (int i = 0; i < 5; ++i) {
    rig.push_pair(views, static_cast<GstClockTime>(i) * GST_SECOND / 30, "NV12");
  }
  rig.check_runs();
  for (const char* pad : {"src", "overlay", "rectified", "confidence"}) {
    const std::vector<GstBuffer*>& got = rig.received(pad).buffers;
    fail_unless_equals_int(got.size(), 5);
    for (std::size_t i = 0; i < 5; ++i) {
      fail_unless_equals_uint64(GST_BUFFER_PTS(got[i]), i * GST_SECOND / 30);
    }
  }
  check_has(rig.received("confidence").caps(), "format=(string)GRAY8");
  check_same(samples<std::uint8_t>(rig.received("confidence").buffers[4], kWidth, kHeight),
             expected.confidence, kWidth, "confidence");
  check_same(samples<std::uint8_t>(rig.received("rectified").buffers[4], kWidth, kHeight),
             views.left.samples, kWidth, "rectified");
}

// The picture is that of common/rdp/overlay.h, on the disparity, with its legend.
CHECK_TEST(test_overlay) {
  const int width = 320;
  const int height = 60;
  Parameters parameters = small_range();
  const Views views = draw(width, height, parameters);
  Expected expected = match(views, parameters);
  for (const bool legend : {false, true}) {
    const int smallest = legend ? -9 : 0;
    parameters.min_disparity = smallest;
    expected = match(views, parameters);
    Rig rig("disparities=32 min-disparity=" + std::to_string(smallest), " left right overlay");
    GstPad* pad = gst_element_get_static_pad(rig.element(), "overlay");
    g_object_set(pad, "palette-max", 8192.0, "legend", legend, nullptr);
    gst_object_unref(pad);
    rig.set_all_caps(caps("GRAY8", width, height));
    rig.push_pair(views);
    rig.check_runs();
    rdp::OverlayOptions options;
    options.style = rdp::OverlayStyle::kDepth;
    options.palette_max = 8192;
    options.legend = legend;
    options.disparity_unit = 1.0 / 256;
    options.disparity_offset = smallest;
    const rdp::DepthView frame{reinterpret_cast<const std::byte*>(expected.disparity.data()),
                               2 * width, width, height, rdp::SampleType::kU16};
    rdp::SegmentList none;
    none.resize_columns(0)[0] = 0;
    std::vector<std::uint32_t> painted(expected.disparity.size());
    const rdp::RgbaView to{reinterpret_cast<std::byte*>(painted.data()), 4 * width, width, height};
    rdp::paint_overlay(frame, none, rdp::Parameters(),
                       rdp::overlay_look(frame, none, rdp::Parameters(), options), 0, width, to);
    const auto got = samples<std::uint32_t>(rig.received("overlay").buffers.at(0), width, height);
    fail_unless(got == painted, "legend %d", legend);
  }
}

CHECK_TEST(test_camera) {
  const Views views = draw(kWidth, kHeight, small_range());
  const auto run = [&](const std::string& properties, bool with_meta) {
    auto rig = std::make_unique<Rig>("disparities=32 " + properties, " left right rectified");
    rig->set_all_caps(caps("GRAY8", kWidth, kHeight));
    GstBuffer* left = buffer(views.left);
    if (with_meta) {
      g_autoptr(GstRdpCamera) camera = camera_of(kWidth, kHeight, 0.25);
      gst_buffer_add_rdp_camera_meta(left, camera);
    }
    rig->push("left", left);
    rig->push("right", buffer(views.right));
    rig->check_runs();
    return rig;
  };
  {
    const auto rig = run("", true);
    const GstRdpCameraInfo* info = info_of(rig->received().buffers[0]);
    fail_unless_equals_int(info->measures, GST_RDP_MEASURE_DISPARITY);
    fail_unless_equals_float(info->disparity_unit, 1.0 / 256);
    fail_unless_equals_float(info->baseline, 0.25);
    fail_unless_equals_float(info->focal_length, 100);
    info = info_of(rig->received("rectified").buffers[0]);
    fail_unless_equals_int(info->measures, GST_RDP_MEASURE_UNKNOWN);
    fail_unless_equals_float(info->focal_length, 100);
  }
  {
    const auto rig = run("focal-length=200 baseline=0.5 disparity-offset=2", true);
    const GstRdpCameraInfo* info = info_of(rig->received().buffers[0]);
    fail_unless_equals_float(info->focal_length, 200);
    fail_unless_equals_float(info->baseline, 0.5);
    fail_unless_equals_float(info->disparity_offset, 2);
  }
  {
    const auto rig = run("", false);
    fail_unless(gst_buffer_get_rdp_camera_meta(rig->received().buffers[0]) == nullptr);
  }
  {
    const std::string geometry = "focal-length=200 baseline=0.5 disparity-offset=2 ";
    const auto rig = run(geometry + "min-disparity=-5", true);
    fail_unless_equals_float(info_of(rig->received().buffers[0])->disparity_offset, -3);
    fail_unless_equals_float(info_of(rig->received("rectified").buffers[0])->disparity_offset, 2);
    const auto depth = run(geometry + "min-disparity=-5 output=depth-mm", true);
    fail_unless_equals_float(info_of(depth->received().buffers[0])->disparity_offset, 2);
    Parameters negative = small_range();
    negative.min_disparity = -5;
    const rdp::stereo::DepthScale scale = rdp::stereo::depth_scale(200, 0.5, -3);
    std::vector<std::uint16_t> expected = match(views, negative).disparity;
    for (std::uint16_t& sample : expected) sample = rdp::stereo::depth_of_disparity(sample, scale);
    check_same(samples<std::uint16_t>(depth->received().buffers[0], kWidth, kHeight), expected,
               kWidth, "depth of negative disparities");
  }
  {
    const auto rig = run("focal-length=200 baseline=0.5 output=depth-mm", false);
    const GstRdpCameraInfo* info = info_of(rig->received().buffers[0]);
    fail_unless_equals_int(info->measures, GST_RDP_MEASURE_DEPTH);
    fail_unless_equals_float(info->depth_unit, 0.001);
    const rdp::stereo::DepthScale scale = rdp::stereo::depth_scale(200, 0.5, 0);
    std::vector<std::uint16_t> expected = match(views, small_range()).disparity;
    for (std::uint16_t& sample : expected) sample = rdp::stereo::depth_of_disparity(sample, scale);
    check_same(samples<std::uint16_t>(rig->received().buffers[0], kWidth, kHeight), expected,
               kWidth, "depth");
  }
}

// If properties define the camera, losing the frames' camera causes no warning.
CHECK_TEST(test_lost_camera) {
  const Views views = draw(kWidth, kHeight, small_range());
  for (const bool told : {false, true}) {
    Rig rig(std::string("disparities=32") + (told ? " focal-length=200 baseline=0.5" : ""));
    rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
    GstBuffer* left = buffer(views.left);
    GstRdpCamera* camera = camera_of(kWidth + 1, kHeight, 0.25);
    gst_buffer_add_rdp_camera_meta(left, camera);
    gst_rdp_camera_unref(camera);
    rig.push("left", left);
    rig.push("right", buffer(views.right));
    rig.check_runs();
    const auto lost = std::count_if(
        rig.warnings.begin(), rig.warnings.end(),
        [](const std::string& warning) { return warning.find("is lost") != std::string::npos; });
    fail_unless_equals_int(lost, told ? 0 : 1);
    GstBuffer* frame = rig.received().buffers.at(0);
    if (told) fail_unless_equals_float(info_of(frame)->focal_length, 200);
  }
}

// Camera properties set one by one while playing replace the frames' camera only once they are
// consistent.
CHECK_TEST(test_camera_of_frames_stays) {
  const Views views = draw(kWidth, kHeight, small_range());
  Rig rig("disparities=32 output=depth-mm");
  rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
  rig.play();
  GstRdpCamera* camera = camera_of(kWidth, kHeight, 0.25);
  const auto focal_length = [&](GstClockTime number) {
    GstBuffer* left = buffer(views.left, number * GST_SECOND / 30);
    gst_buffer_add_rdp_camera_meta(left, camera);
    rig.push("left", left);
    rig.push("right", buffer(views.right, number * GST_SECOND / 30));
    fail_unless(rdp::test::await([&] { return rig.received().count == number + 1; }));
    return info_of(rig.received().buffers.at(number))->focal_length;
  };
  const double of_frames = focal_length(0);
  g_object_set(rig.element(), "focal-length", 333.0, nullptr);
  for (const GstClockTime number : {1, 2})
    fail_unless_equals_float(focal_length(number), of_frames);
  g_object_set(rig.element(), "baseline", 0.5, nullptr);
  for (const GstClockTime number : {3, 4}) fail_unless_equals_float(focal_length(number), 333.0);
  gst_rdp_camera_unref(camera);
  rig.check_runs();
  const auto told =
      std::count_if(rig.warnings.begin(), rig.warnings.end(), [](const std::string& warning) {
        return warning.find("set baseline") != std::string::npos &&
               warning.find("The previous settings stay in effect.") != std::string::npos;
      });
  fail_unless_equals_int(told, 1);
}

// The test source's views through different elements: the disparity's camera, or the reason for
// having none. disparity-offset compensates for different crops.
CHECK_TEST(test_cameras_of_both) {
  const std::string left = "videocrop left=20 right=20";
  const std::string right = "videocrop left=10 right=30";
  const std::string properties = "focal-length=185.507 baseline=0.54 ";
  const struct {
    std::string left, right, properties;
    bool metres;
    double offset;
    std::vector<const char*> warning;  // parts of the only warning; empty: no warning
  } cases[] = {
    {left, left, "", true, 0, {}},
    {left, right, "", true, 10, {}},
    {left, right, "disparity-offset=4", true, 4, {}},
    {left,
     right,
     properties,
     true,
     0,
     {"by 10 px more from the left", "focal-length and the properties with it describe both views",
      "crop both in the same way, or set disparity-offset=10."}},
    {left, right, properties + "disparity-offset=10", true, 10, {}},
    {left, left, properties, true, 0, {}},
    {"videocrop top=4",
     "videocrop bottom=4",
     "",
     false,
     0,
     {"The disparity gives no metres: the rows of the principal point of the cameras on the left "
      "and right frames differ"}},
    {"videocrop top=4",
     "videocrop bottom=4",
     properties + "disparity-offset=1",
     true,
     1,
     {"by 4 px more from above", "crop both in the same way."}},
#if !GST_CHECK_VERSION(1, 28, 0)  // from there on the camera follows
    {"videocrop left=80 right=80",
     "videoscale add-borders=false ! video/x-raw,width=160,height=240,pixel-aspect-ratio=1/1",
     "",
     false,
     0,
     {"The camera that came with the right view is lost", "not the same shape",
      "Set calibration, or focal-length and baseline"}},
#endif
    {"videocrop left=80 right=80",
     "videoscale add-borders=false ! video/x-raw,width=160,height=240,pixel-aspect-ratio=2/1",
     "",
     false,
     0,
     {"The disparity gives no metres: the focal lengths of the cameras on the left and right "
      "frames differ",
      "scale and crop both views alike"}},
  };
  for (const auto& one : cases) {
    const std::string what = one.left + ", " + one.right + ", " + one.properties;
    for (const bool depth : {false, true}) {
      rdp::test::PipelineRig rig(
          "depthtestsrc num-buffers=1 view=left ! video/x-raw,width=320,height=240 ! " + one.left +
          " ! d.left depthtestsrc num-buffers=1 view=right ! video/x-raw,width=320,height=240 ! " +
          one.right + " ! d.right depthstereo name=d disparities=64 min-disparity=1 " +
          one.properties + (depth ? " output=depth-mm" : "") +
          " ! fakesink name=out async=false sync=false");
      rdp::test::Received received(rig.get("out"));
      rig.play();
      const std::string error = rig.wait();
      gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
      if (depth && !one.metres) {
        check_has(error, "output=depth-mm needs metres: ");
        continue;
      }
      fail_unless(error.empty(), "%s: %s", what.c_str(), error.c_str());
      // For row offsets, a second warning reports the low density.
      const auto told =
          std::count_if(rig.warnings.begin(), rig.warnings.end(), [&](const std::string& warning) {
            return std::all_of(one.warning.begin(), one.warning.end(), [&](const char* part) {
              return warning.find(part) != std::string::npos;
            });
          });
      fail_unless(told == (one.warning.empty() ? 0 : 1), "%s: %s", what.c_str(),
                  rig.warnings.empty() ? "no warning" : rig.warnings[0].c_str());
      GstBuffer* frame = received.buffers.at(0);
      fail_unless((gst_buffer_get_rdp_camera_meta(frame) != nullptr) == one.metres, "%s",
                  what.c_str());
      if (!one.metres) continue;
      const double offset = info_of(frame)->disparity_offset;
      fail_unless(std::fabs(offset - one.offset) < 1e-9, "%s: %g", what.c_str(), offset);
    }
  }
}

// With different crops the road's distance is still as drawn by the test source.
CHECK_TEST(test_metres_of_crops) {
  rdp::test::PipelineRig rig(
      "depthtestsrc num-buffers=1 view=left ! video/x-raw,width=320,height=240 ! "
      "videocrop left=20 right=20 ! d.left "
      "depthtestsrc num-buffers=1 view=right ! video/x-raw,width=320,height=240 ! "
      "videocrop left=10 right=30 ! d.right "
      "depthstereo name=d disparities=64 output=depth-mm ! fakesink name=out async=false "
      "sync=false "
      "depthtestsrc num-buffers=1 domain=depth ! video/x-raw,width=320,height=240 ! "
      "fakesink name=truth async=false sync=false");
  rdp::test::Received received(rig.get("out"));
  rdp::test::Received truth(rig.get("truth"));
  rig.play();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s", error.c_str());
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  const auto measured = samples<std::uint16_t>(received.buffers.at(0), 280, 240);
  const auto drawn = samples<std::uint16_t>(truth.buffers.at(0), 320, 240);
  int compared = 0;
  for (int column = 100; column < 180; ++column) {
    const double mm = measured[static_cast<std::size_t>(230 * 280 + column)];
    const double expected = drawn[static_cast<std::size_t>(230 * 320 + column + 20)];
    if (mm == 0 || expected == 0) continue;
    ++compared;
    fail_unless(std::fabs(mm - expected) < 0.05 * expected, "column %d: %g mm, not %g", column, mm,
                expected);
  }
  fail_unless(compared > 60, "%d", compared);
}

// rdpsegment downstream gives metres without any setting.
CHECK_TEST(test_metres_downstream) {
  rdp::test::PipelineRig rig(
      "depthtestsrc num-buffers=3 view=left ! video/x-raw,width=160,height=120 ! d.left "
      "depthtestsrc num-buffers=3 view=right ! video/x-raw,width=160,height=120 ! d.right "
      "depthstereo name=d disparities=64 ! rdpsegment ! rdpmetaconvert points=true ! fakesink "
      "name=out");
  rdp::test::Received received(rig.get("out"));
  rig.play();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s", error.c_str());
  fail_unless_equals_int(received.buffers.size(), 3);
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
}

CHECK_TEST(test_stats) {
  const Views views = draw(kWidth, kHeight, small_range());
  const Expected expected = match(views, small_range());
  Rig rig("disparities=32 sync-tolerance=5000000");
  rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
  rig.push_pair(views, 0);
  rig.push("left", buffer(views.left, GST_SECOND));
  rig.push("right", buffer(views.right, GST_SECOND + 3 * GST_MSECOND));
  rig.check_runs();
  fail_unless_equals_uint64(rig.stat("pairs"), 2);
  fail_unless_equals_uint64(rig.stat("largest-distance"), 3 * GST_MSECOND);
  const double known = static_cast<double>(expected.counts.known) / (kWidth * kHeight);
  fail_unless_equals_float(rig.share("known"), known);
  fail_unless_equals_float(rig.share("mean-known"), known);
  fail_unless(rig.stat("mean-time") > 0);
  g_autoptr(GstStructure) stats = rig.stats();
  fail_unless_equals_string(gst_structure_get_string(stats, "backend"), "cpu");
}

// All pixels are invalid, without an error.
CHECK_TEST(test_constant) {
  Rig rig("disparities=32");
  rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
  const Views flat{stereo_rig::picture(kWidth, kHeight, 77),
                   stereo_rig::picture(kWidth, kHeight, 77)};
  rig.push_pair(flat);
  rig.check_runs();
  check_same(samples<std::uint16_t>(rig.received().buffers.at(0), kWidth, kHeight),
             std::vector<std::uint16_t>(flat.left.samples.size(), 0), kWidth, "constant");
}

CHECK_CASE(depthstereo)
