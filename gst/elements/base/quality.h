// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_QUALITY_H_
#define RDP_GST_ELEMENTS_BASE_QUALITY_H_

#include <gst/gst.h>

namespace rdp::gst {

// Returns the last running time that is already late, by the two numbers of a QOS event; NONE:
// nothing is. As in GstVideoDecoder and GstBaseTransform: at a lateness of `diff`, only frames due
// after twice that can be in time. Clamped to valid times, because a sink may send any numbers.
inline GstClockTime last_late_time(GstClockTime timestamp, GstClockTimeDiff diff) {
  if (!GST_CLOCK_TIME_IS_VALID(timestamp)) return GST_CLOCK_TIME_NONE;
  constexpr GstClockTime kLast = GST_CLOCK_TIME_NONE - 1;
  const auto late = static_cast<GstClockTime>(diff);
  if (diff < 0) return timestamp - MIN(timestamp, -late);
  return timestamp + MIN(kLast - timestamp, 2 * late);
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_QUALITY_H_
