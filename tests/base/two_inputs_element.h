// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BASE_TWO_INPUTS_ELEMENT_H_
#define RDP_TESTS_BASE_TWO_INPUTS_ELEMENT_H_

#include <gst/gst.h>

// A complete element made of the helpers for extra pads: on GstAggregator, with two inputs
// (sink_0, sink_1), whose heads it pairs in order of arrival, and three outputs: src hands the
// frames of sink_0 on, the request pad `overlay` has a picture of each, the request pad `data` the
// frames of sink_1, as they are.
GType rdp_two_inputs_get_type(void);

#endif  // RDP_TESTS_BASE_TWO_INPUTS_ELEMENT_H_
