// SPDX-License-Identifier: LGPL-2.1-or-later
// In steady state depthstereo on the CPU allocates nothing of its own: after the tenth pair, so
// many more pairs cost the few allocations that an aggregator cannot do without, whatever is worked
// out.
#include "tests/depthstereo/stereo_rig.h"
#include "tests/support/allocation_count.h"
#include "tests/support/meta_allocations.h"

using stereo_rig::buffer;
using stereo_rig::caps;
using stereo_rig::draw;
using stereo_rig::Rig;
using stereo_rig::Views;

namespace {

constexpr int kWidth = 160;
constexpr int kHeight = 80;
constexpr int kPairs = 40;

// How many allocations a pair took, beside those that made it. Large ones above all: what the
// matching needs is kept.
double allocations_of(const std::string& properties, const std::string& pads) {
  rdp::stereo::Parameters parameters;
  parameters.disparities = 32;
  const Views views = draw(kWidth, kHeight, parameters);
  Rig rig("disparities=64 threads=1 " + properties, pads);
  rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
  for (const char* pad : {"src", "overlay", "rectified", "confidence"}) {
    if (g_str_equal(pad, "src") || pads.find(pad) != std::string::npos) {
      rig.received(pad).keeps = false;
    }
  }
  rig.play();
  std::uint64_t total = 0;
  for (int i = 0; i < kPairs; ++i) {
    GstBuffer* left = buffer(views.left, static_cast<GstClockTime>(i) * GST_SECOND / 30);
    GstBuffer* right = buffer(views.right, static_cast<GstClockTime>(i) * GST_SECOND / 30);
    const std::uint64_t before = allocation_count::count;
    rig.push("left", left);
    rig.push("right", right);
    const auto done = [&] {
      for (const char* pad : {"src", "overlay", "rectified", "confidence"}) {
        if (!g_str_equal(pad, "src") && pads.find(pad) == std::string::npos) continue;
        if (rig.received(pad).count < static_cast<std::size_t>(i) + 1) return false;
      }
      return true;
    };
    fail_unless(rdp::test::await(done));
    if (i >= 10) total += allocation_count::count - before;
  }
  return static_cast<double>(total) / (kPairs - 10);
}

}  // namespace

// Pushing and pairing take a few small ones; the engine, its outputs and the side pads none.
GST_START_TEST(test_allocations) {
  if (!RDP_COUNTS_ALLOCATIONS) return;
  const double bare = allocations_of("", " left right");
  const double paths = allocations_of("paths=8 median=5x5 min-confidence=10", " left right");
  const double metres =
      allocations_of("output=depth-mm focal-length=100 baseline=0.2", " left right");
  const double all = allocations_of("", " left right overlay rectified confidence");
  GST_INFO("allocations a pair: %.1f, %.1f, %.1f, %.1f", bare, paths, metres, all);
  fail_unless(bare < 15, "%.1f", bare);
  fail_unless(paths < bare + 1, "%.1f, not %.1f", paths, bare);
  // Frames of metres are given their camera.
  const double camera = static_cast<double>(rdp::test::meta_allocations(1));
  fail_unless(metres < bare + camera + 1, "%.1f, not %.1f", metres, bare + camera);
  fail_unless(all < bare + 1, "%.1f, not %.1f", all, bare);
}
GST_END_TEST

static Suite* depthstereo_allocations_suite() {
  Suite* suite = suite_create("depthstereo_allocations");
  TCase* tests = tcase_create("depthstereo_allocations");
  suite_add_tcase(suite, tests);
  tcase_add_test(tests, test_allocations);
  return suite;
}

GST_CHECK_MAIN(depthstereo_allocations)
