// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_QUALITY_H_
#define RDP_GST_ELEMENTS_BASE_QUALITY_H_

#include <gst/gst.h>

namespace rdp::gst {

// The last running time that is late already, by the two numbers of a QOS event; none: nothing is.
// As GstVideoDecoder and GstBaseTransform do: late by `diff`, so only what is due after twice that
// has a chance to be in time. Unsigned, and up to the last time there is: a sink may send any
// numbers.
inline GstClockTime last_late_time(GstClockTime timestamp, GstClockTimeDiff diff) {
  if (!GST_CLOCK_TIME_IS_VALID(timestamp)) return GST_CLOCK_TIME_NONE;
  constexpr GstClockTime kLast = GST_CLOCK_TIME_NONE - 1;
  const auto late = static_cast<GstClockTime>(diff);
  if (diff < 0) return timestamp - MIN(timestamp, -late);
  return timestamp + MIN(kLast - timestamp, 2 * late);
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_QUALITY_H_
