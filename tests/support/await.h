// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_AWAIT_H_
#define RDP_TESTS_SUPPORT_AWAIT_H_

#include <algorithm>
#include <cstdlib>

#include "tests/support/frames.h"

// What comes from an extra source pad comes from a thread of its own: tests wait for it.
namespace rdp::test {

// The factor by which all takes longer than on a usual machine, as gst-check is told: under an
// emulator.
inline int slowness() {
  const char* told = std::getenv("CK_TIMEOUT_MULTIPLIER");
  return told == nullptr ? 1 : std::clamp(std::atoi(told), 1, 100);
}

// Waits until `holds`. False: it does not within 30 seconds, which a busy machine may need.
template <typename Condition>
bool await(const Condition& holds) {
  const gint64 end = g_get_monotonic_time() + 30 * slowness() * G_USEC_PER_SEC;
  while (!holds()) {
    if (g_get_monotonic_time() > end) return false;
    g_usleep(100);
  }
  return true;
}

// Waits until a harness has received so many buffers; it must not have more.
inline void check_received(GstHarness* harness, guint buffers) {
  await([&] { return gst_harness_buffers_received(harness) >= buffers; });
  fail_unless_equals_int(gst_harness_buffers_received(harness), buffers);
}

// The same for serialised and other events.
inline void await_events(GstHarness* harness, guint events) {
  fail_unless(await([&] { return gst_harness_events_received(harness) >= events; }),
              "%u events, not %u", gst_harness_events_received(harness), events);
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_AWAIT_H_
