// SPDX-License-Identifier: LGPL-2.1-or-later
// klttrack: bit-identical to the scalar reference under any stream event; errors and warnings.
// tests/conformance covers what holds for all elements.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "common/klt/overlay.h"
#include "tests/klttrack/track_rig.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"

// After the standard library: check.h defines a macro named fail.
#include <glib/gstdio.h>

using namespace tracks_rig;
using rdp::klt::Reason;

static gsize count(const Tracks& tracks) {
  gsize n = 0;
  gst_rdp_tracks_peek_tracks(tracks.get(), &n);
  return n;
}

// State over a stream: ids, ages, predictions, the template's time, statistics.
CHECK_TEST(test_stream) {
  Stream stream;
  const Parameters plain;
  const Tracks new_ones = stream.expect(moved(0, 0), plain);
  Found found = found_in(new_ones.get());
  for (std::size_t i = 0; i < found.tracks.size(); ++i) {
    fail_unless_equals_int(found.tracks[i].id, i + 1);
    fail_unless_equals_int(found.tracks[i].age, 0);
  }
  fail_unless(found.tracks.size() > 10 && found.lost.empty());
  std::array<guint64, 7> lost{};
  guint64 born = found.tracks.size();
  guint64 all = born;
  for (int i = 1; i < 8; ++i) {
    const Tracks next = stream.expect(moved(7 * i, -5 * i), plain);
    found = found_in(next.get());
    all += found.tracks.size();
    for (const auto& track : found.tracks) born += track.age == 0 ? 1U : 0U;
    for (const auto& each : found.lost) ++lost[static_cast<guint32>(each.reason)];
    const rdp::klt::Track& oldest = found.tracks[0];
    fail_unless_equals_int(oldest.age, i);
    fail_unless_equals_int(std::lround(oldest.dx), 7);
    fail_unless_equals_int(std::lround(oldest.dy), -5);
  }
  fail_unless(lost[static_cast<guint32>(Reason::kOutside)] > 5);
  fail_unless_equals_uint64(stream.stat("frames"), 8);
  fail_unless_equals_uint64(stream.stat("tracks"), all);
  fail_unless_equals_uint64(stream.stat("live"), found.tracks.size());
  fail_unless_equals_uint64(stream.stat("new"), born);
  fail_unless_equals_uint64(stream.stat("lost-outside"),
                            lost[static_cast<guint32>(Reason::kOutside)]);
  fail_unless_equals_uint64(stream.stat("lost-check"), lost[static_cast<guint32>(Reason::kCheck)]);
}

// All properties reach the engine, and may change from frame to frame.
CHECK_TEST(test_properties) {
  struct Change {
    const char* property;
    const char* value;
    std::function<void(Parameters*)> change;
  };
  const std::vector<Change> changes = {
      {"levels", "2", [](auto* p) { p->levels = 2; }},
      {"pyramid-step", "4", [](auto* p) { p->pyramid_step = 4; }},
      {"window", "9", [](auto* p) { p->window = 9; }},
      {"max-correction", "0.02", [](auto* p) { p->max_correction = 0.02; }},
      {"template-residual", "0.4", [](auto* p) { p->template_residual = 0.4; }},
      {"max-iterations", "5", [](auto* p) { p->max_iterations = 5; }},
      {"epsilon", "0.3", [](auto* p) { p->epsilon = 0.3; }},
      {"light", "gain-bias", [](auto* p) { p->light = rdp::klt::Light::kGainBias; }},
      {"light", "none", [](auto* p) { p->light = rdp::klt::Light::kNone; }},
      {"min-eigenvalue", "40", [](auto* p) { p->min_eigenvalue = 40.0; }},
      {"max-residual", "0.5", [](auto* p) { p->max_residual = 0.5; }},
      {"check", "0.01", [](auto* p) { p->check = 0.01; }},
      {"predict", "false", [](auto* p) { p->predict = false; }},
      {"cell", "8", [](auto* p) { p->cell = 8; }},
      {"quality", "0.5", [](auto* p) { p->quality = 0.5; }},
      {"max-features", "12", [](auto* p) { p->max_features = 12; }},
      {"detector", "none", [](auto* p) { p->detector = rdp::klt::Detector::kNone; }},
  };
  for (const Way& way : both_warps()) {
    Stream stream(way.settings);
    Parameters parameters = way.parameters;
    int i = 0;
    for (const Change& change : changes) {
      stream.expect(moved(5 * i, 3 * i), parameters);
      ++i;
      stream.set(change.property, change.value);
      change.change(&parameters);
      // As the next frame has no part of its own in what the reference would have made before.
      stream.expect(moved(5 * i, 3 * i + i % 2), parameters);
      ++i;
    }
  }
}

