// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_KLTTRACK_TRACK_RIG_H_
#define RDP_TESTS_KLTTRACK_TRACK_RIG_H_

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/klttrack/tracks_expected.h"

// After the standard library: check.h defines a macro named fail.
#include "tests/support/frames.h"

// A klttrack in a stream, with the scalar reference beside it.
namespace tracks_rig {

using rdp::klt::Parameters;
using rdp::test::klt_picture;
using rdp::test::PictureKind;
using rdp::test::TestFrame;
namespace reference = rdp::klt::reference;
using Tracks = std::unique_ptr<GstRdpTracks, void (*)(GstRdpTracks*)>;

constexpr int kWidth = 97;
constexpr int kHeight = 81;

inline TestFrame moved(int dx, int dy) {
  return klt_picture(PictureKind::kTexture, kWidth, kHeight, 4, dx, dy);
}

// A picture that rotates, scales and shifts with the frame number.
inline TestFrame turned(int number) {
  const TestFrame from = klt_picture(PictureKind::kTexture, 2 * kWidth, 2 * kHeight, 4);
  TestFrame frame(kWidth, kHeight, rdp::SampleType::kU8);
  const double scale = std::pow(0.98, number);
  const double sine = std::sin(0.05 * number) * scale;
  const double cosine = std::cos(0.05 * number) * scale;
  for (int row = 0; row < kHeight; ++row) {
    for (int column = 0; column < kWidth; ++column) {
      const double x = column - kWidth / 2.0;
      const double y = row - kHeight / 2.0;
      const double at_x = kWidth + cosine * x - sine * y + number;
      const double at_y = kHeight + sine * x + cosine * y;
      const int left = static_cast<int>(at_x);
      const int top = static_cast<int>(at_y);
      const double u = at_x - left;
      const double v = at_y - top;
      const auto above = (1 - u) * from.view().at(top, left) + u * from.view().at(top, left + 1);
      const auto below =
          (1 - u) * from.view().at(top + 1, left) + u * from.view().at(top + 1, left + 1);
      frame.view().set(row, column,
                       static_cast<std::uint16_t>(std::lround((1 - v) * above + v * below)));
    }
  }
  return frame;
}

// Property settings of klttrack and the equivalent parameters.
struct Way {
  const char* settings;
  Parameters parameters;
};
inline std::vector<Way> both_warps() {
  Parameters affine;
  affine.warp = rdp::klt::Warp::kAffine;
  affine.max_correction = 0.75;
  affine.template_residual = 3.0;
  return {{"", {}}, {"warp=affine max-correction=0.75 template-residual=3", affine}};
}

// Ends all tracks of the reference; ids continue.
inline void end_tracks(reference::State* state) {
  const std::uint32_t next_id = state->next_id;
  *state = {};
  state->next_id = next_id;
}

// A klttrack and the reference, fed with the same frames.
struct Stream {
  explicit Stream(const char* settings = "", GstVideoFormat with = GST_VIDEO_FORMAT_GRAY8) {
    GstElement* made =
        gst_parse_launch((std::string("klttrack threads=1 ") + settings).c_str(), nullptr);
    harness = gst_harness_new_with_element(made, "sink", "src");
    gst_object_unref(made);
    bus = frames::attach_bus(harness->element);
    set_caps(with);
  }
  ~Stream() {
    frames::detach_bus(harness->element, bus);
    gst_harness_teardown(harness);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void set_caps(GstVideoFormat with, int width = kWidth, int height = kHeight) {
    format = with;
    gst_harness_set_src_caps(harness, frames::caps({format, width, height}));
  }
  void set(const char* property, const char* value) {
    gst_util_set_object_arg(G_OBJECT(element()), property, value);
  }
  GstElement* element() const { return harness->element; }

  // A buffer in `format` with this picture as luma and noise as chroma.
  GstBuffer* make(const TestFrame& picture) {
    GstVideoInfo info;
    const rdp::DepthView view = picture.view();
    gst_video_info_set_format(&info, format, static_cast<guint>(view.width),
                              static_cast<guint>(view.height));
    GstBuffer* buffer = gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&info), nullptr);
    GstMapInfo map;
    fail_unless(gst_buffer_map(buffer, &map, GST_MAP_WRITE));
    for (gsize i = 0; i < map.size; ++i) map.data[i] = static_cast<guint8>(i * 97 + number * 31);
    for (int row = 0; row < view.height; ++row) {
      guint8* to = map.data + row * GST_VIDEO_INFO_PLANE_STRIDE(&info, 0);
      for (int column = 0; column < view.width; ++column) {
        to[column] = static_cast<guint8>(view.at(row, column));
      }
    }
    gst_buffer_unmap(buffer, &map);
    GST_BUFFER_PTS(buffer) = pts();
    return buffer;
  }
  GstClockTime pts() const { return number * GST_SECOND / 10; }

