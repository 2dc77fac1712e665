// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BASE_PAIR_STREAMS_H_
#define RDP_TESTS_BASE_PAIR_STREAMS_H_

#include <gst/gst.h>

#include "gst/elements/base/pairing.h"

// The least that an element on the pairing helper is: the inputs `main` and `other`, and the
// buffers of `main` as they are on `src`. Each says in its offset which one of `other` it met: that
// one's time stamp, or none.
GType pair_streams_get_type(void);

// Makes it known to launch lines as `pairstreams`.
void pair_streams_register();

// Before it goes to PAUSED. At first unpaired buffers are dropped.
void pair_streams_configure(GstElement* element, const rdp::gst::PairingRules& rules,
                            const rdp::gst::PairingSettings& settings = {});
rdp::gst::PairingCounts pair_streams_counts(GstElement* element);

#endif  // RDP_TESTS_BASE_PAIR_STREAMS_H_