// Tracks carry warps while warp=affine. Statistics count the templates taken, and the tracks that
// could not be registered to theirs.
CHECK_TEST(test_warps) {
  Stream stream("check=0");
  Parameters parameters;
  parameters.check = 0.0;
  guint64 lost = 0;
  guint64 old = 0;
  for (int i = 0; i < 16; ++i) {
    if (i % 6 == 2) {
      const bool affine = i != 8;
      stream.set("warp", affine ? "affine" : "translation");
      parameters.warp = affine ? rdp::klt::Warp::kAffine : rdp::klt::Warp::kTranslation;
    }
    if (i == 11) {
      stream.set("max-correction", "0.1");
      parameters.max_correction = 0.1;
    }
    const Found found = found_in(stream.expect(turned(i), parameters).get());
    fail_unless(parameters.warp == rdp::klt::Warp::kAffine ? !found.warps.empty()
                                                           : found.warps.empty());
    for (const auto& each : found.lost) lost += each.reason == Reason::kTemplate ? 1U : 0U;
    for (const auto& warp : found.warps) old += warp.age > 1 && warp.a != 1.0F ? 1U : 0U;
  }
  fail_unless(old > 20 && lost > 0, "%d old ones, %d lost", int(old), int(lost));
  fail_unless_equals_uint64(stream.stat("lost-template"), lost);
  fail_unless_equals_uint64(stream.stat("templates"), stream.templates);
}

// A picture that becomes darker.
CHECK_TEST(test_light) {
  for (const char* light : {"none", "bias", "gain-bias"}) {
    Stream stream((std::string("light=") + light).c_str());
    Parameters parameters;
    parameters.light = light[0] == 'n'   ? rdp::klt::Light::kNone
                       : light[0] == 'b' ? rdp::klt::Light::kBias
                                         : rdp::klt::Light::kGainBias;
    stream.expect(moved(0, 0), parameters);
    TestFrame darker = moved(1, 0);
    for (int row = 0; row < kHeight; ++row) {
      for (int column = 0; column < kWidth; ++column) {
        darker.view().set(
            row, column, static_cast<std::uint16_t>((4 * darker.view().at(row, column) + 102) / 5));
      }
    }
    stream.expect(darker, parameters);
  }
}

// Only the luma of colour formats is tracked, in place; the chroma, here noise, has no influence.
CHECK_TEST(test_luma) {
  for (const GstVideoFormat format : {GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_I420}) {
    Stream stream("", format);
    for (int i = 0; i < 4; ++i) {
      g_autoptr(GstBuffer) buffer = stream.make(moved(2 * i, i));
      g_autoptr(GstBuffer) before = gst_buffer_copy_deep(buffer);
      GstMemory* memory = gst_buffer_peek_memory(buffer, 0);
      stream.expect(moved(2 * i, i), {}, {}, gst_buffer_ref(buffer));
      fail_unless(gst_buffer_peek_memory(buffer, 0) == memory);
      fail_unless(frames::bytes(buffer) == frames::bytes(before));
    }
  }
}

