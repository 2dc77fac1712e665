// SPDX-License-Identifier: LGPL-2.1-or-later
// depthfilter on batches in NVMM memory over the GPU: the stand-in driver or a real one.
#include "tests/depthfilter/filter_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/nvmm_device.h"

using namespace filter_rig;
using nvmm_frames::Surface;

// Each surface is filtered separately, also the painted one. A decimated frame leaves in CUDA
// memory, or in system memory if downstream accepts only that or anything.
CHECK_TEST(test_batches) {
  struct Row {
    int decimation;
    const char* to;
    bool cuda;
  };
  const Row rows[] = {{1, "memory:NVMM", false},
                      {2, nullptr, false},
                      {2, "memory:SystemMemory", false},
                      {2, "memory:CUDAMemory", true}};
  const auto device = std::make_shared<nvmm_cuda_frames::Device>();
  for (const int type : {nvmm_frames::kDevice, nvmm_frames::kPinned}) {
    for (const auto& [decimation, to, cuda] : rows) {
      const guint count = decimation == 1 ? 3 : 1;
      Parameters parameters;
      parameters.decimation = decimation;
      Rig rig("depth-unit=0.001 decimation=" + std::to_string(decimation),
              "video/x-raw,format=RGBA", "cuda");
      gst_child_proxy_set(GST_CHILD_PROXY(rig.element), "overlay::surface", count - 1, nullptr);
      const Shape smaller{kShape.format, kShape.width / decimation, kShape.height / decimation};
      if (to != nullptr) gst_harness_set_sink_caps(rig.main, frames::caps(smaller, to));
      gst_harness_set_src_caps(rig.main, frames::caps(kShape, "memory:NVMM"));
      nvmm_frames::Batch batch = nvmm_cuda_frames::batch_in(device, type);
      batch.size = batch.filled = count;
      const auto surfaces =
          std::make_shared<Surface>(kShape.format, kShape.width, kShape.height, batch);
      for (guint i = 0; i < count; ++i) {
        surfaces->write(i, wall(i + 1).samples.data(), frames::row_bytes(kShape));
      }
      GstBuffer* output = rig.filter(nvmm_frames::wrap(surfaces));
      for (guint i = 0; i < count; ++i) {
        const Content expected = Expected(parameters).filter(wall(i + 1));
        fail_unless_equals_int(
            gst_memory_is_type(gst_buffer_peek_memory(output, 0), "gst.cuda.memory"), cuda);
        if (decimation > 1) {
          check_samples(output, expected, "decimated");
          continue;
        }
        const std::vector<std::uint8_t> got = surfaces->samples(i);
        fail_unless(std::memcmp(got.data(), expected.samples.data(), got.size()) == 0, "%u", i);
      }
      gst_buffer_unref(output);
      gst_buffer_unref(gst_harness_pull(rig.overlay));
    }
  }
}

CHECK_CASE(depthfilter_nvmm_cuda)
