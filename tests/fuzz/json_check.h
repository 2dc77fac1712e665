// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_FUZZ_JSON_CHECK_H_
#define RDP_TESTS_FUZZ_JSON_CHECK_H_

#include <gst/rdpsegment/rdpsegment.h>

namespace rdp::fuzz {

// Writes the segmentation as rdpmetaconvert does, as one of `batch` that a buffer has. Fails where
// the lines are no JSON, or their numbers are not those of the segments to the last bit.
void check_json(GstRdpSegmentation* segmentation, int batch);

// The same of planes that are alone on their buffer, with the corners in metres.
void check_json(GstRdpPlanes* planes);

}  // namespace rdp::fuzz

#endif  // RDP_TESTS_FUZZ_JSON_CHECK_H_