// A flush, a new size and a new format end all tracks, while ids continue. Repeated caps do not.
// After READY, ids restart at 1.
CHECK_TEST(test_ends) {
  Stream stream;
  const Parameters plain;
  for (int i = 0; i < 3; ++i) stream.expect(moved(i, i), plain);
  flush(stream);
  stream.end();
  for (int i = 0; i < 2; ++i) stream.expect(moved(i, i), plain);
  stream.set_caps(GST_VIDEO_FORMAT_GRAY8);
  g_autoptr(GstCaps) other_rate =
      gst_caps_from_string("video/x-raw,format=GRAY8,width=97,height=81,framerate=15/1");
  gst_harness_push_event(stream.harness, gst_event_new_caps(other_rate));
  const Tracks going_on = stream.expect(moved(3, 2), plain);
  fail_unless_equals_int(found_in(going_on.get()).tracks[0].age, 2);
  stream.set_caps(GST_VIDEO_FORMAT_GRAY8, 64, 48);
  stream.end();
  const TestFrame small = klt_picture(PictureKind::kTexture, 64, 48, 3);
  stream.expect(small, plain);
  stream.expect(small, plain);
  stream.set_caps(GST_VIDEO_FORMAT_NV12, 64, 48);
  stream.end();
  const Tracks fresh = stream.expect(small, plain);
  fail_unless(found_in(fresh.get()).tracks[0].id > 20);

  gst_element_set_state(stream.harness->element, GST_STATE_READY);
  gst_element_set_state(stream.harness->element, GST_STATE_PLAYING);
  gst_harness_push_event(stream.harness, gst_event_new_stream_start("again"));
  g_autoptr(GstCaps) once_more = frames::caps({GST_VIDEO_FORMAT_NV12, 64, 48});
  gst_harness_push_event(stream.harness, gst_event_new_caps(once_more));
  flush(stream);
  stream.state = {};
  stream.number = 0;
  const Tracks again = stream.expect(small, plain);
  fail_unless_equals_int(found_in(again.get()).tracks[0].id, 1);
}

// A discontinuity ends no track, but searches no longer start at the last displacement.
CHECK_TEST(test_discontinuity) {
  for (const Way& way : both_warps()) {
    Stream stream(way.settings);
    stream.expect(moved(0, 0), way.parameters);
    stream.expect(moved(9, 9), way.parameters);
    for (const bool known : {true, false}) {
      GstBuffer* buffer = stream.make(moved(0, 0));
      if (known) {
        GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DISCONT);
        reference::end_prediction(&stream.state);
      }
      stream.expect(moved(0, 0), way.parameters, {}, buffer);
    }
  }
}

// An unreadable frame uses no id. The template remains the last good frame, ages continue, and
// predictions end.
CHECK_TEST(test_failed_frame) {
  for (const Way& way : both_warps()) {
    Stream stream(way.settings);
    stream.expect(moved(0, 0), way.parameters);
    stream.expect(moved(5, 4), way.parameters);
    fail_unless_equals_int(gst_harness_push(stream.harness, gst_buffer_new()), GST_FLOW_ERROR);
    frames::check_error(stream.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "97x81");
    reference::end_prediction(&stream.state);
    const Tracks next = stream.expect(moved(10, 8), way.parameters);
    fail_unless_equals_int(found_in(next.get()).tracks[0].age, 2);
    stream.expect(moved(15, 12), way.parameters);
  }
}

// --- points of others ---------------------------------------------------------------------------

// Points become tracks before detection, with ids in their order. Untrackable points are lost at
// once, with a reason. The output metadata replaces the input's.
CHECK_TEST(test_points) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<rdp::klt::Point> points = {
      {20.25F, 30.5F, 0, 0}, {nan, 3, 0, 0},          {40.0F, inf, 0, 0}, {-0.5F, 10, 0, 0},
      {96.0F, 80.0F, 0, 0},  {97.0F, 10, 0, 0},       {20.5F, 30, 0, 0},  {50.1F, 40.7F, 6, -4},
      {10, 10, -inf, 0},     {60.0F, 60.0F, 1e30F, 0}};
  for (const char* detector : {"none", "shi-tomasi"}) {
    for (const char* predict : {"true", "false"}) {
      const Way way = both_warps()[predict[0] == 't' ? 1 : 0];
      Stream stream(
          (std::string("detector=") + detector + " predict=" + predict + " " + way.settings)
              .c_str());
      Parameters parameters = way.parameters;
      if (detector[0] == 'n') parameters.detector = rdp::klt::Detector::kNone;
      parameters.predict = predict[0] == 't';
      stream.expect(moved(0, 0), parameters);
      GstBuffer* buffer = stream.make(moved(2, 1));
      add_points(buffer, points);
      const Tracks with = stream.expect(moved(2, 1), parameters, points, buffer);
      const Found found = found_in(with.get());
      fail_unless(found.lost.size() >= 6);
      fail_unless(found.lost.back().reason == Reason::kOutside && found.lost.back().x == 10.0F);
      // Tracks of age 1 are not points: only age 0 counts.
      buffer = stream.make(moved(8, -3));
      add_points(buffer, points, 1);
      stream.expect(moved(8, -3), parameters, {}, buffer);
    }
  }
}

