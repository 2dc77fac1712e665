// SPDX-License-Identifier: LGPL-2.1-or-later
// The main of programs with CHECK_CASEs. It prints TAP; failures go to stderr with the command that
// repeats them. CK_RUN_CASE=name runs one case, GST_CHECKS=test_name,… some tests.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "tests/support/check_test.h"
#include "tests/support/live_pipelines.h"

int main(int argc, char** argv) {
  const char* wanted = std::getenv("CK_RUN_CASE");
  bool forks = true;
  for (const rdp::test::CheckCase& entered : rdp::test::check_cases()) {
    if (entered.missing != nullptr) forks = false;
  }
  if (!forks) g_setenv("CK_FORK", "no", TRUE);
  gst_check_init(&argc, &argv);
  Suite* suite = suite_create(argv[0]);
  std::string missing;
  bool some = false;
  for (const rdp::test::CheckCase& entered : rdp::test::check_cases()) {
    if (wanted != nullptr && std::string(wanted) != entered.name) continue;
    const std::string reason = entered.missing == nullptr ? "" : entered.missing();
    if (!reason.empty()) {
      std::printf("# %s is skipped: %s\n", entered.name, reason.c_str());
      missing = reason;
      continue;
    }
    TCase* tests = tcase_create(entered.name);
    if (entered.seconds > 0) tcase_set_timeout(tests, 2 * entered.seconds);
    tcase_add_checked_fixture(tests, nullptr, rdp::test::stop_pipelines);
    tcase_add_checked_fixture(tests, entered.before, entered.after);
    for (const rdp::test::EnterTest enter : entered.tests) enter(tests);
    suite_add_tcase(suite, tests);
    some = true;
  }
  if (!some) {
    std::printf("1..0 # SKIP %s\n", missing.empty() ? "no such case" : missing.c_str());
    return 0;
  }
  // The tests' own output is no TAP, so it goes to stderr.
  const std::string tap = "/dev/fd/" + std::to_string(dup(STDOUT_FILENO));
  dup2(STDERR_FILENO, STDOUT_FILENO);
  SRunner* runner = srunner_create(suite);
  srunner_set_tap(runner, tap.c_str());
  srunner_run_all(runner, CK_SILENT);
  const int failed = srunner_ntests_failed(runner);
  TestResult** failures = srunner_failures(runner);
  for (int i = 0; i < failed; ++i) {
    std::fprintf(stderr, "%s:%d: %s; again: CK_RUN_CASE=%s %s\n", tr_lfile(failures[i]),
                 tr_lno(failures[i]), tr_msg(failures[i]), tr_tcname(failures[i]), argv[0]);
  }
  std::free(failures);
  srunner_free(runner);
  return failed == 0 ? 0 : 1;
}
