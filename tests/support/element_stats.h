// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_ELEMENT_STATS_H_
#define RDP_TESTS_SUPPORT_ELEMENT_STATS_H_

#include <gst/check/gstcheck.h>

// Access to the elements' property `stats`.
namespace rdp::test {

// (transfer full)
inline GstStructure* stats_of(GstElement* element) {
  GstStructure* stats = nullptr;
  g_object_get(element, "stats", &stats, nullptr);
  fail_unless(stats != nullptr);
  return stats;
}

inline guint64 stat_of(GstElement* element, const char* name) {
  g_autoptr(GstStructure) stats = stats_of(element);
  guint64 value = 0;
  fail_unless(gst_structure_get_uint64(stats, name, &value), "stats have no %s", name);
  return value;
}

inline double share_of(GstElement* element, const char* name) {
  g_autoptr(GstStructure) stats = stats_of(element);
  double value = 0;
  fail_unless(gst_structure_get_double(stats, name, &value), "stats have no %s", name);
  return value;
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_ELEMENT_STATS_H_
