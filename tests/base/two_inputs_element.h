// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BASE_TWO_INPUTS_ELEMENT_H_
#define RDP_TESTS_BASE_TWO_INPUTS_ELEMENT_H_

#include <gst/gst.h>

// A minimal complete element on GstRdpJoiner: it pairs the frames of two inputs (sink_0, sink_1)
// and has three outputs. `src` gives left minus right (pair_method.h), the request pad `overlay` a
// picture of each pair, and the request pad `data` the unchanged frames of sink_1.
GType rdp_two_inputs_get_type(void);

#endif  // RDP_TESTS_BASE_TWO_INPUTS_ELEMENT_H_
