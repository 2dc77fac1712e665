// SPDX-License-Identifier: LGPL-2.1-or-later
// Pipelines with an overlay that cannot preroll, because one of the two branches needs more frames
// than the other lets pass: after five seconds a warning says why and what to do. Pipelines that
// preroll, or that may yet, say nothing.
#include <memory>
#include <vector>

#include "tests/support/await.h"
#include "tests/support/fault_rig.h"

namespace {

// A queue that passes nothing before it has six frames stands for an encoder that looks ahead.
constexpr const char* kNeedsMore = "queue min-threshold-buffers=6 ! ";
constexpr const char* kSource =
    "depthtestsrc name=source ! video/x-raw,width=32,height=24 ! rdpsegment name=s "
    "sample-scale=0.00390625 ";

struct Case {
  std::string line;
  bool prerolls;
  // What the warning says; empty: there is none.
  std::string says;
};

struct Pipeline {
  explicit Pipeline(const Case& of) : expected(of) {
    GError* error = nullptr;
    pipeline = gst_parse_launch(expected.line.c_str(), &error);
    fail_unless(error == nullptr, "%s: %s", expected.line.c_str(),
                error == nullptr ? "" : error->message);
    if (!GST_IS_PIPELINE(pipeline)) {
      GstElement* outermost = gst_pipeline_new(nullptr);
      gst_bin_add(GST_BIN(outermost), pipeline);
      pipeline = outermost;
    }
    bus = gst_element_get_bus(pipeline);
    gst_element_set_state(pipeline, GST_STATE_PAUSED);
  }
  ~Pipeline() {
    gst_element_set_state(pipeline, GST_STATE_NULL);
    gst_object_unref(bus);
    gst_object_unref(pipeline);
  }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  void check() const {
    const char* line = expected.line.c_str();
    const faults::Said said = faults::listen(bus);
    fail_unless(said.errors.empty(), "%s: %s", line, said.text().c_str());
    fail_unless_equals_uint64(said.warnings.size(), expected.says.empty() ? 0 : 1);
    fail_unless(expected.says.empty() || said.warnings[0].find(expected.says) != std::string::npos,
                "%s: %s", line, said.text().c_str());
    const bool prerolled =
        gst_element_get_state(pipeline, nullptr, nullptr, 0) == GST_STATE_CHANGE_SUCCESS;
    fail_unless(prerolled == expected.prerolls, "%s: %s", line,
                prerolled ? "prerolls" : "does not preroll");
  }

  Case expected;
  GstElement* pipeline;
  GstBus* bus;
};

void check_all(const std::vector<Case>& cases, gulong microseconds) {
  std::vector<std::unique_ptr<Pipeline>> pipelines;
  for (const Case& one : cases) pipelines.push_back(std::make_unique<Pipeline>(one));
  g_usleep(microseconds);
  for (const auto& pipeline : pipelines) pipeline->check();
}

}  // namespace

GST_START_TEST(test_preroll) {
  const std::string source = kSource;
  const std::string more = kNeedsMore;
  const std::string queue = "queue max-size-buffers=0 max-size-bytes=0 max-size-time=0 ! ";
  const std::string slow = "identity sleep-time=6500000 ! ";
  const std::string main_needs = "Put a queue behind overlay, or set overlay::drop=late";
  const std::string overlay_needs = "what follows the pad overlay needs more";
  // What can never preroll: somewhere else in the same pipeline.
  const std::string never = " appsrc ! fakesink";
  check_all(
      {
          // The usual ones need no queue.
          {source + "s.src ! fakesink s.overlay ! fakesink", true, ""},
          {source + "s.src ! videoconvert ! fakesink s.overlay ! videoconvert ! fakesink", true,
           ""},
          // One branch needs more frames. The warnings' remedies are right.
          {source + "s.src ! " + more + "fakesink s.overlay ! fakesink", false, main_needs},
          {source + "s.src ! " + more + "fakesink s.overlay ! " + queue + "fakesink", true, ""},
          {source + "overlay::drop=late s.src ! " + more + "fakesink s.overlay ! fakesink", true,
           ""},
          {source + "s.src ! fakesink s.overlay ! " + more + "fakesink", false, overlay_needs},
          {source + "s.src ! " + queue + "fakesink s.overlay ! " + more + "fakesink", true, ""},
          // In bins.
          {source + "s.src ! ( " + more + "fakesink ) s.overlay ! ( fakesink )", false, main_needs},
          {"( " + source + "s.src ! fakesink s.overlay ! ( " + more + "identity ) ! fakesink )",
           false, overlay_needs},
          // Something else keeps the pipeline: the branches here wait for that.
          {source + "s.src ! fakesink s.overlay ! fakesink" + never, false, ""},
          {source + "s.src ! " + queue + "fakesink s.overlay ! fakesink" + never, false, ""},
          {source + "s.src ! fakesink s.overlay ! " + queue + "fakesink" + never, false, ""},
          // A source that is slow to begin.
          {"appsrc caps=video/x-raw,format=GRAY8,width=32,height=24,framerate=30/1 ! rdpsegment "
           "name=s s.src ! fakesink s.overlay ! fakesink",
           false, ""},
          // A branch that is slow, and prerolls in time.
          {source + "s.src ! queue min-threshold-buffers=3 ! fakesink s.overlay ! " + slow +
               "queue ! fakesink",
           true, ""},
          {source + "s.src ! " + slow +
               "queue ! fakesink s.overlay ! queue min-threshold-buffers=2 ! fakesink",
           true, ""},
          // The main path's sink is not waited for; the frames stop with the third picture.
          {source + "s.src ! " + more + "fakesink async=false s.overlay ! fakesink", true, ""},
      },
      11 * G_USEC_PER_SEC);
}
GST_END_TEST

static Suite* rdpsegment_preroll_suite(void) {
  Suite* suite = suite_create("rdpsegment_preroll");
  TCase* tcase = tcase_create("general");
  suite_add_tcase(suite, tcase);
  tcase_add_test(tcase, test_preroll);
  return suite;
}

GST_CHECK_MAIN(rdpsegment_preroll)
