// SPDX-License-Identifier: LGPL-2.1-or-later
// depthplanes on the CPU where memory is not to be had, and before whatever downstream answers: one
// error that names the cause, or none, no frame after it, and a fresh start works. See fault_rig.h
// for RDPSEGMENT_FAULTS.
#include "tests/support/failing_new.h"

// After the standard library: check.h defines a macro named fail.
#include "tests/depthplanes/planes_rig.h"
#include "tests/support/fault_pool.h"
#include "tests/support/fault_rig.h"

using faults::Said;
using planes_rig::Drawn;
using planes_rig::Expected;

namespace {

constexpr guint64 kFrames = 3;
const frames::Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48};

struct Setting {
  const char* name;
  bool overlay = false;
  const char* output = "passthrough";
  const char* style = "planes";
  guint threads = 1;
};
const Setting kSettings[] = {{"plain"},
                             {"two threads, pictures of nodes", true, "passthrough", "nodes", 2},
                             {"labels, pictures", true, "labels"}};

// Frames and what is to come of them, drawn once.
struct Film {
  Drawn drawn{kShape};
  Expected expected = planes_rig::expect(drawn);

  std::string complaint(GstBuffer* buffer, guint64 number) const {
    if (GST_BUFFER_PTS(buffer) != number * GST_SECOND / 30) return "another time";
    return planes_rig::difference(gst_rdp_buffer_get_planes(buffer), expected);
  }
  GstBuffer* frame(guint64 number) const { return drawn.buffer(static_cast<unsigned>(number)); }
};

class Rig : public faults::Rig {
 public:
  Rig(const Film& film, const Setting& setting)
      : faults::Rig("depthplanes", setting.overlay), film_(film) {
    gst_util_set_object_arg(G_OBJECT(element), "backend", "cpu");
    gst_util_set_object_arg(G_OBJECT(element), "output", setting.output);
    g_object_set(element, "threads", setting.threads, nullptr);
    planes_rig::set_camera(element, film.drawn.camera);
    if (setting.overlay) {
      g_autoptr(GstPad) pad = gst_element_get_static_pad(element, "overlay");
      gst_util_set_object_arg(G_OBJECT(pad), "style", setting.style);
      gst_util_set_object_arg(G_OBJECT(pad), "drop", "never");
    }
    main.look = [this](GstBuffer* buffer, guint64 nth) { return film_.complaint(buffer, nth); };
  }

  // Pushes until something is refused. How many frames were taken.
  guint64 play() {
    if (!start() || !begin(frames::caps(kShape))) return 0;
    guint64 taken = 0;
    while (taken < kFrames && push(film_.frame(taken)) == GST_FLOW_OK) ++taken;
    return taken;
  }
  void check(guint64 taken, const std::string& what) {
    const Said said = faults::listen(bus);
    fail_unless(main.complaint().empty(), "%s: %s", what.c_str(), main.complaint().c_str());
    fail_unless(said.errors.size() == (taken == kFrames ? 0 : 1), "%s: %d taken, and %s",
                what.c_str(), static_cast<int>(taken), said.text().c_str());
    fail_unless_equals_uint64(main.count(), taken);
  }
  void check_fresh(const std::string& after) {
    check_fresh_start(after, frames::caps(kShape),
                      [this](guint64 number) { return film_.frame(number); });
  }

 private:
  const Film& film_;
};

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