// Points follow the placement of their metadata: scaled and offset.
CHECK_TEST(test_placed_points) {
  Stream stream("detector=none");
  Parameters parameters;
  parameters.detector = rdp::klt::Detector::kNone;
  GstBuffer* buffer = stream.make(moved(0, 0));
  GstRdpTracksMeta* meta = add_points(buffer, {{10, 10, 1, 2}, {23, 15, 0, 0}}, 0, 48, 40);
  meta->scale_x = meta->scale_y = 2.0;
  meta->offset_y = 5.0;
  stream.expect(moved(0, 0), parameters, {{20.5F, 25.5F, 2, 4}, {46.5F, 35.5F, 0, 0}}, buffer);
}

// klttrack tracks inside the crop of a frame; moving the crop ends all tracks.
CHECK_TEST(test_crop) {
  Stream stream;
  const Parameters plain;
  stream.set_caps(GST_VIDEO_FORMAT_GRAY8, 64, 48);
  const TestFrame whole = moved(0, 0);
  const auto cropped = [&](guint x) {
    GstBuffer* buffer = stream.make(whole);
    gsize offset = 0;
    gint stride = GST_ROUND_UP_4(kWidth);
    gst_buffer_add_video_meta_full(buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8,
                                   kWidth, kHeight, 1, &offset, &stride);
    GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(buffer);
    crop->x = x;
    crop->y = 7;
    crop->width = 64;
    crop->height = 48;
    TestFrame part(64, 48, rdp::SampleType::kU8);
    for (int row = 0; row < 48; ++row) {
      for (int column = 0; column < 64; ++column) {
        part.view().set(row, column, whole.view().at(row + 7, column + static_cast<int>(x)));
      }
    }
    stream.expect(part, plain, {}, buffer);
    fail_unless_equals_float(stream.offset_x, x);
  };
  cropped(11);
  cropped(11);
  stream.end();
  cropped(12);
}

// --- pictures -----------------------------------------------------------------------------------

// Pictures equal those of OverlayPainter with all trails so far; a flush ends the trails.
CHECK_TEST(test_overlay) {
  for (const char* style : {"trails", "motion", "lost", "windows"}) {
    const Way way = both_warps()[style[0] == 'l' || style[0] == 'w' ? 1 : 0];
    Stream stream((std::string("name=k ") + way.settings).c_str());
    g_autoptr(GstHarness) pictures =
        gst_harness_new_with_element(stream.harness->element, nullptr, "overlay");
    gst_harness_set_sink_caps_str(pictures, "video/x-raw,format=RGBA");
    gst_harness_set_live(stream.harness, FALSE);
    gst_harness_set_live(pictures, FALSE);
    gst_child_proxy_set(GST_CHILD_PROXY(stream.harness->element), "overlay::legend", TRUE, nullptr);
    GstPad* pad = gst_element_get_static_pad(stream.harness->element, "overlay");
    gst_util_set_object_arg(G_OBJECT(pad), "style", style);
    gst_object_unref(pad);
    rdp::klt::OverlayPainter painter(1);
    rdp::klt::Trails trails;
    rdp::klt::OverlayOptions options;
    options.legend = true;
    options.style = style[0] == 't'   ? rdp::klt::OverlayStyle::kTrails
                    : style[0] == 'm' ? rdp::klt::OverlayStyle::kMotion
                    : style[0] == 'l' ? rdp::klt::OverlayStyle::kLost
                                      : rdp::klt::OverlayStyle::kWindows;
    options.warp = way.parameters.warp;
    for (int i = 0; i < 5; ++i) {
      if (i == 3) {
        flush(stream);
        stream.end();
        trails.clear();
      }
      const TestFrame frame = moved(3 * i, i);
      const Found found = found_in(stream.expect(frame, way.parameters).get());
      trails.update(found.tracks);
      std::vector<std::uint8_t> wanted(std::size_t{4} * kWidth * kHeight);
      const rdp::klt::OverlayScene scene = {found.tracks, found.lost, trails.trails(), found.warps,
                                            12};
      painter.paint(frame.view(), scene, options,
                    {reinterpret_cast<std::byte*>(wanted.data()), 4 * kWidth, kWidth, kHeight});
      g_autoptr(GstBuffer) picture = gst_harness_pull(pictures);
      fail_unless(picture != nullptr && GST_BUFFER_PTS(picture) == stream.last);
      fail_unless(frames::pixels(picture, {GST_VIDEO_FORMAT_RGBA, kWidth, kHeight}) == wanted,
                  "picture %d of %s is another", i, style);
    }
  }
}

