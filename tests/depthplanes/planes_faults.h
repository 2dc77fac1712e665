// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_DEPTHPLANES_PLANES_FAULTS_H_
#define RDP_TESTS_DEPTHPLANES_PLANES_FAULTS_H_

#include <functional>
#include <string>

#include "tests/depthplanes/planes_rig.h"
#include "tests/support/fault_rig.h"

// depthplanes between pads that do as a test tells them.
namespace planes_faults {

using faults::Said;
using planes_rig::Drawn;
using planes_rig::Expected;

constexpr guint64 kFrames = 3;
inline const frames::Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48};

struct Setting {
  const char* name;
  const char* backend = "cpu";
  bool overlay = false;
  const char* output = "passthrough";
  const char* style = "planes";
  guint threads = 1;
  const char* feature = nullptr;  // of the frames; null: system memory
};

// Frames and what is to come of them, drawn once.
struct Film {
  Drawn drawn{kShape};
  Expected expected = planes_rig::expect(drawn);
  // Makes the frames; they may be in a context of their own.
  std::function<GstBuffer*(guint64)> frame = [this](guint64 number) {
    return drawn.buffer(static_cast<unsigned>(number));
  };

  Film() = default;
  Film(const Film&) = delete;
  Film& operator=(const Film&) = delete;

  std::string complaint(GstBuffer* buffer, guint64 number) const {
    if (GST_BUFFER_PTS(buffer) != number * GST_SECOND / 30) return "another time";
    return planes_rig::difference(gst_rdp_buffer_get_planes(buffer), expected);
  }
};

class Rig : public faults::Rig {
 public:
  Rig(const Film& film, const Setting& setting)
      : faults::Rig("depthplanes", setting.overlay), film_(film), setting_(setting) {
    gst_util_set_object_arg(G_OBJECT(element), "backend", setting.backend);
    gst_util_set_object_arg(G_OBJECT(element), "output", setting.output);
    g_object_set(element, "threads", setting.threads, nullptr);
    planes_rig::set_camera(element, film.drawn.camera);
    if (setting.overlay) {
      g_autoptr(GstPad) pad = gst_element_get_static_pad(element, "overlay");
      gst_util_set_object_arg(G_OBJECT(pad), "style", setting.style);
      gst_util_set_object_arg(G_OBJECT(pad), "drop", "never");
    }
    main.look = [this](GstBuffer* buffer, guint64 nth) { return film_.complaint(buffer, nth); };
  }

  GstCaps* caps() const { return frames::caps(kShape, setting_.feature); }
  // Pushes until something is refused. How many frames were taken.
  guint64 play() {
    if (!start() || !begin(caps())) return 0;
    guint64 taken = 0;
    while (taken < kFrames && push(film_.frame(taken)) == GST_FLOW_OK) ++taken;
    return taken;
  }
  void check(guint64 taken, const std::string& what) {
    const Said said = faults::listen(bus);
    fail_unless(main.complaint().empty(), "%s: %s", what.c_str(), main.complaint().c_str());
    fail_unless(said.errors.size() == (taken == kFrames ? 0 : 1), "%s: %d taken, and %s",
                what.c_str(), static_cast<int>(taken), said.text().c_str());
    fail_unless(main.count() == taken, "%s: %d came, %d taken", what.c_str(),
                static_cast<int>(main.count()), static_cast<int>(taken));
  }
  void check_fresh(const std::string& after) { check_fresh_start(after, caps(), film_.frame); }

 private:
  const Film& film_;
  const Setting& setting_;
};

}  // namespace planes_faults

#endif  // RDP_TESTS_DEPTHPLANES_PLANES_FAULTS_H_
