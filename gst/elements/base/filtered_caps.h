// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_FILTERED_CAPS_H_
#define RDP_GST_ELEMENTS_BASE_FILTERED_CAPS_H_

#include <gst/gst.h>

namespace rdp::gst {

// Answers a caps query: the caps of `caps` (transfer full) that are in `filter`, in the filter's
// order. Null: no filter.
inline GstCaps* filtered_caps(GstCaps* caps, GstCaps* filter) {
  if (filter == nullptr) return caps;
  GstCaps* both = gst_caps_intersect_full(filter, caps, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref(caps);
  return both;
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_FILTERED_CAPS_H_
