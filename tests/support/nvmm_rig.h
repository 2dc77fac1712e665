// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_NVMM_RIG_H_
#define RDP_TESTS_SUPPORT_NVMM_RIG_H_

#include <string>
#include <vector>

#include "tests/support/expected.h"
#include "tests/support/nvmm_frames.h"

// rdpsegment with frames in NVMM memory, and the expected results.
namespace nvmm_frames {

inline rdp::Parameters test_parameters() {
  rdp::Parameters parameters;
  parameters.epsilon = 300;
  return parameters;
}

using frames::backend_in_use;

// An element between harnesses.
class Rig : public frames::Rig {
 public:
  // `caps`: input caps; empty: frames of `shape` in NVMM memory.
  explicit Rig(const Shape& shape, const char* backend = "cpu", bool reconstruct = false,
               const char* overlay_caps = nullptr, const std::string& caps = "")
      : frames::Rig(backend, overlay_caps) {
    g_object_set(element, "epsilon", test_parameters().epsilon, "output", reconstruct ? 1 : 0,
                 nullptr);
    gst_harness_set_src_caps_str(
        main, caps.empty() ? nvmm_frames::caps_string(shape).c_str() : caps.c_str());
  }
};

// Fails unless the buffer has the segments of make_surface()'s frames for each filled surface of
// the batch, and for no other.
inline void check_batch(GstBuffer* output, const Shape& shape, guint filled, unsigned seed) {
  const Shape tight{shape.format, shape.width, shape.height};
  for (guint i = 0; i < filled; ++i) {
    g_autoptr(GstBuffer) source = frames::make(tight, seed + i);
    GstRdpSegmentation* segmentation = gst_rdp_buffer_get_batch_segmentation(output, i);
    fail_unless(segmentation != nullptr, "surface %u has no segments", i);
    frames::check_segmentation(segmentation, tight, frames::bytes(source), test_parameters());
  }
  fail_unless(gst_rdp_buffer_get_batch_segmentation(output, filled) == nullptr);
  fail_unless_equals_int(gst_buffer_get_n_meta(output, GST_RDP_SEGMENT_META_API_TYPE), filled);
  fail_unless(gst_rdp_buffer_get_segmentation(output) ==
              gst_rdp_buffer_get_batch_segmentation(output, 0));
}

// The reference's result for the frame of frames::make().
using rdp::test::Expected;

inline Expected expect(const Shape& shape, unsigned seed) {
  const frames::Content content = frames::draw(shape, frames::Scene::kSurface, seed);
  return rdp::test::expect(content.view(), test_parameters());
}

inline GstMemory* memory_of(GstBuffer* buffer) { return gst_buffer_peek_memory(buffer, 0); }

}  // namespace nvmm_frames

#endif  // RDP_TESTS_SUPPORT_NVMM_RIG_H_
