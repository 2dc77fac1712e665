// SPDX-License-Identifier: LGPL-2.1-or-later
// depthstereo's errors and warnings about settings, pads and pairs that match badly or not at all.
#include <array>

#include "tests/depthstereo/stereo_rig.h"
#include "tests/support/check_test.h"

using rdp::stereo::Parameters;
using namespace stereo_rig;

namespace {

constexpr int kWidth = 96;
constexpr int kHeight = 40;

Parameters range_of(int disparities) {
  Parameters parameters;
  parameters.disparities = disparities;
  return parameters;
}

struct Input {
  std::string left = caps("GRAY8", kWidth, kHeight);
  std::string right = caps("GRAY8", kWidth, kHeight);
};

// The error of one pair whose frames are black.
std::string error_of(const std::string& properties, const std::string& pads = " left right",
                     const Input& input = {}) {
  Rig rig(properties, pads);
  for (const bool of_left : {true, false}) {
    const char* name = of_left ? "left" : "right";
    if (pads.find(std::string(" ") + name) == std::string::npos) continue;
    const std::string& text = of_left ? input.left : input.right;
    rig.set_caps(name, text);
    GstCaps* parsed = gst_caps_from_string(text.c_str());
    GstVideoInfo info;
    gsize size = 64;
    if (gst_video_info_from_caps(&info, parsed)) size = GST_VIDEO_INFO_SIZE(&info);
    gst_caps_unref(parsed);
    GstBuffer* frame = gst_buffer_new_allocate(nullptr, size, nullptr);
    gst_buffer_memset(frame, 0, 0, size);
    GST_BUFFER_PTS(frame) = 0;
    rig.push(name, frame);
  }
  return rig.run();
}

// Plays `pairs` pairs and returns the warnings.
std::vector<std::string> warnings_of(const std::string& properties, const Views& views, int pairs) {
  Rig rig(properties);
  rig.set_all_caps(caps("GRAY8", views.left.width, views.left.height));
  for (int i = 0; i < pairs; ++i) {
    rig.push_pair(views, static_cast<GstClockTime>(i) * GST_SECOND / 30);
  }
  rig.check_runs();
  fail_unless_equals_int(rig.received().buffers.size(), pairs);
  return rig.warnings;
}

void check_one(const std::vector<std::string>& warnings, std::initializer_list<const char*> parts) {
  std::string all;
  for (const std::string& warning : warnings) all += warning + "\n";
  fail_unless(warnings.size() == 1, "%s", all.c_str());
  for (const char* part : parts) check_has(warnings[0], part);
}

void check_error(const std::string& error, std::initializer_list<const char*> parts) {
  for (const char* part : parts) check_has(error, part);
}

// The right view moved down.
Picture moved(const Picture& from, int rows) {
  Picture result = from;
  for (int row = 0; row < from.height; ++row) {
    const int source = std::clamp(row - rows, 0, from.height - 1);
    std::copy_n(from.samples.data() + source * from.width, from.width,
                result.samples.data() + row * from.width);
  }
  return result;
}

}  // namespace

CHECK_TEST(test_settings) {
  check_error(error_of("disparities=40"), {"disparities=40", "multiple of 16", "disparities=48"});
  check_error(error_of("disparities=255"), {"disparities=255", "disparities=256"});
  check_error(error_of("p1=90"), {"p2=86", "p1=90"});
  check_error(
      error_of("disparities=240 min-disparity=17"),
      {"min-disparity=17", "257", "expected at most 256", "disparities=224", "min-disparity=16"});
  check_error(error_of("rectify=on"), {"rectify=on", "calibration"});
  check_error(error_of("output=depth-mm disparities=32"), {"output=depth-mm", "baseline"});
  check_error(error_of("calibration=/nowhere/at.yml"), {"/nowhere/at.yml"});
}

// While playing, intermediate invalid values are ignored: the last valid ones stay.
CHECK_TEST(test_settings_while_playing) {
  const Views views = draw(kWidth, kHeight, range_of(16));
  Rig rig("disparities=32");
  rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
  rig.play();
  rig.push_pair(views, 0);
  fail_unless(rdp::test::await([&] { return rig.stat("pairs") == 1; }));
  g_object_set(rig.element(), "p1", 100, nullptr);
  rig.push_pair(views, GST_SECOND / 30);
  fail_unless(rdp::test::await([&] { return rig.stat("pairs") == 2; }));
  g_object_set(rig.element(), "p2", 120, nullptr);
  rig.push_pair(views, 2 * GST_SECOND / 30);
  rig.check_runs();
  check_one(rig.warnings, {"stay in effect", "p2=86", "p1=100"});
  Parameters changed = range_of(32);
  const auto disparity = [&](std::size_t i) {
    return stereo_rig::samples<std::uint16_t>(rig.received().buffers.at(i), kWidth, kHeight);
  };
  stereo_rig::check_same(disparity(1), stereo_rig::match(views, changed).disparity, kWidth, "old");
  changed.p1 = 100;
  changed.p2 = 120;
  stereo_rig::check_same(disparity(2), stereo_rig::match(views, changed).disparity, kWidth, "new");
}

