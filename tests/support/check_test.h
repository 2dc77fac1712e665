// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_CHECK_TEST_H_
#define RDP_TESTS_SUPPORT_CHECK_TEST_H_

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
// Headers of the standard library may follow, and have functions of this name.
#undef fail

#include <string>
#include <utility>
#include <vector>

// Lets g_autoptr(GstHarness) tear a harness down at the end of its block; GStreamer defines none.
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GstHarness, gst_harness_teardown)

// gst-check tests that register themselves, in the order of the file:
//
//   CHECK_TEST(test_name) { … }
//   CHECK_TEST(test_of_some_builds, condition) { … }
//
//   CHECK_CASE(name_of_the_file)
//
// CHECK_CASE ends the file. Its tests become a case of the program that links it, whose main is in
// check_main.cpp. Options by name: CHECK_CASE(name, .seconds = 120, .before = function).
namespace rdp::test {

using EnterTest = void (*)(TCase* tests);

struct CheckCase {
  const char* name;
  int seconds = 0;  // per test, doubled for busy machines; 0: gst-check's default
  // Called in the process of each test, before and after it; may be null.
  SFun before = nullptr;
  SFun after = nullptr;
  // The reason that these tests cannot run here; empty: they can. A case with it needs a device,
  // and runs without fork(), which a CUDA context does not survive.
  std::string (*missing)() = nullptr;
  std::vector<EnterTest> tests = {};
};

inline std::vector<CheckCase>& check_cases() {
  static std::vector<CheckCase> cases;
  return cases;
}

// Tests of the file whose static objects are being constructed.
inline std::vector<EnterTest>& entered_tests() {
  static std::vector<EnterTest> tests;
  return tests;
}

struct EnteredTest {
  explicit EnteredTest(EnterTest enter) { entered_tests().push_back(enter); }
};

struct EnteredCase {
  explicit EnteredCase(CheckCase entered) {
    entered.tests = std::exchange(entered_tests(), {});
    check_cases().push_back(std::move(entered));
  }
};

inline void check_has(const std::string& text, const char* part) {
  fail_unless(text.find(part) != std::string::npos, "\"%s\" is without \"%s\"", text.c_str(), part);
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

#define CHECK_CASE(called, ...) \
  static const rdp::test::EnteredCase called##_case({.name = #called __VA_OPT__(, ) __VA_ARGS__});

#endif  // RDP_TESTS_SUPPORT_CHECK_TEST_H_
