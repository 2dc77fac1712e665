// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_CHECK_TEST_H_
#define RDP_TESTS_SUPPORT_CHECK_TEST_H_

#include <gst/check/gstcheck.h>
// The standard library has functions of this name, and may be included after this.
#undef fail

#include <vector>

#include "tests/support/live_pipelines.h"

// Tests on gst-check that enter their program's suite by themselves, in the order in which they
// stand:
//
//   CHECK_TEST(test_name) { … }
//   CHECK_TEST(test_of_some_builds, condition) { … }
//
//   CHECK_MAIN(program)
//
// CHECK_MAIN(program, 120) gives a test so many seconds, doubled because the machine may be busy;
// further arguments are functions that are called before and after each test.
namespace rdp::test {

using EnterTest = void (*)(TCase* tests);

inline std::vector<EnterTest>& entered_tests() {
  static std::vector<EnterTest> tests;
  return tests;
}

struct EnteredTest {
  explicit EnteredTest(EnterTest enter) { entered_tests().push_back(enter); }
};

// Of all tests of the program. seconds: 0: as many as check gives one.
inline Suite* check_suite(const char* name, int seconds = 0, SFun before = nullptr,
                          SFun after = nullptr) {
  Suite* suite = suite_create(name);
  TCase* tests = tcase_create("all");
  if (seconds > 0) tcase_set_timeout(tests, 2 * seconds);
  tcase_add_checked_fixture(tests, nullptr, stop_pipelines);
  if (before != nullptr) tcase_add_checked_fixture(tests, before, after);
  suite_add_tcase(suite, tests);
  for (const EnterTest enter : entered_tests()) enter(tests);
  return suite;
}

}  // namespace rdp::test

#define CHECK_TEST(name, ...)                                           \
  static void name##_body();                                            \
  GST_START_TEST(name) { name##_body(); }                               \
  GST_END_TEST                                                          \
  static const rdp::test::EnteredTest name##_entered([](TCase* tests) { \
    __VA_OPT__(if (!(__VA_ARGS__)) return;)                             \
    tcase_add_test(tests, name);                                        \
  });                                                                   \
  static void name##_body()

#define CHECK_MAIN(name, ...)                                        \
  static Suite* name##_suite() {                                     \
    return rdp::test::check_suite(#name __VA_OPT__(, ) __VA_ARGS__); \
  }                                                                  \
  GST_CHECK_MAIN(name)

#endif  // RDP_TESTS_SUPPORT_CHECK_TEST_H_