  // Pushes a buffer and returns the tracks of the output.
  Tracks push(GstBuffer* buffer) {
    const GstFlowReturn flow = gst_harness_push(harness, buffer);
    fail_unless(flow == GST_FLOW_OK, "%s", gst_flow_get_name(flow));
    g_autoptr(GstBuffer) out = gst_harness_pull(harness);
    fail_unless(out != nullptr && GST_BUFFER_PTS(out) == pts());
    GstRdpTracks* tracks = gst_rdp_buffer_get_tracks(out);
    fail_unless(tracks != nullptr);
    offset_x = gst_buffer_get_rdp_tracks_meta(out)->offset_x;
    fail_unless_equals_int(gst_buffer_get_n_meta(out, GST_RDP_TRACKS_META_API_TYPE), 1);
    ++number;
    return {gst_rdp_tracks_ref(tracks), gst_rdp_tracks_unref};
  }
  Tracks push(const TestFrame& picture) { return push(make(picture)); }
  // push(), compared with the reference. `points` are the points that the buffer carries.
  Tracks expect(const TestFrame& picture, const Parameters& parameters,
                std::vector<rdp::klt::Point> points = {}, GstBuffer* buffer = nullptr,
                rdp::DepthView mask = {}) {
    const GstClockTime template_pts = state.picture.empty() ? GST_CLOCK_TIME_NONE : last;
    last = pts();
    const guint64 frame = number;
    Tracks tracks = push(buffer != nullptr ? buffer : make(picture));
    reference::Result expected;
    state = reference::advance(state, {picture.view(), mask, points}, parameters, &expected);
    templates += expected.templates;
    const std::string wrong = difference(tracks.get(), expected);
    fail_unless(wrong.empty(), "frame %d: %s", static_cast<int>(frame), wrong.c_str());
    const GstRdpTracksInfo& info = *gst_rdp_tracks_get_info(tracks.get());
    fail_unless_equals_uint64(info.template_pts, template_pts);
    fail_unless_equals_int(info.width, picture.view().width);
    fail_unless_equals_int(info.height, picture.view().height);
    return tracks;
  }
  void end() { end_tracks(&state); }
  guint64 stat(const char* name) {
    GstStructure* stats = nullptr;
    g_object_get(element(), "stats", &stats, nullptr);
    guint64 value = G_MAXUINT64;
    fail_unless(gst_structure_get_uint64(stats, name, &value), "no %s", name);
    gst_structure_free(stats);
    return value;
  }

  GstHarness* harness = nullptr;
  GstBus* bus = nullptr;
  GstVideoFormat format;
  guint64 number = 0;
  GstClockTime last = GST_CLOCK_TIME_NONE;
  double offset_x = 0.0;
  reference::State state;
  guint64 templates = 0;  // templates taken so far by the reference
};

// Attaches points that klttrack has to track.
inline GstRdpTracksMeta* add_points(GstBuffer* buffer, const std::vector<rdp::klt::Point>& points,
                                    guint32 age = 0, int width = kWidth, int height = kHeight) {
  GstRdpTracksInfo info;
  gst_rdp_tracks_info_init(&info);
  info.width = static_cast<guint>(width);
  info.height = static_cast<guint>(height);
  std::vector<GstRdpTrack> tracks;
  for (const rdp::klt::Point& p : points) tracks.push_back({77, age, p.x, p.y, p.dx, p.dy, 0, 0});
  // Arbitrary warps: klttrack ignores them.
  const std::vector<GstRdpTrackWarp> warps(tracks.size(), {2, 1, 0, 0.5F, 3, 9});
  g_autoptr(GstRdpTracks) of = gst_rdp_tracks_new_with_warps(
      &info, tracks.data(), tracks.size(), nullptr, 0, warps.data(), warps.size());
  return gst_buffer_add_rdp_tracks_meta(buffer, of);
}

inline void flush(Stream& stream) {
  gst_harness_push_event(stream.harness, gst_event_new_flush_start());
  gst_harness_push_event(stream.harness, gst_event_new_flush_stop(TRUE));
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_harness_push_event(stream.harness, gst_event_new_segment(&segment));
}

}  // namespace tracks_rig

#endif  // RDP_TESTS_KLTTRACK_TRACK_RIG_H_
