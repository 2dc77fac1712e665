// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_LIVE_PIPELINES_H_
#define RDP_TESTS_SUPPORT_LIVE_PIPELINES_H_

#include <gst/gst.h>

#include <vector>

namespace rdp::test {

// The pipelines of the running test. A failed check leaves its test without destroying them. Where
// tests share a process, as with the stand-in driver, the next test would wait for their tasks
// forever, and hide the failed check.
inline std::vector<GstElement*>& live_pipelines() {
  static std::vector<GstElement*> pipelines;
  return pipelines;
}

inline void stop_pipelines() {
  for (GstElement* pipeline : live_pipelines()) gst_element_set_state(pipeline, GST_STATE_NULL);
  live_pipelines().clear();
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_LIVE_PIPELINES_H_