// rdpoverlay names the element that produces the missing metadata.
CHECK_TEST(test_no_tracks_to_draw) {
  g_autoptr(GstElement) pipeline = gst_parse_launch(
      "rdpoverlay name=o style=trails ! fakesink videotestsrc num-buffers=2 ! "
      "video/x-raw,format=RGBA,width=64,height=48,framerate=30/1 ! o.video depthtestsrc "
      "num-buffers=2 ! rdpsegment ! o.segments",
      nullptr);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  frames::check_error(GST_ELEMENT_BUS(pipeline), GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
                      "no tracks, which style=trails needs: put klttrack before that pad");
  gst_element_set_state(pipeline, GST_STATE_NULL);
}

// --- masks --------------------------------------------------------------------------------------

// A temporary file with this content.
struct MaskFile {
  explicit MaskFile(const std::string& content)
      : path(std::string(g_get_tmp_dir()) + "/klttrack-mask-" + std::to_string(g_random_int())) {
    fail_unless(g_file_set_contents(path.c_str(), content.data(),
                                    static_cast<gssize>(content.size()), nullptr));
  }
  ~MaskFile() { g_remove(path.c_str()); }
  std::string path;
};

// The number of warnings on the bus; all must contain `text`.
int count_warnings(GstBus* bus, const char* text) {
  int count = 0;
  while (GstMessage* message = gst_bus_pop_filtered(bus, GST_MESSAGE_WARNING)) {
    const auto warning = rdp::test::text_of(message);
    fail_unless(warning.has(text), "%s", warning.text.c_str());
    gst_message_unref(message);
    ++count;
  }
  return count;
}

CHECK_TEST(test_mask) {
  TestFrame mask(kWidth, kHeight, rdp::SampleType::kU8);
  std::string pixels;
  for (int row = 0; row < kHeight; ++row) {
    for (int column = 0; column < kWidth; ++column) {
      const int value = column < 50 && row > 20 ? 9 : 0;
      mask.view().set(row, column, static_cast<std::uint16_t>(value));
      pixels += static_cast<char>(value);
    }
  }
  const MaskFile file("P5 # of a test\n# 1 2\n97\t81 255\n" + pixels);
  Stream stream(("mask=" + file.path).c_str());
  const Tracks first = stream.expect(moved(0, 0), {}, {}, nullptr, mask.view());
  for (const auto& track : found_in(first.get()).tracks) {
    fail_unless(track.x < 50.0F && track.y > 20.0F);
  }
  // Tracks that leave the mask survive.
  const Tracks second = stream.expect(moved(9, -9), {}, {}, nullptr, mask.view());
  const auto tracks = found_in(second.get()).tracks;
  fail_unless(std::any_of(tracks.begin(), tracks.end(),
                          [](const auto& track) { return track.x > 50.0F || track.y < 20.0F; }));
}

// A mask without usable pixels causes one warning; with detector=none, none.
CHECK_TEST(test_blank_mask) {
  const MaskFile file("P5 97 81 255\n" + std::string(97 * 81, '\0'));
  for (const bool detects : {true, false}) {
    Stream stream(("mask=" + file.path + (detects ? "" : " detector=none")).c_str());
    for (int i = 0; i < 3; ++i) {
      fail_unless(found_in(stream.push(moved(0, 0)).get()).tracks.empty());
    }
    fail_unless_equals_int(count_warnings(stream.bus, "The mask is 0 everywhere"), detects ? 1 : 0);
  }
}

