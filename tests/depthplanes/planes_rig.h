// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_DEPTHPLANES_PLANES_RIG_H_
#define RDP_TESTS_DEPTHPLANES_PLANES_RIG_H_

#include <string>

#include "tests/depthplanes/planes_expected.h"
#include "tests/support/element_stats.h"
#include "tests/support/frames.h"

// A harness around depthplanes.
namespace planes_rig {

using frames::Shape;
using rdp::test::PlaneKind;

inline void check_planes(GstBuffer* buffer, const Expected& expected, const std::string& what) {
  fail_unless(buffer != nullptr, "%s: no frame came out", what.c_str());
  const std::string wrong = difference(gst_rdp_buffer_get_planes(buffer), expected);
  fail_unless(wrong.empty(), "%s: %s", what.c_str(), wrong.c_str());
}

// depthplanes as applications create it.
class Rig : public frames::Rig {
 public:
  explicit Rig(const char* backend = "cpu", const char* overlay_caps = nullptr)
      : frames::Rig(backend, overlay_caps, "depthplanes") {
    g_object_set(element, "threads", 1U, nullptr);
  }
  // Announces frames of this shape and camera.
  void begin(const Drawn& drawn, const char* feature = nullptr) {
    set_camera(element, drawn.camera);
    gst_harness_set_src_caps(main, frames::caps(drawn.content.shape, feature));
  }
  void set(const char* property, const char* value) {
    gst_util_set_object_arg(G_OBJECT(element), property, value);
  }

  GstStructure* stats() const { return rdp::test::stats_of(element); }
  guint64 count(const char* field) const { return rdp::test::stat_of(element, field); }
};

}  // namespace planes_rig

#endif  // RDP_TESTS_DEPTHPLANES_PLANES_RIG_H_
