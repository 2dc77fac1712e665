// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_PLANES_FAILING_ENGINE_H_
#define RDP_TESTS_PLANES_FAILING_ENGINE_H_

#include <gtest/gtest.h>

#include <new>

#include "common/planes/planes.h"
#include "tests/planes/plane_differences.h"
#include "tests/support/failing_new.h"

namespace rdp::test {

// Engines throw std::bad_alloc and stay usable. Each allocation of the detection in `c` fails once,
// in a new engine and in one that has processed `before`, which is smaller. Afterwards the same
// engine must find `expected`. find_with (case, find) calls find() with the arguments of the case.
template <typename Engine, typename Case, typename Found, typename FindWith>
void expect_usable_after_failures(const Case& before, const Case& c, const Found& expected,
                                  const FindWith& find_with) {
  for (const bool is_new : {true, false}) {
    bool has_failed = true;
    for (int nth = 1; has_failed; ++nth) {
      Engine engine(1);
      const auto find = [&](const auto&... arguments) { return engine.find(arguments...); };
      const auto find_without_memory = [&](const auto&... arguments) {
        failing_new::fail_at(nth);
        try {
          engine.find(arguments...);
        } catch (const std::bad_alloc&) {
        }
        has_failed = failing_new::reached();
        return planes::PlaneSet();
      };
      if (!is_new) find_with(before, find);
      find_with(c, find_without_memory);
      const Found found = find_with(c, find);
      ASSERT_EQ(differences(expected.set, found.set), "") << nth << (is_new ? ", new" : "");
      ASSERT_EQ(found.labels, expected.labels) << nth << (is_new ? ", new" : "");
    }
  }
}

}  // namespace rdp::test

#endif  // RDP_TESTS_PLANES_FAILING_ENGINE_H_