// A mask of the wrong size or format is an error that names the expected one.
CHECK_TEST(test_bad_masks) {
  const std::string pixels(static_cast<std::size_t>(kWidth) * kHeight, '\1');
  const struct {
    std::string content;
    const char* part;
  } cases[] = {
      {"P5 96 81 255\n" + pixels.substr(81), "96x81 pixels, but the frames are 97x81"},
      {"P2 97 81 255\n" + pixels, "expected a binary PGM"},
      {"", "expected a binary PGM"},
      {"P5 97 81 65535\n" + pixels, "got 65535 (magick mask.pgm -depth 8"},
      {"P5 97 -1 255\n" + pixels, "got 97 and -1"},
      {"P5 97", "got 97 and no number"},
      {"P5 97 81 255\n" + pixels + " ", "expected 7857 bytes of 97x81 pixels, got 7858"},
      {"P5 97 81 255", "got 0"},
  };
  for (const auto& each : cases) {
    const MaskFile file(each.content);
    g_autoptr(GstElement) element = gst_element_factory_make("klttrack", nullptr);
    gst_object_ref_sink(element);
    g_object_set(element, "mask", file.path.c_str(), nullptr);
    GstBus* bus = frames::attach_bus(element);
    const bool starts =
        gst_element_set_state(element, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE;
    fail_unless(starts == g_str_has_prefix(each.part, "96x81"), "%s", each.part);
    GstHarness* harness = nullptr;
    if (starts) {
      harness = gst_harness_new_with_element(element, "sink", "src");
      gst_harness_set_src_caps(harness, frames::caps({GST_VIDEO_FORMAT_GRAY8, kWidth, kHeight}));
      gst_harness_push(harness, gst_buffer_new_allocate(nullptr, 100 * 81, nullptr));
    }
    frames::check_error(bus, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, each.part);
    // Tear down only now: GStreamer 1.28 locks the bus while it drops a message. If that message
    // held the last reference to a pad, unlinking the pad posts on the same bus.
    if (harness != nullptr) gst_harness_teardown(harness);
    gst_element_set_state(element, GST_STATE_NULL);
    frames::detach_bus(element, bus);
  }
  for (const char* file : {"/nowhere/mask.pgm", "/dev/zero"}) {
    g_autoptr(GstElement) element = gst_element_factory_make("klttrack", nullptr);
    gst_object_ref_sink(element);
    g_object_set(element, "mask", file, nullptr);
    GstBus* bus = frames::attach_bus(element);
    fail_unless(gst_element_set_state(element, GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE);
    frames::check_error(bus, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, file);
    gst_element_set_state(element, GST_STATE_NULL);
    frames::detach_bus(element, bus);
  }
}

// --- words --------------------------------------------------------------------------------------

CHECK_TEST(test_bad_cell) {
  Stream stream("cell=10");
  fail_unless_equals_int(gst_harness_push(stream.harness, stream.make(moved(0, 0))),
                         GST_FLOW_ERROR);
  frames::check_error(stream.bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
                      "cell=10 is no multiple of 4: set 8 or 12");
}

// While playing, an invalid cell keeps the previous one; a later valid cell takes effect.
CHECK_TEST(test_bad_cell_while_playing) {
  Parameters parameters;
  Stream stream;
  stream.expect(moved(0, 0), parameters);
  for (const int cell : {18, 18, 20, 22}) {
    g_object_set(stream.element(), "cell", cell, nullptr);
    if (cell % 4 == 0) parameters.cell = cell;
    stream.expect(moved(1, 1), parameters);
    stream.expect(moved(2, 2), parameters);
  }
  fail_unless_equals_int(count_warnings(stream.bus, "stay in effect: cell="), 2);
}

// An unsupported colour format: the error gives the remedy.
CHECK_TEST(test_other_caps) {
  Stream stream;
  g_autoptr(GstCaps) colour =
      gst_caps_from_string("video/x-raw,format=RGBA,width=97,height=81,framerate=30/1");
  gst_harness_push_event(stream.harness, gst_event_new_caps(colour));
  frames::check_error(stream.bus, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
                      "videoconvert ! video/x-raw,format=GRAY8");
}

// Frames smaller than a window: one warning, and empty tracks.
CHECK_TEST(test_small_frames) {
  Stream stream;
  stream.set_caps(GST_VIDEO_FORMAT_GRAY8, 50, 11);
  const TestFrame frame = klt_picture(PictureKind::kTexture, 50, 11, 4);
  for (int i = 0; i < 3; ++i) fail_unless_equals_int(count(stream.expect(frame, {})), 0);
  g_autoptr(GstMessage) warning = frames::wait_message(stream.bus, GST_MESSAGE_WARNING);
  const auto said = rdp::test::text_of(warning);
  fail_unless(said.has("50x11 are smaller than a window of 12x12"), "%s", said.text.c_str());
  fail_unless(gst_bus_pop_filtered(stream.bus, GST_MESSAGE_WARNING) == nullptr);
}

CHECK_CASE(klttrack)
