// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BASE_TWO_INPUTS_ELEMENT_H_
#define RDP_TESTS_BASE_TWO_INPUTS_ELEMENT_H_

#include <gst/gst.h>

// A complete element on GstRdpJoiner: the least that is needed for two inputs (sink_0, sink_1),
// whose frames it pairs, and three outputs. src has left minus right (pair_method.h), the request
// pad `overlay` a picture of each pair, the request pad `data` the frames of sink_1, as they are.
GType rdp_two_inputs_get_type(void);

#endif  // RDP_TESTS_BASE_TWO_INPUTS_ELEMENT_H_