CHECK_TEST(test_pads_and_packing) {
  check_error(error_of("", " left"), {"pad left is used alone", "packing", "pad right"});
  check_error(error_of("", " right"), {"pad right is used alone", "packing", "pad left"});
  check_error(error_of("packing=side-by-side"), {"packing", "left and right"});
  Input packed;
  packed.left = caps("GRAY8", kWidth, kHeight, ",multiview-mode=side-by-side");
  check_error(error_of("", " left right", packed),
              {"the pad left have both views", "release the pad right"});
  Input odd;
  odd.left = caps("GRAY8", 97, kHeight);
  check_error(error_of("packing=side-by-side", " left", odd), {"97", "odd"});
  odd.left = caps("GRAY8", kWidth, 41);
  check_error(error_of("packing=top-bottom", " left", odd), {"41", "odd"});
  check_error(error_of("packing=batch", " left"), {"batch", "NVMM"});
  Input frames;
  frames.left = caps("GRAY8", kWidth, kHeight, ",multiview-mode=frame-by-frame");
  check_error(error_of("", " left", frames), {"multiview-mode=frame-by-frame"});
}

CHECK_TEST(test_caps) {
  Input input;
  input.right = caps("GRAY8", kWidth, kHeight + 1);
  check_error(error_of("", " left right", input), {"different sizes", "96x40", "96x41"});
  input.right = caps("RGB", kWidth, kHeight);
  check_error(error_of("", " left right", input), {"GRAY8, NV12 or I420", "format=(string)RGB"});
  input.right = caps("GRAY8", kWidth, kHeight, ",interlace-mode=interleaved");
  check_error(error_of("", " left right", input), {"progressive", "interleaved"});
}

// Downstream of src accepts only another size.
CHECK_TEST(test_what_follows) {
  rdp::test::PipelineRig rig(
      "depthstereo name=d disparities=32 ! video/x-raw,width=50 ! fakesink "
      "appsrc name=left format=time ! d.left appsrc name=right format=time ! d.right");
  for (const char* name : {"left", "right"}) {
    rig.set_caps(name, caps("GRAY8", kWidth, kHeight));
    rig.push(name, buffer(picture(kWidth, kHeight)));
  }
  rig.play();
  check_error(rig.wait(),
              {"offers video/x-raw, format=(string)GRAY16_LE, width=(int)96",
               "accepts video/x-raw, width=(int)50", "put videoscale before this element"});
}

// A second request for the same pad is refused without side effects.
CHECK_TEST(test_pads_twice) {
  g_autoptr(GstElement) element = gst_element_factory_make("depthstereo", nullptr);
  g_autoptr(GstPad) src = gst_element_get_static_pad(element, "src");
  const gint probes = src->num_probes;
  for (const char* name : {"left", "right", "overlay", "rectified", "confidence"}) {
    GstPad* pad = gst_element_request_pad_simple(element, name);
    fail_unless(pad != nullptr, "%s", name);
    fail_unless_equals_string(GST_OBJECT_NAME(pad), name);
    GstPadTemplate* templ = gst_element_get_pad_template(element, name);
    fail_unless(gst_element_request_pad(element, templ, nullptr, nullptr) == nullptr, "%s", name);
    gst_element_release_request_pad(element, pad);
    gst_object_unref(pad);
    fail_unless_equals_int(src->num_probes, probes);
    pad = gst_element_request_pad_simple(element, name);
    fail_unless(pad != nullptr, "%s once more", name);
    gst_element_release_request_pad(element, pad);
    gst_object_unref(pad);
  }
}

// A buffer that is smaller than its caps say.
CHECK_TEST(test_short_buffer) {
  Rig rig("disparities=32");
  rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
  rig.push("left", buffer(picture(kWidth, kHeight)));
  GstBuffer* frame = gst_buffer_new_allocate(nullptr, 100, nullptr);
  GST_BUFFER_PTS(frame) = 0;
  rig.push("right", frame);
  check_error(rig.run(), {"right", "100"});
}

