// SPDX-License-Identifier: LGPL-2.1-or-later
// depthplanes on the CPU where memory is not to be had, and before whatever downstream answers: one
// error that names the cause, or none, no frame after it, and a fresh start works. See fault_rig.h
// for RDPSEGMENT_FAULTS.
#include "tests/support/failing_new.h"

// After the standard library: check.h defines a macro named fail.
#include "tests/depthplanes/planes_faults.h"
#include "tests/support/fault_pool.h"

using faults::Said;
using planes_faults::Film;
using planes_faults::kFrames;
using planes_faults::kShape;
using planes_faults::Rig;
using planes_faults::Setting;

namespace {

const Setting kSettings[] = {
    {.name = "plain"},
    {.name = "two threads, pictures of nodes", .overlay = true, .style = "nodes", .threads = 2},
    {.name = "labels, pictures", .overlay = true, .output = "labels"}};

}  // namespace

// Operator new fails once: at the first call, at the second, …
GST_START_TEST(test_every_new) {
  failing_new::not_counted = [] { return faults::is_at_work() ? 0 : 1; };
  const Film film;
  for (const Setting& setting : kSettings) {
    int nth = 1;
    unsigned errors = 0;
    const int step = faults::factor() > 1 ? 1 : 3;
    for (bool reached = true; reached; nth += step) {
      Rig rig(film, setting);
      const std::string fault =
          std::string(setting.name) + ", operator new no. " + std::to_string(nth);
      failing_new::fail_at(nth);
      const guint64 taken = rig.play();
      rig.stop();
      reached = failing_new::reached();
      fail_unless(reached || taken == kFrames, "%s", fault.c_str());
      rig.check(taken, fault);
      errors += taken == kFrames ? 0 : 1;
      rig.check_fresh(fault);
    }
    std::printf("%s: %d calls of operator new\n", setting.name, nth);
    fail_unless(nth > 20 && errors > 5, "only %d calls and %u errors", nth, errors);
  }
}
GST_END_TEST

// Downstream's answers are passed on as they are, and are no error of the element's.
GST_START_TEST(test_answers) {
  const Film film;
  for (const Setting& setting : kSettings) {
    for (const GstFlowReturn answer : {GST_FLOW_NOT_LINKED, GST_FLOW_FLUSHING, GST_FLOW_EOS,
                                       GST_FLOW_ERROR, GST_FLOW_NOT_NEGOTIATED}) {
      for (guint64 at = 0; at < kFrames; ++at) {
        Rig rig(film, setting);
        rig.main.answer = [=](guint64 nth) { return nth == at ? answer : GST_FLOW_OK; };
        // With an overlay that goes on, main's end is no end.
        rig.play();
        fail_unless(rig.main.count() >= at + 1);
        fail_unless(faults::listen(rig.bus).errors.empty());
        fail_unless(rig.main.complaint().empty(), "%s", rig.main.complaint().c_str());
        rig.check_fresh(gst_flow_get_name(answer));
      }
    }
  }
}
GST_END_TEST

// Pools for frames of labels that fail in every way.
GST_START_TEST(test_pools) {
  const Film film;
  const Setting& setting = kSettings[2];
  for (const PoolFault fault : {PoolFault::kConfigure, PoolFault::kStart, PoolFault::kAllocate,
                                PoolFault::kAcquire, PoolFault::kFlushing}) {
    Rig rig(film, setting);
    rig.main.query = [&](GstQuery* query) {
      if (GST_QUERY_TYPE(query) != GST_QUERY_ALLOCATION) return false;
      GstBufferPool* pool = fault_pool_new(fault, 2);
      gst_query_add_allocation_pool(query, pool, kShape.width * kShape.height, 0, 0);
      gst_object_unref(pool);
      return true;
    };
    const guint64 taken = rig.play();
    const std::string name = "pool fault " + std::to_string(static_cast<int>(fault));
    const Said said = faults::listen(rig.bus);
    fail_unless(said.errors.size() <= 1, "%s: %s", name.c_str(), said.text().c_str());
    fail_unless(taken == kFrames || fault == PoolFault::kFlushing || said.errors.size() == 1,
                "%s: %d frames without a word", name.c_str(), static_cast<int>(taken));
    fail_unless_equals_uint64(rig.main.count(), taken);
    fail_unless(rig.main.complaint().empty(), "%s", rig.main.complaint().c_str());
    rig.main.query = nullptr;
    rig.check_fresh(name);
  }
}
GST_END_TEST

static Suite* depthplanes_faults_suite() {
  Suite* suite = suite_create("depthplanes_faults");
  TCase* tests = tcase_create("all");
  tcase_set_timeout(tests, 180);
  suite_add_tcase(suite, tests);
  tcase_add_test(tests, test_every_new);
  tcase_add_test(tests, test_answers);
  tcase_add_test(tests, test_pools);
  return suite;
}

GST_CHECK_MAIN(depthplanes_faults)
