// SPDX-License-Identifier: LGPL-2.1-or-later
// depthplanes on point clouds on the GPU, emulated or real: bit-identical to the definition, from
// zero points on. Labels stay there until read; upstream gets page-locked memory.
#include "tests/depthplanes/cloud_rig.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"
#include "tests/support/cuda_frames.h"

using namespace cloud_rig;
using planes_rig::Expected;
using planes_rig::Rig;
using rdp::gst::PointsFormat;

CHECK_TEST(test_bits) {
  std::size_t found = 0;
  for (const PointsFormat& format :
       {PointsFormat{}, PointsFormat{.point_step = 19, .offset = 5, .forward_left_up = true}}) {
    Rig rig("cuda");
    begin(&rig, format);
    for (const std::size_t points : {0, 1, 31, 1500, 1400}) {
      GstBuffer* input = buffer(draw(points, 1), format);
      const Expected expected = expect(input, format);
      found += expected.set.planes.size();
      g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
      planes_rig::check_planes(output, expected, std::to_string(points) + " points");
    }
    fail_unless_equals_text(frames::backend_in_use(rig.element), "cuda");
    const std::string said = rdp::test::bus_texts(rig.bus);
    fail_unless(said.empty(), "%s", said.c_str());
  }
  fail_unless(found >= 8, "%d planes", static_cast<int>(found));
}

CHECK_TEST(test_late_labels) {
  const PointsFormat format;
  std::vector<GstBuffer*> clouds;
  std::vector<Expected> expected;
  {
    Rig rig("cuda");
    begin(&rig, format);
    for (unsigned seed = 1; seed < 3; ++seed) {
      GstBuffer* input = buffer(draw(1000 + 100 * seed, seed), format);
      expected.push_back(expect(input, format));
      clouds.push_back(gst_harness_push_and_pull(rig.main, input));
    }
  }
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    planes_rig::check_planes(clouds[i], expected[i], "late");
    gst_buffer_unref(clouds[i]);
  }
}

CHECK_TEST(test_labels) { cloud_rig::check_labels_of_points("cuda"); }

CHECK_TEST(test_page_locked) {
  Rig rig("cuda");
  begin(&rig, {});
  g_autoptr(GstPad) sink = gst_element_get_static_pad(rig.element, "sink");
  g_autoptr(GstCaps) caps = gst_pad_get_current_caps(sink);
  g_autoptr(GstQuery) query = gst_query_new_allocation(caps, TRUE);
  fail_unless(gst_pad_query(sink, query));
  g_autoptr(GstAllocator) allocator = nullptr;
  fail_unless(gst_query_get_n_allocation_params(query) > 0);
  gst_query_parse_nth_allocation_param(query, 0, &allocator, nullptr);
  fail_unless(allocator != nullptr);
}

CHECK_CASE(depthplanes_clouds_cuda, .seconds = 170, .missing = cuda_frames::missing)