// Buffers larger than their caps, without a GstVideoMeta: a single warning if the size fits another
// format. Otherwise none, because pools and drivers pad.
CHECK_TEST(test_large_buffer) {
  for (const auto& [bytes, likely] : {std::pair<gsize, const char*>{3 * kWidth * kHeight, "BGR"},
                                      {2 * kWidth * kHeight, "GRAY16_LE"},
                                      {4096 * 3, nullptr},
                                      {kWidth * kHeight + 64, nullptr}}) {
    Rig rig("disparities=32");
    rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
    for (GstClockTime i = 0; i < 3; ++i) {
      for (const char* pad : {"left", "right"}) {
        GstBuffer* frame = buffer(picture(kWidth, kHeight), i * GST_SECOND / 30);
        GstBuffer* rest = gst_buffer_new_allocate(nullptr, bytes - kWidth * kHeight, nullptr);
        gst_buffer_memset(rest, 0, 0, bytes - kWidth * kHeight);
        rig.push(pad, gst_buffer_append(frame, rest));
      }
    }
    rig.check_runs();
    if (likely == nullptr) {
      fail_unless(rig.warnings.empty(), "%s", rig.warnings.empty() ? "" : rig.warnings[0].c_str());
    } else {
      const std::string text = std::string("A frame of left has ") +
                               std::to_string(bytes / (kWidth * kHeight)) +
                               " times the bytes that its caps say (96x40 GRAY8): is it " + likely;
      check_one(rig.warnings, {text.c_str()});
    }
  }
}

// An implausible baseline, probably not in metres.
CHECK_TEST(test_baseline) {
  const Views views = draw(kWidth, kHeight, range_of(16));
  check_one(warnings_of("disparities=32 focal-length=700 baseline=537", views, 3),
            {"baseline=537 is in metres, expected 0.001 to 10", "set baseline=0.537."});
  fail_unless(warnings_of("disparities=32 focal-length=700 baseline=0.537", views, 3).empty());
}

CHECK_TEST(test_range) {
  // Disparities beyond the picture's width are invalid.
  const Views small = draw(20, 20, range_of(16));
  check_one(warnings_of("disparities=64", small, 3), {"up to 63 px", "20 px wide"});
  // Saturated: a wall that is nearer than the range reaches.
  const Views near = draw(160, 60, range_of(16), 1, PairKind::kSaturated);
  check_one(warnings_of("disparities=16 min-confidence=0", near, 3),
            {"largest disparity", "15 px", "disparities=32"});
  Parameters negative = range_of(16);
  negative.min_disparity = -40;
  const Views behind = draw(160, 60, negative, 1, PairKind::kSaturated);
  check_one(warnings_of("disparities=16 min-disparity=-40 min-confidence=0", behind, 3),
            {"largest disparity", "-25 px", "disparities=32"});
}

CHECK_TEST(test_diagnosis) {
  // Disparities large enough that swapped views match almost nowhere.
  Parameters apart = range_of(16);
  apart.min_disparity = 8;
  const Views good = draw(240, 80, apart);
  const std::vector<std::string> none = warnings_of("disparities=32", good, 12);
  fail_unless(none.empty(), "%s", none.empty() ? "" : none[0].c_str());
  const Views swapped{good.right, good.left};
  check_one(warnings_of("disparities=32", swapped, 12), {"swapped"});
  // One pair suffices.
  check_one(warnings_of("disparities=32", swapped, 1), {"swapped"});
  const Views off{good.left, moved(good.right, 4)};
  check_one(warnings_of("disparities=32", off, 12), {"not rectified", "4 rows up"});
  // A finding that one pair may show by chance is reported after ten pairs, or at the end.
  check_one(warnings_of("disparities=32", off, 9), {"not rectified", "4 rows up"});
  const Views noise = draw(240, 80, range_of(32), 1, PairKind::kNoise);
  check_one(warnings_of("disparities=32", noise, 25), {"Check rectification"});
  fail_unless(warnings_of("disparities=32", noise, 9).empty(), "nine pairs are too few");
}

// Streams whose timestamps never match.
CHECK_TEST(test_missing_each_other) {
  const Views views = draw(kWidth, kHeight, range_of(32));
  Rig rig("disparities=32 sync-tolerance=1000000");
  rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
  for (GstClockTime i = 0; i < 20; ++i) {
    rig.push("left", buffer(views.left, i * 40 * GST_MSECOND));
    rig.push("right", buffer(views.right, i * 40 * GST_MSECOND + 12 * GST_MSECOND));
  }
  rig.check_runs();
  fail_unless_equals_int(rig.received().buffers.size(), 0);
  check_one(rig.warnings, {"12.000 ms apart", "1.000 ms", "sync-tolerance=12000000"});
  fail_unless(rig.stat("unpaired") > 0);
  fail_unless(rig.stat("dropped") > 0);
}

CHECK_TEST(test_no_device) {
  g_autoptr(GstElement) element = gst_element_factory_make("depthstereo", nullptr);
  gst_util_set_object_arg(G_OBJECT(element), "backend", "cuda");
  g_object_set(element, "cuda-device-id", 4711, nullptr);
  fail_unless_equals_int(gst_element_set_state(element, GST_STATE_READY), GST_STATE_CHANGE_FAILURE);
  gst_element_set_state(element, GST_STATE_NULL);
}

CHECK_CASE(depthstereo_errors)
