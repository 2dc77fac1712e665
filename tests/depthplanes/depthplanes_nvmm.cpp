// SPDX-License-Identifier: LGPL-2.1-or-later
// depthplanes on frames in CPU-readable NVMM memory: one meta per frame of a batch, the picture of
// one frame, and labels of single frames.
#include "tests/depthplanes/planes_rig.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/nvmm_surface.h"

using frames::Shape;
using nvmm_frames::Batch;
using nvmm_frames::Surface;
using namespace planes_rig;

namespace {

constexpr Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 96, 72};

std::vector<Drawn> draw(guint count) {
  std::vector<Drawn> all;
  for (guint i = 0; i < count; ++i) {
    all.emplace_back(kShape, rdp::test::PlaneKind::kRoom, i + 1);
  }
  return all;
}

GstBuffer* wrap(const std::vector<Drawn>& drawn) {
  Batch batch;
  batch.size = batch.filled = static_cast<guint>(drawn.size());
  auto surface = std::make_shared<Surface>(kShape.format, kShape.width, kShape.height, batch);
  for (guint i = 0; i < batch.size; ++i) {
    surface->write(i, reinterpret_cast<const std::uint8_t*>(drawn[i].content.samples.data()),
                   frames::row_bytes(kShape));
  }
  return nvmm_frames::wrap(surface);
}

}  // namespace

CHECK_TEST(test_batches) {
  for (const guint count : {1U, 3U}) {
    const std::vector<Drawn> drawn = draw(count);
    Rig rig("cpu", "video/x-raw,format=RGBA");
    gst_child_proxy_set(GST_CHILD_PROXY(rig.element), "overlay::surface", count - 1, nullptr);
    rig.begin(drawn[0], "memory:NVMM");
    for (int number = 0; number < 2; ++number) {
      GstBuffer* input = wrap(drawn);
      GstMemory* memory = gst_buffer_peek_memory(input, 0);
      GstBuffer* output = gst_harness_push_and_pull(rig.main, input);
      fail_unless(output != nullptr && gst_buffer_peek_memory(output, 0) == memory);
      for (guint i = 0; i < count; ++i) {
        const std::string wrong =
            planes_rig::difference(gst_rdp_buffer_get_batch_planes(output, i), expect(drawn[i]));
        fail_unless(wrong.empty(), "surface %u: %s", i, wrong.c_str());
      }
      fail_unless_equals_int(gst_buffer_get_n_meta(output, GST_RDP_PLANES_META_API_TYPE), count);
      gst_buffer_unref(output);
      g_autoptr(GstBuffer) picture = gst_harness_pull(rig.overlay);
      fail_unless(picture != nullptr);
    }
    fail_unless_equals_uint64(rig.count("frames"), 2 * count);
    // Per-frame statistics describe the last frame.
    fail_unless_equals_uint64(rig.count("known"),
                              static_cast<guint64>(expect(drawn.back()).set.counts.known));
  }
}

CHECK_TEST(test_labels) {
  const std::vector<Drawn> drawn = draw(1);
  const planes_rig::Expected expected = expect(drawn[0]);
  Rig rig;
  rig.set("output", "labels");
  rig.begin(drawn[0], "memory:NVMM");
  GstBuffer* output = gst_harness_push_and_pull(rig.main, wrap(drawn));
  planes_rig::check_planes(output, expected, "labels");
  const std::vector<std::uint8_t> got = frames::bytes(output);
  fail_unless(std::memcmp(got.data(), expected.labels.data(), expected.labels.size()) == 0);
  gst_buffer_unref(output);
  g_autoptr(GstPad) src = gst_element_get_static_pad(rig.element, "src");
  g_autoptr(GstCaps) caps = gst_pad_get_current_caps(src);
  fail_unless(gst_caps_features_is_equal(gst_caps_get_features(caps, 0),
                                         GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY));
}

// A batch of several frames cannot become one label frame.
CHECK_TEST(test_labels_of_batch) {
  const std::vector<Drawn> drawn = draw(2);
  Rig rig;
  rig.set("output", "labels");
  rig.begin(drawn[0], "memory:NVMM");
  fail_unless_equals_int(gst_harness_push(rig.main, wrap(drawn)), GST_FLOW_ERROR);
  const std::string said = rdp::test::bus_texts(rig.bus);
  fail_unless(
      said.find("output=labels makes one frame of labels, but the buffer is a batch of 2") !=
          std::string::npos,
      "%s", said.c_str());
}

CHECK_CASE(depthplanes_nvmm)
