// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_LIVE_PIPELINES_H_
#define RDP_TESTS_SUPPORT_LIVE_PIPELINES_H_

#include <gst/gst.h>

#include <vector>

namespace rdp::test {

// The pipelines of the test that runs. A check that fails leaves its test and destroys nothing.
// Where tests share a process, as over the stand-in driver, the next one would wait for ever for
// the tasks of what was left, and nobody would read which check it was.
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
