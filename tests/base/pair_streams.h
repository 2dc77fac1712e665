// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BASE_PAIR_STREAMS_H_
#define RDP_TESTS_BASE_PAIR_STREAMS_H_

#include <gst/gst.h>

#include "gst/elements/base/pairing.h"

// A minimal element on the pairing helper: inputs `main` and `other`; `src` forwards the buffers of
// `main`. Each output buffer's offset is the time stamp of the paired buffer of `other`, or none.
GType pair_streams_get_type(void);

// Registers the element for launch lines as `pairstreams`.
void pair_streams_register();

// Call before the element goes to PAUSED. By default unpaired buffers are dropped.
void pair_streams_configure(GstElement* element, const rdp::gst::PairingRules& rules,
                            const rdp::gst::PairingSettings& settings = {});
rdp::gst::PairingCounts pair_streams_counts(GstElement* element);

#endif  // RDP_TESTS_BASE_PAIR_STREAMS_H_
