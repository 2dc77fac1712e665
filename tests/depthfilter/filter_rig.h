// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_DEPTHFILTER_FILTER_RIG_H_
#define RDP_TESTS_DEPTHFILTER_FILTER_RIG_H_

#include "tests/support/frames.h"
// After gst/check/gstcheck.h.
#include <cstdlib>
#include <random>

#include "tests/depthfilter/filtered.h"
#include "tests/support/bus_texts.h"

// Frames, the scalar reference and the rig of depthfilter's tests.
namespace filter_rig {

using frames::Content;
using frames::Shape;
using rdp::filter::Counts;
using rdp::filter::Parameters;

inline constexpr Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16};

// A wall with noise and unknown pixels, in mm.
inline Content wall(unsigned seed, const Shape& shape = kShape) {
  Content content(shape);
  std::mt19937 random(seed);
  for (int row = 0; row < shape.height; ++row) {
    for (int column = 0; column < shape.width; ++column) {
      const bool known = random() % 10 != 0;
      content.view().set(row, column, static_cast<std::uint16_t>(known ? 1000 + random() % 5 : 0));
    }
  }
  return content;
}

// The scalar reference, with its state from frame to frame.
struct Expected {
  explicit Expected(const Parameters& of) : parameters(of) {
    parameters.tolerance = rdp::filter::inverse_tolerance(6.0, 1e6);
  }
  Content filter(const Content& in) { return filtered(in, parameters, &state, &counts); }
  Parameters parameters;
  rdp::filter::reference::State state;
  Counts counts;
};

// The engine under test: "cpu", or the value of BACKEND in the environment.
inline const char* backend() {
  const char* wanted = std::getenv("BACKEND");
  return wanted == nullptr ? "cpu" : wanted;
}

class Rig : public frames::Rig {
 public:
  explicit Rig(const std::string& settings, const char* overlay_caps = nullptr,
               const char* engine = backend())
      : frames::Rig(engine, overlay_caps, "depthfilter") {
    gchar** words = g_strsplit(settings.c_str(), " ", -1);
    for (gchar** word = words; *word != nullptr; ++word) {
      gchar** parts = g_strsplit(*word, "=", 2);
      if (parts[0] != nullptr && parts[1] != nullptr) {
        gst_util_set_object_arg(G_OBJECT(element), parts[0], parts[1]);
      }
      g_strfreev(parts);
    }
    g_strfreev(words);
    gst_element_set_state(element, GST_STATE_PLAYING);
  }
  void begin(const Shape& shape = kShape) { gst_harness_set_src_caps(main, frames::caps(shape)); }
  void event(GstEvent* event) { fail_unless(gst_harness_push_event(main, event)); }
  void segment(double rate, GstClockTime base) {
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    segment.rate = rate;
    segment.base = base;
    segment.stop = 100 * GST_SECOND;
    event(gst_event_new_segment(&segment));
  }
  GstBuffer* frame(const Content& content) {
    GstBuffer* buffer = frames::new_buffer(content);
    GST_BUFFER_PTS(buffer) = pts;
    pts += GST_SECOND / 30;
    return buffer;
  }
  // (transfer full)
  GstBuffer* filter(GstBuffer* buffer) {
    GstBuffer* out = gst_harness_push_and_pull(main, buffer);
    fail_unless(out != nullptr, "%s", rdp::test::bus_texts(bus).c_str());
    return out;
  }
  GstClockTime pts = 0;
};

inline void check_samples(GstBuffer* buffer, const Content& expected, const char* what) {
  GstVideoFrame frame;
  const GstVideoInfo video = frames::video_info(expected.shape);
  fail_unless(gst_video_frame_map(&frame, &video, buffer, GST_MAP_READ));
  rdp::DepthView view = expected.view();
  view.data = static_cast<const std::byte*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0));
  view.stride = GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0);
  for (int row = 0; row < view.height; ++row) {
    for (int column = 0; column < view.width; ++column) {
      fail_unless(view.at(row, column) == expected.view().at(row, column), "%s: %d, %d: %d, not %d",
                  what, row, column, view.at(row, column), expected.view().at(row, column));
    }
  }
  gst_video_frame_unmap(&frame);
}

}  // namespace filter_rig

#endif  // RDP_TESTS_DEPTHFILTER_FILTER_RIG_H_
