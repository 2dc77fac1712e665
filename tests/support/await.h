// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_AWAIT_H_
#define RDP_TESTS_SUPPORT_AWAIT_H_

#include <algorithm>
#include <cstdlib>

#include "tests/support/frames.h"

// Waits of tests for extra source pads, which push from threads of their own.
namespace rdp::test {

// The factor for timeouts, from gst-check's variable: above 1 under an emulator, for example.
inline int slowness() {
  const char* told = std::getenv("CK_TIMEOUT_MULTIPLIER");
  return told == nullptr ? 1 : std::clamp(std::atoi(told), 1, 100);
}

// Waits until `holds`. False after 30 s times slowness(), which allows for a busy machine.
template <typename Condition>
bool await(const Condition& holds) {
  const gint64 end = g_get_monotonic_time() + 30 * slowness() * G_USEC_PER_SEC;
  while (!holds()) {
    if (g_get_monotonic_time() > end) return false;
    g_usleep(100);
  }
  return true;
}

// Waits until a harness has received `buffers` buffers; fails if it has more.
inline void check_received(GstHarness* harness, guint buffers) {
  await([&] { return gst_harness_buffers_received(harness) >= buffers; });
  fail_unless_equals_int(gst_harness_buffers_received(harness), buffers);
}

// Waits until a harness has received `events` events, serialised or not; more are allowed.
inline void await_events(GstHarness* harness, guint events) {
  fail_unless(await([&] { return gst_harness_events_received(harness) >= events; }),
              "%u events, not %u", gst_harness_events_received(harness), events);
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_AWAIT_H_
