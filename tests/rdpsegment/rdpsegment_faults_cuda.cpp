// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpsegment on a CUDA driver whose calls fail once each, in turn, for frames in system and CUDA
// memory. There is one error that names the cause, or none; every frame is correct; the element
// restarts. Needs the stand-in driver. See fault_rig.h for RDPSEGMENT_FAULTS.
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"
#include "tests/support/fault_calls.h"

using fault_calls::Setting;
using fault_calls::Tally;
using faults::Film;
using frames::Shape;

namespace {

const Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16};
constexpr unsigned kFrames = 3;
// More frames than backend=auto needs to decide.
constexpr unsigned kFramesOfTrial = 22;

GstBuffer* numbered(GstBuffer* buffer, guint64 number) {
  GST_BUFFER_OFFSET(buffer) = number;
  return buffer;
}

Setting in_system_memory(const char* name, unsigned count = kFrames) {
  Setting setting;
  setting.name = std::string("system memory, ") + name;
  setting.caps = frames::caps_string(kShape);
  setting.frames = [count] {
    std::vector<GstBuffer*> all;
    for (unsigned number = 0; number < count; ++number) {
      all.push_back(numbered(frames::make(kShape, Film::scene(number), number), number));
    }
    return all;
  };
  return setting;
}

bool is_context_lost(GstBuffer* buffer) {
  GstMemory* memory = gst_buffer_peek_memory(buffer, 0);
  try {
    const rdp::cuda::ContextScope scope(
        rdp::gst::cuda_handle(GST_CUDA_MEMORY_CAST(memory)->context));
    const CUresult answer = rdp::cuda::driver().cuStreamQuery(nullptr);
    return answer != CUDA_SUCCESS && answer != CUDA_ERROR_NOT_READY;
  } catch (const rdp::cuda::CudaError&) {
    return true;
  }
}

Setting in_cuda_memory(const char* name) {
  Setting setting;
  setting.name = std::string("CUDA memory, ") + name;
  setting.samples_lost = is_context_lost;
  setting.caps = cuda_frames::caps_string(kShape);
  setting.frames = [] {
    const cuda_frames::ContextRef context = cuda_frames::new_context();
    std::vector<GstBuffer*> all;
    for (unsigned number = 0; number < kFrames; ++number) {
      all.push_back(
          numbered(cuda_frames::make(context.get(), kShape, Film::scene(number), number), number));
    }
    return all;
  };
  return setting;
}

// Also checks the samples, which become the segments' lines.
void reconstruct(Setting* setting) {
  setting->reconstruct = true;
  std::vector<std::vector<std::uint8_t>> expected;
  for (unsigned number = 0; number < kFramesOfTrial; ++number) {
    expected.push_back(
        cuda_frames::expect(kShape, setting->parameters, {}, Film::scene(number)).reconstructed);
  }
  setting->samples = [expected](GstBuffer* buffer, guint64 number) {
    return cuda_frames::samples(buffer, kShape) == expected[number]
               ? std::string()
               : "frame " + std::to_string(number) + " has other samples";
  };
}

void use_all_filters(Setting* setting) {
  setting->parameters.domain = rdp::Domain::kInverse;
  setting->parameters.median = rdp::Median::k5x5;
  setting->parameters.column_width = 3;
}

}  // namespace

CHECK_TEST(test_system_memory, standin::available()) {
  Setting setting = in_system_memory("pictures");
  setting.overlay_caps = "video/x-raw";
  fail_unless(fault_calls::check_calls(setting, 2).errors > 20);
}

CHECK_TEST(test_system_memory_filters, standin::available()) {
  Setting setting = in_system_memory("filters, pictures, reconstruct");
  use_all_filters(&setting);
  reconstruct(&setting);
  setting.overlay_caps = "video/x-raw";
  fail_unless(fault_calls::check_calls(setting, 2).errors > 20);
}

CHECK_TEST(test_system_memory_merge, standin::available()) {
  Setting setting = in_system_memory("merge, reconstruct");
  setting.parameters.merge = true;
  reconstruct(&setting);
  fail_unless(fault_calls::check_calls(setting, 2).errors > 20);
}

// With backend=auto the CPU takes over: there is no error at all, at most a warning.
CHECK_TEST(test_system_memory_auto, standin::available()) {
  Setting setting = in_system_memory("backend=auto, merge, pictures, reconstruct", kFramesOfTrial);
  setting.backend = "auto";
  setting.parameters.merge = true;
  reconstruct(&setting);
  setting.overlay_caps = "video/x-raw";
  const Tally tally = fault_calls::check_calls(setting, 2);
  fail_unless_equals_int(tally.errors, 0);
  fail_unless(tally.warnings > 5);
}

CHECK_TEST(test_cuda_memory, standin::available()) {
  Setting setting = in_cuda_memory("filters, pictures in CUDA memory");
  use_all_filters(&setting);
  setting.overlay_caps = "video/x-raw(memory:CUDAMemory)";
  fail_unless(fault_calls::check_calls(setting, 2).errors > 20);
}

CHECK_TEST(test_cuda_memory_merge, standin::available()) {
  Setting setting = in_cuda_memory("merge, pictures, reconstruct");
  setting.parameters.merge = true;
  reconstruct(&setting);
  setting.overlay_caps = "video/x-raw";
  fail_unless(fault_calls::check_calls(setting, 2).errors > 20);
}

CHECK_CASE(rdpsegment_faults_cuda, .missing = cuda_frames::missing)
