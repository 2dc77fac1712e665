// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_CUDA_FRAMES_H_
#define RDP_TESTS_SUPPORT_CUDA_FRAMES_H_

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "common/rdp/overlay.h"
#include "gst/cuda/cuda_context.h"
#include "gst/memory/cuda_memory.h"
#include "gst/memory/system_memory.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/device_memory.h"
#include "tests/standin/standin.h"
#include "tests/support/check_test.h"
#include "tests/support/cuda_rows.h"
#include "tests/support/expected.h"
#include "tests/support/frames.h"
#include "tests/support/parameters.h"

// Frames in CUDA memory for the element tests, and the reference's results. The programs run with
// the stand-in driver, and on a real GPU without the calls that control the stand-in.
namespace cuda_frames {

using frames::Shape;

struct Unref {
  void operator()(gpointer object) const { gst_object_unref(object); }
};
using ContextRef = std::unique_ptr<GstCudaContext, Unref>;

inline ContextRef new_context(guint device = 0) {
  fail_unless(gst_cuda_load_library());
  GstCudaContext* context = gst_cuda_context_new(device);
  fail_unless(context != nullptr);
  return ContextRef(context);
}

// One context for all tests of a program. Never freed, because the driver may be gone when static
// objects are destroyed.
inline GstCudaContext* shared_context() {
  static GstCudaContext* const context = new_context().release();
  return context;
}

inline std::string caps_string(const Shape& shape) {
  return frames::caps_string(shape, GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY);
}

inline GstCaps* caps(const Shape& shape) {
  return frames::caps(shape, GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY);
}

inline GstVideoInfo info(const Shape& shape) { return frames::video_info(shape); }

// The same shape with rows without gaps, for comparisons.
inline Shape tight(const Shape& shape) {
  return {shape.format, shape.width, shape.height, 0, static_cast<gint>(frames::row_bytes(shape))};
}

// The samples of a frame in any memory, without padding.
inline std::vector<std::uint8_t> samples(GstBuffer* buffer, const Shape& shape) {
  rdp::gst::SystemFrame frame;
  std::string reason;
  const GstVideoInfo video = info(shape);
  fail_unless(frame.map(buffer, video, rdp::gst::Access::kRead, &reason), "%s", reason.c_str());
  return rdp::test::tight_samples(frame.view());
}

// Overwrites a frame in CUDA memory with the samples of one in system memory, and uploads them to
// the device.
inline void fill(GstBuffer* buffer, const Shape& shape, GstBuffer* source) {
  frames::Content content(shape);
  const std::vector<std::uint8_t> read = samples(source, shape);
  std::memcpy(content.samples.data(), read.data(), read.size());
  std::string reason;
  fail_unless(rdp::test::write_cuda_buffer(buffer, content, &reason), "%s", reason.c_str());
}

// The frame of frames::make() in CUDA memory; `shape` may have an offset.
inline GstBuffer* make(GstCudaContext* context, const Shape& shape, unsigned seed = 1,
                       unsigned number = 0) {
  std::string reason;
  GstBuffer* buffer = rdp::test::new_cuda_buffer(
      context, frames::draw(shape, frames::Scene::kSurface, seed), &reason);
  fail_unless(buffer != nullptr, "%s", reason.c_str());
  GST_BUFFER_PTS(buffer) = number * GST_SECOND / 30;
  GST_BUFFER_DURATION(buffer) = GST_SECOND / 30;
  return buffer;
}

// The reference's result for the frame of frames::make().
using rdp::test::Expected;

inline Expected expect(const Shape& shape, const rdp::Parameters& parameters,
                       const rdp::OverlayOptions& options = {}, unsigned seed = 1) {
  const frames::Content content = frames::draw(shape, frames::Scene::kSurface, seed);
  return rdp::test::expect(content.view(), parameters, options);
}

using ::set_parameters;
using frames::backend_in_use;
using frames::pixels;

// An element between harnesses.
class Rig : public frames::Rig {
 public:
  // `sink_caps`: input caps, empty: set later. `overlay_caps`: caps that the overlay's sink
  // accepts, null: no overlay.
  Rig(const std::string& sink_caps, const char* backend, const char* overlay_caps = nullptr)
      : frames::Rig(backend, overlay_caps) {
    if (!sink_caps.empty()) gst_harness_set_src_caps_str(main, sink_caps.c_str());
  }
};

// The reason that CUDA memory is unavailable here; empty: it is available.
inline std::string missing() {
  std::string reason;
  rdp::gst::cuda_memory_usable(&reason);
  return reason;
}

}  // namespace cuda_frames

#endif  // RDP_TESTS_SUPPORT_CUDA_FRAMES_H_
