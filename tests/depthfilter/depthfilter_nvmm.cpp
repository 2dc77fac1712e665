// SPDX-License-Identifier: LGPL-2.1-or-later
// depthfilter on frames in CPU-readable NVMM memory: each surface separately, in place; decimated
// frames in system memory; and features that batches cannot have.
#include "tests/depthfilter/filter_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/nvmm_surface.h"

using namespace filter_rig;
using nvmm_frames::Batch;
using nvmm_frames::Surface;

namespace {

std::shared_ptr<Surface> surfaces(guint count) {
  Batch batch;
  batch.size = batch.filled = count;
  auto made = std::make_shared<Surface>(kShape.format, kShape.width, kShape.height, batch);
  for (guint i = 0; i < count; ++i) {
    made->write(i, wall(i + 1).samples.data(), frames::row_bytes(kShape));
  }
  return made;
}

void begin(Rig* rig) { gst_harness_set_src_caps(rig->main, frames::caps(kShape, "memory:NVMM")); }

}  // namespace

// The surface with an overlay is written after painting, the others before.
CHECK_TEST(test_batches) {
  for (const char* overlay : {static_cast<const char*>(nullptr), "video/x-raw,format=RGBA"}) {
    Rig rig("depth-unit=0.001", overlay);
    if (overlay != nullptr) {
      gst_child_proxy_set(GST_CHILD_PROXY(rig.element), "overlay::surface", 1, nullptr);
    }
    begin(&rig);
    const std::shared_ptr<Surface> batch = surfaces(3);
    GstBuffer* input = nvmm_frames::wrap(batch);
    GstMemory* memory = gst_buffer_peek_memory(input, 0);
    GstBuffer* output = rig.filter(input);
    fail_unless(gst_buffer_peek_memory(output, 0) == memory);
    for (guint i = 0; i < 3; ++i) {
      const Content expected = Expected({}).filter(wall(i + 1));
      const std::vector<std::uint8_t> got = batch->samples(i);
      fail_unless(std::memcmp(got.data(), expected.samples.data(), got.size()) == 0, "%u", i);
    }
    gst_buffer_unref(output);
    if (overlay != nullptr) gst_buffer_unref(gst_harness_pull(rig.overlay));
  }
}

CHECK_TEST(test_decimated) {
  Parameters parameters;
  parameters.decimation = 2;
  Rig rig("depth-unit=0.001 decimation=2");
  begin(&rig);
  g_autoptr(GstBuffer) output = rig.filter(nvmm_frames::wrap(surfaces(1)));
  check_samples(output, Expected(parameters).filter(wall(1)), "decimated");
}

CHECK_TEST(test_refused_batches) {
  const std::pair<const char*, const char*> cases[] = {
      {"temporal-frames=2 depth-unit=0.001",
       "temporal-frames=2 needs one frame in a buffer, but the buffer is a batch of 2: put "
       "nvstreamdemux before"},
      {"decimation=2 depth-unit=0.001", "decimation=2 needs one frame in a buffer"}};
  for (const auto& [settings, words] : cases) {
    Rig rig(settings);
    begin(&rig);
    fail_unless_equals_int(gst_harness_push(rig.main, nvmm_frames::wrap(surfaces(2))),
                           GST_FLOW_ERROR);
    const std::string said = rdp::test::bus_texts(rig.bus);
    fail_unless(said.find(words) != std::string::npos, "%s", said.c_str());
  }
}

CHECK_CASE(depthfilter_nvmm)
