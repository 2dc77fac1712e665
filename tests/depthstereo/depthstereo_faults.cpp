// SPDX-License-Identifier: LGPL-2.1-or-later
// depthstereo on the CPU where memory is not to be had, and before whatever downstream answers: one
// error that names the cause, or none, no pair after it, and a fresh start works.
#include "tests/support/failing_new.h"

// After the standard library: check.h defines a macro named fail.
#include "tests/depthstereo/stereo_faults.h"

using stereo_faults::kPairs;
using stereo_faults::Rig;
using stereo_faults::Setting;

// Operator new fails once: at the first call, at the second, …
GST_START_TEST(test_every_new) {
  failing_new::not_counted = [] { return faults::is_at_work() ? 0 : 1; };
  Setting sides = stereo_faults::plain_setting();
  sides.name = "side pads, 8 paths";
  sides.side_pads = true;
  sides.parameters.paths = 8;
  sides.parameters.median = 5;
  sides.properties += " paths=8 median=5x5";
  unsigned errors = 0;
  for (const Setting& setting : {stereo_faults::plain_setting(), sides}) {
    int nth = 0;
    for (bool reached = true; reached;) {
      Rig rig(setting);
      const std::string fault = setting.name + ", operator new no. " + std::to_string(++nth);
      rig.before_fault = [&] { failing_new::fail_at(nth); };
      const guint64 came = rig.play();
      reached = failing_new::reached();
      rig.check(came, fault);
      fail_unless(reached || came == kPairs);
      errors += came == kPairs ? 0 : 1;
      rig.check_fresh_start(fault);
    }
    std::printf("%s: %d calls of operator new failed\n", setting.name.c_str(), nth - 1);
    fail_unless(nth > 20, "only %d calls of operator new were seen", nth);
  }
  fail_unless(errors > 20, "only %u errors were seen", errors);
}
GST_END_TEST

// Downstream's answers are passed on to both inputs as they are, and are no error of the element's.
GST_START_TEST(test_answers) {
  const Setting setting = stereo_faults::plain_setting();
  for (const GstFlowReturn answer : {GST_FLOW_NOT_LINKED, GST_FLOW_FLUSHING, GST_FLOW_EOS,
                                     GST_FLOW_ERROR, GST_FLOW_NOT_NEGOTIATED}) {
    for (guint64 at = 0; at < kPairs; ++at) {
      Rig rig(setting);
      rig.main.answer = [=](guint64 nth) { return nth == at ? answer : GST_FLOW_OK; };
      rig.refused_after = at + 1;
      const guint64 came = rig.play_until_refused();
      fail_unless(came == at + 1, "%s at %d: %d came", gst_flow_get_name(answer),
                  static_cast<int>(at), static_cast<int>(came));
      fail_unless(rig.said.errors.empty(), "%s", rig.said.text().c_str());
      fail_unless(rig.main.complaint().empty(), "%s", rig.main.complaint().c_str());
      rig.check_fresh_start(gst_flow_get_name(answer));
    }
  }
}
GST_END_TEST

static Suite* depthstereo_faults_suite() {
  Suite* suite = suite_create("depthstereo_faults");
  TCase* tcase = tcase_create("general");
  suite_add_tcase(suite, tcase);
  tcase_add_test(tcase, test_every_new);
  tcase_add_test(tcase, test_answers);
  return suite;
}

GST_CHECK_MAIN(depthstereo_faults)
