// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BASE_COUNT_KNOWN_H_
#define RDP_TESTS_BASE_COUNT_KNOWN_H_

#include <gst/gst.h>

#include <cstdint>
#include <span>

// A complete analysing element, to start from: `countknown` counts how many samples of each column
// are known, on the CPU and on the GPU, attaches the counts to the frame, and paints them as bars
// on its pad `overlay`.
GST_ELEMENT_REGISTER_DECLARE(countknown)

// What it has attached: one number for each column of the frame, of a batch for each surface. Valid
// as long as the buffer; empty where there is none.
std::span<const std::uint32_t> count_known_get(GstBuffer* buffer, guint surface = 0);

#endif  // RDP_TESTS_BASE_COUNT_KNOWN_H_
