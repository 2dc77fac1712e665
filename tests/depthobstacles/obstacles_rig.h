// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_DEPTHOBSTACLES_OBSTACLES_RIG_H_
#define RDP_TESTS_DEPTHOBSTACLES_OBSTACLES_RIG_H_

#include <cstdlib>
#include <map>

#include "common/obstacles/tracks.h"
#include "tests/depthobstacles/obstacles_expected.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/frames.h"

// A harness around depthobstacles.
namespace obstacles_rig {

using Settings = std::map<std::string, std::string>;

inline constexpr Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 160, 120};
inline constexpr double kFocal = 120.0;
inline constexpr double kHeight = 0.5;
inline constexpr double kPitch = 15.0;
inline MetricCamera camera() { return camera_of(kShape, kFocal); }

inline Parameters near() {
  Parameters parameters;
  parameters.range = 5.0;
  parameters.cell_size = 0.1;
  parameters.cell_samples = 2;
  parameters.object_samples = 10;
  return parameters;
}

// The engine under test: "cpu", or the value of BACKEND in the environment.
inline const char* backend() {
  const char* wanted = std::getenv("BACKEND");
  return wanted == nullptr ? "cpu" : wanted;
}

// depthobstacles with the parameters of near(). `has_camera` sets the camera properties, `mount`
// its height and pitch.
class Rig : public frames::Rig {
 public:
  explicit Rig(const Settings& settings = {}, bool mount = true, bool has_camera = true)
      : frames::Rig(backend(), nullptr, "depthobstacles") {
    const MetricCamera of = camera();
    g_object_set(element, "threads", 1U, "range", 5.0, "cell-size", 0.1, "cell-samples", 2U,
                 "object-samples", 10U, nullptr);
    if (has_camera) {
      g_object_set(element, "focal-length", kFocal, "principal-x", of.principal_x, "principal-y",
                   of.principal_y, "depth-unit", 0.001, nullptr);
    }
    if (mount) g_object_set(element, "camera-height", kHeight, "camera-pitch", kPitch, nullptr);
    for (const auto& [name, value] : settings) set(name.c_str(), value.c_str());
  }
  void set(const char* name, const char* value) {
    gst_util_set_object_arg(G_OBJECT(element), name, value);
  }
  void begin(const char* feature = nullptr) {
    gst_harness_set_src_caps(main, frames::caps(kShape, feature));
  }
  GstBuffer* frame(const Content& content) {
    GstBuffer* buffer = frames::new_buffer(content);
    GST_BUFFER_PTS(buffer) = pts;
    pts += GST_SECOND / 10;
    return buffer;
  }
  // (transfer full)
  GstBuffer* search(GstBuffer* buffer) {
    GstBuffer* out = gst_harness_push_and_pull(main, buffer);
    fail_unless(out != nullptr, "%s", rdp::test::bus_texts(bus).c_str());
    return out;
  }
  std::string texts() { return rdp::test::bus_texts(bus); }

  GstClockTime pts = 0;
};

// The expected tracks of a stream.
struct ExpectedTracks {
  rdp::obstacles::Tracks tracks;
  rdp::obstacles::TrackParameters parameters;

  void update(const Obstacles& found, std::int64_t dt) {
    std::vector<rdp::obstacles::Box> boxes;
    for (const auto& of : found.objects) boxes.push_back({of.x, of.y, of.length, of.width});
    tracks.update(boxes, dt, parameters);
  }
  // The first difference between the metadata and these tracks; empty if equal.
  std::string difference(GstRdpObstacles* got, bool over_ground = false) const {
    gsize count = 0;
    const GstRdpObstacle* objects = gst_rdp_obstacles_peek_objects(got, &count);
    if (count != tracks.boxes().size()) return "the number of objects";
    for (gsize i = 0; i < count; ++i) {
      const rdp::obstacles::TrackOfBox& track = tracks.boxes()[i];
      const GstRdpObstacle& of = objects[i];
      const bool fast = track.fits >= rdp::obstacles::kFitsOfSpeed;
      const auto is = [&](float got_speed, std::int64_t v) {
        return fast ? got_speed == static_cast<float>(static_cast<double>(v) / 256000.0)
                    : std::isnan(got_speed);
      };
      guint32 flags = 0;
      if (fast) flags |= GST_RDP_OBSTACLE_SPEED;
      if (fast && over_ground) flags |= GST_RDP_OBSTACLE_OVER_GROUND;
      if (of.id != track.id || of.age != static_cast<guint32>(track.age)) {
        return "object " + std::to_string(i) + " has id " + std::to_string(of.id) + " and age " +
               std::to_string(of.age) + ", not " + std::to_string(track.id) + " and " +
               std::to_string(track.age);
      }
      if (!is(of.vx, track.vx) || !is(of.vy, track.vy) ||
          (of.flags & ~guint32{GST_RDP_OBSTACLE_CUT}) != flags) {
        return "the speed of object " + std::to_string(i);
      }
    }
    const auto same = [&](auto peek, std::span<const std::uint32_t> ids) {
      gsize n = 0;
      const guint32* list = peek(got, &n);
      return std::ranges::equal(std::span(list, n), ids);
    };
    if (!same(gst_rdp_obstacles_peek_lost, tracks.lost())) return "lost ids";
    return same(gst_rdp_obstacles_peek_hidden, tracks.hidden()) ? "" : "hidden ids";
  }
};

}  // namespace obstacles_rig

#endif  // RDP_TESTS_DEPTHOBSTACLES_OBSTACLES_RIG_H_
